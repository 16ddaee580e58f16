//! Why there is no move between two squares: the rules' own refusal, with the cause where the rules name none.

use std::cmp::Ordering;

use cotulenh::{IllegalMoveError, Move, MoveKind, Position, Role, Square, Terrain};

/// Why there is no move from one square to another.
///
/// ```
/// use convoy_lessons::Obstacle;
/// let start = cotulenh::Position::start();
/// let (from, to) = ("c5".parse()?, "c8".parse()?);
/// let why = Obstacle::between(&start, from, to).expect("infantry goes one square");
/// assert_eq!(why.code(), "range");
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// None of the learner's pieces stands there.
    Nobody,
    /// Out of line or too far.
    Range,
    /// It may not stand there.
    Terrain,
    /// These pieces make no stack.
    NoStack,
    /// A heavy piece does not cross the river there.
    River,
    /// Air defence closes the way.
    AirDefence,
    /// The way is closed by another piece or by the terrain.
    Blocked,
    /// The own commander could be captured.
    Attacked,
    /// The commanders would face each other.
    Exposed,
}

impl Obstacle {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Nobody,
        Self::Range,
        Self::Terrain,
        Self::NoStack,
        Self::River,
        Self::AirDefence,
        Self::Blocked,
        Self::Attacked,
        Self::Exposed,
    ];

    /// A word for messages.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Range => "range",
            Self::Terrain => "terrain",
            Self::NoStack => "no-stack",
            Self::River => "river",
            Self::AirDefence => "air-defence",
            Self::Blocked => "blocked",
            Self::Attacked => "attacked",
            Self::Exposed => "exposed",
        }
    }

    /// Why neither the stack nor a part of it can go there; nothing where it can.
    pub fn between(position: &Position, from: Square, to: Square) -> Option<Self> {
        let legal = position.legal_moves();
        if legal
            .iter()
            .any(|mv| mv.from() == from && mv.to() == to && !mv.is_commit())
        {
            return None;
        }
        let Some(stack) = position.stack_at(from) else {
            return Some(Self::Nobody);
        };
        if stack.color() != position.turn() {
            return Some(Self::Nobody);
        }
        let role = stack.carrier().role;
        let kind = match position.stack_at(to) {
            None => MoveKind::Quiet,
            Some(other) if other.color() == stack.color() => MoveKind::Combine,
            Some(_) => MoveKind::Capture,
        };
        let mv = Move::whole(from, to, role, kind);
        Some(match position.play(mv).err()? {
            IllegalMoveError::OutOfRange { .. } => Self::Range,
            IllegalMoveError::Terrain(..) => Self::Terrain,
            IllegalMoveError::NoStack(_) => Self::NoStack,
            IllegalMoveError::Danger => Self::danger(position, mv),
            IllegalMoveError::Unreachable(..) => Self::on_the_way(position, role, from, to),
            IllegalMoveError::NoCommander
            | IllegalMoveError::Nobody(_)
            | IllegalMoveError::Absent(..) => Self::Nobody,
            IllegalMoveError::DeployOpen(_)
            | IllegalMoveError::NoDeploy
            | IllegalMoveError::Deployed(_)
            | IllegalMoveError::NoTarget(_)
            | IllegalMoveError::Occupied(_)
            | IllegalMoveError::Friend(_)
            | IllegalMoveError::Stranded(_)
            | IllegalMoveError::DeadEnd => Self::Blocked,
        })
    }

    fn danger(position: &Position, mv: Move) -> Self {
        let mut after = position.clone();
        after.play_unchecked(mv);
        if after.is_exposed(position.turn()) {
            Self::Exposed
        } else {
            Self::Attacked
        }
    }

    /// The rules say only that the way is closed; for a learner the river and air defence are causes of their own.
    fn on_the_way(position: &Position, role: Role, from: Square, to: Square) -> Self {
        let cover = position.air_cover(!position.turn());
        let heavy = matches!(role, Role::Artillery | Role::AntiAir | Role::Missile);
        // The river is the line between the sixth and the seventh rank.
        let crosses = (from.rank() < 6) != (to.rank() < 6);
        if role == Role::AirForce && way(from, to).any(|square| cover.contains(square)) {
            Self::AirDefence
        } else if heavy && crosses && position.stack_at(to).is_none() {
            Self::River
        } else if role == Role::Navy && way(from, to).any(|square| !Terrain::admits(role, square)) {
            Self::Terrain
        } else {
            Self::Blocked
        }
    }
}

/// The squares from one to another in line with it, without the first.
fn way(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let step = |a: u8, b: u8| match a.cmp(&b) {
        Ordering::Less => 1,
        Ordering::Equal => 0,
        Ordering::Greater => -1,
    };
    let (dx, dy) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
    let next = move |square: &Square| (*square != to).then(|| square.offset(dx, dy)).flatten();
    std::iter::successors(Some(from), next).skip(1)
}
