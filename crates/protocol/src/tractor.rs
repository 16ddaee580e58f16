//! Questions about Tractor; `docs/protocol-tractor.md` describes every op.
//!
//! ```
//! use convoy_protocol::Operation as _;
//! use convoy_protocol::tractor::FollowRequest;
//! let request: FollowRequest = serde_json::from_str(
//!     r#"{"trump":{"rank":"2","suit":"H"},"lead":["KS"],"hand":["2S","QS","3D"],"tries":[["QS"],["2S"]]}"#,
//! )?;
//! let verdicts = request.answer()?.verdicts;
//! assert_eq!((verdicts[0].0, verdicts[1].0), (1, 0));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod cards;
mod combo;
mod decl;
mod helpers;
mod lead;
mod legal;
mod memory;
mod round;
mod score;
pub mod table;
mod trick;

pub use cards::{CardName, HouseRules, card_set};
pub(crate) use cards::{Notation, named_too_often, trump};
pub use combo::{
    CmpAnswer, CmpRequest, ComboAnswer, ComboRequest, IdentifyAnswer, IdentifyRequest, Sign,
    Structure,
};
pub(crate) use decl::suit_letter;
pub use decl::{DeclAnswer, DeclOption, DeclRequest, Standing};
pub use helpers::{
    CompareAnswer, CompareRequest, GroupName, StructureAnswer, StructureRequest, UnbeatableAnswer,
    UnbeatableRequest, VoidAnswer, VoidRequest,
};
pub use lead::{LeadAnswer, LeadRequest, Multi, ThrowAnswer, ThrowRequest};
pub use legal::{FollowsRequest, LeadsRequest, PlaysAnswer, ValidateAnswer, ValidateRequest};
pub use memory::{Counters, MemoryAnswer, MemoryRequest, SeatCounters};
pub use round::{
    Points, RoundAnswer, RoundDeclaration, RoundRequest, RoundTrick, ScoredRound, TeamIn,
};
pub use score::{
    Bonus, KittyAnswer, KittyRequest, Next, Ranks, RoundScore, ScoreAnswer, ScoreIn, ScoreOut,
    ScoreRequest,
};
pub use trick::{FollowAnswer, FollowRequest, PlayedCards, TrickAnswer, TrickRequest, Verdict};

use crate::operation::operations;

operations! { "tractor", "Tractor":
    /// What cards are.
    Combo(ComboRequest),
    /// Every combo of a hand.
    Identify(IdentifyRequest),
    /// Whether cards may be led.
    Lead(LeadRequest),
    /// Whether cards may follow.
    Follow(FollowRequest),
    /// The legal leads of a hand.
    Leads(LeadsRequest),
    /// The legal follows of a hand.
    Follows(FollowsRequest),
    /// Whether cards may be played, and why not.
    Validate(ValidateRequest),
    /// Who wins a trick.
    Trick(TrickRequest),
    /// What becomes of a throw.
    Throw(ThrowRequest),
    /// How a round is scored.
    Score(ScoreRequest),
    /// What the kitty is worth.
    Kitty(KittyRequest),
    /// Which of two cards is higher.
    Cmp(CmpRequest),
    /// What a seat may declare.
    Decl(DeclRequest),
    /// What the tricks so far have shown.
    Memory(MemoryRequest),
    /// A whole round.
    Round(RoundRequest),
    /// Whether a play has the structure that a throw requires.
    MatchesRequiredStructure(StructureRequest),
    /// Which of two trump answers to a throw is the stronger one.
    CompareTrumpMultiCombos(CompareRequest),
    /// Whether a play takes the last cards of a group out of the hand.
    IsVoidAfterPlay(VoidRequest),
    /// The components of a hand that nothing unseen beats.
    FindUnbeatableCombos(UnbeatableRequest),
    // What a table shows of a round.
    ; beside tractor::Declaration, tractor::KittyBonus, tractor::Offer, tractor::RoundResult, tractor::SeenTrick,
        tractor::Stage, table::GroupedCards, table::RoundSummary
}
