//! Forms: they work without a script and answer with the page to go to.

use axum::extract::{FromRequest, Request, State};
use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::extract::{self, Path};
use crate::id::TableId;
use crate::language::Language;
use crate::refusal::{BadChoice, Refusal};
use crate::session::{self, Visitor};
use crate::table::Wish;
use crate::{account, api, page};

/// The fields of a form that was made for this visitor.
#[derive(Debug)]
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Form<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let visitor = request.extensions().get::<Visitor>().cloned();
        let visitor = visitor.ok_or(Refusal::Forged)?;
        let bytes = extract::form_bytes(request, app).await?;
        let (guards, fields): (Vec<_>, Vec<_>) =
            form_urlencoded::parse(&bytes).partition(|(name, _)| name == "csrf");
        visitor.check_form(guards.first().map_or("", |(_, csrf)| csrf))?;
        let mut text = form_urlencoded::Serializer::new(String::new());
        extract::urlencoded(text.extend_pairs(fields).finish().as_bytes()).map(Self)
    }
}

/// A page of this site to go back to, whatever the form said.
fn own_path(path: &str) -> &str {
    let own =
        path.starts_with('/') && !path.starts_with("//") && !path.contains(['\\', '\r', '\n']);
    if own { path } else { "/" }
}

#[derive(Debug, Deserialize)]
pub(crate) struct LanguageForm {
    lang: String,
    #[serde(default)]
    back: String,
}

/// `POST /language`
pub(crate) async fn language(Form(form): Form<LanguageForm>) -> Result<Response, Refusal> {
    let language: Language = form
        .lang
        .parse()
        .map_err(|_| Refusal::BadChoice(BadChoice::Language))?;
    let cookie = AppendHeaders([(SET_COOKIE, session::language_cookie(language))]);
    Ok((cookie, Redirect::to(own_path(&form.back))).into_response())
}

/// `POST /play`
pub(crate) async fn play(
    State(app): State<App>,
    visitor: Visitor,
    Form(wish): Form<Wish>,
) -> Result<Redirect, Refusal> {
    let room = api::open_table(&app, &visitor, &wish).await?;
    Ok(Redirect::to(&format!("/game/{}", room.id)))
}

#[derive(Debug, Deserialize)]
pub(crate) struct SitForm {
    seat: Option<u8>,
}

/// `POST /game/{id}/sit`
pub(crate) async fn sit(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(form): Form<SitForm>,
) -> Result<Redirect, Refusal> {
    let id: TableId = id.parse().map_err(|_| Refusal::NoSuchTable)?;
    match api::sit_down(&app, &visitor, &id, form.seat).await {
        // Whoever presses twice sits all the same.
        Ok(_) | Err(Refusal::AlreadySeated) => Ok(Redirect::to(&format!("/game/{id}"))),
        Err(refusal) => Err(refusal),
    }
}

#[derive(Deserialize)]
pub(crate) struct Credentials {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

fn to_account(cookie: HeaderValue) -> Response {
    (
        AppendHeaders([(SET_COOKIE, cookie)]),
        Redirect::to("/account"),
    )
        .into_response()
}

/// `POST /account/register`
pub(crate) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<Credentials>,
) -> Result<Response, Refusal> {
    match account::register(&app, &visitor, &form.name, &form.password).await {
        Ok(cookie) => Ok(to_account(cookie)),
        Err(refusal) => page::account_with(&app, &visitor, Some(&refusal)).await,
    }
}

/// `POST /account/login`
pub(crate) async fn log_in(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<Credentials>,
) -> Result<Response, Refusal> {
    match account::log_in(&app, &visitor, &form.name, &form.password).await {
        Ok(cookie) => Ok(to_account(cookie)),
        Err(refusal) => page::account_with(&app, &visitor, Some(&refusal)).await,
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Nothing {}

/// `POST /account/logout`
pub(crate) async fn log_out(
    State(app): State<App>,
    visitor: Visitor,
    Form(Nothing {}): Form<Nothing>,
) -> Result<Response, Refusal> {
    Ok(to_account(session::end(&app, &visitor).await?))
}
