//! Commit by everyone, then reveal: over real sockets, with people who are late, silent or gone.

use axum::http::StatusCode;
use convoy_server::{Config, Pace, Rate, Receipt};
use serde_json::{Value, json};

use super::hidden::crawl;
use super::table::{self, BITS, Four, brisk, commit_frame, may, reveal_frame};
use crate::common::database::Storage;
use crate::common::{Site, Socket, Visitor, paced};

async fn file(who: &Visitor, id: &str, round: u32) -> Value {
    who.get(&format!("/game/{id}.round?ply={round}"))
        .await
        .json()
}

fn texts(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Ann alone with three bots, at the shuffle of round 1.
async fn alone(site: &Site) -> (Visitor, String, Socket) {
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    socket.until_view(|view| may(view, "commit")).await;
    (ann, id, socket)
}

#[tokio::test]
async fn four_people_commit_then_reveal_and_each_can_verify() {
    let site = Site::with(brisk()).await;
    let mut four = Four::sit(&site, json!({})).await;
    four.until(|view| view["stage"] == "dealing").await;
    let shuffle = four.sockets[0].view["shuffle"].clone();
    assert_eq!(
        (&shuffle["format"], &shuffle["attempt"]),
        (&json!(2), &json!(1))
    );
    for socket in &four.sockets {
        assert_eq!(socket.view["shuffle"]["roster"], shuffle["roster"]);
        let seat = socket.view["you"].as_u64().unwrap() as usize;
        let own = &socket.view["shuffle"]["yours"];
        assert_eq!(*own, shuffle["seats"][seat]["hash"]);
        assert_eq!(shuffle["seats"][seat]["kind"], "person");
    }
    // While the round is played, no route and no socket tells what it was dealt from.
    let eve = site.visitor().await;
    let seen: Vec<String> = four.sockets.iter().map(|of| of.view.to_string()).collect();
    let early = crawl(&eve, &four.id).await + &seen.concat();
    table::play_round(&mut four.sockets).await;
    let file = file(&four.people[3], &four.id, 1).await;
    let dealt = &file["attempts"][0];
    for hidden in [&dealt["secret"], &dealt["salt"], &file["seed"]] {
        assert!(!early.contains(hidden.as_str().unwrap()));
    }
    assert!(!early.contains(BITS));
    assert!(
        early.contains(dealt["roster"].as_str().unwrap()),
        "it looks there"
    );
    for seat in 0..4 {
        let kept = Receipt {
            commitment: Some(texts(&shuffle["roster"])),
            mine: Some((seat, BITS.to_owned())),
            record: Some(texts(&four.sockets[0].view["rounds"][0]["record"])),
        };
        let verified = convoy_server::verify(&file.to_string(), &kept).unwrap();
        assert_eq!((verified.contributions, verified.voided), (4, 0));
    }
}

/// Ann and Bob with two bots, at the shuffle of round 1.
async fn two(site: &Site) -> (String, Socket, Socket) {
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let new_table = json!({ "game": "tractor", "opponent": "friend", "level": 1 });
    let id = ann.open(new_table).await;
    assert_eq!(bob.sit(&id).await.status, StatusCode::OK);
    let (mut a, mut b) = (ann.join(&id).await, bob.join(&id).await);
    a.act("fill", json!({})).await;
    for socket in [&mut a, &mut b] {
        socket.until_view(|view| may(view, "commit")).await;
    }
    (id, a, b)
}

/// Why an action is refused.
async fn why(socket: &mut Socket, t: &str, d: Value) -> String {
    socket.act(t, d).await;
    let frame = socket.until("refused").await;
    let why = frame["d"]["why"]["code"].as_str();
    why.or(frame["d"]["code"].as_str()).unwrap().to_owned()
}

fn with(frame: &Value, name: &str, value: Value) -> Value {
    let mut frame = frame.clone();
    frame[name] = value;
    frame
}

#[tokio::test]
async fn nobody_commits_twice_or_something_else() {
    let site = Site::with(brisk()).await;
    let (_, mut a, _b) = two(&site).await;
    let good = commit_frame(&a.view, BITS);
    let early = reveal_frame(&a.view, BITS);
    assert_eq!(why(&mut a, "reveal", early).await, "no-roster");
    for (name, value) in [("number", json!(2)), ("attempt", json!(2))] {
        let other = with(&good, name, value);
        assert_eq!(why(&mut a, "commit", other).await, "other-shuffle");
    }
    for bad in [
        json!(""),
        json!(7),
        json!("AB".repeat(32)),
        json!("0g".repeat(32)),
    ] {
        let bad = with(&good, "hash", bad);
        assert_eq!(why(&mut a, "commit", bad).await, "field");
    }
    a.act("commit", good.clone()).await;
    a.until_view(|view| !may(view, "commit")).await;
    assert_eq!(why(&mut a, "commit", good).await, "committed");
    assert_eq!(
        a.view["shuffle"]["seats"],
        Value::Null,
        "no hash is told yet"
    );
}

#[tokio::test]
async fn nobody_reveals_twice_late_or_something_else() {
    let site = Site::with(brisk()).await;
    let (id, mut a, mut b) = two(&site).await;
    for socket in [&mut a, &mut b] {
        socket.act("commit", commit_frame(&socket.view, BITS)).await;
    }
    for socket in [&mut a, &mut b] {
        socket.until_view(|view| may(view, "reveal")).await;
    }
    let good = reveal_frame(&a.view, BITS);
    let other = with(&good, "bits", json!("77".repeat(32)));
    assert_eq!(why(&mut a, "reveal", other).await, "other-bits");
    let short = with(&good, "bits", json!("77"));
    assert_eq!(why(&mut a, "reveal", short).await, "field");
    let later = with(&good, "attempt", json!(2));
    assert_eq!(why(&mut a, "reveal", later).await, "other-shuffle");
    a.act("reveal", good.clone()).await;
    a.until_view(|view| !may(view, "reveal")).await;
    assert_eq!(why(&mut a, "reveal", good.clone()).await, "revealed");
    // Somebody who looks on neither commits nor reveals, and is told no bits.
    let mut eve = site.visitor().await.join(&id).await;
    assert_eq!(eve.refused("reveal", good.clone()).await, "not-seated");
    assert!(!eve.view.to_string().contains(BITS));
    assert!(!b.view.to_string().contains(BITS));
    assert_eq!(eve.view["shuffle"]["yours"], Value::Null);
    b.act("reveal", reveal_frame(&b.view, BITS)).await;
    a.until_view(|view| view["stage"] == "dealing").await;
    assert_eq!(why(&mut a, "reveal", good).await, "not-shuffling");
}

/// Nobody waits for bots: one person alone decides when the cards are dealt.
#[tokio::test]
async fn one_person_with_bots_is_dealt_cards_at_once() {
    // Limits that would outlast the test: nothing may wait for them.
    let pace = Pace {
        commit: 600_000,
        reveal: 600_000,
        ..brisk().games.tractor.pace
    };
    let site = Site::with(paced(pace, brisk())).await;
    let (_, _, mut socket) = alone(&site).await;
    table::shuffle(std::slice::from_mut(&mut socket)).await;
    socket
        .until_view(|view| view["dealt"].as_u64() > Some(0))
        .await;
    let seats = &socket.view["shuffle"]["seats"];
    let kinds: Vec<&str> = (0..4)
        .map(|seat| seats[seat]["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["person", "bot", "bot", "bot"]);
}

/// A missing reveal voids the attempt, costs the seat its part, and is shown for good.
#[tokio::test]
async fn a_missing_reveal_voids_the_attempt_once() {
    let pace = Pace {
        reveal: 100,
        ..brisk().games.tractor.pace
    };
    let site = Site::with(paced(pace, brisk())).await;
    let (ann, id, mut socket) = alone(&site).await;
    table::commit(&mut socket).await;
    let mut eve = site.visitor().await.join(&id).await;
    // Ann does not reveal.
    socket
        .until_view(|view| !view["voids"].as_array().unwrap().is_empty())
        .await;
    // She is not waited for again, and the cards come.
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let void = json!([{ "round": 1, "attempt": 1, "seats": [0] }]);
    assert_eq!(socket.view["voids"], void);
    assert_eq!(socket.view["dropped"], json!([true, false, false, false]));
    eve.until_view(|view| view["stage"] == "over").await;
    assert_eq!(eve.view["voids"], void, "everybody is told");
    let first = file(&ann, &id, 1).await;
    let attempts = first["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0]["seats"][0]["kind"], "person");
    assert!(attempts[0]["seats"][0]["hash"].is_string());
    assert!(attempts[0]["seats"][0].get("bits").is_none());
    assert_eq!(attempts[1]["seats"][0]["kind"], "absent");
    let verified = convoy_server::verify(&first.to_string(), &Receipt::default()).unwrap();
    assert_eq!((verified.contributions, verified.voided), (0, 1));

    // In the next round she is absent from the start, and no second attempt is lost.
    socket.act("next", json!({})).await;
    socket
        .until_view(|view| view["number"] == 2 && view["stage"] == "dealing")
        .await;
    assert_eq!(socket.view["shuffle"]["attempt"], 1);
    assert_eq!(socket.view["shuffle"]["seats"][0]["kind"], "absent");
    assert_eq!(socket.view["voids"], void, "one for good");
}

/// What a page does when it is loaded again between commit and reveal; and the server likewise.
#[tokio::test]
async fn a_reload_and_a_restart_in_the_middle_lose_nothing() {
    let storage = Storage::new("middle").await;
    let config = brisk();
    let site = Site::over(storage.open().await, config.clone()).await;
    let (ann, bob) = (site.visitor().await, site.visitor().await);
    let new_table = json!({ "game": "tractor", "opponent": "friend", "level": 1 });
    let id = ann.open(new_table).await;
    assert_eq!(bob.sit(&id).await.status, StatusCode::OK);
    let (mut a, mut b) = (ann.join(&id).await, bob.join(&id).await);
    a.act("fill", json!({})).await;
    table::commit(&mut a).await;
    let server = a.view["shuffle"]["server"].clone();
    let own = a.view["shuffle"]["yours"].clone();
    drop(a);
    let mut a = ann.join(&id).await;
    assert_eq!(a.view["shuffle"]["yours"], own);
    assert!(!may(&a.view, "commit"));
    table::commit(&mut b).await;
    a.until_view(|view| may(view, "reveal")).await;
    drop((a, b));

    site.app.store().close().await.unwrap();
    let again = Site::over(storage.open().await, config).await;
    let [ann, bob] = [ann, bob].map(|visitor| Visitor {
        site: again.clone(),
        ..visitor
    });
    let mut sockets = [ann.join(&id).await, bob.join(&id).await];
    assert_eq!(sockets[0].view["shuffle"]["server"], server);
    table::play_round(&mut sockets).await;
    let file = file(&ann, &id, 1).await;
    let kept = Receipt {
        mine: Some((0, BITS.to_owned())),
        ..Receipt::default()
    };
    let verified = convoy_server::verify(&file.to_string(), &kept).unwrap();
    assert_eq!((verified.contributions, verified.voided), (2, 0));

    // The storage holds the draw, but nobody reads it there.
    let store = again.app.store();
    let events = store.events(&id.parse().unwrap()).await.unwrap();
    let stored: String = events.iter().map(|stored| &*stored.event).collect();
    assert!(stored.contains("\"k\":\"drawn\""));
    for field in ["secret", "salt"] {
        let secret = texts(&file["attempts"][0][field]);
        assert!(!stored.contains(&secret), "{field}");
    }
    assert!(!stored.contains(&texts(&file["seed"])), "seed");
    // With another key the table is refused as a whole.
    store.close().await.unwrap();
    let wrong = Site::over(storage.open().await, brisk()).await;
    let ann = Visitor { site: wrong, ..ann };
    let refused = ann.get(&format!("/api/v1/tables/{id}")).await;
    assert_eq!(refused.code(), "storage");
}

/// The call that the page makes says the same as the command.
#[tokio::test]
async fn the_call_verifies_as_strictly_as_the_command() {
    let site = Site::with(brisk()).await;
    let (ann, id, mut socket) = alone(&site).await;
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let good = file(&ann, &id, 1).await;
    let call = async |body: Value| ann.post("/api/v1/tractor/verify", &body).await;
    for file in [good.clone(), json!(good.to_string())] {
        let kept = json!({ "mine": [0, BITS] });
        let answer = call(json!({ "file": file, "kept": kept })).await.json();
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["verified"]["promise"], "commit-reveal");
        assert_eq!(answer["verified"]["table"], json!(id));
    }
    let record = texts(&good["record"]);
    let lines: Vec<&str> = record.lines().collect();
    let plays: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].starts_with("play"))
        .collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let (mut missing, mut twice, mut turned) = (lines.clone(), lines.clone(), lines.clone());
    missing.drain(plays[4]..plays[8]);
    twice[plays[4]] = lines[plays[0]];
    turned.swap(plays[0], plays[1]);
    for (path, value) in [
        (
            "/result/points",
            json!(good["result"]["points"].as_i64().unwrap() + 5),
        ),
        ("/record", json!(record.replace("levels 2 2", "levels 2 3"))),
        (
            "/record",
            json!(record.replace("rules default", "rules shengji")),
        ),
        ("/record", json!(joined(&missing))),
        ("/record", json!(joined(&twice))),
        ("/record", json!(joined(&turned))),
        ("/table", json!("zzzzzzzzzzzz")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value;
        assert_ne!(bad, good);
        let answer = call(json!({ "file": bad })).await.json();
        assert_eq!(answer["ok"], false, "{path}");
        let said = convoy_server::verify(&bad.to_string(), &Receipt::default()).unwrap_err();
        assert_eq!(answer["code"], said.code(), "{path}");
    }
    let other = json!({ "file": good, "kept": { "mine": [1, BITS] } });
    assert_eq!(call(other).await.json()["code"], "mine");
    assert_eq!(
        call(json!({ "file": "?" })).await.json()["code"],
        "unreadable"
    );
    assert_eq!(call(json!({})).await.code(), "malformed");
    let large = json!({ "file": "x".repeat(70_000) });
    assert_eq!(call(large).await.code(), "too-long");
}

#[tokio::test]
async fn the_call_is_limited() {
    let questions = Rate {
        burst: 2.0,
        per_second: 0.0,
    };
    let site = Site::with(Config {
        rates: convoy_server::Rates {
            questions,
            ..brisk().rates
        },
        ..brisk()
    })
    .await;
    let ann = site.visitor().await;
    let body = json!({ "file": "?" });
    for _ in 0..2 {
        let answer = ann.post("/api/v1/tractor/verify", &body).await;
        assert_eq!(answer.status, StatusCode::OK);
    }
    let answer = ann.post("/api/v1/tractor/verify", &body).await;
    assert_eq!(answer.code(), "too-fast");
}
