//! Cookies: their names, their attributes, and the tokens in them.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use sha2::{Digest as _, Sha256};

use super::Key;
use crate::asset::hex;
use crate::id::{self, PlayerId};

/// A session that is not used for so many days has ended.
pub(crate) const LIFETIME_DAYS: i64 = 180;
pub(super) const DAY: i64 = 24 * 60 * 60 * 1000;
/// A guest's cookie is dated anew after so many days.
const REDATED_AFTER: i64 = 7;

const PLAIN_NAME: &str = "convoy";
/// Browsers accept a cookie of this name only over TLS and from this very host, so that neither a
/// sister site nor somebody on the line can plant one.
const HOST_NAME: &str = "__Host-convoy";

/// The name of the session's cookie.
pub(super) const fn name(secure: bool) -> &'static str {
    if secure { HOST_NAME } else { PLAIN_NAME }
}

/// The values of all cookies of this name, in the order in which the browser sends them.
pub(super) fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let all = headers.get_all(COOKIE).iter();
    let pairs = all
        .filter_map(|header| header.to_str().ok())
        .flat_map(|line| line.split(';'));
    pairs.filter_map(move |pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The first token under this name that we signed.
fn signed(key: &Key, headers: &HeaderMap, name: &str) -> Option<Token> {
    values(headers, name).find_map(|value| {
        let (token, signature) = value.split_once('.')?;
        let ours = key.verifies("session", token, signature);
        ours.then(|| Token::read(token)).flatten()
    })
}

/// The token that a request brings, and whether it came under the plain name over TLS: such a one
/// counts only if it is from before the name with the prefix.
pub(super) fn token(key: &Key, headers: &HeaderMap, secure: bool) -> Option<(Token, bool)> {
    let own = signed(key, headers, name(secure)).map(|token| (token, false));
    let older = || signed(key, headers, PLAIN_NAME).map(|token| (token, true));
    own.or_else(|| older().filter(|_| secure))
}

pub(super) fn set(
    name: &str,
    value: &str,
    days: i64,
    secure: bool,
    http_only: bool,
) -> HeaderValue {
    let guard = if http_only { "; HttpOnly" } else { "" };
    let secure = if secure { "; Secure" } else { "" };
    let seconds = days * DAY / 1000;
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax{guard}{secure}");
    HeaderValue::from_str(&text).expect("a cookie of ours is plain text")
}

/// The cookie of a session.
pub(super) fn session(key: &Key, token: &Token, secure: bool) -> HeaderValue {
    let text = token.text();
    let value = format!("{text}.{}", key.sign("session", &text));
    set(name(secure), &value, LIFETIME_DAYS, secure, true)
}

/// Tells the browser to forget a cookie under the plain name that one with the prefix replaces.
pub(super) fn forget_plain() -> HeaderValue {
    set(PLAIN_NAME, "", 0, true, true)
}

/// The cookie of a chosen language.
pub(super) fn language(tag: &str, secure: bool) -> HeaderValue {
    set("lang", tag, LIFETIME_DAYS, secure, false)
}

/// What the cookie of a session holds.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A guest: nothing is stored. The day is that of its cookie; those of earlier versions have
    /// none.
    Guest { secret: String, day: Option<i64> },
    /// A session of an account, which has a row.
    Account { secret: String },
}

impl Token {
    pub(super) fn fresh_guest(now: i64) -> Self {
        Self::Guest {
            secret: hex(&id::random::<16>()),
            day: Some(now / DAY),
        }
    }

