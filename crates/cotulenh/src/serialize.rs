//! Values as JSON and the like, both ways: what has a text is that text.

use alloc::string::String;
use core::fmt::Display;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Color, Game, GameTree, Move, MoveFlags, MoveKind, Outcome, Piece, Position, Reason, Role,
    Setup, Shape, Square, SquareSet, Stack, StackRules, Terrain, VictoryRules,
};

/// Written by `Display`, read by `FromStr`.
macro_rules! as_text {
    ($($type:ty),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|error| refused(&text, &error))
            }
        }
    )*};
}

fn refused<E: serde::de::Error>(text: &str, error: &dyn Display) -> E {
    E::custom(format_args!("{text:?}: {error}"))
}

as_text!(Color, Role, Square, Piece, Stack, Reason, Setup, Shape);

impl<R: StackRules> Serialize for Position<R> {
    /// The FEN, extended while a deploy is open.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    /// Reads a FEN of the standard rules.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error| refused(&text, &error))
    }
}

impl<R: StackRules> Serialize for Game<R> {
    /// The PGN.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.pgn())
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a PGN of the standard rules.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl<R: StackRules> Serialize for GameTree<R> {
    /// The PGN.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.pgn())
    }
}

impl<'de> Deserialize<'de> for GameTree {
    /// Reads a PGN of the standard rules.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Serialize for MoveFlags {
    /// The letters.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for MoveFlags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = &"letters of n c s k d b";
        Self::from_letters(&text)
            .ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), expected))
    }
}

impl Serialize for SquareSet {
    /// The names of the squares.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

impl<'de> Deserialize<'de> for SquareSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let squares = alloc::vec::Vec::<Square>::deserialize(deserializer)?;
        Ok(squares.into_iter().collect())
    }
}

/// Types whose fields are written by name.
macro_rules! by_field {
    ($type:ident { $($field:ident: $of:ty),* $(,)? }) => {
        const _: () = {
            #[derive(Serialize, Deserialize)]
            #[serde(rename_all = "camelCase", deny_unknown_fields)]
            struct Fields {
                $($field: $of),*
            }

            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let $type { $($field),* } = *self;
                    Fields { $($field),* }.serialize(serializer)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let Fields { $($field),* } = Fields::deserialize(deserializer)?;
                    Ok($type { $($field),* })
                }
            }
        };
    };
}

by_field!(Outcome { winner: Option<Color>, reason: Reason });
by_field!(VictoryRules {
    marine: bool,
    air: bool,
    land: bool
});

/// Enumerations written as one word.
macro_rules! as_word {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(match self {
                    $(Self::$variant => $word),*
                })
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                match text.as_str() {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(D::Error::unknown_variant(&text, &[$($word),*])),
                }
            }
        }
    };
}

as_word!(Terrain { Sea = "sea", Mixed = "mixed", Land = "land" });
as_word!(MoveKind {
    Quiet = "quiet",
    Capture = "capture",
    StayCapture = "stayCapture",
    Kamikaze = "kamikaze",
    Combine = "combine",
    Commit = "commit",
});

/// A move by its parts.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveParts {
    from: Square,
    to: Square,
    role: Role,
    kind: MoveKind,
    #[serde(default)]
    step: bool,
    #[serde(default)]
    recombine: bool,
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = MoveParts {
            from: self.from(),
            to: self.to(),
            role: self.role(),
            kind: self.kind(),
            step: self.is_step(),
            recombine: self.is_recombine(),
        };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Move {
    /// Whether the move is legal, or a move at all, a position must tell.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let MoveParts {
            from,
            to,
            role,
            kind,
            step,
            recombine,
        } = MoveParts::deserialize(deserializer)?;
        match kind {
            MoveKind::Commit if from == to && step && !recombine => Ok(Self::commit(from, role)),
            MoveKind::Combine if step && recombine => Ok(Self::recombine(from, to, role)),
            MoveKind::Commit => Err(D::Error::custom(
                "a commit is a step that stays where it is",
            )),
            _ if recombine => Err(D::Error::custom("only a step that combines recombines")),
            _ if step => Ok(Self::step(from, to, role, kind)),
            _ => Ok(Self::whole(from, to, role, kind)),
        }
    }
}
