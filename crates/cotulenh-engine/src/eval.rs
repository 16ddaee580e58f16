//! The worth of a position at rest, as a sum of weighted terms.
//!
//! Every term is one place in the table of [`Weights`], counted for one side and against the
//! other; the same walk over the board feeds the search (sums) and the tuner (counts).

mod geometry;
mod values;
mod weights;

pub(crate) use geometry::Geometry;
pub(crate) use weights::KINDS;
pub use weights::{BLOCKS, Block, ParseWeightsError, WEIGHTS, Weights};

use std::sync::Arc;

use cotulenh::{Color, Position, Role, Square, SquareSet};

use crate::net::{Accumulators, Net};

use weights::{
    ABOARD, CARGO, COVER, FILE, GUARD, HANGING, HUNT, MATERIAL, MOBILITY, OPEN, PRESSED, RANK,
    SHIELD, STORM, TEMPO,
};

/// What the walk over the board reports to.
trait Sink {
    /// `count` times the term at a place of the table, for the side now looked at.
    fn add(&mut self, at: usize, count: i32);
    /// A piece, with its commander and the other one at those distances.
    fn piece(&mut self, kind: usize, square: Square, guard: usize, hunt: usize);
    /// From here on terms count for the other side.
    fn turn_over(&mut self);
}

/// Two values in one word, for the beginning (low half) and the end of a game.
type Pair = i32;

#[allow(clippy::cast_lossless, reason = "usable in constants")]
const fn pair(values: [i16; 2]) -> Pair {
    ((values[1] as i32) << 16).wrapping_add(values[0] as i32)
}

#[allow(clippy::cast_possible_truncation, reason = "takes the halves apart")]
const fn halves(pair: Pair) -> [i32; 2] {
    [
        pair as i16 as i32,
        (pair.wrapping_add(0x8000) >> 16) as i16 as i32,
    ]
}

/// The evaluation with its tables made ready.
///
/// ```
/// use cotulenh::Position;
/// use cotulenh_engine::{Evaluator, Weights};
/// let evaluator = Evaluator::new(&Weights::default());
/// let start: Position = Position::start();
/// assert!(evaluator.evaluate(&start).abs() < 100);
/// ```
#[derive(Debug)]
pub struct Evaluator {
    pairs: Box<[Pair; WEIGHTS]>,
    /// Material, file and rank in one.
    squares: Vec<[Pair; KINDS]>,
    /// Guard and hunt.
    distances: [[[Pair; 12]; 2]; KINDS],
    /// What a piece is worth in an exchange.
    worth: [i32; KINDS],
    geometry: Geometry,
    /// Judges in the place of the terms.
    net: Option<Arc<Net>>,
}

impl Evaluator {
    /// Makes the tables for a set of values.
    pub fn new(weights: &Weights) -> Self {
        let pairs = Box::new(weights.0.map(pair));
        let mut squares = vec![[0; KINDS]; Square::INDEX_LEN];
        let mut distances = [[[0; 12]; 2]; KINDS];
        let mut worth = [0; KINDS];
        for kind in 0..KINDS {
            for square in Square::all() {
                let file = FILE.at(kind / 2, usize::from(square.file()));
                let rank = RANK.at(kind / 2, usize::from(square.rank()));
                squares[square.index()][kind] = pairs[MATERIAL.at(kind, 0)]
                    .wrapping_add(pairs[file])
                    .wrapping_add(pairs[rank]);
            }
            for distance in 0..12 {
                distances[kind][0][distance] = pairs[GUARD.at(kind / 2, distance)];
                distances[kind][1][distance] = pairs[HUNT.at(kind / 2, distance)];
            }
            let [early, late] = weights.0[MATERIAL.at(kind, 0)];
            worth[kind] = i32::midpoint(i32::from(early), i32::from(late)).max(10);
        }
        worth[0] = 5_000;
        worth[1] = 5_000;
        Self {
            pairs,
            squares,
            distances,
            worth,
            geometry: Geometry::new(),
            net: None,
        }
    }

    /// Judges by a network from now on.
    #[must_use]
    pub fn with_net(mut self, net: Arc<Net>) -> Self {
        self.net = Some(net);
        self
    }

    /// The worth of a piece in an exchange.
    #[inline]
    pub(crate) fn worth(&self, kind: usize) -> i32 {
        self.worth[kind]
    }

    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The worth of the position for the side to move. No deploy may be open: what it would be
    /// worth then, depends on how it ends.
    pub fn evaluate(&self, position: &Position) -> i32 {
        fade(self.value(position, &mut Accumulators::new(), 0), position)
    }

