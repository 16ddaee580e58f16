//! One game of a match.

use anyhow::Context as _;
use cotulenh::{Color, Game, Position};
use cotulenh_engine::points;

use super::player::Player;

/// How a game begins.
pub(super) struct Opening<'a> {
    pub(super) position: &'a Position,
    pub(super) seed: u64,
    pub(super) turns: usize,
    /// How many points ahead wins a game that nobody has won.
    pub(super) adjudicate: Option<i32>,
    pub(super) round: usize,
}

/// A finished game.
pub(super) struct Played {
    /// For red: 0, ½ or 1.
    pub(super) score: f64,
    pub(super) reason: String,
    pub(super) turns: usize,
    pub(super) pgn: String,
}

/// Plays a game to its end.
pub(super) fn play(
    opening: &Opening<'_>,
    red: &mut Player,
    blue: &mut Player,
) -> anyhow::Result<Played> {
    let mut game = Game::new(opening.position.clone());
    let mut keys = Vec::new();
    red.new_game(opening.seed)?;
    blue.new_game(opening.seed ^ 0x5555)?;
    let mut forfeit = None;
    while game.outcome().is_none() && game.turn_count() < opening.turns {
        let turn = game.position().turn();
        let player = if turn == Color::Red {
            &mut *red
        } else {
            &mut *blue
        };
        let Some(actions) = player.choose(&game, &keys)? else {
            forfeit = Some(turn);
            break;
        };
        keys.push(game.position().key());
        for mv in actions.iter() {
            game.play(*mv)
                .with_context(|| format!("{} played {mv} in {}", player.name(), game.position()))?;
        }
    }
    let (winner, reason) = match (game.outcome(), forfeit) {
        (Some(outcome), _) => (outcome.winner, outcome.reason.to_string()),
        (None, Some(loser)) => (Some(!loser), "time".into()),
        (None, None) => (None, "length".into()),
    };
    let (winner, reason) = match (winner, opening.adjudicate) {
        (None, Some(bar)) => {
            let ahead = points(game.position(), Color::Red);
            let leader = if ahead > 0 { Color::Red } else { Color::Blue };
            (
                (ahead.abs() >= bar).then_some(leader),
                format!("{reason}, by points"),
            )
        }
        _ => (winner, reason),
    };
    let score = match winner {
        Some(Color::Red) => 1.0,
        Some(Color::Blue) => 0.0,
        None => 0.5,
    };
    let round = opening.round.to_string();
    let result = ["0-1", "1/2-1/2", "1-0"][if winner.is_none() {
        1
    } else {
        usize::from(score > 0.5) * 2
    }];
    for (name, value) in [
        ("Event", "convoy match"),
        ("Round", &round),
        ("Red", red.name()),
        ("Blue", blue.name()),
        ("Result", result),
        ("Termination", &reason),
    ] {
        game.set_header(name, value).ok();
    }
    Ok(Played {
        score,
        reason,
        turns: game.turn_count(),
        pgn: game.pgn(),
    })
}
