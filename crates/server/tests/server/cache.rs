//! Who may keep an answer: what is personal is kept by nobody, and what everybody may keep carries
//! nobody's cookie.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use serde_json::json;

use crate::common::{Answer, Site, Visitor, pair, register, routes};

const PERSONAL: &str = "private, no-store";

/// What everybody may keep.
fn is_public(path: &str) -> bool {
    path.starts_with("/assets/")
        || matches!(path.rsplit('.').next(), Some("svg" | "png"))
        || ["/favicon.ico", "/openapi.json", "/service-worker.js"].contains(&path)
}

/// No answer's kind is guessed, and whatever a browser may show as a document has a policy: pictures and errors too.
fn judge_protection(what: &str, answer: &Answer) {
    assert_eq!(answer.headers[X_CONTENT_TYPE_OPTIONS], "nosniff", "{what}");
    let kind = answer.headers.get(CONTENT_TYPE);
    let kind = kind.map_or("", |kind| kind.to_str().unwrap());
    let is_part = kind.starts_with("text/javascript") || kind.starts_with("text/css");
    let policy = answer.headers.get(CONTENT_SECURITY_POLICY);
    let policy = policy.map_or("", |policy| policy.to_str().unwrap());
    let is_strict = policy.starts_with("default-src 'none'");
    assert!(is_part || is_strict, "{what} ({kind}): {policy:?}");
}

fn judge(what: &str, path: &str, answer: &Answer) {
    judge_protection(what, answer);
    let caches: Vec<_> = answer.headers.get_all(CACHE_CONTROL).iter().collect();
    assert_eq!(caches.len(), 1, "{what}");
    let cache = caches[0].to_str().unwrap();
    if answer.headers.contains_key(SET_COOKIE) {
        assert_eq!(cache, PERSONAL, "{what} sets a cookie");
    }
    if is_public(path) && answer.status.is_success() {
        assert!(
            cache.starts_with("public") || cache == "no-cache",
            "{what}: {cache}"
        );
    } else if !path.starts_with("/assets/") {
        assert_eq!(cache, PERSONAL, "{what}: {}", answer.status);
    }
}

/// M7: `board.svg` was public together with a fresh session cookie, and views of one's own hand had
/// no `Cache-Control`.
#[tokio::test]
async fn no_route_lets_others_keep_what_is_personal() {
    let site = Site::start().await;
    let (mut ann, _, table) = pair(&site, json!({})).await;
    let cards = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    register(&mut ann, "Ann").await;
    let guest = site.visitor().await;
    let stranger = Visitor {
        cookie: String::new(),
        ..guest.clone()
    };
    let all = routes();
    assert!(all.len() > 35, "{all:?}");
    let (mut cookies, mut public) = (0, 0);
    for (route, methods) in all {
        assert!(!methods.is_empty(), "{route}");
        let filled = |id: &str| {
            route
                .replace("{fingerprint}/{*path}", "dev/css/base.css")
                .replace("{id}", id)
                .replace("{game}", "tractor")
                .replace("{player}", "Ann")
                .replace("{op}", "moves")
                .replace("{puzzle}", "daily")
        };
        let mut paths = vec![filled(&table), filled(&cards), filled("0123456789ab")];
        if route == "/game/{id}" {
            let endings = ["json", "svg", "png", "pgn", "round", "nothing"];
            paths.extend(endings.map(|ending| filled(&format!("{table}.{ending}"))));
            paths.push(filled(&format!("{cards}.json")));
        }
        paths.dedup();
        for path in paths {
            // One's own session last: some of the calls end it.
            for (name, who) in [
                ("stranger", &stranger),
                ("guest", &guest),
                ("account", &ann),
            ] {
                for method in &methods {
                    for query in ["", "?lang=vi", "?page=x&ply=x&seq=x&state=x&fen=x"] {
                        let full = format!("{path}{query}");
                        let what = format!("{name}: {method} {full}");
                        let answer = match *method {
                            "get" => who.get(&full).await,
                            _ => who.post(&full, &json!({})).await,
                        };
                        judge(&what, &path, &answer);
                        cookies += usize::from(answer.headers.contains_key(SET_COOKIE));
                        let cache = answer.headers[CACHE_CONTROL].to_str().unwrap();
                        public += usize::from(cache.starts_with("public"));
                        if *method == "post" {
                            let answer = who.form(&full, "").await;
                            judge(&what, &path, &answer);
                        }
                    }
                }
            }
        }
    }
    assert!(cookies > 50 && public > 20, "{cookies} {public}");
}

#[tokio::test]
async fn pictures_of_boards_may_be_kept_and_set_no_cookie() {
    let site = Site::start().await;
    let (red, _, table) = pair(&site, json!({})).await;
    let stranger = Visitor {
        cookie: String::new(),
        ..red
    };
    for path in [
        "/api/v1/cotulenh/board.svg?lang=vi".to_owned(),
        "/api/v1/cotulenh/stacks.svg".to_owned(),
        format!("/game/{table}.svg"),
        format!("/game/{table}.png?lang=zh"),
    ] {
        let answer = stranger.get(&path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        let cache = answer.headers[CACHE_CONTROL].to_str().unwrap();
        assert!(cache.starts_with("public, max-age="), "{path}: {cache}");
        assert!(!answer.headers.contains_key(SET_COOKIE), "{path}");
    }
    // What goes wrong is not kept.
    let wrong = stranger.get("/api/v1/cotulenh/board.svg?fen=x").await;
    assert_eq!(wrong.headers[CACHE_CONTROL], PERSONAL);
}
