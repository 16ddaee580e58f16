//! Cờ Tư Lệnh at a table of the server.

mod board;
mod engine;
mod event;
mod export;
mod line;
mod query;
mod study;
pub(crate) mod word;

use cotulenh::Position;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::clock::TimeControl;
use crate::id;
use crate::refusal::{BadChoice, Refusal};
use crate::seat::Occupant;
use crate::table::{Guest, Number, Opening, Wish};

pub(crate) use board::Board;
pub(crate) use query::answer;
pub(crate) use study::Study;

/// The name of the game in addresses and files.
pub(crate) const NAME: &str = "cotulenh";

/// What a table of this game is opened with.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Setup {
    /// The position to begin from; none for the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<TimeControl>,
}

impl Setup {
    fn position(&self) -> Result<Position, Refusal> {
        self.fen
            .as_deref()
            .map_or_else(|| Ok(Position::start()), position)
    }
}

/// A position between turns from its FEN.
fn position(fen: &str) -> Result<Position, Refusal> {
    let position: Position = fen.trim().parse().map_err(|why| word::fen(&why))?;
    if position.deploy().is_some() {
        let text = "a game begins between turns";
        return Err(word::position("between-turns", text));
    }
    Ok(position)
}

/// The levels of the bots.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=10;

/// What is opened when `guest` wishes for this.
pub(crate) fn opening(wish: &Wish, guest: &Guest) -> Result<Opening, Refusal> {
    let own = match &*wish.color {
        "r" => 0,
        "b" => 1,
        "" | "random" => usize::from(id::random::<1>()[0] & 1),
        _ => return Err(Refusal::BadChoice(BadChoice::Color)),
    };
    let other = match &*wish.opponent {
        "" | "bot" => Occupant::Bot {
            level: level(wish.level)?,
        },
        "open" | "friend" => Occupant::Open,
        _ => return Err(Refusal::BadChoice(BadChoice::Opponent)),
    };
    let setup = Setup {
        fen: match wish.fen.trim() {
            "" => None,
            fen => Some(playable(fen)?),
        },
        clock: clock(wish)?,
    };
    let mut seats = vec![other; 2];
    seats[own] = Occupant::Human {
        player: guest.player.clone(),
        name: guest.name.clone(),
    };
    Ok(Opening {
        game: NAME,
        setup: json!(setup),
        seats,
        public: wish.opponent != "friend",
        previous: None,
    })
}

/// The canonical FEN of a position in which somebody can move.
fn playable(fen: &str) -> Result<String, Refusal> {
    let position = position(fen)?;
    match position.outcome() {
        Some(_) => Err(word::position("over", "the game is over in this position")),
        None => Ok(position.to_string()),
    }
}

fn level(wish: Option<Number>) -> Result<u8, Refusal> {
    let Number(level) = wish.unwrap_or(Number(3.0));
    // Text and number alike: what is written as a level, to the digit.
    let known = LEVELS
        .into_iter()
        .find(|known| known.to_string() == level.to_string());
    known.ok_or(Refusal::BadChoice(BadChoice::Level))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn clock(wish: &Wish) -> Result<Option<TimeControl>, Refusal> {
    let [minutes, seconds] = [wish.minutes, wish.increment].map(|n| n.map_or(0.0, |Number(n)| n));
    if !(0.0..=180.0).contains(&minutes) || !(0.0..=180.0).contains(&seconds) {
        return Err(Refusal::BadChoice(BadChoice::Clock));
    }
    let control = TimeControl {
        initial: (minutes * 60_000.0).round() as u64,
        increment: (seconds * 1000.0).round() as u64,
    };
    match (control.initial, control.increment) {
        (0, 0) => Ok(None),
        // Without anything to begin with, one increment is there at the start.
        (0, increment) => Ok(Some(TimeControl {
            initial: increment,
            increment,
        })),
        _ => Ok(Some(control)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PlayerId;

    fn guest() -> Guest {
        Guest {
            player: PlayerId::random(),
            name: "Ann".to_owned(),
        }
    }

    #[test]
    fn a_wish_becomes_a_table() {
        let wish = Wish {
            opponent: "bot".to_owned(),
            level: Some(Number(7.0)),
            color: "b".to_owned(),
            minutes: Some(Number(0.5)),
            increment: Some(Number(2.0)),
            ..Wish::default()
        };
        let opening = opening(&wish, &guest()).unwrap();
        assert_eq!(opening.seats[0], Occupant::Bot { level: 7 });
        assert_eq!(opening.setup["clock"]["initial"], 30_000);
        assert!(opening.public);
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        let refused = |wish: Wish| opening(&wish, &guest()).unwrap_err().code();
        let of = |level: f64| Wish {
            level: Some(Number(level)),
            ..Wish::default()
        };
        assert_eq!(refused(of(0.0)), "bad-choice");
        assert_eq!(refused(of(2.5)), "bad-choice");
        assert_eq!(
            refused(Wish {
                color: "green".into(),
                ..Wish::default()
            }),
            "bad-choice"
        );
        assert_eq!(
            refused(Wish {
                opponent: "dog".into(),
                ..Wish::default()
            }),
            "bad-choice"
        );
        assert_eq!(
            refused(Wish {
                minutes: Some(Number(-1.0)),
                ..Wish::default()
            }),
            "bad-choice"
        );
        assert_eq!(
            refused(Wish {
                fen: "nonsense".into(),
                ..Wish::default()
            }),
            "bad-position"
        );
    }
}
