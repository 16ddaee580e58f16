//! What PostgreSQL alone can do to a storage: end, be slow to come back, belong to somebody else.

use crate::common::database::{event, new_schema};
use crate::common::{Folder, Site, config, pair, until};
use crate::schema::{attempts_go_on, unrated_attempt};
use convoy_server::{
    Account, Cell, DatabaseUrl, PlayerId, PostgresStore, Relation, Storage, Store, StoreError,
    TableId, conformance,
};
use convoy_test_postgres::Server;
use serde_json::json;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqlSafeStr as _};
use std::path::Path;
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

/// What each migration before the ninth does, from the third on: there was none before it.
const OLDER: [&str; 6] = [
    include_str!("../../migrations/postgres/0003_tables.sql"),
    include_str!("../../migrations/postgres/0004_admin.sql"),
    include_str!("../../migrations/postgres/0005_first_seats.sql"),
    include_str!("../../migrations/postgres/0006_skeletons.sql"),
    include_str!("../../migrations/postgres/0007_puzzles.sql"),
    include_str!("../../migrations/postgres/0008_study.sql"),
];

/// A database with the schema of an older number, and some rows.
async fn older(url: &str, number: i64, rows: &str) {
    let made = (3..=number).zip(OLDER).map(|(number, sql)| {
        let kind = MigrationType::Simple;
        Migration::new(number, "".into(), kind, sql.into_sql_str(), false)
    });
    let mut connection = PgConnection::connect(url).await.unwrap();
    let migrator = Migrator::with_migrations(made.collect());
    migrator.run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    run(url, rows).await;
}

#[tokio::test]
async fn the_oldest_schema_is_brought_up_to_date_without_loss() {
    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let (table, ann, bob) = (TableId::random(), PlayerId::random(), PlayerId::random());
    let rows = format!(
        "INSERT INTO account VALUES ('{ann}', 'modern', 'Modern', 'hash'), ('{bob}', 'modem', 'modem', 'hash');
         INSERT INTO session VALUES ('token', '{ann}', 1, 2, 'Firefox');
         INSERT INTO event VALUES ('{table}', 1, 5, 'first'), ('{table}', 2, 6, 'second');
         INSERT INTO seat VALUES ('{table}', 0, '{ann}', 1, 6), ('{table}', 1, '{ann}', 1, 6);"
    );
    older(&String::from(url.clone()), 3, &rows).await;
    let store = open(&url).await;
    let events = store.events(&table).await.unwrap();
    let events: Vec<&str> = events.iter().map(|stored| &*stored.event).collect();
    assert_eq!(events, ["first", "second"]);
    let session = store.session("token").await.unwrap().unwrap();
    assert_eq!((session.account, session.seen), (ann.clone(), 2));
    assert_eq!(store.account_of(&bob).await.unwrap().unwrap().name, "modem");
    // Whoever sits twice at a table finds it once.
    let seats = store.rows(Relation::Seat, None, 9).await.unwrap();
    let begun: Vec<&Cell> = seats.iter().map(|row| &row[3]).collect();
    assert_eq!(begun, [&Cell::Number(1), &Cell::Number(0)]);
    // Of two names that look alike one keeps what no third may look like.
    let accounts = store.rows(Relation::Account, None, 9).await.unwrap();
    let bare = accounts.iter().filter(|row| row[4] == Cell::Null);
    assert_eq!(bare.count(), 1);
    let alike = Account {
        player: PlayerId::random(),
        name: "m0dern".to_owned(),
        password: "hash".to_owned(),
    };
    assert_eq!(store.add_account(&alike).await, Err(StoreError::Taken));
}

#[tokio::test]
async fn attempts_from_before_ratings_were_kept_with_them_have_none() {
    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let ann = PlayerId::random();
    older(&String::from(url.clone()), 8, &unrated_attempt(&ann)).await;
    attempts_go_on(&open(&url).await, &ann).await;
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

#[tokio::test]
async fn over_tls_the_certificate_is_checked() {
    let (mut server, folder) = (Server::start().unwrap(), Folder::new("postgres-tls"));
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let other = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let [trusted, stranger] = [("own", &made), ("other", &other)].map(|(name, made)| {
        let file = folder.0.join(name);
        std::fs::write(&file, made.cert.pem()).unwrap();
        file
    });
    server
        .use_tls(&made.cert.pem(), &made.signing_key.serialize_pem())
        .unwrap();
    let at = |mode: &str, host: &str, root: &Path| -> DatabaseUrl {
        let url = server.url().replace("127.0.0.1", host);
        let url = format!("{url}?sslmode={mode}&sslrootcert={}", root.display());
        url.parse().unwrap()
    };
    let store = open(&at("verify-full", "127.0.0.1", &trusted)).await;
    let table = TableId::random();
    store.append(event(&table, 1)).await.unwrap();
    assert_eq!(store.events(&table).await.unwrap().len(), 1);
    let mut side = PgConnection::connect(&server.url()).await.unwrap();
    let plain = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'convoy' AND NOT ssl";
    let plain = sqlx::query_scalar::<_, i64>(plain);
    assert_eq!(plain.fetch_one(&mut side).await.unwrap(), 0);
    store.close().await.unwrap();
    for (mode, host, root) in [
        ("verify-full", "127.0.0.1", &stranger),
        ("verify-ca", "127.0.0.1", &stranger),
        // The certificate is not for this name.
        ("verify-full", "localhost", &trusted),
    ] {
        let refused = PostgresStore::open(&at(mode, host, root), Storage::default()).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("certificate"), "{mode} {host}: {refused}");
    }
    let by_another_name = open(&at("verify-ca", "localhost", &trusted)).await;
    by_another_name.close().await.unwrap();
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
