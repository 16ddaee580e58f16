//! The same bad questions through every way in: a line, the calls, the sockets. Each has the same code.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use convoy_protocol::{Description, answer_line};
use serde_json::{Value, json};

use crate::common::schema::resolve;
use crate::common::{Answer, Site, Socket, Visitor, pair};

fn line(text: &str) -> Value {
    let mut out = Vec::new();
    answer_line(text.as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

async fn post(visitor: &Visitor, path: &str, text: &str) -> Answer {
    let request = visitor
        .request(Method::POST, path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(text.to_owned()))
        .unwrap();
    visitor.send(request).await
}

/// The fields of a question about the legal moves, and the code that they must get.
fn bad_questions() -> Vec<(String, &'static str)> {
    let deep = format!("{}{}", "[".repeat(3000), "]".repeat(3000));
    vec![
        (r#""fenn":"x""#.to_owned(), "unknown-field"),
        (
            r#""steps":["Ic6"],"wingding":{}"#.to_owned(),
            "unknown-field",
        ),
        (r#""fen":42"#.to_owned(), "malformed"),
        (r#""steps":[["Ic6"]]"#.to_owned(), "malformed"),
        (r#""fen":null,"fen":null"#.to_owned(), "malformed"),
        (format!(r#""fen":{deep}"#), "malformed"),
        (r#""fen":"#.to_owned(), "malformed"),
        (r#""fen":"x""#.to_owned(), "bad-fen"),
        (r#""steps":["Ic9"]"#.to_owned(), "illegal-move"),
        (r#""steps":["%"]"#.to_owned(), "bad-notation"),
        (r#""victories":["sea"]"#.to_owned(), "malformed"),
    ]
}

#[tokio::test]
async fn a_bad_question_has_one_code_whoever_is_asked() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (fields, code) in bad_questions() {
        let whole = format!(r#"{{"id":7,"game":"cotulenh","op":"moves",{fields}}}"#);
        let by_line = line(&whole);
        let short = &fields[..fields.len().min(60)];
        assert_eq!(by_line["error"]["code"], code, "{short}");
        let query = post(&ann, "/api/v1/query", &whole).await;
        let direct = post(&ann, "/api/v1/cotulenh/moves", &format!("{{{fields}}}")).await;
        for answer in [&query, &direct] {
            assert!(answer.status.is_client_error(), "{short}");
            let error = &answer.json()["error"];
            for part in ["code", "reason", "at"] {
                assert_eq!(error[part], by_line["error"][part], "{short}: {part}");
            }
            // What is no JSON is told with its column, which depends on what stands before.
            let message = by_line["error"]["message"].as_str().unwrap();
            if !message.starts_with("not a request: ") {
                assert_eq!(error["message"], message, "{short}");
            }
        }
        assert_eq!(query.json()["id"], by_line["id"], "{short}");
    }
}

#[tokio::test]
async fn a_good_question_has_one_answer_whoever_is_asked() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (game, op, fields) in [
        ("cotulenh", "moves", r#""steps":["Ic6"]"#),
        ("cotulenh", "combinations", r#""pieces":"NFT""#),
        ("cotulenh", "draft", r#""at":"c5""#),
        (
            "tractor",
            "leads",
            r#""trump":{"rank":"2","suit":"H"},"hand":["AS","KS"]"#,
        ),
    ] {
        let whole = format!(r#"{{"id":"q","game":"{game}","op":"{op}",{fields}}}"#);
        let mut wanted = line(&whole);
        let query = post(&ann, "/api/v1/query", &whole).await;
        assert_eq!(
            (query.status, query.json()),
            (StatusCode::OK, wanted.clone())
        );
        let path = format!("/api/v1/{game}/{op}");
        let direct = post(&ann, &path, &format!("{{{fields}}}")).await;
        wanted.as_object_mut().unwrap().remove("id");
        assert_eq!(direct.json(), wanted, "{path}");
    }
}

#[tokio::test]
async fn what_is_too_long_or_unknown_has_one_code() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let long = format!(
        r#"{{"game":"cotulenh","op":"moves","fen":"{}"}}"#,
        "x".repeat(2 << 20)
    );
    assert_eq!(line(&long)["error"]["code"], "too-long");
    for path in ["/api/v1/query", "/api/v1/cotulenh/moves", "/api/v1/tables"] {
        let answer = post(&ann, path, &long).await;
        let got = (answer.status, answer.code());
        assert_eq!(
            got,
            (StatusCode::PAYLOAD_TOO_LARGE, "too-long".to_owned()),
            "{path}"
        );
    }
    let op = r#"{"game":"cotulenh","op":"mvoes"}"#;
    assert_eq!(line(op)["error"]["code"], "unknown-op");
    assert_eq!(post(&ann, "/api/v1/query", op).await.code(), "unknown-op");
    let direct = post(&ann, "/api/v1/cotulenh/mvoes", "{}").await;
    assert_eq!(
        (direct.status, direct.code()),
        (StatusCode::BAD_REQUEST, "unknown-op".to_owned())
    );
    assert!(direct.text.contains("did you mean"), "{}", direct.text);
    // A server answers other people too: what takes seconds it leaves to the command.
    let deep = r#"{"game":"cotulenh","op":"perft","depth":5}"#;
    assert_eq!(post(&ann, "/api/v1/query", deep).await.code(), "too-much");
}

#[tokio::test]
async fn frames_and_bodies_are_refused_like_lines() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut socket = red.join(&table).await;
    let deep = format!("{}{}", "[".repeat(3000), "]".repeat(3000));
    for (frame, code) in [
        (r#"{"t":"ping","sqe":1}"#.to_owned(), "unknown-field"),
        (r#"{"t":7}"#.to_owned(), "malformed"),
        (format!(r#"{{"t":"ping","d":{deep}}}"#), "malformed"),
    ] {
        socket.text(&frame).await;
        let refused = socket.until("refused").await;
        assert_eq!(
            refused["d"]["code"],
            code,
            "{}",
            &frame[..frame.len().min(60)]
        );
    }
    let mut analysis = red.socket("/ws/analysis").await;
    for (d, code) in [
        (json!({ "fenn": "x" }), "unknown-field"),
        (json!({ "fen": 7 }), "malformed"),
        (json!({ "fen": "x" }), "bad-fen"),
        (json!({ "moves": ["Ic9"] }), "illegal-move"),
    ] {
        analysis
            .send(&json!({ "t": "analyse", "id": "a", "d": d }))
            .await;
        assert_eq!(analysis.until("refused").await["d"]["code"], code, "{d}");
    }
    let mut lobby = red.socket("/ws/lobby").await;
    for (frame, code) in [
        (json!({ "t": "play" }), "unknown-action"),
        (json!({ "t": "ping", "z": 1 }), "unknown-field"),
    ] {
        lobby.send(&frame).await;
        assert_eq!(lobby.until("refused").await["d"]["code"], code, "{frame}");
    }
    let body = r#"{"file":"x","kpet":{}}"#;
    let answer = post(&red, "/api/v1/tractor/verify", body).await;
    assert_eq!(answer.code(), "unknown-field");
    assert!(answer.text.contains("kept"), "{}", answer.text);
}

/// The refusal of a frame at a table: an action gets the same as a call.
async fn refused_data(socket: &mut Socket, visitor: &Visitor, t: &str, d: &Value) -> Value {
    socket.act(t, d.clone()).await;
    let refused = socket.until("refused").await["d"].clone();
    if !matches!(t, "ask" | "sync") {
        let path = format!("/api/v1/tables/{}/act", socket.view["id"].as_str().unwrap());
        let frame = json!({ "t": t, "seq": socket.view["seq"], "d": d });
        let called = visitor.post(&path, &frame).await.json();
        for part in ["code", "message", "at"] {
            assert_eq!(called["error"][part], refused[part], "{frame}");
        }
    }
    refused
}

/// Frames of a board: the kind, what it holds, the code of the refusal and the field that it names.
const AT_BOARD: [(&str, &str, &str, &str); 9] = [
    ("move", r#"{"move":"Ic6","x":1}"#, "unknown-field", "x"),
    ("move", r#"{"mvoe":"Ic6"}"#, "unknown-field", "mvoe"),
    ("move", r#"{"steps":"Ic6"}"#, "malformed", "steps"),
    ("move", r#"{"steps":[7]}"#, "malformed", "steps[0]"),
    ("move", "[]", "malformed", ""),
    ("resign", r#"{"x":1}"#, "unknown-field", "x"),
    ("sync", r#"{"x":1}"#, "unknown-field", "x"),
    ("ask", r#"{"waht":"hint"}"#, "malformed", "what"),
    ("ask", r#"{"what":7}"#, "malformed", "what"),
];

/// Frames of a card table.
const AT_CARDS: [(&str, &str, &str, &str); 12] = [
    ("declare", r#"{"crads":["7H0"]}"#, "unknown-field", "crads"),
    ("play", r#"{"cards":"7H0"}"#, "malformed", "cards"),
    ("play", r#"{"cards":["7H0","1X"]}"#, "malformed", "cards[1]"),
    ("play", r#"{"cards":["7H0","7H0"]}"#, "cards", ""),
    ("throw", r#"{"parts":["7H0"]}"#, "malformed", "parts[0]"),
    ("throw", r#"{"parts":[[7]]}"#, "malformed", "parts[0][0]"),
    ("pass", r#"{"x":1}"#, "unknown-field", "x"),
    (
        "commit",
        r#"{"number":1,"attempt":1,"hsah":"x"}"#,
        "unknown-field",
        "hsah",
    ),
    ("ask", r#"{"what":"hint","x":1}"#, "unknown-field", "x"),
    (
        "ask",
        r#"{"what":"replay","round":"1"}"#,
        "malformed",
        "round",
    ),
    (
        "ask",
        r#"{"what":"replay","round":1,"seat":4}"#,
        "malformed",
        "seat",
    ),
    (
        "ask",
        r#"{"what":"proof","rond":1}"#,
        "unknown-field",
        "rond",
    ),
];

#[tokio::test]
async fn what_a_frame_holds_is_read_as_strictly_as_a_line() {
    let site = Site::start().await;
    let (red, _, board) = pair(&site, json!({})).await;
    let cards = red.open(json!({ "game": "tractor" })).await;
    for (table, frames) in [(board, &AT_BOARD[..]), (cards, &AT_CARDS[..])] {
        let mut socket = red.join(&table).await;
        for (t, d, code, field) in frames {
            let told = refused_data(&mut socket, &red, t, &serde_json::from_str(d).unwrap()).await;
            let at = told["at"]["field"].as_str().unwrap_or_default();
            assert_eq!(
                (told["code"].as_str(), at),
                (Some(*code), *field),
                "{t} {d}"
            );
        }
        assert_eq!(socket.turns(), 0, "nothing was played");
        assert_eq!(socket.view["phase"], "playing");
    }
}

fn properties(name: &str) -> (&'static Value, BTreeSet<&'static str>) {
    let mut schema = resolve(&format!("#/components/schemas/{name}"));
    while let Some(reference) = schema["$ref"].as_str() {
        schema = resolve(reference);
    }
    let properties = schema["properties"].as_object();
    let properties = properties.unwrap_or_else(|| panic!("{name}"));
    (schema, properties.keys().map(String::as_str).collect())
}

/// The description has a schema for every op, with the fields that the types have.
#[test]
fn the_description_has_the_fields_of_the_types() {
    let games: [&[Description]; 2] = [
        convoy_protocol::cotulenh::Request::OPS,
        convoy_protocol::tractor::Request::OPS,
    ];
    for op in games.concat() {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let name = capital(op.game) + &capital(op.name);
        let (request, mut fields) = properties(&format!("{name}Request"));
        let (_, answers) = properties(&format!("{name}Answer"));
        for beside in ["id", "game", "op"] {
            assert!(fields.remove(beside), "{name}: {beside}");
        }
        let told = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
        let types = (told((op.fields)()), told((op.answer)()));
        assert_eq!((fields, answers), types, "{name}");
        // What is required is missed, and nothing else.
        let bare = json!({ "game": op.game, "op": op.name }).to_string();
        let required = request["required"].as_array();
        let missed = line(&bare)["error"]["at"]["field"].clone();
        assert_eq!(missed.is_null(), required.is_none(), "{bare}");
        if let Some(required) = required {
            assert!(required.contains(&missed), "{bare}: {missed}");
        }
    }
}

/// Every example of the documentation is a question and an answer as they are described, through both calls.
#[tokio::test]
async fn documented_questions_and_answers_are_as_described() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let guides = [
        include_str!("../../../../docs/protocol.md"),
        include_str!("../../../../docs/protocol-tractor.md"),
    ];
    // What stands between fences; a long question has several lines.
    let blocks = guides
        .iter()
        .flat_map(|guide| guide.split("```").skip(1).step_by(2));
    let texts = blocks.map(|block| block.strip_prefix("json\n").unwrap_or(block));
    let values =
        texts.flat_map(|text| serde_json::Deserializer::from_str(text).into_iter::<Value>());
    let questions = values.filter_map(Result::ok);
    let mut asked = 0;
    for question in questions.filter(|value| value["op"].is_string() && value["game"].is_string()) {
        let text = question.to_string();
        // The visitor of the tests compares what is sent and answered with the description.
        let answer = ann.post("/api/v1/query", &question).await;
        let [game, op] = ["game", "op"].map(|field| question[field].as_str().unwrap());
        let direct = ann.post(&format!("/api/v1/{game}/{op}"), &question).await;
        assert_eq!(answer.status, direct.status, "{text}");
        asked += usize::from(answer.status.is_success());
    }
    assert!(asked >= 38, "{asked}");
}
