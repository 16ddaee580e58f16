//! House rules: one plain struct of switches, and three presets.

use std::error::Error;
use std::fmt;

use crate::level::{Level, Levels};

/// An enum whose variants have names in the notation, in one table.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The value's name, as [`Rules::set`] reads it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}

switch! {
    /// Who decides whether a throw stands (Rule 3.2).
    ThrowMode {
        /// The leader must be able to prove it from public knowledge; otherwise it is refused.
        Certain = "certain",
        /// The real hands decide; a throw that fails leads one of its components instead.
        Challenge = "challenge",
    }
}

switch! {
    /// How two trump answers to a throw are compared (Rule 3.4).
    ThrowEval {
        /// The higher type of component in the answers wins, then its top card.
        Seed = "seed",
        /// The best type of the lead decides: the top card each answer offers at that type.
        LeadShape = "lead_shape",
        /// Every led component must be beaten by the part of the answer that matches it.
        All = "all",
        /// Only the highest matched card counts.
        Highest = "highest",
        /// Components by size, largest first; the first difference decides.
        UnitLength = "unit_length",
    }
}

switch! {
    /// When a trump answer may beat a throw at all (Rule 3.4).
    Eligibility {
        /// Its summary reaches the lead's: pairs, tractors, tractor pairs, longest tractor.
        Summary = "summary",
        /// Each led component has its own disjoint part in the answer.
        Embed = "embed",
    }
}

switch! {
    /// Which part of an answer stands for which component of the throw (Rule 2.10).
    ResponseMapping {
        /// Larger components first, each takes the strongest part that fits.
        Strongest = "strongest",
        /// Larger components first, each takes the lowest part that fits; singles get the rest.
        LowestFirst = "lowest_first",
    }
}

switch! {
    /// What a follower owes beside the led group (Rule 3.3).
    FollowPolicy {
        /// Pairs for pairs, a tractor for a tractor of the same length, tractor pairs for throws.
        Loose = "loose",
        /// The first shape of an ever looser list that the hand can show.
        Strict = "strict",
        /// Only the led group counts.
        Free = "free",
    }
}

switch! {
    /// How often the kitty counts (Rule 2.7).
    KittyMultiplier {
        /// Two to the number of led pairs plus one.
        PowPairs = "pow_pairs",
        /// Two for singles, four for anything with a pair.
        Flat = "flat_2_4",
        /// Twice the cards of the largest led component.
        Times2n = "times_2n",
        /// Two to the number of cards of the largest led component.
        PowN = "pow_n",
    }
}

switch! {
    /// Which declaration beats which (Rule 2.4).
    BidPolicy {
        /// More cards first, then jokers over suits.
        JokerOrGreaterLength = "joker_or_greater_length",
        /// As above, then also the higher suit at equal length.
        JokerOrHigherSuit = "joker_or_higher_suit",
        /// Only more cards.
        GreaterLength = "greater_length",
    }
}

switch! {
    /// Whether one may raise one's own declaration (Rule 2.4).
    BidReinforce {
        /// Only the standing one, with the same suit.
        WhileWinning = "while_winning",
        /// Also with another suit.
        OverturnSelf = "overturn_self",
        /// Never.
        Never = "never",
    }
}

switch! {
    /// Which jokers may declare (Rule 2.4).
    JokerBids {
        /// Two of a kind.
        Pairs = "pairs",
        /// One is enough.
        Singles = "singles",
        /// None at all.
        Off = "off",
    }
}

switch! {
    /// What a player who holds a pair of the trump rank may show (Rule 2.10).
    DeclOffer {
        /// The pair or one card of it.
        All = "all",
        /// The pair alone.
        PairOnly = "pair_only",
    }
}

switch! {
    /// Who starts round one (Rule 2.10).
    FirstStarter {
        /// Who made the winning declaration.
        WinningBid = "winning_bid",
        /// Who made the first declaration.
        FirstBid = "first_bid",
    }
}

switch! {
    /// What happens where nobody declares (Rule 2.4).
    NoBid {
        /// There is no trump suit.
        NoTrump = "no_trump",
        /// A card of the kitty is turned and sets it.
        RevealKitty = "reveal_kitty",
    }
}

/// How points become levels (Rule 2.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// Points of one step.
    pub step: u16,
    /// At this many steps the attackers take over.
    pub turnover: u8,
    /// This many steps from there on win no level.
    pub dead_zone: u8,
    /// The defenders win one level more at this many points or fewer.
    pub shutout: u16,
}

