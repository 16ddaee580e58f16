//! Tractor at a table of the server: four seats, hidden hands, a shuffle that can be checked.

mod card_table;
mod engine;
mod event;
mod field;
mod key;
mod lesson;
mod old_proof;
mod old_shuffle;
mod proof;
mod question;
mod replay;
mod shuffle;
mod shuffling;
mod timing;
mod word;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tractor::{Deck, Level, Rules};

use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;
use crate::table::{Guest, Number, Opening, Wish};

pub(crate) use card_table::CardTable;
pub use key::ShuffleKey;
pub(crate) use lesson::{judge, lessons};
pub use proof::{Kept, Outcome, Promise, Verified, VerifyError, verify};
pub use shuffle::commit_hash;

/// The name of the game in addresses and files.
pub(crate) const NAME: &str = "tractor";

/// The levels of the bots.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=4;

/// How fast things go at a table, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Between two times that each seat is dealt a card.
    pub deal: u64,
    /// How long the last window for declaring stays open.
    pub window: u64,
    /// How long a finished trick lies before a bot leads again.
    pub trick: u64,
    /// How long browsers may take to commit to what they add to the shuffle. Who is late is absent
    /// from it. Tables that were opened before browsers committed call this `shuffle`.
    #[serde(alias = "shuffle")]
    pub commit: u64,
    /// How long browsers may take to reveal it. Who is late voids the attempt and adds nothing for
    /// the rest of the match, so this leaves time for a page to be loaded again.
    #[serde(default = "calm_reveal")]
    pub reveal: u64,
    /// How long the others are waited for once somebody wants the next round.
    pub next: u64,
    /// How long somebody may be gone before a bot plays for them; the seat is given back on return.
    #[serde(default = "calm_patience")]
    pub patience: u64,
}

impl Pace {
    /// For people.
    pub const CALM: Self = Self {
        deal: 320,
        window: 8_000,
        trick: 1_300,
        commit: 5_000,
        reveal: 20_000,
        next: 10_000,
        patience: 20_000,
    };

    /// For programs: nothing is slowed down for the sake of eyes.
    pub const BRISK: Self = Self {
        deal: 0,
        trick: 0,
        ..Self::CALM
    };
}

/// What a table of this game is opened with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Setup {
    /// The preset that the house rules began from.
    preset: String,
    /// Every switch, by name.
    rules: BTreeMap<String, String>,
    /// The level of bots that fill seats and stand in.
    level: u8,
    /// Whether it was opened for people: they may take over what bots have filled.
    #[serde(default)]
    welcome: bool,
    /// Seconds for a turn; none for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
    #[serde(default = "calm")]
    pace: Pace,
    /// The levels of the teams at the beginning, where they are not 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<[String; 2]>,
    /// Deals that the library was told to use, for tests: 108 cards a round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decks: Vec<String>,
}

const fn calm() -> Pace {
    Pace::CALM
}

/// Tables of earlier versions do not say it.
const fn calm_patience() -> u64 {
    Pace::CALM.patience
}

/// Tables of earlier versions do not say it.
const fn calm_reveal() -> u64 {
    Pace::CALM.reveal
}

impl Setup {
    fn rules(&self) -> Result<Rules, Refusal> {
        let mut rules = Rules::preset(&self.preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
        for (switch, value) in &self.rules {
            let set = rules.set(switch, value);
            set.map_err(|_| Refusal::BadChoice(BadChoice::Switch))?;
        }
        Ok(rules)
    }

    fn first(&self) -> Result<tractor::Setup, Refusal> {
        let mut first = tractor::Setup::first(self.rules()?);
        if let Some(levels) = &self.levels {
            let [a, b] = levels.each_ref().map(|text| text.parse::<Level>());
            let bad = |_| Refusal::BadChoice(BadChoice::TeamLevel);
            first.start.levels = [a.map_err(bad)?, b.map_err(bad)?];
        }
        Ok(first)
    }

    /// The deal that was chosen for a round, if one was.
    fn deck(&self, number: u32) -> Option<Deck> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        let cards = self.decks.get(place)?.split(' ').map(str::parse);
        Deck::new(&cards.collect::<Result<Vec<_>, _>>().ok()?)
    }
}

