//! Four strong players play one round, and each turn is explained: `cargo run --release -p tractor-engine --example self_play -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use tractor::{Deck, Event, Phase, Round, Rules, Seat, Seed, Setup, Stage, View};
use tractor_engine::{Limits, Player, SkillLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number: u64 = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let round = play(number, 100, |seat, words| println!("seat {seat}: {words}"))?;
    if let Phase::Over(over) = round.phase() {
        println!(
            "team {} wins, attackers' points {}",
            over.result.winner, over.result.points
        );
    }
    Ok(())
}

/// A round with so many play-outs a decision; `explain` is told why each card is played.
fn play(
    number: u64,
    rollouts: u32,
    mut explain: impl FnMut(Seat, &str),
) -> Result<Round, Box<dyn std::error::Error>> {
    let deck = Deck::of(&Seed::from_number(number), 1);
    let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    round.apply(Event::Deal { count: Deck::DEALT })?;
    round.apply(Event::Close)?;
    // A budget in play-outs: the same number gives the same round on every machine.
    let player = Player::new(SkillLevel::Strong, number).with_limits(Limits::rollouts(rollouts));
    while let Some(seat) = round.turn() {
        let view = View::of(&round, Some(seat));
        if view.stage == Stage::Playing
            && let Some(hint) = player.hint(&view)
        {
            explain(seat, &hint.words);
        }
        round.apply(player.act(&view).ok_or("it is this seat's turn")?)?;
    }
    Ok(round)
}

#[test]
fn every_play_is_explained() -> Result<(), Box<dyn std::error::Error>> {
    let mut explained = 0;
    let round = play(7, 2, |_, words| {
        explained += usize::from(words.starts_with("play "));
    })?;
    let plays: usize = round.tricks().iter().map(|trick| trick.plays.len()).sum();
    assert!(explained > 0 && explained <= plays);
    Ok(())
}
