//! What people keep of their studies: stars of lessons, analyses under a link.

use axum::http::StatusCode;
use convoy_server::Rate;
use serde_json::{Value, json};

use crate::common::{PASSWORD, Site, Visitor, config, log_in, register};

async fn progress(who: &Visitor) -> Value {
    let answer = who.get("/api/v1/learn/progress").await.json();
    answer["stars"].clone()
}

/// Tells the server of stars, and answers all that it keeps.
async fn earn(who: &Visitor, stars: Value) -> Value {
    let path = "/api/v1/learn/progress";
    who.post(path, &json!({ "stars": stars })).await.json()
}

/// What the pages of the courses are told.
async fn told(who: &Visitor, path: &str) -> Value {
    let page = who.get(path).await;
    assert_eq!(page.status, StatusCode::OK, "{path}");
    let (_, rest) = page.text.split_once("id=\"progress\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn stars_follow_an_account_and_the_best_are_kept() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let (sea, round) = ("cotulenh/board/sea", "tractor/round/coached");
    // A guest's stay in the browser.
    assert_eq!(progress(&ann).await, Value::Null);
    let answer = earn(&ann, json!({ sea: 2 })).await;
    assert_eq!(answer, json!({ "stars": null, "unknown": [] }));
    assert_eq!(told(&ann, "/learn").await, Value::Null);

    register(&mut ann, "Ann").await;
    assert_eq!(progress(&ann).await, json!({}));
    let answer = earn(&ann, json!({ sea: 2, "cotulenh/gone/step": 3 })).await;
    let wanted = json!({ "stars": { sea: 2 }, "unknown": ["cotulenh/gone/step"] });
    assert_eq!(answer, wanted);
    let mut elsewhere = site.visitor().await;
    log_in(&mut elsewhere, "Ann").await;
    earn(&elsewhere, json!({ sea: 1, round: 3 })).await;
    let both = json!({ sea: 2, round: 3 });
    assert_eq!(progress(&ann).await, both);
    for path in ["/learn", "/learn/cotulenh/board", "/learn/tractor/round"] {
        let wanted = json!({ "account": "Ann", "stars": both });
        assert_eq!(told(&ann, path).await, wanted, "{path}");
    }
    let mut bob = site.visitor().await;
    register(&mut bob, "Bob").await;
    assert_eq!(progress(&bob).await, json!({}));

    // An account that is gone leaves nothing, not even to the next of its name.
    let body = json!({ "password": PASSWORD });
    let deleted = ann.post("/api/v1/account/delete", &body).await;
    assert_eq!(deleted.status, StatusCode::OK);
    let mut next = site.visitor().await;
    register(&mut next, "Ann").await;
    assert_eq!(progress(&next).await, json!({}));
}

#[tokio::test]
async fn stars_that_make_no_sense_are_refused_whole() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    for (body, field) in [
        (
            json!({ "stars": { "cotulenh/board/sea": 3, "tractor/round/coached": 4 } }),
            "stars.tractor/round/coached",
        ),
        (
            json!({ "stars": { "cotulenh/board/sea": 0 } }),
            "stars.cotulenh/board/sea",
        ),
        (json!({ "stars": [] }), "stars"),
        (json!({}), "stars"),
    ] {
        let refused = ann.post("/api/v1/learn/progress", &body).await;
        assert!(refused.status.is_client_error(), "{body}");
        let why = &refused.json()["error"]["why"]["field"];
        assert_eq!(why, field, "{body}: {}", refused.text);
    }
    assert_eq!(progress(&ann).await, json!({}));
}

/// One game with everything that a tree may hold.
const PGN: &str =
    "[Red \"An\"]\n\n{to begin} 1. Ic6 $1 {[%csl Rc6] fine} (1. Ik6 {slower}) 1... Mg7 *\n";

async fn save(who: &Visitor, name: &str) -> Value {
    let answer = who
        .post("/api/v1/analyses", &json!({ "name": name, "pgn": PGN }))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    answer.json()
}

/// The names of the analyses that somebody has saved.
async fn names(who: &Visitor) -> Vec<String> {
    let list = who.get("/api/v1/analyses").await.json();
    let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
    list["analyses"]
        .as_array()
        .unwrap()
        .iter()
        .map(name)
        .collect()
}

