//! Accounts and sessions: names that nobody else has, and what goes with an account.

use crate::game::Player;
use crate::id::PlayerId;
use crate::store::{Account, Retired, SessionRow, Store, StoreError};

pub(super) async fn names_of_accounts_are_unique(store: &dyn Store) {
    let account = Account {
        player: PlayerId::random(),
        name: "Đào_7".to_owned(),
        password: "$argon2id$…".to_owned(),
    };
    store
        .add_account(&account)
        .await
        .expect("an account is kept");
    let twin = Account {
        player: PlayerId::random(),
        name: "đÀo_7".to_owned(),
        ..account.clone()
    };
    assert_eq!(store.add_account(&twin).await, Err(StoreError::Taken));
    let second = Account {
        name: "other".to_owned(),
        ..account.clone()
    };
    assert_eq!(store.add_account(&second).await, Err(StoreError::Taken));
    let found = store.account("ĐÀO_7").await.expect("an account is read");
    assert_eq!(found.as_ref(), Some(&account));
    let found = store.account_of(&account.player).await;
    assert_eq!(found.expect("an account is read"), Some(account));
    assert_eq!(store.account("nobody").await, Ok(None));
    // PostgreSQL has no such text.
    assert_eq!(store.account("no\0body").await, Ok(None));
    assert_eq!(store.health().damage, None);
}

/// A name that can be mistaken for another is as good as the same, until that one is gone.
pub(super) async fn names_that_look_alike_are_one(store: &dyn Store) {
    let account = |name: &str| Account {
        player: PlayerId::random(),
        name: name.to_owned(),
        password: "$argon2id$…".to_owned(),
    };
    let (first, double, free) = (account("Modern_1"), account("modemL"), account("modem_l"));
    let added = store.add_account(&first).await;
    added.expect("an account is kept");
    assert_eq!(store.add_account(&free).await, Err(StoreError::Taken));
    let added = store.add_account(&double).await;
    added.expect("another name is kept");
    let renamed = Account {
        name: "M0dern-1".to_owned(),
        ..account("")
    };
    let done = store.rename_account(&first.player, &renamed, 9).await;
    done.expect("an account may look like its former name");
    let taken = Account {
        name: "modemI".to_owned(),
        ..account("")
    };
    let refused = store.rename_account(&renamed.player, &taken, 9).await;
    assert_eq!(refused, Err(StoreError::Taken));
    let retired = Retired {
        player: renamed.player,
        successor: None,
        at: 9,
    };
    store
        .drop_account(&retired)
        .await
        .expect("an account is deleted");
    store.add_account(&free).await.expect("the name is free");
    assert_eq!(store.health().fault, None, "a taken name is no failure");
}

pub(super) fn session(token: &str, account: &PlayerId, seen: i64) -> SessionRow {
    SessionRow {
        token: token.to_owned(),
        account: account.clone(),
        created: 5,
        seen,
        device: "Firefox · Linux".to_owned(),
    }
}

pub(super) async fn sessions_come_and_go(store: &dyn Store) {
    let (ann, bob) = (PlayerId::random(), PlayerId::random());
    let rows = [
        session("0123abcd", &ann, 10),
        session("4567abcd", &ann, 30),
        session("89ababcd", &bob, 20),
    ];
    for row in &rows {
        store.add_session(row).await.expect("a session is kept");
    }
    let [first, second, other] = rows;
    assert_eq!(store.session("0123abcd").await, Ok(Some(first.clone())));
    let of_ann = store.sessions(&ann).await.expect("sessions are read");
    assert_eq!(of_ann, [second.clone(), first.clone()]);
    store
        .touch_session("0123abcd", 40)
        .await
        .expect("a session is touched");
    let touched = SessionRow { seen: 40, ..first };
    let of_ann = store.sessions(&ann).await.expect("sessions are read");
    assert_eq!(of_ann, [touched.clone(), second]);
    store.purge_sessions(30).await.expect("sessions are purged");
    assert_eq!(store.session(&other.token).await, Ok(None));
    assert_eq!(store.session("0123abcd").await, Ok(Some(touched)));
    store
        .drop_session("0123abcd")
        .await
        .expect("a session is forgotten");
    assert_eq!(store.session("0123abcd").await, Ok(None));
    assert_eq!(store.drop_session("0123abcd").await, Ok(()));
}

pub(super) async fn a_deleted_account_leaves_nothing(store: &dyn Store) {
    let account = Account {
        player: PlayerId::random(),
        name: "Leaver".to_owned(),
        password: "old".to_owned(),
    };
    let add = async || store.add_account(&account).await;
    add().await.expect("an account is kept");
    let guest = Retired {
        player: PlayerId::random(),
        successor: Some(Player {
            id: account.player.clone(),
            name: account.name.clone(),
        }),
        at: 90,
    };
    store.retire(&guest).await.expect("a guest is retired");
    let row = session("fedcabcd", &account.player, 90);
    store.add_session(&row).await.expect("a session is kept");
    store
        .set_password(&account.player, "new")
        .await
        .expect("a password is kept");
    let found = store.account("leaver").await.expect("an account is read");
    assert_eq!(
        found.map(|account| account.password).as_deref(),
        Some("new")
    );
    let retired = Retired {
        player: account.player.clone(),
        successor: None,
        at: 100,
    };
    store
        .drop_account(&retired)
        .await
        .expect("an account is deleted");
    assert_eq!(store.account("leaver").await, Ok(None));
    assert_eq!(store.session("fedcabcd").await, Ok(None));
    let kept = store.retired(&account.player).await;
    assert_eq!(kept, Ok(Some(retired)));
    let former = store.retired(&guest.player).await;
    let former = former.expect("a retired player is read");
    assert_eq!(former.map(|guest| guest.successor), Some(None));
    add().await.expect("the name is free");
}
