//! What every implementation of [`Store`] must hold to, as code that any of them can be put through.

mod account;
mod operator;
mod puzzle;
mod study;

use serde_json::json;

use super::{Append, Phase, Retention, Retired, Store, StoreError, Stored, Summary, Unused};
use crate::game::Player;
use crate::id::{PlayerId, TableId};
use crate::seat::Occupant;

/// Puts an empty storage through everything that is asked of one; panics where it fails.
///
/// ```
/// # async fn doc() -> Result<(), convoy_server::StoreError> {
/// use convoy_server::{SqliteStore, conformance};
///
/// conformance::check(&SqliteStore::in_memory().await?).await;
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
pub async fn check(store: &dyn Store) {
    events_are_kept_in_order(store).await;
    a_number_is_given_once(store).await;
    of_two_at_once_one_gets_the_number(store).await;
    events_that_go_together_are_kept_together(store).await;
    many_tables_may_write_at_once(store).await;
    lists_follow_the_summaries(store).await;
    an_archive_belongs_to_its_player(store).await;
    archives_follow_the_summaries(store).await;
    unused_tables_are_found_and_deleted(store).await;
    account::names_of_accounts_are_unique(store).await;
    account::names_that_look_alike_are_one(store).await;
    a_storage_that_works_says_so(store);
    account::sessions_come_and_go(store).await;
    account::a_deleted_account_leaves_nothing(store).await;
    seats_of_retired_players_are_found(store).await;
    what_is_settled_stays(store).await;
    operator::whole_tables_are_read_in_order(store).await;
    operator::an_account_is_renamed_with_all_that_is_its_own(store).await;
    operator::commands_of_operators_are_kept(store).await;
    puzzle::first_attempts_are_kept_with_both_ratings(store).await;
    study::the_best_stars_of_a_step_are_kept(store).await;
    study::an_analysis_is_its_owners(store).await;
    study::a_review_goes_with_its_table(store).await;
}

fn append(table: &TableId, seq: u64, event: &str) -> Append {
    Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at: 1000 + i64::try_from(seq).unwrap_or(0),
            event: event.to_owned(),
        },
        summary: None,
    }
}

fn human(player: &PlayerId) -> Occupant {
    Occupant::Human {
        player: player.clone(),
        name: "Ann".to_owned(),
    }
}

fn summary(table: &TableId, phase: Phase, changed: i64, seats: Vec<Occupant>) -> Summary {
    Summary {
        id: table.clone(),
        game: "cotulenh".to_owned(),
        phase,
        public: true,
        seats,
        clock: "5+3".to_owned(),
        result: json!(null),
        turns: 0,
        opened: 1,
        changed,
    }
}

async fn put(store: &dyn Store, seq: u64, summary: Summary) {
    let with = Append {
        summary: Some(Box::new(summary.clone())),
        ..append(&summary.id, seq, "{}")
    };
    store.append(with).await.expect("an event is kept");
}

async fn events_are_kept_in_order(store: &dyn Store) {
    let table = TableId::random();
    for (seq, event) in [(1, "{\"a\":\"ệ'\\\"\"}"), (2, "{}"), (3, "[]")] {
        store
            .append(append(&table, seq, event))
            .await
            .expect("an event is kept");
    }
    let events = store.events(&table).await.expect("events are read");
    let seqs: Vec<u64> = events.iter().map(|stored| stored.seq).collect();
    assert_eq!(seqs, [1, 2, 3]);
    assert_eq!(events[0].event, "{\"a\":\"ệ'\\\"\"}");
    assert_eq!(events[2].at, 1003);
    let none = store.events(&TableId::random()).await;
    assert_eq!(none.expect("events are read"), []);
}

