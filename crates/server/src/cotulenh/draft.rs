//! What the board of a page asks: the legal steps of a turn that is being put together.
//!
//! The page knows no rules. It sends the position and the steps chosen so far, and is told what may
//! follow, what the board looks like, and why a square that seems free is not.

use axum::Json;
use axum::extract::State;
use cotulenh::{
    Color, IllegalMoveError, Move, MoveKind, MoveList, Namer, Position, Role, Square, Stack,
    Terrain,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal_code;
use crate::app::App;
use crate::extract::Body;
use crate::refusal::Refusal;
use crate::session::Visitor;

/// More steps than any turn has.
const MOST_STEPS: usize = 16;
/// More turns than a record that is walked through may have in one question.
const MOST_TURNS: usize = 2000;

/// A draft, and optionally the square whose stack is looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    fen: Option<String>,
    #[serde(default)]
    steps: Vec<String>,
    /// A stack to look at: adds `exposed`, the squares that only the commander's safety forbids.
    at: Option<String>,
    /// Letters of the parts of that stack that shall go together: adds `groups`.
    parts: Option<String>,
}

/// A line of turns or steps to walk through.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    fen: Option<String>,
    moves: Vec<String>,
}

/// `POST /api/v1/cotulenh/draft`
pub(crate) async fn ask_draft(
    State(app): State<App>,
    visitor: Visitor,
    Body(question): Body<Question>,
) -> Result<Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    app.blocking()
        .run(move || draft(&question))
        .await?
        .map(Json)
}

/// `POST /api/v1/cotulenh/steps`
pub(crate) async fn ask_steps(
    State(app): State<App>,
    visitor: Visitor,
    Body(line): Body<Line>,
) -> Result<Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    app.blocking().run(move || steps(&line)).await?.map(Json)
}

/// What may follow in a draft.
pub(crate) fn draft(question: &Question) -> Result<Value, Refusal> {
    let mut position = position(question.fen.as_deref())?;
    if question.steps.len() > MOST_STEPS {
        return Err(Refusal::Malformed("too many steps".to_owned()));
    }
    for (i, text) in question.steps.iter().enumerate() {
        if i > 0 && position.deploy().is_none() {
            return Err(refusal_code::ended(text));
        }
        let action = position.read_move(text);
        let action = action.map_err(|error| refusal_code::unread(text, &error))?;
        position = play(&position, action);
    }
    let mut answer = describe(&position);
    if let Some(at) = &question.at {
        let square = at
            .parse::<Square>()
            .map_err(|_| Refusal::Malformed(format!("{at}: no square")))?;
        answer["exposed"] = exposed(&position, square);
        if let Some(parts) = &question.parts {
            answer["groups"] = groups(&position, square, &roles(parts)?);
        }
    }
    Ok(answer)
}

/// Turns with their single steps, each with the board afterwards.
pub(crate) fn steps(line: &Line) -> Result<Value, Refusal> {
    let mut position = position(line.fen.as_deref())?;
    if line.moves.len() > MOST_TURNS {
        return Err(Refusal::Malformed("too many turns".to_owned()));
    }
    let mut turns = Vec::new();
    let mut start = position.clone();
    let mut actions: Vec<Move> = Vec::new();
    let mut made: Vec<Value> = Vec::new();
    for text in &line.moves {
        let read = position.read(text);
        let read = read.map_err(|error| refusal_code::unread(text, &error))?;
        for action in read.iter() {
            let next = play(&position, *action);
            if !action.is_commit() {
                made.push(json!({
                    "lan": position.lan(*action),
                    "from": action.from().to_string(),
                    "to": action.to().to_string(),
                    "flags": action.flags(),
                    "piece": position.mover(*action).map(letters),
                    "board": next.board_fen().split(' ').next(),
                }));
            }
            actions.push(*action);
            position = next;
            if position.deploy().is_none() {
                turns.push(json!({
                    "san": start.turn_san(&actions),
                    "lan": start.turn_lan(&actions),
                    "fen": position.to_string(),
                    "steps": std::mem::take(&mut made),
                }));
                actions.clear();
                start = position.clone();
            }
        }
    }
    Ok(json!({ "fen": position.to_string(), "turns": turns, "outcome": outcome(&position) }))
}

