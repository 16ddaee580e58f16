#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[doc = include_str!("../COOKBOOK.md")]
pub mod cookbook {}

// The property tests of the views share their driver with the tests of the crate.
#[cfg(test)]
extern crate self as tractor;

mod bid;
mod card;
mod card_set;
mod deal;
mod event;
mod follow;
mod game;
mod judge;
mod lead;
mod leads;
mod legal_plays;
mod level;
mod loosen;
mod memory;
mod multi_combo;
mod planes;
mod random;
mod ranked_cards;
mod record;
mod round;
mod rules;
mod run;
#[cfg(feature = "schema")]
mod schema;
mod score;
mod seat;
mod shape;
mod subset;
mod throw;
mod trick;
mod trump;
mod view;
#[cfg(feature = "serde")]
mod wire;

pub use bid::{Bid, Declaration, DeclareError, may_declare, offers};
pub use card::{Card, Face, ParseCardError, Rank, Suit};
pub use card_set::{CardSet, Faces, ParseCardsError};
pub use deal::{Deck, ParseSeedError, Seed};
pub use event::{Event, ParseEventError};
pub use follow::{Duty, FollowError, Plays};
pub use game::{Game, GameError, ReplayError, ReplayGameError};
pub use judge::Judge;
pub use lead::{Lead, LeadError};
pub use legal_plays::LegalPlays;
pub use level::{Level, LevelSet, ParseLevelError};
pub use memory::{Memory, Shown};
pub use random::Outcome;
pub use ranked_cards::RankedCards;
pub use record::{Deal, ParseRecordError, Record, RecordError, Redacted, Seen};
pub use round::{
    Burying, Dealing, FailedThrow, KITTY, KittyBonus, Over, Phase, PlayedTrick, Playing, Points,
    Round, RoundError, Setup, Stealing,
};
pub use rules::{
    BidPolicy, BidReinforce, DeclOffer, Eligibility, FirstStarter, FollowPolicy, JokerBids,
    KittyMultiplier, NoBid, ResponseMapping, Rules, RulesError, Scoring, Switch, SwitchValues,
    ThrowEval, ThrowMode,
};
pub use score::{RoundEnd, RoundResult, Start};
pub use seat::{ParseSeatError, Seat, Team};
pub use shape::{Combo, Kind, Shape};
pub use throw::{Challenge, Detection, Knowledge, Validation, Weakness};
pub use trick::Trick;
pub use trump::{Group, ParseTrumpError, Trump};
pub use view::{Offer, SeenThrow, SeenTrick, Stage, View};
