//! Cờ Tư Lệnh's half of `convoy query`; `docs/protocol.md` describes every op.

use std::borrow::Cow;
use std::collections::BTreeMap;

use convoy_stack::COTULENH;
use cotulenh::wire::Moves;
use cotulenh::{
    Batch, BatchError, Color, Game, Outcome, Piece, Position, ReadError, Role, Square, Stack,
    perft, perft_turns,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Answer, Fault};

/// The answer to one request.
pub(super) fn answer(op: &str, text: &str) -> Answer {
    match op {
        "moves" => moves(&read(text)?),
        "turns" => turns(&read(text)?),
        "deploy" => deploy(&read(text)?),
        "play" => play(&read(text)?),
        "perft" => count(&read(text)?),
        "combine" => combine(&read(text)?),
        "splits" => splits(&read(text)?),
        "attackers" => attackers(&read(text)?),
        "cover" => cover(&read(text)?),
        _ => Err(Fault::new(
            "unknown-op",
            format!("cotulenh has no op {op:?}"),
        )),
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new("malformed", format!("{error}")))
}

fn write(answer: &impl Serialize) -> Answer {
    serde_json::to_string(answer).map_err(|error| Fault::new("internal", error.to_string()))
}

fn position(fen: Option<&str>) -> Result<Position, Fault> {
    match fen {
        None => Ok(Position::start()),
        Some(fen) => fen
            .parse()
            .map_err(|error| Fault::new("bad-fen", format!("{error}"))),
    }
}

/// The position after steps, the last of which may leave a deploy open.
fn after(fen: Option<&str>, steps: &[Cow<'_, str>]) -> Result<Position, Fault> {
    let mut position = position(fen)?;
    for (index, text) in steps.iter().enumerate() {
        let actions = position
            .read(text)
            .map_err(|error| bad_move(index, text, error))?;
        for mv in actions.iter() {
            position.play_unchecked(*mv);
        }
    }
    Ok(position)
}

fn square(name: &str) -> Result<Square, Fault> {
    name.parse()
        .map_err(|error| Fault::new("bad-square", format!("{name:?}: {error}")))
}

fn bad_move(index: usize, text: &str, error: ReadError) -> Fault {
    let code = match error {
        ReadError::Syntax { .. } => "bad-notation",
        ReadError::Ambiguous { .. } => "ambiguous-move",
        ReadError::Over(_) => "game-over",
        _ => "illegal-move",
    };
    let mut fault = Fault::new(code, format!("move {} {text:?}: {error}", index + 1));
    fault.at = Some(json!({ "index": index, "move": text }));
    fault
}

#[derive(Deserialize)]
struct MovesRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    steps: Vec<Cow<'a, str>>,
}

fn moves(request: &MovesRequest<'_>) -> Answer {
    let position = after(request.fen.as_deref(), &request.steps)?;
    write(&Moves::of(&position))
}

#[derive(Deserialize)]
struct TurnsRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    square: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct Turns {
    turns: Vec<Turn>,
}

#[derive(Serialize)]
struct Turn {
    san: String,
    lan: String,
    after: String,
}

fn turns(request: &TurnsRequest<'_>) -> Answer {
    let position = position(request.fen.as_deref())?;
    let from = request.square.as_deref().map(square).transpose()?;
    let turns: Vec<Turn> = position
        .turns_from(from)
        .into_iter()
        .map(|turn| Turn {
            after: turn.after.to_string(),
            san: turn.san,
            lan: turn.lan,
        })
        .collect();
    write(&Turns { turns })
}

#[derive(Deserialize)]
struct PlayRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    moves: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
struct Played {
    fen: String,
    sans: Vec<String>,
    fens: Vec<String>,
    outcome: Option<Outcome>,
}

impl Played {
    fn of(game: &Game) -> Self {
        Self {
            fen: game.position().to_string(),
            sans: game.sans(),
            fens: game.turns().map(|turn| turn.after.to_string()).collect(),
            outcome: game.outcome(),
        }
    }
}

