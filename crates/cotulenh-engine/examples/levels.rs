//! One level plays another: `cargo run --release -p cotulenh-engine --example levels -- 2 1`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use cotulenh::{Color, Game};
use cotulenh_engine::{Engine, Limits, Options, SkillLevel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse());
    let red = numbers.next().unwrap_or(Ok(2))?;
    let blue = numbers.next().unwrap_or(Ok(1))?;
    println!("{}", play([red, blue], 40)?.pgn());
    Ok(())
}

/// A game of so many turns at most between two levels, red first.
fn play(levels: [u8; 2], turns: usize) -> Result<Game, Box<dyn std::error::Error>> {
    let engine = |number: u8| {
        let level = SkillLevel::new(number).ok_or("levels run from 1 to 10")?;
        let options = Options {
            level,
            ..Options::default()
        };
        Ok::<_, &str>(Engine::new(options))
    };
    let [mut red, mut blue] = [engine(levels[0])?, engine(levels[1])?];
    let mut game = Game::default();
    while game.turn_count() < turns && game.outcome().is_none() {
        let player = match game.position().turn() {
            Color::Red => &mut red,
            Color::Blue => &mut blue,
        };
        let turn = player.best_turn(&game, &Limits::default());
        for mv in turn.ok_or("the game is not over")?.iter() {
            game.play(*mv)?;
        }
    }
    Ok(game)
}

#[test]
fn two_levels_play() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(play([2, 1], 6)?.turn_count(), 6);
    assert!(play([11, 1], 6).is_err());
    Ok(())
}
