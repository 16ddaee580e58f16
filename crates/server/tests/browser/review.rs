//! Reviews of finished games: waited for, read, tried again; both games, at desktop and phone size.

use serde_json::{Value, json};

use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready};
use super::hand::Hand;
use super::offline::without_server;
use super::shots::keep;
use crate::common::{Site, pair};
use crate::table;

const FITS: &str = "document.documentElement.scrollWidth <= innerWidth";

/// A position in which red has a mate, and a turn that walks past it.
pub(crate) const MATE_IN_ONE: &str = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
pub(crate) const MISSED: &str = "Af8g8";

/// A finished game in which red walks past a mate.
pub(crate) async fn missed_mate(site: &Site) -> String {
    let (red, blue, id) = pair(site, json!({ "fen": MATE_IN_ONE })).await;
    red.join(&id).await.play(MISSED).await;
    let mut socket = blue.join(&id).await;
    socket.act("resign", Value::Null).await;
    socket.until_view(|view| view["phase"] == "over").await;
    id
}

/// The same turn is wrong again; the mate is right.
async fn try_again(page: &Page) {
    page.click(".try").await;
    ready(page).await;
    for (to, kind) in [("g8", "bad"), ("c11", "good")] {
        page.until("document.querySelector('convoy-board').draft && document.querySelector('.cells [data-square=f8]')").await;
        Hand::Mouse.square(page, "f8").await;
        page.until(&format!(
            "document.querySelector('.cells [data-square={to}].target')"
        ))
        .await;
        Hand::Mouse.square(page, to).await;
        page.until(&format!("document.querySelector('#verdict.{kind}')"))
            .await;
    }
}

/// Looks back on a game of the device in which red walks past a mate, and tells the review that is kept.
async fn review_on_device(page: &Page, site: &Site) -> Value {
    let game = json!([{
        "game": "cotulenh", "id": "5e1f", "start": MATE_IN_ONE, "turns": [MISSED], "you": 0, "level": 3,
        "outcome": { "winner": "r", "reason": "resign" }, "at": 1,
    }]);
    open(page, site, "/offline").await;
    let store = format!(
        "localStorage.setItem('convoy.games', {})",
        json!(game.to_string())
    );
    page.eval(&store).await;
    page.reload().await;
    page.start_over();
    page.click("[data-review='5e1f']").await;
    page.until("location.pathname === '/offline/review' && !document.querySelector('#reviewed').hidden && document.querySelectorAll('#graph .mark').length === 1")
        .await;
    page.until("document.querySelector('#marked').innerText.includes('Better: Ac11')")
        .await;
    let review = page
        .eval("localStorage.getItem('convoy.review.5e1f')")
        .await;
    serde_json::from_str(review.as_str().unwrap()).unwrap()
}

/// A game of the device is reviewed by the device, as the server would review it, and nobody is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_the_device_is_reviewed_there() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let id = missed_mate(&site).await;
    open(&page, &site, &format!("/game/{id}/review?lang=en")).await;
    page.until("!document.querySelector('#reviewed').hidden")
        .await;
    let ask = format!("fetch('/api/v1/tables/{id}/review?round=1').then((reply) => reply.json())");
    let served = page.eval(&ask).await;
    let own = review_on_device(&page, &site).await;
    try_again(&page).await;
    let (_, asked) = page.traffic();
    let asked: Vec<_> = asked.iter().filter(|url| url.contains("/api/")).collect();
    assert!(asked.is_empty(), "{asked:?}");
    for part in ["turns", "scores", "marked", "sides"] {
        assert_eq!(own[part], served["review"][part], "{part}");
    }
    keep(&page, "review-device-desktop").await;
    page.size(390, 844).await;
    page.until(FITS).await;
    keep(&page, "review-device-phone").await;
    clean(&page);

    // Without a server it is the same, and what was made is there again at once.
    let (page, site) = without_server().await;
    assert_eq!(review_on_device(&page, &site).await, own);
    try_again(&page).await;
    page.click("#to-game").await;
    page.until(
        "location.pathname === '/offline/game' && !document.querySelector('#to-review').hidden",
    )
    .await;
    page.click("#to-review").await;
    page.until(
        "location.pathname === '/offline/review' && !document.querySelector('#reviewed').hidden",
    )
    .await;
    // It goes with its game.
    open(&page, &site, "/offline").await;
    page.click("#stored-games .quiet").await;
    page.until("localStorage.getItem('convoy.review.5e1f') === null")
        .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_reviewed_and_its_mistake_tried_again() {
    let (site, browser) = (Site::start().await, Browser::start());
    let id = missed_mate(&site).await;
    let page = browser.person().await;
    // The way there is on the page of the game.
    open(&page, &site, &format!("/game/{id}?lang=en")).await;
    page.until("!document.querySelector('#to-review').hidden")
        .await;
    page.click("#to-review").await;
    page.until("location.pathname.endsWith('/review')").await;
    page.until("!document.querySelector('#reviewed').hidden && document.querySelectorAll('#marked li[class]').length === 1").await;
    page.until("document.querySelectorAll('#graph .mark').length === 1 && document.querySelector('#sides td[data-side=r]').innerText.includes('%')").await;
    page.until("document.querySelector('#marked').innerText.includes('Better: Ac11')")
        .await;
    keep(&page, "review-desktop").await;
    try_again(&page).await;
    page.size(390, 844).await;
    page.until(FITS).await;
    page.eval("document.querySelector('#graph').scrollIntoView()")
        .await;
    keep(&page, "review-phone").await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_of_cards_is_reviewed() {
    let (site, browser) = (Site::with(table::brisk()).await, Browser::start());
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let page = browser.person().await;
    page.size(390, 844).await;
    for lang in ["en", "vi", "zh"] {
        // The choice of a language is remembered.
        open(&page, &site, &format!("/?lang={lang}")).await;
        open(&page, &site, &format!("/game/{id}/review")).await;
        page.until("!document.querySelector('#reviewed').hidden && document.querySelectorAll('#sum dd').length === 4 && document.querySelectorAll('#sides tbody tr').length === 4").await;
        page.until(FITS).await;
        // No message is missing.
        page.until("!/(review|tr)-[a-z]/.test(document.querySelector('main').innerText)")
            .await;
        keep(&page, &format!("review-cards-{lang}")).await;
    }
    clean(&page);
}
