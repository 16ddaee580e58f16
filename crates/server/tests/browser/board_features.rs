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
