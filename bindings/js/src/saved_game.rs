//! A game as a text from which it can be read again, whatever it holds: the line before its PGN has its ways to win
//! and the moves of an open deploy.

use convoy_protocol::cotulenh::{illegal_move_error, pgn_error};
use convoy_protocol::{Error, ErrorCode};
use cotulenh::{Game, Move, PlayError, VictoryRules};

use crate::boundary::{Failure, put_text};

/// Further ways to win: 1 is marine, 2 air, 4 land.
pub const fn victory_rules(bits: u32) -> VictoryRules {
    VictoryRules {
        marine: bits & 1 != 0,
        air: bits & 2 != 0,
        land: bits & 4 != 0,
    }
}

/// Reads a PGN.
pub fn read_pgn(text: &str) -> Result<Game, Failure> {
    Ok(text.parse().map_err(|error| pgn_error(&error))?)
}

/// A move by its bits.
pub fn read_bits(bits: u32) -> Result<Move, Failure> {
    Move::from_bits(bits).ok_or_else(|| Failure::new("bad-move", "the number is that of no move"))
}

/// Plays a move.
pub fn play(game: &mut Game, bits: u32) -> Result<(), Failure> {
    let mv = read_bits(bits)?;
    game.play(mv).map_err(|error| match error {
        PlayError::Over(_) => Error::new(ErrorCode::GameOver, error.to_string()),
        PlayError::Illegal(error) => illegal_move_error(&mv.to_string(), error),
    })?;
    Ok(())
}

/// Appends the text of a game.
pub fn write(game: &Game, output: &mut Vec<u8>) {
    let VictoryRules { marine, air, land } = game.rules();
    let bits = u32::from(marine) | u32::from(air) << 1 | u32::from(land) << 2;
    put_text(output, &bits.to_string());
    for mv in game.open_moves() {
        put_text(output, &format!(" {}", mv.bits()));
    }
    output.push(b'\n');
    let mut turns = game.clone();
    while turns.position().deploy().is_some() && turns.undo_step() {}
    put_text(output, &turns.pgn());
}

/// Reads that text.
pub fn read(text: &str) -> Result<Game, Failure> {
    let (first, pgn) = text.split_once('\n').unwrap_or_default();
    let mut numbers = first
        .split(' ')
        .map(|word| word.parse().unwrap_or_default());
    let rules = victory_rules(numbers.next().unwrap_or_default());
    let mut game = read_pgn(pgn)?.with_rules(rules);
    for bits in numbers {
        play(&mut game, bits)?;
    }
    Ok(game)
}