fn position(fen: Option<&str>) -> Result<Position, Refusal> {
    let Some(fen) = fen else {
        return Ok(Position::start());
    };
    let read: Result<Position, _> = fen.trim().parse();
    read.map_err(|error| refusal_code::fen(&error))
}

/// The roles that letters such as `TI` name.
fn roles(letters: &str) -> Result<Vec<Role>, Refusal> {
    let found: Option<Vec<Role>> = letters
        .chars()
        .map(|c| Role::from_letter(c.to_ascii_uppercase()))
        .collect();
    found
        .filter(|roles| (1..=3).contains(&roles.len()))
        .ok_or_else(|| Refusal::Malformed(format!("{letters}: no parts of a stack")))
}

fn play(position: &Position, action: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(action);
    next
}

fn describe(position: &Position) -> Value {
    let moves = position.legal_moves();
    let namer = Namer::new(position, &moves);
    let listed: Vec<Value> = moves
        .iter()
        .map(|action| entry(position, &namer, *action))
        .collect();
    let mut answer = json!({
        "fen": position.to_string(),
        "board": placement(position),
        "turn": letter(position.turn()),
        "check": position.in_check(),
        "danger": position.in_danger(position.turn()),
        "outcome": outcome(position),
        "moves": listed,
        "cover": { "r": cover(position, Color::Red), "b": cover(position, Color::Blue) },
    });
    if let Some(deploy) = position.deploy() {
        answer["canCommit"] = json!(position.can_commit());
        answer["deploy"] = json!({
            "origin": deploy.origin().to_string(),
            "left": position.remaining().map(letters).unwrap_or_default(),
        });
        if !position.can_commit() {
            let stands = position
                .stack_at(deploy.origin())
                .is_none_or(|rest| Terrain::admits(rest.carrier().role, deploy.origin()));
            answer["cannotCommit"] = json!(if stands { "danger" } else { "terrain" });
        }
    }
    answer
}

fn entry(position: &Position, namer: &Namer<'_>, action: Move) -> Value {
    let (mut san, mut lan) = (String::new(), String::new());
    namer.san(action, &mut san);
    namer.lan(action, &mut lan);
    let next = play(position, action);
    let mut entry = json!({
        "lan": lan,
        "san": san,
        "from": action.from().to_string(),
        "to": action.to().to_string(),
        "type": action.role().letter().to_ascii_lowercase().to_string(),
        "flags": action.flags(),
        "board": placement(&next),
        "open": next.deploy().is_some(),
    });
    if action.is_step() {
        entry["deploy"] = json!(true);
    }
    if let Some(captured) = position.captured(action) {
        entry["captured"] = json!(captured.to_string());
    }
    entry
}

/// Rule 6.4: where parts of a stack can go together: one steps out, the others join it.
fn groups(position: &Position, square: Square, parts: &[Role]) -> Value {
    let mut found: Vec<Value> = Vec::new();
    let mut seen: Vec<(Square, MoveKind)> = Vec::new();
    for first in parts {
        for action in &position.legal_moves() {
            let leads = action.is_step() && action.role() == *first && action.from() == square;
            let stays = matches!(action.kind(), MoveKind::StayCapture | MoveKind::Kamikaze);
            if !leads || stays || seen.contains(&(action.to(), action.kind())) {
                continue;
            }
            let mut lans = vec![position.lan(*action)];
            let mut next = play(position, *action);
            let rest: Vec<Role> = parts.iter().copied().filter(|role| role != first).collect();
            if !join(&mut next, action.to(), &rest, &mut lans) {
                continue;
            }
            seen.push((action.to(), action.kind()));
            found.push(json!({
                "lans": lans,
                "to": action.to().to_string(),
                "flags": action.flags(),
                "open": next.deploy().is_some(),
                "board": placement(&next),
                "captured": position.captured(*action).map(|stack| stack.to_string()),
            }));
        }
    }
    json!(found)
}

