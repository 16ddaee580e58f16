//! A fixed number for every action.
//!
//! All moves run along a line of the board, so a pair of squares in line is numbered, and what is left to tell is who goes and whether
//! a capture is made without moving. Everything else follows from the position.

use cotulenh::{Color, Direction, Move, MoveKind, MoveVisitor, Position, Role, Square, Stack};

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

/// Both ends of each line, as the side to move sees them.
static ENDS: [[u8; 2]; LINES] = ends();

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are 132 squares, and `try_from` is not const"
)]
const fn ends() -> [[u8; 2]; LINES] {
    let mut table = [[0; 2]; LINES];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (from, to) = (pair / SQUARES, pair % SQUARES);
        let line = LINE[from][to];
        if line != NO_LINE {
            table[line as usize] = [from as u8, to as u8];
        }
        pair += 1;
    }
    table
}

/// The number of each line by the side to move, the departure as that sees it, and direction and distance, `8 * direction + distance`
/// with directions of the board.
static SLOT_LINE: [[[u16; 64]; SQUARES]; 2] = [slot_lines(Color::Red), slot_lines(Color::Blue)];

#[allow(clippy::large_stack_arrays, reason = "only the compiler runs it")]
#[allow(
    clippy::cast_possible_truncation,
    reason = "there are 132 squares, and `try_from` is not const"
)]
const fn slot_lines(turn: Color) -> [[u16; 64]; SQUARES] {
    let mut table = [[NO_LINE; 64]; SQUARES];
    let mut cell = 0;
    while cell < SQUARES * 64 {
        let (from, slot) = (cell / 64, cell % 64);
        let (dx, dy) = Direction::ALL[slot / 8].delta();
        let (mut at, mut distance) = (Some(square(turn, from as u8)), 0);
        while let Some(before) = at
            && distance < slot % 8
        {
            at = before.offset(dx, dy);
            distance += 1;
        }
        if let Some(to) = at {
            table[from][slot] = LINE[from][SEEN[turn.index()][to.index()] as usize];
        }
        cell += 1;
    }
    table
}

/// The square with a number as the side to move sees it.
const fn square(turn: Color, seen: u8) -> Square {
    let (row, file) = ((seen / 11) as usize, (seen % 11) as usize);
    let square = Square::from_index(16 * row + file).expect("the number of a square");
    match turn {
        Color::Red => square,
        Color::Blue => square.flipped(),
    }
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
    Mover::of(position, mv.from(), mv.role(), mv.is_step())?.index(mv)
}

/// What the indices of all moves of one piece or stack share.
struct Mover {
    /// The squares as the side to move sees them.
    seen: &'static [u8; Square::INDEX_LEN],
    /// The lines from where it stands, by target.
    lines: &'static [u16; SQUARES],
    /// The same by direction and distance, as a [`MoveVisitor`] is told them.
    slots: &'static [u16; 64],
    /// The first index of its mode.
    first: usize,
    /// How much further that is for a stay capture.
    stays: usize,
}

impl Mover {
    /// The stack on a square, or with `step` one of its pieces; `None` if there is no such piece.
    fn of(position: &Position, from: Square, role: Role, step: bool) -> Option<Self> {
        let turn = position.turn().index();
        let departure = usize::from(SEEN[turn][from.index()]);
        let (mode, stays) = if step {
            // A slot is the place of the piece in its stack as it was at the start of the turn.
            let slot = at_start(position, from)?
                .pieces()
                .position(|piece| piece.role == role)?;
            (Mode::Carrier as usize + slot, 0)
        } else {
            (Mode::Whole as usize, LINES)
        };
        Some(Self {
            seen: &SEEN[turn],
            lines: &LINE[departure],
            slots: &SLOT_LINE[turn][departure],
            first: mode * LINES,
            stays,
        })
    }

    /// The index of one of its moves, or `None` if that runs along no line.
    #[inline]
    fn index(&self, mv: Move) -> Option<usize> {
        let line = self.lines[usize::from(self.seen[mv.to().index()])];
        let stays = if mv.kind() == MoveKind::StayCapture {
            self.stays
        } else {
            0
        };
        (line != NO_LINE).then(|| self.first + stays + usize::from(line))
    }
}

