//! No engine in a running game between people.

use serde_json::Value;

use super::NAME;
use crate::app::App;
use crate::refusal::{NotNow, Refusal};
use crate::room::{Request, Snapshot};
use crate::seat::Occupant;
use crate::session::Visitor;
use crate::store::{Phase, Summary};

/// How many of a player's last games are looked through for those that go on.
const LAST_GAMES: u32 = 50;

fn is_human(occupant: &Occupant) -> bool {
    occupant.player().is_some()
}

fn runs_between_people(game: &Summary) -> bool {
    game.game == NAME && game.phase == Phase::Playing && game.seats.iter().all(is_human)
}

/// Whether a view is that of a running game between people.
pub(crate) fn is_between_people(view: &Value) -> bool {
    let seats = view["seats"].as_array().map_or(&[][..], Vec::as_slice);
    view["phase"] == "playing" && seats.iter().all(|seat| seat["kind"] == "human")
}

/// Placement and side to move: what makes a position the same to an engine.
fn key(fen: &str) -> Option<(&str, &str)> {
    let mut fields = fen.split(' ');
    Some((fields.next()?, fields.next()?))
}

/// Whether a view shows this position, now or after an earlier turn.
fn shows(view: &Value, fen: &str) -> bool {
    let turns = view["turns"].as_array().map_or(&[][..], Vec::as_slice);
    let mut fens = turns.iter().chain([view]).map(|turn| &turn["fen"]);
    fens.any(|known| known.as_str().and_then(key) == key(fen))
}

/// Whether the visitor is in the middle of a game against a person in which this position has been on
/// the board. Whoever cannot be told so is refused: a storage that fails opens no door to the engine.
async fn is_being_played(app: &App, visitor: &Visitor, fen: &str) -> Result<bool, Refusal> {
    let games = app.store().archive(visitor.player(), 0, LAST_GAMES).await;
    for game in games? {
        if !runs_between_people(&game) {
            continue;
        }
        let view = |reply| Request::View {
            actor: visitor.actor(),
            reply,
        };
        let snapshot: Snapshot = match app.lobby().ask(&game.id, view).await {
            // It was deleted meanwhile.
            Err(Refusal::NoSuchTable) => continue,
            snapshot => snapshot?,
        };
        // A view that cannot be read is as good as none.
        let view: Value = serde_json::from_str(&snapshot.json).map_err(|_| Refusal::Storage)?;
        // The summary may be older than the game.
        if is_between_people(&view) && shows(&view, fen) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses an engine's help in a running game of one's own against a person.
pub(crate) async fn check(app: &App, visitor: &Visitor, fen: &str) -> Result<(), Refusal> {
    if is_being_played(app, visitor, fen).await? {
        return Err(Refusal::NotNow(NotNow::EngineOff));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn positions_are_the_same_whatever_their_numbers() {
        let view = json!({
            "phase": "playing",
            "seats": [{ "kind": "human" }, { "kind": "human" }],
            "fen": "x/y b - - 3 9",
            "turns": [{ "fen": "x/z r - - 2 9" }],
        });
        assert!(is_between_people(&view));
        assert!(shows(&view, "x/y b - - 0 1") && shows(&view, "x/z r - - 0 1"));
        assert!(!shows(&view, "x/y r - - 3 9"));
        let bot = json!({ "phase": "playing", "seats": [{ "kind": "human" }, { "kind": "bot" }] });
        assert!(!is_between_people(&bot));
    }
}
