//! Random positions of few pieces, and the mates in them.

use cotulenh::{Color, Piece, Position, Role, Setup, Square, Stack};
use cotulenh_engine::SplitMix64;

use super::Tactic;
use super::kind::Kind;
use super::proof::{Attack, mating_turns, some_mating_turn};

/// Positions tried in one attempt.
const TRIES: usize = 50;
/// Positions that a look for a mate may visit, and those that its proof may.
const GLANCE: u64 = 6_000;
const PROOF: u64 = 1_500_000;

pub(super) fn find_tactics(random: &mut SplitMix64, wants: &dyn Fn(Kind) -> bool) -> Vec<Tactic> {
    let positions = (0..TRIES).filter_map(|_| random_position(random));
    positions
        .filter_map(|position| shortest_mate(&position, wants))
        .collect()
}

/// The shortest mate there is, with every turn that begins it, if there are few.
fn shortest_mate(position: &Position, wants: &dyn Fn(Kind) -> bool) -> Option<Tactic> {
    for (kind, length) in [(Kind::Mate1, 1), (Kind::Mate2, 2)] {
        let turns = mating_turns(position, length, Attack::Full, PROOF)?;
        if !turns.is_empty() {
            let kind = Kind::of_mates(&turns).unwrap_or(kind);
            return (turns.len() <= 2).then(|| Tactic::new(kind, position, &turns));
        }
    }
    for (kind, length) in [(Kind::Mate3, 3), (Kind::Mate4, 4)] {
        // A look at checks alone says whether it is worth to look at everything. What it finds is
        // part of what there is, so it says as well which kinds may come of it.
        let Some(seen) = some_mating_turn(position, length, Attack::Checks, GLANCE) else {
            continue;
        };
        let special = Kind::of_mates(&[seen]);
        if !wants(kind) && !special.is_some_and(wants) {
            return None;
        }
        // With everything allowed there may be a shorter one after all.
        if length > 3 && !mating_turns(position, length - 1, Attack::Full, PROOF)?.is_empty() {
            return None;
        }
        let turns = mating_turns(position, length, Attack::Full, PROOF)?;
        let kind = Kind::of_mates(&turns).unwrap_or(kind);
        return (turns.len() <= 3).then(|| Tactic::new(kind, position, &turns));
    }
    None
}

/// What stands on a board: who hunts, and who guards.
struct Theme {
    hunters: &'static [Role],
    guards: &'static [Role],
}

const THEMES: [Theme; 2] = [
    Theme {
        hunters: &[
            Role::Tank,
            Role::AirForce,
            Role::Artillery,
            Role::Missile,
            Role::Militia,
            Role::Navy,
            Role::Infantry,
        ],
        guards: &[
            Role::Infantry,
            Role::AntiAir,
            Role::Engineer,
            Role::Headquarters,
            Role::Tank,
        ],
    },
    // Aircraft against air cover.
    Theme {
        hunters: &[Role::AirForce, Role::AirForce, Role::Tank, Role::Artillery],
        guards: &[Role::AntiAir, Role::AntiAir, Role::Infantry, Role::Missile],
    },
];
const LADEN: [&str; 6] = ["(TI)", "(FT)", "(FTI)", "(TM)", "(NFT)", "(NT)"];

/// A random lawful position of few pieces, red to move, with a hunt on.
pub(crate) fn random_position(random: &mut SplitMix64) -> Option<Position> {
    let theme = &THEMES[random.below(THEMES.len())];
    let mut board = Board(Setup::new());
    let target = board.put(random, single(Role::Commander, Color::Blue, false), None)?;
    board.put(random, single(Role::Commander, Color::Red, false), None)?;
    for _ in 0..3 + random.below(2) {
        let role = theme.hunters[random.below(theme.hunters.len())];
        let mut stack = single(role, Color::Red, random.below(4) == 0);
        if random.below(5) == 0 {
            stack = LADEN[random.below(LADEN.len())].parse().ok();
        }
        board.put(random, stack, Some(target))?;
    }
    for _ in 0..2 {
        let role = theme.guards[random.below(theme.guards.len())];
        board.put(random, single(role, Color::Blue, false), Some(target))?;
    }
    board.0.turn = Color::Red;
    let position = Position::try_from(&board.0).ok()?;
    let sane = !position.in_danger(Color::Blue) && !position.in_danger(Color::Red);
    (sane && position.outcome().is_none()).then_some(position)
}

fn single(role: Role, color: Color, heroic: bool) -> Option<Stack> {
    Stack::new([Piece {
        role,
        color,
        heroic,
    }])
}

struct Board(Setup);

impl Board {
    /// Puts a stack on some square that admits it and is free, `near` another if asked for.
    fn put(
        &mut self,
        random: &mut SplitMix64,
        stack: Option<Stack>,
        near: Option<Square>,
    ) -> Option<Square> {
        let role = stack?.carrier().role;
        let squares: Vec<Square> = Square::all().collect();
        for _ in 0..50 {
            let square = squares[random.below(squares.len())];
            let close = near.is_none_or(|near| {
                square.file().abs_diff(near.file()) <= 4 && square.rank().abs_diff(near.rank()) <= 5
            });
            if close && self.0.get(square).is_none() && cotulenh::Terrain::admits(role, square) {
                self.0.set(square, stack);
                return Some(square);
            }
        }
        None
    }
}
