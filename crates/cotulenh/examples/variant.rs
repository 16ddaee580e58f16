//! A game under the founding document's own blueprint with one rule changed: ships also carry engineers.
//!
//! `cargo run -p cotulenh --example variant`

use cotulenh::{Game, Move, Position, Variant};

/// `blueprints.yaml` as the document has it, its table completed; the change is in the second slot of the navy.
const BLUEPRINT: &str = "
blueprints:
  NAVY:
    - [AIR_FORCE] # Slot 1: Air Force only
    - [COMMANDER, INFANTRY, MILITIA, TANK, ENGINEER] # Slot 2: here is the new one

  TANK:
    - [COMMANDER, INFANTRY, MILITIA] # Slot 1: Humanlike only

  ENGINEER:
    - [ARTILLERY, ANTI_AIR, MISSILE]

  AIR_FORCE:
    - [TANK]
    - [COMMANDER, INFANTRY, MILITIA]

  HEADQUARTER:
    - [COMMANDER]
";

/// Combinations first, then captures, then whatever comes: enough to see the new rule at work.
fn choose(game: &Game<Variant>) -> Option<Move> {
    let moves = game.legal_moves();
    let best = |mv: &Move| (mv.is_combination(), mv.is_capture(), mv.bits() % 7);
    moves.into_iter().max_by_key(best)
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variant = Variant::new(&BLUEPRINT.parse()?)?;
    let fen = "6c4/1n7i1/3e6e/2e8/11/11/11/11/2E8/3E6E/1N7I1/6C4 r - - 0 1";
    let mut game = Game::new(Position::from_fen(&variant, fen)?);
    while let Some(mv) = choose(&game)
        && game.turn_count() < 40
    {
        game.play(mv)?;
    }
    println!("{}", game.pgn());
    let mut sans = game.sans().into_iter();
    let carried = sans.find(|san| san.contains("(NE)"));
    println!("{}", carried.ok_or("no ship has carried an engineer")?);
    println!("{}", game.position());
    Ok(())
}

#[test]
fn a_ship_carries_an_engineer() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
