//! Floods by one client, and what is left for everybody else. The names of the tests are those of
//! the findings that they guard against; they assert counts and order, never milliseconds.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use convoy_server::{Config, Limits, Pace, Rate, Rates, Thinking};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::common::{Answer, LONG, Site, Socket, Visitor, config, limits};

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

/// A site with one thread to think, and an address of our own choosing for every visitor.
async fn one_thread(presence: Duration, queue: usize) -> Site {
    Site::with(Config {
        thinking: Thinking {
            threads: 1,
            queue,
            presence,
            ..config().thinking
        },
        limits: Limits {
            sockets_per_session: 100,
            analyses_per_session: 100,
            analyses_per_address: 100,
            ..limits()
        },
        ..config()
    })
    .await
}

const PRESENCE: Duration = Duration::from_secs(90);

/// Opens a table against a bot that is to move first, from an address.
async fn open_from(who: &Visitor, address: &str, level: u8) -> String {
    let from = From {
        peer: PROXY,
        told: &[address],
    };
    let new_table = json!({ "opponent": "bot", "level": level, "color": "b" });
    let answer = who
        .send_from(from, "/api/v1/tables", Some(&new_table))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn socket_from(who: &Visitor, address: &str, path: &str) -> Socket {
    who.socket_with(path, &[("x-forwarded-for", address)]).await
}

/// Waits until the bot has moved.
async fn bot_moves(socket: &mut Socket) {
    socket
        .until_view(|view| {
            view["turns"]
                .as_array()
                .is_some_and(|turns| !turns.is_empty())
        })
        .await;
}

#[tokio::test]
async fn h1_a_flood_of_strong_bots_leaves_a_weak_one_its_turn() {
    let site = one_thread(PRESENCE, 256).await;
    let (flood, ann) = (site.visitor().await, site.visitor().await);
    let mut tables = Vec::new();
    for _ in 0..40 {
        tables.push(open_from(&flood, "192.0.2.1", 10).await);
    }
    let mut held = Vec::new();
    for table in &tables {
        held.push(socket_from(&flood, "192.0.2.1", &format!("/ws/table/{table}")).await);
    }
    let table = open_from(&ann, "192.0.2.2", 1).await;
    let mut socket = socket_from(&ann, "192.0.2.2", &format!("/ws/table/{table}")).await;
    bot_moves(&mut socket).await;
    let mut moved = 0;
    for table in &tables {
        let turns = flood.view(table).await["turns"].as_array().unwrap().len();
        moved += usize::from(turns > 0);
    }
    assert!(moved < tables.len() / 2, "{moved} of the flood came first");
}

#[tokio::test]
async fn h1_bots_think_for_people_who_are_there() {
    let site = one_thread(Duration::ZERO, 256).await;
    let ann = site.visitor().await;
    // Nobody is at the first table when the bot at the second one moves.
    let first = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let second = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let mut socket = ann.join(&second).await;
    bot_moves(&mut socket).await;
    assert_eq!(ann.view(&first).await["turns"], json!([]));
    // Whoever comes finds the bot at work.
    let mut socket = ann.join(&first).await;
    bot_moves(&mut socket).await;
}

#[tokio::test]
async fn h1_a_bot_answers_people_who_play_by_calls_alone() {
    let site = one_thread(PRESENCE, 256).await;
    let ann = site.visitor().await;
    let table = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "b" }))
        .await;
    let moved = async {
        while ann.view(&table).await["turns"] == json!([]) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(LONG, moved)
        .await
        .expect("the bot moves without a socket");
}

#[tokio::test]
async fn h1_no_move_is_lost_when_the_queue_is_full() {
    let site = one_thread(PRESENCE, 1).await;
    let ann = site.visitor().await;
    let mut sockets = Vec::new();
    for _ in 0..12 {
        let table = ann
            .open(json!({ "opponent": "bot", "level": 5, "color": "b" }))
            .await;
        sockets.push(ann.join(&table).await);
    }
    for socket in &mut sockets {
        bot_moves(socket).await;
    }
}

