//! What PostgreSQL alone can do to a storage: end, be slow to come back, belong to somebody else.

use crate::common::database::{event, new_schema};
use crate::common::{Site, config, pair, until};
use convoy_server::{DatabaseUrl, PostgresStore, Storage, Store, StoreError, TableId, conformance};
use convoy_test_postgres::Server;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use std::sync::Arc;

async fn open(url: &DatabaseUrl) -> PostgresStore {
    PostgresStore::open(url, Storage::default()).await.unwrap()
}

/// Runs SQL on the side.
async fn run(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn postgresql_conforms_and_belongs_to_one_server() {
    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let store = open(&url).await;
    conformance::check(&store).await;
    let risks = store.risks().await.unwrap();
    assert_eq!(risks, ["fsync is off"], "as the tests start it");

    let refused = PostgresStore::open(&url, Storage::default())
        .await
        .unwrap_err();
    assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
    store.close().await.unwrap();
    let again = open(&url).await;
    assert_eq!(
        again.get_or_insert("key", "third").await.as_deref(),
        Ok("first")
    );
}

#[tokio::test]
async fn a_schema_that_does_not_fit_is_refused() {
    let server = Server::start().unwrap();
    let cases = [
        (
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (999, 'from the future', true, '\\x00', 0)",
            "migration 999",
        ),
        (
            "UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 3",
            "migration 3 is not the one",
        ),
        (
            "ALTER TABLE event RENAME COLUMN at TO time",
            "lacks the column event.at",
        ),
        ("DROP TABLE account", "lacks the table account"),
        (
            "DROP INDEX seat_by_player_and_time",
            "lacks the index seat_by_player_and_time",
        ),
    ];
    for (sql, wanted) in cases {
        let url = new_schema(&server.url()).await;
        open(&url).await.close().await.unwrap();
        run(&String::from(url.clone()), sql).await;
        match PostgresStore::open(&url, Storage::default()).await {
            Err(error @ StoreError::Schema(_)) => {
                assert!(error.to_string().contains(wanted), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_outage_refuses_moves_and_the_game_goes_on_afterwards() {
    let mut server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let site = Site::over(Arc::new(open(&url).await), config()).await;
    let (red, _blue, table) = pair(&site, json!({})).await;
    let mut socket = red.join(&table).await;
    socket.play("Ic5c6").await;
    let before = red.view(&table).await;

    server.crash().unwrap();
    let act = json!({ "t": "resign", "seq": before["seq"], "d": {} });
    let refused = red.post(&format!("/api/v1/tables/{table}/act"), &act).await;
    assert_eq!(refused.code(), "storage");
    let ready = red.get("/readyz").await;
    assert_eq!(ready.status, 503, "{}", ready.text);

    server.start_again().unwrap();
    let store = site.app.store();
    until("it resumes", async || store.health().fault.is_none()).await;
    assert_eq!(red.get("/readyz").await.status, 200);
    let after = red.view(&table).await;
    for field in ["fen", "seq", "turns"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let done = red.post(&format!("/api/v1/tables/{table}/act"), &act).await;
    assert_eq!(done.status, 200, "{}", done.text);
}

#[tokio::test]
async fn connections_that_the_server_ends_are_replaced() {
    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let store = open(&url).await;
    let table = TableId::random();
    store.append(event(&table, 1)).await.unwrap();
    for seq in 2..5 {
        run(
            &server.url(),
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'convoy' AND pid <> pg_backend_pid()",
        )
        .await;
        // It may be noticed by the write, which is refused then, or before.
        until("it is written", async || {
            store.append(event(&table, seq)).await.is_ok()
        })
        .await;
    }
    assert_eq!(store.events(&table).await.unwrap().len(), 4);
    let mut side = PgConnection::connect(&server.url()).await.unwrap();
    let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted";
    until("the lock is taken again", async || {
        let count = sqlx::query_scalar::<_, i64>(held).fetch_one(&mut side);
        count.await.unwrap() > 0
    })
    .await;
    let second = PostgresStore::open(&url, Storage::default()).await;
    assert!(matches!(second, Err(StoreError::InUse(_))), "{second:?}");
}

/// Two that both believe they own a table: of each number one event is kept, and the other is told
/// so, which is no failure of the storage.
#[tokio::test]
async fn an_event_of_another_node_takes_its_number() {
    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let store = open(&url).await;
    let table = TableId::random();
    store.append(event(&table, 1)).await.unwrap();
    // The other node, as far as the database can tell.
    let other = format!(
        "INSERT INTO event (table_id, seq, at, event) VALUES ('{}', 2, 0, 'of another node')",
        table.as_str()
    );
    run(&String::from(url.clone()), &other).await;
    let neighbour = TableId::random();
    let both = [
        store.append(event(&table, 2)),
        store.append(event(&neighbour, 1)),
    ];
    let outcomes = futures_util::future::join_all(both).await;
    assert_eq!(outcomes, [Err(StoreError::Taken), Ok(())]);
    assert_eq!(store.health().fault, None, "a taken number is no failure");
    let events = store.events(&table).await.unwrap();
    assert_eq!(events[1].event, "of another node");

    // A write that fails is one, and is told apart.
    run(&String::from(url), "ALTER TABLE event RENAME TO elsewhere").await;
    let failed = store.append(event(&table, 3)).await;
    assert!(matches!(failed, Err(StoreError::Database(_))), "{failed:?}");
    assert!(store.health().fault.is_some());
}
