use axum::response::Response;

use super::Page;
use crate::extract::Path;
use crate::refusal::Refusal;
use crate::{cotulenh, tractor};

/// `GET /rules/{game}`
pub(crate) async fn rules(page: Page, Path(game): Path<String>) -> Result<Response, Refusal> {
    match &*game {
        cotulenh::NAME => Ok(cotulenh::lesson::rules(page)),
        tractor::NAME => Ok(tractor::page::rules(page)),
        _ => Err(Refusal::NoSuchPage),
    }
}
