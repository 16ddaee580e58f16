//! Plays one round with the first legal play of every turn: `cargo run -p tractor --example whole_round -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use tractor::{Deck, Event, Phase, Round, RoundError, Rules, Seed, Setup, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let round = play(number)?;
    for trick in round.tricks() {
        let plays: Vec<String> = trick.plays.iter().map(ToString::to_string).collect();
        println!(
            "seat {} leads {}; seat {} wins {}",
            trick.leader,
            plays.join(" | "),
            trick.winner(),
            trick.points()
        );
    }
    if let Phase::Over(over) = round.phase() {
        println!(
            "team {} wins, attackers' points {}",
            over.result.winner, over.result.points
        );
    }
    Ok(())
}

fn play(number: u64) -> Result<Round, RoundError> {
    let deck = Deck::of(&Seed::from_number(number), 1);
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    round.apply(Event::Deal { count: 100 })?;
    round.apply(Event::Close)?;
    let seat = round.starter();
    let cards = round.hand(seat).iter().take(8).collect();
    round.apply(Event::Bury { seat, cards })?;
    while let Some(seat) = round.turn() {
        let legal = View::of(&round, Some(seat)).legal_plays(1)?;
        let cards = legal.plays[0];
        round.apply(Event::Play { seat, cards })?;
    }
    Ok(round)
}

#[test]
fn the_round_ends() -> Result<(), RoundError> {
    assert!(matches!(play(7)?.phase(), Phase::Over(_)));
    Ok(())
}
