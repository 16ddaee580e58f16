//! A view does not change when the cards that it cannot see are exchanged (Rule 4.3).

#[path = "../../tests/driver/mod.rs"]
mod driver;

use driver::{Dice, event, setup};
use proptest::prelude::*;

use crate::{Card, CardSet, Deck, Event, Phase, Redacted, Round, Seat, Seed, SeenTrick, View};

/// The cards that a view shows anywhere.
fn shown(view: &View) -> CardSet {
    let trick = |trick: &SeenTrick| {
        let failed = trick.failed.map(|failed| failed.cards);
        trick
            .plays
            .iter()
            .copied()
            .chain(failed)
            .collect::<Vec<_>>()
    };
    let sets = [view.hand]
        .into_iter()
        .chain(view.exposed)
        .chain(view.kitty)
        .chain(
            view.declarations
                .iter()
                .map(|declaration| declaration.cards),
        )
        .chain(view.tricks.iter().chain(&view.open).flat_map(trick));
    sets.flat_map(|set| set.iter().collect::<Vec<_>>())
        .chain(view.revealed)
        .collect()
}

/// Besides, the cards that a seat once held and those that any event showed.
fn ever_known(round: &Round, viewer: Option<Seat>) -> CardSet {
    let mut known = shown(&View::of(round, viewer));
    let mut replayed = Round::new(*round.setup(), round.deck().clone());
    for event in round.events() {
        replayed.apply(event.clone()).unwrap();
        if let Some(seat) = viewer {
            known = known.iter().chain(replayed.hand(seat).iter()).collect();
        }
        if let Event::Declare { cards, .. } | Event::Play { cards, .. } = event {
            known = known.iter().chain(cards.iter()).collect();
        }
    }
    if let Phase::Over(_) = round.phase() {
        known = known.iter().chain(round.kitty().iter()).collect();
    }
    known
}

/// The round with the hidden cards exchanged among themselves.
fn exchanged(round: &Round, known: CardSet, dice: &mut Dice) -> Round {
    let hidden: Vec<Card> = Card::all().filter(|&card| !known.has(card)).collect();
    let mut targets = hidden.clone();
    for i in (1..targets.len()).rev() {
        targets.swap(i, dice.below(i + 1));
    }
    let map = |card: Card| match hidden.iter().position(|&other| other == card) {
        Some(place) => targets[place],
        None => card,
    };
    round.relabelled(map)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("CONVOY_DEEP").is_some() { 3000 } else { 100 }))]

    #[test]
    fn a_view_is_the_same_under_any_exchange_of_hidden_cards(seed: u64) {
        let mut dice = Dice::new(seed);
        let setup = setup(&mut dice);
        let deck = Deck::of(&Seed::from_number(dice.next()), setup.number);
        let mut round = Round::new(setup, deck);
        let mut moved = 0;
        while let Some(event) = event(&round, &mut dice) {
            round.apply(event).unwrap();
            if !dice.once_in(5) {
                continue;
            }
            let viewer = Seat::new(dice.below(5));
            let view = View::of(&round, viewer);
            let other = exchanged(&round, shown(&view), &mut dice);
            moved += usize::from(other != round);
            prop_assert_eq!(View::of(&other, viewer), view);
            let redacted = Redacted::of(&round, viewer);
            let other = exchanged(&round, ever_known(&round, viewer), &mut dice);
            prop_assert_eq!(Redacted::of(&other, viewer), redacted);
        }
        prop_assert!(moved > 0, "nothing was exchanged");
    }
}
