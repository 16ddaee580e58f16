//! The worth of a position at rest: what the network says, and simple figures for exchanges.

mod geometry;

pub(crate) use geometry::Geometry;

use std::sync::Arc;

use cotulenh::{Piece, Position};

use crate::net::{Accumulators, Net};

/// A piece without its colour: twice its role, one more if heroic.
pub(crate) const KINDS: usize = 22;

/// What a piece is worth in an exchange, by kind, in hundredths of an infantry. Fitted to the
/// results of games, together with terms that the network has replaced since.
const WORTH: [i32; KINDS] = [
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

/// The evaluation with its tables made ready.
#[derive(Debug)]
pub(crate) struct Evaluator {
    net: Arc<Net>,
    geometry: Geometry,
}

impl Evaluator {
    /// Judges by a network.
    pub(crate) fn new(net: Arc<Net>) -> Self {
        Self {
            net,
            geometry: Geometry::new(),
        }
    }

    /// The worth of a piece in an exchange.
    #[inline]
    #[allow(clippy::unused_self, reason = "those who ask hold an evaluator")]
    pub(crate) const fn worth(&self, kind: usize) -> i32 {
        WORTH[kind]
    }

    pub(crate) const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The worth of the position for the side to move. No deploy may be open: what it would be
    /// worth then, depends on how it ends.
    pub(crate) fn evaluate(&self, position: &Position) -> i32 {
        scale_by_clock(self.net.evaluate(position), position)
    }

    /// The same whatever the clock, `ply` turns down a path.
    pub(crate) fn value(
        &self,
        position: &Position,
        accumulators: &mut Accumulators,
        ply: usize,
    ) -> i32 {
        accumulators.evaluate(&self.net, position, ply)
    }

    /// The worth of the material alone for the side to move.
    pub(crate) fn material(&self, position: &Position) -> i32 {
        let turn = position.turn();
        position.stacks().fold(0, |sum, (_, stack)| {
            let value: i32 = stack.pieces().map(|piece| self.worth(kind_of(piece))).sum();
            if stack.color() == turn {
                sum + value
            } else {
                sum - value
            }
        })
    }
}

/// Captures are what makes a game: on the long road to the fiftieth move everything is worth less.
#[inline]
pub(crate) fn scale_by_clock(value: i32, position: &Position) -> i32 {
    let clock = i32::try_from(position.halfmove_clock().min(100)).unwrap_or(100);
    value * (220 - clock) / 220
}

/// A piece without its colour as a number.
#[inline]
pub(crate) fn kind_of(piece: Piece) -> usize {
    2 * piece.role.index() + usize::from(piece.heroic)
}