async fn a_number_is_given_once(store: &dyn Store) {
    let (table, player) = (TableId::random(), PlayerId::random());
    store
        .append(append(&table, 1, "first"))
        .await
        .expect("an event is kept");
    let second = Append {
        summary: Some(Box::new(summary(
            &table,
            Phase::Playing,
            5,
            vec![human(&player)],
        ))),
        ..append(&table, 1, "second")
    };
    assert_eq!(store.append(second).await, Err(StoreError::Taken));
    let events = store.events(&table).await.expect("events are read");
    assert_eq!((events.len(), &*events[0].event), (1, "first"));
    let archive = store
        .archive(&player, 0, 9)
        .await
        .expect("an archive is read");
    assert_eq!(archive, [], "a refused event changes no list");
}

/// What fences a table off from a second owner: each number is given to one of them, the other is
/// told that it is taken, and that is no failure of the storage.
async fn of_two_at_once_one_gets_the_number(store: &dyn Store) {
    let (table, neighbour) = (TableId::random(), TableId::random());
    for seq in 1..=20 {
        let writes = [
            append(&table, seq, "of one"),
            append(&neighbour, seq, "{}"),
            append(&table, seq, "of another"),
        ];
        let outcomes = writes.map(|write| store.append(write));
        let outcomes = futures_util::future::join_all(outcomes).await;
        let kept = match (&outcomes[0], &outcomes[2]) {
            (Ok(()), Err(StoreError::Taken)) => "of one",
            (Err(StoreError::Taken), Ok(())) => "of another",
            both => panic!("{both:?}"),
        };
        assert_eq!(outcomes[1], Ok(()), "other tables are not concerned");
        let events = store.events(&table).await.expect("events are read");
        assert_eq!(events.last().map(|stored| &*stored.event), Some(kept));
    }
    assert_eq!(store.health().fault, None);
}

async fn events_that_go_together_are_kept_together(store: &dyn Store) {
    let [first, second, third] = [(); 3].map(|()| TableId::random());
    let player = PlayerId::random();
    let seqs = async |table: &TableId| store.events(table).await.expect("events are read").len();
    let both = vec![append(&first, 1, "{}"), append(&second, 1, "{}")];
    assert_eq!(store.append_all(both).await, Ok(()));
    // One number is taken: nothing is kept, while what came at the same time is.
    let seats = vec![human(&player)];
    let opened = Append {
        summary: Some(Box::new(summary(&third, Phase::Playing, 5, seats))),
        ..append(&third, 1, "{}")
    };
    let both = vec![append(&first, 1, "{}"), opened.clone()];
    let other = append(&second, 2, "{}");
    let writes = [store.append_all(both), store.append(other)];
    let outcomes = futures_util::future::join_all(writes).await;
    assert_eq!(outcomes, [Err(StoreError::Taken), Ok(())]);
    assert_eq!((seqs(&first).await, seqs(&second).await), (1, 2));
    assert_eq!(seqs(&third).await, 0);
    let archive = store.archive(&player, 0, 9).await;
    assert_eq!(archive.expect("an archive is read"), []);
    let both = vec![append(&first, 2, "{}"), opened];
    assert_eq!(store.append_all(both).await, Ok(()));
    assert_eq!((seqs(&first).await, seqs(&third).await), (2, 1));
    assert_eq!(store.last_seq(&first).await, Ok(2));
    assert_eq!(store.last_seq(&TableId::random()).await, Ok(0));
}

async fn many_tables_may_write_at_once(store: &dyn Store) {
    let tables: Vec<TableId> = (0..50).map(|_| TableId::random()).collect();
    let writes = tables.iter().map(|table| async move {
        for seq in 1..=4 {
            store
                .append(append(table, seq, "{}"))
                .await
                .expect("an event is kept");
        }
    });
    futures_util::future::join_all(writes).await;
    for table in &tables {
        assert_eq!(store.events(table).await.expect("events are read").len(), 4);
    }
}

