//! Accounts: a name and a password that keep a player's games.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use axum::http::HeaderValue;

use crate::app::App;
use crate::refusal::{NotNow, Refusal};
use crate::session::{self, Visitor};
use crate::store::{Account, StoreError};

/// Whether an account may have this name. Letters of any script, so that names read as their
/// owners write them.
fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    let lawful = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    // A guest's name must not be had by anyone.
    (3..=20).contains(&length)
        && name.chars().all(lawful)
        && !name.to_lowercase().starts_with("guest-")
}

/// Opens an account for the visitor, and answers the new session's cookie.
pub(crate) async fn register(
    app: &App,
    visitor: &Visitor,
    name: &str,
    password: &str,
) -> Result<HeaderValue, Refusal> {
    if visitor.account.is_some() {
        return Err(Refusal::NotNow(NotNow::HasAccount));
    }
    if !is_name(name) {
        return Err(Refusal::BadName);
    }
    if !(8..=200).contains(&password.chars().count()) {
        return Err(Refusal::BadPassword);
    }
    let account = Account {
        // The guest's games are the account's from now on. A guest who has an account already
        // and logged out is another player.
        player: free_player(app, visitor).await?,
        name: name.to_owned(),
        password: hash(app, password.to_owned()).await?,
    };
    match app.store().add_account(&account).await {
        Ok(()) => Ok(session::begin(app, visitor, &account.player).await?),
        Err(StoreError::Taken) => Err(Refusal::NameTaken),
        Err(error) => Err(error.into()),
    }
}

async fn free_player(app: &App, visitor: &Visitor) -> Result<crate::id::PlayerId, StoreError> {
    match app.store().account_of(&visitor.guest).await? {
        Some(_) => Ok(crate::id::PlayerId::random()),
        None => Ok(visitor.guest.clone()),
    }
}

/// Begins a session for whoever knows the password, and answers its cookie.
pub(crate) async fn log_in(
    app: &App,
    visitor: &Visitor,
    name: &str,
    password: &str,
) -> Result<HeaderValue, Refusal> {
    let folded = name.to_lowercase();
    if !app.logins().admits(&folded) {
        return Err(Refusal::TooFast);
    }
    let account = app.store().account(name).await?;
    // A name that nobody has takes as long as a wrong password, so that names stay unknown.
    let known = match &account {
        Some(account) => account.password.clone(),
        None => app.decoy().to_owned(),
    };
    let fits = verify(app, password.to_owned(), known).await?;
    match account {
        Some(account) if fits => Ok(session::begin(app, visitor, &account.player).await?),
        _ => Err(Refusal::WrongPassword),
    }
}

/// The hash of a password that no account has.
pub(crate) fn decoy() -> String {
    let hash = Argon2::default().hash_password(&crate::id::random::<16>());
    hash.map_or_else(|_| String::new(), |hash| hash.to_string())
}

/// Hashing takes memory and time by design: a few at once, off the async threads.
async fn heavy<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let _place = app.hashing().try_acquire().map_err(|_| Refusal::Busy)?;
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Refusal::Busy)
}

async fn hash(app: &App, password: String) -> Result<String, Refusal> {
    let work = move || {
        Argon2::default()
            .hash_password(password.as_bytes())
            .map(|hash| hash.to_string())
    };
    heavy(app, work).await?.map_err(|_| Refusal::BadPassword)
}

async fn verify(app: &App, password: String, known: String) -> Result<bool, Refusal> {
    let work = move || {
        let hash = PasswordHash::new(&known);
        hash.is_ok_and(|hash| {
            Argon2::default()
                .verify_password(password.as_bytes(), &hash)
                .is_ok()
        })
    };
    heavy(app, work).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_any_script() {
        for name in ["ann", "Đào_7", "小明明", "a-b"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            "ab",
            "a b",
            "<i>",
            "guest-1",
            "Guest-XXXX",
            "../a",
            &"x".repeat(21),
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
