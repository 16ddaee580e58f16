//! JSON of any form, but with no field twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads any JSON in which no object has a field twice; serde would read the last of them into a [`Value`].
///
/// ```
/// use convoy_protocol::distinct;
/// let mut twice = serde_json::Deserializer::from_str(r#"[{"a":1,"a":2}]"#);
/// assert!(distinct(&mut twice).unwrap_err().to_string().starts_with("the field \"a\" is given twice"));
/// ```
pub fn distinct<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    distinct_named(deserializer, "field")
}

/// The same, with a word for what the outermost object has.
pub(crate) fn distinct_named<'de, D: Deserializer<'de>>(
    deserializer: D,
    word: &'static str,
) -> Result<Value, D::Error> {
    deserializer.deserialize_any(Distinct { word })
}

struct Distinct {
    word: &'static str,
}

/// What lies within an object or a list.
const WITHIN: Distinct = Distinct { word: "field" };

impl<'de> DeserializeSeed<'de> for Distinct {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Distinct {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(WITHIN)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let value = object.next_value_seed(WITHIN)?;
            if fields.contains_key(&name) {
                let message = format!("the {} {name:?} is given twice", self.word);
                return Err(serde::de::Error::custom(message));
            }
            fields.insert(name, value);
        }
        Ok(fields.into())
    }
}
