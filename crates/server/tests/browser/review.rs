//! Reviews of finished games: waited for, read, tried again; both games, at desktop and phone size.

use serde_json::json;

use super::cdp::Browser;
use super::desk::{clean, open, ready};
use super::hand::Hand;
use super::shots::keep;
use crate::common::{Site, pair};
use crate::table;

const FITS: &str = "document.documentElement.scrollWidth <= innerWidth";

/// A finished game in which red walks past a mate.
pub(crate) async fn missed_mate(site: &Site) -> String {
    let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
    let (red, blue, id) = pair(site, json!({ "fen": fen })).await;
    red.join(&id).await.play("Af8g8").await;
    let mut socket = blue.join(&id).await;
    socket.act("resign", serde_json::Value::Null).await;
    socket.until_view(|view| view["phase"] == "over").await;
    id
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
    page.until("document.querySelectorAll('#graph .mark').length === 1 && document.querySelector('#sides [data-side=r] td').innerText.includes('%')").await;
    page.until("document.querySelector('#marked').innerText.includes('Better: Ac11')")
        .await;
    keep(&page, "review-desktop").await;

    // The same turn is wrong again; the mate is right.
    page.click(".try").await;
    ready(&page).await;
    for (to, kind) in [("g8", "bad"), ("c11", "good")] {
        page.until("document.querySelector('convoy-board').draft && document.querySelector('.cells [data-square=f8]')").await;
        Hand::Mouse.square(&page, "f8").await;
        page.until(&format!(
            "document.querySelector('.cells [data-square={to}].target')"
        ))
        .await;
        Hand::Mouse.square(&page, to).await;
        page.until(&format!("document.querySelector('#verdict.{kind}')"))
            .await;
    }
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
