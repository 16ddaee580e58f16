//! Accounts: their passwords, their end, and those of earlier versions.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use convoy_server::{SqliteStore, Store as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::AssertSqlSafe;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

use crate::common::database::sqlite;
use crate::common::{Folder, Site, Visitor, config, hex, log_in, pair, register, signed, until};

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_it() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let change = json!({ "password": crate::common::PASSWORD, "new": "another horse" });
    let refused = ann.post("/api/v1/account/password", &change).await;
    assert_eq!(refused.json()["error"]["why"]["code"], "no-account");
    register(&mut ann, "Ann").await;
    let mut phone = site.visitor().await;
    log_in(&mut phone, "Ann").await;
    for (fields, status) in [
        ("password=wrong+horse&new=another+horse", 401),
        ("password=correct+horse&new=short", 422),
        ("password=correct+horse", 400),
    ] {
        let answer = ann.form("/account/password", fields).await;
        assert_eq!(answer.status.as_u16(), status, "{fields}");
    }
    assert_eq!(phone.get("/api/v1/me").await.json()["account"], true);
    let answer = ann
        .form(
            "/account/password",
            "password=correct+horse&new=another+horse",
        )
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/account?done=password")
    );
    assert!(
        ann.get(answer.location())
            .await
            .text
            .contains("role=\"status\"")
    );
    // This session goes on, all others have ended.
    assert_eq!(ann.get("/api/v1/me").await.json()["account"], true);
    assert_eq!(phone.get("/api/v1/me").await.json()["account"], false);
    let again = site.visitor().await;
    for (password, status) in [("correct+horse", 401), ("another+horse", 303)] {
        let fields = format!("name=Ann&password={password}");
        let answer = again.form("/account/login", &fields).await;
        assert_eq!(answer.status.as_u16(), status, "{password}");
    }
}

#[tokio::test]
async fn a_password_is_changed_by_a_call() {
    let site = Site::start().await;
    let mut bob = site.visitor().await;
    register(&mut bob, "Bob").await;
    let mut phone = site.visitor().await;
    log_in(&mut phone, "Bob").await;
    let there = json!({ "password": crate::common::PASSWORD, "new": "another horse" });
    let answer = bob.post("/api/v1/account/password", &there).await;
    assert_eq!(answer.json(), json!({}));
    assert_eq!(phone.get("/api/v1/me").await.json()["account"], false);
    let back = json!({ "password": "another horse", "new": crate::common::PASSWORD });
    let answer = bob.post("/api/v1/account/password", &back).await;
    assert_eq!(answer.json(), json!({}));
    phone.reload().await;
    log_in(&mut phone, "Bob").await;
}

#[tokio::test]
async fn a_deleted_account_leaves_games_without_a_name() {
    let folder = Folder::new("delete");
    let file = folder.0.join("a.db");
    let site = Site::over(sqlite(&file).await, config()).await;
    let (mut red, blue, table) = pair(&site, json!({})).await;
    register(&mut red, "Leaving_Ann").await;
    let over = red.open(json!({ "opponent": "friend" })).await;
    red.post(
        &format!("/api/v1/tables/{over}/act"),
        &json!({ "t": "abort", "seq": 1, "d": {} }),
    )
    .await;
    let mut phone = site.visitor().await;
    log_in(&mut phone, "Leaving_Ann").await;
    let mut socket = phone.join(&table).await;
    let id = table.parse().unwrap();
    let before = site.app.store().events(&id).await.unwrap();

    let wrong = red.form("/account/delete", "password=wrong+horse").await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert_eq!(red.get("/api/v1/me").await.json()["account"], true);
    let answer = red.form("/account/delete", "password=correct+horse").await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/account?done=deleted")
    );
    while socket.frame().await.is_some() {}

    for gone in [&red, &phone] {
        assert_eq!(gone.get("/api/v1/me").await.json()["account"], false);
        assert_eq!(gone.view(&table).await["you"], Value::Null);
    }
    assert_eq!(
        red.get("/archive/Leaving_Ann").await.status,
        StatusCode::NOT_FOUND
    );
    nobody_is_shown_her_name(&blue, &table, &over).await;
    // The log has one more event and is otherwise as it was.
    let after = site.app.store().events(&id).await.unwrap();
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after.len(), before.len() + 1);
    assert!(after[before.len()].event.contains("\"transferred\""));
    no_row_has_her_name(&file).await;
    // The name is free at once, and brings nothing back.
    let mut other = site.visitor().await;
    register(&mut other, "Leaving_Ann").await;
    assert_eq!(
        other.get("/api/v1/archive").await.json()["tables"],
        json!([])
    );
    // By a call.
    let body = json!({ "password": crate::common::PASSWORD });
    let gone = other.post("/api/v1/account/delete", &body).await;
    assert_eq!(gone.json(), json!({}));
    assert_eq!(other.get("/api/v1/me").await.json()["account"], false);
}

async fn nobody_is_shown_her_name(blue: &Visitor, table: &str, over: &str) {
    let view = blue.view(table).await;
    assert!(
        view["seats"][0]["name"]
            .as_str()
            .unwrap()
            .starts_with("Guest-")
    );
    for path in [
        format!("/game/{table}"),
        format!("/game/{table}.pgn"),
        format!("/game/{over}.json"),
        "/api/v1/archive".to_owned(),
    ] {
        assert!(
            !blue.get(&path).await.text.contains("Leaving_Ann"),
            "{path}"
        );
    }
}

