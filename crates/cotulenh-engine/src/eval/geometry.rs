//! Attack tables for an empty board.

use cotulenh::{Direction, PieceKind, Square, SquareSet};

/// The squares that pieces attack on an empty board, by square and kind.
#[derive(Debug)]
pub(crate) struct Geometry(Vec<[SquareSet; PieceKind::COUNT]>);

impl Geometry {
    pub(crate) fn new() -> Self {
        let mut attacks = vec![[SquareSet::EMPTY; PieceKind::COUNT]; Square::INDEX_LEN];
        for square in Square::all() {
            for (kind, set) in PieceKind::all().zip(&mut attacks[square.index()]) {
                *set = attacks_from(kind, square);
            }
        }
        Self(attacks)
    }

    /// The squares that a piece attacks if nothing stands in the way, air defence aside.
    #[inline]
    pub(crate) fn reach(&self, kind: PieceKind, from: Square) -> SquareSet {
        self.0[from.index()][kind.index()]
    }
}

fn attacks_from(kind: PieceKind, from: Square) -> SquareSet {
    let captures = kind.role().movement(kind.is_heroic()).captures;
    let squares = Direction::ALL.into_iter().flat_map(|direction| {
        let (dx, dy) = direction.delta();
        let far = captures.along(direction) as i8;
        (1..=far).map_while(move |step| from.offset(dx * step, dy * step))
    });
    squares.collect()
}
