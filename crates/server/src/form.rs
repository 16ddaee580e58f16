//! Forms: they work without a script and answer with the page to go to.

use axum::extract::{FromRequest, Request, State};
use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::extract::{self, Path};
use crate::game::NewTable;
use crate::id::TableId;
use crate::language::Language;
use crate::login::DeviceTokens;
use crate::refusal::{BadChoice, Refusal};
use crate::session::{self, Visitor};
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
        let text = text.extend_pairs(fields).finish();
        extract::check_names::<T>(text.as_bytes(), &[])?;
        extract::urlencoded(text.as_bytes()).map(Self)
    }
}

/// A page of this site to go back to, whatever the form said. Browsers drop tabs and line ends from
/// addresses and read a backslash as a slash, so only what can mean nothing else is followed.
fn own_path(path: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    let own = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(plain);
    if own { path } else { "/" }
}

#[derive(Debug, Deserialize)]
pub(crate) struct LanguageForm {
    lang: String,
    #[serde(default)]
    back: String,
}

/// `POST /language`
pub(crate) async fn language(
    visitor: Visitor,
    Form(form): Form<LanguageForm>,
) -> Result<Response, Refusal> {
    let language: Language = form
        .lang
        .parse()
        .map_err(|_| Refusal::BadChoice(BadChoice::Language))?;
    let cookie = AppendHeaders([(SET_COOKIE, session::language_cookie(&visitor, language))]);
    Ok((cookie, Redirect::to(own_path(&form.back))).into_response())
}

/// `POST /play`
pub(crate) async fn play(
    State(app): State<App>,
    visitor: Visitor,
    Form(new_table): Form<NewTable>,
) -> Result<Response, Refusal> {
    match api::open_table(&app, &visitor, &new_table).await {
        Ok(room) => Ok(Redirect::to(&format!("/game/{}", room.id)).into_response()),
        // What was written in the form can be mended there.
        Err(refusal @ (Refusal::Question(_) | Refusal::BadChoice(_))) => {
            page::home_with(&app, &visitor, &refusal, &new_table).await
        }
        Err(refusal) => Err(refusal),
    }
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

/// The password of whoever is logged in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Password {
    pub(crate) password: String,
}

/// The present password, and the one to come.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    pub(crate) password: String,
    pub(crate) new: String,
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Password").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewPassword").finish_non_exhaustive()
    }
}

fn to_account<const N: usize>(cookies: [HeaderValue; N]) -> Response {
    let cookies = cookies.map(|cookie| (SET_COOKIE, cookie));
    (AppendHeaders(cookies), Redirect::to("/account")).into_response()
}

/// `POST /account/register`
pub(crate) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    device: DeviceTokens,
    Form(form): Form<Credentials>,
) -> Result<Response, Refusal> {
    match account::register(&app, &visitor, &device, &form.name, &form.password).await {
        Ok(cookies) => Ok(to_account(cookies)),
        Err(refusal) => page::account_with(&app, &visitor, Some(&refusal), &form.name).await,
    }
}

/// `POST /account/login`
pub(crate) async fn log_in(
    State(app): State<App>,
    visitor: Visitor,
    device: DeviceTokens,
    Form(form): Form<Credentials>,
) -> Result<Response, Refusal> {
    match account::log_in(&app, &visitor, &device, &form.name, &form.password).await {
        Ok(cookies) => Ok(to_account(cookies)),
        Err(refusal) => page::account_with(&app, &visitor, Some(&refusal), &form.name).await,
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Empty {}

/// `POST /account/logout`
pub(crate) async fn log_out(
    State(app): State<App>,
    visitor: Visitor,
    Form(Empty {}): Form<Empty>,
) -> Result<Response, Refusal> {
    if visitor.account.is_none() {
        // A guest's seats hang on the cookie alone; there is nothing to log out of.
        return Ok(Redirect::to("/account").into_response());
    }
    Ok(to_account([session::end(&app, &visitor).await?]))
}

/// The account page again, with what went wrong.
async fn to_account_or(
    app: &App,
    visitor: &Visitor,
    done: Result<(), Refusal>,
) -> Result<Response, Refusal> {
    match done {
        Ok(()) => Ok(Redirect::to("/account").into_response()),
        Err(refusal) => page::account_with(app, visitor, Some(&refusal), "").await,
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct SessionForm {
    id: String,
}

/// `POST /account/sessions/revoke`
pub(crate) async fn revoke_session(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<SessionForm>,
) -> Result<Response, Refusal> {
    match session::revoke(&app, &visitor, &form.id).await {
        Ok(true) => Ok(to_account([session::end(&app, &visitor).await?])),
        // A session that has ended meanwhile needs no revoking.
        Ok(false) | Err(Refusal::NoSuchSession) => to_account_or(&app, &visitor, Ok(())).await,
        Err(refusal) => to_account_or(&app, &visitor, Err(refusal)).await,
    }
}

/// `POST /account/sessions/revoke-others`
pub(crate) async fn revoke_other_sessions(
    State(app): State<App>,
    visitor: Visitor,
    Form(Empty {}): Form<Empty>,
) -> Result<Response, Refusal> {
    let revoked = session::revoke_others(&app, &visitor).await;
    to_account_or(&app, &visitor, revoked.map(drop)).await
}

/// `POST /account/password`
pub(crate) async fn change_password(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<NewPassword>,
) -> Result<Response, Refusal> {
    match account::change_password(&app, &visitor, &form.password, &form.new).await {
        Ok(()) => Ok(Redirect::to("/account?done=password").into_response()),
        Err(refusal) => to_account_or(&app, &visitor, Err(refusal)).await,
    }
}

/// `POST /account/delete`
pub(crate) async fn delete_account(
    State(app): State<App>,
    visitor: Visitor,
    Form(form): Form<Password>,
) -> Result<Response, Refusal> {
    match account::delete(&app, &visitor, &form.password).await {
        Ok(cookie) => Ok((
            AppendHeaders([(SET_COOKIE, cookie)]),
            Redirect::to("/account?done=deleted"),
        )
            .into_response()),
        Err(refusal) => to_account_or(&app, &visitor, Err(refusal)).await,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Where a browser would go from a page of ours, as the URL standard has it.
    fn host(location: &str) -> Option<String> {
        let base = url::Url::parse("https://play.example/account").unwrap();
        let to = base.join(location).ok()?;
        Some(to.origin().ascii_serialization())
    }

    #[test]
    fn only_paths_of_this_site_are_followed() {
        for own in [
            "/",
            "/analysis",
            "/game/0123456789ab?ply=3#x",
            "/archive/%C4%90%C3%A0o",
        ] {
            assert_eq!(own_path(own), own);
        }
        for foreign in [
            "",
            "//evil",
            "/\\evil",
            "\\\\evil",
            "/\t/evil",
            "/\n/evil",
            "/\r\n/evil",
            "https://evil",
            "javascript:0",
            "evil",
            "/\u{0}",
            "/é",
            "/ /evil",
            "/\u{7f}/evil",
        ] {
            assert_eq!(own_path(foreign), "/", "{foreign:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_leads_off_the_site(text in "[/\\\\\\t\\n\\r .:@?#%a-c]{0,12}|\\PC{0,20}") {
            let ours = Some("https://play.example".to_owned());
            prop_assert_eq!(host(own_path(&text)), ours);
        }
    }
}
