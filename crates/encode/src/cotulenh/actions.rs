//! A fixed number for every action.
//!
//! All moves run along a line of the board, so a pair of squares in line is numbered, and what is left to tell is who goes and whether
//! a capture is made without moving. Everything else follows from the position.

use cotulenh::{Move, MoveKind, Position, Square};

use super::SEEN;

const SQUARES: usize = Square::COUNT;
const NO_LINE: u16 = u16::MAX;

/// Ordered pairs of different squares on one file, rank or diagonal.
pub const LINES: usize = 4532;

/// The index of ending a deploy.
pub const COMMIT: usize = 5 * LINES;

/// How many action indices there are.
pub const ACTIONS: usize = COMMIT + 1;

/// Who acts, and how: the part of an index above the line.
///
/// ```
/// use convoy_encode::cotulenh::{LINES, Mode};
/// assert_eq!(Mode::FirstCargo as usize * LINES, 13_596);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The whole stack goes to the target: quietly, capturing, in a kamikaze or to join a friend.
    Whole,
    /// The whole stack takes what is on the target without moving.
    WholeStays,
    /// The carrier of the stack, as it was at the start of the turn, makes a step of a deploy.
    Carrier,
    /// The first piece of its cargo does.
    FirstCargo,
    /// The second piece of its cargo does.
    SecondCargo,
}

/// The number of each line, by `from * 132 + to` as the side to move sees them.
static LINE: [u16; SQUARES * SQUARES] = lines();

#[allow(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn lines() -> [u16; SQUARES * SQUARES] {
    let mut table = [NO_LINE; SQUARES * SQUARES];
    let (mut pair, mut line) = (0, 0);
    while pair < SQUARES * SQUARES {
        let (from, to) = (pair / SQUARES, pair % SQUARES);
        let files = (from % 11).abs_diff(to % 11);
        let ranks = (from / 11).abs_diff(to / 11);
        if from != to && (files == 0 || ranks == 0 || files == ranks) {
            table[pair] = line;
            line += 1;
        }
        pair += 1;
    }
    assert!(line as usize == LINES);
    table
}

/// The index of a move, or `None` if it cannot be a move of the position: off every line, or of a piece that is not there.
///
/// ```
/// use convoy_encode::cotulenh::{ACTIONS, decode, index};
/// use cotulenh::Position;
/// let start = Position::start();
/// for mv in start.legal_moves() {
///     let number = index(&start, mv).expect("a legal move has an index");
///     assert!(number < ACTIONS);
///     assert_eq!(decode(&start, number), Some(mv));
/// }
/// ```
#[inline]
pub fn index(position: &Position, mv: Move) -> Option<usize> {
    Indexer::new(position).index(mv)
}

/// Numbers the moves of one position. In a list the moves of a piece follow each other, so what they share is looked up once.
#[derive(Debug)]
pub(super) struct Indexer<'a> {
    position: &'a Position,
    seen: &'static [u8; Square::INDEX_LEN],
    /// The bits of the last move, but for its target.
    head: u32,
    /// The lines from where it starts.
    lines: &'static [u16],
    /// The first index of its mode, or `None` if there is no such piece.
    first: Option<usize>,
}

/// The bits of a move's target.
const TARGET: u32 = 0xff00;

impl<'a> Indexer<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        Self {
            position,
            seen: &SEEN[position.turn().index()],
            head: u32::MAX,
            lines: &[],
            first: None,
        }
    }

    /// See [`index`].
    #[inline]
    pub(super) fn index(&mut self, mv: Move) -> Option<usize> {
        if mv.is_commit() {
            return Some(COMMIT);
        }
        let head = mv.bits() & !TARGET;
        if head != self.head {
            self.head = head;
            let from = usize::from(self.seen[mv.from().index()]);
            self.lines = &LINE[from * SQUARES..][..SQUARES];
            self.first = self.mode(mv).map(|mode| mode * LINES);
        }
        let line = self.lines[usize::from(self.seen[mv.to().index()])];
        if line == NO_LINE {
            return None;
        }
        Some(self.first? + usize::from(line))
    }

    /// The [`Mode`] of a move.
    fn mode(&self, mv: Move) -> Option<usize> {
        if !mv.is_step() {
            return Some(usize::from(mv.kind() == MoveKind::StayCapture));
        }
        // A slot is the place of the piece in its stack as it was at the start of the turn.
        let stack = match self.position.deploy() {
            Some(deploy) => deploy.original(),
            None => self.position.stack_at(mv.from())?,
        };
        let slot = stack.pieces().position(|piece| piece.role == mv.role())?;
        Some(Mode::Carrier as usize + slot)
    }
}

/// The legal move with an index, or `None` if there is none in the position.
pub fn decode(position: &Position, number: usize) -> Option<Move> {
    let moves = position.legal_moves();
    let mut indexer = Indexer::new(position);
    let same = |mv: &&Move| indexer.index(**mv) == Some(number);
    moves.iter().find(same).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_by_departure_then_target() {
        let numbers: Vec<u16> = LINE
            .iter()
            .copied()
            .filter(|line| *line != NO_LINE)
            .collect();
        assert!(numbers.iter().zip(0..).all(|(line, place)| *line == place));
        assert_eq!(numbers.len(), LINES);
        assert_eq!(LINE[0], NO_LINE, "a12 to itself");
        assert_eq!(LINE[1], 0, "a12 to b12");
        assert_eq!(LINE[11 + 2], NO_LINE, "a12 to c11, a knight's move");
    }
}
