//! The calls for scripts and programs, and the document that describes them.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::schema::{DOCUMENT, call, check_answer, resolve};
use crate::common::{Site, routes};

#[tokio::test]
async fn the_rules_answer_whoever_asks() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let ask =
        async |op: &str, body: Value| ann.post(&format!("/api/v1/cotulenh/{op}"), &body).await;
    let moves = ask("moves", json!({})).await.json();
    assert_eq!(
        (&moves["turn"], &moves["moves"][0]["san"]),
        (&json!("r"), &json!("Ic6"))
    );
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let open = ask("moves", json!({ "fen": fen, "steps": ["T>e6"] }))
        .await
        .json();
    assert_eq!(open["canCommit"], true);
    let turns = ask("turns", json!({ "fen": fen, "square": "e4" }))
        .await
        .json();
    assert!(turns["turns"].as_array().unwrap().len() > 20);
    let played = ask("play", json!({ "moves": ["Ic6", "Mg7"], "lans": true }))
        .await
        .json();
    assert_eq!(
        (&played["sans"], &played["lans"][0]),
        (&json!(["Ic6", "Mg7"]), &json!("Ic5c6"))
    );
    let cover = ask("cover", json!({})).await.json();
    assert!(cover["cover"]["r"].as_object().unwrap().len() > 5);
    let attackers = ask("attackers", json!({ "square": "c6", "color": "r" }))
        .await
        .json();
    assert!(attackers["attackers"].as_array().unwrap().len() > 1);
    let fen = ask("fen", json!({ "fen": fen })).await.json();
    assert_eq!(fen["outcome"], Value::Null);
    let pgn = ask("pgn", json!({ "pgn": "1. Ic6 Mg7 *" })).await.json();
    assert_eq!(pgn["turns"][1]["lan"], "Mg8g7");

    for (op, body, code) in [
        ("moves", json!({ "fen": "x" }), "bad-fen"),
        ("moves", json!({ "steps": ["Ic9"] }), "illegal-move"),
        ("moves", json!({ "steps": ["%"] }), "bad-notation"),
        ("moves", json!({ "fen": 3 }), "malformed"),
        ("moves", json!([]), "malformed"),
        ("turns", json!({ "square": "z9" }), "bad-square"),
        ("turns", json!({ "sqare": "e4" }), "unknown-field"),
        (
            "attackers",
            json!({ "square": "c6", "color": "x" }),
            "bad-color",
        ),
        ("pgn", json!({ "pgn": "1. Ic9 *" }), "bad-pgn"),
        ("perft", json!({ "depth": 9 }), "too-much"),
        ("perfd", json!({ "depth": 1 }), "unknown-op"),
    ] {
        let answer = ask(op, body.clone()).await;
        assert!(answer.status.is_client_error());
        assert_eq!(answer.code(), code, "{op} {body}");
    }
}

