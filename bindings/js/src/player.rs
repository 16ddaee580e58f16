//! The player of Tractor.

use serde::Deserialize;
use serde_json::json;
use tractor::View;
use tractor_engine::{Limits, Player, SkillLevel};

use crate::boundary::{Failure, answer_text, exports, put_json, put_text};
use crate::host;

/// What a player is asked, as JavaScript asks it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerRequest {
    view: View,
    level: String,
    seed: u64,
    rollouts: Option<u32>,
    /// Milliseconds.
    time: Option<f64>,
}

fn read(text: &str) -> Result<(Player, View), Failure> {
    let request: PlayerRequest = convoy_protocol::read_json(text)?;
    let level: SkillLevel =
        request
            .level
            .parse()
            .map_err(|error: tractor_engine::ParseSkillLevelError| {
                Failure::new("bad-argument", &error.to_string())
            })?;
    let player = Player::new(level, request.seed);
    let time = request
        .time
        .map(|time| std::time::Duration::try_from_secs_f64(time / 1000.0));
    let time = time
        .transpose()
        .map_err(|error| Failure::new("bad-argument", &error.to_string()))?;
    let limits = Limits {
        rollouts: request.rollouts,
        time: time.or(player.limits.time.filter(|_| request.rollouts.is_none())),
        clock: host::now,
    };
    Ok((player.with_limits(limits), request.view))
}

exports! {
    /// Writes the event that the player makes of the view in the input; nothing where there is nothing to do.
    fn player_act() -> i32 {
        answer_text(|text, output| {
            let (player, view) = read(text)?;
            if let Some(event) = player.act(&view) {
                put_text(output, &event.to_string());
            }
            Ok(())
        })
    }

    /// Writes a hint for the viewer, as JSON; `null` where it is not its turn to play.
    fn player_hint() -> i32 {
        answer_text(|text, output| {
            let (player, view) = read(text)?;
            let texts = |cards: tractor::CardSet| -> Vec<String> {
                cards.iter().map(|card| card.to_string()).collect()
            };
            let hint = player.hint(&view).map(|hint| json!({
                "cards": texts(hint.cards),
                "points": hint.points,
                "words": hint.words,
                "why": hint.purpose.word(),
                "instead": hint.alternatives.first().map(|(cards, points)| {
                    json!({ "cards": texts(*cards), "points": points })
                }),
            }));
            put_json(&hint, output)
        })
    }
}