/// Lets the parts join on the square, in whatever order the rules allow.
fn join(position: &mut Position, square: Square, parts: &[Role], lans: &mut Vec<String>) -> bool {
    if parts.is_empty() {
        return true;
    }
    for (i, part) in parts.iter().enumerate() {
        let joins = |action: &&Move| {
            action.is_recombine() && action.role() == *part && action.to() == square
        };
        let Some(action) = position.legal_moves().iter().find(joins).copied() else {
            continue;
        };
        let mut next = play(position, action);
        let mut more = lans.clone();
        more.push(position.lan(action));
        let rest: Vec<Role> = parts
            .iter()
            .enumerate()
            .filter(|(k, _)| *k != i)
            .map(|(_, role)| *role)
            .collect();
        if join(&mut next, square, &rest, &mut more) {
            *position = next;
            *lans = more;
            return true;
        }
    }
    false
}

/// Squares that a stack or its parts could reach, were it not for the commander.
fn exposed(position: &Position, from: Square) -> Value {
    let mine = position
        .stack_at(from)
        .filter(|stack| stack.color() == position.turn());
    let (Some(stack), false) = (mine, position.commander(position.turn()).is_none()) else {
        return json!([]);
    };
    let legal = position.legal_moves();
    let mut found = Vec::new();
    for to in lines(from) {
        let kinds: &[MoveKind] = match position.stack_at(to) {
            None => &[MoveKind::Quiet],
            Some(other) if other.color() == stack.color() => &[MoveKind::Combine],
            Some(_) => &[MoveKind::Capture, MoveKind::StayCapture],
        };
        for kind in kinds {
            if position.deploy().is_none() {
                let whole = Move::whole(from, to, stack.carrier().role, *kind);
                found.extend(endangers(position, &legal, whole));
            }
            if stack.len() > 1 {
                let step = |piece: cotulenh::Piece| Move::step(from, to, piece.role, *kind);
                found.extend(
                    stack
                        .pieces()
                        .map(step)
                        .filter_map(|step| endangers(position, &legal, step)),
                );
            }
        }
    }
    json!(found)
}

/// The squares in line with one, which no piece leaves in a single action.
fn lines(from: Square) -> impl Iterator<Item = Square> {
    let ways = [
        (0, 1),
        (1, 0),
        (0, -1),
        (-1, 0),
        (1, 1),
        (1, -1),
        (-1, -1),
        (-1, 1),
    ];
    ways.into_iter()
        .flat_map(move |(dx, dy)| (1..12).map_while(move |k| from.offset(dx * k, dy * k)))
}

fn endangers(position: &Position, legal: &MoveList, action: Move) -> Option<Value> {
    if legal.contains(&action) || position.play(action) != Err(IllegalMoveError::Danger) {
        return None;
    }
    let next = play(position, action);
    let reason = if next.is_exposed(position.turn()) {
        "exposed"
    } else {
        "attacked"
    };
    Some(json!({
        "from": action.from().to_string(),
        "to": action.to().to_string(),
        "type": action.role().letter().to_ascii_lowercase().to_string(),
        "deploy": action.is_step(),
        "reason": reason,
    }))
}

