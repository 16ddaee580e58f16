//! Bad input: each kind is refused with its status and its reason, and nothing breaks.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use convoy_server::{Config, Rate, Rates};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::common::{Site, config, connect, pair, some_turn};

#[tokio::test]
async fn illegal_out_of_turn_and_replayed_moves_are_refused_with_a_reason() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let (mut a, mut b) = (red.join(&table).await, blue.join(&table).await);
    assert_eq!(
        a.refused("move", json!({ "move": "Ic5c9" })).await,
        "illegal-move"
    );
    assert_eq!(
        a.refused("move", json!({ "move": "%%%" })).await,
        "bad-notation"
    );
    assert_eq!(a.refused("move", json!({})).await, "malformed");
    assert_eq!(a.refused("move", json!({ "move": 7 })).await, "malformed");
    assert_eq!(
        a.refused("move", json!({ "steps": [1] })).await,
        "malformed"
    );
    assert_eq!(
        a.refused("move", json!({ "steps": [] })).await,
        "illegal-move"
    );
    assert_eq!(
        b.refused("move", json!({ "move": "Ic5c6" })).await,
        "not-your-turn"
    );
    assert_eq!(a.refused("fly", Value::Null).await, "unknown-action");

    // The same frame once more is played once and not refused; under another name it is stale and
    // brings the view.
    let mut frame =
        json!({ "t": "move", "seq": a.view["seq"], "id": "x", "d": { "move": "Ic5c6" } });
    a.send(&frame).await;
    a.send(&frame).await;
    frame["id"] = json!("y");
    a.send(&frame).await;
    let refused = a.until("refused").await;
    assert_eq!(
        (&refused["d"]["code"], &refused["d"]["re"]),
        (&json!("stale"), &json!("y"))
    );
    let view = a.until("view").await;
    assert_eq!(view["d"]["turns"].as_array().unwrap().len(), 1);

    // Somebody with a seat elsewhere has none here, whatever the frame says.
    let other = site.visitor().await;
    let mut c = other.join(&table).await;
    assert_eq!(
        c.refused("move", json!({ "move": "Ic8c7", "seat": 1 }))
            .await,
        "not-seated"
    );
    assert_eq!(c.refused("resign", Value::Null).await, "not-seated");
    assert_eq!(c.refused("sit", json!({ "seat": 0 })).await, "seat-taken");
    assert_eq!(c.refused("sit", json!({ "seat": 99 })).await, "bad-choice");
    assert_eq!(c.refused("sit", json!({ "seat": -1 })).await, "malformed");
    assert_eq!(b.refused("sit", Value::Null).await, "already-seated");

    b.until_view(|view| view["turn"] == "b").await;
    b.act("resign", Value::Null).await;
    a.until_view(|view| view["phase"] == "over").await;
    assert_eq!(
        a.refused("move", json!({ "move": "Ic6c7" })).await,
        "game-over"
    );
}

#[tokio::test]
async fn nobody_moves_before_the_table_is_full() {
    let site = Site::start().await;
    let red = site.visitor().await;
    let table = red
        .open(json!({ "opponent": "friend", "color": "r" }))
        .await;
    let mut a = red.join(&table).await;
    assert_eq!(
        (&a.view["phase"], &a.view["can"]),
        (&json!("waiting"), &json!(["abort"]))
    );
    assert_eq!(
        a.refused("move", json!({ "move": "Ic5c6" })).await,
        "not-begun"
    );
    assert_eq!(red.sit(&table).await.code(), "already-seated");
    let blue = site.visitor().await;
    assert_eq!(blue.sit(&table).await.status, StatusCode::OK);
    a.until_view(|view| view["phase"] == "playing").await;
    a.play("Ic5c6").await;
}

#[tokio::test]
async fn malformed_frames_are_answered_and_the_socket_lives_on() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    let deep = format!(
        "{{\"t\":\"move\",\"seq\":1,\"d\":{}{}}}",
        "[".repeat(4000),
        "]".repeat(4000)
    );
    for bad in [
        "",
        "null",
        "{",
        "[]",
        "{\"t\":7}",
        "{\"t\":\"move\",\"seq\":\"x\"}",
        "\u{0}",
        &deep,
    ] {
        a.text(bad).await;
        let frame = a.until("refused").await;
        assert_eq!(frame["d"]["code"], "malformed", "{bad:.40}");
    }
    a.send(&json!({ "t": "move", "d": { "move": "Ic5c6" } }))
        .await;
    assert_eq!(a.until("refused").await["d"]["code"], "malformed");
    a.send(&json!({ "t": "ping", "d": 42 })).await;
    assert_eq!(a.until("pong").await["d"], 42);
    a.play("Ic5c6").await;
}

#[tokio::test]
async fn a_frame_too_large_or_not_text_ends_the_socket() {
    use futures_util::SinkExt as _;
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    a.text(&" ".repeat(17 * 1024)).await;
    while a.frame().await.is_some() {}
    let mut a = red.join(&table).await;
    let _ = a.stream.send(Message::binary(vec![0, 1, 2])).await;
    while a.frame().await.is_some() {}
}

