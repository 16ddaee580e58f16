//! What an op is, and the list of a game's ops.

use std::cell::Cell;
use std::fmt;

use serde::de::value::Error as Unread;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

use crate::error::Error;

/// A question about a game: its fields are those of the value.
///
/// ```
/// use convoy_protocol::Operation;
/// use convoy_protocol::cotulenh::{CombineRequest, Pieces};
/// let request = CombineRequest { pieces: Pieces::Text("TFN".into()) };
/// assert_eq!((CombineRequest::GAME, CombineRequest::OP), ("cotulenh", "combine"));
/// assert_eq!(request.answer()?.stack, "(NFT)");
/// # Ok::<_, convoy_protocol::Error>(())
/// ```
pub trait Operation: Serialize + DeserializeOwned + fmt::Debug {
    /// The game it belongs to.
    const GAME: &'static str;
    /// Its name.
    const OP: &'static str;
    /// What answers it.
    type Answer: Serialize + DeserializeOwned + fmt::Debug;

    /// The answer.
    fn answer(&self) -> Result<Self::Answer, Error>;

    /// Appends the answer as JSON; nothing where there is an error.
    fn write_answer(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        write_json(&self.answer()?, out);
        Ok(())
    }
}

/// Appends a value as JSON.
pub(crate) fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("plain data, written to memory");
}

/// The op of a game by name and fields, for documentation and for other languages.
///
/// ```
/// use convoy_protocol::Description;
/// let combine = convoy_protocol::cotulenh::Request::OPS.iter().find(|op| op.name == "combine");
/// let Description { fields, answer, .. } = combine.expect("there is such an op");
/// assert_eq!((fields(), answer()), (&["pieces"][..], &["stack", "state", "mask"][..]));
/// ```
#[derive(Clone, Copy)]
pub struct Description {
    /// The game.
    pub game: &'static str,
    /// The op.
    pub name: &'static str,
    doc: &'static str,
    /// The names of its fields.
    pub fields: fn() -> &'static [&'static str],
    /// The names of the answer's fields.
    pub answer: fn() -> &'static [&'static str],
}

impl Description {
    pub(crate) const fn of<O: Operation>(doc: &'static str) -> Self {
        Self {
            game: O::GAME,
            name: O::OP,
            doc,
            fields: field_names::<O>,
            answer: field_names::<O::Answer>,
        }
    }

    /// What it asks, in one sentence.
    pub fn doc(&self) -> &'static str {
        self.doc.trim()
    }
}

impl fmt::Debug for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Description")
            .field("game", &self.game)
            .field("name", &self.name)
            .field("fields", &(self.fields)())
            .field("answer", &(self.answer)())
            .finish_non_exhaustive()
    }
}

/// The names of the fields that a type reads: it tells them to whoever it reads from.
fn field_names<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Listener<'a>(&'a Cell<&'static [&'static str]>);

    impl<'de> Deserializer<'de> for Listener<'_> {
        type Error = Unread;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Unread> {
            self.0.set(fields);
            Err(Unread::custom("heard enough"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unread> {
            Err(Unread::custom("no struct"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let names = Cell::new(&[][..]);
    let _ = T::deserialize(Listener(&names));
    names.get()
}

/// A game's ops: one list, from which requests are read, answered, written and described.
macro_rules! operations {
    (
        $game:literal, $title:literal: $($(#[doc = $doc:literal])+ $name:ident($request:ty),)+
        $(; beside $($beside:ty),+)?
    ) => {
        #[doc = concat!("A question about ", $title, ".")]
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $($(#[doc = $doc])+ $name($request),)+
        }

        #[doc = concat!("An answer about ", $title, ".")]
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(untagged)]
        pub enum Answer {
            $($(#[doc = $doc])+ $name(<$request as $crate::Operation>::Answer),)+
        }

        impl Request {
            /// Every op.
            pub const OPS: &'static [$crate::Description] =
                &[$($crate::Description::of::<$request>(concat!($($doc),+))),+];

            /// The name of the op.
            pub const fn op(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => <$request as $crate::Operation>::OP),+
                }
            }

            /// Reads a request: the op by its name, its fields from a JSON object, which may also hold `id`,
            /// `game` and `op`.
            pub fn read(op: &str, text: &str) -> Result<Self, $crate::Error> {
                match op {
                    $(<$request as $crate::Operation>::OP => {
                        $crate::read::fields(text).map(Self::$name)
                    })+
                    _ => Err(Self::unknown(op)),
                }
            }

            fn unknown(op: &str) -> $crate::Error {
                let ops: Vec<&str> = Self::OPS.iter().map(|known| known.name).collect();
                let hint = $crate::nearest::hint(op, &ops);
                let message = format!("{} has no op {op:?}{hint}", $title);
                $crate::Error::new($crate::ErrorCode::UnknownOp, message)
            }

            /// The answer as a value.
            pub fn answer(&self) -> Result<Answer, $crate::Error> {
                match self {
                    $(Self::$name(request) => {
                        $crate::Operation::answer(request).map(Answer::$name)
                    })+
                }
            }

            /// Appends the answer as JSON; nothing where there is an error.
            pub fn write_answer(&self, out: &mut Vec<u8>) -> Result<(), $crate::Error> {
                match self {
                    $(Self::$name(request) => $crate::Operation::write_answer(request, out)),+
                }
            }

            /// Reads the answer to this request.
            pub fn read_answer(&self, text: &str) -> serde_json::Result<Answer> {
                match self {
                    $(Self::$name(_) => serde_json::from_str(text).map(Answer::$name)),+
                }
            }
        }

        #[cfg(feature = "schema")]
        impl Request {
            /// JSON Schemas of every request and answer and of all that they consist of, by names that begin with
            /// the game's; `path` is where they will stand in a document, such as `/components/schemas`.
            pub fn schemas(path: &str) -> serde_json::Map<String, serde_json::Value> {
                let mut schemas = $crate::schema::Schemas::new($game, path);
                $(schemas.add::<$request>();)+
                $($(schemas.add_written::<$beside>();)+)?
                schemas.finish()
            }
        }

        impl serde::Serialize for Request {
            /// The fields with `game` and `op`.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$name(request) => $crate::line::Line {
                        game: $game,
                        op: <$request as $crate::Operation>::OP,
                        fields: request,
                    }
                    .serialize(serializer)),+
                }
            }
        }
    };
}

pub(crate) use operations;
