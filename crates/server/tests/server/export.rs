//! Exports and imports: from SQLite to PostgreSQL and back, interrupted, damaged.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::database::{new_schema, sqlite};
use crate::common::{Folder, Site, Visitor, config, pair, register};
use convoy_server::{
    AnalysisId, Append, DumpError, Occupant, Phase, PlayerId, PostgresStore, Relation,
    SavedAnalysis, SqliteStore, StepStars, Storage, Store, Stored, StoredReview, Summary, TableId,
    export, import, is_import_unfinished,
};
use convoy_test_postgres::Server;
use serde_json::json;

/// Exports without looking at the progress.
async fn write(store: &dyn Store, file: &Path) -> convoy_server::Exported {
    export(store, file, &mut |_, _| {}).await.unwrap()
}

async fn read(store: &dyn Store, file: &Path) -> Result<convoy_server::Totals, DumpError> {
    import(store, file, &mut |_, _| {}).await
}

/// An append with a summary, of a table with this many events.
fn append(table: &TableId, seq: u64, event: &str, game: &str, phase: Phase) -> Append {
    let summary = Summary {
        id: table.clone(),
        game: game.to_owned(),
        phase,
        public: true,
        seats: vec![Occupant::Human {
            player: PlayerId::random(),
            name: "Ann".to_owned(),
        }],
        clock: String::new(),
        result: json!(null),
        turns: 1,
        opened: 1,
        changed: 2,
    };
    Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at: 7,
            event: event.to_owned(),
        },
        summary: Some(Box::new(summary)),
    }
}

/// Fills a storage with more rows than one batch has.
async fn fill(store: &dyn Store) {
    let table = TableId::random();
    let appends = (1..=1200).map(|seq| {
        let event = format!("{{\"text\":\"{seq} ệ \\\" \\u0000\"}}");
        store.append(append(&table, seq, &event, "cotulenh", Phase::Over))
    });
    for outcome in futures_util::future::join_all(appends).await {
        outcome.unwrap();
    }
    store.get_or_insert("key", "value").await.unwrap();
    let player = PlayerId::random();
    let stars = StepStars {
        step: "cotulenh/board/sea".to_owned(),
        stars: 2,
    };
    store.keep_stars(&player, &[stars], 3).await.unwrap();
    let analysis = SavedAnalysis {
        id: AnalysisId::random(),
        owner: player,
        name: "Ván \"một\"".to_owned(),
        pgn: "1. Ic6 {ệ\n} *".to_owned(),
        created: 4,
        changed: 5,
    };
    assert!(store.add_analysis(&analysis, 1).await.unwrap());
    let review = StoredReview {
        table,
        round: 1,
        at: 6,
        review: "{}".to_owned(),
    };
    store.keep_review(&review).await.unwrap();
}

#[tokio::test]
async fn an_installation_moves_to_postgresql_and_back() {
    let folder = Folder::new("moves");
    let file = |name: &str| folder.0.join(name);
    let site = Site::over(sqlite(&file("old.db")).await, config()).await;
    let (mut red, blue, table) = pair(&site, json!({ "minutes": 10 })).await;
    register(&mut red, "Ann").await;
    let mut socket = red.join(&table).await;
    socket.play("Ic5c6").await;
    let before = red.view(&table).await;
    site.app.store().close().await.unwrap();

    let old = sqlite(&file("old.db")).await;
    fill(&*old).await;
    let first = write(&*old, &file("first.jsonl")).await;
    assert!(first.totals[&Relation::Event].rows > 1200, "{first:?}");
    let mode = file("first.jsonl").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let again = export(&*old, &file("first.jsonl"), &mut |_, _| {}).await;
    assert!(again.unwrap_err().to_string().contains("such a file"));

    let server = Server::start().unwrap();
    let url = new_schema(&server.url()).await;
    let middle = PostgresStore::open(&url, Storage::default()).await.unwrap();
    let imported = read(&middle, &file("first.jsonl")).await.unwrap();
    assert_eq!(imported, first.totals);
    let second = write(&middle, &file("second.jsonl")).await;
    assert_eq!(second.totals, first.totals);

    let new = sqlite(&file("new.db")).await;
    assert_eq!(read(&*new, &file("second.jsonl")).await, Ok(imported));
    new.close().await.unwrap();
    // The same visitors play on, over either.
    for store in [sqlite(&file("new.db")).await, Arc::new(middle)] {
        let site = Site::over(store, config()).await;
        let [red, blue] = [&red, &blue].map(|visitor| Visitor {
            site: site.clone(),
            ..visitor.clone()
        });
        let after = red.view(&table).await;
        for field in ["fen", "seq", "turns", "you", "seats"] {
            assert_eq!(after[field], before[field], "{field}");
        }
        blue.join(&table).await.play("Ic8c7").await;
    }
}

#[tokio::test]
async fn an_interrupted_export_goes_on_where_it_stopped() {
    let folder = Folder::new("export-part");
    let store = SqliteStore::in_memory().await.unwrap();
    fill(&store).await;
    let (whole, cut) = (folder.0.join("whole.jsonl"), folder.0.join("cut.jsonl"));
    let exported = write(&store, &whole).await;
    let bytes = std::fs::read(&whole).unwrap();
    let part = folder.0.join("cut.jsonl.part");
    for length in [0, 10, bytes.len() / 3, bytes.len() / 2 + 1, bytes.len() - 9] {
        std::fs::write(&part, &bytes[..length]).unwrap();
        assert_eq!(write(&store, &cut).await, exported);
        assert!(std::fs::read(&cut).unwrap() == bytes, "cut at {length}");
        assert!(!part.exists());
        std::fs::remove_file(&cut).unwrap();
    }
    // A part of another state is not continued.
    std::fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
    store.get_or_insert("another", "setting").await.unwrap();
    let now = write(&store, &cut).await;
    assert_eq!(now.totals[&Relation::Setting].rows, 2);
}

