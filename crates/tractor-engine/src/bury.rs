//! Burying: which eight of 33 cards the heuristic player puts away.

use tractor::{Deck, Group, RankedCards, Seat, Shown, Team};

use crate::follow::PlayList;
use crate::seat_state::SeatState;
use crate::trump_tables::{TrumpTables, bits, count, one};

/// How many cards are buried.
#[allow(clippy::cast_possible_truncation, reason = "eight")]
const KITTY: u32 = tractor::KITTY as u32;

/// Cards of each seat after the deal.
#[allow(clippy::cast_possible_truncation, reason = "twenty-five")]
const HAND: u32 = Deck::HAND as u32;

/// The state of a seat that has taken up the kitty.
fn state(tables: &TrumpTables, hand: RankedCards) -> SeatState<'_> {
    SeatState {
        tables,
        seat: Seat::ALL[0],
        hand,
        unseen: tables.full().less_unchecked(hand),
        shown: [Shown::default(); 4],
        held: [HAND + KITTY, HAND, HAND, HAND],
        buried: Some(RankedCards::EMPTY),
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
/// # use tractor_engine::{TrumpTables, bury};
/// let tables = TrumpTables::new("2H".parse()?, Rules::DEFAULT);
/// let hand = "bj sj 2H AH AH KH QH JH TH 9H 8H 7H AS AS KS QS QS JS 9S 9S 8S 7S \
///     AD AD KD KD QD 3C 4C 6C 7C 8C 9C";
/// let buried = bury(&tables, tables.judge().ranked(hand.parse()?));
/// assert!(buried.len() == 8 && tables.judge().faces(buried).to_string().contains("3C"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn bury(tables: &TrumpTables, hand: RankedCards) -> RankedCards {
    let state = state(tables, hand);
    let mut best = (f32::INFINITY, RankedCards::EMPTY);
    for suits in 0..16 {
        if let Some((cost, cards)) = emptying(&state, suits, 0.0)
            && cost < best.0
        {
            best = (cost, cards);
        }
    }
    best.1
}

/// Ways to bury that are worth a thought, the heuristic's own first.
pub(crate) fn buries(tables: &TrumpTables, hand: RankedCards, most: usize) -> PlayList {
    let state = state(tables, hand);
    let mut ways = Vec::new();
    for point_cost in [0.0, 0.5, -0.4] {
        for suits in 0..16 {
            if let Some((cost, cards)) = emptying(&state, suits, point_cost) {
                ways.push((cost + if point_cost == 0.0 { 0.0 } else { 1.0 }, cards));
            }
        }
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut list = PlayList::default();
    list.add(bury(tables, hand));
    for (_, cards) in ways {
        if list.as_slice().len() < most {
            list.add(cards);
        }
    }
    list
}

/// Empties the suits of a set (bit [`Group::index`]) and fills up with the cheapest cards; `None` if they do not fit.
/// `point_cost` is what each point in the kitty costs beyond the usual.
fn emptying(state: &SeatState<'_>, suits: u32, point_cost: f32) -> Option<(f32, RankedCards)> {
    let tables = state.tables;
    let mut cards = RankedCards::EMPTY;
    for group in &Group::ALL[..4] {
        if suits >> group.index() & 1 == 1 {
            let own = tables.judge().of_group(state.hand, *group);
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
    let trumps = count(state.hand, tables.trumps()) as f32;
    // The more trumps, the surer the last trick: points are then safe in the kitty.
    let weights = tables.weights();
    let per_point =
        (weights.kitty_point - weights.kitty_trump * (trumps - 9.0)).clamp(0.15, 0.8) + point_cost;
    let price = |slot: u32| {
        let mut price = state.keep(slot) + per_point * f32::from(tables.points_at(slot));
        if tables.trumps() >> slot & 1 == 1 {
            price += weights.bury_trump;
        }
        price
    };
    while cards.len() < KITTY as usize {
        let rest = state.hand.less_unchecked(cards);
        let slot = bits(rest.any()).min_by(|&a, &b| price(a).total_cmp(&price(b)))?;
        cards = cards.plus_unchecked(one(slot));
    }
    let mut cost: f32 = cards.slots().map(price).sum();
    let left = state.hand.less_unchecked(cards);
    for group in &Group::ALL[..4] {
        let mask = tables.mask(*group);
        if mask != 0 && left.any() & mask == 0 {
            cost -= weights.bury_void * (trumps - 4.0).clamp(0.0, 6.0);
        }
    }
    Some((cost, cards))
}
