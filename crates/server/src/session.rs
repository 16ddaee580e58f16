//! Who a visitor is: a signed cookie, made on the first visit; with an account, a row that says so.

mod cookie;
mod device;
mod key;
mod list;
mod socket;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::client::{Client, ClientAddr};
use crate::header::Https;
use crate::id::PlayerId;
use crate::language::Language;
use crate::refusal::Refusal;
use crate::room::{Actor, unix_now};
use crate::store::{Account, SessionRow, StoreError};

use cookie::{DAY, Token};

pub(crate) use cookie::LIFETIME_DAYS;
pub(crate) use key::Key;
pub(crate) use list::{Session, list, maintain, revoke, revoke_others};
pub(crate) use socket::{SessionSocket, Sockets};

/// The setting that tells since when cookies are dated and, over TLS, have a name with a prefix.
pub(crate) const SINCE: &str = "sessions-since";
/// How often it is noted, at most, that a session of an account is in use.
const NOTED_EVERY: i64 = 60 * 60 * 1000;

/// Sessions last used before this moment have expired.
fn expiry(now: i64) -> i64 {
    now - LIFETIME_DAYS * DAY
}

/// Whoever made a request.
#[derive(Clone)]
pub(crate) struct Visitor {
    token: Token,
    player: PlayerId,
    /// The name of the account, if there is one.
    pub(crate) account: Option<String>,
    /// The language of the answer.
    pub(crate) language: Language,
    csrf: String,
    /// Browser and system, in words.
    device: String,
    /// Where the request comes from.
    pub(crate) address: ClientAddr,
    /// Whether the visitor's way here is encrypted.
    pub(crate) secure: bool,
}

impl std::fmt::Debug for Visitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visitor")
            .field("player", self.player())
            .finish_non_exhaustive()
    }
}

impl Visitor {
    /// The player whom seats belong to.
    pub(crate) fn player(&self) -> &PlayerId {
        &self.player
    }

    /// What the others call the visitor.
    pub(crate) fn name(&self) -> String {
        let account = self.account.clone();
        account.unwrap_or_else(|| self.player.guest_name())
    }

    /// As whoever looks at tables.
    pub(crate) fn actor(&self) -> Actor {
        Actor {
            player: self.player.clone(),
            name: self.name(),
            network: self.address.network(),
        }
    }

    /// What the visitor's session is known by: no secret, and the same for all its requests.
    pub(crate) fn session(&self) -> String {
        self.token.hash()
    }

    /// Whom limits count.
    pub(crate) fn client(&self) -> Client {
        Client {
            session: self.player.clone(),
            network: self.address.network(),
        }
    }

    /// What a form must bring along.
    pub(crate) fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Refuses a form that was not made for this visitor.
    pub(crate) fn check_form(&self, csrf: &str) -> Result<(), Refusal> {
        // Both sides are known to the visitor alone, and the token is 256 bits: comparing the
        // digests leaks nothing that helps to guess one.
        if Sha256::digest(csrf) == Sha256::digest(&self.csrf) {
            Ok(())
        } else {
            Err(Refusal::Forged)
        }
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Refusal> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or(Refusal::Storage)
    }
}

/// What a cookie stands for.
struct CookieSession {
    token: Token,
    /// Player and name of the account.
    account: Option<(PlayerId, String)>,
    /// Whether the answer sets the cookie anew.
    renew: bool,
    /// Whether it came under the name of earlier versions.
    older: bool,
}

impl CookieSession {
    fn fresh(now: i64) -> Self {
        Self {
            token: Token::fresh_guest(now),
            account: None,
            renew: true,
            older: false,
        }
    }
}

