//! The moves and turns of a position, as numbers and as texts.

use convoy_protocol::cotulenh::{illegal_move_error, move_error};
use convoy_protocol::{Error, ErrorCode};
use cotulenh::{Batch, Move, MoveList, Namer, Position, Role, Square, perft};

use crate::boundary::{Failure, answer, answer_text, exports, put_text, put_word};
use crate::position::{put_stack, read_square, with};
use crate::saved_game::read_bits;

/// The legal moves, or, if they need not be legal, all that the movement rules offer.
fn moves(position: &Position, legal: u32) -> MoveList {
    if legal == 0 {
        position.pseudo_legal_moves().collect()
    } else {
        position.legal_moves()
    }
}

/// Appends a text for every move, one a line.
fn put_lines(moves: &[Move], output: &mut Vec<u8>, write: impl Fn(Move, &mut String)) {
    let mut text = String::with_capacity(8 * moves.len());
    for mv in moves {
        if !text.is_empty() {
            text.push('\n');
        }
        write(*mv, &mut text);
    }
    put_text(output, &text);
}

fn legal(position: &Position, bits: u32) -> Result<Move, Failure> {
    let mv = read_bits(bits)?;
    let played = position.play(mv);
    played.map_err(|error| illegal_move_error(&mv.to_string(), error))?;
    Ok(mv)
}

/// A letter of a piece.
fn role(letter: &str) -> Result<Role, Failure> {
    let wrong = |error| Error::new(ErrorCode::BadPiece, format!("{letter:?}: {error}"));
    Ok(letter.parse().map_err(wrong)?)
}

fn square(name: &str) -> Result<Square, Failure> {
    let wrong = |error| Error::new(ErrorCode::BadSquare, format!("{name:?}: {error}"));
    Ok(name.parse().map_err(wrong)?)
}

/// The moves of a deploy: its first word is the square, the others are `T>e6` for who goes, `F` for who stays.
fn read_deploy(position: &Position, text: &str) -> Result<Vec<Move>, Failure> {
    let mut words = text.split(' ');
    let from = square(words.next().unwrap_or_default())?;
    let (mut moves, mut stay) = (Vec::new(), Vec::new());
    for word in words {
        match word.split_once('>') {
            Some((letter, to)) => moves.push((role(letter)?, square(to)?)),
            None => stay.push(role(word)?),
        }
    }
    let batch = Batch {
        from,
        moves: &moves,
        stay: &stay,
    };
    let moves = position.read_batch(&batch);
    let moves = moves.map_err(|error| Error::new(error.into(), error.to_string()))?;
    Ok(moves.to_vec())
}

exports! {
    /// Writes the bits of every move.
    fn position_moves(slot: u32, legal: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                for mv in &moves(position, legal) {
                    put_word(output, mv.bits());
                }
                Ok(())
            })
        })
    }

    /// Writes the SAN of every legal move, one a line.
    fn position_sans(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let moves = position.legal_moves();
                let namer = Namer::new(position, &moves);
                put_lines(&moves, output, |mv, text| namer.san(mv, text));
                Ok(())
            })
        })
    }

    /// Writes the LAN of every legal move, one a line.
    fn position_lans(slot: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let moves = position.legal_moves();
                let namer = Namer::new(position, &moves);
                put_lines(&moves, output, |mv, text| namer.lan(mv, text));
                Ok(())
            })
        })
    }

    /// Writes six fields for every move, all with tabs between them: its bits, SAN, LAN, who moves, what it takes,
    /// and the stack that it makes.
    fn position_verbose(slot: u32, legal: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let moves = moves(position, legal);
                let namer = Namer::new(position, &moves);
                let mut text = String::new();
                for mv in &moves {
                    text.clear();
                    namer.san(*mv, &mut text);
                    text.push('\t');
                    namer.lan(*mv, &mut text);
                    if !output.is_empty() {
                        output.push(b'\t');
                    }
                    put_text(output, &mv.bits().to_string());
                    output.push(b'\t');
                    put_text(output, &text);
                    output.push(b'\t');
                    put_stack(position.mover(*mv), output);
                    output.push(b'\t');
                    put_stack(position.captured(*mv), output);
                    output.push(b'\t');
                    if mv.is_combination() {
                        let mut after = position.clone();
                        after.play_unchecked(*mv);
                        put_stack(after.stack_at(mv.to()), output);
                    }
                }
                Ok(())
            })
        })
    }

    /// Writes the SAN and the LAN of a legal move, one a line.
    fn position_names(slot: u32, bits: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let mv = legal(position, bits)?;
                put_text(output, &position.san(mv));
                output.push(b'\n');
                put_text(output, &position.lan(mv));
                Ok(())
            })
        })
    }

    /// Writes the bits of the moves that the text in the input names: a move, steps, or a whole turn.
    fn position_parse(slot: u32) -> i32 {
        answer_text(|text, output| {
            with(slot, |position| {
                let moves = position.read(text).map_err(|error| move_error(text, &error))?;
                for mv in moves.iter() {
                    put_word(output, mv.bits());
                }
                Ok(())
            })
        })
    }

    /// Writes the bits of the moves of a deploy: see [`read_deploy`].
    fn position_deploy(slot: u32) -> i32 {
        answer_text(|text, output| {
            with(slot, |position| {
                for mv in read_deploy(position, text)? {
                    put_word(output, mv.bits());
                }
                Ok(())
            })
        })
    }

    /// Writes a line for every whole turn, of one square's stack if it is one's index: its SAN, its LAN and the
    /// bits of its moves, with tabs between them.
    fn position_turns(slot: u32, square: u32) -> i32 {
        answer(|output| {
            with(slot, |position| {
                let turns = position.turns_from(read_square(square).ok());
                for turn in &turns {
                    put_text(output, &turn.san);
                    output.push(b'\t');
                    put_text(output, &turn.lan);
                    for mv in turn.moves.iter() {
                        output.push(b'\t');
                        put_text(output, &mv.bits().to_string());
                    }
                    output.push(b'\n');
                }
                Ok(())
            })
        })
    }

    /// How many sequences of moves of this length there are.
    #[allow(clippy::cast_precision_loss, reason = "no count that is waited for reaches 2^53")]
    fn position_perft(slot: u32, depth: u32) -> f64 {
        with(slot, |position| Ok(perft(position, depth) as f64)).unwrap_or(-1.0)
    }
}