async fn no_row_has_her_name(file: &Path) {
    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(file))
        .await
        .unwrap();
    for rows in [
        "SELECT summary FROM summary",
        "SELECT name FROM account",
        "SELECT coalesce(name, '') FROM retired",
    ] {
        let texts: Vec<String> = sqlx::query_scalar(rows).fetch_all(&pool).await.unwrap();
        assert!(
            !texts.iter().any(|text| text.contains("Leaving_Ann")),
            "{rows}"
        );
    }
    let sessions: i64 = sqlx::query_scalar("SELECT count(*) FROM session")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(sessions, 0);
}

/// What a file holds now: its server keeps everybody else off the file itself.
async fn copy_of(file: &Path) -> SqliteStore {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let copy = file.with_extension(format!("copy-{number}.db"));
    convoy_server::back_up(file, &copy).await.unwrap();
    SqliteStore::open(&copy).await.unwrap()
}

/// What a server wrote before accounts had players of their own.
const BEFORE: &str = include_str!("../data/before-migrations.sql");
const KEY: &str = "188ec6efda380d12c5cbdde5a50208a79638f26527424b2fff19a7490d180938";

/// The player that a guest's token stands for.
fn player_of(token: &str) -> String {
    let letters = b"0123456789abcdefghjkmnpqrstvwxyz";
    let digest = Sha256::digest(format!("player {token}"));
    let letter = |byte: &u8| char::from(letters[usize::from(byte & 31)]);
    digest[..16].iter().map(letter).collect()
}

/// A file of that time: the player of Ann's account is the guest of this token, and a session of
/// hers has that one.
async fn old_file(folder: &Folder, guest: &str, session: &str) -> std::path::PathBuf {
    // A password that this test knows.
    let donor = folder.0.join("donor.db");
    let site = Site::over(sqlite(&donor).await, config()).await;
    register(&mut site.visitor().await, "Donor").await;
    let store = site.app.store();
    let password = store.account("Donor").await.unwrap().unwrap().password;
    let hash = hex(&Sha256::digest(session));
    let sql = BEFORE
        .replace("d5yvn0qp1kgebpqg", &player_of(guest))
        .replace(
            "b64001fce4cb7090ce046b182f40b983710b072a44d22ba3c0bc4aa00fa5e3dd",
            &hash,
        )
        .replace(
            "$argon2id$v=19$m=19456,t=2,p=1$1IXjZRfozo/X/NswQEJFXg$yK8AhWVjRvqNdD79h5ot4p+7BL6PJn17FZmttPXsgcI",
            &password,
        );
    let file = folder.0.join("old.db");
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .create_if_missing(true);
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let sql = AssertSqlSafe(sql);
    sqlx::raw_sql(sql).execute(&pool).await.unwrap();
    pool.close().await;
    file
}

/// H2 for accounts that exist already: they get a player of their own, and their seats follow.
#[tokio::test]
async fn accounts_of_earlier_versions_are_mended() {
    let folder = Folder::new("mend");
    let guest = "g0123456789abcdef0123456789abcdef";
    let session = "afedcba9876543210fedcba9876543210";
    let file = old_file(&folder, guest, session).await;
    let tables = ["n99gs1mfmeah", "m2afajqmy4br", "r2fbemr451kk"];
    let events = async |table: &str| {
        let store = copy_of(&file).await;
        store.events(&table.parse().unwrap()).await.unwrap()
    };
    let before = [
        events(tables[0]).await,
        events(tables[1]).await,
        events(tables[2]).await,
    ];
    let site = Site::over(sqlite(&file).await, config()).await;
    let with = |cookie: String| Visitor {
        site: site.clone(),
        cookie,
        csrf: String::new(),
    };
    // The session goes on under its old cookie, and the seats follow: finished, waiting, cards.
    let ann = with(signed(KEY, "convoy", session));
    let me = json!({ "player": "Ann", "account": true });
    assert_eq!(ann.get("/api/v1/me").await.json(), me);
    for table in tables {
        until("the seat follows", async || {
            !ann.view(table).await["you"].is_null()
        })
        .await;
    }
    let archive = ann.get("/api/v1/archive").await.json();
    assert_eq!(archive["tables"][0]["id"], tables[0]);
    assert_eq!(archive["tables"][0]["at"], 1_794_802_019_187_i64);
    for (table, before) in tables.iter().zip(before) {
        let after = events(table).await;
        assert_eq!(after[..before.len()], before[..]);
        assert_eq!(after.len(), before.len() + 1);
        assert!(after[before.len()].event.contains("\"transferred\""));
    }
    // The guest's cookie, which was worth as much as the account, is dead.
    let old = with(signed(KEY, "convoy", guest));
    assert_eq!(old.view(tables[0]).await["you"], Value::Null);
    assert!(old.get("/").await.headers.contains_key(SET_COOKIE));
    let mut elsewhere = site.visitor().await;
    log_in(&mut elsewhere, "Ann").await;
    assert_eq!(elsewhere.view(tables[0]).await["you"], 0);
    // Over TLS the old cookie is exchanged for one that nobody can plant.
    let request = ann
        .request(axum::http::Method::GET, "/api/v1/me")
        .header("x-forwarded-proto", "https")
        .body(axum::body::Body::empty());
    let answer = ann.send(request.unwrap()).await;
    assert_eq!(answer.json(), me);
    let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-convoy=a"), "{cookie}");
}
