//! Pages, accounts, languages and what every answer carries.

use axum::body::Body;
use axum::http::Method;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, SET_COOKIE};
use serde_json::json;

use crate::common::{Site, pair};

#[tokio::test]
async fn every_page_answers_and_keeps_to_itself() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann.open(json!({ "opponent": "friend" })).await;
    let game = format!("/game/{table}");
    for path in [
        "/",
        &game,
        "/analysis",
        "/analysis?fen=x&moves=a,b",
        "/editor",
        "/rules/cotulenh",
        "/rules/tractor",
        "/account",
        "/archive",
    ] {
        let answer = ann.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        // WebAssembly is compiled, no text is evaluated.
        let policy = policy.replace("'wasm-unsafe-eval'", "");
        assert!(!policy.contains("unsafe"));
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "same-origin");
        assert!(answer.text.contains("<!doctype html>"), "{path}");
        let inline = answer.text.split("<script").skip(1).filter(|script| {
            let (tag, _) = script.split_once('>').unwrap();
            !tag.contains("src=") && !tag.contains("application/json")
        });
        assert_eq!(inline.count(), 0, "{path} holds an inline script");
        assert!(
            !answer.text.contains(" style=\""),
            "{path} holds an inline style"
        );
        assert!(!answer.text.contains("//cdn"), "{path} asks another host");
    }
}

#[tokio::test]
async fn boards_for_other_sites_alone_may_be_framed() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann.open(json!({ "opponent": "bot" })).await;
    let cards = ann
        .open(json!({ "game": "tractor", "opponent": "bot" }))
        .await;
    let framing = |answer: &crate::common::Answer| {
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
        let everybody = policy.ends_with("; frame-ancestors *");
        assert_ne!(everybody, policy.ends_with("; frame-ancestors 'none'"));
        assert_ne!(everybody, answer.headers.contains_key("x-frame-options"));
        // Sites that are isolated themselves ask for this.
        let resource = "cross-origin-resource-policy";
        assert_eq!(everybody, answer.headers.contains_key(resource));
        everybody
    };
    let fen = "6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5%20r%20-%20-%200%201";
    for (path, status) in [
        ("/embed/position".to_owned(), StatusCode::OK),
        (format!("/embed/position?fen={fen}&side=b"), StatusCode::OK),
        (format!("/embed/game/{table}"), StatusCode::OK),
        (
            "/embed/position?fen=x".to_owned(),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            "/embed/position?side=x".to_owned(),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("/embed/game/x".to_owned(), StatusCode::NOT_FOUND),
        (format!("/embed/game/{cards}"), StatusCode::NOT_FOUND),
    ] {
        let answer = ann.get(&path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(framing(&answer), "{path}");
        assert!(!answer.text.contains("csrf"), "{path}");
        let told = answer.text.contains("id=\"fault\"");
        assert_eq!(told, status != StatusCode::OK, "{path}");
    }
    for path in ["/", "/analysis", "/embed", "/embed/nothing", "/api/v1/me"] {
        assert!(!framing(&ann.get(path).await), "{path}");
    }
}

#[tokio::test]
async fn the_first_visit_makes_a_session_that_scripts_cannot_read() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let stranger = crate::common::Visitor {
        cookie: String::new(),
        ..ann.clone()
    };
    let cookie = stranger.get("/").await.headers[SET_COOKIE]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let request = stranger
        .request(Method::GET, "/")
        .header("x-forwarded-proto", "https");
    let cookie = stranger
        .send(request.body(Body::empty()).unwrap())
        .await
        .headers[SET_COOKIE]
        .clone();
    assert!(cookie.to_str().unwrap().ends_with("; Secure"));
    assert!(!ann.get("/").await.headers.contains_key(SET_COOKIE));
    let me = ann.get("/api/v1/me").await.json();
    assert!(me["player"].as_str().unwrap().starts_with("Guest-"));
}

#[tokio::test]
async fn a_language_is_chosen_by_browser_cookie_or_link() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let request = ann
        .request(Method::GET, "/")
        .header(ACCEPT_LANGUAGE, "zh-CN")
        .body(Body::empty());
    assert!(
        ann.send(request.unwrap())
            .await
            .text
            .contains("lang=\"zh\"")
    );
    let link = ann.get("/account?lang=vi").await;
    assert!(link.text.contains("lang=\"vi\""));
    assert!(
        link.headers[SET_COOKIE]
            .to_str()
            .unwrap()
            .starts_with("lang=vi")
    );
    let form = ann.form("/language", "lang=zh&back=/analysis").await;
    assert_eq!(
        (form.status, form.location()),
        (StatusCode::SEE_OTHER, "/analysis")
    );
    assert!(
        form.headers[SET_COOKIE]
            .to_str()
            .unwrap()
            .starts_with("lang=zh")
    );
    let form = ann.form("/language", "lang=zh&back=//evil.example").await;
    assert_eq!(form.location(), "/");
    assert!(
        ann.form("/language", "lang=xx")
            .await
            .status
            .is_client_error()
    );
}

