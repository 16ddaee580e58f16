//! The cheapest legal follow, by any measure of cheapness.

use arrayvec::ArrayVec;
use tractor::{Duty, FollowPolicy, Judge, Lead, RankedCards};

use crate::trump_tables::{bits, both, one};

/// The most legal plays that are compared one by one.
const COMPARED: usize = 2000;

/// The legal play whose cards cost least. `key` is the price of one card of a slot, dearer by `pair` where the other
/// copy is held and stays.
pub(crate) fn cheapest_follow(
    judge: &Judge,
    lead: &Lead,
    duty: &Duty<'_>,
    key: impl Fn(u32) -> f32,
    pair: impl Fn(u32) -> f32,
) -> RankedCards {
    let (fixed, pool, draw) = (duty.fixed(), duty.pool(), duty.draw());
    if draw == 0 {
        return fixed;
    }
    let free = judge.rules().follow_policy == FollowPolicy::Free;
    let in_group = fixed.is_empty() && judge.group(pool) == Some(lead.group());
    let owed = if in_group && !free && pool.len() > draw {
        lead.shape().pairs().min(pool.pairs())
    } else {
        0
    };
    let mut play = RankedCards::EMPTY;
    for _ in 0..owed {
        if let Some(slot) = least(pool.pair() & !play.any(), &key) {
            play = play.plus_unchecked(both(slot));
        }
    }
    let play = fill(pool, play, draw, &key, &pair).plus_unchecked(fixed);
    if duty.allows(play) {
        return play;
    }
    compare_all(judge, lead, duty, &key, &pair)
}

/// Adds the cheapest cards of `pool` until `play` has `draw` cards.
fn fill(
    pool: RankedCards,
    mut play: RankedCards,
    draw: usize,
    key: &impl Fn(u32) -> f32,
    pair: &impl Fn(u32) -> f32,
) -> RankedCards {
    // A hand has at most 33 cards, each with one key.
    let mut keys: ArrayVec<(f32, u32), 64> = ArrayVec::new();
    let rest = pool.less_unchecked(play);
    for slot in bits(rest.any()) {
        let price = key(slot);
        keys.push((price, slot));
        if rest.pair() >> slot & 1 == 1 {
            keys.push((price - pair(slot) + 0.01, slot));
        }
    }
    let missing = draw.saturating_sub(play.len());
    for done in 0..missing.min(keys.len()) {
        let mut at = done;
        for other in done + 1..keys.len() {
            if keys[other].0 < keys[at].0 {
                at = other;
            }
        }
        keys.swap(done, at);
        play = play.plus_unchecked(one(keys[done].1));
    }
    play
}

/// The slow way, where tractors are owed: with each tractor of the hand, then every legal play that time allows.
#[cold]
fn compare_all(
    judge: &Judge,
    lead: &Lead,
    duty: &Duty<'_>,
    key: &impl Fn(u32) -> f32,
    pair: &impl Fn(u32) -> f32,
) -> RankedCards {
    let price = |play: RankedCards| -> f32 { play.slots().map(key).sum() };
    let mut best = (f32::INFINITY, RankedCards::EMPTY);
    let mut consider = |play: RankedCards| {
        let price = price(play);
        if price < best.0 {
            best = (price, play);
        }
    };
    if duty.count() > COMPARED as u64 {
        for tractor in judge.tractors(duty.pool()) {
            if tractor.len() <= lead.len() {
                let play = fill(duty.pool(), tractor, lead.len(), key, pair);
                if duty.allows(play) {
                    consider(play);
                }
            }
        }
    }
    duty.plays().take(COMPARED).for_each(consider);
    best.1
}

/// The slot of a mask with the least key.
#[inline]
fn least(mask: u64, key: &impl Fn(u32) -> f32) -> Option<u32> {
    let mut best = None;
    let mut lowest = f32::INFINITY;
    for slot in bits(mask) {
        let key = key(slot);
        if key < lowest {
            (lowest, best) = (key, Some(slot));
        }
    }
    best
}
