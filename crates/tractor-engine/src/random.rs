//! Random legal play: the weakest opponent to measure against.

use tractor::{CardSet, KITTY, RankedCards, View};

use crate::beliefs::Beliefs;
use crate::rng::Rng;

/// How many legal plays are looked at before one is drawn.
const ENOUGH: u64 = 4096;

/// A random legal play.
pub(crate) fn play(beliefs: &Beliefs, rng: &mut Rng) -> RankedCards {
    let state = beliefs.state();
    let judge = state.tables.judge();
    let draw = |count: u64, rng: &mut Rng| {
        let room = usize::try_from(count.clamp(1, ENOUGH)).unwrap_or(1);
        rng.below(room)
    };
    let found = if let Some(trick) = state.trick {
        let duty = judge.duty(trick.lead(), state.hand);
        let number = draw(duty.count(), rng);
        duty.plays().nth(number)
    } else {
        let known = state.knowledge();
        let number = draw(judge.count_leads(state.hand, &known), rng);
        judge.leads(state.hand, &known).nth(number)
    };
    found.unwrap_or_default()
}

/// Eight random cards.
pub(crate) fn bury(view: &View, rng: &mut Rng) -> CardSet {
    let mut cards: Vec<_> = view.hand.iter().collect();
    let mut kitty = CardSet::EMPTY;
    for _ in 0..KITTY.min(cards.len()) {
        kitty.insert(cards.swap_remove(rng.below(cards.len())));
    }
    kitty
}

/// Now and then a random offer.
pub(crate) fn declare(view: &View, rng: &mut Rng) -> Option<usize> {
    (!view.offers.is_empty() && rng.below(20) == 0).then(|| rng.below(view.offers.len()))
}

/// Any of some plays.
pub(crate) fn one_of(plays: &[RankedCards], rng: &mut Rng) -> RankedCards {
    match plays.len() {
        0 => RankedCards::EMPTY,
        number => plays[rng.below(number)],
    }
}
