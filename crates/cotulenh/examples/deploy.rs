//! One stack, three pieces: a deploy step by step, and the same as one batch.
//!
//! `cargo run -p cotulenh --example deploy`

use cotulenh::{Batch, DrawStyle, Game, Position, Role};

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = "6c4/9ii/11/11/11/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let mut game = Game::new(fen.parse::<Position>()?);
    game.play_text("T>xe6")?;
    println!("after the first step: {}", game.position());
    game.play_text(".")?;
    println!("{}", game.position().draw(DrawStyle::default()));

    let mut same = Game::new(fen.parse::<Position>()?);
    let moves = [(Role::Tank, "e6".parse()?)];
    let stay = [Role::AirForce, Role::Infantry];
    same.deploy(&Batch {
        from: "e4".parse()?,
        moves: &moves,
        stay: &stay,
    })?;
    let turn = same.last_turn().ok_or("a turn was played")?;
    for (square, stack) in turn.captured() {
        println!("{} takes {stack} on {square}", turn.san());
    }
    assert_eq!(same.position(), game.position());
    Ok(())
}

#[test]
fn both_ways_agree() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
