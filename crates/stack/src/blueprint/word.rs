//! Short text without allocation.

use core::fmt;

/// A word of a blueprint: a role's name, or what an error quotes. Longer words are cut and end in `…`.
///
/// ```
/// use convoy_stack::{Blueprint, BlueprintError};
///
/// let error = Blueprint::parse("role T tank heavy").unwrap_err();
/// let BlueprintError::Surplus(word) = error.error else { unreachable!() };
/// assert_eq!(word.as_str(), "heavy");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word {
    bytes: [u8; Word::MAX],
    len: usize,
}

impl Word {
    /// The most bytes that a name may have.
    pub const MAX: usize = 24;

    pub(crate) const EMPTY: Self = Self {
        bytes: [0; Self::MAX],
        len: 0,
    };

    /// A word, in lower case with underscores if it is to be a name.
    pub(crate) const fn new(text: &[u8], as_name: bool) -> Self {
        let mut word = Self::EMPTY;
        let cut = text.len() > Self::MAX;
        // A cut word keeps whole characters and leaves room for the three bytes of `…`.
        let mut keep = if cut { Self::MAX - 3 } else { text.len() };
        while cut && keep > 0 && text[keep] & 0xc0 == 0x80 {
            keep -= 1;
        }
        while word.len < keep {
            word.bytes[word.len] = if as_name {
                plain(text[word.len])
            } else {
                text[word.len]
            };
            word.len += 1;
        }
        if cut {
            let dots = "…".as_bytes();
            let mut index = 0;
            while index < dots.len() {
                word.bytes[word.len] = dots[index];
                word.len += 1;
                index += 1;
            }
        }
        word
    }

    /// The word as text.
    pub const fn as_str(&self) -> &str {
        let (used, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(used) {
            Ok(text) => text,
            Err(_) => "?",
        }
    }

    /// Whether this name is meant by `text`, whatever its case, with spaces or hyphens for underscores.
    #[inline]
    pub(crate) const fn is_spelled(&self, text: &[u8]) -> bool {
        if text.len() != self.len {
            return false;
        }
        let mut index = 0;
        while index < text.len() {
            if plain(text[index]) != self.bytes[index] {
                return false;
            }
            index += 1;
        }
        true
    }
}

/// A byte of a name as it is kept.
const fn plain(byte: u8) -> u8 {
    match byte {
        b' ' | b'-' => b'_',
        _ => byte.to_ascii_lowercase(),
    }
}

impl From<&str> for Word {
    /// The word, cut if it is too long.
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes(), false)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