/// House rules. The fields are plain: `Rules { min_tractor_len: 3, ..Rules::DEFAULT }`.
///
/// ```
/// # use tractor::{FollowPolicy, Rules};
/// let mut rules = Rules::preset("default").expect("a preset");
/// rules.set("follow_policy", "strict")?;
/// assert_eq!(rules.follow_policy, FollowPolicy::Strict);
/// assert_eq!(rules.set("follow_policy", "odd").unwrap_err().to_string(),
///     "follow_policy is one of: loose, strict, free");
/// # Ok::<_, tractor::RulesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, named by the rules"
)]
pub struct Rules {
    /// Who decides whether a throw stands (Rule 3.2).
    pub throw_mode: ThrowMode,
    /// Whether trumps may be thrown (Rule 3.2).
    pub allow_trump_throw: bool,
    /// Points that pass to the other side for each failed throw (Rule 3.2).
    pub throw_penalty: u16,
    /// Whether all are told who stopped a failed throw (Rule 3.2).
    pub announce_stopper: bool,
    /// Whether the leader may name how the cards are grouped into components (Rule 3.1).
    pub name_grouping: bool,
    /// How two trump answers to a throw are compared (Rule 3.4).
    pub throw_eval: ThrowEval,
    /// When a trump answer may beat a throw at all (Rule 3.4).
    pub eligibility: Eligibility,
    /// Which part of an answer stands for which component (Rule 3.4).
    pub response_mapping: ResponseMapping,
    /// What a follower owes beside the led group (Rule 3.3).
    pub follow_policy: FollowPolicy,
    /// Without a trump suit, whether a pair of the trump rank touches the small jokers (Rule 1.6).
    pub nt_rank_joker_adjacent: bool,
    /// Pairs that make a tractor, two or three (Rule 1.6).
    pub min_tractor_len: u8,
    /// Which declaration beats which (Rule 2.4).
    pub bid_policy: BidPolicy,
    /// Whether one may raise one's own declaration (Rule 2.4).
    pub bid_reinforce: BidReinforce,
    /// Which jokers may declare (Rule 2.4).
    pub joker_bids: JokerBids,
    /// Whether a player may raise an own pair of small jokers to big ones (Rule 2.4).
    pub own_joker_raise: bool,
    /// What a player with a pair of the trump rank may show (Rule 2.4).
    pub decl_offer: DeclOffer,
    /// Who starts round one (Rule 2.4).
    pub first_starter: FirstStarter,
    /// What happens where nobody declares (Rule 2.4).
    pub no_bid: NoBid,
    /// Whether a higher declaration after the bury takes over the kitty (Rule 2.10).
    pub kitty_theft: bool,
    /// How often the kitty counts (Rule 2.7).
    pub kitty_multiplier: KittyMultiplier,
    /// How points become levels (Rule 2.8).
    pub scoring: Scoring,
    /// The level that must be defended to win the game: the ace or NT (Rule 2.10).
    pub max_rank: Level,
    /// Levels that can only be left by defending them (Rule 2.9).
    pub must_defend: Levels,
    /// Attackers who win the last trick with a single jack send defenders on J back to 2 (Rule 2.10).
    pub jack_back_to_two: bool,
    /// Whether a round ends once no further point can change its result (Rule 2.10).
    pub end_early: bool,
    /// Whether a play may be taken back before the next one (Rule 2.10).
    pub take_back: bool,
}

impl Rules {
    /// The recommended game.
    pub const DEFAULT: Self = Self {
        throw_mode: ThrowMode::Certain,
        allow_trump_throw: false,
        throw_penalty: 0,
        announce_stopper: true,
        name_grouping: false,
        throw_eval: ThrowEval::Seed,
        eligibility: Eligibility::Summary,
        response_mapping: ResponseMapping::Strongest,
        follow_policy: FollowPolicy::Loose,
        nt_rank_joker_adjacent: true,
        min_tractor_len: 2,
        bid_policy: BidPolicy::JokerOrGreaterLength,
        bid_reinforce: BidReinforce::WhileWinning,
        joker_bids: JokerBids::Pairs,
        own_joker_raise: false,
        decl_offer: DeclOffer::All,
        first_starter: FirstStarter::WinningBid,
        no_bid: NoBid::NoTrump,
        kitty_theft: false,
        kitty_multiplier: KittyMultiplier::PowPairs,
        scoring: Scoring {
            step: 40,
            turnover: 2,
            dead_zone: 1,
            shutout: 0,
        },
        max_rank: Level::ACE,
        must_defend: Levels::ACE,
        jack_back_to_two: false,
        end_early: false,
        take_back: false,
    };

    /// The game of the app ejfn/Tractor.
    pub const EJFN: Self = Self {
        throw_eval: ThrowEval::LeadShape,
        nt_rank_joker_adjacent: false,
        decl_offer: DeclOffer::PairOnly,
        ..Self::DEFAULT
    };

    /// The game of the server rbtying/shengji with its own defaults.
    pub const SHENGJI: Self = Self {
        throw_mode: ThrowMode::Challenge,
        allow_trump_throw: true,
        throw_eval: ThrowEval::All,
        eligibility: Eligibility::Embed,
        response_mapping: ResponseMapping::LowestFirst,
        follow_policy: FollowPolicy::Strict,
        no_bid: NoBid::RevealKitty,
        kitty_multiplier: KittyMultiplier::Times2n,
        max_rank: Level::NT,
        must_defend: Levels::ACE.with(Level::NT),
        ..Self::DEFAULT
    };

