//! A game of random moves, as PGN: `cargo run -p cotulenh --example random_game -- 7`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use cotulenh::Game;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    println!("{}", play(seed)?.pgn());
    Ok(())
}

fn play(seed: u64) -> Result<Game, cotulenh::PlayError> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Game::default();
    while game.turn_count() < 400
        && game.outcome().is_none()
        && let Some(mv) = random.choice(game.legal_moves())
    {
        game.play(mv)?;
    }
    Ok(game)
}

#[test]
fn the_pgn_is_read_back() -> Result<(), Box<dyn std::error::Error>> {
    let game = play(7)?;
    assert!(game.turn_count() > 50);
    assert_eq!(game.pgn().parse::<Game>()?.position(), game.position());
    Ok(())
}
