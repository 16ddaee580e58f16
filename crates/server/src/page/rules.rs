use axum::response::Response;

use super::Page;
use crate::extract::Path;
use crate::game::hosted;
use crate::refusal::Refusal;

/// `GET /rules/{game}`
pub(crate) async fn rules(page: Page, Path(game): Path<String>) -> Result<Response, Refusal> {
    let game = hosted(&game).ok_or(Refusal::NoSuchPage)?;
    Ok((game.rules_page)(page))
}
