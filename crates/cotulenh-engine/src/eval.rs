//! Evaluation: the network for positions, piece values for exchanges.

mod geometry;

pub(crate) use geometry::Geometry;

use std::sync::Arc;

use cotulenh::{PieceKind, Position};

use crate::net::{Accumulators, Net};
use crate::params::CLOCK_SCALE;

/// Piece values for exchanges, by kind, plain and heroic, in hundredths of an infantry. Fitted to
/// the results of games, together with terms that the network has replaced since.
const PIECE_VALUES: [i32; PieceKind::COUNT] = [
    5_000, 5_000, // commander
    90, 179, // infantry
    102, 191, // militia
    350, 424, // artillery
    114, 191, // anti-air gun
    235, 331, // missile
    193, 333, // tank
    491, 729, // air force
    98, 180, // engineer
    647, 804, // navy
    32, 110, // headquarters
];

/// The network and the attack tables.
#[derive(Debug)]
pub(crate) struct Evaluator {
    net: Arc<Net>,
    geometry: Geometry,
}

impl Evaluator {
    pub(crate) fn new(net: Arc<Net>) -> Self {
        Self {
            net,
            geometry: Geometry::new(),
        }
    }

    pub(crate) const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The evaluation of a position for the side to move. No deploy may be open: its value depends
    /// on how it ends.
    pub(crate) fn evaluate(&self, position: &Position) -> i32 {
        scale_by_clock(self.net.evaluate(position), position)
    }

    /// The same before [`scale_by_clock`], with the accumulators of the path.
    pub(crate) fn value(
        &self,
        position: &Position,
        accumulators: &mut Accumulators,
        ply: usize,
    ) -> i32 {
        accumulators.evaluate(&self.net, position, ply)
    }
}

/// The value of a piece in an exchange.
#[inline]
pub(crate) const fn piece_value(kind: PieceKind) -> i32 {
    PIECE_VALUES[kind.index()]
}

/// The material balance for the side to move.
pub(crate) fn material(position: &Position) -> i32 {
    let turn = position.turn();
    position.stacks().fold(0, |sum, (_, stack)| {
        let value: i32 = stack
            .pieces()
            .map(|piece| piece_value(PieceKind::of(piece)))
            .sum();
        if stack.color() == turn {
            sum + value
        } else {
            sum - value
        }
    })
}

/// Scales an evaluation towards a draw as the fifty-move clock runs.
#[inline]
pub(crate) fn scale_by_clock(value: i32, position: &Position) -> i32 {
    let clock = i32::try_from(position.halfmove_clock().min(100)).unwrap_or(100);
    value * (CLOCK_SCALE - clock) / CLOCK_SCALE
}
