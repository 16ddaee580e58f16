//! Tractor: what a seat sees as bytes, plays as candidates or card by card, one round.
//!
//! Cards are told by their *slot*, the bit that a [`Judge`](tractor::Judge) gives their face under the trump as it stands
//! ([`RankedCards`](tractor::RankedCards) has the table): each suit is one stretch of slots with the stronger card higher, the trumps
//! come last, and what is learnt under one trump holds under another. Seats are told relative to the viewer: 0 is the viewer, 1 the
//! next seat, 2 the partner, 3 the seat before.

mod actions;
mod declare;
mod env;
mod legal;
mod observation;
mod options;
mod play;
mod seen;

pub use actions::{ACTIONS, Action, BIDS, END, FIRST_BID, PASS};
pub use env::Env;
pub use legal::CANDIDATES;
pub use observation::{CARD_BYTES, OBSERVATION_LEN, SECTIONS, Scalar, Section, observe};
pub use options::{Form, Options, Reward, Start};
pub use play::PlayError;
pub use seen::Seen;

/// The version of the observation and of both forms of action; it grows when one of them changes.
pub const VERSION: u32 = 1;