/// The stack on a square as it was at the start of the turn.
fn at_start(position: &Position, square: Square) -> Option<Stack> {
    match position.deploy() {
        Some(deploy) => Some(deploy.original()),
        None => position.stack_at(square),
    }
}

/// The most moves of a group that are numbered at once.
const ROOM: usize = 64;

/// The indices of the legal moves, in the order of Rule 3.9. The memory is used again and again.
#[derive(Debug, Clone)]
pub(super) struct Indices {
    /// Always longer than `len` by [`ROOM`].
    numbers: Vec<i32>,
    len: usize,
}

impl Indices {
    /// None, with memory for as many as there ever were in a game.
    pub(super) fn new() -> Self {
        Self {
            numbers: vec![-1; 512 + ROOM],
            len: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn as_slice(&self) -> &[i32] {
        &self.numbers[..self.len]
    }

    /// Lists the indices of a position.
    pub(super) fn list(&mut self, position: &Position) {
        self.clear();
        position.visit_legal_moves(&mut Numberer {
            position,
            mover: None,
            out: self,
        });
    }

    /// Room for the next ones.
    #[inline]
    fn room(&mut self) -> Option<&mut [i32; ROOM]> {
        if self.numbers.len() < self.len + ROOM {
            self.numbers.resize(2 * self.numbers.len(), -1);
        }
        self.numbers.get_mut(self.len..)?.first_chunk_mut()
    }
}

/// Numbers the moves that it is shown.
struct Numberer<'a> {
    position: &'a Position,
    /// Who makes them. Every legal move has an index: the tests of this crate play thousands of games to see it.
    mover: Option<Mover>,
    out: &'a mut Indices,
}

impl MoveVisitor for Numberer<'_> {
    #[inline]
    fn group(&mut self, from: Square, role: Role, step: bool) {
        self.mover = Mover::of(self.position, from, role, step);
    }

    #[inline]
    fn quiet(&mut self, slots: u64) {
        let (Some(mover), Some(room)) = (&self.mover, self.out.room()) else {
            return;
        };
        let first = i32::try_from(mover.first).unwrap_or(-1);
        let (mut left, mut len) = (slots, 0);
        while left != 0 {
            let line = mover.slots[left.trailing_zeros() as usize & 63];
            room[len & (ROOM - 1)] = first + i32::from(line);
            left &= left - 1;
            len += 1;
        }
        self.out.len += len;
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        let index = self.mover.as_ref().and_then(|mover| mover.index(mv));
        if let Some(room) = self.out.room() {
            room[0] = i32::try_from(index.unwrap_or(COMMIT)).unwrap_or(-1);
            self.out.len += 1;
        }
    }
}

/// The legal move with an index, or `None` if there is none in the position.
pub fn decode(position: &Position, number: usize) -> Option<Move> {
    let mut legal = Indices::new();
    legal.list(position);
    let mut numbers = legal.as_slice().iter();
    numbers.find(|other| usize::try_from(**other) == Ok(number))?;
    decode_legal(position, number)
}

/// The move with an index that is known to be legal; without a search for it among all of them.
pub(super) fn decode_legal(position: &Position, number: usize) -> Option<Move> {
    if number >= COMMIT {
        return Some(position.deploy()?.commit());
    }
    let (mode, line) = (number / LINES, number % LINES);
    let [from, to] = ENDS[line].map(|seen| square(position.turn(), seen));
    let stack = at_start(position, from)?;
    let slot = mode.checked_sub(Mode::Carrier as usize);
    let role = stack.pieces().nth(slot.unwrap_or(0))?.role;
    if !position.occupied().contains(to) {
        // Most moves: nothing is taken or joined there, so there is nothing to find out.
        let going = if slot.is_some() {
            Move::step
        } else {
            Move::whole
        };
        return Some(going(from, to, role, MoveKind::Quiet));
    }
    let stays = mode == Mode::WholeStays as usize;
    position.move_against(from, to, role, slot.is_some(), stays)
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