#[tokio::test]
async fn a_flood_of_frames_ends_the_socket() {
    let frames = Rate {
        burst: 20.0,
        per_second: 5.0,
    };
    let site = Site::with(Config {
        rates: Rates {
            frames,
            ..config().rates
        },
        ..config()
    })
    .await;
    let (red, _, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    for _ in 0..40 {
        a.send(&json!({ "t": "ping" })).await;
    }
    let mut close = None;
    while let Some(Ok(message)) = a.stream.next().await {
        if let Message::Close(frame) = message {
            close = frame;
        }
    }
    assert_eq!(close.map(|frame| u16::from(frame.code)), Some(1008));
}

#[tokio::test]
async fn a_socket_from_another_site_is_refused() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let path = format!("/ws/table/{table}");
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        let answer = connect(site.address, &path, &red.cookie, Some(origin)).await;
        assert_eq!(answer.err(), Some(StatusCode::FORBIDDEN), "{origin}");
    }
    let own = format!("http://{}", site.address);
    assert!(
        connect(site.address, &path, &red.cookie, Some(&own))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_post_from_another_site_is_refused() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let request = ann
        .request(Method::POST, "/api/v1/tables")
        .header(CONTENT_TYPE, "application/json")
        .header(ORIGIN, "http://evil.example")
        .body(Body::from("{}"));
    let answer = ann.send(request.unwrap()).await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (StatusCode::FORBIDDEN, "foreign-origin")
    );
}

#[tokio::test]
async fn a_form_needs_the_token_of_its_session() {
    let site = Site::start().await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    for csrf in ["", "0", &bob.csrf] {
        let answer = ann
            .raw_form("/play", &format!("csrf={csrf}&game=cotulenh"))
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{csrf}");
        assert!(
            answer.headers[CONTENT_TYPE]
                .to_str()
                .unwrap()
                .starts_with("text/html")
        );
    }
    let answer = ann
        .form(
            "/play",
            "game=cotulenh&opponent=bot&level=2&color=r&minutes=5&increment=3&fen=",
        )
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert!(answer.location().starts_with("/game/"));
    assert_eq!(ann.get(answer.location()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn forged_cookies_are_worth_nothing() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    assert_eq!(red.view(&table).await["you"], 0);
    let (token, signature) = red.cookie.split_once('.').unwrap();
    let flipped = if token.ends_with('0') { "1" } else { "0" };
    let forged = [
        token.to_owned(),
        format!("{token}."),
        format!("{token}.{}", "0".repeat(64)),
        format!("{}{flipped}.{signature}", &token[..token.len() - 1]),
        format!("convoy=a{}.{signature}", &token["convoy=g".len()..]),
        "convoy=; convoy=.".to_owned(),
    ];
    for cookie in forged {
        let thief = crate::common::Visitor {
            cookie: cookie.clone(),
            ..red.clone()
        };
        let answer = thief.get(&format!("/api/v1/tables/{table}")).await;
        assert_eq!(answer.json()["you"], Value::Null, "{cookie}");
        assert!(
            answer.headers.contains_key("set-cookie"),
            "a new session begins"
        );
    }
}

#[tokio::test]
async fn bodies_too_large_of_the_wrong_type_or_malformed_are_refused() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let answer = ann
        .post("/api/v1/tables", &json!({ "fen": "x".repeat(100_000) }))
        .await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (StatusCode::PAYLOAD_TOO_LARGE, "too-long")
    );
    let answer = ann
        .form("/play", &format!("fen={}", "x".repeat(100_000)))
        .await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let answer = ann.raw_form("/api/v1/tables", "game=cotulenh").await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong-type")
    );
    let request = ann
        .request(Method::POST, "/api/v1/tables")
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from("{\"game\":"));
    let answer = ann.send(request.unwrap()).await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (StatusCode::BAD_REQUEST, "malformed")
    );
    for (new_table, code) in [
        (json!({ "game": "go" }), "no-such-game"),
        (json!({ "level": 99 }), "bad-choice"),
        (json!({ "level": "x" }), "malformed"),
        (json!({ "minutes": 1e9 }), "bad-choice"),
        (json!({ "fen": "rnbqkbnr/8" }), "bad-fen"),
    ] {
        let answer = ann.post("/api/v1/tables", &new_table).await;
        assert_eq!(answer.code(), code, "{new_table}");
        assert!(answer.status.is_client_error());
    }
}

