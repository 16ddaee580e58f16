//! The neural network (NNUE) and its file.
//!
//! An input feature is a piece of 44 kinds (own or enemy, role, plain or heroic) on one of 132
//! squares, from the perspective of each side. The feature weights of the pieces on the board add
//! up to one hidden layer a side, which [`Accumulators`] update incrementally. The score is the
//! weighted sum of both layers after a squared clipped `ReLU`; the output weights are chosen by the
//! number of pieces left (output buckets).

mod accumulator;
mod check;

pub(crate) use accumulator::Accumulators;
pub use check::ReadNetError;

use std::sync::{Arc, LazyLock};

use cotulenh::{Color, PieceKind, Position, Role, Square, Stack};

use check::Reader;

/// Own and enemy, eleven roles, plain and heroic, on every square.
const FEATURES: usize = 2 * PieceKind::COUNT * Square::COUNT;
/// The most hidden values a side.
const MAX_HIDDEN: usize = 256;
/// Hidden values come in multiples of this, so that loops over them have no rest.
const LANES: usize = 64;
/// One set of output weights for every five pieces that are left.
const BUCKETS: usize = 8;
/// What 1 is in the hidden layer.
const ONE: i32 = 255;
/// What 1 is among the output weights.
const OUT_ONE: i32 = 64;

/// The first bytes of a file: a name, and the version of the layout.
const MAGIC: &[u8; 8] = b"CTLNET01";

/// A network.
///
/// ```
/// use cotulenh_engine::{Net, ReadNetError};
/// assert_eq!(Net::from_bytes(b"no net").unwrap_err(), ReadNetError::Magic);
/// let start = cotulenh::Position::start();
/// assert!(Net::standard().evaluate(&start).abs() < 200);
/// ```
#[derive(Debug)]
pub struct Net {
    hidden: usize,
    /// Hundredths of an infantry for an output of 1.
    scale: i32,
    /// Feature weights, a row for every feature.
    rows: Vec<i16>,
    /// Hidden biases.
    biases: Vec<i16>,
    /// Output weights: for every bucket the side to move's, then the other's.
    out: Vec<i16>,
    out_biases: Vec<i32>,
    stacks: Box<Stacks>,
}

impl Net {
    /// Reads a file as `xtask/net/train.py` writes it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadNetError> {
        let mut reader = Reader::new(bytes, MAGIC)?;
        let hidden = reader.size("hidden values", |n| {
            n.is_multiple_of(LANES) && n > 0 && n <= MAX_HIDDEN
        })?;
        reader.size("features", |n| n == FEATURES)?;
        reader.size("buckets", |n| n == BUCKETS)?;
        let scale = reader.size("scale", |n| (1..=10_000).contains(&n))?;
        let net = Self {
            hidden,
            scale: i32::try_from(scale).unwrap_or(1),
            // 38 pieces at most stay within the range of the hidden layer, and a product with an
            // output weight within that of its type.
            rows: reader.shorts("feature weight", FEATURES * hidden, 800)?,
            biases: reader.shorts("hidden bias", hidden, 2_000)?,
            out: reader.shorts("output weight", BUCKETS * 2 * hidden, 127)?,
            out_biases: reader.words(BUCKETS)?,
            stacks: Box::new(Stacks::new()),
        };
        reader.end()?;
        Ok(net)
    }

    /// The built-in network, read once.
    ///
    /// # Panics
    ///
    /// Never: the file that is built in is tested.
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Net>> = LazyLock::new(|| {
            let net = Net::from_bytes(include_bytes!("../data/default.net"));
            Arc::new(net.expect("the network that is built in is sound"))
        });
        Arc::clone(&STANDARD)
    }

    /// How many hidden values a side has.
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// The evaluation of a position for the side to move, from scratch. No deploy may be open.
    pub fn evaluate(&self, position: &Position) -> i32 {
        Accumulators::new().evaluate(self, position, 0)
    }

    fn row(&self, feature: u16) -> &[i16] {
        let start = usize::from(feature) * self.hidden;
        &self.rows[start..start + self.hidden]
    }

    /// The score of two hidden layers, the side to move's first.
    fn output(&self, own: &[i16], other: &[i16], pieces: usize) -> i32 {
        let bucket = (pieces.saturating_sub(2) / 5).min(BUCKETS - 1);
        let start = bucket * 2 * self.hidden;
        let (first, second) = self.out[start..start + 2 * self.hidden].split_at(self.hidden);
        let sum = i64::from(weigh(own, first)) + i64::from(weigh(other, second));
        let sum = sum + i64::from(self.out_biases[bucket]) * i64::from(ONE);
        let score = sum * i64::from(self.scale) / i64::from(ONE * ONE * OUT_ONE);
        score as i32
    }
}

/// The weighted sum of a hidden layer after a squared clipped `ReLU`.
#[inline]
fn weigh(hidden: &[i16], weights: &[i16]) -> i32 {
    let terms = hidden.iter().zip(weights).map(|(value, weight)| {
        let value = (*value).clamp(0, 255);
        // Within 16 bits, since a weight is 127 at most: eight of them fit one instruction.
        i32::from(value.wrapping_mul(*weight)) * i32::from(value)
    });
    terms.fold(0, i32::wrapping_add)
}

/// The kinds of the pieces of every stack, by its index.
#[derive(Debug)]
struct Stacks([([PieceKind; 3], u8); Stack::INDEX_LEN]);

impl Stacks {
    fn new() -> Self {
        // Behind the length, any kind will do.
        let any = PieceKind::new(Role::Commander, false);
        let mut stacks = [([any; 3], 0); Stack::INDEX_LEN];
        for stack in Stack::all(Color::Red) {
            let (kinds, len) = &mut stacks[stack.index()];
            for piece in stack.pieces() {
                kinds[usize::from(*len)] = PieceKind::of(piece);
                *len += 1;
            }
        }
        Self(stacks)
    }

    fn kinds(&self, index: u8) -> &[PieceKind] {
        let (kinds, len) = &self.0[usize::from(index)];
        &kinds[..usize::from(*len)]
    }
}

/// The feature of a piece on a square, from the perspectives of red and blue.
#[inline]
fn features(color: Color, kind: PieceKind, square: Square) -> [u16; 2] {
    let at = |view: Color, square: Square| {
        let side = if color == view { 0 } else { PieceKind::COUNT };
        ((side + kind.index()) * Square::COUNT + square.dense()) as u16
    };
    [at(Color::Red, square), at(Color::Blue, square.flipped())]
}

#[cfg(test)]
mod tests;