/// The session that a request belongs to, if it has a valid cookie.
async fn find(
    app: &App,
    headers: &HeaderMap,
    secure: bool,
    now: i64,
) -> Result<Option<CookieSession>, StoreError> {
    let Some((token, older)) = cookie::token(app.key(), headers, secure) else {
        return Ok(None);
    };
    // Cookies of earlier versions are accepted until they would have expired.
    let transition = expiry(now) < app.sessions_since();
    if let Token::Guest { day, .. } = &token {
        let undated = day.is_none();
        let dead = token.is_expired(now) || (undated && !transition) || (older && !undated);
        if dead || app.store().retired(&token.guest_player()).await?.is_some() {
            return Ok(None);
        }
        let renew = older || token.is_due(now);
        return Ok(Some(CookieSession {
            token: if renew { token.dated(now) } else { token },
            account: None,
            renew,
            older,
        }));
    }
    let Some(row) = app.store().session(&token.hash()).await? else {
        return Ok(None);
    };
    let from_before = transition && row.created <= app.sessions_since();
    if row.seen < expiry(now) || (older && !from_before) {
        return Ok(None);
    }
    let Some(account) = app.store().account_of(&row.account).await? else {
        return Ok(None);
    };
    let unnoted = now - row.seen > NOTED_EVERY;
    if unnoted && let Err(error) = app.store().touch_session(&row.token, now).await {
        // Reading works, so the visitor is served; it is noted another time.
        tracing::warn!(%error, "the use of a session was not noted");
    }
    Ok(Some(CookieSession {
        token,
        account: Some((account.player, account.name)),
        renew: older || unnoted,
        older,
    }))
}

/// Recognises the visitor, or makes one, and lets the answer carry the cookie.
pub(crate) async fn recognise(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let secure = request.extensions().get::<Https>().is_some();
    let address = ClientAddr::of(app.config(), &request);
    let headers = request.headers();
    let now = unix_now();
    let found = match find(&app, headers, secure, now).await {
        Ok(Some(found)) => found,
        // Another tab of a browser that has just logged in or out comes back at once, before the
        // new cookie is there. It tries again; a guest's cookie would replace the new one.
        Ok(None) if is_socket(&request) && has_token(&app, headers, secure) => {
            return Refusal::SessionEnded.into_response();
        }
        Ok(None) => CookieSession::fresh(now),
        Err(error) => return Refusal::from(error).into_response(),
    };
    let asked = query_language(request.uri().query().unwrap_or(""));
    let language = asked
        .or_else(|| cookie::values(headers, "lang").next()?.parse().ok())
        .or_else(|| Language::accepted(headers))
        .unwrap_or_default();
    let (player, name) = match found.account {
        Some((player, name)) => (player, Some(name)),
        None => (found.token.guest_player(), None),
    };
    let visitor = Visitor {
        player,
        account: name,
        language,
        csrf: app.key().sign("form", &found.token.stem()),
        device: device::label(headers),
        token: found.token.clone(),
        address,
        secure,
    };
    request.extensions_mut().insert(visitor);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if found.renew && !sets_session(headers) {
        let cookie = cookie::session(app.key(), &found.token, secure);
        headers.append(SET_COOKIE, cookie);
    }
    if found.older {
        headers.append(SET_COOKIE, cookie::forget_plain());
    }
    if let Some(language) = asked {
        headers.append(SET_COOKIE, cookie::language(language.tag(), secure));
    }
    response
}

fn is_socket(request: &Request) -> bool {
    request.uri().path().starts_with("/ws/")
}

/// Whether a request brings a token of ours, dead or alive.
fn has_token(app: &App, headers: &HeaderMap, secure: bool) -> bool {
    cookie::token(app.key(), headers, secure).is_some()
}

/// Whether an answer sets the cookie of a session already, such as that of whoever logs in.
fn sets_session(headers: &HeaderMap) -> bool {
    let all = headers.get_all(SET_COOKIE).iter();
    all.filter_map(|cookie| cookie.to_str().ok()).any(|cookie| {
        [true, false].iter().any(|secure| {
            let rest = cookie.strip_prefix(cookie::name(*secure));
            rest.is_some_and(|rest| rest.starts_with('='))
        })
    })
}

fn query_language(query: &str) -> Option<Language> {
    let mut pairs = query.split('&');
    pairs.find_map(|pair| pair.strip_prefix("lang=")?.parse().ok())
}

