//! Why the rules of Cờ Tư Lệnh refuse something, in words that stay the same for translations. The
//! judgement is the rules crate's; the exhaustive matches are here.

use cotulenh::{IllegalMoveError, ParseFenError, ReadError, ReadPgnError, SetupError};

use crate::refusal::{Reason, Refusal};

/// The words for actions that are refused, for the test that compares them with the catalogues.
#[cfg(test)]
pub(crate) const ACTIONS: [&str; 16] = [
    "over",
    "nobody",
    "absent",
    "deploy-open",
    "no-deploy",
    "deployed",
    "unreachable",
    "danger",
    "stranded",
    "dead-end",
    "no-move",
    "ambiguous",
    "not-heroic",
    "stay",
    "unfinished",
    "ended",
];

/// The words for positions that are refused.
#[cfg(test)]
pub(crate) const POSITIONS: [&str; 10] = [
    "fields",
    "rank",
    "turn",
    "number",
    "terrain",
    "commanders",
    "deploy",
    "between-turns",
    "over",
    "unreadable",
];

fn code(error: IllegalMoveError) -> &'static str {
    match error {
        IllegalMoveError::NoCommander => "over",
        IllegalMoveError::Nobody(_) => "nobody",
        IllegalMoveError::Absent(..) => "absent",
        IllegalMoveError::DeployOpen(_) => "deploy-open",
        IllegalMoveError::NoDeploy => "no-deploy",
        IllegalMoveError::Deployed(_) => "deployed",
        IllegalMoveError::Unreachable(..)
        | IllegalMoveError::OutOfRange { .. }
        | IllegalMoveError::Terrain(..)
        | IllegalMoveError::NoTarget(_)
        | IllegalMoveError::Occupied(_)
        | IllegalMoveError::Friend(_)
        | IllegalMoveError::NoStack(_) => "unreachable",
        IllegalMoveError::Danger => "danger",
        IllegalMoveError::Stranded(_) => "stranded",
        IllegalMoveError::DeadEnd => "dead-end",
    }
}

/// An action that the rules forbid.
pub(crate) fn illegal(text: &str, error: IllegalMoveError) -> Refusal {
    Refusal::Illegal(Reason::new(code(error), format!("{text}: {error}")).with("move", text))
}

/// A step after the turn has ended, or a turn that has not.
pub(crate) fn ended(text: &str) -> Refusal {
    let words = format!("{text}: the turn has ended before");
    Refusal::Illegal(Reason::new("ended", words).with("move", text))
}

/// A turn without its end.
pub(crate) fn unfinished() -> Refusal {
    Refusal::Illegal(Reason::new("unfinished", "the turn is not complete"))
}

/// A text that names no action or turn.
pub(crate) fn unread(text: &str, error: &ReadError) -> Refusal {
    let words = format!("{text}: {error}");
    let code = match error {
        ReadError::Syntax { column } => {
            let reason = Reason::new("syntax", words).with("move", text);
            return Refusal::Unreadable(reason.with("column", *column));
        }
        ReadError::Illegal(Some(error)) => code(*error),
        ReadError::Illegal(None) | ReadError::NoneFits { .. } => "no-move",
        ReadError::Ambiguous { .. } => "ambiguous",
        ReadError::NotHeroic(_) => "not-heroic",
        ReadError::Stay(_) => "stay",
        ReadError::Unfinished(_) => "unfinished",
        ReadError::Over(_) => "over",
    };
    Refusal::Illegal(Reason::new(code, words).with("move", text))
}

/// A text that is no position.
pub(crate) fn fen(error: &ParseFenError) -> Refusal {
    let code = match error {
        ParseFenError::Fields(_) | ParseFenError::Ranks(_) | ParseFenError::Dash(_) => "fields",
        ParseFenError::RankLength { .. }
        | ParseFenError::Rank { .. }
        | ParseFenError::Setup(SetupError::Unlawful(..)) => "rank",
        ParseFenError::Turn => "turn",
        ParseFenError::HalfmoveClock
        | ParseFenError::MoveNumber
        | ParseFenError::Setup(SetupError::MoveNumber) => "number",
        ParseFenError::Setup(SetupError::Terrain(..)) => "terrain",
        ParseFenError::Setup(SetupError::Commanders(..)) => "commanders",
        ParseFenError::Deploy(_) => "deploy",
    };
    let words = Reason::new(code, error.to_string());
    Refusal::BadPosition(match error {
        ParseFenError::RankLength { rank, .. } | ParseFenError::Rank { rank, .. } => {
            words.with("rank", *rank)
        }
        _ => words,
    })
}

/// A position that cannot be what it is wanted for.
pub(crate) fn position(code: &'static str, text: &'static str) -> Refusal {
    Refusal::BadPosition(Reason::new(code, text))
}

/// A text that is no PGN.
pub(crate) fn pgn(error: &ReadPgnError) -> Refusal {
    Refusal::Unreadable(Reason::new("pgn", error.to_string()))
}
