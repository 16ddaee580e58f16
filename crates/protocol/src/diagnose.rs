//! A second look at a request that could not be read: what exactly is wrong, and where.
//!
//! The line is read into a tree, and the tree into the same type as before, this time with an error type that
//! knows unknown, missing and repeated fields from one another and the way to each.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Number;

use crate::envelope::{self, Envelope, WithoutEnvelope};
use crate::error::{At, Error, ErrorCode};
use crate::nearest::hint;

/// The most levels of lists and objects within one another that are read.
const DEEPEST: usize = 127;

/// Why the envelope of a line could not be read.
pub(crate) fn envelope(text: &str, error: &serde_json::Error) -> Error {
    complain(text, error, &envelope::FIELDS, |node| {
        Envelope::deserialize(Reader(node)).err()
    })
}

/// Why the fields of an op could not be read.
pub(crate) fn fields<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> Error {
    complain(text, error, &envelope::FIELDS, |node| {
        T::deserialize(WithoutEnvelope(Reader(node))).err()
    })
}

/// Why a value could not be read.
pub(crate) fn value<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> Error {
    complain(text, error, &[], |node| T::deserialize(Reader(node)).err())
}

/// Looks again; `also` are fields that are known beside those of the type.
fn complain(
    text: &str,
    error: &serde_json::Error,
    also: &[&str],
    look: impl FnOnce(&Node) -> Option<Complaint>,
) -> Error {
    let malformed = |message: String| Error::new(ErrorCode::Malformed, message);
    if depth(text) > DEEPEST {
        return malformed(format!("nested deeper than {DEEPEST} levels"));
    }
    match serde_json::from_str::<Node>(text) {
        Err(error) => malformed(format!("not a request: {error}")),
        Ok(node) => match look(&node) {
            Some(complaint) => complaint.tell(also),
            None => malformed(error.to_string()),
        },
    }
}

