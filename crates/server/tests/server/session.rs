//! Sessions: listed, revoked, expiring, and whose seats and sockets are whose.

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::common::database::Storage;
use crate::common::{Site, Visitor, config, log_in, pair, register, until};

/// What closes a socket.
async fn close_code(socket: &mut crate::common::Socket) -> Option<u16> {
    loop {
        let next = tokio::time::timeout(crate::common::LONG, socket.stream.next()).await;
        match next.expect("the socket is closed in time") {
            Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return None,
        }
    }
}

/// H2: the cookie from before registration owned the account's seats for ever.
#[tokio::test]
async fn the_cookie_from_before_registration_owns_nothing() {
    let site = Site::start().await;
    let (mut red, _, table) = pair(&site, json!({})).await;
    let old = red.clone();
    let mut socket = old.join(&table).await;
    register(&mut red, "Ann").await;
    assert_eq!(close_code(&mut socket).await, Some(4401));
    let path = format!("/ws/table/{table}");
    let again = crate::common::connect(site.address, &path, &old.cookie, None).await;
    assert_eq!(again.err(), Some(StatusCode::UNAUTHORIZED));
    assert_eq!(red.view(&table).await["you"], 0);
    assert_eq!(red.view(&table).await["seats"][0]["name"], "Ann");
    let later = red
        .open(json!({ "opponent": "friend", "color": "r" }))
        .await;
    red.form("/account/logout", "").await;

    let mut elsewhere = site.visitor().await;
    log_in(&mut elsewhere, "Ann").await;
    assert_eq!(elsewhere.view(&table).await["you"], 0);
    for id in [&table, &later] {
        assert_eq!(old.view(id).await["you"], Value::Null);
        let seq = old.view(id).await["seq"].clone();
        let act = format!("/api/v1/tables/{id}/act");
        for t in ["resign", "abort"] {
            let frame = json!({ "t": t, "seq": seq, "d": {} });
            assert_eq!(old.post(&act, &frame).await.code(), "not-seated");
        }
    }
    let archive = old.get("/api/v1/archive").await;
    assert_eq!(archive.json()["tables"], json!([]));
    let next = archive
        .session_cookie()
        .expect("the old cookie is replaced");
    assert_ne!(next, old.cookie);
}

/// H2: a planted guest cookie became a session of the account.
#[tokio::test]
async fn a_planted_cookie_is_no_way_into_an_account() {
    let site = Site::start().await;
    let thief = site.visitor().await;
    let mut ann = thief.clone();
    register(&mut ann, "Ann").await;
    let table = ann.open(json!({ "opponent": "friend" })).await;
    assert_eq!(thief.get("/api/v1/me").await.json()["account"], false);
    assert_eq!(thief.view(&table).await["you"], Value::Null);

    // The same when somebody logs in under a planted cookie.
    let planted = site.visitor().await;
    let mut victim = planted.clone();
    log_in(&mut victim, "Ann").await;
    assert!(!victim.view(&table).await["you"].is_null());
    assert_eq!(planted.view(&table).await["you"], Value::Null);
    let answer = planted.get("/").await;
    assert!(
        answer.session_cookie().is_some(),
        "the planted cookie is dead"
    );
}

#[tokio::test]
async fn seats_follow_by_an_event_and_the_log_is_not_rewritten() {
    let storage = Storage::new("follow").await;
    let site = Site::over(storage.open().await, config()).await;
    let store = site.app.store();
    let (mut red, blue, table) = pair(&site, json!({})).await;
    let mut onlooker = blue.join(&table).await;
    let id = table.parse().unwrap();
    let before = store.events(&id).await.unwrap();
    let changed = red.get("/api/v1/archive").await.json()["tables"][0]["at"].clone();
    let guest = red.view(&table).await["seats"][0]["name"].clone();
    register(&mut red, "Ann").await;
    let after = store.events(&id).await.unwrap();
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after.len(), before.len() + 1);
    let event: Value = serde_json::from_str(&after[before.len()].event).unwrap();
    assert_eq!(
        (&event["e"], &event["seat"]),
        (&json!("transferred"), &json!(0))
    );
    assert_eq!(event["name"], "Ann");
    // Everybody is told, and lists keep their order.
    onlooker
        .until_view(|view| view["seats"][0]["name"] == "Ann")
        .await;
    assert_ne!(guest, "Ann");
    let archive = red.get("/api/v1/archive").await.json();
    assert_eq!(archive["tables"][0]["id"], table);
    assert_eq!(archive["tables"][0]["at"], changed);

    // What a guest plays before logging in follows too; nobody gets two seats at one table.
    let mut again = site.visitor().await;
    let second = again.open(json!({ "opponent": "friend" })).await;
    let own = red
        .open(json!({ "opponent": "friend", "color": "r" }))
        .await;
    assert_eq!(again.sit(&own).await.status, StatusCode::OK);
    log_in(&mut again, "Ann").await;
    assert!(!again.view(&second).await["you"].is_null());
    let view = again.view(&own).await;
    assert_eq!(
        (&view["you"], &view["seats"][0]["name"]),
        (&json!(0), &json!("Ann"))
    );
    assert!(
        view["seats"][1]["name"]
            .as_str()
            .unwrap()
            .starts_with("Guest-")
    );

    // The log is all that is needed.
    site.app.store().close().await.unwrap();
    let restarted = Site::over(storage.open().await, config()).await;
    let red = Visitor {
        site: restarted,
        ..red
    };
    assert_eq!(red.view(&table).await["you"], 0);
}

