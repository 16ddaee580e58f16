//! Tables that are about to be opened, and what was asked for.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{PlayerId, TableId};
use crate::refusal::Refusal;
use crate::seat::Occupant;

/// A table that is about to be opened.
#[derive(Debug, Clone)]
pub struct TableSpec {
    /// The name of its game.
    pub game: &'static str,
    /// What its game needs to know.
    pub setup: Value,
    /// Who sits where at first.
    pub seats: Vec<Occupant>,
    /// Whether lists show it.
    pub public: bool,
    /// The table that it follows.
    pub previous: Option<TableId>,
}

/// Somebody who opens a table or sits down at one: a guest or an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Whom the seat belongs to.
    pub id: PlayerId,
    /// The name that the others see.
    pub name: String,
}

impl Player {
    /// A new player that nobody is, for the seats of a deleted account.
    pub(crate) fn anonymous() -> Self {
        let id = PlayerId::random();
        Self {
            name: id.guest_name(),
            id,
        }
    }
}

/// What a form or a call says about a new table; all of it may be left out.
///
/// ```
/// use convoy_server::{Number, NewTable};
///
/// let new_table: NewTable = serde_json::from_str(r#"{"opponent": "bot", "level": "3", "minutes": 0.5}"#)?;
/// assert_eq!(new_table.level, Some(Number(3.0)));
/// assert_eq!(new_table.rest["minutes"], 0.5);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewTable {
    /// The name of the game.
    pub game: String,
    /// `bot`, `open` or `friend`.
    pub opponent: String,
    /// The level of the bot.
    pub level: Option<Number>,
    /// What single games ask for, such as a clock or the switches of house rules.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl NewTable {
    /// What a game asks for, from the fields that are its own.
    pub(crate) fn wishes<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let text = serde_json::to_string(&self.rest).expect("JSON can be written");
        Ok(convoy_protocol::read_json(&text)?)
    }
}

/// A number that a form sends as text and a program as a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Number(pub f64);

impl TryFrom<Value> for Number {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        let number = match &value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => Some(0.0),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number
            .filter(|n: &f64| n.is_finite())
            .map(Self)
            .ok_or("not a number")
    }
}