/// What is opened when `guest` wishes for this.
pub(crate) fn opening(wish: &Wish, guest: &Guest) -> Result<Opening, Refusal> {
    let level = level(wish.level)?;
    let others = match &*wish.opponent {
        "" | "bot" => Occupant::Bot { level },
        "open" | "friend" => Occupant::Open,
        _ => return Err(Refusal::BadChoice(BadChoice::Opponent)),
    };
    let mut seats = vec![others; 4];
    seats[0] = Occupant::Human {
        player: guest.player.clone(),
        name: guest.name.clone(),
    };
    let (preset, rules) = house_rules(wish)?;
    let switches = Rules::SWITCHES
        .iter()
        .map(|switch| (switch.name.to_owned(), switch.get(&rules)));
    let setup = Setup {
        preset,
        rules: switches.collect(),
        level,
        welcome: matches!(&*wish.opponent, "open" | "friend"),
        seconds: seconds(wish)?,
        pace: Pace::CALM,
        levels: None,
        decks: Vec::new(),
    };
    Ok(Opening {
        game: NAME,
        setup: json!(setup),
        seats,
        public: wish.opponent != "friend",
        previous: None,
    })
}

/// A preset by name, and over it the switches that the form or the call names.
fn house_rules(wish: &Wish) -> Result<(String, Rules), Refusal> {
    let object = wish.rules.as_object();
    let named = match &wish.rules {
        Value::String(name) => Some(name.as_str()),
        Value::Object(object) => object.get("preset").and_then(Value::as_str),
        _ => wish.rest.get("preset").and_then(Value::as_str),
    };
    let preset = named.filter(|name| !name.is_empty()).unwrap_or("default");
    let mut rules = Rules::preset(preset).ok_or(Refusal::BadChoice(BadChoice::Rules))?;
    let switches = object.into_iter().flatten().chain(&wish.rest);
    for (switch, value) in switches {
        if Rules::switch(switch).is_none() {
            continue;
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

fn level(wish: Option<Number>) -> Result<u8, Refusal> {
    let Number(level) = wish.unwrap_or(Number(2.0));
    let known = LEVELS
        .into_iter()
        .find(|known| (f64::from(*known) - level).abs() < f64::EPSILON);
    known.ok_or(Refusal::BadChoice(BadChoice::CardLevel))
}

fn seconds(wish: &Wish) -> Result<Option<u64>, Refusal> {
    let bad = Refusal::BadChoice(BadChoice::Seconds);
    let text = match wish.rest.get("seconds") {
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

/// The pace of a table that is about to be opened, and deals chosen for it.
pub(crate) fn adjust(opening: &mut Opening, pace: Pace, decks: &[Deck]) {
    if opening.game != NAME {
        return;
    }
    opening.setup["pace"] = json!(pace);
    if !decks.is_empty() {
        let text = |deck: &Deck| -> String {
            let cards: Vec<String> = deck.cards().iter().map(ToString::to_string).collect();
            cards.join(" ")
        };
        opening.setup["decks"] = json!(decks.iter().map(text).collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PlayerId;

    fn guest() -> Guest {
        Guest {
            player: PlayerId::random(),
            name: "Ann".to_owned(),
        }
    }

    fn wish(value: Value) -> Wish {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_wish_becomes_a_table() {
        let wish = wish(json!({
            "game": "tractor", "level": 3, "rules": "shengji", "take_back": "true", "seconds": "30",
        }));
        let opening = opening(&wish, &guest()).unwrap();
        assert_eq!(opening.seats[3], Occupant::Bot { level: 3 });
        let setup: Setup = serde_json::from_value(opening.setup).unwrap();
        assert_eq!(setup.seconds, Some(30));
        let rules = setup.rules().unwrap();
        assert!(rules.take_back);
        assert_eq!(rules.throw_mode, Rules::SHENGJI.throw_mode);
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        let refused = |value| opening(&wish(value), &guest()).unwrap_err().code();
        assert_eq!(refused(json!({ "level": 5 })), "bad-choice");
        assert_eq!(refused(json!({ "rules": "poker" })), "bad-choice");
        assert_eq!(
            refused(json!({ "rules": { "take_back": "maybe" } })),
            "bad-choice"
        );
        assert_eq!(refused(json!({ "seconds": 3 })), "bad-choice");
    }

    #[test]
    fn no_wish_chooses_a_deal() {
        let wish =
            wish(json!({ "decks": ["2S0"], "rules": { "decks": ["2S0"] }, "levels": ["A", "A"] }));
        let opening = opening(&wish, &guest()).unwrap();
        assert!(opening.setup.get("decks").is_none());
        assert!(opening.setup.get("levels").is_none());
    }
}
