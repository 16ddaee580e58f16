//! Positions as one line of text (Rule 10.1).

use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::board::Board;
use crate::moves::lowest;
use crate::{
    Color, DeployFieldError, ParseStackError, Piece, Position, Setup, SetupError, Square, Stack,
    StackRules, Standard,
};

/// Why a text is no FEN. Ranks are those of the board, 12 to 1; columns count characters within
/// the text of the rank, from 1.
///
/// ```
/// use cotulenh::{RankError, ParseFenError, Setup};
/// let text = "6c4/11/11/11/11/11/11/11/11/11/11/4CX5 r - - 0 1";
/// let error = text.parse::<Setup>().unwrap_err();
/// assert_eq!(error.to_string(), "rank 1, column 3: 'X' names no piece");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseFenError {
    /// Not six fields with one space between them, nor seven where a deploy may be open.
    Fields(usize),
    /// Not twelve ranks.
    Ranks(usize),
    /// A rank that has not eleven squares.
    RankLength {
        /// The rank, 12 to 1.
        rank: u8,
        /// The squares it has.
        squares: usize,
    },
    /// A fault within a rank.
    Rank {
        /// The rank, 12 to 1.
        rank: u8,
        /// The character in the rank, from 1.
        column: usize,
        /// What is wrong there.
        fault: RankError,
    },
    /// The second field is neither `r` nor `b`.
    Turn,
    /// The third or fourth field is not `-`.
    Dash(u8),
    /// The fifth field is no number.
    HalfmoveClock,
    /// The sixth field is no number from 1.
    MoveNumber,
    /// The text is well formed, the position is not.
    Setup(SetupError),
    /// The seventh field tells no open deploy of the position.
    Deploy(DeployFieldError),
}

/// What is wrong at a place of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankError {
    /// A character that names no piece.
    Letter(char),
    /// A count of empty squares that is 0 or more than 11.
    Count(u8),
    /// A `+` that no piece follows.
    Plus,
    /// A parenthesis within parentheses, a count within them, nothing within them, or one without
    /// its partner.
    Parenthesis,
    /// The pieces within the parentheses are no stack.
    Stack(ParseStackError),
}

impl FromStr for Setup {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        Self::from_fen(&Standard, text)
    }
}

impl Setup {
    /// Reads a FEN whose stacks are those of these rules; `parse` reads the standard ones.
    pub fn from_fen<R: StackRules>(rules: &R, text: &str) -> Result<Self, ParseFenError> {
        let mut fields = [""; 6];
        let (mut count, mut begin) = (0, 0);
        for (end, byte) in text.bytes().chain([b' ']).enumerate() {
            if byte == b' ' {
                if let Some(field) = fields.get_mut(count) {
                    *field = &text[begin..end];
                }
                count += 1;
                begin = end + 1;
            }
        }
        if count != 6 {
            return Err(ParseFenError::Fields(count));
        }
        let [placement, turn, third, fourth, clock, number] = fields;
        let mut setup = Self::new();
        read_placement(rules, placement, &mut setup)?;
        setup.turn = match turn {
            "r" => Color::Red,
            "b" => Color::Blue,
            _ => return Err(ParseFenError::Turn),
        };
        for (field, index) in [(third, 3), (fourth, 4)] {
            if field != "-" {
                return Err(ParseFenError::Dash(index));
            }
        }
        setup.halfmove_clock = read_number(clock).ok_or(ParseFenError::HalfmoveClock)?;
        setup.move_number = read_number(number)
            .filter(|number| *number > 0)
            .ok_or(ParseFenError::MoveNumber)?;
        Ok(setup)
    }
}

