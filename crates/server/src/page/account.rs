use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::{Page, Row, iso, render, rows_of};
use crate::app::App;
use crate::extract::Query;
use crate::refusal::Refusal;
use crate::session::{self, Session, Visitor};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    page: Page,
    error: Option<String>,
    /// The name that was typed before something went wrong.
    name: String,
    notice: Option<String>,
    sessions: Vec<Session>,
    rows: Vec<Row>,
}

impl Session {
    fn created_iso(&self) -> String {
        iso(self.created)
    }

    fn created_day(&self) -> String {
        iso(self.created)[..10].to_owned()
    }

    fn seen_iso(&self) -> String {
        iso(self.seen)
    }

    fn seen_day(&self) -> String {
        iso(self.seen)[..10].to_owned()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct AccountQuery {
    done: Option<String>,
}

/// `GET /account`
pub(crate) async fn account(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<AccountQuery>,
) -> Result<Response, Refusal> {
    let notice = match asked.done.as_deref() {
        Some("password") => Some("password-changed"),
        Some("deleted") => Some("account-deleted"),
        _ => None,
    };
    show(&app, &visitor, None, "", notice).await
}

/// The account page with what went wrong, if anything did.
pub(crate) async fn account_with(
    app: &App,
    visitor: &Visitor,
    refusal: Option<&Refusal>,
    name: &str,
) -> Result<Response, Refusal> {
    show(app, visitor, refusal, name, None).await
}

async fn show(
    app: &App,
    visitor: &Visitor,
    refusal: Option<&Refusal>,
    name: &str,
    notice: Option<&'static str>,
) -> Result<Response, Refusal> {
    let games = app.store().archive(visitor.player(), 0, 10).await?;
    let sessions = match visitor.account {
        Some(_) => session::list(app, visitor).await?,
        None => Vec::new(),
    };
    let page = Page::new(visitor, "/account");
    let mut response = render(&AccountPage {
        error: refusal.map(|refusal| visitor.language.refusal(refusal)),
        name: name.to_owned(),
        notice: notice.map(|key| page.t(key)),
        page,
        sessions,
        rows: rows_of(visitor.player(), &games),
    });
    if let Some(refusal) = refusal {
        *response.status_mut() = refusal.status();
    }
    Ok(response)
}
