//! What a viewer is told of a table: named JSON values.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

/// Named values as JSON text, one after the other in one buffer.
///
/// For every event all that each viewer may know is written before and after it and compared, so
/// writing must be cheap: no tree of values is built.
///
/// ```
/// use convoy_server::Fields;
///
/// let mut fields = Fields::default();
/// fields.set("turn", "r");
/// fields.set("left", &[5, 7]);
/// assert_eq!(fields.json(), r#"{"turn":"r","left":[5,7]}"#);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fields {
    text: Vec<u8>,
    places: Vec<(&'static str, Range<usize>)>,
}

impl Fields {
    /// Sets a field; one of that name is replaced.
    ///
    /// # Panics
    ///
    /// If JSON cannot say the value, such as a map whose keys are no texts.
    pub fn set(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) {
        let start = self.text.len();
        serde_json::to_writer(&mut self.text, value).expect("a field is plain data");
        self.place(name, start..self.text.len());
    }

    fn place(&mut self, name: &'static str, range: Range<usize>) {
        match self.places.iter_mut().find(|(known, _)| *known == name) {
            Some((_, place)) => *place = range,
            None => self.places.push((name, range)),
        }
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn texts(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let places = self.places.iter();
        places.map(|(name, place)| (*name, &self.text[place.clone()]))
    }

    fn text(&self, name: &str) -> Option<&[u8]> {
        let mut texts = self.texts();
        texts
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text)
    }

    /// One field as a value; null where there is none.
    pub fn value(&self, name: &str) -> Value {
        let value = self.text(name).map(serde_json::from_slice);
        value.and_then(Result::ok).unwrap_or_default()
    }

    /// The fields that `before` did not have so.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Self {
        let mut changed = Self::default();
        for (name, text) in self.texts() {
            if before.text(name) != Some(text) {
                let start = changed.text.len();
                changed.text.extend_from_slice(text);
                changed.places.push((name, start..changed.text.len()));
            }
        }
        changed
    }

    /// All fields as one value.
    pub fn object(&self) -> Value {
        serde_json::from_str(&self.json()).unwrap_or_default()
    }

    /// All fields as the text of one object.
    pub fn json(&self) -> String {
        let names: usize = self.places.iter().map(|(name, _)| name.len() + 4).sum();
        let mut json = String::with_capacity(self.text.len() + names + 2);
        json.push('{');
        for (name, text) in self.texts() {
            if json.len() > 1 {
                json.push(',');
            }
            json.push('"');
            json.push_str(name);
            json.push_str("\":");
            json.push_str(str::from_utf8(text).unwrap_or("null"));
        }
        json.push('}');
        json
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_one_object_and_a_later_value_replaces_an_earlier_one() {
        let mut fields = Fields::default();
        assert!(fields.is_empty());
        assert_eq!(fields.json(), "{}");
        fields.set("can", &["sit"]);
        fields.set("name", "\"}\u{1}Lệnh");
        fields.set("can", &Vec::<&str>::new());
        let value: Value = serde_json::from_str(&fields.json()).unwrap();
        assert_eq!(value, json!({ "can": [], "name": "\"}\u{1}Lệnh" }));
        assert_eq!((fields.len(), fields.value("can")), (2, json!([])));
        assert_eq!(fields.value("none"), Value::Null);
    }

    #[test]
    fn only_what_has_changed_is_told() {
        let fields = |turn: &str, left: Option<u8>| {
            let mut fields = Fields::default();
            fields.set("seq", &1);
            if let Some(left) = left {
                fields.set("left", &left);
            }
            fields.set("turn", turn);
            fields
        };
        let before = fields("r", Some(3));
        let change = |after: Fields| after.changed_since(&before).json();
        assert_eq!(change(fields("b", Some(3))), r#"{"turn":"b"}"#);
        assert_eq!(change(fields("r", Some(4))), r#"{"left":4}"#);
        assert_eq!(change(fields("r", None)), "{}");
        assert_eq!(
            fields("r", Some(3))
                .changed_since(&fields("r", None))
                .json(),
            r#"{"left":3}"#
        );
    }
}
