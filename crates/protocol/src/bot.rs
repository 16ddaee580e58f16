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

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tractor::{Level, Seat, Team, Trump};

use crate::envelope::Text;
use crate::error::{Error, ErrorCode};
use crate::nearest::hint;
use crate::operation::write_json;
use crate::read;
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

/// Reads a line: its `id`, and the request. What cannot be read is refused as on every other way in: an unknown field
/// with the nearest known one.
pub fn read_line(line: &[u8]) -> (Option<Value>, Result<Request, Error>) {
    let Ok(text) = std::str::from_utf8(line) else {
        return (None, Err(Error::not_utf8()));
    };
    match read::envelope(text) {
        Err((id, error)) => (id, Err(error)),
        Ok(envelope) => {
            let request = dispatch(envelope.op.as_ref().map(Text::as_str), text);
            (envelope.id, request)
        }
    }
}

fn dispatch(op: Option<&str>, text: &str) -> Result<Request, Error> {
    match op {
        Some("ping") => read::fields::<NoFields>(text).map(|NoFields {}| Request::Ping),
        Some("declare") => read::fields(text).map(Request::Declare),
        Some("kitty") => read::fields(text).map(Request::Kitty),
        Some("play") => read::fields(text).map(Request::Play),
        Some(op) => {
            let hint = hint(op, &["declare", "kitty", "play", "ping"]);
            let message = format!("no op is called {op:?}{hint}");
            Err(Error::new(ErrorCode::UnknownOp, message))
        }
        None => Err(read::missing(text, "op", "the request has no op")),
    }
}

/// What `ping` tells.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

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
#[derive(Debug)]
struct Context<'a> {
    rules: &'a HouseRules,
    levels: Option<Levels>,
    declarations: &'a [ToldDeclaration],
    revealed: Option<CardName>,
    buried_by: Option<Seat>,
}

/// Seat, type, suit (`N` for jokers), cards dealt by then.
pub type ToldDeclaration = (Seat, String, Option<String>, Option<u8>);

/// A request: its own fields, and those that every request has. They are written out for each, because serde cannot
/// tell unknown fields from known ones where a struct is flattened into another.
macro_rules! request {
    ($(#[$attribute:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            $($own)*
            /// The house rules.
            #[serde(default, skip_serializing_if = "HouseRules::is_default")]
            pub rules: HouseRules,
            /// The levels of both teams.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub levels: Option<Levels>,
            /// The declarations so far.
            #[serde(default)]
            pub declarations: Vec<ToldDeclaration>,
            /// The card of the kitty that was turned up (Rule 2.10.13).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub revealed: Option<CardName>,
            /// Who buried the kitty now on the table (Rule 2.10.14).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub buried_by: Option<Seat>,
        }

        impl $name {
            fn context(&self) -> Context<'_> {
                Context {
                    rules: &self.rules,
                    levels: self.levels,
                    declarations: &self.declarations,
                    revealed: self.revealed,
                    buried_by: self.buried_by,
                }
            }
        }
    };
}

/// The levels of both teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// That of seats 0 and 2.
    #[serde(rename = "A")]
    pub a: Level,
    /// That of seats 1 and 3.
    #[serde(rename = "B")]
    pub b: Level,
}

request! {
    /// Op `declare`.
    DeclareRequest {
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
    }
}

/// The declaration that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Whose it is.
    pub seat: Seat,
    /// Its type.
    pub r#type: String,
    /// Its suit; `N` for jokers.
    pub suit: Option<String>,
}

request! {
    /// Op `kitty`.
    KittyRequest {
        /// Whose decision it is.
        pub seat: Seat,
        /// The trump.
        #[serde(deserialize_with = "crate::tractor::trump")]
        pub trump: Trump,
        /// The 33 cards that it holds.
        pub hand: Vec<CardName>,
    }
}

request! {
    /// Op `play`.
    PlayRequest {
        /// Whose turn it is.
        pub seat: Seat,
        /// The trump.
        #[serde(deserialize_with = "crate::tractor::trump")]
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
    }
}

/// A finished trick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct FailedThrow {
    /// The cards shown.
    pub cards: Vec<CardName>,
    /// Who stopped it.
    pub by: Option<Seat>,
}
