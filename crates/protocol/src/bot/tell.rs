//! What a view tells a bot.

use tractor::{CardSet, Declaration, Seat, SeenThrow, SeenTrick, View};

use super::{
    DeclareRequest, FailedThrow, KittyRequest, Levels, PlayRequest, Standing, ToldDeclaration,
    ToldTrick,
};
use crate::tractor::{CardName, HouseRules, PlayedCards, suit_letter};

fn names(cards: CardSet) -> Vec<CardName> {
    cards.iter().map(CardName::from).collect()
}

/// The seat whose view it is.
fn viewer(view: &View) -> Seat {
    view.viewer.unwrap_or(Seat::ALL[0])
}

fn levels(view: &View) -> Levels {
    let [a, b] = view.levels;
    Levels { a, b }
}

fn declarations(view: &View) -> Vec<ToldDeclaration> {
    let told = |made: &Declaration| {
        let suit = suit_letter(made.bid.suit()).to_string();
        let word = made.bid.word().to_owned();
        (made.seat, word, Some(suit), Some(made.at))
    };
    view.declarations.iter().map(told).collect()
}

impl DeclareRequest {
    /// The question whether the viewer declares, with its hand so far.
    pub fn of(view: &View) -> Self {
        let seat = viewer(view);
        let standing = view.declarations.last().map(|last| Standing {
            seat: last.seat,
            r#type: last.bid.word().to_owned(),
            suit: Some(suit_letter(last.bid.suit()).to_string()),
        });
        Self {
            seat,
            rank: view.levels[view.defending.index()],
            hand: names(view.hand),
            dealt: view.dealt,
            current: standing,
            seed: Some(u64::from(view.dealt) * 4 + seat.index() as u64),
            rules: HouseRules::from(view.rules),
            levels: Some(levels(view)),
            declarations: declarations(view),
            revealed: view.revealed.map(CardName::from),
            buried_by: view.buried_by,
        }
    }
}

impl KittyRequest {
    /// The question which eight cards the viewer buries.
    pub fn of(view: &View) -> Self {
        Self {
            seat: viewer(view),
            trump: view.trump,
            hand: names(view.hand),
            rules: HouseRules::from(view.rules),
            levels: Some(levels(view)),
            declarations: declarations(view),
            revealed: view.revealed.map(CardName::from),
            buried_by: view.buried_by,
        }
    }
}

impl PlayRequest {
    /// The question what the viewer leads or follows with.
    pub fn of(view: &View) -> Self {
        let open = view.open.as_ref();
        Self {
            seat: viewer(view),
            trump: view.trump,
            hand: names(view.hand),
            starter: view.starter,
            defending: view.defending,
            tricks: view.tricks.iter().map(trick).collect(),
            current: open.map_or_else(Vec::new, plays),
            current_failed: open.and_then(|open| open.failed).map(failed),
            current_winner: open.and_then(|open| open.ahead.last().copied()),
            kitty: view.kitty.map(names),
            attacker_points: Some(view.attackers),
            hand_sizes: Some(view.held),
            rules: HouseRules::from(view.rules),
            levels: Some(levels(view)),
            declarations: declarations(view),
            revealed: view.revealed.map(CardName::from),
            buried_by: view.buried_by,
        }
    }
}

/// The plays of a trick: seats and cards in turn order.
fn plays(trick: &SeenTrick) -> Vec<PlayedCards> {
    let plays = trick.plays.iter().enumerate();
    plays
        .map(|(place, cards)| (trick.leader.after(place), names(*cards)))
        .collect()
}

fn failed(throw: SeenThrow) -> FailedThrow {
    FailedThrow {
        cards: names(throw.cards),
        by: throw.by,
    }
}

fn trick(trick: &SeenTrick) -> ToldTrick {
    ToldTrick {
        plays: plays(trick),
        winner: trick.ahead.last().copied(),
        failed: trick.failed.map(failed),
    }
}
