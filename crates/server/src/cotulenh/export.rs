//! A game as a file: PGN, FEN, a picture.

use serde_json::Value;

use super::draw;
use super::line::Line;
use crate::game::Export;
use crate::seat::Occupant;

/// The file with this ending.
pub(super) fn export(
    line: &Line,
    outcome: &Value,
    ending: &str,
    ply: Option<usize>,
    flip: bool,
    seats: &[Occupant],
) -> Option<Export> {
    let fen = || line.position_after(ply.unwrap_or(usize::MAX)).to_string();
    match ending {
        "fen" => Some(Export {
            content_type: "text/plain; charset=utf-8",
            text: fen() + "\n",
        }),
        "pgn" => Some(Export {
            content_type: "application/x-chess-pgn; charset=utf-8",
            text: pgn(line, outcome, seats),
        }),
        "svg" => Some(Export {
            content_type: "image/svg+xml",
            text: draw::board(&fen(), flip)?,
        }),
        _ => None,
    }
}

fn pgn(line: &Line, outcome: &Value, seats: &[Occupant]) -> String {
    let mut game = line.game();
    for (color, seat) in ["Red", "Blue"].into_iter().zip(seats) {
        // A name that PGN cannot hold is left out; the game is not.
        let _ = game.set_header(color, &seat.name());
    }
    if let Some(reason) = outcome["reason"].as_str() {
        let result = match outcome["winner"].as_str() {
            Some("r") => "1-0",
            Some(_) => "0-1",
            None if reason == "aborted" => "*",
            None => "1/2-1/2",
        };
        let _ = game.set_header("Result", result);
        let _ = game.set_header("Termination", reason);
    }
    game.pgn()
}
