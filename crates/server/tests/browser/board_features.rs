//! What makes the board pleasant: turns prepared ahead, hints, arrows, two people at one device.

use super::cdp::Browser;
use super::desk::{KINDS, clean, new_game, open, ready, turns};
use super::hand::Hand;
use super::offers::friends;
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_prepared_while_the_opponent_thinks() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = friends(&site, &browser).await;
    let hand = Hand::Mouse;
    hand.square(&ann, "c3").await;
    hand.square(&ann, "d3").await;
    turns(&ann, 1).await;
    ann.until("!document.querySelector('convoy-board').pending")
        .await;
    // The first click asks what is legal; the second one prepares.
    hand.square(&ann, "d3").await;
    ann.until("document.querySelector('.cells [data-square=e3].target')")
        .await;
    hand.square(&ann, "e3").await;
    ann.until("document.querySelector('#status').innerText.includes('Premove set')")
        .await;
    ready(&bob).await;
    hand.square(&bob, "c12").await;
    hand.square(&bob, "c11").await;
    for page in [&ann, &bob] {
        turns(page, 3).await;
        clean(page);
    }
    let last = "[...document.querySelectorAll('button.turn')].at(-1).innerText";
    let last = ann.eval(last).await;
    assert!(last.as_str().unwrap().ends_with("e3"), "{last}");
}

/// What is told about a stack comes and goes beside the board. The page grows and shrinks by it, and must not scroll the board
/// away from the pointer: an arrow that is being drawn would end on another square.
#[tokio::test(flavor = "multi_thread")]
async fn the_board_stays_under_the_pointer() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let address = format!("/analysis?lang=en&fen={}", KINDS.replace(' ', "%20"));
    open(&page, &site, &address).await;
    ready(&page).await;
    // The window is nearly as tall as the page, and the board no taller than its width allows: it moves with the page.
    page.size(1280, 1100).await;
    let height = page.eval("document.documentElement.scrollHeight").await;
    let height = u32::try_from(height.as_u64().unwrap()).unwrap();
    page.size(1280, height - 20).await;
    page.hover("[data-square=f3]").await;
    page.until("document.querySelector('.card').textContent.startsWith('f3')")
        .await;
    page.eval("scrollTo(0, document.documentElement.scrollHeight)")
        .await;
    page.until("scrollY > 20").await;
    let place = "document.querySelector('convoy-board .stage').getBoundingClientRect().top";
    let top = page.eval(place).await;
    page.hover("[data-square=e5]").await;
    page.until("!document.querySelector('.card').textContent")
        .await;
    assert_eq!(page.eval(place).await, top);
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_against_the_computer_and_the_arrow_of_the_last_move() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.prefer("light", true).await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    assert_eq!(
        page.eval("document.querySelectorAll('.trail-step').length")
            .await,
        0
    );
    page.click("#hint").await;
    page.until("document.querySelectorAll('.trail-step').length > 0")
        .await;
    Hand::Mouse.square(&page, "c3").await;
    Hand::Mouse.square(&page, "d3").await;
    turns(&page, 2).await;
    ready(&page).await;
    page.until("document.querySelectorAll('.trail-step').length === 1")
        .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_at_one_device() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/?lang=en").await;
    page.click("#two-players").await;
    page.until("location.pathname === '/analysis' && document.querySelector('.two')")
        .await;
    ready(&page).await;
    assert_eq!(
        page.eval("document.querySelector('.engine').checkVisibility()")
            .await,
        false
    );
    Hand::Mouse.square(&page, "c5").await;
    Hand::Mouse.square(&page, "c6").await;
    turns(&page, 1).await;
    page.until("document.querySelector('convoy-board').view.orientation === 'b'")
        .await;
    clean(&page);
}

/// A finger drags a piece, as a mouse does.
#[tokio::test(flavor = "multi_thread")]
async fn a_finger_drags_a_piece() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.size(390, 844).await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    page.touch_drag("[data-square=c3]", "[data-square=d3]")
        .await;
    turns(&page, 2).await;
    clean(&page);
}
