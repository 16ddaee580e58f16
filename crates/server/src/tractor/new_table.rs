//! A table as a form or a call asks for it.

use convoy_protocol::{At, Error, ErrorCode};
use serde_json::{Value, json};
use tractor::{Level, Rules};

use super::{LEVELS, NAME, Pace, Setup, switches};
use crate::game::{NewTable, Number, Player, TableSpec};
use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;

/// What a form or a call may say about a table of this game, beside what all games are told and the switches.
const FIELDS: [&str; 5] = ["rules", "preset", "seconds", "deal", "start_level"];

/// The table that `player` asks for.
pub(super) fn table_spec(new_table: &NewTable, player: &Player) -> Result<TableSpec, Refusal> {
    let level = level(new_table.level)?;
    let others = match &*new_table.opponent {
        "" | "bot" => Occupant::Bot { level },
        "open" | "friend" => Occupant::Open,
        _ => return Err(Refusal::BadChoice(BadChoice::Opponent)),
    };
    let mut seats = vec![others; 4];
    seats[0] = Occupant::Human {
        player: player.id.clone(),
        name: player.name.clone(),
    };
    let (preset, rules) = house_rules(new_table)?;
    let setup = Setup {
        preset,
        rules: switches(&rules),
        level,
        welcome: matches!(&*new_table.opponent, "open" | "friend"),
        seconds: seconds(new_table)?,
        pace: Pace::CALM,
        levels: start_level(new_table)?,
        decks: Vec::new(),
        device: None,
    };
    Ok(TableSpec {
        game: NAME,
        setup: json!(setup),
        seats,
        public: new_table.opponent != "friend",
        previous: None,
    })
}

/// A preset by name, and over it the switches that the form or the call names.
fn house_rules(new_table: &NewTable) -> Result<(String, Rules), Refusal> {
    let rules = new_table.rest.get("rules");
    let object = rules.and_then(Value::as_object);
    let named = match rules {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(Value::Object(object)) => object.get("preset").and_then(Value::as_str),
        _ => new_table.rest.get("preset").and_then(Value::as_str),
    };
    let preset = named.filter(|name| !name.is_empty()).unwrap_or("default");
    let mut rules = Rules::preset(preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
    let inner = object.into_iter().flatten().map(|named| (named, "rules."));
    let outer = new_table.rest.iter().map(|named| (named, ""));
    for ((switch, value), way) in inner.chain(outer) {
        if Rules::switch(switch).is_none() {
            let known: &[&str] = if way.is_empty() { &FIELDS } else { &["preset"] };
            if known.contains(&switch.as_str()) {
                continue;
            }
            return Err(unknown_field(switch, known, way));
        }
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // An untouched field of the form says nothing: the preset decides.
        if text.is_empty() {
            continue;
        }
        let set = rules.set(switch, &text);
        set.map_err(|_| Refusal::BadChoice(BadChoice::Switch))?;
    }
    Ok((preset.to_owned(), rules))
}

/// For a field that is neither one of `known` nor a switch.
fn unknown_field(name: &str, known: &[&str], way: &str) -> Refusal {
    let switches = Rules::SWITCHES.iter().map(|switch| switch.name);
    let near = convoy_protocol::nearest(name, known.iter().copied().chain(switches));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    let message = format!("unknown field {name:?}{hint}");
    let field = format!("{way}{name}");
    let error = Error {
        at: Some(At::Field { field }),
        ..Error::new(ErrorCode::UnknownField, message)
    };
    error.into()
}

fn level(level: Option<Number>) -> Result<u8, Refusal> {
    let Number(level) = level.unwrap_or(Number(2.0));
    let known = LEVELS
        .into_iter()
        .find(|known| (f64::from(*known) - level).abs() < f64::EPSILON);
    known.ok_or(Refusal::BadChoice(BadChoice::CardLevel))
}

fn seconds(new_table: &NewTable) -> Result<Option<u64>, Refusal> {
    let bad = Refusal::BadChoice(BadChoice::Seconds);
    let text = match new_table.rest.get("seconds") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => other.to_string(),
    };
    match text.parse::<u64>() {
        Ok(0) => Ok(None),
        Ok(seconds @ 5..=600) => Ok(Some(seconds)),
        Err(_) if text.is_empty() => Ok(None),
        _ => Err(bad),
    }
}