fn play(request: &PlayRequest<'_>) -> Answer {
    let mut game = Game::new(position(request.fen.as_deref())?);
    for (index, text) in request.moves.iter().enumerate() {
        game.play_text(text)
            .map_err(|error| bad_move(index, text, error))?;
    }
    write(&Played::of(&game))
}

#[derive(Deserialize)]
struct DeployRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    from: Cow<'a, str>,
    #[serde(borrow)]
    moves: Vec<DeployMove<'a>>,
    #[serde(borrow, default)]
    stay: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct DeployMove<'a> {
    #[serde(borrow)]
    piece: Cow<'a, str>,
    #[serde(borrow)]
    to: Cow<'a, str>,
}

fn deploy(request: &DeployRequest<'_>) -> Answer {
    let mut game = Game::new(position(request.fen.as_deref())?);
    let mut moves = Vec::new();
    for part in &request.moves {
        let to = square(&part.to)?;
        moves.extend(roles(&part.piece)?.into_iter().map(|role| (role, to)));
    }
    let stay = roles(request.stay.as_deref().unwrap_or_default())?;
    let batch = Batch {
        from: square(&request.from)?,
        moves: &moves,
        stay: &stay,
    };
    game.deploy(&batch)
        .map_err(|error| Fault::new(batch_code(error), error.to_string()))?;
    write(&Played::of(&game))
}

/// The roles that a text names: `T`, `(FI)`, `+TI`.
fn roles(text: &str) -> Result<Vec<Role>, Fault> {
    let letters = text
        .chars()
        .filter(|letter| !matches!(letter, '(' | ')' | '+' | '|'));
    letters
        .map(|letter| {
            let unknown = || Fault::new("bad-piece", format!("{letter:?} names no piece"));
            Role::from_letter(letter).ok_or_else(unknown)
        })
        .collect()
}

const fn batch_code(error: BatchError) -> &'static str {
    match error {
        BatchError::Open(_) => "deploy-open",
        BatchError::NoStack(_) => "no-stack",
        BatchError::Empty => "nobody-moves",
        BatchError::Missing(_) => "piece-missing",
        BatchError::Twice(_) => "piece-twice",
        BatchError::Forgotten(_) => "piece-forgotten",
        BatchError::Stay { .. } => "stay-not-lawful",
        BatchError::Group { .. } => "group-not-lawful",
        BatchError::Terrain(..) => "wrong-terrain",
        BatchError::Step { .. } => "step-not-legal",
        BatchError::Danger => "commander-in-danger",
        BatchError::Over(_) => "game-over",
    }
}

#[derive(Deserialize)]
struct PerftRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    steps: Vec<Cow<'a, str>>,
    depth: u32,
    #[serde(default)]
    unit: Unit,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Step,
    Turn,
}

fn count(request: &PerftRequest<'_>) -> Answer {
    let position = after(request.fen.as_deref(), &request.steps)?;
    let nodes = match request.unit {
        Unit::Step => perft(&position, request.depth),
        Unit::Turn => perft_turns(&position, request.depth),
    };
    write(&json!({ "nodes": nodes }))
}

#[derive(Deserialize)]
struct CombineRequest<'a> {
    #[serde(borrow)]
    pieces: Pieces<'a>,
}

/// One text, or a list of texts, each a piece or a stack.
#[derive(Deserialize)]
#[serde(untagged)]
enum Pieces<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    List(#[serde(borrow)] Vec<Cow<'a, str>>),
}

#[derive(Serialize)]
struct Combined {
    stack: String,
    state: String,
    mask: u16,
}

fn combine(request: &CombineRequest<'_>) -> Answer {
    let pieces = match &request.pieces {
        Pieces::Text(text) => pieces(text)?,
        Pieces::List(list) => {
            let parts: Result<Vec<_>, _> = list.iter().map(|text| pieces(text)).collect();
            parts?.concat()
        }
    };
    let Some(stack) = Stack::new(pieces.iter().copied()) else {
        return Err(conflicts(&pieces));
    };
    write(&Combined {
        stack: stack.to_string(),
        state: format!("{:#x}", stack.state()),
        mask: stack.roles().bits(),
    })
}