/// Whether the visitor's session goes on: it may have ended since the request was recognised.
pub(crate) async fn is_live(app: &App, visitor: &Visitor) -> bool {
    let live = match &visitor.account {
        Some(_) => app
            .store()
            .session(&visitor.session())
            .await
            .map(|row| row.is_some()),
        None => app
            .store()
            .retired(visitor.player())
            .await
            .map(|row| row.is_none()),
    };
    live.unwrap_or(false)
}

/// A cookie of the visitor's device that lives as long as sessions do, closed to scripts.
pub(crate) fn device_cookie(visitor: &Visitor, name: &str, value: &str) -> HeaderValue {
    cookie::set(name, value, LIFETIME_DAYS, visitor.secure, true)
}

/// Begins a session of an account, under a new token, and answers its cookie.
pub(crate) async fn begin(
    app: &App,
    visitor: &Visitor,
    account: &Account,
) -> Result<HeaderValue, Refusal> {
    let token = Token::fresh_account();
    let now = unix_now();
    let row = SessionRow {
        token: token.hash(),
        account: account.player.clone(),
        created: now,
        seen: now,
        device: visitor.device.clone(),
    };
    app.store().add_session(&row).await?;
    if let Err(refusal) = is_welcome(app, account).await {
        app.store().drop_session(&row.token).await?;
        return Err(refusal);
    }
    Ok(cookie::session(app.key(), &token, visitor.secure))
}

/// A new password and a ban end all sessions, but one that was not there yet: so it is looked again once it is.
async fn is_welcome(app: &App, account: &Account) -> Result<(), Refusal> {
    let known = app.store().account_of(&account.player).await?;
    if known.is_none_or(|known| known.password != account.password) {
        return Err(Refusal::WrongPassword);
    }
    if app.store().is_banned(&account.player).await? {
        return Err(Refusal::Banned);
    }
    Ok(())
}

/// Ends the visitor's session of an account, and answers the cookie of a new guest.
pub(crate) async fn end(app: &App, visitor: &Visitor) -> Result<HeaderValue, StoreError> {
    let session = visitor.session();
    app.store().drop_session(&session).await?;
    app.sockets().end(&session);
    let guest = Token::fresh_guest(unix_now());
    Ok(cookie::session(app.key(), &guest, visitor.secure))
}

/// The cookie of a chosen language.
pub(crate) fn language_cookie(visitor: &Visitor, language: Language) -> HeaderValue {
    cookie::language(language.tag(), visitor.secure)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Config;
    use crate::store::{SqliteStore, Store as _};

    fn visitor() -> Visitor {
        let token = Token::fresh_guest(unix_now());
        let request = Request::new(axum::body::Body::empty());
        Visitor {
            player: token.guest_player(),
            account: None,
            language: Language::default(),
            csrf: String::new(),
            device: String::new(),
            address: ClientAddr::of(&Config::default(), &request),
            secure: false,
            token,
        }
    }

    #[tokio::test]
    async fn a_log_in_that_a_new_password_or_a_ban_overtakes_is_refused() {
        let store = Arc::new(SqliteStore::in_memory().await.unwrap());
        let app = App::new(store.clone(), Config::default()).await.unwrap();
        let old = Account {
            player: PlayerId::random(),
            name: "Ann".to_owned(),
            password: "old".to_owned(),
        };
        store.add_account(&old).await.unwrap();
        assert!(begin(&app, &visitor(), &old).await.is_ok());
        store.set_password(&old.player, "new").await.unwrap();
        let late = begin(&app, &visitor(), &old).await;
        assert_eq!(late.unwrap_err(), Refusal::WrongPassword);
        let new = Account {
            password: "new".to_owned(),
            ..old
        };
        store.set_ban(&new.player, Some(1)).await.unwrap();
        let banned = begin(&app, &visitor(), &new).await;
        assert_eq!(banned.unwrap_err(), Refusal::Banned);
        let sessions = store.sessions(&new.player).await.unwrap();
        assert_eq!(sessions.len(), 1, "only the first one is there");
    }
}
