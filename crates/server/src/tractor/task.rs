//! What a worker is asked about this game: what one seat sees, and nothing else.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tractor::View;

use super::bot::action_of;
use super::{NAME, engine};
use crate::game::{Action, EngineTask, Progress, Tell, TimeSlice};
use crate::refusal::Refusal;

/// How long a strong player takes at most, on a slow machine.
const BUDGET: Duration = Duration::from_secs(3);

/// What there is to think about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Task {
    /// What a bot of that level does.
    Move { view: View, level: u8 },
    /// Advice to whoever holds the seat.
    Hint { view: View },
}

/// Reads what [`EngineTask::request`] has written.
pub(super) fn read(request: &Value) -> Result<Box<dyn EngineTask>, Refusal> {
    let task = Task::deserialize(request);
    let task = task.map_err(|error| Refusal::Malformed(error.to_string()))?;
    Ok(Box::new(task))
}

impl EngineTask for Task {
    fn game(&self) -> &'static str {
        NAME
    }

    fn request(&self) -> Value {
        json!(self)
    }

    fn budget(&self) -> Duration {
        BUDGET
    }

    fn run(&mut self, slice: &TimeSlice<'_>, _: Tell<'_>) -> Progress<Option<Action>> {
        let stop = slice.stop();
        Progress::Done(match self {
            Self::Move { view, level } => {
                let event = engine::act(view, *level, stop);
                event.as_ref().and_then(action_of)
            }
            Self::Hint { view } => Some(Action::new("answer", engine::hint(view, stop))),
        })
    }
}

#[cfg(test)]
mod tests {
    use tractor::{Card, Deck, Event, Round, Rules, Seat, Seed, Setup};

    use super::*;

    /// The view of the first seat when all cards are out.
    fn view(deck: Deck) -> View {
        let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
        round.apply(Event::Deal { count: 100 }).unwrap();
        View::of(&round, Some(Seat::ALL[0]))
    }

    #[test]
    fn a_request_does_not_depend_on_what_the_seat_cannot_see() {
        let deck = Deck::of(&Seed::from_number(7), 1);
        let request = Task::Hint {
            view: view(deck.clone()),
        }
        .request();
        // The kitty and what the three others were dealt are turned round among themselves.
        let mut cards: Vec<Card> = deck.cards().to_vec();
        let hidden: Vec<usize> = (0..108).filter(|at| *at >= 100 || at % 4 != 0).collect();
        for (near, far) in hidden
            .iter()
            .zip(hidden.iter().rev())
            .take(hidden.len() / 2)
        {
            cards.swap(*near, *far);
        }
        assert_ne!(cards, deck.cards());
        let other = Deck::new(&cards).unwrap();
        assert_eq!(Task::Hint { view: view(other) }.request(), request);
        // What the seat does see is in it, and is read back as it was.
        assert_eq!(read(&request).unwrap().request(), request);
        let another = view(Deck::of(&Seed::from_number(8), 1));
        assert_ne!(Task::Hint { view: another }.request(), request);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for request in [json!([]), json!({ "kind": "move", "view": {}, "level": 3 })] {
            assert!(read(&request).is_err(), "{request}");
        }
    }
}
