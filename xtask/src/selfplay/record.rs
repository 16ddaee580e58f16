//! A position with its score and result in 48 bytes.
//!
//! No piece changes its role, so a position of a game is where each of the 38 pieces of its start
//! is, and which of them are heroic.
//!
//! | bytes | meaning                                                                      |
//! |-------|------------------------------------------------------------------------------|
//! | 0–37  | the square of each piece, 0 (`a12`) to 131 (`k1`), or 255 if it is gone: the  |
//! |       | red ones in the order of [`ROSTER`], then the blue ones                      |
//! | 38–42 | a bit for each piece, lowest first: it is heroic                             |
//! | 43    | the side to move: 0 red, 1 blue                                              |
//! | 44–45 | the score of a search for the side to move, little-endian                    |
//! | 46    | what the side to move got in the end: 0 a loss, 1 a draw, 2 a win            |
//! | 47    | the sum of the other bytes                                                   |

use anyhow::{Context as _, bail};
use cotulenh::{Color, Piece, Position, Role, Setup, Square, Stack};

/// How a file begins: a name, and the version of the layout.
pub(crate) const MAGIC: &[u8; 8] = b"CTLPOS01";
/// The length of a record.
pub(crate) const LEN: usize = 48;

/// The pieces with which each side begins.
const ROSTER: [Role; 19] = [
    Role::Commander,
    Role::Infantry,
    Role::Infantry,
    Role::Militia,
    Role::Artillery,
    Role::Artillery,
    Role::AntiAir,
    Role::AntiAir,
    Role::Missile,
    Role::Tank,
    Role::Tank,
    Role::AirForce,
    Role::AirForce,
    Role::Engineer,
    Role::Engineer,
    Role::Navy,
    Role::Navy,
    Role::Headquarters,
    Role::Headquarters,
];

const GONE: u8 = 255;

/// A position that something can be learnt from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) position: Position,
    /// The score of a search for the side to move.
    pub(crate) score: i16,
    /// What the side to move got in the end: 0 a loss, 1 a draw, 2 a win.
    pub(crate) result: u8,
}

impl Record {
    /// The record as bytes, or `None` if there are pieces with which no game begins.
    pub(crate) fn pack(&self) -> Option<[u8; LEN]> {
        let mut bytes = [GONE; LEN];
        bytes[38..].fill(0);
        let mut used = [false; 38];
        for (square, stack) in self.position.stacks() {
            for piece in stack.pieces() {
                let start = 19 * piece.color.index();
                let free = |at: &usize| ROSTER[at - start] == piece.role && !used[*at];
                let at = (start..start + 19).find(free)?;
                used[at] = true;
                bytes[at] = u8::try_from(square.dense()).ok()?;
                bytes[38 + at / 8] |= u8::from(piece.heroic) << (at % 8);
            }
        }
        bytes[43] = u8::from(self.position.turn() == Color::Blue);
        bytes[44..46].copy_from_slice(&self.score.to_le_bytes());
        bytes[46] = self.result;
        bytes[47] = checksum(&bytes);
        Some(bytes)
    }

    /// Reads what [`Record::pack`] wrote; the clocks are lost.
    pub(crate) fn unpack(bytes: &[u8; LEN]) -> anyhow::Result<Self> {
        if bytes[47] != checksum(bytes) {
            bail!("a record is damaged");
        }
        let mut squares: Vec<Vec<Piece>> = vec![Vec::new(); Square::COUNT];
        for at in (0..38).filter(|at| bytes[*at] != GONE) {
            let piece = Piece {
                role: ROSTER[at % 19],
                color: Color::ALL[at / 19],
                heroic: bytes[38 + at / 8] >> (at % 8) & 1 == 1,
            };
            let pieces = squares.get_mut(usize::from(bytes[at]));
            pieces.context("no such square")?.push(piece);
        }
        let mut setup = Setup::new();
        for (square, pieces) in Square::all().zip(squares) {
            if !pieces.is_empty() {
                let stack = Stack::new(pieces).context("pieces that do not stack")?;
                setup.set(square, Some(stack));
            }
        }
        setup.turn = if bytes[43] == 0 {
            Color::Red
        } else {
            Color::Blue
        };
        Ok(Self {
            position: Position::try_from(&setup)?,
            score: i16::from_le_bytes([bytes[44], bytes[45]]),
            result: bytes[46],
        })
    }
}

/// Every record of a file.
pub(crate) fn read_all(bytes: &[u8]) -> anyhow::Result<&[[u8; LEN]]> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .context("no positions of this version")?;
    let (records, rest) = rest.as_chunks();
    if rest.is_empty() {
        Ok(records)
    } else {
        bail!("the last record is cut off")
    }
}

fn checksum(bytes: &[u8; LEN]) -> u8 {
    bytes[..LEN - 1]
        .iter()
        .fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::random_opening;
    use cotulenh_engine::SplitMix64;

    #[test]
    fn records_read_back_as_written() {
        let mut random = SplitMix64::new(7);
        let mut seen = 0;
        for length in 0..200 {
            let Some(position) = random_opening(&mut random, length) else {
                continue;
            };
            seen += 1;
            let mut setup = Setup::from(&position);
            (setup.halfmove_clock, setup.move_number) = (0, 1);
            let record = Record {
                position: Position::try_from(&setup).expect("lawful"),
                score: -1234,
                result: 2,
            };
            let bytes = record.pack().expect("a game's pieces");
            assert_eq!(Record::unpack(&bytes).expect("whole"), record);
            let mut damaged = bytes;
            damaged[length % 47] ^= 4;
            assert!(Record::unpack(&damaged).is_err());
        }
        assert!(seen > 20, "only {seen} positions");
    }

    #[test]
    fn files_are_checked() {
        assert!(read_all(b"something else").is_err());
        assert!(read_all(b"CTLPOS01cut").is_err());
        assert_eq!(read_all(b"CTLPOS01").expect("empty").len(), 0);
    }
}
