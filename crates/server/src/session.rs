//! Who a visitor is: a signed cookie, made on the first visit; with an account, a row that says so.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::asset::hex;
use crate::id::{self, PlayerId};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::room::Who;
use crate::store::{SessionRow, StoreError};

const COOKIE_NAME: &str = "convoy";
const YEAR: u32 = 365 * 24 * 60 * 60;

/// What signs cookies and forms; made once and kept in the storage.
#[derive(Clone)]
pub(crate) struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// The key that a storage holds.
    pub(crate) fn from_text(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// A text for a new key.
    pub(crate) fn fresh_text() -> String {
        hex(&id::random::<32>())
    }

    fn mac(&self, purpose: &str, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length is a key");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac
    }

    fn sign(&self, purpose: &str, text: &str) -> String {
        hex(&self.mac(purpose, text).finalize().into_bytes())
    }

    /// In a time that does not tell how much of the signature was right.
    fn verifies(&self, purpose: &str, text: &str, signature: &str) -> bool {
        let digits = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        };
        let bytes: Option<Vec<u8>> = signature.as_bytes().chunks(2).map(digits).collect();
        signature.len() == 64
            && bytes.is_some_and(|bytes| self.mac(purpose, text).verify_slice(&bytes).is_ok())
    }
}

/// Whoever made a request.
#[derive(Clone)]
pub(crate) struct Visitor {
    token: String,
    /// The player while there is no account.
    pub(crate) guest: PlayerId,
    /// Player and name of the account.
    pub(crate) account: Option<(PlayerId, String)>,
    /// The language of the answer.
    pub(crate) language: Language,
    csrf: String,
    /// Whether the visitor's way here is encrypted.
    secure: bool,
}

impl std::fmt::Debug for Visitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visitor")
            .field("player", self.player())
            .finish_non_exhaustive()
    }
}

impl Visitor {
    /// The player whom new seats belong to.
    pub(crate) fn player(&self) -> &PlayerId {
        self.account
            .as_ref()
            .map_or(&self.guest, |(player, _)| player)
    }

    /// What the others call the visitor.
    pub(crate) fn name(&self) -> String {
        match &self.account {
            Some((_, name)) => name.clone(),
            None => self.guest.guest_name(),
        }
    }