/// The names of a line's own fields, in their order.
pub(crate) fn keys(text: &str) -> Vec<String> {
    match serde_json::from_str(text) {
        Ok(Node::Object(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

/// The error for a field that is not known, at the end of a way such as `moves[0].`.
pub(crate) fn unknown_field(name: &str, known: &[&str], way: &str) -> Error {
    let message = format!("unknown field {name:?}{}", hint(name, known));
    let field = format!("{way}{name}");
    Error::new(ErrorCode::UnknownField, message).at(At::Field { field })
}

/// How deeply lists and objects lie within one another, texts apart.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// What is wrong, as the reading of the tree finds it.
#[derive(Debug)]
enum Fault {
    Unknown(String, &'static [&'static str]),
    Missing(&'static str),
    Other(String),
}

/// A fault and the way to it, the innermost step first.
#[derive(Debug)]
struct Complaint {
    fault: Fault,
    way: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Field(String),
    Index(usize),
}

impl Complaint {
    fn inside(mut self, step: Step) -> Self {
        self.way.push(step);
        self
    }

    fn tell(self, also: &[&str]) -> Error {
        let top = self.way.is_empty();
        let mut way = String::new();
        for step in self.way.iter().rev() {
            match step {
                Step::Field(name) if way.is_empty() => way.push_str(name),
                Step::Field(name) => way = format!("{way}.{name}"),
                Step::Index(index) => way = format!("{way}[{index}]"),
            }
        }
        match self.fault {
            Fault::Unknown(name, known) if top => unknown_field(&name, &[known, also].concat(), ""),
            Fault::Unknown(name, known) => unknown_field(&name, known, &format!("{way}.")),
            Fault::Missing(name) => {
                let message = format!("missing field {name:?}");
                let (message, field) = if top {
                    (message, name.to_owned())
                } else {
                    (format!("{way}: {message}"), format!("{way}.{name}"))
                };
                Error::new(ErrorCode::Malformed, message).at(At::Field { field })
            }
            Fault::Other(message) if top => Error::new(ErrorCode::Malformed, message),
            Fault::Other(message) => {
                let message = format!("{way}: {message}");
                Error::new(ErrorCode::Malformed, message).at(At::Field { field: way })
            }
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Unknown(name, _) => write!(f, "unknown field {name:?}"),
            Fault::Missing(name) => write!(f, "missing field {name:?}"),
            Fault::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Complaint {}

impl de::Error for Complaint {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            fault: Fault::Other(message.to_string()),
            way: Vec::new(),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "expected {}, found {}",
            in_words(&expected.to_string()),
            Found(found)
        ))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(len: usize, expected: &dyn Expected) -> Self {
        let expected = expected.to_string();
        let expected = in_words(&expected);
        Self::custom(format_args!("expected {expected}, found one of {len}"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!(
            "{variant:?} is none of {}",
            expected.join(", ")
        ))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self {
            fault: Fault::Unknown(field.to_owned(), expected),
            way: Vec::new(),
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            fault: Fault::Missing(field),
            way: Vec::new(),
        }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(format_args!("the field {field:?} is given twice"))
    }
}

/// What is expected, in the words of JSON: Rust has names of its own for numbers and lists.
fn in_words(expected: &str) -> Cow<'_, str> {
    if let Some(len) = expected.strip_prefix("a tuple of size ") {
        return format!("a list of {len}").into();
    }
    let words = match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    words.into()
}

/// A value in the words of JSON.
struct Found<'a>(Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit | Unexpected::Option => f.write_str("null"),
            Unexpected::Bool(value) => value.fmt(f),
            Unexpected::Unsigned(value) => write!(f, "the number {value}"),
            Unexpected::Signed(value) => write!(f, "the number {value}"),
            Unexpected::Float(value) => write!(f, "the number {value}"),
            Unexpected::Str(text) => write!(f, "the string {text:?}"),
            Unexpected::Seq => f.write_str("a list"),
            Unexpected::Map => f.write_str("an object"),
            other => other.fmt(f),
        }
    }
}

/// A JSON value as it was written, repeated fields and all.
#[derive(Debug)]
enum Node {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON")
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Bool(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Number(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Number(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Number::from_f64(value).map_or(Node::Null, Node::Number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
                let mut nodes = Vec::new();
                while let Some(node) = list.next_element()? {
                    nodes.push(node);
                }
                Ok(Node::List(nodes))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Node::Object(fields))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// Reads a value from a [`Node`].
struct Reader<'a>(&'a Node);

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Complaint;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match self.0 {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Node::Text(text) => visitor.visit_borrowed_str(text),
            Node::List(list) => {
                let mut elements = Elements { list, next: 0 };
                let value = visitor.visit_seq(&mut elements)?;
                if elements.next < list.len() {
                    let (had, read) = (list.len(), elements.next);
                    return Err(de::Error::custom(format_args!(
                        "a list of {had}, where {read} are expected"
                    )));
                }
                Ok(value)
            }
            Node::Object(fields) => visitor.visit_map(Fields {
                fields: fields.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match self.0 {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        match self.0 {
            Node::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        match self.0 {
            Node::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Elements<'a> {
    list: &'a [Node],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Elements<'de> {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Complaint> {
        let index = self.next;
        let Some(node) = self.list.get(index) else {
            return Ok(None);
        };
        self.next += 1;
        let value = seed.deserialize(Reader(node));
        value
            .map(Some)
            .map_err(|complaint| complaint.inside(Step::Index(index)))
    }
}

struct Fields<'a> {
    fields: std::slice::Iter<'a, (String, Node)>,
    value: Option<(&'a str, &'a Node)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Complaint;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Complaint> {
        let Some((name, node)) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some((name, node));
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Complaint> {
        let (name, node) = self.value.take().unwrap_or(("", &Node::Null));
        seed.deserialize(Reader(node))
            .map_err(|complaint| complaint.inside(Step::Field(name.to_owned())))
    }
}
