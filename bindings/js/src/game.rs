//! Games of Cờ Tư Lệnh: history, outcome, PGN.

use std::time::Duration;

use convoy_protocol::cotulenh::move_error;
use cotulenh::{Game, NoteError, PgnStyle};

use crate::boundary::{Failure, answer, answer_text, exports, put_text, put_word};
use crate::position::{self, put_outcome};
use crate::saved_game::{self, play, read_pgn, victory_rules};
use crate::slots::Slots;

thread_local! {
    static GAMES: Slots<Game> = const { Slots::new() };
}

fn with<T>(slot: u32, read: impl FnOnce(&Game) -> Result<T, Failure>) -> Result<T, Failure> {
    GAMES.with(|games| games.with(slot, read))
}

fn change<T>(
    slot: u32,
    change: impl FnOnce(&mut Game) -> Result<T, Failure>,
) -> Result<T, Failure> {
    GAMES.with(|games| games.change(slot, change))
}

fn put(slot: u32, game: Game) -> Result<(), Failure> {
    GAMES.with(|games| games.put(slot, game))
}

fn note_error(error: NoteError) -> Failure {
    Failure::new("bad-note", &error.to_string())
}

exports! {
    /// Begins a game from the position in a slot of positions.
    fn game_new(slot: u32, from: u32, victories: u32) -> i32 {
        answer(|_| {
            let start = position::with(from, |position| Ok(position.clone()))?;
            put(slot, Game::new(start).with_rules(victory_rules(victories)))
        })
    }

    /// Puts the game of the PGN in the input into a slot.
    fn game_read(slot: u32, victories: u32) -> i32 {
        answer_text(|text, _| put(slot, read_pgn(text)?.with_rules(victory_rules(victories))))
    }

    /// Writes everything that makes the game, for [`game_load`]: see [`saved_game`].
    fn game_save(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                saved_game::write(game, output);
                Ok(())
            })
        })
    }

    /// Reads what [`game_save`] wrote.
    fn game_load(slot: u32) -> i32 {
        answer_text(|text, _| put(slot, saved_game::read(text)?))
    }

    /// Plays a move.
    fn game_play(slot: u32, bits: u32) -> i32 {
        answer(|_| change(slot, |game| play(game, bits)))
    }

    /// Plays the move, the steps or the turn in the input, all of it or nothing.
    fn game_play_text(slot: u32) -> i32 {
        answer_text(|text, _| {
            change(slot, |game| {
                game.play_text(text).map_err(|error| move_error(text, &error))?;
                Ok(())
            })
        })
    }

    /// Takes the last step back, or, if `turn` is not 0, the open deploy or the last turn; 1 if there was one.
    fn game_undo(slot: u32, turn: u32) -> i32 {
        let undo = |game: &mut Game| if turn == 0 { game.undo_step() } else { game.undo() };
        change(slot, |game| Ok(i32::from(undo(game)))).unwrap_or(0)
    }

    /// Puts the position after so many turns into a slot of positions; that of now if there are not so many.
    fn game_position(slot: u32, into: u32, turns: u32) -> i32 {
        answer(|_| {
            let position = with(slot, |game| {
                let turns = turns as usize;
                Ok(if turns < game.turn_count() {
                    game.position_after(turns)
                } else {
                    game.position().clone()
                })
            })?;
            position::put(into, position)
        })
    }

    /// Writes the number of turns, how often the position has occurred, and then how the game has ended, if it has.
    #[allow(clippy::cast_possible_truncation, reason = "a game has no four thousand million turns")]
    fn game_facts(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                put_word(output, game.turn_count() as u32);
                put_word(output, game.repetitions() as u32);
                put_outcome(game.outcome(), output);
                Ok(())
            })
        })
    }

    /// Writes the SAN of every turn, or, if `long` is not 0, its LAN, one a line.
    fn game_turns(slot: u32, long: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let texts = if long == 0 { game.sans() } else { game.lans() };
                put_text(output, &texts.join("\n"));
                Ok(())
            })
        })
    }

    /// Writes every tag, name and value with a tab between them, one a line.
    fn game_headers(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                for (name, value) in game.headers() {
                    put_text(output, &format!("{name}\t{value}\n"));
                }
                Ok(())
            })
        })
    }

    /// Sets the tag in the input, name and value with a tab between them; without a tab it is removed.
    fn game_set_header(slot: u32) -> i32 {
        answer_text(|text, _| {
            change(slot, |game| {
                if let Some((name, value)) = text.split_once('\t') {
                    return game.set_header(name, value).map_err(note_error);
                }
                game.remove_header(text);
                Ok(())
            })
        })
    }

    /// Writes the comment after so many turns.
    fn game_comment(slot: u32, turn: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                put_text(output, game.comment(turn as usize).unwrap_or_default());
                Ok(())
            })
        })
    }

    /// Sets the comment after so many turns; an empty one removes it.
    fn game_set_comment(slot: u32, turn: u32) -> i32 {
        answer_text(|text, _| {
            change(slot, |game| game.set_comment(turn as usize, text).map_err(note_error))
        })
    }

    /// The clock after so many turns in milliseconds, below zero if there is none.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn game_clock(slot: u32, turn: u32) -> f64 {
        let clock = |game: &Game| game.clock(turn as usize);
        let clock = with(slot, |game| Ok(clock(game))).ok().flatten();
        clock.map_or(-1.0, |clock| clock.as_millis() as f64)
    }

    /// Sets that clock, or removes it if it is below zero.
    fn game_set_clock(slot: u32, turn: u32, milliseconds: f64) -> i32 {
        answer(|_| {
            let clock = Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
            change(slot, |game| game.set_clock(turn as usize, clock).map_err(note_error))
        })
    }

    /// Writes the PGN; lines of moves are wrapped before `width` characters, 0 never wraps.
    fn game_pgn(slot: u32, width: u32, clocks: u32) -> i32 {
        answer(|output| {
            with(slot, |game| {
                let style = PgnStyle { width: width as usize, clocks: clocks != 0 };
                put_text(output, &game.pgn_in(style));
                Ok(())
            })
        })
    }
}
