//! Which squares a piece attacks, from tables.

use cotulenh::{Role, Square, SquareSet};

use super::weights::KINDS;

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

/// The squares that pieces strike, by kind and square.
#[derive(Debug)]
pub(crate) struct Geometry {
    /// All of them on an empty board.
    strikes: Vec<[SquareSet; KINDS]>,
    /// Those of them that another of them may hide behind.
    screens: Vec<[SquareSet; KINDS]>,
    /// The squares around a square.
    around: Vec<SquareSet>,
    /// The squares beyond a square, by the direction one comes from: `3 * (dy + 1) + dx + 1`.
    beyond: Vec<[SquareSet; 9]>,
}

impl Geometry {
    pub(crate) fn new() -> Self {
        let mut strikes = vec![[SquareSet::EMPTY; KINDS]; Square::INDEX_LEN];
        let mut screens = strikes.clone();
        let mut around = vec![SquareSet::EMPTY; Square::INDEX_LEN];
        for square in Square::all() {
            for kind in 0..KINDS {
                let all = line_of_fire(kind, square, SquareSet::EMPTY);
                strikes[square.index()][kind] = all;
                if !Role::ALL[kind / 2].shoots_over() {
                    let hides =
                        |at: &Square| line_of_fire(kind, square, SquareSet::EMPTY.with(*at)) != all;
                    screens[square.index()][kind] = all.into_iter().filter(hides).collect();
                }
            }
            let next = DIRECTIONS
                .iter()
                .filter_map(|(dx, dy)| square.offset(*dx, *dy));
            around[square.index()] = next.collect();
        }
        let mut beyond = vec![[SquareSet::EMPTY; 9]; Square::INDEX_LEN];
        for square in Square::all() {
            for (dx, dy) in DIRECTIONS {
                let ray = (1..12).map_while(|step| square.offset(dx * step, dy * step));
                let at = usize::try_from(3 * (dy + 1) + dx + 1).unwrap_or(0);
                beyond[square.index()][at] = ray.collect();
            }
        }
        Self {
            strikes,
            screens,
            around,
            beyond,
        }
    }

    /// The squares that a piece attacks, air defence aside.
    #[inline]
    pub(crate) fn strikes(&self, kind: usize, from: Square, occupied: SquareSet) -> SquareSet {
        let mut strikes = self.strikes[from.index()][kind];
        let screens = self.screens[from.index()][kind];
        if screens.meets(occupied) {
            for screen in screens & occupied {
                let dx = 1 + usize::from(screen.file() > from.file())
                    - usize::from(screen.file() < from.file());
                let dy = 1 + usize::from(screen.rank() > from.rank())
                    - usize::from(screen.rank() < from.rank());
                strikes = strikes - self.beyond[screen.index()][3 * dy + dx];
            }
        }
        strikes
    }

    /// The same on an empty board.
    #[inline]
    pub(crate) fn reach(&self, kind: usize, from: Square) -> SquareSet {
        self.strikes[from.index()][kind]
    }

    /// The squares next to a square.
    #[inline]
    pub(crate) fn around(&self, square: Square) -> SquareSet {
        self.around[square.index()]
    }
}

/// Walks the lines of a piece until something stands in the way.
fn line_of_fire(kind: usize, from: Square, occupied: SquareSet) -> SquareSet {
    let (straight, diagonal) = reach(kind);
    let mut set = SquareSet::EMPTY;
    for (index, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
        let far = if index < 4 { straight } else { diagonal };
        for step in 1..=far {
            let Some(square) = from.offset(dx * step, dy * step) else {
                break;
            };
            set.insert(square);
            if occupied.contains(square) {
                break;
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_hide_what_lies_behind() {
        let geometry = Geometry::new();
        let occupied: SquareSet = Square::all()
            .filter(|square| square.index() % 5 < 2)
            .collect();
        for square in Square::all() {
            for kind in (0..KINDS).filter(|kind| !Role::ALL[kind / 2].shoots_over()) {
                let walked = line_of_fire(kind, square, occupied);
                assert_eq!(
                    geometry.strikes(kind, square, occupied),
                    walked,
                    "{kind} {square}"
                );
            }
        }
    }
}
