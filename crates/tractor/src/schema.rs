//! JSON Schemas of the values in `wire`.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::bid::{Bid, Declaration};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::level::Level;
use crate::round::KittyBonus;
use crate::seat::{Seat, Team};
use crate::trump::Trump;

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
    Seat: |_| json_schema!({ "type": "integer", "minimum": 0, "maximum": 3 });
    Team: |_| json_schema!({
        "description": "A: seats 0 and 2; B: seats 1 and 3",
        "type": "string",
        "enum": ["A", "B"],
    });
    Level: |_| json_schema!({
        "description": "A rank, or NT for a round without a trump rank",
        "type": "string",
        "pattern": "^([2-9TJQKA]|NT)$",
    });
    Trump: |generator| json_schema!({
        "type": "object",
        "properties": {
            "rank": generator.subschema_for::<Level>(),
            "suit": suit(),
        },
        "required": ["rank", "suit"],
        "additionalProperties": false,
    });
    Card: |_| json_schema!({
        "description": "A card with its deck digit",
        "type": "string",
        "pattern": "^([2-9TJQKA][SHCD]|sj|bj)[01]$",
    });
    CardSet: |generator| json_schema!({ "type": "array", "items": generator.subschema_for::<Card>() });
    Bid: |_| json_schema!({
        "type": "object",
        "properties": { "type": word(), "suit": suit() },
        "required": ["type", "suit"],
        "additionalProperties": false,
    });
    Declaration: |generator| json_schema!({
        "type": "object",
        "properties": {
            "seat": generator.subschema_for::<Seat>(),
            "type": word(),
            "suit": suit(),
            "cards": generator.subschema_for::<CardSet>(),
            "at": { "description": "How many cards were dealt by then", "type": "integer", "minimum": 0 },
        },
        "required": ["seat", "type", "suit", "cards", "at"],
        "additionalProperties": false,
    });
    KittyBonus: |_| json_schema!({
        "type": "object",
        "properties": {
            "kittyPoints": { "type": "integer", "minimum": 0 },
            "multiplier": { "type": "integer" },
            "bonusPoints": { "description": "Their product", "type": "integer" },
        },
        "required": ["kittyPoints", "multiplier", "bonusPoints"],
        "additionalProperties": false,
    });
}

fn suit() -> Schema {
    json_schema!({ "description": "N for none", "type": "string", "enum": ["S", "H", "C", "D", "N"] })
}

fn word() -> Schema {
    json_schema!({ "type": "string", "enum": Bid::WORDS })
}