/// Reads letters, `+` before a heroic one, in or out of parentheses.
fn pieces(text: &str) -> Result<Vec<Piece>, Fault> {
    let (mut pieces, mut heroic) = (Vec::new(), false);
    let fault = |what: String| Fault::new("bad-piece", what);
    for letter in text.chars() {
        match letter {
            '(' | ')' | '|' if !heroic => {}
            '+' if !heroic => heroic = true,
            _ => {
                let piece = Piece::from_letter(letter)
                    .ok_or_else(|| fault(format!("{letter:?} names no piece")))?;
                pieces.push(Piece { heroic, ..piece });
                heroic = false;
            }
        }
    }
    if heroic || pieces.is_empty() {
        return Err(fault(format!("{text:?} names no pieces")));
    }
    Ok(pieces)
}

/// Every reason why the pieces are no stack.
fn conflicts(pieces: &[Piece]) -> Fault {
    let mut reasons = Vec::new();
    if pieces.iter().any(|piece| piece.color != pieces[0].color) {
        reasons.push("red and blue pieces cannot share a square".to_owned());
    }
    for role in Role::ALL {
        let count = pieces.iter().filter(|piece| piece.role == role).count();
        if count > 1 {
            reasons.push(format!("{role} is there {count} times"));
        }
    }
    let set = pieces
        .iter()
        .map(|piece| convoy_stack::Role::from(piece.role))
        .collect();
    let errors = COTULENH.errors(set);
    reasons.extend(errors.iter().map(ToString::to_string));
    let mut fault = Fault::new("cannot-combine", reasons.join("; "));
    fault.at = Some(json!({ "conflicts": reasons }));
    fault
}

#[derive(Deserialize)]
struct SplitsRequest<'a> {
    #[serde(borrow)]
    stack: Cow<'a, str>,
}

fn splits(request: &SplitsRequest<'_>) -> Answer {
    let pieces = pieces(&request.stack)?;
    let Some(stack) = Stack::new(pieces.iter().copied()) else {
        return Err(conflicts(&pieces));
    };
    let splits: Vec<Vec<String>> = stack
        .splits()
        .map(|parts| parts.iter().map(ToString::to_string).collect())
        .collect();
    write(&json!({ "splits": splits }))
}

#[derive(Deserialize)]
struct AttackersRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    square: Cow<'a, str>,
    color: char,
}

fn attackers(request: &AttackersRequest<'_>) -> Answer {
    let position = position(request.fen.as_deref())?;
    let target = square(&request.square)?;
    let color = Color::from_letter(request.color).ok_or_else(|| {
        Fault::new(
            "bad-color",
            format!("{:?} is neither r nor b", request.color),
        )
    })?;
    let mut list: Vec<String> = position
        .attackers(target, color)
        .map(|(from, role)| format!("{from}:{}", role.letter().to_ascii_lowercase()))
        .collect();
    list.sort_unstable();
    write(&json!({ "attackers": list }))
}

#[derive(Deserialize)]
struct CoverRequest<'a> {
    #[serde(borrow)]
    fen: Option<Cow<'a, str>>,
}

fn cover(request: &CoverRequest<'_>) -> Answer {
    let position = position(request.fen.as_deref())?;
    let side = |color| {
        let squares = position.air_cover(color).into_iter();
        let covered = squares.map(|square| {
            let providers = position.air_providers(square, color);
            (
                square.to_string(),
                providers.map(|from| from.to_string()).collect(),
            )
        });
        covered.collect::<BTreeMap<String, Vec<String>>>()
    };
    write(&json!({ "cover": { "r": side(Color::Red), "b": side(Color::Blue) } }))
}