#[tokio::test]
async fn an_account_keeps_the_games_of_the_guest() {
    let site = Site::start().await;
    let (mut red, _, table) = pair(&site, json!({})).await;
    let answer = red
        .form("/account/register", "name=Ann_1&password=correct+horse")
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let old = red.cookie.clone();
    red.take_cookie(answer.headers[SET_COOKIE].to_str().unwrap());
    assert_ne!(
        red.cookie, old,
        "a session of an account has a token of its own"
    );
    red.reload().await;
    assert_eq!(
        red.get("/api/v1/me").await.json(),
        json!({ "player": "Ann_1", "account": true })
    );
    assert_eq!(red.view(&table).await["you"], 0, "the seat stays one's own");

    let mut elsewhere = site.visitor().await;
    for (fields, status) in [
        ("name=ann_1&password=wrong-horse", 401),
        ("name=nobody_at_all&password=wrong-horse", 401),
        ("name=ANN_1&password=correct+horse", 303),
    ] {
        let answer = elsewhere.form("/account/login", fields).await;
        assert_eq!(answer.status.as_u16(), status, "{fields}");
        if status == 303 {
            elsewhere.take_cookie(answer.headers[SET_COOKIE].to_str().unwrap());
        }
    }
    elsewhere.reload().await;
    let games = elsewhere.get("/api/v1/archive").await.json();
    assert_eq!(games["tables"][0]["id"], table);
    assert_eq!(elsewhere.view(&table).await["you"], 0);
    assert!(elsewhere.get("/archive/Ann_1").await.text.contains(&table));

    let answer = elsewhere.form("/account/logout", "").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let me = elsewhere.get("/api/v1/me").await;
    assert_eq!(
        me.json()["account"],
        false,
        "the old cookie is worth nothing now"
    );

    let third = site.visitor().await;
    let taken = third
        .form("/account/register", "name=aNN_1&password=correct+horse")
        .await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    for bad in [
        "name=x&password=correct+horse",
        "name=Guest-ABCD&password=correct+horse",
        "name=Bobby&password=short",
    ] {
        let answer = third.form("/account/register", bad).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }
}

#[tokio::test]
async fn assets_are_typed_and_compressed() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let css = ann.get("/assets/dev/css/base.css").await;
    assert_eq!(css.headers[CONTENT_TYPE], "text/css; charset=utf-8");
    let request = ann
        .request(Method::GET, "/")
        .header(ACCEPT_ENCODING, "gzip")
        .body(Body::empty());
    let response = tower::ServiceExt::oneshot(site.app.router(), request.unwrap())
        .await
        .unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
}

#[tokio::test]
async fn the_lobby_shows_open_tables_while_somebody_waits_there() {
    let site = Site::start().await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let mut lobby = bob.socket("/ws/lobby").await;
    assert_eq!(lobby.next().await["d"]["open"], json!([]));
    let table = ann
        .open(json!({ "opponent": "open", "minutes": 3, "increment": 2 }))
        .await;
    let hidden = ann.open(json!({ "opponent": "friend" })).await;
    let socket = ann.join(&table).await;
    let _hidden = ann.join(&hidden).await;
    let frame = lobby.until("lobby").await;
    assert_eq!(frame["d"]["open"][0]["id"], table);
    assert_eq!(frame["d"]["open"][0]["clock"], "3+2");
    assert_eq!(frame["d"]["open"].as_array().unwrap().len(), 1);
    assert!(bob.get("/").await.text.contains(&table));
    let seat = bob.join(&table).await;
    assert_eq!(
        bob.form(&format!("/game/{table}/sit"), "").await.location(),
        format!("/game/{table}")
    );
    let frame = lobby.until("lobby").await;
    assert_eq!(
        (&frame["d"]["open"], &frame["d"]["live"][0]["id"]),
        (&json!([]), &json!(table))
    );
    drop((socket, seat));
    loop {
        let frame = lobby.until("lobby").await;
        if frame["d"]["live"] == json!([]) {
            break;
        }
    }
}

