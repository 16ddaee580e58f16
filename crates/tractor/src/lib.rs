#![doc = include_str!("../README.md")]

mod card;
mod cards;
mod follow;
mod hand;
mod judge;
mod lead;
mod leads;
mod level;
mod loosen;
mod memory;
mod planes;
mod random;
mod rules;
mod run;
mod seat;
mod shape;
mod subset;
mod throw;
mod trick;
mod trump;

pub use card::{Card, Face, ParseCardError, Rank, Suit};
pub use cards::{CardSet, Cards, ParseCardsError};
pub use follow::{Duty, FollowRefusal, Plays};
pub use hand::Hand;
pub use judge::Judge;
pub use lead::{Lead, LeadRefusal};
pub use level::{Level, Levels};
pub use memory::{Memory, Shown};
pub use random::Outcome;
pub use rules::{
    BidPolicy, BidReinforce, DeclOffer, Eligibility, FirstStarter, FollowPolicy, JokerBids,
    KittyMultiplier, NoBid, ResponseMapping, Rules, RulesError, Scoring, ThrowEval, ThrowMode,
};
pub use seat::{Seat, Team};
pub use shape::{Combo, Kind, Shape};
pub use throw::{Challenge, Detection, Knowledge, Validation, Weakness};
pub use trick::Trick;
pub use trump::{Group, ParseTrumpError, Trump};
