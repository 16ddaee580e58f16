//! Floods by one client, and what is left for everybody else. The names of the tests are those of
//! the findings that they guard against; they assert counts and order, never milliseconds.

mod fair_share;
mod login;

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use convoy_server::{Config, Limits, Rate, Rates};
use serde_json::{Value, json};

use crate::common::{Answer, Site, Visitor, config, limits};

/// So many, and no more.
fn only(burst: f64) -> Rate {
    Rate {
        burst,
        per_second: 1e-6,
    }
}

async fn site(rates: Rates) -> Site {
    Site::with(Config { rates, ..config() }).await
}

/// Somebody who keeps no cookie: every request is a new session.
async fn stranger(site: &Site) -> Visitor {
    let mut visitor = site.visitor().await;
    visitor.cookie.clear();
    visitor
}

/// Where a request comes from: the peer of its connection, and what headers say.
#[derive(Debug, Clone, Copy)]
struct From<'a> {
    peer: &'a str,
    told: &'a [&'a str],
}

impl Visitor {
    async fn send_from(&self, from: From<'_>, path: &str, body: Option<&Value>) -> Answer {
        let method = if body.is_some() {
            Method::POST
        } else {
            Method::GET
        };
        let mut builder = self.request(method, path).header(ORIGIN, "http://test");
        for line in from.told {
            builder = builder.header("x-forwarded-for", *line);
        }
        let body = body.map(ToString::to_string).unwrap_or_default();
        let builder = builder.header(CONTENT_TYPE, "application/json");
        let mut request = builder.body(Body::from(body)).unwrap();
        let peer: SocketAddr = from.peer.parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        self.send(request).await
    }
}

const PROXY: &str = "127.0.0.1:4000";

#[tokio::test]
async fn m5_every_line_of_x_forwarded_for_counts_from_the_right() {
    let site = site(Rates {
        requests: only(3.0),
        ..config().rates
    })
    .await;
    let ann = stranger(&site).await;
    let ask = async |told: &[&str]| {
        let from = From { peer: PROXY, told };
        ann.send_from(from, "/", None).await.status.as_u16()
    };
    // Whatever the client writes itself, the proxy's own line is the last.
    for (chosen, status) in [
        ("1.1.1.1", 200),
        ("2.2.2.2", 200),
        ("3.3.3.3", 200),
        ("4.4.4.4", 429),
    ] {
        assert_eq!(ask(&[chosen, "192.0.2.7"]).await, status);
    }
    assert_eq!(ask(&["192.0.2.8"]).await, 200);
    // An IPv6 client is its /64.
    for (host, status) in [(":1", 200), (":2", 200), ("a:b:c:d", 200), ("ffff::9", 429)] {
        assert_eq!(ask(&[&format!("2001:db8:0:1:{host}")]).await, status);
    }
    assert_eq!(ask(&["2001:db8:0:2::1"]).await, 200);
}

#[tokio::test]
async fn m6_a_proxy_behind_a_mapped_listener_is_still_the_proxy() {
    let site = site(Rates {
        requests: only(1.0),
        ..config().rates
    })
    .await;
    let ann = stranger(&site).await;
    let ask = async |peer: &str, told: &[&str]| {
        let from = From { peer, told };
        ann.send_from(from, "/", None).await.status.as_u16()
    };
    let mapped = "[::ffff:127.0.0.1]:4000";
    assert_eq!(ask(mapped, &["192.0.2.1"]).await, 200);
    assert_eq!(ask(mapped, &["192.0.2.2"]).await, 200, "another client");
    assert_eq!(ask(mapped, &["192.0.2.1"]).await, 429);
    assert_eq!(
        ask("192.0.2.1:9", &[]).await,
        429,
        "the same client without the proxy"
    );
    // Somebody else's word is not taken.
    assert_eq!(ask("198.51.100.1:9", &["192.0.2.3"]).await, 200);
    assert_eq!(ask("198.51.100.1:9", &["192.0.2.4"]).await, 429);
}

#[tokio::test]
async fn limits_hold_without_cookies() {
    let few = only(2.0);
    let site = Site::with(Config {
        rates: Rates {
            openings_per_address: few,
            questions_per_address: few,
            savings_per_address: few,
            ..config().rates
        },
        ..config()
    })
    .await;
    let ann = stranger(&site).await;
    let from = |told| From { peer: PROXY, told };
    for (path, body, fine) in [
        ("/api/v1/tables", json!({}), 201),
        ("/api/v1/cotulenh/moves", json!({}), 200),
        ("/api/v1/analyses", json!({ "name": "a", "pgn": "*" }), 201),
    ] {
        for status in [fine, fine, 429] {
            let answer = ann.send_from(from(&["192.0.2.1"]), path, Some(&body)).await;
            assert_eq!(answer.status.as_u16(), status, "{path} {}", answer.text);
        }
        let other = ann.send_from(from(&["192.0.2.2"]), path, Some(&body)).await;
        assert_eq!(other.status.as_u16(), fine, "{path}");
    }
}

#[tokio::test]
async fn tables_that_are_not_over_count_for_their_address() {
    let site = Site::with(Config {
        limits: Limits {
            tables_per_address: 2,
            ..limits()
        },
        ..config()
    })
    .await;
    let ann = stranger(&site).await;
    let open = async |told: &[&str]| {
        let from = From { peer: PROXY, told };
        let new_table = json!({ "opponent": "friend" });
        ann.send_from(from, "/api/v1/tables", Some(&new_table))
            .await
    };
    for _ in 0..2 {
        assert_eq!(open(&["192.0.2.1"]).await.status, StatusCode::CREATED);
    }
    let refused = open(&["192.0.2.1"]).await;
    assert_eq!(refused.json()["error"]["why"]["code"], "tables");
    assert_eq!(open(&["192.0.2.2"]).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn metrics_are_not_public() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let ask = async |peer: &str, told: &[&str]| {
        let from = From { peer, told };
        ann.send_from(from, "/metrics", None).await.status.as_u16()
    };
    assert_eq!(ask(PROXY, &[]).await, 200);
    assert_eq!(ask("[::1]:9", &[]).await, 200);
    assert_eq!(ask(PROXY, &["192.0.2.1"]).await, 404);
    assert_eq!(ask("192.0.2.1:9", &[]).await, 404);
    // A proxy that is not configured must not open them to the world.
    assert_eq!(ask("[::1]:9", &["::1"]).await, 404);
}

#[tokio::test]
async fn readiness_is_told_so_often_to_an_address_and_asks_no_storage() {
    let site = site(Rates {
        requests: only(3.0),
        ..config().rates
    })
    .await;
    let ann = stranger(&site).await;
    let seen_by = |told: &'static [&'static str]| From { peer: PROXY, told };
    let ask = async |told, path| ann.send_from(seen_by(told), path, None).await;
    let before = ask(&[], "/metrics").await.text;
    for _ in 0..3 {
        assert_eq!(ask(&["192.0.2.7"], "/readyz").await.text, "ready\n");
    }
    let refused = ask(&["192.0.2.7"], "/readyz").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(&["192.0.2.8"], "/readyz").await.status, StatusCode::OK);
    // Nothing was stored or read for it.
    let after = ask(&[], "/metrics").await.text;
    let stored = |metrics: &str| {
        let count = |line: &&str| line.starts_with("convoy_store_seconds_count");
        let lines: Vec<_> = metrics.lines().filter(count).map(str::to_owned).collect();
        assert!(!lines.is_empty(), "{metrics}");
        lines
    };
    assert_eq!(stored(&before), stored(&after));
}
