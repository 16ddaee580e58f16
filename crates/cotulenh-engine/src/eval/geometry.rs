//! Which squares a piece could attack, from tables.

use cotulenh::{Role, Square, SquareSet};

use super::KINDS;

/// How far a kind strikes, straight and diagonally (Rule 3.1; a ship's guns, not its torpedoes).
const fn reach(kind: usize) -> (i8, i8) {
    let heroic = if kind % 2 == 1 { 1 } else { 0 };
    match Role::ALL[kind / 2] {
        Role::Commander => (1, heroic),
        Role::Infantry | Role::Engineer | Role::AntiAir => (1 + heroic, 2 * heroic),
        Role::Militia => (1 + heroic, 1 + heroic),
        Role::Artillery | Role::Navy => (3 + heroic, 3 + heroic),
        Role::Missile => (2 + heroic, 1 + heroic),
        Role::Tank => (2 + heroic, 3 * heroic),
        Role::AirForce => (4 + heroic, 4 + heroic),
        Role::Headquarters => (heroic, heroic),
    }
}

const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (-1, 1),
    (1, 1),
    (1, -1),
    (-1, -1),
];

/// The squares that pieces strike on an empty board, by square and kind.
#[derive(Debug)]
pub(crate) struct Geometry(Vec<[SquareSet; KINDS]>);

impl Geometry {
    pub(crate) fn new() -> Self {
        let mut strikes = vec![[SquareSet::EMPTY; KINDS]; Square::INDEX_LEN];
        for square in Square::all() {
            for (kind, set) in strikes[square.index()].iter_mut().enumerate() {
                *set = lines_of_fire(kind, square);
            }
        }
        Self(strikes)
    }

    /// The squares that a piece attacks if nothing stands in the way, air defence aside.
    #[inline]
    pub(crate) fn reach(&self, kind: usize, from: Square) -> SquareSet {
        self.0[from.index()][kind]
    }
}

fn lines_of_fire(kind: usize, from: Square) -> SquareSet {
    let (straight, diagonal) = reach(kind);
    let lines = DIRECTIONS.into_iter().enumerate();
    let squares = lines.flat_map(|(index, (dx, dy))| {
        let far = if index < 4 { straight } else { diagonal };
        (1..=far).map_while(move |step| from.offset(dx * step, dy * step))
    });
    squares.collect()
}
