//! Turns as browsers send them, and as the log tells them.

use cotulenh::{Move, Namer, PlayedTurn, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal_code;
use crate::game::read_fields;
use crate::refusal::Refusal;

/// More steps than any turn has.
const MOST_STEPS: usize = 8;

/// A whole turn that was read and found legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LegalTurn {
    pub(super) moves: Vec<Move>,
    pub(super) lan: String,
    pub(super) san: String,
}

impl LegalTurn {
    /// Reads the one whole turn that a frame holds. The legal moves are generated here, once: the
    /// names need them too.
    pub(super) fn read(position: &Position, d: &Value) -> Result<Self, Refusal> {
        let texts = read_fields::<TurnFields>(d)?.texts()?;
        let legal = position.legal_moves();
        let namer = Namer::new(position, &legal);
        let mut after = position.clone();
        let mut moves = Vec::new();
        for text in &texts {
            let read = match after.deploy() {
                _ if moves.is_empty() => namer.read(text),
                Some(_) => after.read(text),
                None => return Err(refusal_code::ended(text)),
            };
            let read = read.map_err(|error| refusal_code::unread(text, &error))?;
            for mv in read.iter() {
                after.play_unchecked(*mv);
                moves.push(*mv);
            }
        }
        if moves.is_empty() || after.deploy().is_some() {
            return Err(refusal_code::unfinished());
        }
        let mut san = String::new();
        namer.turn_san(&moves, &mut san);
        let lan = position.turn_lan(&moves);
        Ok(Self { moves, lan, san })
    }

    /// Reads a turn of the storage: its names are for whoever looks back.
    pub(super) fn moves_of(position: &Position, lan: &str) -> Result<Vec<Move>, Refusal> {
        let moves = position.read(lan);
        let moves = moves.map_err(|error| refusal_code::unread(lan, &error))?;
        let mut after = position.clone();
        for mv in moves.iter() {
            after.play_unchecked(*mv);
        }
        match after.deploy() {
            None => Ok(moves.to_vec()),
            Some(_) => Err(refusal_code::unfinished()),
        }
    }
}

/// A frame's turn: one text for all of it, or one a step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnFields {
    r#move: Option<String>,
    steps: Option<Vec<String>>,
}

impl TurnFields {
    fn texts(self) -> Result<Vec<String>, Refusal> {
        match (self.r#move, self.steps) {
            (Some(text), None) => Ok(vec![text]),
            (None, Some(steps)) if steps.len() <= MOST_STEPS => Ok(steps),
            (None, Some(steps)) => {
                let reason = format!("a turn has at most {MOST_STEPS} steps, not {}", steps.len());
                Err(Refusal::BadField {
                    field: "steps".to_owned(),
                    reason,
                })
            }
            _ => Err(Refusal::Malformed("a move has a move, or steps".to_owned())),
        }
    }
}

/// A turn as a page reads it: its names, the position after it, and what both sides had left.
pub(super) fn entry(san: &str, lan: &str, after: &Position, left: Option<[u64; 2]>) -> String {
    json!({ "san": san, "lan": lan, "fen": after.to_string(), "left": left }).to_string()
}

/// The same for a turn of the past.
pub(super) fn past_entry(turn: &PlayedTurn<'_>, left: Option<[u64; 2]>) -> String {
    entry(&turn.san(), &turn.lan(), &turn.after, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPLOY: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

    fn read(fen: &str, d: &Value) -> Result<LegalTurn, &'static str> {
        let position = fen.parse().unwrap();
        LegalTurn::read(&position, d).map_err(|refusal| refusal.code())
    }

    #[test]
    fn a_turn_is_read_in_any_of_its_forms_with_the_names_of_the_rules() {
        let position: Position = DEPLOY.parse().unwrap();
        for d in [
            json!({ "move": "(FI)<T>e6" }),
            json!({ "move": "e4:(FI):T>e6" }),
            json!({ "steps": ["T>e6", "."] }),
        ] {
            let turn = read(DEPLOY, &d).unwrap();
            assert_eq!((&*turn.san, &*turn.lan), ("(FI)<T>e6", "e4:(FI):T>e6"));
            assert_eq!(
                turn.moves,
                LegalTurn::moves_of(&position, &turn.lan).unwrap()
            );
        }
        // A square of departure is named where another piece reaches the target too.
        let start = Position::start().to_string();
        let turn = read(&start, &json!({ "move": "Na2b4" })).err();
        assert_eq!(turn, Some("illegal-move"));
        for turn in Position::start().turns() {
            let read = read(&start, &json!({ "move": turn.lan })).unwrap();
            assert_eq!((read.san, read.lan), (turn.san, turn.lan));
        }
    }

    #[test]
    fn what_is_no_whole_turn_is_refused() {
        let position = DEPLOY.parse().unwrap();
        let stored = LegalTurn::moves_of(&position, "T>e6").map_err(|refusal| refusal.code());
        assert_eq!(stored, Err("illegal-move"));
        for (d, code) in [
            (json!({}), "malformed"),
            (json!({ "steps": [1] }), "malformed"),
            (json!({ "steps": vec!["T>e6"; 9] }), "malformed"),
            (json!({ "steps": [] }), "illegal-move"),
            (json!({ "steps": ["T>e6"] }), "illegal-move"),
            (json!({ "steps": ["T>e6", ".", "."] }), "illegal-move"),
            (json!({ "steps": ["T>e6", "?"] }), "bad-notation"),
        ] {
            assert_eq!(read(DEPLOY, &d), Err(code), "{d}");
        }
    }
}
