//! JSON Schemas of requests, answers and errors, generated from their types.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use tractor::{Rules, Switch, SwitchValues};

use crate::cotulenh::Pieces;
use crate::error::Error;
use crate::operation::Operation;
use crate::tractor::{CardName, GroupName, HouseRules, Sign};

/// The schemas of one game. What is read and what is written may differ: a field with a default need not be sent, and
/// is always told.
pub(crate) struct Schemas {
    prefix: String,
    /// How a reference begins.
    reference: String,
    read: SchemaGenerator,
    written: SchemaGenerator,
    ops: Vec<Op>,
}

struct Op {
    game: &'static str,
    name: &'static str,
    request: Cow<'static, str>,
    answer: Schema,
}

impl Schemas {
    pub(crate) fn new(prefix: &str, path: &str) -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.meta_schema = None;
                settings.definitions_path = path.to_owned().into();
            })
        };
        Self {
            prefix: capital(prefix),
            reference: format!("#{path}/"),
            read: settings().for_deserialize().into_generator(),
            written: settings().for_serialize().into_generator(),
            ops: Vec::new(),
        }
    }

    pub(crate) fn add<O: Operation<Answer: JsonSchema> + JsonSchema>(&mut self) {
        self.read.subschema_for::<O>();
        self.ops.push(Op {
            game: O::GAME,
            name: O::OP,
            request: O::schema_name(),
            answer: self.written.subschema_for::<O::Answer>(),
        });
    }

    /// A type that is told elsewhere.
    pub(crate) fn add_written<T: JsonSchema>(&mut self) {
        self.written.subschema_for::<T>();
    }

    pub(crate) fn finish(mut self) -> Map<String, Value> {
        let mut read = self.read.take_definitions(true);
        let mut written = self.written.take_definitions(true);
        for op in self.ops {
            let name = capital(op.name);
            let mut request = read.remove(&*op.request).expect("it was added");
            add_envelope(&mut request, op.game, op.name);
            read.insert(format!("{name}Request"), request);
            // Two ops may have one answer.
            let answer = written.entry(format!("{name}Answer"));
            answer.or_insert_with(|| op.answer.into());
        }
        let differing = differing(&read, &written, &self.reference);
        let (prefix, reference) = (&*self.prefix, &*self.reference);
        let plain = |name: &str| format!("{prefix}{name}");
        let told_apart = |name: &str| {
            let read = if differing.contains(name) { "Read" } else { "" };
            format!("{prefix}{name}{read}")
        };
        let mut all = renamed(read, reference, &told_apart);
        all.extend(renamed(written, reference, &plain));
        all
    }
}

/// A request may hold what a line has beside the fields of its op.
fn add_envelope(request: &mut Value, game: &str, op: &str) {
    request["properties"]["game"] = json!({ "const": game });
    request["properties"]["op"] = json!({ "const": op });
    request["properties"]["id"] = json!({ "description": "Any value; an answer repeats it" });
}

/// JSON Schemas of [`Error`] and of all that it consists of, by names that begin with `Question`; `path` is where they
/// will stand in a document, such as `/components/schemas`.
///
/// ```
/// let schemas = convoy_protocol::error_schemas("/components/schemas");
/// assert_eq!(schemas["QuestionError"]["properties"]["message"]["type"], "string");
/// ```
pub fn error_schemas(path: &str) -> Map<String, Value> {
    let mut schemas = Schemas::new("question", path);
    schemas.add_written::<Error>();
    schemas.finish()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The names of what is read in another form than it is written, or consists of such things.
fn differing(
    read: &Map<String, Value>,
    written: &Map<String, Value>,
    reference: &str,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    loop {
        let before = names.len();
        for (name, schema) in read.iter().filter(|(name, _)| written.contains_key(*name)) {
            let mut refers = false;
            for_each_reference(&mut schema.clone(), reference, &mut |to| {
                refers |= names.contains(&*to);
            });
            if refers || written[name] != *schema {
                names.insert(name.clone());
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

fn renamed(
    definitions: Map<String, Value>,
    reference: &str,
    rename: &dyn Fn(&str) -> String,
) -> Map<String, Value> {
    let rename_all = |(name, mut schema): (String, Value)| {
        for_each_reference(&mut schema, reference, &mut |to| *to = rename(to));
        (rename(&name), schema)
    };
    definitions.into_iter().map(rename_all).collect()
}

/// Lets `act` see, and change, every name that a schema refers to.
fn for_each_reference(schema: &mut Value, reference: &str, act: &mut dyn FnMut(&mut String)) {
    match schema {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = value.as_str().filter(|_| field == "$ref");
                if let Some(name) = name.and_then(|to| to.strip_prefix(reference)) {
                    let mut name = name.to_owned();
                    act(&mut name);
                    *value = format!("{reference}{name}").into();
                } else {
                    for_each_reference(value, reference, act);
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                for_each_reference(value, reference, act);
            }
        }
        _ => {}
    }
}

macro_rules! schemas {
    ($($type:ident: |$generator:pat_param| $schema:expr;)+) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )+};
}

schemas! {
    Pieces: |_| json_schema!({
        "description": "Letters (NFT, (N+F)) or names of roles: one text or a list.",
        "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
    });
    CardName: |_| json_schema!({
        "description": "A card, with its deck digit or without",
        "type": "string",
        "pattern": "^([2-9TJQKA][SHCD]|sj|bj)[01]?$",
    });
    GroupName: |_| json_schema!({ "type": "string", "enum": ["S", "H", "C", "D", "trump"] });
    Sign: |_| json_schema!({
        "description": "-1 below, 0 equal, 1 above, x for two plain suits",
        "enum": [-1, 0, 1, "x"],
    });
    HouseRules: |_| house_rules();
}

/// A preset's name, or switches.
fn house_rules() -> Schema {
    let preset = json!({ "type": "string", "enum": Rules::PRESETS });
    let switch = |switch: &Switch| (switch.name.to_owned(), switch_schema(switch));
    let mut switches: Map<String, Value> = Rules::SWITCHES.iter().map(switch).collect();
    switches.insert("preset".to_owned(), preset.clone());
    json_schema!({
        "anyOf": [
            { "type": "null" },
            preset,
            { "type": "object", "properties": switches, "additionalProperties": false },
        ],
    })
}

/// The value of a switch: a text, or the number, truth value, list or object that stands for the text.
fn switch_schema(switch: &Switch) -> Value {
    let numbers = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let list = json!({ "type": "array", "items": { "type": ["string", "integer"] } });
    let values = match switch.values {
        SwitchValues::OneOf(names) => {
            let typed = names.iter().map(|name| serde_json::from_str(name));
            let typed: Vec<Value> = typed.filter_map(Result::ok).collect();
            json!([{ "enum": names }, { "enum": typed }])
        }
        SwitchValues::Text { .. } => json!([{ "type": ["string", "integer"] }, list, numbers]),
    };
    json!({ "description": switch.doc(), "anyOf": values })
}