/// The placement as it stands, inside a deploy too.
fn placement(position: &Position) -> String {
    let fen = position.board_fen();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn cover(position: &Position, color: Color) -> Vec<String> {
    let squares = position.air_cover(color).into_iter();
    squares.map(|square| square.to_string()).collect()
}

fn letters(stack: Stack) -> String {
    stack.to_string().to_uppercase()
}

fn letter(color: Color) -> String {
    color.letter().to_string()
}

fn outcome(position: &Position) -> Value {
    position.outcome().map_or(
        Value::Null,
        |end| json!({ "winner": end.winner.map(letter), "reason": end.reason.to_string() }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";

    fn ask(question: Value) -> Value {
        let question = serde_json::from_value(question).unwrap();
        draft(&question).unwrap()
    }

    fn code(question: Value) -> &'static str {
        let question = serde_json::from_value(question).unwrap();
        draft(&question).unwrap_err().code()
    }

    #[test]
    fn a_draft_is_told_what_may_follow() {
        let answer = ask(json!({ "fen": STACK, "steps": ["F>e8", "T>e6"] }));
        assert_eq!(answer["deploy"], json!({ "origin": "e4", "left": "I" }));
        assert_eq!(answer["canCommit"], true);
        assert_eq!(
            answer["board"],
            "6c4/9ii/11/11/4F6/11/4T6/11/4I6/11/9II/5C5"
        );
        let moves = answer["moves"].as_array().unwrap();
        assert!(moves.iter().all(|entry| entry["from"] == "e4"));
        let last = moves.iter().find(|entry| entry["to"] == "d4").unwrap();
        assert_eq!((&last["open"], &last["type"]), (&json!(false), &json!("i")));
    }

    #[test]
    fn rule_6_3_a_stranded_rest_is_the_reason() {
        let fen = "6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1";
        let answer = ask(json!({ "fen": fen, "steps": ["N>b5"] }));
        assert_eq!(answer["canCommit"], false);
        assert_eq!(answer["cannotCommit"], "terrain");
    }

    #[test]
    fn rule_6_4_parts_go_together() {
        let answer = ask(json!({ "fen": STACK, "at": "e4", "parts": "TI" }));
        let groups = answer["groups"].as_array().unwrap();
        let e6 = groups.iter().find(|group| group["to"] == "e6").unwrap();
        assert_eq!(e6["board"], "6c4/9ii/11/11/11/11/4(TI)6/11/4F6/11/9II/5C5");
        let steps = ask(json!({ "fen": STACK, "steps": e6["lans"] }));
        assert_eq!(steps["board"], e6["board"]);
        assert_eq!(steps["deploy"]["left"], "F");
    }

    #[test]
    fn rule_3_8_the_last_blocker_is_told_why_it_must_stay() {
        let fen = "4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1";
        let answer = ask(json!({ "fen": fen, "at": "e6" }));
        let exposed = answer["exposed"].as_array().unwrap();
        let sidestep = |entry: &&Value| entry["to"] == "f6" && entry["deploy"] == false;
        let sidestep = exposed.iter().find(sidestep).unwrap();
        assert_eq!(sidestep["reason"], "exposed");
        assert!(exposed.iter().all(|entry| entry["to"] != "e7"));
    }

    #[test]
    fn a_turn_comes_apart_into_steps() {
        let line = json!({ "fen": STACK, "moves": ["F>e8,T>e6,I>d4", "Ch12"] });
        let answer = steps(&serde_json::from_value(line).unwrap()).unwrap();
        let turns = answer["turns"].as_array().unwrap();
        assert_eq!(turns.len(), 2);
        assert_eq!(turns[0]["steps"].as_array().unwrap().len(), 3);
        let after = turns[0]["fen"].as_str().unwrap();
        assert!(after.starts_with(turns[0]["steps"][2]["board"].as_str().unwrap()));
    }

    #[test]
    fn bad_questions_are_refused() {
        assert_eq!(code(json!({ "fen": "nonsense" })), "bad-position");
        assert_eq!(code(json!({ "steps": ["Ic9"] })), "illegal");
        assert_eq!(code(json!({ "steps": ["Ic6", "Ic7"] })), "illegal");
        assert_eq!(code(json!({ "steps": vec!["Ic6"; 17] })), "malformed");
        assert_eq!(code(json!({ "at": "z9" })), "malformed");
        assert_eq!(code(json!({ "at": "c5", "parts": "xyz" })), "malformed");
    }
}