/// A storage that is lost after some batches.
async fn import_in_part(store: &dyn Store, file: &Path, batches: usize) {
    let mut left = batches;
    let stop = AtomicBool::new(false);
    let mut progress = |_, _| {
        left = left.saturating_sub(1);
        stop.store(left == 0, Ordering::Relaxed);
    };
    let mut importing = Box::pin(import(store, file, &mut progress));
    std::future::poll_fn(|context| {
        if stop.load(Ordering::Relaxed) {
            return std::task::Poll::Ready(());
        }
        let polled = importing.as_mut().poll(context);
        assert!(polled.is_pending(), "it was to be interrupted");
        if stop.load(Ordering::Relaxed) {
            return std::task::Poll::Ready(());
        }
        std::task::Poll::Pending
    })
    .await;
}

#[tokio::test]
async fn an_interrupted_import_goes_on_and_is_not_served_before() {
    let folder = Folder::new("import-part");
    let (old, file) = (
        SqliteStore::in_memory().await.unwrap(),
        folder.0.join("a.jsonl"),
    );
    fill(&old).await;
    let exported = write(&old, &file).await;
    let new = SqliteStore::open(&folder.0.join("new.db")).await.unwrap();
    import_in_part(&new, &file, 3).await;
    assert_eq!(is_import_unfinished(&new).await, Ok(true));
    let rows = new.count(Relation::Event).await.unwrap();
    assert!(rows < 1200, "{rows}");

    let part = export(&new, &folder.0.join("part.jsonl"), &mut |_, _| {}).await;
    assert_eq!(part.unwrap_err(), DumpError::Unfinished);

    // Another file does not go into it.
    let other = folder.0.join("other.jsonl");
    old.get_or_insert("another", "setting").await.unwrap();
    write(&old, &other).await;
    assert_eq!(read(&new, &other).await, Err(DumpError::OtherImport));

    let mut first = None;
    let mut progress = |done, _| {
        first.get_or_insert(done);
    };
    let imported = import(&new, &file, &mut progress).await;
    assert_eq!(imported, Ok(exported.totals));
    assert!(first.unwrap() > rows, "what was stored is not stored again");
    assert_eq!(is_import_unfinished(&new).await, Ok(false));
    assert_eq!(read(&new, &file).await, Err(DumpError::NotEmpty));
}

#[tokio::test]
async fn a_file_that_is_damaged_changes_nothing() {
    let folder = Folder::new("import-damage");
    let (old, file) = (
        SqliteStore::in_memory().await.unwrap(),
        folder.0.join("a.jsonl"),
    );
    fill(&old).await;
    write(&old, &file).await;
    let text = std::fs::read_to_string(&file).unwrap();
    let new = SqliteStore::open(&folder.0.join("new.db")).await.unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without_last = lines[..lines.len() - 1].join("\n");
    let cases = [
        (String::new(), "a.jsonl:0: "),
        ("{}\n".to_owned(), "a.jsonl:1: not an export"),
        (
            text.replacen("\"convoy-export\":1", "\"convoy-export\":2", 1),
            "format 2",
        ),
        (text.replacen("\"schema\":", "\"schema\":9", 1), "schema 9"),
        (without_last, "ends too early"),
        (text.replacen("7,\"{", "8,\"{", 1), "checksum"),
        (text.clone() + "{}\n", "follows the end"),
        (
            text.replacen("[\"event\",[", "[\"event\",[3,", 1),
            "not a row of the table event",
        ),
        (text.replacen("[\"event\",", "[\"evnt\",", 1), "not a row: "),
    ];
    for (damaged, wanted) in cases {
        std::fs::write(&file, damaged).unwrap();
        let error = read(&new, &file).await.unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(new.count(Relation::Setting).await, Ok(0));
    }
}

#[tokio::test]
async fn a_running_round_whose_secret_is_not_encrypted_is_left_out() {
    let folder = Folder::new("export-secret");
    let store = SqliteStore::in_memory().await.unwrap();
    let secret = r#"{"e":"game","by":null,"d":{"k":"committed","salt":"00","secret":"5ec4e7"}}"#;
    let sealed = r#"{"e":"game","by":null,"d":{"k":"drawn","sealed":"c1f4e7"}}"#;
    let [running, over, sealed_table] = [(); 3].map(|()| TableId::random());
    for (table, event, phase) in [
        (&running, secret, Phase::Playing),
        (&over, secret, Phase::Over),
        (&sealed_table, sealed, Phase::Playing),
    ] {
        let append = append(table, 1, event, "tractor", phase);
        store.append(append).await.unwrap();
    }
    let file = folder.0.join("a.jsonl");
    let exported = write(&store, &file).await;
    assert_eq!(exported.left_out, 1);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(running.as_str()), "no row tells of it");
    for table in [&over, &sealed_table] {
        assert!(text.contains(table.as_str()));
    }
}
