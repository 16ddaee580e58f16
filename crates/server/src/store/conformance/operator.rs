//! What operators need of a storage: whole tables, accounts under another name, a log of commands.

use super::account::session;
use super::append;
use crate::id::{PlayerId, TableId};
use crate::store::{Account, AdminCommand, AuditEntry, Cell, Relation, Store, StoreError};

pub(super) async fn whole_tables_are_read_in_order(store: &dyn Store) {
    let table = TableId::random();
    for seq in 1..=3 {
        let append = append(&table, seq, "{}");
        store.append(append).await.expect("an event is kept");
    }
    for relation in Relation::ALL {
        let count = store.count(relation).await.expect("rows are counted");
        let (mut after, mut keys) = (None::<Vec<Cell>>, Vec::new());
        loop {
            let rows = store.rows(relation, after.as_deref(), 7).await;
            let rows = rows.expect("rows are read");
            let Some(last) = rows.last() else { break };
            assert!(rows.iter().all(|row| relation.admits(row)));
            after = Some(last[..relation.key_length()].to_vec());
            keys.extend(rows.iter().map(|row| format!("{:?}", &row[..1])));
        }
        assert_eq!(keys.len() as u64, count, "{relation:?}");
        assert!(keys.is_sorted(), "{relation:?}");
    }
    // What is there already is not stored again.
    let rows = store.rows(Relation::Event, None, 2).await;
    let mut rows = rows.expect("rows are read");
    let mut new = rows[0].clone();
    new[0] = Cell::Text(TableId::random().as_str().to_owned());
    rows.push(new);
    let stored = store.load(Relation::Event, &rows, ("mark", "first")).await;
    assert_eq!(stored, Ok(1));
    let stored = store.load(Relation::Event, &rows, ("mark", "second")).await;
    assert_eq!(stored, Ok(0));
    let mark = store.setting("mark").await;
    assert_eq!(mark, Ok(Some("second".to_owned())));
    store.drop_setting("mark").await.expect("it is forgotten");
    assert_eq!(store.setting("mark").await, Ok(None));
}

pub(super) async fn an_account_is_renamed_with_all_that_is_its_own(store: &dyn Store) {
    let account = |name: &str| Account {
        player: PlayerId::random(),
        name: name.to_owned(),
        password: "hash".to_owned(),
    };
    let (old, other, new) = (account("Former"), account("Other"), account("Later"));
    for account in [&old, &other] {
        store
            .add_account(account)
            .await
            .expect("an account is kept");
    }
    let row = session("7777abcd", &old.player, 1_000);
    store.add_session(&row).await.expect("a session is kept");
    assert_eq!(store.is_banned(&old.player).await, Ok(false));
    for _ in 0..2 {
        let banned = store.set_ban(&old.player, Some(5)).await;
        banned.expect("a ban is kept");
    }
    let taken = Account {
        name: "oTHER".to_owned(),
        ..new.clone()
    };
    let refused = store.rename_account(&old.player, &taken, 9).await;
    assert_eq!(refused, Err(StoreError::Taken));
    assert_eq!(store.health().fault, None, "a taken name is no failure");
    let renamed = store.rename_account(&old.player, &new, 9).await;
    renamed.expect("an account is renamed");
    assert_eq!(store.account("former").await, Ok(None));
    assert_eq!(store.account("later").await, Ok(Some(new.clone())));
    let sessions = store
        .sessions(&new.player)
        .await
        .expect("sessions are read");
    assert_eq!(sessions.len(), 1);
    assert_eq!(store.is_banned(&new.player).await, Ok(true));
    assert_eq!(store.is_banned(&old.player).await, Ok(false));
    let retired = store.retired(&old.player).await.expect("a player is read");
    let successor = retired.and_then(|retired| retired.successor);
    assert_eq!(
        successor.map(|successor| successor.id),
        Some(new.player.clone())
    );
    store
        .set_ban(&new.player, None)
        .await
        .expect("a ban is lifted");
    assert_eq!(store.is_banned(&new.player).await, Ok(false));
}

pub(super) async fn commands_of_operators_are_kept(store: &dyn Store) {
    let entry = |name: &str, at| {
        let name = name.to_owned();
        AuditEntry::new("root", AdminCommand::Ban { name }, at)
    };
    let (first, second) = (entry("Ann", 1), entry("Bob", 2));
    for entry in [&second, &first] {
        store.add_audit(entry).await.expect("a command is kept");
    }
    let open = store.audit(true, 9).await.expect("commands are read");
    assert_eq!(open, [first.clone(), second.clone()]);
    for outcome in ["banned", "again"] {
        let finished = store.finish_audit(&first.id, outcome, 3).await;
        finished.expect("an outcome is kept");
    }
    let open = store.audit(true, 9).await.expect("commands are read");
    assert_eq!(open, std::slice::from_ref(&second));
    let done = AuditEntry {
        outcome: Some("banned".to_owned()),
        done: 3,
        ..first
    };
    assert_eq!(store.audit(false, 9).await, Ok(vec![second, done]));
}
