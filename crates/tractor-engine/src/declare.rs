//! Declaring: when the heuristic player shows a trump during the deal.

use tractor::{Bid, Face, Faces, Group, Judge, Rank, Rules, Suit, Trump, View};

/// What a trump is worth to someone with these cards so far: trumps beyond the usual share, the strong ones more, and
/// the plain aces, which are worth most where nobody has many trumps.
///
/// ```
/// # use tractor::Rules;
/// # use tractor_engine::trump_strength;
/// let cards = "2H AH KH QH 9H 8H bj 3S 4S 5C".parse()?;
/// let hearts = trump_strength(cards, "2H".parse()?);
/// assert!(hearts > trump_strength(cards, "2S".parse()?));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[allow(clippy::cast_precision_loss, reason = "counts of cards")]
pub fn trump_strength(cards: Faces, trump: Trump) -> f32 {
    let judge = Judge::new(trump, Rules::DEFAULT);
    let hand = judge.ranked(cards);
    let trumps = judge.of_group(hand, Group::Trump);
    let mut sum = 0.0;
    for slot in trumps.slots() {
        sum += match slot {
            63 => 2.2,
            62 => 2.0,
            58..=61 => 1.5,
            54..=57 => 1.15,
            _ => 1.0,
        };
    }
    sum += 0.5 * trumps.pairs() as f32;
    let (usual, ace, pair) = match trump.suit() {
        Some(_) => (0.4, 0.7, 0.3),
        None => (0.2, 1.2, 0.5),
    };
    sum -= usual * cards.len() as f32;
    let plain = hand.less_unchecked(trumps);
    sum += pair * plain.pairs() as f32;
    let best = match trump.rank() {
        Some(Rank::Ace) => Rank::King,
        _ => Rank::Ace,
    };
    let aces = judge.faces(plain).iter();
    sum + ace * aces.filter(|face| face.rank() == Some(best)).count() as f32
}

/// What the hand is worth under the trump that a bid sets.
pub(crate) fn bid_strength(cards: Faces, view: &View, suit: Option<Suit>) -> f32 {
    match view.trump.rank() {
        Some(rank) => trump_strength(cards, Trump::new(rank, suit)),
        None => trump_strength(cards, Trump::JOKERS),
    }
}

/// What the heuristic player declares now, if anything: the place of the offer.
///
/// It declares a suit it is long in for the cards it has so far, overrides a suit that does not suit it with
/// one that does, adds the second card to its own suit, and shows jokers where no suit is good and the
/// standing one is bad.
#[allow(clippy::cast_precision_loss, reason = "counts of cards")]
pub(crate) fn declare(view: &View) -> Option<usize> {
    let seat = view.viewer?;
    let cards = view.hand.faces();
    let standing = view.declarations.last().map(|last| (last.seat, last.bid));
    let size = view.hand.len() as f32;
    let now = standing.map(|(_, bid)| bid_strength(cards, view, bid.suit()));
    let partner = standing.is_some_and(|(holder, _)| holder == seat.partner());
    let mut best: Option<(f32, usize)> = None;
    for (place, offer) in view.offers.iter().enumerate() {
        let worth = bid_strength(cards, view, offer.bid.suit());
        let enough = match (standing, now) {
            (Some((holder, bid)), _) if holder == seat && bid.suit() == offer.bid.suit() => true,
            (Some(_), Some(now)) => {
                // A partner's choice is worth more than it looks: it holds what it shows.
                worth > now + if partner { 3.0 } else { 1.5 } && worth > 0.0
            }
            _ => {
                let joker = offer.bid.is_joker();
                size >= 4.0 && worth > if joker { 4.0 } else { 1.0 }
            }
        };
        if enough && best.is_none_or(|(least, _)| worth > least) {
            best = Some((worth, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Whether a bid shows cards of this face.
pub(crate) fn shows(bid: Bid, rank: Option<Rank>) -> Option<(Face, usize)> {
    Some((bid.face(rank)?, bid.len()))
}