#[tokio::test]
async fn unknown_tables_players_pages_and_methods() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for path in [
        "/game/0123456789ab",
        "/game/short",
        "/game/..%2f..%2fetc",
        "/nowhere",
        "/rules/chess",
        "/archive/nobody",
        "/game/0123456789ab.pgn",
        "/game/%00",
        "/game/%ff",
        "/.git/config",
    ] {
        let answer = ann.get(path).await;
        assert!(
            matches!(answer.status.as_u16(), 404 | 400),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text.contains("panicked"));
    }
    for path in [
        "/api/v1/tables/0123456789ab",
        "/api/v1/tables/x",
        "/api/v1/nothing",
    ] {
        let answer = ann.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!answer.code().is_empty());
    }
    // What no page of ours asks for is refused in the same form.
    let missing = ann.get("/assets/dev/js/nothing.js").await;
    assert_eq!(
        (missing.status, &*missing.code()),
        (StatusCode::NOT_FOUND, "no-such-page")
    );
    for path in ["/healthz", "/readyz", "/metrics", "/favicon.ico"] {
        let answer = ann.post(path, &json!({})).await;
        assert_eq!(
            (answer.status, &*answer.code()),
            (StatusCode::METHOD_NOT_ALLOWED, "wrong-method"),
            "{path}"
        );
    }
    let answer = ann.get("/api/v1/tables?state=odd").await;
    assert_eq!(answer.code(), "bad-choice");
    assert_eq!(
        ann.get("/play").await.status,
        StatusCode::METHOD_NOT_ALLOWED
    );
    let status = connect(site.address, "/ws/table/0123456789ab", &ann.cookie, None)
        .await
        .err();
    assert_eq!(status, Some(StatusCode::NOT_FOUND));
    let plain = ann.get("/ws/lobby").await;
    assert_eq!(
        (plain.status, &*plain.code()),
        (StatusCode::BAD_REQUEST, "malformed")
    );
}

#[tokio::test]
async fn paths_that_climb_reach_no_file() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for path in [
        "/assets/dev/../Cargo.toml",
        "/assets/dev/..%2f..%2fCargo.toml",
        "/assets/dev/%2e%2e/Cargo.toml",
        "/assets/../../etc/passwd",
        "/assets/dev//etc/passwd",
        "/assets/dev/i18n/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/dev/i18n\\..\\..\\Cargo.toml",
        "/assets/dev/messages/../../x.json",
    ] {
        let request = axum::http::Request::builder().uri(path).body(Body::empty());
        let Ok(request) = request else { continue };
        let answer = ann.send(request).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!answer.text.contains("[workspace"), "{path}");
    }
}

#[tokio::test]
async fn too_many_tables_or_passwords_are_refused() {
    let few = Rate {
        burst: 3.0,
        per_second: 0.001,
    };
    let rates = Rates {
        openings: few,
        logins: few,
        questions: few,
        ..config().rates
    };
    let site = Site::with(Config { rates, ..config() }).await;
    let ann = site.visitor().await;
    for _ in 0..3 {
        ann.open(json!({})).await;
    }
    assert_eq!(
        ann.post("/api/v1/tables", &json!({})).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    for wanted in [401, 401, 401, 429] {
        let answer = ann
            .form("/account/login", "name=Nobody&password=whatever")
            .await;
        assert_eq!(answer.status.as_u16(), wanted);
    }
}

#[tokio::test]
async fn an_address_that_asks_too_much_is_refused() {
    let requests = Rate {
        burst: 3.0,
        per_second: 0.001,
    };
    let rates = Rates {
        requests,
        ..config().rates
    };
    let site = Site::with(Config { rates, ..config() }).await;
    let ann = site.visitor().await;
    let ask = async |from: &str| {
        let request = ann
            .request(Method::GET, "/")
            .header("x-forwarded-for", from);
        ann.send(request.body(Body::empty()).unwrap())
            .await
            .status
            .as_u16()
    };
    for status in [200, 200, 200, 429] {
        assert_eq!(ask("10.0.0.1, 192.0.2.7").await, status);
    }
    assert_eq!(ask("192.0.2.8").await, 200);
}

#[tokio::test]
async fn a_seat_cannot_be_moved_for_over_http_either() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let act = format!("/api/v1/tables/{table}/act");
    let seq = red.view(&table).await["seq"].clone();
    let lan = some_turn(&cotulenh::Position::start(), &mut 1);
    let frame = json!({ "t": "move", "seq": seq, "d": { "move": lan } });
    assert_eq!(blue.post(&act, &frame).await.code(), "not-your-turn");
    assert_eq!(
        site.visitor().await.post(&act, &frame).await.code(),
        "not-seated"
    );
    assert_eq!(red.post(&act, &frame).await.status, StatusCode::OK);
    let again = red.post(&act, &frame).await;
    assert_eq!(
        (again.status, &*again.code()),
        (StatusCode::CONFLICT, "stale")
    );
}

#[tokio::test]
async fn an_action_that_is_repeated_by_its_name_is_done_once() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let act = format!("/api/v1/tables/{table}/act");
    let seq = red.view(&table).await["seq"].as_u64().unwrap();
    let lan = some_turn(&cotulenh::Position::start(), &mut 1);
    let frame = json!({ "t": "move", "seq": seq, "id": 7, "d": { "move": lan } });
    for _ in 0..3 {
        let answer = red.post(&act, &frame).await;
        assert_eq!(answer.json()["seq"], seq + 1, "{}", answer.text);
    }
    assert_eq!(red.view(&table).await["seq"], seq + 1);
    // The same name for something else is something else.
    let other = json!({ "t": "resign", "seq": seq + 1, "id": 7, "d": {} });
    assert_eq!(red.post(&act, &other).await.json()["seq"], seq + 2);
    assert_eq!(red.post(&act, &other).await.json()["seq"], seq + 2);
}
