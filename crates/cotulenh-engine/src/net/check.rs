//! Reads the file of a network, and says what is wrong with it.

use std::fmt;

/// What is wrong with the file of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadNetError {
    /// It does not begin as one, or is of another version.
    Magic,
    /// It ends too early or goes on too long.
    Length {
        /// How many bytes there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A size that this build does not know.
    Size {
        /// Of what.
        name: &'static str,
        /// How many.
        found: usize,
    },
    /// A number beyond the range in which sums are exact.
    Range {
        /// Of what.
        name: &'static str,
        /// Which one, from 0.
        at: usize,
        /// The number.
        found: i32,
    },
    /// The sum over all bytes is not the one at the end.
    Checksum,
}

impl fmt::Display for ReadNetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not a network of this version"),
            Self::Length { expected, found } => {
                write!(f, "{found} bytes instead of {expected}")
            }
            Self::Size { name, found } => write!(f, "{name}: {found} is not supported"),
            Self::Range { name, at, found } => write!(f, "{name} {at} is out of range: {found}"),
            Self::Checksum => f.write_str("the checksum does not match: the file is damaged"),
        }
    }
}

impl std::error::Error for ReadNetError {}

/// Takes a file apart.
pub(super) struct Reader<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], magic: &[u8]) -> Result<Self, ReadNetError> {
        if bytes.starts_with(magic) {
            Ok(Self {
                all: bytes,
                at: magic.len(),
            })
        } else {
            Err(ReadNetError::Magic)
        }
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], ReadNetError> {
        let end = self.at + len;
        let bytes = self.all.get(self.at..end).ok_or(ReadNetError::Length {
            expected: end,
            found: self.all.len(),
        })?;
        self.at = end;
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, ReadNetError> {
        let bytes = self.take(4)?.try_into().map_err(|_| ReadNetError::Magic)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A size of the header, if it is one that is known.
    pub(super) fn size(
        &mut self,
        name: &'static str,
        known: impl Fn(usize) -> bool,
    ) -> Result<usize, ReadNetError> {
        let found = self.word()? as usize;
        if known(found) {
            Ok(found)
        } else {
            Err(ReadNetError::Size { name, found })
        }
    }

    /// Numbers of 16 bits, none further from zero than `most`.
    pub(super) fn shorts(
        &mut self,
        name: &'static str,
        len: usize,
        most: u16,
    ) -> Result<Vec<i16>, ReadNetError> {
        let (pairs, _) = self.take(2 * len)?.as_chunks::<2>();
        let shorts: Vec<i16> = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        match shorts.iter().position(|value| value.unsigned_abs() > most) {
            None => Ok(shorts),
            Some(at) => Err(ReadNetError::Range {
                name,
                at,
                found: i32::from(shorts[at]),
            }),
        }
    }

    /// Numbers of 32 bits.
    pub(super) fn words(&mut self, len: usize) -> Result<Vec<i32>, ReadNetError> {
        let (words, _) = self.take(4 * len)?.as_chunks::<4>();
        Ok(words.iter().map(|word| i32::from_le_bytes(*word)).collect())
    }

    /// The checksum, and nothing behind it.
    pub(super) fn end(mut self) -> Result<(), ReadNetError> {
        let content = &self.all[..self.at];
        let sum = self.word()?;
        if self.at != self.all.len() {
            return Err(ReadNetError::Length {
                expected: self.at,
                found: self.all.len(),
            });
        }
        if sum == crc32(content) {
            Ok(())
        } else {
            Err(ReadNetError::Checksum)
        }
    }
}

/// The common 32-bit cyclic redundancy check (that of zip and PNG).
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 {
                    sum >> 1 ^ 0xedb8_8320
                } else {
                    sum >> 1
                };
                bit += 1;
            }
            table[byte] = sum;
            byte += 1;
        }
        table
    };
    let step = |sum: u32, byte: &u8| TABLE[usize::from(sum as u8 ^ byte)] ^ sum >> 8;
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
