//! Why the rules of Cờ Tư Lệnh refuse something, in words that stay the same for translations. The
//! judgement is the rules crate's; the exhaustive matches are here.

use cotulenh::{IllegalMoveError, ParseFenError, ReadError, ReadPgnError, SetupError};

use crate::refusal::{Refusal, Why};

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

fn code(why: IllegalMoveError) -> &'static str {
    match why {
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
pub(crate) fn illegal(text: &str, why: IllegalMoveError) -> Refusal {
    Refusal::Illegal(Why::new(code(why), format!("{text}: {why}")).with("move", text))
}

/// A step after the turn has ended, or a turn that has not.
pub(crate) fn ended(text: &str) -> Refusal {
    let words = format!("{text}: the turn has ended before");
    Refusal::Illegal(Why::new("ended", words).with("move", text))
}

/// A turn without its end.
pub(crate) fn unfinished() -> Refusal {
    Refusal::Illegal(Why::new("unfinished", "the turn is not complete"))
}

/// A text that names no action or turn.
pub(crate) fn unread(text: &str, why: &ReadError) -> Refusal {
    let words = format!("{text}: {why}");
    let code = match why {
        ReadError::Syntax { column } => {
            let why = Why::new("syntax", words).with("move", text);
            return Refusal::Unreadable(why.with("column", *column));
        }
        ReadError::Illegal(Some(why)) => code(*why),
        ReadError::Illegal(None) | ReadError::NoneFits { .. } => "no-move",
        ReadError::Ambiguous { .. } => "ambiguous",
        ReadError::NotHeroic(_) => "not-heroic",
        ReadError::Stay(_) => "stay",
        ReadError::Unfinished(_) => "unfinished",
        ReadError::Over(_) => "over",
    };
    Refusal::Illegal(Why::new(code, words).with("move", text))
}

/// A text that is no position.
pub(crate) fn fen(why: &ParseFenError) -> Refusal {
    let code = match why {
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
    let words = Why::new(code, why.to_string());
    Refusal::BadPosition(match why {
        ParseFenError::RankLength { rank, .. } | ParseFenError::Rank { rank, .. } => {
            words.with("rank", *rank)
        }
        _ => words,
    })
}

/// A position that cannot be what it is wanted for.
pub(crate) fn position(code: &'static str, text: &'static str) -> Refusal {
    Refusal::BadPosition(Why::new(code, text))
}

/// A text that is no PGN.
pub(crate) fn pgn(why: &ReadPgnError) -> Refusal {
    Refusal::Unreadable(Why::new("pgn", why.to_string()))
}
