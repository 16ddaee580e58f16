//! Random legal play: the yardstick below all others.

use tractor::{CardSet, Hand, View};

use crate::dice::Dice;
use crate::sight::Sight;

/// How many legal plays are looked at before one is drawn.
const ENOUGH: u64 = 4096;

/// A random legal play.
pub(crate) fn play(sight: &Sight, dice: &mut Dice) -> Hand {
    let eyes = sight.eyes();
    let judge = eyes.lore.judge();
    let draw = |count: u64, dice: &mut Dice| {
        let room = usize::try_from(count.clamp(1, ENOUGH)).unwrap_or(1);
        dice.below(room)
    };
    let found = if let Some(trick) = eyes.trick {
        let duty = judge.duty(trick.lead(), eyes.hand);
        let number = draw(duty.count(), dice);
        duty.plays().nth(number)
    } else {
        let known = eyes.knowledge();
        let number = draw(judge.count_leads(eyes.hand, &known), dice);
        judge.leads(eyes.hand, &known).nth(number)
    };
    found.unwrap_or_default()
}

/// Eight random cards.
pub(crate) fn bury(view: &View, dice: &mut Dice) -> CardSet {
    let mut cards: Vec<_> = view.hand.iter().collect();
    let mut kitty = CardSet::EMPTY;
    for _ in 0..8.min(cards.len()) {
        kitty.insert(cards.swap_remove(dice.below(cards.len())));
    }
    kitty
}

/// Now and then a random offer.
pub(crate) fn declare(view: &View, dice: &mut Dice) -> Option<usize> {
    (!view.offers.is_empty() && dice.below(20) == 0).then(|| dice.below(view.offers.len()))
}

/// Any of some plays.
pub(crate) fn one_of(plays: &[Hand], dice: &mut Dice) -> Hand {
    match plays.len() {
        0 => Hand::EMPTY,
        number => plays[dice.below(number)],
    }
}