    /// The same whatever the clock, `ply` turns down a path.
    pub(crate) fn value(
        &self,
        position: &Position,
        accumulators: &mut Accumulators,
        ply: usize,
    ) -> i32 {
        match &self.net {
            Some(net) => accumulators.evaluate(net, position, ply),
            None => self.sum(position),
        }
    }

    fn sum(&self, position: &Position) -> i32 {
        let mut sum = Sum {
            evaluator: self,
            own: 0,
            other: 0,
        };
        walk(position, &self.geometry, &mut sum);
        let [early, late] = halves(sum.own.wrapping_sub(sum.other));
        let phase = phase(position);
        (early * phase + late * (PHASES - phase)) / PHASES
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

    /// How often each term counts for red, less how often for blue, and the phase of the game:
    /// what a tuner needs. The value for red is the weighted sum.
    pub fn terms(&self, position: &Position) -> (Vec<(u16, i16)>, f32) {
        let mut trace = Trace {
            counts: vec![0; WEIGHTS],
            sign: 1,
        };
        if position.turn() == Color::Blue {
            trace.sign = -1;
        }
        walk(position, &self.geometry, &mut trace);
        let terms = trace
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count != 0);
        let terms = terms.filter_map(|(at, count)| Some((u16::try_from(at).ok()?, *count)));
        #[allow(clippy::cast_precision_loss, reason = "small")]
        let phase = phase(position) as f32 / PHASES as f32;
        (terms.collect(), phase)
    }
}

/// Captures are what makes a game: on the long road to the fiftieth move everything is worth less.
#[inline]
pub(crate) fn fade(value: i32, position: &Position) -> i32 {
    let clock = i32::try_from(position.halfmove_clock().min(100)).unwrap_or(100);
    value * (220 - clock) / 220
}

/// A piece without its colour as a number.
#[inline]
pub(crate) fn kind_of(piece: cotulenh::Piece) -> usize {
    2 * piece.role.index() + usize::from(piece.heroic)
}

const PHASES: i32 = 36;

/// From 36 with all stacks on the board down to 0.
fn phase(position: &Position) -> i32 {
    i32::try_from(position.occupied().len())
        .unwrap_or(PHASES)
        .min(PHASES)
}

struct Sum<'a> {
    evaluator: &'a Evaluator,
    own: Pair,
    other: Pair,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, at: usize, count: i32) {
        self.own = self
            .own
            .wrapping_add(self.evaluator.pairs[at].wrapping_mul(count));
    }

    #[inline]
    fn piece(&mut self, kind: usize, square: Square, guard: usize, hunt: usize) {
        let distances = &self.evaluator.distances[kind];
        self.own = self
            .own
            .wrapping_add(self.evaluator.squares[square.index()][kind])
            .wrapping_add(distances[0][guard])
            .wrapping_add(distances[1][hunt]);
    }

    fn turn_over(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
    }
}

struct Trace {
    counts: Vec<i16>,
    sign: i16,
}

impl Sink for Trace {
    fn add(&mut self, at: usize, count: i32) {
        self.counts[at] += self.sign * i16::try_from(count).unwrap_or(0);
    }

    fn piece(&mut self, kind: usize, square: Square, guard: usize, hunt: usize) {
        self.add(MATERIAL.at(kind, 0), 1);
        self.add(FILE.at(kind / 2, usize::from(square.file())), 1);
        self.add(RANK.at(kind / 2, usize::from(square.rank())), 1);
        self.add(GUARD.at(kind / 2, guard), 1);
        self.add(HUNT.at(kind / 2, hunt), 1);
    }

    fn turn_over(&mut self) {
        self.sign = -self.sign;
    }
}

/// Reports every term, those of the side to move first.
fn walk(position: &Position, geometry: &Geometry, sink: &mut impl Sink) {
    let occupied = position.occupied();
    let turn = position.turn();
    let mut attacks = [SquareSet::EMPTY; 2];
    for color in [turn, !turn] {
        attacks[color.index()] = walk_side(position, geometry, occupied, color, sink);
        sink.turn_over();
    }
    for color in [turn, !turn] {
        let targets = position.occupied_by(!color) & attacks[color.index()];
        let defended = attacks[(!color).index()];
        for square in targets {
            if let Some(stack) = position.stack_at(square) {
                let role = stack.carrier().role.index();
                let block = if defended.contains(square) {
                    &PRESSED
                } else {
                    &HANGING
                };
                sink.add(block.at(role, 0), 1);
            }
        }
        if color == turn {
            sink.add(TEMPO.at(0, 0), 1);
        }
        sink.turn_over();
    }
}

