//! Names that nobody can guess.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Thirty-two letters that survive being read aloud: no `i`, `l`, `o`, `u`.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// `N` random bytes of the operating system.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes
}

fn letters(bytes: &[u8]) -> String {
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte & 31)]);
    bytes.iter().map(letter).collect()
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $length:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Box<str>);

        impl $name {
            /// A fresh one.
            pub fn random() -> Self {
                Self(letters(&random::<$length>()).into())
            }

            /// Its text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let sound = text.len() == $length && text.bytes().all(|b| ALPHABET.contains(&b));
                if sound { Ok(Self(text.into())) } else { Err(ParseIdError) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = ParseIdError;

            fn try_from(text: String) -> Result<Self, ParseIdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.into()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The name of a table, as it stands in its address.
    ///
    /// ```
    /// use convoy_server::TableId;
    ///
    /// let id = TableId::random();
    /// assert_eq!(id.as_str().parse(), Ok(id));
    /// assert!("../secret".parse::<TableId>().is_err());
    /// ```
    TableId, 12
}

id! {
    /// Who holds a seat: a guest's session or an account. It is no secret and proves nothing.
    ///
    /// ```
    /// use convoy_server::PlayerId;
    ///
    /// assert_ne!(PlayerId::random(), PlayerId::random());
    /// ```
    PlayerId, 16
}

id! {
    /// The name of a saved analysis, as it stands in its address: who has it may read.
    ///
    /// ```
    /// use convoy_server::AnalysisId;
    ///
    /// assert_eq!(AnalysisId::random().as_str().len(), 10);
    /// ```
    AnalysisId, 10
}

impl TableId {
    /// The table of something that has one address, however often it is handed in.
    pub(crate) fn derived(digest: &[u8]) -> Self {
        Self(letters(&digest[..12]).into())
    }
}

impl PlayerId {
    /// The player of a session that has no account, derived so that nothing need be stored.
    pub(crate) fn derived(digest: &[u8]) -> Self {
        Self(letters(&digest[..16]).into())
    }

    /// What a player without an account is called.
    pub(crate) fn guest_name(&self) -> String {
        format!("Guest-{}", self.0[..4].to_ascii_uppercase())
    }
}

/// A text that is no identifier.
///
/// ```
/// use convoy_server::{ParseIdError, TableId};
///
/// assert_eq!("too short".parse::<TableId>(), Err(ParseIdError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseIdError;

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an identifier")
    }
}

impl std::error::Error for ParseIdError {}