async fn lists_follow_the_summaries(store: &dyn Store) {
    let [old, new, hidden] = [(); 3].map(|()| TableId::random());
    put(
        store,
        1,
        summary(&old, Phase::Waiting, 10, vec![Occupant::Open]),
    )
    .await;
    put(
        store,
        1,
        summary(&new, Phase::Waiting, 20, vec![Occupant::Bot { level: 3 }]),
    )
    .await;
    let secret = Summary {
        public: false,
        ..summary(&hidden, Phase::Waiting, 30, vec![])
    };
    put(store, 1, secret).await;
    let open = store
        .listed(Phase::Waiting, 10)
        .await
        .expect("a list is read");
    let ids: Vec<&TableId> = open.iter().map(|row| &row.id).collect();
    assert_eq!(ids, [&new, &old]);
    assert_eq!(open[0].seats, [Occupant::Bot { level: 3 }]);
    assert_eq!(
        store
            .listed(Phase::Waiting, 1)
            .await
            .expect("a list is read")
            .len(),
        1
    );
    put(
        store,
        2,
        summary(&old, Phase::Playing, 40, vec![Occupant::Open]),
    )
    .await;
    let open = store
        .listed(Phase::Waiting, 10)
        .await
        .expect("a list is read");
    assert_eq!(open.len(), 1);
    let live = store
        .listed(Phase::Playing, 10)
        .await
        .expect("a list is read");
    assert!(live.iter().any(|row| row.id == old));
}

async fn an_archive_belongs_to_its_player(store: &dyn Store) {
    let (ann, bob) = (PlayerId::random(), PlayerId::random());
    let tables: Vec<TableId> = (0..3).map(|_| TableId::random()).collect();
    for (at, table) in (100..).zip(&tables) {
        put(
            store,
            1,
            summary(table, Phase::Over, at, vec![human(&ann), human(&bob)]),
        )
        .await;
    }
    put(
        store,
        1,
        summary(&TableId::random(), Phase::Waiting, 200, vec![human(&ann)]),
    )
    .await;
    let all = store
        .archive(&ann, 0, 10)
        .await
        .expect("an archive is read");
    let ids: Vec<&TableId> = all.iter().map(|row| &row.id).collect();
    assert_eq!(ids, [&tables[2], &tables[1], &tables[0]]);
    let rest = store
        .archive(&bob, 2, 10)
        .await
        .expect("an archive is read");
    assert_eq!(rest.len(), 1);
    let nobody = store.archive(&PlayerId::random(), 0, 10).await;
    assert_eq!(nobody.expect("an archive is read"), []);
}

async fn archives_follow_the_summaries(store: &dyn Store) {
    let (ann, bob) = (PlayerId::random(), PlayerId::random());
    let [first, second] = [(); 2].map(|()| TableId::random());
    let seats = || vec![human(&ann), human(&bob)];
    put(store, 1, summary(&first, Phase::Waiting, 10, seats())).await;
    put(store, 1, summary(&second, Phase::Playing, 20, seats())).await;
    put(store, 2, summary(&first, Phase::Playing, 30, seats())).await;
    let ids = async |player: &PlayerId, offset: u32| -> Vec<TableId> {
        let page = store.archive(player, offset, 10).await;
        let page = page.expect("an archive is read");
        page.into_iter().map(|row| row.id).collect()
    };
    assert_eq!(ids(&ann, 0).await, [first.clone(), second.clone()]);
    assert_eq!(ids(&bob, 1).await, std::slice::from_ref(&second));
    // Whoever sits twice at a table finds it once.
    put(
        store,
        2,
        summary(&second, Phase::Over, 40, vec![human(&ann); 2]),
    )
    .await;
    assert_eq!(ids(&ann, 0).await, [second, first]);
}

