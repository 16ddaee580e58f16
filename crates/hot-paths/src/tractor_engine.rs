//! The speeds of the Tractor player.

use tractor::{Deck, Event, Memory, Round, Rules, Seat, Seed, Setup, Team, View};
use tractor_engine::{Beliefs, Sampler, TrumpTables, Weights, World, bury};

use super::{Row, Unit};

pub(crate) fn rows() -> Vec<Row> {
    let mut number = 0;
    let rounds = Box::new(move || {
        number += 1;
        let (tables, mut table) = deal(number);
        std::hint::black_box(table.play_out(&tables));
        1
    });
    let mut middle = beliefs_in_the_middle();
    let worlds = Box::new(move || {
        let mut sampler = Sampler::new(&middle.0, middle.1);
        middle.1 += 1;
        for _ in 0..64 {
            std::hint::black_box(sampler.world());
        }
        64
    });
    vec![
        Row {
            group: "tractor",
            name: "heuristic rounds",
            unit: Unit::PerSecond,
            gate: 5_000.0,
            target: 15_000.0,
            work: rounds,
        },
        Row {
            group: "tractor",
            name: "worlds sampled",
            unit: Unit::PerSecond,
            gate: 50_000.0,
            target: 200_000.0,
            work: worlds,
        },
    ]
}

/// A whole round to be played out: dealt, buried by the heuristic, nothing played.
fn deal(number: u64) -> (TrumpTables, World) {
    let deck = Deck::of(&Seed::from_number(number), 1);
    let trump = ["2H", "7S", "TC", "AD", "5N"][usize::try_from(number % 5).unwrap_or(0)];
    let tables = TrumpTables::new(trump.parse().expect("a trump"), Rules::DEFAULT);
    let judge = tables.judge();
    let mut hands = [0, 1, 2, 3].map(|seat: usize| {
        let cards = deck.cards()[..100].iter().skip(seat).step_by(4);
        judge.ranked(cards.copied().collect::<tractor::CardSet>().faces())
    });
    let kitty: tractor::CardSet = deck.kitty().iter().copied().collect();
    hands[0] = hands[0].plus_unchecked(judge.ranked(kitty.faces()));
    let buried = bury(&tables, hands[0]);
    hands[0] = hands[0].less_unchecked(buried);
    let table = World {
        hands,
        kitty: buried,
        burier: Some(Seat::ALL[0]),
        defending: Team::A,
        attackers: 0,
        memory: Memory::default(),
        leader: Seat::ALL[0],
        trick: None,
        pot: 0,
    };
    (tables, table)
}

/// A seat's beliefs after eight tricks.
fn beliefs_in_the_middle() -> (Beliefs, u64) {
    let deck = Deck::of(&Seed::from_number(7), 1);
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    let player = tractor_engine::Player::new(tractor_engine::SkillLevel::Normal, 1);
    let mut go = || -> Result<(), tractor::RoundError> {
        round.apply(Event::Deal { count: 100 })?;
        round.apply(Event::Close)?;
        while round.tricks().len() < 8 {
            let view = View::of(&round, round.turn());
            round.apply(player.act(&view).expect("it is this seat's turn"))?;
        }
        Ok(())
    };
    go().expect("the player plays legally");
    let view = View::of(&round, round.turn());
    (
        Beliefs::of(&view, Weights::NORMAL).expect("a seat in play"),
        1,
    )
}
