//! A game as a file: PGN, FEN, a picture.

use std::time::Duration;

use cotulenh::{Color, Game};
use serde_json::Value;

use super::draw::Picture;
use crate::game::Export;
use crate::page::{Page, TableFacts, iso, seat_name};
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

/// A PGN with what the server knows of the game besides its moves.
pub(super) fn tagged(page: &Page, facts: &TableFacts<'_>, pgn: String) -> String {
    let Ok(mut game) = pgn.parse::<Game>() else {
        return pgn;
    };
    let opened = iso(facts.opened);
    let clock = &facts.view["clock"];
    let seconds = |name: &str| clock[name].as_u64().map(|millis| millis / 1000);
    let control = match (seconds("initial"), seconds("increment")) {
        (Some(initial), Some(increment)) => format!("{initial}+{increment}"),
        _ => "-".to_owned(),
    };
    let name = |seat: usize| seat_name(page, &facts.view["seats"][seat]);
    let tags = [
        ("Event", page.t("pgn-event")),
        ("Site", page.absolute(&format!("/game/{}", facts.id))),
        ("Date", opened[..10].replace('-', ".")),
        ("Red", name(0)),
        ("Blue", name(1)),
        ("TimeControl", control),
    ];
    for (tag, value) in tags {
        // A name that PGN cannot hold is left out; the game is not.
        let _ = game.set_header(tag, &value);
    }
    game.pgn()
}
