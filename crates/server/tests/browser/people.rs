//! Two people at a table, somebody who watches, and lines that break.

use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, open, ready, turns};
use super::hand::Hand;
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn two_people_a_spectator_and_a_bad_line() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob, eve) = (
        browser.person().await,
        browser.person().await,
        browser.person().await,
    );
    new_game_friend(&ann, &site).await;
    let path = ann
        .eval("location.pathname")
        .await
        .as_str()
        .unwrap()
        .to_owned();
    open(&bob, &site, &path).await;
    bob.click("[data-act=sit]").await;
    ready_to_play(&bob).await;
    open(&eve, &site, &path).await;
    ready(&ann).await;
    eve.until("document.querySelector('#status').innerText.includes('Red to move')")
        .await;
    assert_eq!(
        eve.eval("document.querySelectorAll('#actions [data-act]').length")
            .await,
        0
    );

    let pages = [&ann, &bob, &eve];
    deploy_across_a_reload(pages).await;
    play_across_a_lost_connection(&ann, &bob).await;
    take_back_and_agree_on_a_draw(pages).await;
    rematch(&ann, &bob, &path).await;
    go_back_to_the_old_game(&ann, &path).await;
    for page in pages {
        clean(page);
    }
}

/// A reload in the middle of a deploy loses nothing.
async fn deploy_across_a_reload(pages: [&Page; 3]) {
    let [ann, bob, _] = pages;
    let hand = Hand::Mouse;
    hand.square(ann, "f3").await;
    hand.part(ann, "t").await;
    hand.part(ann, "i").await;
    hand.square(ann, "f7").await;
    ann.until("document.querySelectorAll('.arrow').length === 1")
        .await;
    assert_eq!(
        bob.eval("document.querySelectorAll('button.turn').length")
            .await,
        0
    );
    ann.reload().await;
    ann.until("document.querySelectorAll('.arrow').length === 1 && !document.querySelector('.bar').hidden").await;
    ann.until("document.querySelector('.cells [data-square=f5].target')")
        .await;
    hand.square(ann, "f5").await;
    ann.until("document.querySelectorAll('.arrow').length === 2 && !document.querySelector('.act-done').disabled").await;
    ann.click(".act-done").await;
    for page in pages {
        turns(page, 1).await;
        assert_eq!(
            page.eval("document.querySelector('button.turn').innerText")
                .await,
            "I<F>f7,T>f5"
        );
    }
}

/// Bob loses the connection, Ann plays on, Bob comes back to the present.
async fn play_across_a_lost_connection(ann: &Page, bob: &Page) {
    let hand = Hand::Mouse;
    ready(bob).await;
    hand.square(bob, "c12").await;
    hand.square(bob, "c11").await;
    turns(ann, 2).await;
    bob.network(true, 0).await;
    bob.until("document.querySelector('.offline')").await;
    ready(ann).await;
    hand.square(ann, "c3").await;
    hand.square(ann, "d3").await;
    turns(ann, 3).await;
    assert_eq!(
        bob.eval("document.querySelectorAll('button.turn').length")
            .await,
        2
    );
    bob.network(false, 200).await;
    turns(bob, 3).await;
    ready(bob).await;
    hand.square(bob, "c11").await;
    hand.square(bob, "c10").await;
    turns(ann, 4).await;
    bob.network(false, 0).await;
}

/// Clocks run; a turn is taken back by consent; a draw is agreed.
async fn take_back_and_agree_on_a_draw(pages: [&Page; 3]) {
    let [ann, bob, _] = pages;
    ann.until("document.querySelector('.clock.running')").await;
    bob.click("[data-act=takeback]").await;
    ann.until("document.querySelector('.offer')").await;
    ann.click("#actions .primary").await;
    for page in pages {
        page.until("document.querySelectorAll('button.turn').length === 3")
            .await;
    }
    ann.click("[data-act=draw]").await;
    bob.until("document.querySelector('.offer')").await;
    bob.click("#actions .primary").await;
    for page in pages {
        page.until("document.querySelector('#status').innerText.includes('Draw')")
            .await;
    }
}

/// A rematch takes both to another table.
async fn rematch(ann: &Page, bob: &Page, path: &str) {
    ann.click("[data-act=rematch]").await;
    // Whoever asked is told so, and has nothing more to press.
    ann.until("document.querySelector('.offer')?.innerText.includes('Rematch offered') && !document.querySelector('[data-act=rematch]')")
        .await;
    bob.until("document.querySelector('.offer')").await;
    bob.click("[data-act=rematch]").await;
    for page in [ann, bob] {
        page.until(&format!(
            "location.pathname !== '{path}' && location.pathname.startsWith('/game/')"
        ))
        .await;
    }
    ready(bob).await;
}

/// Back leads to the game that is over, and stays there.
async fn go_back_to_the_old_game(ann: &Page, path: &str) {
    press_back(ann).await;
    ann.until(&format!(
        "location.pathname === '{path}' && document.querySelector('#next-game') && !document.querySelector('.offline')"
    ))
    .await;
    turns(ann, 3).await;
    assert_eq!(
        ann.eval("location.pathname").await.as_str(),
        Some(path),
        "nobody is sent away from a game that is over"
    );
    ann.click("#next-game").await;
    ann.until(&format!("location.pathname !== '{path}'")).await;
}

/// Presses the browser's own button. A script that left the page could be gone before it has answered.
async fn press_back(page: &Page) {
    let history = page.call("Page.getNavigationHistory", json!({})).await;
    let current = history["currentIndex"].as_i64().unwrap();
    let before = usize::try_from(current - 1).unwrap();
    let entry = &history["entries"][before]["id"];
    page.call("Page.navigateToHistoryEntry", json!({ "entryId": entry }))
        .await;
}

/// Whoever has joined sees the board of a game that goes on.
async fn ready_to_play(page: &Page) {
    page.until(
        "document.querySelector('#invite')?.hidden && document.querySelector('.player.to-move')",
    )
    .await;
}

async fn new_game_friend(page: &Page, site: &Site) {
    open(page, site, "/").await;
    page.click("[name=opponent][value=friend]").await;
    page.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#minutes').value = '5', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{KINDS}'")).await;
    page.click(".new-game > button").await;
    page.until(
        "location.pathname.startsWith('/game/') && !document.querySelector('#invite').hidden",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_moves_within_two_clicks() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.network(false, 200).await;
    open(&page, &site, "/").await;
    page.until("document.querySelector('#open-tables li')")
        .await;
    page.loaded().await;
    let (bytes, urls) = page.traffic();
    assert!(bytes < 100_000, "{bytes} bytes: {urls:#?}");
    page.click("#play-now").await;
    page.until("location.pathname.startsWith('/game/')").await;
    ready(&page).await;
    page.drag("[data-square=c5]", "[data-square=c6]").await;
    turns(&page, 2).await;
    clean(&page);
}