/// The terms of one side; answers all squares that it attacks.
fn walk_side(
    position: &Position,
    geometry: &Geometry,
    occupied: SquareSet,
    color: Color,
    sink: &mut impl Sink,
) -> SquareSet {
    let stacks = position.occupied_by(color);
    let own = position.commander(color);
    let other = position.commander(!color);
    let enemy_cover = position.air_cover(!color);
    let zone = other.map_or(SquareSet::EMPTY, |square| geometry.around(square));
    let mut attacks = SquareSet::EMPTY;
    let mut storm = 0;
    for square in stacks {
        let Some(stack) = position.stack_at(square) else {
            continue;
        };
        let seen_from = if color == Color::Red {
            square
        } else {
            square.flipped()
        };
        let guard = own.map_or(11, |commander| distance(square, commander));
        let hunt = other.map_or(11, |commander| distance(square, commander));
        for (slot, piece) in stack.pieces().enumerate() {
            let kind = kind_of(piece);
            sink.piece(kind, seen_from, guard, hunt);
            if slot > 0 {
                sink.add(CARGO.at(kind / 2, 0), 1);
                if piece.role == Role::Commander {
                    sink.add(ABOARD.at(stack.carrier().role.index(), 0), 1);
                }
            }
            let mut strikes = geometry.strikes(kind, square, occupied);
            if piece.role == Role::AirForce && !piece.heroic {
                strikes = strikes - enemy_cover;
            }
            attacks |= strikes;
            if strikes.meets(zone) {
                storm += (strikes & zone).len();
            }
            let free = (strikes - stacks).len();
            sink.add(MOBILITY.at(kind / 2, 0), i32::try_from(free).unwrap_or(0));
        }
    }
    sink.add(STORM.at(storm.min(15) as usize, 0), 1);
    if let Some(commander) = own {
        let shield = (geometry.around(commander) & stacks).len();
        sink.add(SHIELD.at(shield as usize, 0), 1);
        sink.add(OPEN.at(open_lines(commander, occupied), 0), 1);
        let cover = position.air_cover(color);
        if cover.contains(commander) {
            sink.add(COVER.at(0, 0), 1);
        }
        sink.add(
            COVER.at(1, 0),
            i32::try_from((cover & stacks).len()).unwrap_or(0),
        );
        sink.add(COVER.at(2, 0), i32::try_from(cover.len() / 4).unwrap_or(0));
    }
    attacks
}

fn distance(a: Square, b: Square) -> usize {
    usize::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// How many empty squares lie along the commander's lines, four a line at most.
fn open_lines(commander: Square, occupied: SquareSet) -> usize {
    let mut open = 0;
    for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
        for step in 1..=4 {
            match commander.offset(dx * step, dy * step) {
                Some(square) if !occupied.contains(square) => open += 1,
                _ => break,
            }
        }
    }
    open.min(15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_board() {
        let evaluator = Evaluator::new(&Weights::by_hand());
        let text = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/4(FTI)6/2IE2M2EI/2N1G2TG2/3A2S2A1/1N3H1HF2/6C4 r - - 0 1";
        let position: Position = text.parse().expect("lawful");
        let setup = cotulenh::Setup::from(&position).flipped();
        let flipped = Position::try_from(&setup).expect("lawful");
        assert_ne!(position.turn(), flipped.turn());
        assert_eq!(evaluator.evaluate(&position), evaluator.evaluate(&flipped));
    }

    #[test]
    fn the_trace_adds_up_to_the_value() {
        let weights = Weights::by_hand();
        let evaluator = Evaluator::new(&weights);
        let mut position = Position::start();
        for turn in 0..40 {
            let moves = position.legal_moves();
            if position.outcome().is_some() {
                break;
            }
            position = position
                .play(moves[turn * 31 % moves.len()])
                .expect("legal");
            if position.deploy().is_some() || position.halfmove_clock() > 0 {
                continue;
            }
            let (terms, phase) = evaluator.terms(&position);
            let sum: f32 = terms
                .iter()
                .map(|(at, count)| {
                    let [early, late] = weights.0[usize::from(*at)].map(f32::from);
                    f32::from(*count) * (early * phase + late * (1.0 - phase))
                })
                .sum();
            let sign = if position.turn() == Color::Red {
                1.0
            } else {
                -1.0
            };
            #[allow(clippy::cast_precision_loss, reason = "small")]
            let value = evaluator.evaluate(&position) as f32;
            assert!((sum * sign - value).abs() < 2.0, "{sum} {value}");
        }
    }
}
