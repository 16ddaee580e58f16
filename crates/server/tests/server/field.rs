//! Text that cannot be read: refused by the name of its field, for programs and on pages.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use serde_json::json;

use crate::common::{Answer, Site, pair};

/// The refusal names the field.
fn assert_names(answer: &Answer, field: &str, what: &str) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{what}");
    let error = &answer.json()["error"];
    let found = (
        &error["code"],
        &error["why"]["code"],
        &error["why"]["field"],
    );
    let expected = (&json!("malformed"), &json!("field"), &json!(field));
    assert_eq!(found, expected, "{what}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(field), "{what}: {message}");
}

/// Bad query or path text was answered as plain text, not as a refusal.
#[tokio::test]
async fn text_that_cannot_be_read_is_refused_by_the_name_of_its_field() {
    let site = Site::start().await;
    let (ann, _, table) = pair(&site, json!({})).await;
    for (path, field) in [
        ("/api/v1/archive?page=x", "page"),
        ("/api/v1/archive?page=-1", "page"),
        ("/api/v1/archive?page=%ff", "page"),
        ("/api/v1/cotulenh/board.svg?flip=yes", "flip"),
        ("/api/v1/tables/%ff", "id"),
        (&format!("/ws/table/{table}?seq=x"), "seq"),
    ] {
        assert_names(&ann.get(path).await, field, path);
    }
    let act = format!("/api/v1/tables/{table}/act");
    for (path, body, field) in [
        ("/api/v1/tables", json!({ "level": "x" }), "level"),
        ("/api/v1/tables", json!({ "game": 7 }), "game"),
        (
            &*format!("/api/v1/tables/{table}/sit"),
            json!({ "seat": "x" }),
            "seat",
        ),
        (&act, json!({ "t": 7 }), "t"),
        (&act, json!({ "seq": 1 }), "t"),
        (
            "/api/v1/account/password",
            json!({ "password": "x" }),
            "new",
        ),
    ] {
        let answer = ann.post(path, &body).await;
        assert_names(&answer, field, &format!("{path} {body}"));
    }
}

#[tokio::test]
async fn pages_say_in_words_which_field_cannot_be_read() {
    let site = Site::start().await;
    let (ann, _, table) = pair(&site, json!({})).await;
    let game = format!("/game/{table}?ply=x");
    for (path, field) in [
        ("/archive?page=x", "page"),
        (&game, "ply"),
        ("/game/%ff", "id"),
    ] {
        let answer = ann.get(path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        let html = answer.headers[CONTENT_TYPE].to_str().unwrap();
        assert!(html.starts_with("text/html"), "{path}");
        // The catalogue may set the name apart with marks for the direction of writing.
        let plain = answer.text.replace(['\u{2068}', '\u{2069}'], "");
        let words = format!("“{field}” is missing or invalid");
        assert!(plain.contains(&words), "{path}: {}", answer.text);
    }
    for (path, fields, field) in [
        ("/language", "back=/", "lang"),
        (&*format!("/game/{table}/sit"), "seat=x", "seat"),
        ("/account/delete", "", "password"),
    ] {
        let answer = ann.form(path, fields).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(answer.text.contains(field), "{path}: {}", answer.text);
    }
}
