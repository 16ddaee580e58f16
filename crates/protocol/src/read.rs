//! Reading requests: fast where all is well, and with a second look where it is not.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::diagnose;
use crate::envelope::{self, Envelope, WithoutEnvelope};
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::strict::Strict;

/// The `id`, game and op of a line; where they cannot be read, the `id` alone beside the error, if there is one.
pub(crate) fn envelope(text: &str) -> Result<Envelope<'_>, (Option<Value>, Error)> {
    strictly(text).map_err(|error| {
        let id = strictly(text).ok().and_then(|Id { id }| id);
        (id, diagnose::envelope(text, &error))
    })
}

/// What of a line is echoed.
#[derive(Deserialize)]
struct Id {
    id: Option<Value>,
}

/// Reads a value, and objects by the names of their fields alone.
fn strictly<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Strict(&mut deserializer))?;
    deserializer.end().map(|()| value)
}

/// The fields of an op, from a whole line or from an object that has them alone.
pub(crate) fn fields<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = T::deserialize(WithoutEnvelope(&mut deserializer))
        .and_then(|fields| deserializer.end().map(|()| fields));
    read.map_err(|error| diagnose::fields::<T>(text, &error))
}

/// Reads a value from JSON as strictly as the fields of an op: what cannot be read is told with the way to it and, for
/// an unknown field, the nearest known one.
///
/// ```
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Password { now: String, new: String }
/// let error = convoy_protocol::read_json::<Password>(r#"{"now":"a","nwe":"b"}"#).unwrap_err();
/// assert_eq!(error.message, "unknown field \"nwe\"; did you mean \"new\"?");
/// ```
pub fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    strictly(text).map_err(|error| diagnose::value::<T>(text, &error))
}

/// The error for a line that lacks `game` or `op`: perhaps it is there under a misspelt name.
pub(crate) fn missing(text: &str, field: &str, message: &str) -> Error {
    let meant = diagnose::keys(text)
        .into_iter()
        .filter(|key| !envelope::FIELDS.contains(&key.as_str()))
        .find(|key| nearest(key, [field]).is_some());
    match meant {
        Some(key) => diagnose::unknown_field(&key, &[field], ""),
        None => Error::new(ErrorCode::Malformed, message),
    }
}
