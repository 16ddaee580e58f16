//! The calls for scripts and programs, and the document that describes them.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::Site;

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
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let table = ann.open(json!({})).await;
    let draft = json!({ "name": "Mine", "pgn": "*" });
    let saved = ann.post("/api/v1/analyses", &draft).await.json();
    let mut described = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let real = path
            .replace("{id}", &table)
            .replace("{op}", "moves")
            .replace("{game}/{chapter}/{step}", "cotulenh/board/sea")
            .replace("{game}", "cotulenh")
            .replace("{puzzle}", "daily")
            .replace("{analysis}", saved["id"].as_str().unwrap())
            .replace("{player}", "nobody");
        for method in methods
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| *key != "parameters")
        {
            described.push(format!("{method} {path}"));
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
            let known = methods[method]["responses"].as_object().unwrap();
            assert!(
                known.contains_key(answer.status.as_str()) || known.contains_key("default"),
                "{method} {path}: {}",
                answer.status
            );
        }
    }
    // The routes of the application, as its source lists them.
    let source = crate::common::ROUTES.concat();
    for line in source
        .lines()
        .filter(|line| line.contains(".route(\"/api/"))
    {
        let path = line.split('"').nth(1).unwrap();
        for method in ["get", "post"] {
            if line.contains(&format!("{method}(api")) || line.contains(&format!(".{method}(api")) {
                assert!(
                    described.contains(&format!("{method} {path}")),
                    "{method} {path} is not described"
                );
            }
        }
    }
}
