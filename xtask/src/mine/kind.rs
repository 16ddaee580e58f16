//! What a position is a test of.

use std::fmt;

use cotulenh::{Color, MoveKind, Position, Role, Square};
use cotulenh_engine::Turn;

/// The kinds of positions, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Mate1,
    Mate2,
    Mate3,
    Mate4,
    Deploy,
    Kamikaze,
    Stay,
    Defence,
    Aircover,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mate1 => "mate1",
            Self::Mate2 => "mate2",
            Self::Mate3 => "mate3",
            Self::Mate4 => "mate4",
            Self::Deploy => "deploy",
            Self::Kamikaze => "kamikaze",
            Self::Stay => "stay",
            Self::Defence => "defence",
            Self::Aircover => "aircover",
        })
    }
}

impl Kind {
    /// What kind of tactics a turn of a game is, if any; defences are told by what they prevent.
    pub(super) fn of(position: &Position, turn: &Turn) -> Option<Self> {
        let captures = turn.iter().any(|mv| mv.is_capture());
        if has(turn, MoveKind::Kamikaze) {
            return Some(Self::Kamikaze);
        }
        if turn.len() > 1 && captures {
            return Some(Self::Deploy);
        }
        if has(turn, MoveKind::StayCapture) {
            return Some(Self::Stay);
        }
        // An aircraft shut in, or air cover moved so that it is.
        let first = turn.first()?;
        let provider = matches!(first.role(), Role::AntiAir | Role::Missile | Role::Navy);
        (provider && !captures && threatens_aircraft(position, turn)).then_some(Self::Aircover)
    }

    /// The kind of mates that all begin with the same kind of turn, where it is a special one.
    pub(super) fn of_mates(turns: &[Turn]) -> Option<Self> {
        let all = |test: &dyn Fn(&Turn) -> bool| turns.iter().all(test);
        if all(&|turn| has(turn, MoveKind::Kamikaze)) {
            Some(Self::Kamikaze)
        } else if all(&|turn| has(turn, MoveKind::StayCapture)) {
            Some(Self::Stay)
        } else if all(&|turn| turn.len() > 1) {
            Some(Self::Deploy)
        } else {
            None
        }
    }
}

fn has(turn: &Turn, kind: MoveKind) -> bool {
    turn.iter().any(|mv| mv.kind() == kind)
}

/// Whether the turn brings an enemy aircraft under air cover or attack.
pub(super) fn threatens_aircraft(position: &Position, turn: &Turn) -> bool {
    let own = position.turn();
    turn.play_from(position).is_some_and(|next| {
        planes(&next, !own).any(|square| {
            let covered =
                next.air_cover(own).contains(square) && !position.air_cover(own).contains(square);
            covered || next.attackers(square, own).next().is_some()
        })
    })
}

/// Where a side's aircraft stand, alone or in stacks.
pub(super) fn planes(position: &Position, color: Color) -> impl Iterator<Item = Square> {
    position
        .stacks()
        .filter(move |(_, stack)| stack.color() == color && stack.has(Role::AirForce))
        .map(|(square, _)| square)
}
