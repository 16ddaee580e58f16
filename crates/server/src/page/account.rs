use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::{Page, Row, render, rows};
use crate::app::App;
use crate::refusal::Refusal;
use crate::session::Visitor;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    page: Page,
    error: Option<String>,
    rows: Vec<Row>,
}

/// `GET /account`
pub(crate) async fn account(State(app): State<App>, visitor: Visitor) -> Result<Response, Refusal> {
    account_with(&app, &visitor, None).await
}

/// The account page with what went wrong, if anything did.
pub(crate) async fn account_with(
    app: &App,
    visitor: &Visitor,
    refusal: Option<&Refusal>,
) -> Result<Response, Refusal> {
    let games = app.store().archive(visitor.player(), 0, 10).await?;
    let mut response = render(&AccountPage {
        page: Page::new(visitor, "/account"),
        error: refusal.map(|refusal| visitor.language.refusal(refusal)),
        rows: rows(games),
    });
    if let Some(refusal) = refusal {
        *response.status_mut() = refusal.status();
    }
    Ok(response)
}