/// Digits alone: `parse` would take a sign.
fn read_number(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

fn read_placement<R: StackRules>(
    rules: &R,
    text: &str,
    setup: &mut Setup,
) -> Result<(), ParseFenError> {
    let ranks = 1 + text.bytes().filter(|byte| *byte == b'/').count();
    if ranks != 12 {
        return Err(ParseFenError::Ranks(ranks));
    }
    let (mut rank, mut begin) = (12, 0);
    for (end, byte) in text.bytes().chain([b'/']).enumerate() {
        if byte != b'/' {
            continue;
        }
        let line = &text[begin..end];
        let squares = read_rank(rules, line, rank - 1, setup).map_err(|(index, fault)| {
            let column = line
                .get(..index)
                .map_or(index, |before| before.chars().count())
                + 1;
            ParseFenError::Rank {
                rank,
                column,
                fault,
            }
        })?;
        if squares != 11 {
            return Err(ParseFenError::RankLength { rank, squares });
        }
        rank -= 1;
        begin = end + 1;
    }
    Ok(())
}

/// Reads one rank; answers how many squares it has, or the index of a fault.
fn read_rank<R: StackRules>(
    rules: &R,
    text: &str,
    rank: u8,
    setup: &mut Setup,
) -> Result<usize, (usize, RankError)> {
    let bytes = text.as_bytes();
    let (mut file, mut at) = (0usize, 0);
    while let Some(byte) = bytes.get(at) {
        let stack = match byte {
            b'0'..=b'9' => {
                let two = *byte == b'1' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                let count = if two {
                    10 + bytes[at + 1] - b'0'
                } else {
                    byte - b'0'
                };
                if count == 0 || count > 11 {
                    return Err((at, RankError::Count(count)));
                }
                file += usize::from(count);
                at += 1 + usize::from(two);
                continue;
            }
            b'(' => {
                let (stack, next) = read_stack(rules, text, at)?;
                at = next;
                stack
            }
            b')' => return Err((at, RankError::Parenthesis)),
            _ => {
                let (piece, next) = read_piece(text, at)?;
                at = next;
                Stack::single(piece)
            }
        };
        // A rank that is too long is told apart by its length once it is read.
        if let Some(square) = u8::try_from(file)
            .ok()
            .and_then(|file| Square::at(file, rank))
        {
            setup.set(square, Some(stack));
        }
        file += 1;
    }
    Ok(file)
}

/// Reads a piece with its `+`, and answers where the next thing begins.
#[inline]
fn read_piece(text: &str, at: usize) -> Result<(Piece, usize), (usize, RankError)> {
    // Nearly every piece is one letter; a byte of a longer character names none.
    match Piece::from_letter(char::from(text.as_bytes()[at])) {
        Some(piece) => Ok((piece, at + 1)),
        None => read_rare_piece(text, at),
    }
}

/// The same, whatever there is.
fn read_rare_piece(text: &str, at: usize) -> Result<(Piece, usize), (usize, RankError)> {
    let bytes = text.as_bytes();
    let heroic = bytes[at] == b'+';
    let index = at + usize::from(heroic);
    let letter = text.get(index..).and_then(|rest| rest.chars().next());
    let Some(letter) = letter else {
        return Err((at, RankError::Plus));
    };
    match Piece::from_letter(letter) {
        Some(piece) => Ok((Piece { heroic, ..piece }, index + 1)),
        None if heroic && matches!(letter, '+' | '(' | ')' | '0'..='9') => {
            Err((at, RankError::Plus))
        }
        None => Err((index, RankError::Letter(letter))),
    }
}

/// Reads pieces in parentheses, in any order.
fn read_stack<R: StackRules>(
    rules: &R,
    text: &str,
    open: usize,
) -> Result<(Stack, usize), (usize, RankError)> {
    let bytes = text.as_bytes();
    let mut pieces = [None; 11];
    let (mut len, mut at) = (0, open + 1);
    loop {
        match bytes.get(at) {
            Some(b')') if len > 0 => break,
            None => return Err((open, RankError::Parenthesis)),
            Some(b'(' | b')' | b'0'..=b'9') => return Err((at, RankError::Parenthesis)),
            Some(_) => {
                let (piece, next) = read_piece(text, at)?;
                // More than eleven pieces repeat a role.
                let slot = pieces
                    .get_mut(len)
                    .ok_or((open, RankError::Stack(ParseStackError::Unlawful)))?;
                *slot = Some(piece);
                len += 1;
                at = next;
            }
        }
    }
    let pieces = || pieces.iter().copied().flatten();
    let stack = rules.stack_of(pieces()).ok_or_else(|| {
        let reds = pieces().filter(|piece| piece.color == Color::Red).count();
        let mixed = reds != 0 && reds != len;
        let fault = if mixed {
            ParseStackError::Colors
        } else {
            ParseStackError::Unlawful
        };
        (open, RankError::Stack(fault))
    })?;
    Ok((stack, at + 1))
}

/// Bytes written to a buffer that holds the longest FEN there can be.
struct Writer {
    bytes: [u8; Self::LEN],
    len: usize,
}

impl Writer {
    /// 132 stacks of eight bytes, eleven slashes, the other fields.
    const LEN: usize = Square::COUNT * 8 + 11 + 32;

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Row by row, as the bits of one fit a register.
    fn placement<R: StackRules>(&mut self, board: &Board<R>) {
        let rows = board.occupied().rows().into_iter();
        let blue = board.of(Color::Blue).rows();
        for (row, (mut left, blue)) in (0..).zip(rows.zip(blue)) {
            if row > 0 {
                self.push(b'/');
            }
            let mut next = 0;
            while left != 0 {
                let file = lowest(left.into());
                self.count(file - next);
                next = file + 1;
                let square = Square::new_unchecked(row << 4 | file);
                let color = Color::ALL[usize::from(blue >> file & 1)];
                self.stack(board.text(square), color);
                left &= left - 1;
            }
            self.count(11 - next);
        }
    }

    /// So many empty squares. Both bytes are always written, as counts are hard to predict: what is too much is
    /// written over.
    #[inline]
    fn count(&mut self, count: u8) {
        const TEXTS: [[u8; 2]; 12] = [
            *b"  ", *b"1 ", *b"2 ", *b"3 ", *b"4 ", *b"5 ", *b"6 ", *b"7 ", *b"8 ", *b"9 ", *b"10",
            *b"11",
        ];
        self.bytes[self.len..self.len + 2].copy_from_slice(&TEXTS[usize::from(count)]);
        self.len += usize::from(count > 0) + usize::from(count > 9);
    }

    #[inline]
    fn stack(&mut self, (text, len): ([u8; 8], usize), color: Color) {
        let lower = match color {
            Color::Red => 0,
            // The bit that tells cases apart; `(`, `)` and `+` have it anyway.
            Color::Blue => 0x2020_2020_2020_2020,
        };
        let text = (u64::from_le_bytes(text) | lower).to_le_bytes();
        self.bytes[self.len..self.len + 8].copy_from_slice(&text);
        self.len += len;
    }

    fn number(&mut self, number: u32) {
        if number >= 10 {
            self.number(number / 10);
        }
        #[allow(clippy::cast_possible_truncation, reason = "one digit")]
        self.push(b'0' + (number % 10) as u8);
    }
}

impl<R: StackRules> Position<R> {
    /// The FEN of the board as it stands, even inside a deploy.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(+FTI)6/11/9II/5C5 r - - 7 9";
    /// assert_eq!(fen.parse::<Position>()?.board_fen(), fen);
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn board_fen(&self) -> String {
        let mut out = String::new();
        self.write_fen_of(&self.board, &mut out);
        out
    }

    /// The FEN of the position at the start of the turn.
    pub fn start_fen(&self) -> String {
        let mut out = String::new();
        self.write_start_fen(&mut out);
        out
    }

    /// Appends the FEN of the position at the start of the turn.
    pub(crate) fn write_start_fen(&self, text: &mut String) {
        let start = self.deploy.as_ref().map(|deploy| &deploy.start);
        self.write_fen_of(start.unwrap_or(&self.board), text);
    }

    fn write_fen_of(&self, board: &Board<R>, text: &mut String) {
        let mut out = Writer {
            bytes: [0; Writer::LEN],
            len: 0,
        };
        out.placement(board);
        for byte in [b' ', self.turn.letter() as u8, b' ', b'-', b' ', b'-', b' '] {
            out.push(byte);
        }
        out.number(self.halfmove_clock);
        out.push(b' ');
        out.number(self.move_number);
        text.push_str(str::from_utf8(&out.bytes[..out.len]).expect("a FEN is ASCII"));
    }
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(count) => write!(
                f,
                "expected six fields (seven in a deploy) with one space between, found {count}"
            ),
            Self::Ranks(count) => write!(f, "expected 12 ranks, found {count}"),
            Self::RankLength { rank, squares } => {
                write!(f, "rank {rank} has {squares} squares, expected 11")
            }
            Self::Rank {
                rank,
                column,
                fault,
            } => write!(f, "rank {rank}, column {column}: {fault}"),
            Self::Turn => f.write_str("the turn must be r or b"),
            Self::Dash(field) => write!(f, "field {field} must be -"),
            Self::HalfmoveClock => f.write_str("the half-move clock must be a number"),
            Self::MoveNumber => f.write_str("the move number must be a number from 1"),
            Self::Setup(error) => error.fmt(f),
            Self::Deploy(fault) => write!(f, "deploy: {fault}"),
        }
    }
}

impl fmt::Display for RankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => write!(f, "{letter:?} names no piece"),
            Self::Count(count) => write!(f, "a count of {count} empty squares"),
            Self::Plus => f.write_str("a + without a piece"),
            Self::Parenthesis => f.write_str("a parenthesis out of place"),
            Self::Stack(error) => error.fmt(f),
        }
    }
}

impl Error for ParseFenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Setup(error) => Some(error),
            _ => None,
        }
    }
}