/// Log-out left sockets acting.
#[tokio::test]
async fn logging_out_and_revoking_close_the_sockets_of_that_session() {
    let site = Site::start().await;
    let (mut red, blue, table) = pair(&site, json!({})).await;
    register(&mut red, "Ann").await;
    let mut phone = site.visitor().await;
    log_in(&mut phone, "Ann").await;
    let (mut a, mut b) = (red.join(&table).await, phone.join(&table).await);
    let mut analysis = red.socket("/ws/analysis").await;
    let mut other = blue.join(&table).await;
    assert_eq!(
        red.form("/account/logout", "").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(close_code(&mut a).await, Some(4401));
    assert_eq!(close_code(&mut analysis).await, Some(4401));
    // The other session of the account goes on until it is revoked.
    b.play("Ic5c6").await;
    let mut home = site.visitor().await;
    log_in(&mut home, "Ann").await;
    let list = home.get("/api/v1/sessions").await.json();
    let id = list["sessions"][1]["id"].as_str().unwrap().to_owned();
    let revoked = home
        .post(&format!("/api/v1/sessions/{id}/revoke"), &json!({}))
        .await;
    assert_eq!(revoked.json(), json!({ "revoked": 1 }));
    assert_eq!(close_code(&mut b).await, Some(4401));
    // Nobody else notices.
    other.until_view(|view| view["turn"] == "b").await;
    other.play("Ic8c7").await;
}

#[tokio::test]
async fn sessions_are_listed_and_revoked() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    assert_eq!(ann.get("/api/v1/sessions").await.code(), "not-now");
    register(&mut ann, "Ann").await;
    let mut devices = Vec::new();
    for _ in 0..3 {
        let mut device = site.visitor().await;
        log_in(&mut device, "Ann").await;
        devices.push(device);
    }
    let sessions = async |who: &Visitor| -> Vec<Value> {
        let list = who.get("/api/v1/sessions").await.json();
        list["sessions"].as_array().unwrap().clone()
    };
    let list = sessions(&ann).await;
    assert_eq!(list.len(), 4);
    let current: Vec<bool> = list.iter().map(|s| s["current"] == true).collect();
    assert_eq!(current, [true, false, false, false], "one's own is first");
    assert_eq!(list[0]["device"], "Firefox · Linux");
    for session in &list {
        assert!(session["created"].as_i64() <= session["seen"].as_i64());
        assert!(!ann.cookie.contains(session["id"].as_str().unwrap()));
    }
    // On the page, without scripts.
    let id = list[1]["id"].as_str().unwrap();
    let page = ann.get("/account").await.text;
    assert!(page.contains(&format!("value=\"{id}\"")) && page.contains("Firefox · Linux"));
    let answer = ann
        .form("/account/sessions/revoke", &format!("id={id}"))
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/account")
    );
    assert_eq!(sessions(&ann).await.len(), 3);
    // Somebody else's session cannot be named.
    let mut bob = site.visitor().await;
    register(&mut bob, "Bob").await;
    let id = sessions(&ann).await[1]["id"].as_str().unwrap().to_owned();
    let refused = bob
        .post(&format!("/api/v1/sessions/{id}/revoke"), &json!({}))
        .await;
    assert_eq!(
        (refused.status, &*refused.code()),
        (StatusCode::NOT_FOUND, "no-such-session")
    );
    let others = ann.post("/api/v1/sessions/revoke-others", &json!({})).await;
    assert_eq!(others.json(), json!({ "revoked": 2 }));
    assert_eq!(sessions(&ann).await.len(), 1);
    for device in &devices {
        assert_eq!(device.get("/api/v1/me").await.json()["account"], false);
    }
    // One's own.
    let own = sessions(&ann).await[0]["id"].as_str().unwrap().to_owned();
    let answer = ann
        .post(&format!("/api/v1/sessions/{own}/revoke"), &json!({}))
        .await;
    assert!(answer.session_cookie().is_some());
    assert_eq!(ann.get("/api/v1/me").await.json()["account"], false);
}

#[tokio::test]
async fn a_session_expires_when_it_is_not_used() {
    let storage = Storage::new("expire").await;
    let site = Site::over(storage.open().await, config()).await;
    let store = site.app.store();
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    let account = store.account("Ann").await.unwrap().unwrap();
    let token = store.sessions(&account.player).await.unwrap()[0]
        .token
        .clone();
    let days = |days: i64| days * 24 * 60 * 60 * 1000;
    let now = store.sessions(&account.player).await.unwrap()[0].seen;
    assert!(ann.get("/").await.session_cookie().is_none());
    // Each use lets it live on, and the cookie with it.
    store.touch_session(&token, now - days(179)).await.unwrap();
    let answer = ann.get("/api/v1/me").await;
    assert_eq!(answer.json()["account"], true);
    assert_eq!(answer.session_cookie(), Some(ann.cookie.clone()));
    let row = store.session(&token).await.unwrap().unwrap();
    assert!(row.seen >= now);
    // Not used for half a year, it has ended, and is purged when a server starts.
    store.touch_session(&token, now - days(183)).await.unwrap();
    assert_eq!(ann.get("/api/v1/me").await.json()["account"], false);
    site.app.store().close().await.unwrap();
    let site = Site::over(storage.open().await, config()).await;
    let store = site.app.store();
    until("the session is purged", async || {
        store.session(&token).await.unwrap().is_none()
    })
    .await;
}
