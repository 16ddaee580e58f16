//! A connection that dies without a word: bytes vanish, and no end tells of it.

use convoy_test_client::proxy::{Flow, Proxy};
use serde_json::Value;

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, ready, turns};
use super::hand::Hand;
use crate::common::Site;

/// Ann plays through the proxy, Bob directly.
async fn friends(site: &Site, proxy: &Proxy, ann: &Page, bob: &Page) {
    ann.goto(&format!("http://{}/?lang=en", proxy.address))
        .await;
    ann.click("#play [name=opponent][value=friend]").await;
    ann.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#minutes').value = '5', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{KINDS}'")).await;
    ann.click("#play .new-game > button").await;
    ann.until("location.pathname.startsWith('/game/')").await;
    let path = ann.eval("location.pathname").await;
    bob.goto(&format!(
        "http://{}{}?lang=en",
        site.address,
        path.as_str().unwrap()
    ))
    .await;
    bob.click("[data-act=sit]").await;
    ready(ann).await;
}

/// What the server has of the table.
async fn stored(site: &Site, page: &Page) -> Value {
    let path = page.eval("location.pathname").await;
    let id = path.as_str().and_then(|path| path.strip_prefix("/game/"));
    site.visitor().await.view(id.unwrap()).await
}

/// The moves that a page lists.
async fn listed(page: &Page) -> Value {
    page.eval("[...document.querySelectorAll('button.turn')].map((turn) => turn.innerText)")
        .await
}

/// The connection is stopped in the middle of a game with clocks, and Ann plays into the void: the
/// page notices by itself and says what the clock does, goes on when the connection is back, and the
/// move arrives once.
async fn heals(flow: Flow) {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = (browser.person().await, browser.person().await);
    let proxy = Proxy::to(site.address).await.unwrap();
    friends(&site, &proxy, &ann, &bob).await;
    let hand = Hand::Mouse;
    for (page, from, to) in [(&ann, "c3", "d3"), (&bob, "c12", "c11")] {
        ready(page).await;
        hand.square(page, from).await;
        hand.square(page, to).await;
    }
    turns(&ann, 2).await;
    ready(&ann).await;
    // What is legal is asked over the same way: it must be known before nothing gets through.
    hand.square(&ann, "d3").await;
    ann.until("document.querySelector('.cells [data-square=e3].target')")
        .await;

    proxy.set(flow);
    hand.square(&ann, "e3").await;
    ann.until("document.querySelector('#status .offline')")
        .await;
    let said = ann
        .eval("document.querySelector('#status').innerText")
        .await;
    let said = said.as_str().unwrap();
    for words in [
        "Reconnecting",
        "Your clock keeps running",
        "Up to 1 s of lag is credited",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(listed(&bob).await.as_array().unwrap().len(), 2);
    assert_eq!(proxy.swallowed() > 0, flow == Flow::Swallow);

    proxy.set(Flow::Open);
    ann.until("!document.querySelector('#status .offline')")
        .await;
    for page in [&ann, &bob] {
        turns(page, 3).await;
    }
    let view = stored(&site, &bob).await;
    let credit = view["clock"]["credit"][0].as_u64().unwrap();
    assert!((4000..5000).contains(&credit), "{}", view["clock"]);
    assert_eq!(
        view["clock"]["credit"][1], 5000,
        "Bob has no lag to speak of"
    );
    ready(&bob).await;
    hand.square(&bob, "c11").await;
    hand.square(&bob, "c10").await;
    turns(&ann, 4).await;
    four_moves_are_stored(&site, &ann, &bob).await;
    clean(&ann);
    clean(&bob);
}

/// Four moves in this order, at both pages and in the storage: none is lost, none doubled.
async fn four_moves_are_stored(site: &Site, ann: &Page, bob: &Page) {
    let view = stored(site, bob).await;
    let lans: Vec<&str> = view["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["lan"].as_str().unwrap())
        .collect();
    assert_eq!(lans, ["Ic3d3", "Ic12c11", "Id3e3", "Ic11c10"]);
    let moves = listed(ann).await;
    assert_eq!(moves.as_array().unwrap().len(), 4, "{moves}");
    assert_eq!(moves, listed(bob).await);
    // Opening, sitting down, four moves: no event was stored twice.
    assert_eq!(view["seq"], 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_stops_is_noticed_and_heals() {
    heals(Flow::Hold).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_swallows_bytes_is_noticed_and_heals() {
    heals(Flow::Swallow).await;
}

/// How long a page waits for an answer before it calls the connection dead is no matter of luck.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_connection_shows_within_five_seconds() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.goto(&format!("http://{}/", site.address)).await;
    let most = page
        .eval("import(document.querySelector('script[type=module]').src.replace('home.js', 'socket.js')).then((module) => module.NOTICED)")
        .await;
    assert!(most.as_f64().unwrap() < 5000.0, "{most}");
}

/// The lobby answers pings too: its list stays connected when nothing changes.
#[tokio::test]
async fn the_lobby_answers_pings() {
    let site = Site::start().await;
    let mut lobby = site.visitor().await.socket("/ws/lobby").await;
    lobby.text(r#"{"t":"ping","d":{}}"#).await;
    assert_eq!(lobby.until("pong").await["t"], "pong");
}
