//! What makes the card table pleasant: keys, hints with reasons, throws that fail in plain words, and
//! matches that stay where they were.

use convoy_server::Pace;
use serde_json::json;

use super::cards::Person;
use super::cdp::{Browser, Page};
use super::deck::{self, KITTY};
use super::desk::{clean, open};
use super::hand::Hand;
use crate::common::{STILL, Site};
use crate::table::{self, brisk};

/// One person with three easy bots, who has declared, buried, and is to lead.
async fn to_lead(site: &Site, browser: &Browser, choose: &str) -> Person {
    let person = Person {
        page: browser.person().await,
        hand: Hand::Mouse,
    };
    let page = &person.page;
    page.prefer("light", true).await;
    open(page, site, "/?lang=en").await;
    page.eval("document.querySelector('#tractor-level').value = '1'")
        .await;
    page.eval(choose).await;
    page.click("#play-tractor").await;
    page.until("document.querySelector('[data-offer=\"2H0 2H1\"]') && document.querySelectorAll('#hand .card').length === 25")
        .await;
    person.press("[data-offer='2H0 2H1']").await;
    page.until("document.querySelectorAll('#hand .card').length === 33")
        .await;
    person.choose(&KITTY).await;
    person.send().await;
    page.until("document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 25")
        .await;
    person
}

async fn site() -> Site {
    deck::site_for_one(Pace { deal: 0, ..STILL }).await
}

const READY: &str = "document.querySelector('#act').ariaDisabled === 'false'";

async fn held(page: &Page) -> i64 {
    let count = page
        .eval("document.querySelectorAll('#hand .card').length")
        .await;
    count.as_i64().unwrap()
}

/// Shift and Caps Lock change nothing about the keys, and a hint says why and what it expects.
#[tokio::test(flavor = "multi_thread")]
async fn keys_act_in_capitals_and_a_hint_has_its_reason() {
    let (site, browser) = (site().await, Browser::start());
    let person = to_lead(&site, &browser, "0").await;
    let page = &person.page;
    page.press("H").await;
    page.until("document.querySelector('#why').innerText.includes('Suggested')")
        .await;
    let words = page.eval("document.querySelector('#why').innerText").await;
    let words = words.as_str().unwrap();
    for part in ["The best lead.", "Expected: ", "points for the attackers."] {
        assert!(words.contains(part), "{words}");
    }
    page.until(READY).await;
    page.press("Escape").await;
    page.until("!document.querySelector('#hand [aria-pressed=true]')")
        .await;
    person.choose(&["AD0", "AD1"]).await;
    page.until(READY).await;
    let before = held(page).await;
    page.press("P").await;
    page.until(&format!(
        "document.querySelectorAll('#hand .card').length === {}",
        before - 2
    ))
    .await;
    clean(page);
}

/// With a clock the time that is left is told in numbers, and runs down.
#[tokio::test(flavor = "multi_thread")]
async fn the_time_left_is_told_in_numbers() {
    let (site, browser) = (site().await, Browser::start());
    let clock = "document.querySelector('#tractor-seconds').value = '120'";
    let person = to_lead(&site, &browser, clock).await;
    let page = &person.page;
    let told =
        "/^[12]:[0-5][0-9]$/.test(document.querySelector('#timer:not([hidden])')?.textContent)";
    page.until(told).await;
    let now = page
        .eval("document.querySelector('#timer').textContent")
        .await;
    page.until(&format!(
        "{told} && document.querySelector('#timer').textContent !== {now}"
    ))
    .await;
    clean(page);
}

/// A throw that can be beaten: what was thrown, who stops it, what is led instead, and what it costs.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_throw_is_told_in_full() {
    let (site, browser) = (site().await, Browser::start());
    let rules = "document.querySelector('.tractor-home details').open = true, document.querySelector('#sw-throw_mode').value = 'challenge', document.querySelector('#sw-throw_penalty').value = '10', 0";
    let person = to_lead(&site, &browser, rules).await;
    let page = &person.page;
    person.choose(&["AS0", "QS0"]).await;
    page.until(READY).await;
    page.click("#act").await;
    let told = "[...document.querySelectorAll('.toast, .trick-words')].map((e) => e.innerText).find((words) => words.includes('threw'))";
    page.until(told).await;
    let words = page.eval(told).await;
    let words = words.as_str().unwrap();
    for part in [
        "(you) threw A♠ Q♠, but Bot",
        "can beat part of it: Q♠ is led instead.",
        "Penalty: 10 points.",
    ] {
        assert!(words.contains(part), "{words}");
    }
    // The ace is back in the hand.
    page.until("document.querySelector('#hand [data-card=AS0]') && !document.querySelector('#hand [data-card=QS0]')")
        .await;
    clean(page);
}

/// After "Play again" the finished match is where it was, with its replay and a link to the new one.
#[tokio::test(flavor = "multi_thread")]
async fn a_finished_match_stays_reachable_after_a_rematch() {
    let (site, browser) = (Site::with(brisk()).await, Browser::start());
    let ann = site.visitor().await;
    let asked = json!({ "game": "tractor", "opponent": "bot", "level": 1, "start_level": "A" });
    let id = ann.open(asked).await;
    let mut socket = ann.join(&id).await;
    loop {
        table::play_round(std::slice::from_mut(&mut socket)).await;
        if !socket.view["winner"].is_null() {
            break;
        }
        // Whoever takes over at the last level has to hold it in the next round.
        let next = socket.view["number"].as_u64().unwrap() + 1;
        assert!(next < 60, "a match does not end");
        socket.act("next", json!({})).await;
        socket.until_view(|view| view["number"] == next).await;
    }
    let page = browser.person().await;
    let (name, value) = ann.cookie.split_once('=').unwrap();
    let cookie =
        json!({ "name": name, "value": value, "url": format!("http://{}/", site.address) });
    page.call("Network.setCookie", cookie).await;
    open(&page, &site, &format!("/game/{id}?lang=en")).await;
    page.click("#rematch").await;
    let left =
        format!("location.pathname.startsWith('/game/') && location.pathname !== '/game/{id}'");
    page.until(&left).await;
    let next = page.eval("location.pathname").await;
    // Back by its address, as from a list, and by the browser's own button.
    open(&page, &site, &format!("/game/{id}")).await;
    page.until("document.querySelector('#next-game')").await;
    assert_eq!(
        page.eval("document.querySelector('#next-game').pathname")
            .await,
        next
    );
    page.click("#replay-round").await;
    page.until("document.querySelector('#replay-words')?.innerText.length")
        .await;
    assert_eq!(page.eval("location.pathname").await, format!("/game/{id}"));
    clean(&page);
}
