//! Four strong players play one round, and each turn is explained: `cargo run --release -p tractor-engine --example self_play -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use tractor::{Deck, Event, Phase, Round, Rules, Seed, Setup, Stage, View};
use tractor_engine::{Level, Limits, Player};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number: u64 = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let deck = Deck::of(&Seed::from_number(number), 1);
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    round.apply(Event::Deal { count: Deck::DEALT })?;
    round.apply(Event::Close)?;
    // A budget in play-outs: the same number gives the same round on every machine.
    let player = Player::new(Level::Strong, number).with_limits(Limits::rollouts(100));
    while let Some(seat) = round.turn() {
        let view = View::of(&round, Some(seat));
        if view.stage == Stage::Playing
            && let Some(hint) = player.hint(&view)
        {
            println!("seat {seat}: {}", hint.words);
        }
        round.apply(player.act(&view).ok_or("it is this seat's turn")?)?;
    }
    if let Phase::Over(over) = round.phase() {
        println!(
            "team {} wins, attackers' points {}",
            over.result.winner, over.result.points
        );
    }
    Ok(())
}
