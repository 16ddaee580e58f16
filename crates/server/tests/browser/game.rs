//! Whole games against a bot, by mouse, by finger and by keys.

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, new_game, ready, status, turns};
use super::hand::{self, Hand};
use super::launch::Fonts;
use crate::common::Site;

/// Red mates by bringing the second artillery to h12.
const MATE_IN_ONE: &str = "10c/10a/11/7A3/11/11/11/11/11/11/10H/9HC r - - 0 1";

/// A combination, a deploy of three steps, a stay capture, a kamikaze, and the end.
async fn play_all_kinds(page: &Page, hand: Hand) {
    hand.square(page, "c3").await;
    page.until("document.querySelector('[data-mark=join]')")
        .await;
    hand.square(page, "c4").await;
    turns(page, 2).await;
    ready(page).await;

    hand.square(page, "f3").await;
    page.until("document.querySelectorAll('.part').length === 3")
        .await;
    hand.part(page, "t").await;
    hand.part(page, "i").await;
    page.until("document.querySelector('.cells [data-square=f7].target')")
        .await;
    hand.square(page, "f7").await;
    page.until(
        "document.querySelector('[data-arrow=\"1\"]') && !document.querySelector('.bar').hidden",
    )
    .await;
    page.until("document.querySelector('.cells [data-square=f5].target')")
        .await;
    hand.square(page, "f5").await;
    page.until("document.querySelector('[data-arrow=\"2\"]') && document.querySelector('.cells [data-square=e3].target')").await;
    hand.square(page, "e3").await;
    turns(page, 4).await;
    ready(page).await;
    let san = page
        .eval("document.querySelectorAll('button.turn')[2].innerText")
        .await;
    assert_eq!(san, "F>f7,T>f5,I>e3");

    hand.square(page, "f7").await;
    page.until("document.querySelector('[data-mark=both]')")
        .await;
    hand.square(page, "h7").await;
    hand.strike(page).await;
    turns(page, 6).await;
    ready(page).await;
    let san = page
        .eval("document.querySelectorAll('button.turn')[4].innerText")
        .await;
    assert_eq!(san, "F_h7");

    hand.square(page, "f7").await;
    page.until("document.querySelector('[data-mark=kamikaze]')")
        .await;
    hand.square(page, "d9").await;
    turns(page, 8).await;
    let san = page
        .eval("document.querySelectorAll('button.turn')[6].innerText")
        .await;
    assert_eq!(san, "F@d9");

    hand.button(page, "[data-act=resign]").await;
    page.until("document.querySelector('[data-act=resign].sure')")
        .await;
    hand.button(page, "[data-act=resign]").await;
    page.until("document.querySelector('[data-act=rematch]')")
        .await;
    assert!(status(page).await.contains("Blue wins"));
    clean(page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_by_mouse() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    play_all_kinds(&page, Hand::Mouse).await;

    new_game(&page, &site, "bot", MATE_IN_ONE, "5").await;
    page.drag("[data-square=h9]", "[data-square=h12]").await;
    page.until("document.querySelector('#status').innerText.includes('checkmate')")
        .await;
    assert!(status(&page).await.contains("Red wins"));
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_by_touch_on_a_phone() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.size(390, 844).await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    // A long press reads a card and moves nothing.
    page.hold(
        "[data-square=f3]",
        "document.querySelector('.card').innerText.includes('f3')",
    )
    .await;
    assert_eq!(
        page.eval("document.querySelector('convoy-board').selected")
            .await,
        serde_json::Value::Null
    );
    // What is tapped in the tray is large enough for a finger.
    Hand::Touch.square(&page, "f3").await;
    page.until("document.querySelectorAll('.part').length === 3")
        .await;
    let small = page.eval("[...document.querySelectorAll('.part')].filter(e => e.offsetHeight < 44 || e.offsetWidth < 44).length").await;
    assert_eq!(small, 0);
    Hand::Touch.square(&page, "f3").await;
    play_all_kinds(&page, Hand::Touch).await;
}

with_both_fonts!(a_game_fits_the_screen_of_a_phone);

async fn a_game_fits_the_screen_of_a_phone(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    page.size(390, 844).await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    // Board, both players and the tray fit one screen.
    let low = page.eval("Math.max(...['.stage', '#top-player', '#bottom-player', '.tray'].map(s => document.querySelector(s).getBoundingClientRect().bottom))").await;
    assert!(low.as_f64().unwrap() <= 844.0, "{low}");
    let wide = page
        .eval("document.querySelector('.stage').getBoundingClientRect().width")
        .await;
    assert!(wide.as_f64().unwrap() >= 388.0, "{wide}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_by_keyboard_alone() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.prefer("light", true).await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    page.eval("document.activeElement.blur()").await;
    play_all_kinds(&page, Hand::Keys).await;

    // Backspace takes a step back, Escape the whole draft, D shows air cover; moves can be typed.
    new_game(&page, &site, "bot", KINDS, "0").await;
    Hand::Keys.square(&page, "f3").await;
    Hand::Keys.part(&page, "f").await;
    Hand::Keys.part(&page, "i").await;
    Hand::Keys.square(&page, "f5").await;
    page.until("document.querySelectorAll('.arrow').length === 1")
        .await;
    page.press("Backspace").await;
    page.until(
        "document.querySelectorAll('.arrow').length === 0 && document.querySelector('.bar').hidden",
    )
    .await;
    page.press("d").await;
    page.until("document.querySelectorAll('.cover rect').length > 0")
        .await;
    page.press("d").await;
    page.until("document.querySelectorAll('.cover rect').length === 0")
        .await;
    hand::tab_to(&page, "#typed-move").await;
    page.write("Kf9").await;
    page.press("Enter").await;
    page.until("document.querySelector('.typed-error').innerText.includes('Kf9')")
        .await;
    page.eval("document.querySelector('#typed-move').value = ''")
        .await;
    page.write("(FI)<T>f5").await;
    page.press("Enter").await;
    turns(&page, 2).await;
    assert_eq!(
        page.eval("document.querySelectorAll('button.turn')[0].innerText")
            .await,
        "(FI)<T>f5"
    );
    let said = page
        .eval("document.querySelector('[data-square=f3]').ariaLabel")
        .await;
    assert_eq!(said, "f3, red Air Force, carrying Infantry");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_a_stack_travel_together() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    let hand = Hand::Mouse;
    hand.square(&page, "f3").await;
    hand.part(&page, "f").await;
    page.until("document.querySelector('.cells [data-square=f5].target')")
        .await;
    hand.square(&page, "f5").await;
    page.until(
        "document.querySelector('convoy-board').view.placement.get('f5')?.parts.length === 2",
    )
    .await;
    page.until("!document.querySelector('.act-done').disabled")
        .await;
    page.click(".act-done").await;
    turns(&page, 2).await;
    assert_eq!(
        page.eval("document.querySelectorAll('button.turn')[0].innerText")
            .await,
        "F<(TI)>f5"
    );
    clean(&page);
}
