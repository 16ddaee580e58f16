//! The calls that only this game has: pictures, and whether an engine may be asked.

use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use convoy_protocol::{Error, ErrorCode, Request};
use convoy_stack::COTULENH;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{draw, fair_play, refusal_code};
use crate::app::App;
use crate::extract::{Body, Query};
use crate::refusal::Refusal;
use crate::session::Visitor;

/// The most moves that one question may hold.
const MOST_MOVES: usize = 2000;
/// A picture that is the same for everybody, and may be a day old.
const PICTURE: [(HeaderName, &str); 2] = [
    (CONTENT_TYPE, "image/svg+xml"),
    (CACHE_CONTROL, "public, max-age=86400"),
];
/// The deepest perft: deeper ones take seconds.
const DEEPEST_PERFT: u32 = 3;

/// Refuses what would keep the server busy for long.
pub(super) fn check_cost(request: &Request) -> Result<(), Error> {
    use convoy_protocol::cotulenh::{PerftUnit, Request as Board};
    let Request::Cotulenh(request) = request else {
        return Ok(());
    };
    let (count, most, what) = match request {
        Board::Perft(perft) if perft.unit == PerftUnit::Turn => (perft.depth as usize, 1, "turns"),
        Board::Perft(perft) => (perft.depth as usize, DEEPEST_PERFT as usize, "plies"),
        Board::Play(play) => (play.moves.len(), MOST_MOVES, "moves"),
        Board::Moves(moves) => (moves.steps.len(), MOST_MOVES, "steps"),
        _ => return Ok(()),
    };
    if count <= most {
        return Ok(());
    }
    let message = format!("{count} {what}, and {most} at most");
    Err(Error::new(ErrorCode::TooMuch, message))
}

/// A position that somebody wants to analyse.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    fen: String,
}

/// `POST /api/v1/analysis/permission`: whether an engine in the visitor's browser may be asked about a position.
pub(crate) async fn permit_analysis(
    State(app): State<App>,
    visitor: Visitor,
    Body(position): Body<Position>,
) -> Result<axum::Json<Value>, Refusal> {
    app.admit_question(&visitor)?;
    fair_play::check(&app, &visitor, &position.fen).await?;
    Ok(axum::Json(json!({})))
}

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    fen: Option<String>,
    flip: Option<u8>,
}

/// `GET /api/v1/cotulenh/board.svg`
pub(crate) async fn board(Query(picture): Query<PictureQuery>) -> Result<Response, Refusal> {
    let fen = picture
        .fen
        .unwrap_or_else(|| ::cotulenh::Position::start().to_string());
    let svg = draw::board(&fen, picture.flip == Some(1))
        .ok_or_else(|| refusal_code::position("unreadable", "the FEN cannot be read"))?;
    Ok((PICTURE, svg).into_response())
}

/// `GET /api/v1/cotulenh/stacks.svg`: every stack that pieces can make, as a tree.
pub(crate) async fn stacks() -> Response {
    let tree = COTULENH.tree(COTULENH.blueprint().all());
    (PICTURE, tree.to_svg()).into_response()
}
