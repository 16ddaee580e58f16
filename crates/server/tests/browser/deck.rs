//! A deal made for the tests of the card table: everything worth seeing happens in its first tricks.

use std::sync::Arc;

use convoy_server::SqliteStore;
use tractor::{Card, Deck};

use super::cdp::Page;
use crate::common::{Site, config, paced};

/// Seat 1 gets these eight with the kitty and buries them again.
pub(crate) const KITTY: [&str; 8] = ["3S0", "3S1", "4S0", "4S1", "6S0", "6S1", "7S0", "7S1"];

fn take(pool: &mut Vec<Card>, count: usize, fits: impl Fn(&str) -> bool) -> Vec<Card> {
    let mut taken = vec![];
    let mut at = 0;
    while taken.len() < count && at < pool.len() {
        if fits(&pool[at].to_string()) {
            taken.push(pool.remove(at));
        } else {
            at += 1;
        }
    }
    taken
}

/// Puts a card where the deal shall bring it.
fn bring(hand: &mut [Card], card: &str, place: usize) {
    let held = hand.iter().position(|own| own.to_string() == card);
    hand.swap(held.expect("the card is in this hand"), place);
}

/// Hearts become trump: in the middle of the deal seat 2 can declare diamonds and, a little later, seat 1 overrides with
/// a pair of hearts. Seat 1 holds a tractor in clubs, a sure throw in diamonds and an unsure one in spades; seat 2 has
/// no spade and many hearts. Nobody holds two equal jokers, so the pair of hearts stands.
pub(crate) fn deck() -> Deck {
    turned(0)
}

/// The same deal with every hand so many seats further on.
fn turned(by: usize) -> Deck {
    let mut pool: Vec<Card> = Card::all().collect();
    let exactly = |pool: &mut Vec<Card>, names: &[&str]| {
        take(pool, names.len(), |card| names.contains(&card))
    };
    let kitty = exactly(&mut pool, &KITTY);
    let mut hands = [
        exactly(&mut pool, &["2S0", "sj1", "bj1"]),
        exactly(
            &mut pool,
            &[
                "2H0", "2H1", "KC0", "KC1", "QC0", "QC1", "AD0", "AD1", "KD0", "AS0", "QS0", "sj0",
                "bj0",
            ],
        ),
        exactly(&mut pool, &["2D0"]),
        vec![],
    ];
    let suit = |letter: char| {
        move |card: &str| {
            card.chars().nth(1) == Some(letter) && !card.starts_with('2') && !card.ends_with('j')
        }
    };
    for seat in [0, 2, 3] {
        hands[seat].extend(take(&mut pool, 5, suit('C')));
        hands[seat].extend(take(&mut pool, 5, suit('D')));
    }
    hands[2].extend(take(&mut pool, 12, suit('H')));
    for seat in [0, 3] {
        hands[seat].extend(take(&mut pool, 5, suit('S')));
    }
    for seat in [2, 0, 1, 3] {
        let missing = 25 - hands[seat].len();
        let more = take(&mut pool, missing, |card| seat != 2 || !card.contains('S'));
        hands[seat].extend(more);
    }
    bring(&mut hands[2], "2D0", 5);
    bring(&mut hands[1], "2H0", 7);
    bring(&mut hands[1], "2H1", 9);
    bring(&mut hands[0], "2S0", 20);
    hands.rotate_right(by);
    let mut cards = vec![];
    for place in 0..25 {
        for hand in &hands {
            cards.push(hand[place]);
        }
    }
    cards.extend(kitty);
    Deck::new(&cards).expect("each card once")
}

/// Deals so many cards to each seat at a table where only the test makes time pass.
pub(crate) async fn deal(site: &Site, page: &Page, cards: usize) {
    // The deal begins when every browser has added to the shuffle.
    page.until("document.querySelector('#felt .trick-words').innerText.includes('of 100')")
        .await;
    let path = page.eval("location.pathname").await;
    let table = path.as_str().and_then(|path| path.strip_prefix("/game/"));
    let table = table.unwrap().parse().unwrap();
    for _ in 0..cards {
        site.app.fire_deadline(&table).await.unwrap();
    }
}

/// A site whose first round is that deal; a pace for eyes only where the test wants one.
pub(crate) async fn site(pace: convoy_server::Pace) -> Site {
    site_with(pace, deck()).await
}

/// A site where whoever opens the first table holds the hand that declares, throws and leads.
pub(crate) async fn site_for_one(pace: convoy_server::Pace) -> Site {
    site_with(pace, turned(3)).await
}

async fn site_with(pace: convoy_server::Pace, deck: Deck) -> Site {
    let store = Arc::new(SqliteStore::in_memory().await.unwrap());
    let mut config = paced(pace, config());
    config.games.tractor.decks = vec![deck];
    Site::over(store, config).await
}
