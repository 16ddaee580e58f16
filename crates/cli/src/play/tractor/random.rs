//! Chance as a player, until an engine plays.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use tractor::{CardSet, Event, RankedCards, Seat, Stage, View};

use super::Opponent;

/// A number that nobody chose.
pub(super) fn fresh() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// `SplitMix64`.
#[derive(Debug)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let number = (mixed ^ mixed >> 31) % u64::try_from(n).unwrap_or(u64::MAX).max(1);
        usize::try_from(number).unwrap_or(0)
    }
}

/// A player who declares now and then, buries any cards and makes any legal play.
pub(super) fn player(seed: u64) -> Opponent {
    let mut chance = Chance(seed);
    Box::new(move |view| act(view, &mut chance))
}

fn act(view: &View, chance: &mut Chance) -> Option<Event> {
    let seat = view.viewer?;
    let mine = view.turn == Some(seat);
    match view.stage {
        Stage::Dealing | Stage::Stealing => declare(view, seat, chance),
        Stage::Burying if mine => Some(Event::Bury {
            seat,
            cards: bury(view.hand, chance),
        }),
        Stage::Playing if mine => Some(play(view, seat, chance)),
        Stage::Burying | Stage::Playing | Stage::Over => None,
    }
}

fn declare(view: &View, seat: Seat, chance: &mut Chance) -> Option<Event> {
    let eager = view.stage == Stage::Dealing && chance.below(6) == 0;
    if eager && !view.offers.is_empty() {
        let offer = view.offers[chance.below(view.offers.len())];
        return Some(Event::Declare {
            seat,
            cards: offer.cards,
        });
    }
    let open = view.dealt == 100 && !view.passed[seat.index()];
    open.then_some(Event::Pass { seat })
}

/// Eight cards without points if there are so many.
fn bury(hand: CardSet, chance: &mut Chance) -> CardSet {
    let (mut cards, points): (Vec<_>, Vec<_>) = hand.iter().partition(|card| card.points() == 0);
    let mut chosen = CardSet::EMPTY;
    while chosen.len() < tractor::KITTY && !cards.is_empty() {
        chosen.insert(cards.swap_remove(chance.below(cards.len())));
    }
    for card in points {
        if chosen.len() < tractor::KITTY {
            chosen.insert(card);
        }
    }
    chosen
}

fn play(view: &View, seat: Seat, chance: &mut Chance) -> Event {
    let judge = view.judge();
    let hand = judge.ranked(view.hand.faces());
    let plays: Vec<RankedCards> = match view.lead(&judge) {
        Some(lead) => judge.duty(&lead, hand).plays().take(64).collect(),
        None => judge.straight_leads(hand).collect(),
    };
    let play = plays[chance.below(plays.len())];
    let cards = view
        .hand
        .pick(judge.faces(play))
        .expect("plays are made of the hand");
    Event::Play { seat, cards }
}
