//! One game of a match.

use std::sync::atomic::{AtomicBool, Ordering};

use cotulenh::{Color, Game, Position};
use cotulenh_engine::points;
use serde_json::{Value, json};

use super::external::Forfeit;
use super::player::Player;

/// How a game begins and when it is adjudicated.
pub(super) struct Opening<'a> {
    pub(super) position: &'a Position,
    pub(super) seed: u64,
    pub(super) turns: usize,
    /// The lead in points that wins a game without a winner.
    pub(super) adjudicate: Option<i32>,
    pub(super) round: usize,
}

/// A finished game.
pub(super) struct Played {
    pub(super) winner: Option<Color>,
    /// Why it ended, without details: to count by.
    pub(super) cause: String,
    /// Who forfeited it.
    pub(super) forfeit: Option<(Color, Forfeit)>,
    pub(super) turns: usize,
    pub(super) pgn: String,
    pub(super) json: Value,
}

impl Played {
    /// The score of a colour: 0, ½ or 1.
    pub(super) fn score(&self, color: Color) -> f64 {
        self.winner
            .map_or(0.5, |winner| f64::from(u8::from(winner == color)))
    }
}

/// Plays a game to its end; `None` if the match was interrupted.
pub(super) fn play(
    opening: &Opening<'_>,
    [red, blue]: [&mut Player; 2],
    stop: &AtomicBool,
) -> anyhow::Result<Option<Played>> {
    let mut game = Game::new(opening.position.clone());
    red.new_game(opening.seed)?;
    blue.new_game(opening.seed ^ 0x5555)?;
    let mut forfeit = None;
    while game.outcome().is_none() && game.turn_count() < opening.turns && forfeit.is_none() {
        let turn = game.position().turn();
        let (player, other) = match turn {
            Color::Red => (&mut *red, &*blue),
            Color::Blue => (&mut *blue, &*red),
        };
        let choice = player.choose(&game, other.clock(), stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match choice {
            Ok(moves) => {
                for mv in moves.iter() {
                    game.play(*mv)?;
                }
            }
            Err(cause) => forfeit = Some((turn, cause)),
        }
    }
    let names = [red.name(), blue.name()];
    Ok(Some(finish(game, opening, forfeit, names)))
}

/// The winner and the reason, counted and in full.
fn result(
    game: &Game,
    opening: &Opening<'_>,
    forfeit: Option<&(Color, Forfeit)>,
) -> (Option<Color>, String, String) {
    if let Some((loser, cause)) = forfeit {
        let detail = format!("{} forfeits: {cause}", name_of(*loser));
        return (Some(!*loser), cause.cause().to_owned(), detail);
    }
    let (winner, reason) = match game.outcome() {
        Some(outcome) => (outcome.winner, outcome.reason.to_string()),
        None => (None, "length".to_owned()),
    };
    let (winner, reason) = match (winner, opening.adjudicate) {
        (None, Some(lead)) => {
            let ahead = points(game.position(), Color::Red);
            let leader = if ahead > 0 { Color::Red } else { Color::Blue };
            let winner = (ahead.abs() >= lead).then_some(leader);
            (winner, format!("{reason}, by points"))
        }
        _ => (winner, reason),
    };
    (winner, reason.clone(), reason)
}

const fn name_of(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Blue => "blue",
    }
}

/// Writes a finished game down.
fn finish(
    mut game: Game,
    opening: &Opening<'_>,
    forfeit: Option<(Color, Forfeit)>,
    [red, blue]: [String; 2],
) -> Played {
    let (winner, cause, reason) = result(&game, opening, forfeit.as_ref());
    let score = match winner {
        Some(Color::Red) => "1-0",
        Some(Color::Blue) => "0-1",
        None => "1/2-1/2",
    };
    let round = opening.round.to_string();
    for (name, value) in [
        ("Event", "convoy match"),
        ("Round", &round),
        ("Red", &red),
        ("Blue", &blue),
        ("Result", score),
        ("Termination", &reason),
    ] {
        game.set_header(name, value).ok();
    }
    let json = json!({
        "round": opening.round,
        "red": red,
        "blue": blue,
        "fen": opening.position.to_string(),
        "turns": game.lans(),
        "result": score,
        "termination": reason,
        "forfeit": forfeit.as_ref().map(|(loser, cause)| json!({
            "by": name_of(*loser),
            "cause": cause.cause(),
        })),
    });
    Played {
        winner,
        cause,
        forfeit,
        turns: game.turn_count(),
        pgn: game.pgn(),
        json,
    }
}