#[tokio::test]
async fn an_analysis_is_read_by_its_link_and_changed_by_its_owner() {
    let site = Site::start().await;
    let (mut ann, bob) = (site.visitor().await, site.visitor().await);
    let saved = save(&ann, "  Ván <một>  ").await;
    assert_eq!(saved["name"], "Ván <một>");
    let path = format!("/api/v1/analyses/{}", saved["id"].as_str().unwrap());
    let page = format!("/analysis/{}", saved["id"].as_str().unwrap());
    let read = async |who: &Visitor| who.get(&path).await.json();
    let pgn = read(&bob).await["pgn"].as_str().unwrap().to_owned();
    assert!(pgn.contains("{to begin} 1. Ic6 $1 {[%csl Rc6] fine} (1. Ik6 {slower}) 1... Mg7 *"));
    let own = [read(&ann).await, read(&bob).await].map(|told| told["own"].clone());
    assert_eq!(own, [json!(true), json!(false)]);
    let shown = bob.get(&page).await;
    assert!(
        shown.text.contains("V\u{e1}n &#60;m\u{1ed9}t&#62; \u{b7}"),
        "the title"
    );
    assert!(!shown.text.contains("<m\u{1ed9}t>"), "nothing is markup");

    // Nobody else writes.
    let draft = json!({ "name": "Two", "pgn": "1. Ik6 *" });
    for (path, body) in [
        (path.clone(), &draft),
        (format!("{path}/delete"), &json!({})),
    ] {
        let refused = bob.post(&path, body).await;
        assert_eq!(
            (refused.status, &*refused.code()),
            (StatusCode::FORBIDDEN, "not-owner")
        );
    }
    assert_eq!(read(&bob).await["pgn"], pgn.as_str());
    assert_eq!(ann.post(&path, &draft).await.status, StatusCode::OK);
    let changed = read(&bob).await;
    assert!(changed["pgn"].as_str().unwrap().contains("1. Ik6 *"));
    assert_eq!(
        (&changed["name"], &changed["created"]),
        (&json!("Two"), &saved["created"])
    );

    // A guest's go to the account, and away with it.
    save(&ann, "Another").await;
    register(&mut ann, "Ann").await;
    assert_eq!(names(&ann).await.len(), 2);
    assert_eq!(read(&ann).await["own"], true);
    let deleted = ann.post(&format!("{path}/delete"), &json!({})).await;
    assert_eq!(deleted.status, StatusCode::OK);
    assert_eq!(
        (names(&ann).await, names(&bob).await),
        (vec!["Another".to_owned()], vec![])
    );
    for gone in [&path, &page] {
        assert_eq!(bob.get(gone).await.status, StatusCode::NOT_FOUND, "{gone}");
    }
    assert_eq!(ann.post(&path, &draft).await.code(), "no-such-analysis");
}

#[tokio::test]
async fn what_cannot_be_saved_is_refused() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let long = format!("{{{}}} *", "x".repeat(50_000));
    for (name, pgn, code) in [
        ("", "*", "malformed"),
        ("  ", "*", "malformed"),
        ("two\nlines", "*", "malformed"),
        (&"x".repeat(81), "*", "malformed"),
        ("a", "1. Ic99 *", "bad-pgn"),
        ("a", "1. Ic6 *\n\n1. Ik6 *", "bad-pgn"),
        ("a", "{\0} *", "malformed"),
        ("a", &long, "too-long"),
    ] {
        let body = json!({ "name": name, "pgn": pgn });
        let refused = ann.post("/api/v1/analyses", &body).await;
        assert!(refused.status.is_client_error(), "{name} {code}");
        assert_eq!(refused.code(), code, "{name:?} {}", refused.text);
    }
    let bad = json!({ "name": "a", "pgn": "1. Ic6\nIc99 *" });
    let refused = ann.post("/api/v1/analyses", &bad).await.json();
    assert_eq!(refused["error"]["at"], json!({ "line": 2, "column": 1 }));
    for number in 0..100 {
        save(&ann, &number.to_string()).await;
    }
    let body = json!({ "name": "one too many", "pgn": "*" });
    let refused = ann.post("/api/v1/analyses", &body).await.json();
    let why = &refused["error"]["why"]["code"];
    assert_eq!(
        (&refused["error"]["code"], why),
        (&json!("too-many"), &json!("saved-analyses"))
    );
    assert_eq!(names(&ann).await.len(), 100);
}

#[tokio::test]
async fn saving_is_limited() {
    let mut config = config();
    config.rates.savings = Rate {
        burst: 2.0,
        per_second: 0.0,
    };
    let site = Site::with(config).await;
    let ann = site.visitor().await;
    for name in ["one", "two"] {
        save(&ann, name).await;
    }
    let body = json!({ "name": "three", "pgn": "*" });
    let refused = ann.post("/api/v1/analyses", &body).await;
    assert_eq!(refused.code(), "too-fast");
}
