//! A game as a file: PGN, FEN, a picture.

use std::time::Duration;

use cotulenh::{Color, Game};
use serde_json::Value;

use super::draw::Picture;
use crate::game::Export;
use crate::seat::Occupant;

/// What a file tells of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub(super) game: &'a Game,
    /// What both sides had left after each turn, in milliseconds.
    pub(super) left: &'a [Option<[u32; 2]>],
    pub(super) outcome: &'a Value,
    pub(super) seats: &'a [Occupant],
}

impl Recorded<'_> {
    /// The file with this ending.
    pub(super) fn export(self, ending: &str, ply: Option<usize>, flip: bool) -> Option<Export> {
        let position = || self.game.position_after(ply.unwrap_or(usize::MAX));
        match ending {
            "fen" => Some(Export {
                content_type: "text/plain; charset=utf-8",
                text: format!("{}\n", position()),
            }),
            "pgn" => Some(Export {
                content_type: "application/x-chess-pgn; charset=utf-8",
                text: self.pgn(),
            }),
            "svg" => Some(Export {
                content_type: "image/svg+xml",
                text: Picture::new(&position(), flip).document(),
            }),
            _ => None,
        }
    }

    fn pgn(self) -> String {
        let mut game = self.game.clone();
        let first = game.start().turn();
        for (turn, left) in (1..).zip(self.left) {
            let mover = if turn % 2 == 1 { first } else { !first };
            let own = left.map(|left| left[usize::from(mover == Color::Blue)]);
            let own = own.map(|own| Duration::from_millis(u64::from(own)));
            // The game has as many turns.
            let _ = game.set_clock(turn, own);
        }
        for (color, seat) in ["Red", "Blue"].into_iter().zip(self.seats) {
            // A name that PGN cannot hold is left out; the game is not.
            let _ = game.set_header(color, &seat.name());
        }
        if let Some(reason) = self.outcome["reason"].as_str() {
            let result = match self.outcome["winner"].as_str() {
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
}
