//! What people keep of their studies: stars of lessons.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::{PASSWORD, Site, Visitor, log_in, register};

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