    /// The names of the presets.
    pub const PRESETS: [&'static str; 3] = ["default", "ejfn", "shengji"];

    /// A preset by its name.
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::DEFAULT),
            "ejfn" => Some(Self::EJFN),
            "shengji" => Some(Self::SHENGJI),
            _ => None,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Sets a field from its text, or says what the field may be.
trait Read: Sized {
    const MAY_BE: &'static str;
    fn read(text: &str) -> Option<Self>;
    fn write(&self) -> String;
}

impl Read for bool {
    const MAY_BE: &'static str = "true, false";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read for u16 {
    const MAY_BE: &'static str = "a number of points";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read for u8 {
    const MAY_BE: &'static str = "2, 3";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|len| (2..=3).contains(len))
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read for Level {
    const MAY_BE: &'static str = "A, NT";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|&level| level >= Self::ACE)
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read for Levels {
    const MAY_BE: &'static str = "levels between spaces (5 T K A)";
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read for Scoring {
    const MAY_BE: &'static str = "step, turnover, dead zone and shutout (40 2 1 0)";
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace().map(|part| part.parse::<u16>().ok());
        let mut next = || parts.next().flatten();
        let scoring = Self {
            step: next().filter(|&step| step > 0)?,
            turnover: next().and_then(|steps| u8::try_from(steps).ok())?,
            dead_zone: next().and_then(|steps| u8::try_from(steps).ok())?,
            shutout: next()?,
        };
        parts.next().is_none().then_some(scoring)
    }
    fn write(&self) -> String {
        format!(
            "{} {} {} {}",
            self.step, self.turnover, self.dead_zone, self.shutout
        )
    }
}

macro_rules! named {
    ($($name:ident: $may:literal),+ $(,)?) => {$(
        impl Read for $name {
            const MAY_BE: &'static str = $may;
            fn read(text: &str) -> Option<Self> { Self::from_name(text) }
            fn write(&self) -> String { self.name().into() }
        }
    )+};
}

named! {
    ThrowMode: "certain, challenge",
    ThrowEval: "seed, lead_shape, all, highest, unit_length",
    Eligibility: "summary, embed",
    ResponseMapping: "strongest, lowest_first",
    FollowPolicy: "loose, strict, free",
    KittyMultiplier: "pow_pairs, flat_2_4, times_2n, pow_n",
    BidPolicy: "joker_or_greater_length, joker_or_higher_suit, greater_length",
    BidReinforce: "while_winning, overturn_self, never",
    JokerBids: "pairs, singles, off",
    DeclOffer: "all, pair_only",
    FirstStarter: "winning_bid, first_bid",
    NoBid: "no_trump, reveal_kitty",
}

macro_rules! fields {
    ($($field:ident),+ $(,)?) => {
        impl Rules {
            /// The names of all switches, in the order of the fields.
            pub const SWITCHES: &'static [&'static str] = &[$(stringify!($field)),+];

            /// Sets one switch from its name and value, as texts.
            pub fn set(&mut self, switch: &str, value: &str) -> Result<(), RulesError> {
                match switch {
                    $(stringify!($field) => {
                        fn may_be<T: Read>(_: &T) -> &'static str { T::MAY_BE }
                        let refused = RulesError::Value {
                            switch: stringify!($field),
                            may_be: may_be(&self.$field),
                        };
                        self.$field = Read::read(value).ok_or(refused)?;
                        Ok(())
                    })+
                    _ => Err(RulesError::Switch),
                }
            }

            /// The value of one switch as text, as [`Rules::set`] reads it.
            pub fn value(&self, switch: &str) -> Option<String> {
                match switch {
                    $(stringify!($field) => Some(self.$field.write()),)+
                    _ => None,
                }
            }
        }
    };
}

fields! {
    throw_mode, allow_trump_throw, throw_penalty, announce_stopper, name_grouping, throw_eval,
    eligibility, response_mapping, follow_policy, nt_rank_joker_adjacent, min_tractor_len,
    bid_policy, bid_reinforce, joker_bids, own_joker_raise, decl_offer, first_starter, no_bid,
    kitty_theft, kitty_multiplier, scoring, max_rank, must_defend, jack_back_to_two, end_early,
    take_back,
}

/// Why a switch was not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesError {
    /// There is no such switch.
    Switch,
    /// The switch knows no such value.
    Value {
        /// Which switch.
        switch: &'static str,
        /// What it may be.
        may_be: &'static str,
    },
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch => f.write_str("there is no such switch among the house rules"),
            Self::Value { switch, may_be } => write!(f, "{switch} is one of: {may_be}"),
        }
    }
}

impl Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_reads_back_as_written() {
        for preset in Rules::PRESETS {
            let rules = Rules::preset(preset).unwrap();
            let mut copy = Rules::DEFAULT;
            for switch in Rules::SWITCHES {
                copy.set(switch, &rules.value(switch).unwrap()).unwrap();
                assert!(copy.set(switch, "odd").is_err());
            }
            assert_eq!(copy, rules);
        }
        assert_eq!(
            Rules::DEFAULT.clone().set("odd", "1"),
            Err(RulesError::Switch)
        );
    }
}
