//! Text that cannot be read: refused by the name of its field, for programs and on pages.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use serde_json::json;

use crate::common::{Answer, Site, pair, register};

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

/// A misspelt field was ignored, and with it what somebody had asked for.
#[tokio::test]
async fn unknown_fields_are_refused_with_the_nearest_known_one() {
    let site = Site::start().await;
    let (ann, _, table) = pair(&site, json!({})).await;
    let assert_refused = |answer: &Answer, field: &str, meant: &str, what: &str| {
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{what}");
        let error = &answer.json()["error"];
        let found = (&error["code"], &error["why"]["field"]);
        assert_eq!(found, (&json!("unknown-field"), &json!(field)), "{what}");
        let words = format!("unknown field {field:?}; did you mean {meant:?}?");
        assert_eq!(error["message"], words, "{what}");
    };
    for (path, field, meant) in [
        ("/api/v1/archive?pgae=2", "pgae", "page"),
        ("/api/v1/tables?stat=open", "stat", "state"),
        ("/api/v1/puzzles/cotulenh?them=mate", "them", "theme"),
        ("/api/v1/cotulenh/board.svg?fenn=x", "fenn", "fen"),
        (
            &*format!("/api/v1/tables/{table}/review?ruond=1"),
            "ruond",
            "round",
        ),
        (&*format!("/ws/table/{table}?seqq=1"), "seqq", "seq"),
    ] {
        assert_refused(&ann.get(path).await, field, meant, path);
    }
    for (path, body, field, meant) in [
        (
            "/api/v1/account/password",
            json!({ "password": "x", "new": "y", "pasword": "z" }),
            "pasword",
            "password",
        ),
        (
            "/api/v1/account/delete",
            json!({ "password": "x", "Password": "x" }),
            "Password",
            "password",
        ),
    ] {
        assert_refused(&ann.post(path, &body).await, field, meant, path);
    }
    // The language is known everywhere, and pages put up with what others add to links.
    for path in [
        "/api/v1/tables?lang=vi&state=open",
        "/archive?page=1&from=search",
        "/account?from=mail",
    ] {
        assert_eq!(ann.get(path).await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn forms_refuse_fields_that_they_do_not_have() {
    let site = Site::start().await;
    let (ann, _, table) = pair(&site, json!({})).await;
    for (path, fields, field) in [
        ("/language", "lang=vi&bakc=/", "bakc"),
        ("/play", "game=cotulenh&colour=r", "colour"),
        (&*format!("/game/{table}/sit"), "seta=1", "seta"),
        ("/account/register", "name=Ann&pasword=x", "pasword"),
        ("/account/login", "username=Ann&password=x", "username"),
        ("/account/logout", "all=1", "all"),
        ("/account/sessions/revoke", "id=x&di=x", "di"),
        ("/account/sessions/revoke-others", "all=1", "all"),
        ("/account/password", "password=x&new=y&nwe=y", "nwe"),
        ("/account/delete", "password=x&passwort=x", "passwort"),
    ] {
        let answer = ann.form(path, fields).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(answer.text.contains(field), "{path}: {}", answer.text);
    }
}

/// The forms of a page that change something: where they are sent, and what.
fn forms(page: &str) -> impl Iterator<Item = (String, String)> {
    let forms = page.split("<form").skip(1);
    let forms = forms.filter_map(|form| form.split("</form>").next());
    let forms = forms.filter(|form| form.contains("method=\"post\""));
    forms.filter_map(|form| {
        let quoted = |start: &str| {
            let rest = form.split(start).skip(1);
            let values = rest.map(|rest| rest.split('"').next().unwrap().to_owned());
            values.collect::<Vec<_>>()
        };
        let names = quoted(" name=\"").into_iter();
        let names = names.filter(|name| name != "csrf");
        let fields = names.map(|name| {
            let value = quoted(&format!(" name=\"{name}\" value=\"")).pop();
            format!("{name}={}", value.unwrap_or_default())
        });
        // Of buttons that share a name, one is pressed.
        let fields: BTreeSet<String> = fields.collect();
        let fields: Vec<String> = fields.into_iter().collect();
        Some((quoted("action=\"").pop()?, fields.join("&")))
    })
}

/// What the forms of the pages send, none of which may be refused for its name.
#[tokio::test]
async fn every_field_of_a_form_is_known() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let (guest, host) = (site.visitor().await, site.visitor().await);
    let (board, cards) = (json!({}), json!({ "game": "tractor" }));
    let mut tables = Vec::new();
    for mut wanted in [board, cards] {
        wanted["opponent"] = json!("friend");
        tables.push(format!("/game/{}", host.open(wanted).await));
    }
    register(&mut ann, "Ann").await;
    let [table, other] = tables.try_into().unwrap();
    let mut seen = Vec::new();
    for (who, path) in [
        (&guest, "/"),
        (&guest, "/account"),
        (&guest, &*table),
        (&guest, &*other),
        (&ann, "/account"),
    ] {
        let page = who.get(path).await.text;
        seen.extend(forms(&page).map(|(action, fields)| (who, action, fields)));
    }
    // Whoever has logged out sends no more forms.
    seen.sort_by_key(|(_, action, _)| action == "/account/logout");
    let actions: Vec<&str> = seen.iter().map(|(_, action, _)| &**action).collect();
    for action in [
        "/play",
        "/language",
        "/account/password",
        "/account/delete",
        &format!("{table}/sit"),
    ] {
        assert!(actions.contains(&action), "{actions:?}");
    }
    for (who, action, fields) in &seen {
        let answer = who.form(action, fields).await;
        // Empty fields may be refused for what is in them, not for their names.
        assert!(
            !answer.text.contains("unknown field"),
            "{action} {fields}: {}",
            answer.text
        );
        assert_ne!(answer.status, StatusCode::FORBIDDEN, "{action} {fields}");
    }
}