    /// As whoever looks at tables: seats taken as a guest stay one's own.
    pub(crate) fn who(&self) -> Who {
        Who {
            players: [self.guest.clone(), self.player().clone()],
            name: self.name(),
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

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter();
    let mut pairs = all
        .filter_map(|header| header.to_str().ok())
        .flat_map(|line| line.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The token of a cookie that we signed.
fn signed_token<'a>(key: &Key, headers: &'a HeaderMap) -> Option<&'a str> {
    let (token, signature) = cookie(headers, COOKIE_NAME)?.split_once('.')?;
    key.verifies("session", token, signature).then_some(token)
}

/// A token begins with `g` for a guest or `a` for an account, so that guests cost no look-up.
fn fresh_token(kind: char) -> String {
    format!("{kind}{}", hex(&id::random::<16>()))
}

fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

fn set_cookie(name: &str, value: &str, secure: bool, http_only: bool) -> HeaderValue {
    let guard = if http_only { "; HttpOnly" } else { "" };
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={YEAR}; SameSite=Lax{guard}{secure}");
    HeaderValue::from_str(&text).expect("a cookie of ours is plain text")
}

fn is_secure(headers: &HeaderMap) -> bool {
    let proto = headers.get("x-forwarded-proto");
    proto.is_some_and(|proto| proto.as_bytes() == b"https")
}

/// Recognises the visitor, or makes one, and lets the answer carry the cookie.
pub(crate) async fn recognise(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let secure = is_secure(headers);
    let known = signed_token(app.key(), headers).map(str::to_owned);
    let asked = query_language(request.uri().query().unwrap_or(""));
    let language = asked
        .or_else(|| cookie(headers, "lang")?.parse().ok())
        .or_else(|| Language::accepted(headers))
        .unwrap_or_default();
    let mut fresh = known.is_none();
    let token = known.unwrap_or_else(|| fresh_token('g'));
    let mut visitor = match visitor_of(&app, &token, language).await {
        Ok(Some(visitor)) => visitor,
        // The account's session was ended elsewhere: go on as a new guest.
        Ok(None) => {
            fresh = true;
            guest(&app, &fresh_token('g'), language)
        }
        Err(error) => return axum::response::IntoResponse::into_response(Refusal::from(error)),
    };
    visitor.secure = secure;
    let token = visitor.token.clone();
    request.extensions_mut().insert(visitor);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if fresh && !headers.contains_key(SET_COOKIE) {
        headers.append(SET_COOKIE, session_cookie(app.key(), &token, secure));
    }
    if let Some(language) = asked {
        headers.append(
            SET_COOKIE,
            set_cookie("lang", language.tag(), secure, false),
        );
    }
    response
}

fn query_language(query: &str) -> Option<Language> {
    let mut pairs = query.split('&');
    pairs.find_map(|pair| pair.strip_prefix("lang=")?.parse().ok())
}

fn session_cookie(key: &Key, token: &str, secure: bool) -> HeaderValue {
    let signature = key.sign("session", token);
    set_cookie(COOKIE_NAME, &format!("{token}.{signature}"), secure, true)
}

fn guest(app: &App, token: &str, language: Language) -> Visitor {
    Visitor {
        guest: PlayerId::derived(&Sha256::digest(format!("player {token}"))),
        account: None,
        language,
        csrf: app.key().sign("form", token),
        token: token.to_owned(),
        secure: false,
    }
}

async fn visitor_of(
    app: &App,
    token: &str,
    language: Language,
) -> Result<Option<Visitor>, StoreError> {
    let mut visitor = guest(app, token, language);
    if !token.starts_with('a') {
        return Ok(Some(visitor));
    }
    let Some(row) = app.store().session(&token_hash(token)).await? else {
        return Ok(None);
    };
    let Some(account) = app.store().account_of(&row.account).await? else {
        return Ok(None);
    };
    visitor.guest = row.guest;
    visitor.account = Some((account.player, account.name));
    Ok(Some(visitor))
}

/// Begins a session of an account, under a new token, and answers its cookie.
pub(crate) async fn begin(
    app: &App,
    visitor: &Visitor,
    account: &PlayerId,
) -> Result<HeaderValue, StoreError> {
    let token = fresh_token('a');
    let row = SessionRow {
        token: token_hash(&token),
        guest: visitor.guest.clone(),
        account: account.clone(),
    };
    app.store().add_session(&row).await?;
    Ok(session_cookie(app.key(), &token, visitor.secure))
}

/// Ends a session and answers the cookie of a new guest.
pub(crate) async fn end(app: &App, visitor: &Visitor) -> Result<HeaderValue, StoreError> {
    app.store()
        .drop_session(&token_hash(&visitor.token))
        .await?;
    Ok(session_cookie(app.key(), &fresh_token('g'), visitor.secure))
}

/// The cookie of a chosen language.
pub(crate) fn language_cookie(language: Language) -> HeaderValue {
    set_cookie("lang", language.tag(), false, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_signature_is_believed() {
        let (ours, theirs) = (Key::from_text("a"), Key::from_text("b"));
        let signature = ours.sign("session", "g0");
        assert!(ours.verifies("session", "g0", &signature));
        assert!(!ours.verifies("form", "g0", &signature));
        assert!(!ours.verifies("session", "g1", &signature));
        assert!(!theirs.verifies("session", "g0", &signature));
        for forged in ["", "00", &signature[..62], &format!("{signature}00"), "é"] {
            assert!(!ours.verifies("session", "g0", forged), "{forged}");
        }
    }
}