    pub(super) fn fresh_account() -> Self {
        Self::Account {
            secret: hex(&id::random::<16>()),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.split_at_checked(1)? {
            ("a", secret) => Some(Self::Account {
                secret: secret.to_owned(),
            }),
            ("g", rest) => Some(match rest.split_once('-') {
                Some((secret, day)) => Self::Guest {
                    secret: secret.to_owned(),
                    day: Some(day.parse().ok()?),
                },
                None => Self::Guest {
                    secret: rest.to_owned(),
                    day: None,
                },
            }),
            _ => None,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Guest {
                secret,
                day: Some(day),
            } => format!("g{secret}-{day}"),
            Self::Guest { .. } | Self::Account { .. } => self.stem(),
        }
    }

    /// The token without its date: what a session and its forms are known by.
    pub(super) fn stem(&self) -> String {
        match self {
            Self::Guest { secret, .. } => format!("g{secret}"),
            Self::Account { secret } => format!("a{secret}"),
        }
    }

    /// What is stored in place of the token.
    pub(super) fn hash(&self) -> String {
        hex(&Sha256::digest(self.stem().as_bytes()))
    }

    /// The player of a guest, derived so that nothing need be stored.
    pub(super) fn guest_player(&self) -> PlayerId {
        PlayerId::derived(&Sha256::digest(format!("player {}", self.stem())))
    }

    /// Whether the cookie should be sent anew, so that it lives on.
    pub(super) fn is_due(&self, now: i64) -> bool {
        match self {
            Self::Guest { day, .. } => day.is_none_or(|day| now / DAY - day >= REDATED_AFTER),
            Self::Account { .. } => false,
        }
    }

    /// Whether a guest's cookie is too old.
    pub(super) fn is_expired(&self, now: i64) -> bool {
        match self {
            Self::Guest { day, .. } => day.is_some_and(|day| now / DAY - day > LIFETIME_DAYS),
            Self::Account { .. } => false,
        }
    }

    /// The same session under the date of today.
    pub(super) fn dated(self, now: i64) -> Self {
        match self {
            Self::Guest { secret, .. } => Self::Guest {
                secret,
                day: Some(now / DAY),
            },
            account @ Self::Account { .. } => account,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(line: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, line.parse().unwrap());
        headers
    }

    #[test]
    fn a_guest_keeps_its_player_under_a_new_date() {
        let now = 20_000 * DAY + 5;
        let token = Token::fresh_guest(now);
        assert!(!token.is_due(now + DAY) && token.is_due(now + 7 * DAY));
        assert!(!token.is_expired(now + LIFETIME_DAYS * DAY));
        let late = now + (LIFETIME_DAYS + 1) * DAY;
        assert!(token.is_expired(late));
        let again = token.clone().dated(late);
        assert!(!again.is_expired(late));
        assert_eq!(again.guest_player(), token.guest_player());
        assert_eq!(again.hash(), token.hash());
        // Cookies of earlier versions have no date.
        let undated = Token::read(&token.stem()).unwrap();
        assert!(undated.is_due(now) && !undated.is_expired(late));
        assert_eq!(undated.guest_player(), token.guest_player());
    }

    #[test]
    fn over_tls_the_name_with_the_prefix_is_believed_first() {
        let key = Key::from_text("a");
        let pair = |token: &Token, secure| {
            let cookie = session(&key, token, secure);
            let text = cookie.to_str().unwrap().to_owned();
            text.split(';').next().unwrap().to_owned()
        };
        let (planted, own) = (Token::fresh_guest(0), Token::fresh_guest(0));
        let both = format!("{}; {}", pair(&planted, false), pair(&own, true));
        let found = |line: &str, secure| {
            let found = token(&key, &headers(line), secure);
            found.map(|(token, older)| (token.stem(), older))
        };
        assert_eq!(found(&both, true), Some((own.stem(), false)));
        assert_eq!(found(&both, false), Some((planted.stem(), false)));
        // Alone, the plain one is told apart over TLS.
        let alone = pair(&planted, false);
        assert_eq!(found(&alone, true), Some((planted.stem(), true)));
        assert_eq!(found(&pair(&own, true), false), None);
        // What we did not sign does not hide what we did.
        let forged = format!("convoy=g0.00; {}", pair(&own, false));
        assert_eq!(found(&forged, false), Some((own.stem(), false)));
    }
}
