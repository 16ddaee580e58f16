//! The schema of a file: adopted from before migrations were numbered, or refused in clear words.

use std::path::{Path, PathBuf};

use convoy_server::{
    Account, Cell, PlayerId, PuzzleAttempt, PuzzleRating, RatedAttempt, Relation, SqliteStore,
    Store, StoreError, TableId,
};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _, SqlSafeStr as _};

use crate::common::database::sqlite;
use crate::common::{Folder, Site, config, until};

/// What a server of the time wrote: a finished game, two tables that wait, an account.
const BEFORE: &str = include_str!("../data/before-migrations.sql");

/// Runs SQL on a file.
async fn alter(file: &Path, sql: &str) {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The complaint of opening a file.
async fn complaint(file: &Path) -> String {
    match SqliteStore::open(file).await {
        Err(error @ StoreError::Schema(_)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A file of today, with this done to it.
async fn altered(folder: &Folder, sql: &str) -> PathBuf {
    let file = folder.0.join("altered.db");
    drop(SqliteStore::open(&file).await.unwrap());
    alter(&file, sql).await;
    file
}

#[tokio::test]
async fn a_file_from_before_migrations_is_adopted_without_loss() {
    let folder = Folder::new("adopted");
    let file = folder.0.join("old.db");
    alter(&file, BEFORE).await;
    for _ in 0..2 {
        let store = SqliteStore::open(&file).await.unwrap();
        let game: TableId = "n99gs1mfmeah".parse().unwrap();
        assert_eq!(store.events(&game).await.unwrap().len(), 4);
        let ann = store.account("ANN").await.unwrap().unwrap();
        // Migration 2 gives the account a player of its own, to whom the guest's seats go.
        let guest: PlayerId = "d5yvn0qp1kgebpqg".parse().unwrap();
        assert_ne!(ann.player, guest);
        let retired = store.retired(&guest).await.unwrap().unwrap();
        assert_eq!(retired.successor.unwrap().id, ann.player);
        let archive = store.archive(&guest, 0, 10).await.unwrap();
        assert_eq!((archive.len(), &archive[0].id), (1, &game));
        assert!(
            store
                .get_or_insert("key", "new")
                .await
                .unwrap()
                .starts_with("188ec6ef")
        );
    }
    let site = Site::over(sqlite(&file).await, config()).await;
    let somebody = site.visitor().await;
    until("the game is in Ann's archive", async || {
        let archive = somebody.get("/archive/Ann").await;
        archive.text.contains("n99gs1mfmeah")
    })
    .await;
    let view = somebody.view("n99gs1mfmeah").await;
    assert_eq!(view["seats"][0]["name"], "Ann");
    assert_eq!(view["turns"][0]["lan"], "Ic5c6");
    assert_eq!(somebody.view("r2fbemr451kk").await["phase"], "waiting");
}

/// Accounts from before skeletons were stored get theirs when the file is opened; of those that look
/// alike one has it, and no third can come.
#[tokio::test]
async fn accounts_of_an_older_schema_get_their_skeletons() {
    let folder = Folder::new("skeletons");
    let file = folder.0.join("old.db");
    alter(&file, BEFORE).await;
    let insert = |name: &str| {
        let (player, lower) = (PlayerId::random(), name.to_lowercase());
        format!("INSERT INTO account VALUES ('{player}', '{lower}', '{name}', 'hash');")
    };
    alter(&file, &["modern", "modem", "other"].map(insert).concat()).await;
    let store = SqliteStore::open(&file).await.unwrap();
    let rows = store.rows(Relation::Account, None, 9).await.unwrap();
    let mut skeletons: Vec<String> = rows.iter().map(|row| format!("{:?}", row[4])).collect();
    assert_eq!(skeletons.len(), 4);
    skeletons.sort_unstable();
    skeletons.dedup();
    assert_eq!(skeletons.len(), 4, "{skeletons:?}");
    assert_eq!(rows.iter().filter(|row| row[4] == Cell::Null).count(), 1);
    let account = |name: &str| Account {
        player: PlayerId::random(),
        name: name.to_owned(),
        password: "hash".to_owned(),
    };
    for name in ["modem", "m0dern", "Ann", "0ther"] {
        let refused = store.add_account(&account(name)).await;
        assert_eq!(refused, Err(StoreError::Taken), "{name}");
    }
    store.add_account(&account("Anna")).await.unwrap();
}

/// What each migration before the ninth does.
const OLDER: [&str; 8] = [
    include_str!("../../migrations/sqlite/0001_tables.sql"),
    include_str!("../../migrations/sqlite/0002_sessions.sql"),
    include_str!("../../migrations/sqlite/0003_archive.sql"),
    include_str!("../../migrations/sqlite/0004_admin.sql"),
    include_str!("../../migrations/sqlite/0005_first_seats.sql"),
    include_str!("../../migrations/sqlite/0006_skeletons.sql"),
    include_str!("../../migrations/sqlite/0007_puzzles.sql"),
    include_str!("../../migrations/sqlite/0008_study.sql"),
];

/// An attempt at a puzzle and the solver's rating, as they were kept before the ninth migration.
pub(crate) fn unrated_attempt(player: &PlayerId) -> String {
    format!(
        "INSERT INTO attempt VALUES ('{player}', 'cotulenh', 'naj430', 7, 1);
         INSERT INTO rating VALUES ('cotulenh', '{player}', 1662212, 290319, 60000, 1);"
    )
}

/// That attempt is there, without a rating of its own; one that follows has one.
pub(crate) async fn attempts_go_on(store: &dyn Store, player: &PlayerId) {
    let known = store.puzzle_rating("cotulenh", player.as_str()).await;
    let solver = known.unwrap().unwrap();
    assert_eq!((solver.rating.rating, solver.attempts), (1662.212, 1));
    let next = PuzzleAttempt {
        player: player.clone(),
        game: "cotulenh".to_owned(),
        puzzle: "af5wab".to_owned(),
        at: 8,
        solved: false,
        rating: Some(1581),
    };
    let rated = RatedAttempt {
        solver,
        puzzle: PuzzleRating {
            attempts: 1,
            ..solver
        },
    };
    store.add_attempt(&next, &rated).await.unwrap();
    let first = PuzzleAttempt {
        puzzle: "naj430".to_owned(),
        at: 7,
        solved: true,
        rating: None,
        ..next.clone()
    };
    let kept = store.attempts(player, "cotulenh", 9).await;
    assert_eq!(kept, Ok(vec![next, first]));
}

#[tokio::test]
async fn attempts_from_before_ratings_were_kept_with_them_have_none() {
    let folder = Folder::new("unrated");
    let file = folder.0.join("old.db");
    let made = (1..).zip(OLDER).map(|(number, sql)| {
        let kind = MigrationType::Simple;
        Migration::new(number, "".into(), kind, sql.into_sql_str(), false)
    });
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let migrator = Migrator::with_migrations(made.collect());
    migrator.run(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let ann = PlayerId::random();
    alter(&file, &unrated_attempt(&ann)).await;
    attempts_go_on(&SqliteStore::open(&file).await.unwrap(), &ann).await;
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = Folder::new("newer");
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (999, 'from the future', 1, x'00', 0)";
    let why = complaint(&altered(&folder, newer).await).await;
    assert!(
        why.contains("migration 999") && why.contains("newer"),
        "{why}"
    );
}

#[tokio::test]
async fn another_migration_of_the_same_number_is_refused() {
    let folder = Folder::new("mismatch");
    let file = altered(
        &folder,
        "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 1",
    )
    .await;
    let why = complaint(&file).await;
    assert!(why.contains("migration 1 is not the one"), "{why}");
}

#[tokio::test]
async fn a_renamed_column_is_refused() {
    let folder = Folder::new("renamed");
    let file = altered(&folder, "ALTER TABLE event RENAME COLUMN at TO time").await;
    let why = complaint(&file).await;
    assert!(why.contains("lacks the column event.at"), "{why}");
}

#[tokio::test]
async fn a_missing_table_is_refused_and_not_made_up() {
    let folder = Folder::new("missing");
    let file = altered(&folder, "DROP TABLE account").await;
    let why = complaint(&file).await;
    assert!(why.contains("lacks the table account"), "{why}");

    let old = folder.0.join("old.db");
    alter(&old, BEFORE).await;
    alter(&old, "DROP TABLE session").await;
    for _ in 0..2 {
        let why = complaint(&old).await;
        assert!(why.contains("lacks the table session"), "{why}");
    }
}
