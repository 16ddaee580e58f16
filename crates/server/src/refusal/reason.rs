//! Reasons within a refusal: a word that stays the same, for translations, beside the English text.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value, json};

/// Why exactly something was refused.
///
/// ```
/// use convoy_server::Reason;
///
/// let reason = Reason::new("unreachable", "no such action from c5 to c9").with("to", "c9");
/// assert_eq!(reason.code(), "unreachable");
/// assert_eq!(reason.json()["to"], "c9");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    code: Cow<'static, str>,
    with: Map<String, Value>,
    text: Cow<'static, str>,
}

impl Reason {
    /// A reason: its word, and what it says in English.
    pub fn new(code: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code: code.into(),
            with: Map::new(),
            text: text.into(),
        }
    }

    /// The reason with one more thing that belongs to it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with.insert(name.to_owned(), value.into());
        self
    }

    /// The word for programs and translations.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What belongs to the reason, by name.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.with.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// `{"code", …, "message"}`
    pub fn json(&self) -> Value {
        let mut all = self.with.clone();
        all.insert("code".to_owned(), json!(self.code));
        all.insert("message".to_owned(), json!(self.text));
        Value::Object(all)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reasons that take nothing along: each has a word and a text.
macro_rules! reasons {
    ($(#[$doc:meta])* $name:ident: $($(#[$note:meta])* $variant:ident, $code:literal, $text:literal;)+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$note])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word for programs and translations.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// What it says in English.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl From<$name> for Reason {
            fn from(reason: $name) -> Self {
                Self::new(reason.code(), reason.text())
            }
        }
    };
}

reasons! {
    /// Why something is not to be done at this moment.
    ///
    /// ```
    /// use convoy_server::NotNow;
    ///
    /// assert_eq!(NotNow::Asked.code(), "asked");
    /// ```
    NotNow:
    /// Only some games seat bots on request.
    NoBots, "no-bots", "bots do not sit down at this table";
    /// There is nothing to fill.
    NoOpenSeat, "no-open-seat", "no seat is open";
    /// A bot's own fault.
    Silent, "silent", "the bot came back with nothing";
    /// An offer stands already.
    Offered, "offered", "you have offered that already";
    /// Nothing was offered that could be declined.
    NothingOffered, "nothing-offered", "nothing was offered";
    /// A takeback before the first turn.
    NoTurn, "no-turn", "there is no turn to take back";
    /// Nobody has been gone for long enough.
    Here, "here", "the other side is here, or has only just left";
    /// Too late to call a game off.
    BothMoved, "both-moved", "both sides have moved";
    /// Another game is for afterwards.
    NotOver, "not-over", "the game is not over";
    /// Another round is for afterwards, and so is looking back.
    RoundNotOver, "round-not-over", "the round is not over";
    /// Only the deals of this server are proven.
    NoProof, "no-proof", "the round was played on a device: nothing proves its deal";
    /// The engine helps nobody in a game between people.
    EngineOff, "engine-off", "the engine is off for games between people until they are over";
    /// Asked twice.
    Asked, "asked", "you have asked already";
    /// The round has no cards yet.
    NotDealt, "not-dealt", "no cards are dealt";
    /// There is nothing to commit or reveal.
    NotShuffling, "not-shuffling", "the cards are not being shuffled";
    /// A round or an attempt that is not this one.
    OtherShuffle, "other-shuffle", "that is another shuffle";
    /// A seat commits once.
    Committed, "committed", "this seat has committed";
    /// Too late to commit.
    RosterFixed, "roster-fixed", "the roster of this shuffle is fixed";
    /// A seat that once did not reveal.
    Dropped, "dropped", "this seat once did not reveal and adds nothing for the rest of the match";
    /// Too early to reveal.
    NoRoster, "no-roster", "the roster of this shuffle is not fixed yet";
    /// Only who has committed reveals.
    NotInRoster, "not-in-roster", "this seat has not committed";
    /// A seat reveals once.
    Revealed, "revealed", "this seat has revealed";
    /// Bits that do not have the hash.
    OtherBits, "other-bits", "these are not the bits that this seat committed to";
    /// One account is enough.
    HasAccount, "has-account", "you have an account already";
    /// What only an account has.
    NoAccount, "no-account", "you are not logged in";
    /// A question is being answered.
    Answering, "answering", "your last question is not answered yet";
}

reasons! {
    /// What somebody has too many of at once.
    ///
    /// ```
    /// use convoy_server::TooMany;
    ///
    /// assert_eq!(TooMany::Tables.code(), "tables");
    /// ```
    TooMany:
    /// Connections to tables, lists and analyses.
    Sockets, "sockets", "too many connections are open; close another page";
    /// Tables that are not over.
    Tables, "tables", "too many of your games are not over; finish one first";
    /// Analyses.
    Analyses, "analyses", "too many analyses are running; stop another one";
    /// Analyses under a link.
    SavedAnalyses, "saved-analyses", "you have saved as many analyses as there is room for; delete one first";
}

reasons! {
    /// Which choice lies outside what is offered. Those of all games stand in one list, so that a test can tell that each is
    /// worded in every language and described to programs.
    ///
    /// ```
    /// use convoy_server::BadChoice;
    ///
    /// assert_eq!(BadChoice::Seat.text(), "no such seat");
    /// ```
    BadChoice:
    /// A seat that the table has not.
    Seat, "seat", "no such seat";
    /// Red or blue.
    Color, "color", "color is r, b or random";
    /// Against whom.
    Opponent, "opponent", "opponent is bot, open or friend";
    /// The level of a player of Cờ Tư Lệnh.
    Level, "level", "a level is 1 to 10";
    /// The level of a player of Tractor.
    CardLevel, "card-level", "a level is 1 to 4";
    /// A clock beyond the bounds.
    Clock, "clock", "a clock has at most 180 minutes and 180 seconds a turn";
    /// An optional victory that does not exist.
    Victories, "victories", "victories are some of marine, air and land";
    /// A turn timer beyond the bounds.
    Seconds, "seconds", "a turn has 5 to 600 seconds, or 0 for no limit";
    /// House rules that do not exist.
    Rules, "rules", "rules are default, ejfn or shengji, or switches by name";
    /// A switch of the house rules with a value that it has not.
    Switch, "switch", "a house rule has no such value";
    /// A speed of the deal at a card table that there is not.
    Deal, "deal", "a deal is fast or normal";
    /// A level that teams do not have.
    TeamLevel, "team-level", "a level is 2 to A, or NT";
    /// A trump that does not exist.
    Trump, "trump", "trump is such as 7H, or 7N without a suit";
    /// A list that does not exist.
    State, "state", "state is open or live";
    /// A language that the pages do not speak.
    Language, "language", "no such language";
}
