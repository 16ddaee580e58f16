//! Burying: which eight of 33 cards the heuristic player puts away.

use tractor::{Group, Hand, Seat, Shown, Team};

use crate::eyes::Eyes;
use crate::follow::Few;
use crate::lore::{Lore, bits, count, one};

/// How many cards are buried.
const KITTY: u32 = 8;

/// The sight of someone who has taken up the kitty.
fn eyes(lore: &Lore, hand: Hand) -> Eyes<'_> {
    Eyes {
        lore,
        seat: Seat::ALL[0],
        hand,
        unseen: lore.full().less_unchecked(hand),
        shown: [Shown::default(); 4],
        held: [33, 25, 25, 25],
        buried: Some(Hand::EMPTY),
        defending: Team::A,
        attackers: 0,
        trick: None,
        pot: 0,
    }
}

/// The eight cards that the heuristic player buries.
///
/// ```
/// # use tractor::Rules;
/// # use tractor_engine::{Lore, bury};
/// let lore = Lore::new("2H".parse()?, Rules::DEFAULT);
/// let hand = "bj sj 2H AH AH KH QH JH TH 9H 8H 7H AS AS KS QS QS JS 9S 9S 8S 7S \
///     AD AD KD KD QD 3C 4C 6C 7C 8C 9C";
/// let buried = bury(&lore, lore.judge().hand(hand.parse()?));
/// assert!(buried.len() == 8 && lore.judge().cards(buried).to_string().contains("3C"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn bury(lore: &Lore, hand: Hand) -> Hand {
    let eyes = eyes(lore, hand);
    let mut best = (f32::INFINITY, Hand::EMPTY);
    for suits in 0..16 {
        if let Some((cost, cards)) = emptying(&eyes, suits, 0.0)
            && cost < best.0
        {
            best = (cost, cards);
        }
    }
    best.1
}

/// Ways to bury that are worth a thought, the heuristic's own first.
pub(crate) fn buries(lore: &Lore, hand: Hand, most: usize) -> Few {
    let eyes = eyes(lore, hand);
    let mut ways = Vec::new();
    for shy in [0.0, 0.5, -0.4] {
        for suits in 0..16 {
            if let Some((cost, cards)) = emptying(&eyes, suits, shy) {
                ways.push((cost + if shy == 0.0 { 0.0 } else { 1.0 }, cards));
            }
        }
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut few = Few::new();
    few.add(bury(lore, hand));
    for (_, cards) in ways {
        if few.as_slice().len() < most {
            few.add(cards);
        }
    }
    few
}

/// Empties the suits of a set (bit [`Group::index`]) and fills up with the cheapest cards; `None` if they do not fit.
/// `shy` is what each point in the kitty costs beyond the usual.
fn emptying(eyes: &Eyes<'_>, suits: u32, shy: f32) -> Option<(f32, Hand)> {
    let lore = eyes.lore;
    let mut cards = Hand::EMPTY;
    for group in &Group::ALL[..4] {
        if suits >> group.index() & 1 == 1 {
            let own = lore.judge().of_group(eyes.hand, *group);
            if own.is_empty() {
                return None;
            }
            cards = cards.plus_unchecked(own);
        }
    }
    if cards.len() > KITTY as usize {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "33 cards at most")]
    let trumps = count(eyes.hand, lore.trumps()) as f32;
    // The more trumps, the surer the last trick: points are then safe in the kitty.
    let style = lore.style();
    let per_point = (style.kitty_point - style.kitty_trump * (trumps - 9.0)).clamp(0.15, 0.8) + shy;
    let price = |slot: u32| {
        let mut price = eyes.keep(slot) + per_point * f32::from(lore.points_at(slot));
        if lore.trumps() >> slot & 1 == 1 {
            price += style.bury_trump;
        }
        price
    };
    while cards.len() < KITTY as usize {
        let rest = eyes.hand.less_unchecked(cards);
        let slot = bits(rest.any()).min_by(|&a, &b| price(a).total_cmp(&price(b)))?;
        cards = cards.plus_unchecked(one(slot));
    }
    let mut cost: f32 = cards.slots().map(price).sum();
    let left = eyes.hand.less_unchecked(cards);
    for group in &Group::ALL[..4] {
        let mask = lore.mask(*group);
        if mask != 0 && left.any() & mask == 0 {
            cost -= style.bury_void * (trumps - 4.0).clamp(0.0, 6.0);
        }
    }
    Some((cost, cards))
}
