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

/// The number of each line, by departure and target as the side to move sees them.
static LINE: [[u16; SQUARES]; SQUARES] = lines();

#[allow(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn lines() -> [[u16; SQUARES]; SQUARES] {
    let mut table = [[NO_LINE; SQUARES]; SQUARES];
    let (mut pair, mut line) = (0, 0);
    while pair < SQUARES * SQUARES {
        let (from, to) = (pair / SQUARES, pair % SQUARES);
        let files = (from % 11).abs_diff(to % 11);
        let ranks = (from / 11).abs_diff(to / 11);
        if from != to && (files == 0 || ranks == 0 || files == ranks) {
            table[from][to] = line;
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
pub fn index(position: &Position, mv: Move) -> Option<usize> {
    if mv.is_commit() {
        return Some(COMMIT);
    }
    let mover = Mover::of(position, mv)?;
    let line = mover.line(mv);
    (line != NO_LINE).then(|| mover.first(mv) + usize::from(line))
}

/// What the indices of all moves of one piece or stack share.
struct Mover {
    /// The squares as the side to move sees them.
    seen: &'static [u8; Square::INDEX_LEN],
    /// The lines from where it stands.
    lines: &'static [u16; SQUARES],
    /// The first index of its mode.
    first: usize,
    /// How much further that is for a stay capture.
    stays: usize,
}

/// The bits of a move that all moves of one piece or stack share: departure, role and whether it is a step.
const SHARED: u32 = 0x008f_00ff;

impl Mover {
    /// Who makes a move, or `None` if there is no such piece.
    fn of(position: &Position, mv: Move) -> Option<Self> {
        let seen = &SEEN[position.turn().index()];
        let lines = &LINE[usize::from(seen[mv.from().index()])];
        let (mode, stays) = if mv.is_step() {
            // A slot is the place of the piece in its stack as it was at the start of the turn.
            let stack = match position.deploy() {
                Some(deploy) => deploy.original(),
                None => position.stack_at(mv.from())?,
            };
            let slot = stack.pieces().position(|piece| piece.role == mv.role())?;
            (Mode::Carrier as usize + slot, 0)
        } else {
            (Mode::Whole as usize, LINES)
        };
        Some(Self {
            seen,
            lines,
            first: mode * LINES,
            stays,
        })
    }

    #[inline]
    fn line(&self, mv: Move) -> u16 {
        self.lines[usize::from(self.seen[mv.to().index()])]
    }

    /// The first index of the mode of one of its moves.
    #[inline]
    fn first(&self, mv: Move) -> usize {
        if mv.kind() == MoveKind::StayCapture {
            self.first + self.stays
        } else {
            self.first
        }
    }
}

/// Writes the index of each legal move of a position. In a list the moves of a piece follow each other, so what they share is looked up
/// once.
pub(super) fn indices(position: &Position, moves: &[Move], out: &mut Vec<i32>) {
    // Every legal move has an index: the tests of this crate play thousands of games to see it.
    out.clear();
    out.resize(moves.len(), -1);
    let (mut shared, mut who) = (u32::MAX, None);
    for (mv, number) in moves.iter().zip(out) {
        if mv.bits() & SHARED != shared {
            shared = mv.bits() & SHARED;
            who = Mover::of(position, *mv);
        }
        let Some(who) = &who else { continue };
        let line = who.line(*mv);
        let index = if line == NO_LINE {
            COMMIT
        } else {
            who.first(*mv) + usize::from(line)
        };
        *number = i32::try_from(index).unwrap_or(-1);
    }
}

/// The legal move with an index, or `None` if there is none in the position.
pub fn decode(position: &Position, number: usize) -> Option<Move> {
    let moves = position.legal_moves();
    let mut numbers = Vec::with_capacity(moves.len());
    indices(position, &moves, &mut numbers);
    let place = numbers
        .iter()
        .position(|other| usize::try_from(*other) == Ok(number))?;
    moves.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_by_departure_then_target() {
        let numbers: Vec<u16> = LINE
            .iter()
            .flatten()
            .copied()
            .filter(|line| *line != NO_LINE)
            .collect();
        assert!(numbers.iter().zip(0..).all(|(line, place)| *line == place));
        assert_eq!(numbers.len(), LINES);
        assert_eq!(LINE[0][0], NO_LINE, "a12 to itself");
        assert_eq!(LINE[0][1], 0, "a12 to b12");
        assert_eq!(LINE[0][11 + 2], NO_LINE, "a12 to c11, a knight's move");
    }
}
