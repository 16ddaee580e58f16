//! Attack tables for an empty board.

use cotulenh::{Reach, Square, SquareSet};

use crate::kind::Kind;

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

/// The squares that pieces attack on an empty board, by square and kind.
#[derive(Debug)]
pub(crate) struct Geometry(Vec<[SquareSet; Kind::COUNT]>);

impl Geometry {
    pub(crate) fn new() -> Self {
        let mut attacks = vec![[SquareSet::EMPTY; Kind::COUNT]; Square::INDEX_LEN];
        for square in Square::all() {
            for (kind, set) in Kind::all().zip(&mut attacks[square.index()]) {
                *set = attacks_from(kind, square);
            }
        }
        Self(attacks)
    }

    /// The squares that a piece attacks if nothing stands in the way, air defence aside.
    #[inline]
    pub(crate) fn reach(&self, kind: Kind, from: Square) -> SquareSet {
        self.0[from.index()][kind.index()]
    }
}

fn attacks_from(kind: Kind, from: Square) -> SquareSet {
    let Reach { straight, diagonal } = kind.role().movement(kind.is_heroic()).captures;
    let lines = DIRECTIONS.into_iter().enumerate();
    let squares = lines.flat_map(|(index, (dx, dy))| {
        let far = if index < 4 { straight } else { diagonal };
        (1..=far as i8).map_while(move |step| from.offset(dx * step, dy * step))
    });
    squares.collect()
}