#[tokio::test]
async fn h1_hints_are_counted_by_address() {
    let rates = Rates {
        hints_per_address: only(1.0),
        ..config().rates
    };
    let pace = Pace {
        commit: 50,
        window: 50,
        ..Pace::BRISK
    };
    let site = Site::with(Config {
        rates,
        pace,
        ..config()
    })
    .await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let mut refused = 0;
    for who in [&ann, &bob] {
        let table = who.open(json!({ "game": "tractor", "level": 1 })).await;
        let path = format!("/ws/table/{table}");
        let mut socket = socket_from(who, "192.0.2.1", &path).await;
        // Before the cards are out there is nothing to advise on; a hint that is asked for then is
        // not counted.
        socket.until_view(|view| view["turn"] == 0).await;
        socket
            .send(&json!({ "t": "ask", "id": 1, "d": { "what": "hint" } }))
            .await;
        loop {
            let frame = socket.next().await;
            match frame["t"].as_str() {
                Some("answer") => break,
                Some("refused") => {
                    assert_eq!(frame["d"]["code"], "too-fast");
                    refused += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    assert_eq!(refused, 1);
}

#[tokio::test]
async fn m1_a_flood_of_analyses_leaves_another_its_turn() {
    let site = one_thread(PRESENCE, 256).await;
    let (flood, ann) = (site.visitor().await, site.visitor().await);
    let ask = json!({ "t": "analyse", "id": "x", "d": { "ms": 120_000 } });
    let mut held = Vec::new();
    for _ in 0..30 {
        let mut socket = socket_from(&flood, "192.0.2.1", "/ws/analysis").await;
        socket.send(&ask).await;
        held.push(socket);
    }
    held[0].until("line").await;
    // The flood would take an hour; its end is not waited for.
    let mut socket = socket_from(&ann, "192.0.2.2", "/ws/analysis").await;
    socket.send(&ask).await;
    let line = socket.until("line").await;
    assert!(line["d"]["depth"].as_u64() >= Some(1));
}

#[tokio::test]
async fn m2_tables_without_people_do_not_push_others_out_of_the_lobby() {
    let site = Site::start().await;
    let (ann, flood) = (site.visitor().await, stranger(&site).await);
    let new_table = json!({ "opponent": "open" });
    let attended = ann.open(new_table.clone()).await;
    let _socket = ann.join(&attended).await;
    for _ in 0..410 {
        flood.open(new_table.clone()).await;
    }
    let listed = ann.get("/api/v1/tables?state=open").await.json();
    let ids: Vec<&Value> = listed["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["id"])
        .collect();
    assert_eq!(ids, [&json!(attended)]);
}

#[tokio::test]
async fn m2_people_of_one_address_cannot_fill_the_lobby() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let new_table = json!({ "opponent": "open" });
    let attended = ann.open(new_table.clone()).await;
    let mut held = vec![ann.join(&attended).await];
    for _ in 0..20 {
        let crowd = site.visitor().await;
        for _ in 0..3 {
            let table = crowd.open(new_table.clone()).await;
            let path = format!("/ws/table/{table}");
            held.push(socket_from(&crowd, "192.0.2.1", &path).await);
        }
    }
    let most = Limits::default().listed_per_address;
    timeout(LONG, async {
        loop {
            let listed = ann.get("/api/v1/tables?state=open").await.json();
            let tables = listed["tables"].as_array().unwrap();
            assert!(tables.len() <= most + 1);
            if tables.len() == most + 1 {
                break assert!(tables.iter().any(|row| row["id"] == *attended));
            }
            // The last sockets are being joined.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
}

async fn log_in_from(who: &Visitor, address: &str, fields: &str) -> Answer {
    let request = who
        .request(Method::POST, "/account/login")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(ORIGIN, "http://test")
        .header("x-forwarded-for", address)
        .body(Body::from(format!("csrf={}&{fields}", who.csrf)));
    who.send(request.unwrap()).await
}

const OWNER: &str = "name=Owner&password=correct-horse";

/// A site with an account, and somebody else.
async fn with_account(rates: Rates) -> (Site, Visitor, Answer) {
    let site = site(rates).await;
    let owner = site.visitor().await;
    let answer = owner.form("/account/register", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let other = site.visitor().await;
    (site, other, answer)
}

#[tokio::test]
async fn m4_guesses_lock_nobody_out_and_names_are_not_sprayed() {
    let rates = Rates {
        logins: only(3.0),
        logins_per_address: only(8.0),
        ..config().rates
    };
    let (site, attacker, registered) = with_account(rates).await;
    // One name from one address.
    for status in [401, 401, 401, 429, 429] {
        let answer = log_in_from(&attacker, "192.0.2.1", "name=Owner&password=guess").await;
        assert_eq!(answer.status.as_u16(), status);
    }
    // Many names from one address: the rest of eight.
    let mut tried = 0;
    for name in 0..20 {
        let fields = format!("name=Nobody{name}&password=guess");
        let answer = log_in_from(&attacker, "192.0.2.1", &fields).await;
        tried += usize::from(answer.status == StatusCode::UNAUTHORIZED);
    }
    assert!(tried <= 5, "{tried}");
    // The owner elsewhere does not notice.
    let owner = site.visitor().await;
    let answer = log_in_from(&owner, "192.0.2.2", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    // Nor does the owner next to the attacker, on a device that logged in before.
    let cookies = registered.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let device = cookies.map(|cookie| cookie.split(';').next().unwrap());
    let device = device.filter(|cookie| cookie.starts_with("convoy_device="));
    let device = device.collect::<Vec<_>>().join("; ");
    let known = async || {
        let mut known = site.visitor().await;
        known.cookie = format!("{}; {device}", known.cookie);
        known
    };
    let answer = log_in_from(&known().await, "192.0.2.1", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    // The device helps with that account alone.
    let fields = "name=Nobody0&password=guess";
    let answer = log_in_from(&known().await, "192.0.2.1", fields).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    // A forged one does not help at all.
    let mut forged = site.visitor().await;
    forged.cookie = format!("{}; convoy_device=00-{}", forged.cookie, "0".repeat(64));
    let answer = log_in_from(&forged, "192.0.2.1", OWNER).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn m4_accounts_are_not_registered_by_the_hundred() {
    let site = site(Rates {
        registrations_per_address: only(2.0),
        ..config().rates
    })
    .await;
    for (name, status) in [("Ann", 303), ("Bob", 303), ("Cat", 429)] {
        let who = site.visitor().await;
        let request = who
            .request(Method::POST, "/account/register")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, "http://test")
            .header("x-forwarded-for", "192.0.2.1")
            .body(Body::from(format!(
                "csrf={}&name={name}&password=12345678",
                who.csrf
            )));
        let answer = who.send(request.unwrap()).await;
        assert_eq!(answer.status.as_u16(), status, "{name}");
    }
}

/// The memory of this process that lies in the machine's, in megabytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: u64 = line
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    kilobytes / 1024
}

/// The memory is that of the hashing threads, however many passwords are tried at once. Each takes
/// 19 MiB, so a hundred that kept theirs would be seen.
#[tokio::test(flavor = "multi_thread")]
async fn m3_wrong_passwords_take_bounded_memory() {
    let free = Rate {
        burst: 1e6,
        per_second: 1e6,
    };
    let rates = Rates {
        logins: free,
        logins_per_address: free,
        ..config().rates
    };
    let (_site, attacker, _) = with_account(rates).await;
    let before = resident();
    let mut answers = Vec::new();
    for number in 0..120 {
        let who = attacker.clone();
        answers.push(tokio::spawn(async move {
            let address = format!("192.0.2.{}", number % 200);
            log_in_from(&who, &address, "name=Owner&password=guess")
                .await
                .status
                .as_u16()
        }));
    }
    let mut wrong = 0;
    for answer in answers {
        match answer.await.unwrap() {
            401 => wrong += 1,
            // The queue was full.
            status => assert_eq!(status, 503),
        }
    }
    assert!(wrong > 0);
    let grown = resident().saturating_sub(before);
    assert!(grown < 300, "{grown} MB more after {wrong} guesses");
}