#[tokio::test]
async fn the_description_names_every_call_and_no_other() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let document = ann.get("/openapi.json").await.json();
    assert_eq!(document, *DOCUMENT);
    let table = ann.open(json!({})).await;
    let draft = json!({ "name": "Mine", "pgn": "*" });
    let saved = ann.post("/api/v1/analyses", &draft).await.json();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let real = path
            .replace("{id}", &table)
            .replace("{game}/{chapter}/{step}", "cotulenh/board/sea")
            .replace("{game}", "cotulenh")
            .replace("{puzzle}", "daily")
            .replace("{analysis}", saved["id"].as_str().unwrap())
            .replace("{player}", "nobody");
        let methods = methods.as_object().unwrap();
        for method in methods.keys().filter(|key| *key != "parameters") {
            let answer = match method.as_str() {
                "get" => ann.get(&real).await,
                "post" => ann.post(&real, &json!({})).await,
                other => panic!("{other}"),
            };
            let missing = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
            assert!(
                !missing.contains(&answer.status) || answer.text.contains("no-such-player"),
                "{method} {path}"
            );
        }
    }
    let mut found = 0;
    for (path, methods) in routes() {
        let path = path.replace("{op}", "validate");
        for method in methods.into_iter().filter(|_| path.starts_with("/api/")) {
            assert!(call(method, &path).is_some(), "{method} {path}");
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}

/// Where a schema has parts, and what it is a part of.
fn for_each_schema(value: &'static Value, at: &str, act: &mut dyn FnMut(&str, &'static Value)) {
    match value {
        Value::Object(fields) => {
            for (field, part) in fields {
                let at = format!("{at}/{field}");
                let is_schema =
                    matches!(field.as_str(), "schema" | "items" | "additionalProperties");
                let is_list = matches!(field.as_str(), "anyOf" | "oneOf" | "allOf" | "prefixItems");
                if is_schema && part.is_object() {
                    act(&at, part);
                }
                if is_list {
                    part.as_array()
                        .unwrap()
                        .iter()
                        .for_each(|part| act(&at, part));
                }
                if matches!(field.as_str(), "properties" | "schemas") {
                    let parts = part.as_object().unwrap();
                    parts
                        .iter()
                        .for_each(|(name, part)| act(&format!("{at}/{name}"), part));
                }
                for_each_schema(part, &at, act);
            }
        }
        Value::Array(values) => {
            for part in values {
                for_each_schema(part, at, act);
            }
        }
        _ => {}
    }
}

/// Whether a schema says nothing of what it stands for: not which fields, not of which kind.
fn is_coarse(schema: &Value) -> bool {
    let has = |field: &str| schema.get(field).is_some();
    let is_type = |word: &str| {
        schema["type"] == word
            || schema["type"]
                .as_array()
                .is_some_and(|all| all.contains(&json!(word)))
    };
    let composed = ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"]
        .into_iter()
        .any(has);
    if is_type("object") && !has("properties") && !has("additionalProperties") && !composed {
        return true;
    }
    if is_type("array") && !has("items") && !has("prefixItems") {
        return true;
    }
    // What may be any value says why.
    !has("type") && !composed && !has("description") && !has("required") && !has("properties")
}

#[test]
fn every_reference_leads_somewhere_and_no_schema_is_left_open() {
    let mut open = Vec::new();
    let mut seen = 0;
    for_each_schema(&DOCUMENT, "", &mut |at, schema| {
        seen += 1;
        if let Some(reference) = schema["$ref"].as_str() {
            resolve(reference);
        }
        if is_coarse(schema) {
            open.push(at.to_owned());
        }
    });
    assert!(seen > 1000, "{seen}");
    assert_eq!(open, Vec::<String>::new());
}

/// The check of the bodies finds what it is there for.
#[test]
fn a_body_that_is_not_as_described_is_found() {
    let row = json!({
        "id": "x", "game": "cotulenh", "clock": "", "phase": "over", "at": 1, "turns": 0,
        "seats": [{ "name": "Ann", "kind": "human", "level": null, "color": "r" }],
        "result": { "winner": "r", "reason": "resign" },
    });
    let rows = |row: &Value| json!({ "tables": [row] }).to_string();
    let check = |row: &Value| check_answer("get", "/api/v1/tables", 200, &rows(row));
    assert_eq!(check(&row), Ok(()));
    for (field, bad) in [
        ("/seats/0/color", json!("green")),
        ("/seats/0/level", json!("3")),
        ("/seats/0", json!({ "name": "Ann" })),
        (
            "/result",
            json!({ "winner": "r", "reason": "resign", "by": 1 }),
        ),
        ("/turns", json!(-1)),
        ("/at", json!(0.5)),
    ] {
        let mut row = row.clone();
        *row.pointer_mut(field).unwrap() = bad;
        assert!(check(&row).is_err(), "{field}");
    }
    assert!(check_answer("get", "/api/v1/tables", 201, &rows(&row)).is_err());
    assert!(check_answer("get", "/api/v1/nowhere", 200, "{}").is_err());
}
