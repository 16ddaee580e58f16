//! Walking through the turns of a game: by list, keys and wheel, while it goes on.

use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, new_game, open, ready, status, turns};
use super::hand::Hand;
use crate::common::Site;

/// Twelve moves of a game that is only looked at.
async fn long_game(page: &Page, site: &Site) {
    let there = ["c5", "c6", "c7", "c6"];
    let pairs = (0..24).map(|i| {
        let step = |i: usize| (there[i % 4], there[(i + 1) % 4]);
        let (from, to) = step(i / 2 % 4);
        if i % 2 == 0 {
            format!("I{from}{to}")
        } else {
            // The other side's piece walks as far from it.
            let far = |square: &str| format!("k{}", 13 - square[1..].parse::<u32>().unwrap());
            format!("I{}{}", far(from), far(to))
        }
    });
    let moves: Vec<String> = pairs.collect();
    open(page, site, &format!("/analysis?moves={}", moves.join(","))).await;
    turns(page, 24).await;
}

/// The rectangle of the current turn lies inside that of the list.
const IN_VIEW: &str = "(() => {
  const list = document.querySelector('.turns').getBoundingClientRect();
  const turn = document.querySelector('.turns [aria-current]').getBoundingClientRect();
  return turn.top >= list.top - 1 && turn.bottom <= list.bottom + 1;
})()";

#[tokio::test(flavor = "multi_thread")]
async fn the_current_turn_is_always_in_view() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    long_game(&page, &site).await;
    assert_eq!(page.eval(IN_VIEW).await, true, "the last turn");
    for ply in [14, 18, 22, 9, 3, 24] {
        let current = format!(
            "document.querySelectorAll('button.turn')[{}].ariaCurrent === 'step'",
            ply - 1
        );
        page.eval(&format!(
            "document.querySelectorAll('button.turn')[{}].click()",
            ply - 1
        ))
        .await;
        page.until(&current).await;
        assert_eq!(page.eval(IN_VIEW).await, true, "turn {ply}");
    }
    clean(&page);
}

/// Keys and wheel walk, also after a click on the board.
#[tokio::test(flavor = "multi_thread")]
async fn keys_and_wheel_walk_after_a_click_on_the_board() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    long_game(&page, &site).await;
    ready(&page).await;
    let at = |ply: usize| {
        format!(
            "[...document.querySelectorAll('button.turn')].findIndex((e) => e.ariaCurrent) === {} - 1",
            ply
        )
    };
    Hand::Mouse.square(&page, "g1").await;
    page.press("ArrowLeft").await;
    page.until(&at(23)).await;
    page.press("Home").await;
    page.until("!document.querySelector('.turns [aria-current]')")
        .await;
    page.press("ArrowRight").await;
    page.until(&at(1)).await;
    page.press("End").await;
    page.until(&at(24)).await;
    for (delta, ply) in [(-100, 23), (-100, 22), (100, 23)] {
        let event =
            json!({ "type": "mouseWheel", "x": 300, "y": 400, "deltaX": 0, "deltaY": delta });
        page.call("Input.dispatchMouseEvent", event).await;
        page.until(&at(ply)).await;
    }
    clean(&page);
}

/// Looking back in a running game is said, and there is a way to the present.
#[tokio::test(flavor = "multi_thread")]
async fn looking_back_is_said_and_leads_to_the_present() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    Hand::Mouse.square(&page, "c3").await;
    Hand::Mouse.square(&page, "d3").await;
    turns(&page, 2).await;
    ready(&page).await;
    assert!(status(&page).await.contains("Your turn"));
    page.press("ArrowLeft").await;
    page.until("document.querySelector('#status').innerText.includes('Viewing an earlier move')")
        .await;
    assert!(!status(&page).await.contains("Your turn"));
    page.click("[data-square=d3]").await;
    page.until("document.querySelector('.toast')?.innerText.includes('jump to the latest')")
        .await;
    page.click("#latest").await;
    page.until("document.querySelector('#status').innerText.includes('Your turn')")
        .await;
    ready(&page).await;
    clean(&page);
}
