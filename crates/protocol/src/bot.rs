//! The line protocol of Tractor bots, for both ends; `docs/bots.md` describes it.
//!
//! ```
//! use convoy_protocol::bot::{self, Request};
//! let line = br#"{"id":7,"op":"play","seat":0,"trump":{"rank":"2","suit":"H"},"hand":["AS","3D"],
//!     "starter":1,"defending":"B","tricks":[],"current":[]}"#;
//! let (id, request) = bot::read_line(line);
//! let Ok(Request::Play(request)) = request else { panic!("a request to play") };
//! let told = request.view()?;
//! assert_eq!((id, told.view.hand.len()), (Some(7.into()), 2));
//! // The other end: what a view tells a bot.
//! assert_eq!(bot::PlayRequest::of(&told.view).hand.len(), 2);
//! # Ok::<_, convoy_protocol::Error>(())
//! ```

mod answer;
mod tell;
mod view;

pub use answer::{CardsAnswer, DeclareAnswer, Declared};
pub use view::Told;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tractor::{Level, Seat, Team, Trump};

use crate::error::{Error, ErrorCode};
use crate::nearest::hint;
use crate::operation::write_json;
use crate::tractor::{CardName, HouseRules, PlayedCards};

/// A request to a bot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Request {
    /// Whether to declare, and what.
    Declare(DeclareRequest),
    /// Which cards to bury.
    Kitty(KittyRequest),
    /// What to lead or follow with.
    Play(PlayRequest),
    /// Nothing but an answer.
    Ping,
}

/// Reads a line: its `id`, and the request. Fields that are not known are passed over, since a newer arena may tell
/// more.
pub fn read_line(line: &[u8]) -> (Option<Value>, Result<Request, Error>) {
    #[derive(Deserialize)]
    struct Envelope {
        id: Option<Value>,
        op: Option<String>,
    }
    let malformed = |error: serde_json::Error| Error::new(ErrorCode::Malformed, error.to_string());
    let envelope: Envelope = match serde_json::from_slice(line) {
        Ok(envelope) => envelope,
        Err(error) => {
            let message = format!("not a request: {error}");
            return (None, Err(Error::new(ErrorCode::Malformed, message)));
        }
    };
    let request = match envelope.op.as_deref() {
        Some("ping") => Ok(Request::Ping),
        Some("declare") => serde_json::from_slice(line).map(Request::Declare),
        Some("kitty") => serde_json::from_slice(line).map(Request::Kitty),
        Some("play") => serde_json::from_slice(line).map(Request::Play),
        Some(op) => {
            let hint = hint(op, &["declare", "kitty", "play", "ping"]);
            let message = format!("no op is called {op:?}{hint}");
            return (envelope.id, Err(Error::new(ErrorCode::UnknownOp, message)));
        }
        None => {
            let error = Error::new(ErrorCode::Malformed, "the request has no op");
            return (envelope.id, Err(error));
        }
    };
    (envelope.id, request.map_err(malformed))
}

/// Appends a request as a line, without the line break.
///
/// ```
/// use convoy_protocol::bot::{self, Request};
/// let mut line = Vec::new();
/// bot::write_line(3, &Request::Ping, &mut line);
/// assert_eq!(line, br#"{"id":3,"op":"ping"}"#);
/// ```
pub fn write_line(id: u64, request: &Request, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Line<'a> {
        id: u64,
        #[serde(flatten)]
        request: &'a Request,
    }
    write_json(&Line { id, request }, out);
}

/// What every request tells beside its own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The levels of both teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
    /// The declarations so far: seat, type, suit (`N` for jokers), cards dealt by then.
    #[serde(default)]
    pub declarations: Vec<(Seat, String, Option<String>, Option<u8>)>,
    /// The card of the kitty that was turned up (Rule 2.10.13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revealed: Option<CardName>,
    /// Who buried the kitty now on the table (Rule 2.10.14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buried_by: Option<Seat>,
}

/// The levels of both teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    /// That of seats 0 and 2.
    #[serde(rename = "A")]
    pub a: Level,
    /// That of seats 1 and 3.
    #[serde(rename = "B")]
    pub b: Level,
}

/// Op `declare`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeclareRequest {
    /// Whose decision it is.
    pub seat: Seat,
    /// The trump rank.
    pub rank: Level,
    /// The seat's cards so far.
    pub hand: Vec<CardName>,
    /// Cards dealt to all four, 1 to 100.
    pub dealt: u8,
    /// The standing declaration.
    pub current: Option<Standing>,
    /// A number to draw chances from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What every request tells.
    #[serde(flatten)]
    pub context: Context,
}

/// The declaration that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Whose it is.
    pub seat: Seat,
    /// Its type.
    pub r#type: String,
    /// Its suit; `N` for jokers.
    pub suit: Option<String>,
}

/// Op `kitty`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KittyRequest {
    /// Whose decision it is.
    pub seat: Seat,
    /// The trump.
    #[serde(deserialize_with = "trump")]
    pub trump: Trump,
    /// The 33 cards that it holds.
    pub hand: Vec<CardName>,
    /// What every request tells.
    #[serde(flatten)]
    pub context: Context,
}

/// Op `play`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayRequest {
    /// Whose turn it is.
    pub seat: Seat,
    /// The trump.
    #[serde(deserialize_with = "trump")]
    pub trump: Trump,
    /// The seat's cards.
    pub hand: Vec<CardName>,
    /// Who started the round.
    pub starter: Seat,
    /// The defending team.
    pub defending: Team,
    /// The finished tricks.
    #[serde(default)]
    pub tricks: Vec<ToldTrick>,
    /// The plays of the open trick.
    #[serde(default)]
    pub current: Vec<PlayedCards>,
    /// The throw that failed at its head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_failed: Option<FailedThrow>,
    /// Who is ahead in it.
    #[serde(default)]
    pub current_winner: Option<Seat>,
    /// The eight buried cards, for the seat that buried them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitty: Option<Vec<CardName>>,
    /// The attackers' points so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attacker_points: Option<i32>,
    /// Cards held by seats 0 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_sizes: Option<[usize; 4]>,
    /// What every request tells.
    #[serde(flatten)]
    pub context: Context,
}

/// A finished trick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldTrick {
    /// Its plays from the leader on.
    pub plays: Vec<PlayedCards>,
    /// Who won it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Seat>,
    /// The throw that failed at its head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedThrow>,
}

/// A throw that failed: all cards shown, and who stopped it where that is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedThrow {
    /// The cards shown.
    pub cards: Vec<CardName>,
    /// Who stopped it.
    pub by: Option<Seat>,
}

/// Reads a trump as other requests have it, but passes over fields that are not known.
fn trump<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Trump, D::Error> {
    #[derive(Deserialize)]
    struct Parts {
        rank: Level,
        suit: Option<String>,
    }
    let Parts { rank, suit } = Parts::deserialize(deserializer)?;
    crate::tractor::read_trump(rank, suit.as_deref()).map_err(serde::de::Error::custom)
}