#[tokio::test]
async fn the_server_tells_how_it_is() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    assert_eq!(ann.get("/healthz").await.text, "ok\n");
    assert_eq!(ann.get("/readyz").await.text, "ready\n");
    let (red, _, table) = pair(&site, json!({})).await;
    let _socket = red.join(&table).await;
    let metrics = ann.get("/metrics").await.text;
    assert!(metrics.contains("convoy_sockets 1\n"), "{metrics}");
    assert!(metrics.contains("# TYPE convoy_store_seconds histogram"));
    assert!(metrics.contains("convoy_storage_up 1\n"), "{metrics}");
    assert!(metrics.contains("convoy_appends_waiting 0\n"), "{metrics}");
    #[cfg(target_os = "linux")]
    for name in ["process_resident_memory_bytes ", "process_open_fds "] {
        let value = metrics.lines().find_map(|line| line.strip_prefix(name));
        let value: u64 = value.unwrap().parse().unwrap();
        assert!(value > 1, "{name}{value}");
    }
    // Every number has its help.
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let endings = ["_bucket", "_sum", "_count"];
        let base = endings.iter().find_map(|end| name.strip_suffix(end));
        let has_help = |name: &str| metrics.contains(&format!("# HELP {name} "));
        assert!(has_help(name) || base.is_some_and(has_help), "{line}");
    }
    // Refusals are told by their codes.
    let act = json!({ "t": "takeback", "seq": 0, "d": {} });
    red.post(&format!("/api/v1/tables/{table}/act"), &act).await;
    ann.get("/api/v1/tables/nowhere").await;
    let metrics = ann.get("/metrics").await.text;
    for line in [
        "convoy_refusals_total{code=\"stale\"} 1",
        "convoy_http_refusals_total{code=\"stale\"} 1",
        "convoy_http_refusals_total{code=\"no-such-table\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{metrics}");
    }
    for secret in [&red.cookie, &red.csrf, &table] {
        assert!(!metrics.contains(&**secret));
    }
}

/// An operator sees what waits and for how long, whoever it is for.
#[tokio::test]
async fn the_work_of_the_threads_is_counted_by_class() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let moves = ann.post("/api/v1/cotulenh/moves", &json!({})).await;
    assert_eq!(moves.status, StatusCode::OK);
    let metrics = ann.get("/metrics").await.text;
    let count = |name: &str, class: &str| -> u64 {
        let line = format!("convoy_{name}{{class=\"{class}\"}} ");
        let count = metrics.lines().find_map(|found| found.strip_prefix(&line));
        count.unwrap_or_else(|| panic!("{line}")).parse().unwrap()
    };
    for class in ["short", "move", "analysis", "hint", "review", "question"] {
        assert_eq!(count("jobs_waiting", class), 0, "{class}");
        assert_eq!(count("jobs_refused_total", class), 0, "{class}");
        let waited = count("job_wait_seconds_count", class);
        assert_eq!(waited > 0, class == "question", "{class}: {waited}");
        // The time that it ran is noted after the answer is out.
        assert!(count("job_seconds_count", class) <= waited, "{class}");
    }
}

#[tokio::test]
async fn the_rules_show_all_stacks_as_a_tree() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let tree = "/api/v1/cotulenh/stacks.svg";
    let rules = ann.get("/rules/cotulenh").await.text;
    assert!(rules.contains(&format!("<img src=\"{tree}\"")));
    let svg = ann.get(tree).await.text;
    assert_eq!(svg.matches("<rect").count(), 34);
}

#[tokio::test]
async fn an_analysis_streams_lines_and_is_cancelled() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let mut socket = ann.socket("/ws/analysis").await;
    socket
        .send(&json!({ "t": "analyse", "id": "a1", "d": { "lines": 2, "ms": 15000, "depth": 1 } }))
        .await;
    let line = socket.until("line").await;
    assert_eq!(
        (
            &line["d"]["re"],
            line["d"]["lines"].as_array().unwrap().len()
        ),
        (&json!("a1"), 2)
    );
    socket.until("done").await;
    socket
        .send(&json!({ "t": "analyse", "id": "a2", "d": { "fen": "x" } }))
        .await;
    assert_eq!(socket.until("refused").await["d"]["code"], "bad-fen");
    socket
        .send(&json!({ "t": "analyse", "id": "a3", "d": { "moves": ["Ic5c9"] } }))
        .await;
    assert_eq!(socket.until("refused").await["d"]["code"], "illegal-move");
    socket
        .send(&json!({ "t": "analyse", "id": "a4", "d": { "ms": 60000 } }))
        .await;
    socket.send(&json!({ "t": "stop" })).await;
    socket
        .send(&json!({ "t": "analyse", "id": "a5", "d": { "ms": 15000, "depth": 1 } }))
        .await;
    let done = socket.until("done").await;
    assert_eq!(done["d"]["re"], "a5", "what was stopped says nothing more");
}