/// Whether the cards are dealt fast. Where nothing is said, they are if no other person has to read them.
pub(super) fn is_fast_deal(new_table: &NewTable) -> Result<bool, Refusal> {
    match new_table.rest.get("deal").map(Value::as_str) {
        None | Some(Some("")) => Ok(matches!(&*new_table.opponent, "" | "bot")),
        Some(Some("fast")) => Ok(true),
        Some(Some("normal")) => Ok(false),
        Some(_) => Err(Refusal::BadChoice(BadChoice::Deal)),
    }
}

/// The level that both teams begin with, where it is not 2.
fn start_level(new_table: &NewTable) -> Result<Option<[String; 2]>, Refusal> {
    let text = match new_table.rest.get("start_level") {
        Some(Value::String(text)) => text.trim(),
        None | Some(Value::Null) => "",
        Some(_) => return Err(Refusal::BadChoice(BadChoice::TeamLevel)),
    };
    if matches!(text, "" | "2") {
        return Ok(None);
    }
    let known = text
        .parse::<Level>()
        .ok()
        .filter(|level| *level != Level::NT);
    let known = known.ok_or(Refusal::BadChoice(BadChoice::TeamLevel))?;
    Ok(Some([known.to_string(), known.to_string()]))
}

#[cfg(test)]
mod tests {
    use super::super::TractorOptions;
    use super::*;
    use crate::id::PlayerId;

    fn player() -> Player {
        Player {
            id: PlayerId::random(),
            name: "Ann".to_owned(),
        }
    }

    fn new_table(value: Value) -> NewTable {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_request_becomes_a_table() {
        let new_table = new_table(json!({
            "game": "tractor", "level": 3, "rules": "shengji", "take_back": "true", "seconds": "30",
        }));
        let spec = table_spec(&new_table, &player()).unwrap();
        assert_eq!(spec.seats[3], Occupant::Bot { level: 3 });
        let setup: Setup = serde_json::from_value(spec.setup).unwrap();
        assert_eq!(setup.seconds, Some(30));
        let rules = setup.rules().unwrap();
        assert!(rules.take_back);
        assert_eq!(rules.throw_mode, Rules::SHENGJI.throw_mode);
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        let refused = |value| table_spec(&new_table(value), &player()).unwrap_err().code();
        assert_eq!(refused(json!({ "level": 5 })), "bad-choice");
        assert_eq!(refused(json!({ "rules": "poker" })), "bad-choice");
        assert_eq!(
            refused(json!({ "rules": { "take_back": "maybe" } })),
            "bad-choice"
        );
        assert_eq!(refused(json!({ "seconds": 3 })), "bad-choice");
    }

    #[test]
    fn a_deal_among_bots_is_fast_unless_it_is_said_otherwise() {
        let is_fast = |value| is_fast_deal(&new_table(value));
        for (value, fast) in [
            (json!({}), true),
            (json!({ "opponent": "bot", "deal": "" }), true),
            (json!({ "opponent": "bot", "deal": "normal" }), false),
            (json!({ "opponent": "friend" }), false),
            (json!({ "opponent": "open", "deal": "fast" }), true),
        ] {
            assert_eq!(is_fast(value.clone()).ok(), Some(fast), "{value}");
        }
        for value in [json!({ "deal": "warp" }), json!({ "deal": 3 })] {
            assert_eq!(is_fast(value).unwrap_err().code(), "bad-choice");
        }
        let options = TractorOptions::default();
        for (fast, deal) in [(true, 80), (false, 320)] {
            let mut spec = table_spec(&new_table(json!({})), &player()).unwrap();
            options.set(&mut spec, fast);
            assert_eq!(spec.setup["pace"]["deal"], deal);
            assert_eq!(spec.setup["pace"]["window"], Pace::CALM.window);
        }
    }

    #[test]
    fn no_request_chooses_a_deal() {
        for (wishes, field) in [
            (json!({ "decks": ["2S0"] }), "decks"),
            (json!({ "rules": { "decks": ["2S0"] } }), "rules.decks"),
            (json!({ "levels": ["A", "A"] }), "levels"),
            (json!({ "device": "x" }), "device"),
        ] {
            let refused = table_spec(&new_table(wishes), &player()).unwrap_err();
            assert_eq!(refused.code(), "unknown-field");
            assert_eq!(refused.json()["at"]["field"], field);
        }
    }

    #[test]
    fn a_misspelt_switch_is_not_ignored() {
        for wishes in [
            json!({ "take_bakc": "true" }),
            json!({ "rules": { "preset": "shengji", "take_bakc": true } }),
        ] {
            let refused = table_spec(&new_table(wishes), &player()).unwrap_err();
            assert!(
                refused.to_string().ends_with("did you mean \"take_back\"?"),
                "{refused}"
            );
        }
    }
}
