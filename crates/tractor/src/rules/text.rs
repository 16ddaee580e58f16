//! House rules as texts: one switch, one value.

use std::error::Error;
use std::fmt;

use super::{
    BidPolicy, BidReinforce, DeclOffer, Eligibility, FirstStarter, FollowPolicy, JokerBids,
    KittyMultiplier, NoBid, ResponseMapping, Rules, Scoring, ThrowEval, ThrowMode,
};
use crate::level::{Level, Levels};

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
///
/// ```
/// # use tractor::{Rules, RulesError};
/// assert_eq!(Rules::DEFAULT.clone().set("odd", "true"), Err(RulesError::Switch));
/// ```
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
