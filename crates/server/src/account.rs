//! Accounts: a name and a password that keep a player's games.

use axum::http::HeaderValue;

use crate::app::App;
use crate::common_password::is_common;
use crate::game::Player;
use crate::id::PlayerId;
use crate::login::{self, DeviceTokens};
use crate::name::{self, NameError};
use crate::password::Applicant;
use crate::refusal::{NotNow, Refusal};
use crate::session::{self, Visitor};
use crate::store::{Account, StoreError};
use crate::transfer;

/// Whether an account may have this name.
pub(crate) fn check_name(name: &str) -> Result<(), Refusal> {
    name::check(name).map_err(|error| match error {
        NameError::Form => Refusal::BadName,
        NameError::Reserved => Refusal::ReservedName,
    })
}

fn check_password(password: &str, name: &str) -> Result<(), Refusal> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(Refusal::BadPassword);
    }
    if is_common(password, name) {
        return Err(Refusal::CommonPassword);
    }
    Ok(())
}

/// Opens an account for the visitor, and answers the cookies of the new session and of the device.
/// The account gets a new player; the guest's seats are transferred to it, and the guest's cookie becomes invalid.
pub(crate) async fn register(
    app: &App,
    visitor: &Visitor,
    device: &DeviceTokens,
    name: &str,
    password: &str,
) -> Result<[HeaderValue; 2], Refusal> {
    if visitor.account.is_some() {
        return Err(Refusal::NotNow(NotNow::HasAccount));
    }
    check_name(name)?;
    check_password(password, name)?;
    login::admit_registration(app, visitor).await?;
    let account = Account {
        player: PlayerId::random(),
        name: name.to_owned(),
        password: hash(app, applicant(visitor, false), password).await?,
    };
    match app.store().add_account(&account).await {
        Ok(()) => enter(app, visitor, device, account).await,
        Err(StoreError::Taken) => Err(Refusal::NameTaken),
        Err(error) => Err(error.into()),
    }
}

/// Begins a session of an account in place of the visitor's.
async fn enter(
    app: &App,
    visitor: &Visitor,
    device: &DeviceTokens,
    account: Account,
) -> Result<[HeaderValue; 2], Refusal> {
    let cookie = session::begin(app, visitor, &account).await?;
    let known = device.remember(app, visitor, &account);
    if visitor.account.is_some() {
        session::end(app, visitor).await?;
    } else {
        let successor = Player {
            id: account.player,
            name: account.name,
        };
        transfer::to_account(app, visitor, successor).await?;
    }
    Ok([cookie, known])
}

/// Begins a session for whoever knows the password, and answers the cookies of the session and of
/// the device.
pub(crate) async fn log_in(
    app: &App,
    visitor: &Visitor,
    device: &DeviceTokens,
    name: &str,
    password: &str,
) -> Result<[HeaderValue; 2], Refusal> {
    let account = app.store().account(name).await?;
    let token = account.as_ref();
    let token = token.and_then(|account| device.token(app.key(), account));
    login::admit(app, visitor, name, token).await?;
    let of = applicant(visitor, token.is_some());
    let account = authenticate(app, of, account, password).await?;
    enter(app, visitor, device, account).await
}

fn applicant(visitor: &Visitor, is_known: bool) -> Applicant {
    let mut client = visitor.client();
    if is_known {
        // A known device has a share of its own, whatever its address has used.
        client.network = None;
    }
    Applicant { client, is_known }
}

/// The account, if the password is its own.
async fn authenticate(
    app: &App,
    of: Applicant,
    account: Option<Account>,
    password: &str,
) -> Result<Account, Refusal> {
    // A name that nobody has takes as long as a wrong password, so that names stay unknown.
    let known = match &account {
        Some(account) => account.password.clone(),
        None => app.dummy_hash().to_owned(),
    };
    let hasher = app.hasher();
    let fits = hasher.verify(of, password.to_owned(), known).await?;
    account.filter(|_| fits).ok_or(Refusal::WrongPassword)
}

/// The visitor's own account, if the password is its own.
async fn own(app: &App, visitor: &Visitor, password: &str) -> Result<Account, Refusal> {
    let none = Refusal::NotNow(NotNow::NoAccount);
    let name = visitor.account.as_deref().ok_or(none.clone())?;
    let account = app.store().account_of(visitor.player()).await?;
    let account = account.ok_or(none)?;
    // Whoever is logged in is on a device that has logged in before.
    login::admit(app, visitor, name, Some(&visitor.session())).await?;
    authenticate(app, applicant(visitor, true), Some(account), password).await
}

/// Changes the password, which needs the current one, and revokes all other sessions.
pub(crate) async fn change_password(
    app: &App,
    visitor: &Visitor,
    password: &str,
    new: &str,
) -> Result<(), Refusal> {
    check_password(new, visitor.account.as_deref().unwrap_or_default())?;
    let account = own(app, visitor, password).await?;
    let hash = hash(app, applicant(visitor, true), new).await?;
    app.store().set_password(&account.player, &hash).await?;
    session::revoke_others(app, visitor).await?;
    Ok(())
}

/// Deletes the visitor's account, and answers the cookie of a new guest. Its seats become anonymous,
/// and its name is free at once.
pub(crate) async fn delete(
    app: &App,
    visitor: &Visitor,
    password: &str,
) -> Result<HeaderValue, Refusal> {
    let account = own(app, visitor, password).await?;
    session::revoke_others(app, visitor).await?;
    let cookie = session::end(app, visitor).await?;
    transfer::anonymise(app, account.player).await?;
    Ok(cookie)
}

async fn hash(app: &App, of: Applicant, password: &str) -> Result<String, Refusal> {
    app.hasher().hash(of, password.to_owned()).await
}
