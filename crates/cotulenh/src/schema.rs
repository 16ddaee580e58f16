//! JSON Schemas of the values in `serialize`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Color, MoveFlags, Outcome, Reason, Shape, Square, Stack};

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

fn flags() -> Vec<&'static str> {
    let mut letters: Vec<&str> = MoveFlags::all().map(MoveFlags::as_str).collect();
    letters.dedup();
    letters
}

schemas! {
    Color: |_| json_schema!({ "type": "string", "enum": ["r", "b"] });
    Square: |_| json_schema!({ "type": "string", "pattern": "^[a-k](1[0-2]|[1-9])$" });
    MoveFlags: |_| json_schema!({
        "description": "n quiet, c capture, s stay capture, k kamikaze, b combine; d in a deploy; empty for a commit",
        "type": "string",
        "enum": flags(),
    });
    Reason: |_| json_schema!({ "type": "string", "enum": Reason::ALL.map(Reason::word) });
    Outcome: |generator| json_schema!({
        "type": "object",
        "properties": {
            "winner": generator.subschema_for::<Option<Color>>(),
            "reason": generator.subschema_for::<Reason>(),
        },
        "required": ["winner", "reason"],
        "additionalProperties": false,
    });
    Stack: |_| json_schema!({
        "description": "As FEN writes it, upper case for red: T, +f, (NFT)",
        "type": "string",
    });
    Shape: |_| json_schema!({
        "description": "An arrow or a circle in one of four colours: Gc5c6, Rg10",
        "type": "string",
        "pattern": "^[GRYB]([a-k](1[0-2]|[1-9])){1,2}$",
    });
}
