//! The tags of a game, `[Name "value"]` in PGN.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::NoteError;

/// The tags that open every PGN, in their order.
pub(crate) const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "Red", "Blue", "Result"];

/// The results that PGN knows.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The tags of a game: the seven of the roster first, in their order, then the others as they were set.
///
/// ```
/// use cotulenh::Headers;
/// let mut headers = Headers::default();
/// headers.set("Annotator", "Bình")?;
/// headers.set("Red", "An")?;
/// let names: Vec<&str> = headers.iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["Red", "Annotator"]);
/// assert!(headers.set("FEN", "x").is_err());
/// # Ok::<_, cotulenh::NoteError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Every tag with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Sets a tag. What a PGN writes for an unknown value of the roster (`?`, `????.??.??`, `*`) removes it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), NoteError> {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(letter) {
            return Err(NoteError::Name);
        }
        if value.chars().any(char::is_control) {
            return Err(NoteError::Value);
        }
        match name {
            "Result" if !RESULTS.contains(&value) => return Err(NoteError::Result),
            "SetUp" | "FEN" => return Err(NoteError::Derived),
            _ => {}
        }
        if ROSTER.contains(&name) && value == unknown(name) {
            self.remove(name);
            return Ok(());
        }
        if let Some((_, old)) = self.0.iter_mut().find(|(known, _)| known == name) {
            value.clone_into(old);
        } else {
            // Tags outside the roster share the last rank and keep the order of setting.
            let at = self
                .0
                .partition_point(|(known, _)| rank(known) <= rank(name));
            self.0.insert(at, (name.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// Removes a tag; answers whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|(known, _)| known != name);
        self.0.len() < before
    }
}

/// Where a tag stands in the roster; the others come after it.
fn rank(name: &str) -> usize {
    let place = ROSTER.iter().position(|known| *known == name);
    place.unwrap_or(ROSTER.len())
}

/// What the roster writes for a value that is not known.
pub(crate) fn unknown(name: &str) -> &'static str {
    match name {
        "Result" => "*",
        "Date" => "????.??.??",
        _ => "?",
    }
}