async fn unused_tables_are_found_and_deleted(store: &dyn Store) {
    let (ann, unused) = (
        PlayerId::random(),
        Unused {
            waiting_before: -1_000,
            unplayed_before: -2_000,
        },
    );
    let [waiting, recent, left, over, played, long] = [(); 6].map(|()| TableId::random());
    let seats = || vec![human(&ann)];
    put(store, 1, summary(&waiting, Phase::Waiting, -1_001, seats())).await;
    put(store, 1, summary(&recent, Phase::Waiting, -999, seats())).await;
    put(store, 1, summary(&left, Phase::Playing, -2_001, seats())).await;
    put(store, 1, summary(&over, Phase::Over, -2_002, seats())).await;
    let with_turns = Summary {
        turns: 1,
        ..summary(&played, Phase::Over, -2_001, seats())
    };
    put(store, 1, with_turns).await;
    put(store, 1, summary(&long, Phase::Playing, -2_001, seats())).await;
    for seq in 2..=u64::from(Retention::FEW) {
        store
            .append(append(&long, seq, "{}"))
            .await
            .expect("an event is kept");
    }
    let found = store.unused(unused, 9).await.expect("tables are read");
    let mut wanted = [left, waiting];
    assert_eq!(found[0], over);
    let mut rest = found[1..].to_vec();
    rest.sort_by_key(ToString::to_string);
    wanted.sort_by_key(ToString::to_string);
    assert_eq!(rest, wanted);
    let first = store.unused(unused, 1).await;
    assert_eq!(first.expect("tables are read"), [over]);
    store.drop_tables(&found).await.expect("tables are deleted");
    for table in &found {
        assert_eq!(store.events(table).await, Ok(vec![]));
    }
    assert_eq!(store.unused(unused, 9).await, Ok(vec![]));
    let kept = store.archive(&ann, 0, 9).await;
    assert_eq!(kept.expect("an archive is read").len(), 2);
}

fn a_storage_that_works_says_so(store: &dyn Store) {
    assert_eq!(store.health().fault, None);
}

async fn seats_of_retired_players_are_found(store: &dyn Store) {
    let (guest, successor) = (PlayerId::random(), PlayerId::random());
    let [over, live] = [(); 2].map(|()| TableId::random());
    for (table, phase) in [(&over, Phase::Over), (&live, Phase::Playing)] {
        put(store, 1, summary(table, phase, 7, vec![human(&guest)])).await;
    }
    assert_eq!(store.retired(&guest).await, Ok(None));
    let found = store.seats_to_move(Some(&guest), 0, 9).await;
    assert_eq!(found, Ok(vec![]), "nobody has retired");
    let retired = Retired {
        player: guest.clone(),
        successor: Some(Player {
            id: successor.clone(),
            name: "Ann".to_owned(),
        }),
        at: 100,
    };
    store.retire(&retired).await.expect("a player is retired");
    let again = Retired {
        successor: None,
        ..retired.clone()
    };
    store.retire(&again).await.expect("what was first stays");
    let both = vec![(live, retired.clone()), (over.clone(), retired.clone())];
    for player in [None, Some(&guest)] {
        let found = store.seats_to_move(player, 0, 9).await;
        assert_eq!(found.as_ref(), Ok(&both), "games that go on come first");
    }
    let rest = store.seats_to_move(Some(&guest), 1, 9).await;
    assert_eq!(rest.as_ref(), Ok(&both[1..].to_vec()));
    assert_eq!(
        store.seats_to_move(Some(&successor), 0, 9).await,
        Ok(vec![])
    );
    // A seat that has moved is no longer found, and then the note may go.
    store.purge_sessions(101).await.expect("players are purged");
    assert_eq!(store.retired(&guest).await, Ok(Some(retired)));
    for (table, _) in &both {
        put(
            store,
            2,
            summary(table, Phase::Over, 7, vec![human(&successor)]),
        )
        .await;
    }
    assert_eq!(store.seats_to_move(None, 0, 9).await, Ok(vec![]));
    store.purge_sessions(101).await.expect("players are purged");
    assert_eq!(store.retired(&guest).await, Ok(None));
}

async fn what_is_settled_stays(store: &dyn Store) {
    assert_eq!(
        store.get_or_insert("key", "first").await.as_deref(),
        Ok("first")
    );
    assert_eq!(
        store.get_or_insert("key", "second").await.as_deref(),
        Ok("first")
    );
}
