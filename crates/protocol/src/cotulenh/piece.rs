//! Pieces as requests name them: by letter or by name.

use std::fmt;

use convoy_stack::COTULENH;
use cotulenh::{Color, Piece, Role};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::error::{Error, ErrorCode};

/// One text, or a list of texts: letters with the marks of stacks (`NFT`, `(N+F)`), or names of roles (`navy`, `+air
/// force`). Upper case letters are red, lower case blue; a name is of the colour of the letters beside it, or red.
///
/// ```
/// use convoy_protocol::cotulenh::Pieces;
/// let pieces = |text: &str| serde_json::from_str::<Pieces>(text).expect("a text or a list").pieces();
/// assert_eq!(pieces(r#""N+F""#), pieces(r#"["navy", "+air_force"]"#));
/// assert_eq!(pieces(r#""navy, +air_force""#), pieces(r#"["(N+F)"]"#));
/// assert!(pieces(r#""navi""#).unwrap_err().message.contains("did you mean \"navy\"?"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Pieces {
    /// One text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(list) => serializer.collect_seq(list),
        }
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = Pieces;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Pieces, E> {
                Ok(Pieces::Text(text.to_owned()))
            }

            fn visit_string<E: de::Error>(self, text: String) -> Result<Pieces, E> {
                Ok(Pieces::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pieces, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(Pieces::List(texts))
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}

/// A piece as it was named; a name tells no colour.
#[derive(Debug, Clone, Copy)]
struct Named {
    role: Role,
    heroic: bool,
    color: Option<Color>,
}

impl Pieces {
    fn texts(&self) -> &[String] {
        match self {
            Self::Text(text) => std::slice::from_ref(text),
            Self::List(list) => list,
        }
    }

    /// The pieces; each text names at least one.
    pub fn pieces(&self) -> Result<Vec<Piece>, Error> {
        let mut named = Vec::new();
        for text in self.texts() {
            let before = named.len();
            read(text, &mut named)?;
            if named.len() == before {
                return Err(bad(format!("{text:?} names no pieces")));
            }
        }
        let color = named.iter().find_map(|piece| piece.color);
        let color = color.unwrap_or(Color::Red);
        let piece = |named: Named| Piece {
            role: named.role,
            heroic: named.heroic,
            color: named.color.unwrap_or(color),
        };
        Ok(named.into_iter().map(piece).collect())
    }

    /// The roles, whatever their colours and marks; none where nothing is named.
    pub fn roles(&self) -> Result<Vec<Role>, Error> {
        let mut named = Vec::new();
        for text in self.texts() {
            read(text, &mut named)?;
        }
        Ok(named.into_iter().map(|piece| piece.role).collect())
    }
}

impl From<&str> for Pieces {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

fn bad(message: String) -> Error {
    Error::new(ErrorCode::BadPiece, message)
}

/// Reads what one text names: words between blanks and commas, or the name of a role in two words.
fn read(text: &str, named: &mut Vec<Named>) -> Result<(), Error> {
    if let Some(piece) = role_name(text) {
        named.push(piece);
        return Ok(());
    }
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        match role_name(word) {
            Some(piece) => named.push(piece),
            None => letters(word, named)?,
        }
    }
    Ok(())
}

/// A role by its name, with a plus before it or not. Letters are no names.
fn role_name(word: &str) -> Option<Named> {
    let bare = word.strip_prefix('+');
    let name = bare.unwrap_or(word);
    let role = COTULENH.blueprint().role(name).filter(|_| name.len() > 1)?;
    Some(Named {
        role: Role::try_from(role).ok()?,
        heroic: bare.is_some(),
        color: None,
    })
}

/// Letters, `+` before a heroic one, in or out of parentheses.
fn letters(word: &str, named: &mut Vec<Named>) -> Result<(), Error> {
    let mut heroic = false;
    for letter in word.chars() {
        match letter {
            '(' | ')' | '|' if !heroic => {}
            '+' if !heroic => heroic = true,
            _ => {
                let piece = Piece::from_letter(letter)
                    .ok_or_else(|| bad(format!("{letter:?} names no piece{}", meant(word))))?;
                named.push(Named {
                    role: piece.role,
                    heroic,
                    color: Some(piece.color),
                });
                heroic = false;
            }
        }
    }
    if heroic {
        return Err(bad(format!("{word:?} names no pieces")));
    }
    Ok(())
}

/// The role whose name was probably meant.
fn meant(word: &str) -> String {
    let blueprint = COTULENH.blueprint();
    let names = blueprint
        .all()
        .iter()
        .filter_map(|role| blueprint.name(role));
    match crate::nearest(word.trim_start_matches('+'), names) {
        Some(name) => format!("; did you mean {name:?}?"),
        None => String::new(),
    }
}
