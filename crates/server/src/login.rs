//! How often passwords may be tried: budgets for a name from an address, for an address, and for
//! devices that have logged in before.
//!
//! Guesses from elsewhere never use up the owner's budget: it is counted for each address, and a
//! device that logged in to the account before has a budget of its own.

use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::header::COOKIE;
use axum::http::request::Parts;

use crate::app::App;
use crate::asset::hex;
use crate::id;
use crate::refusal::Refusal;
use crate::session::{self, Key, Visitor};
use crate::shared_limit::Budget;
use crate::store::Account;

const COOKIE_NAME: &str = "convoy_device";
/// How many accounts a device remembers that it was logged in to.
const MOST_ACCOUNTS: usize = 4;

/// Whether one more password may be tried for a name, whose account this is if it has one.
pub(crate) async fn admit(
    app: &App,
    visitor: &Visitor,
    name: &str,
    known_device: Option<&str>,
) -> Result<(), Refusal> {
    let (limits, network) = (app.limits(), visitor.client().network);
    let admitted = if let Some(token) = known_device {
        limits.admits(Budget::LoginDevice, token).await
    } else {
        let from = network.map(|network| network.to_string());
        let name = format!("{} {}", from.unwrap_or_default(), name.to_lowercase());
        limits.admits_address(Budget::LoginAddress, network).await
            && limits.admits(Budget::LoginName, &name).await
    };
    admitted.then_some(()).ok_or(Refusal::TooFast)
}

/// Whether one more account may be registered.
pub(crate) async fn admit_registration(app: &App, visitor: &Visitor) -> Result<(), Refusal> {
    let network = visitor.client().network;
    let limits = app.limits();
    let admitted = limits
        .admits_address(Budget::RegistrationAddress, network)
        .await;
    admitted.then_some(()).ok_or(Refusal::TooFast)
}

/// What a device brings to show that it was logged in before: a signed token for each account. A
/// token dies with the password that it was given for.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeviceTokens(Vec<String>);

impl FromRequestParts<App> for DeviceTokens {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Self::Rejection> {
        let lines = parts.headers.get_all(COOKIE).iter();
        let lines = lines.filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';'));
        let value = pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='));
        let tokens = value.unwrap_or_default().split('.').take(MOST_ACCOUNTS);
        Ok(Self(tokens.map(str::to_owned).collect()))
    }
}

/// What a token signs: the account, as long as it has this password.
fn signed(account: &Account, nonce: &str) -> String {
    format!("{} {} {nonce}", account.player, account.password)
}

impl DeviceTokens {
    /// The token for an account, if the device was logged in to it before.
    pub(crate) fn token(&self, key: &Key, account: &Account) -> Option<&str> {
        let fits = |token: &&String| {
            token.split_once('-').is_some_and(|(nonce, signature)| {
                key.verifies("device", &signed(account, nonce), signature)
            })
        };
        self.0.iter().find(fits).map(String::as_str)
    }

    /// The cookie of a device that has just logged in to an account.
    pub(crate) fn remember(&self, app: &App, visitor: &Visitor, account: &Account) -> HeaderValue {
        let nonce = hex(&id::random::<8>());
        let signature = app.key().sign("device", &signed(account, &nonce));
        let old = self.token(app.key(), account);
        let others = self.0.iter().filter(|token| Some(token.as_str()) != old);
        let mut tokens = vec![format!("{nonce}-{signature}")];
        tokens.extend(others.filter(|token| !token.is_empty()).cloned());
        tokens.truncate(MOST_ACCOUNTS);
        session::device_cookie(visitor, COOKIE_NAME, &tokens.join("."))
    }
}
