//! The home page: games to go on with, games to watch, and choices that are remembered.

use super::cdp::Browser;
use super::desk::{KINDS, clean, new_game, open};
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_continued_and_watched_from_home() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = (browser.person().await, browser.person().await);
    new_game(&ann, &site, "bot", KINDS, "5").await;
    let path = ann.eval("location.pathname").await;
    let path = path.as_str().unwrap();
    // Whoever watches sees the board itself, drawn small.
    open(&bob, &site, "/?lang=en").await;
    let board = format!("#live-tables a.small-board[href='{path}'] img");
    bob.until(&format!(
        "document.querySelector(\"{board}\")?.naturalWidth"
    ))
    .await;
    assert!(
        bob.eval("document.querySelector('#own-tables')")
            .await
            .is_null(),
        "it is not Bob's game"
    );
    open(&ann, &site, "/?lang=en").await;
    ann.click(&format!("#own-tables a[href='{path}']")).await;
    ann.until(&format!("location.pathname === '{path}'")).await;
    clean(&ann);
    clean(&bob);
}

#[tokio::test(flavor = "multi_thread")]
async fn house_rules_are_chosen_once() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/?lang=en").await;
    let fields = [
        ("#start-level", "7"),
        ("#tractor-deal", "normal"),
        ("#sw-throw_mode", "challenge"),
        ("#sw-throw_penalty", "20"),
    ];
    for (field, value) in fields {
        page.eval(&format!(
            "document.querySelector('{field}').value = '{value}'"
        ))
        .await;
    }
    page.click("#play-tractor").await;
    page.until(
        "location.pathname.startsWith('/game/') && document.querySelector('#fact-levels .level')",
    )
    .await;
    let level = page
        .eval("document.querySelector('#fact-levels .level').innerText")
        .await;
    assert!(level.as_str().unwrap().contains('7'), "{level}");
    open(&page, &site, "/").await;
    for (field, value) in fields {
        assert_eq!(
            page.eval(&format!("document.querySelector('{field}').value"))
                .await,
            value,
            "{field}"
        );
    }
    clean(&page);
}

/// Who watches a card table is told beside its status, not among its rounds.
#[tokio::test(flavor = "multi_thread")]
async fn onlookers_are_counted_beside_the_status() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, eve) = (browser.person().await, browser.person().await);
    open(&ann, &site, "/?lang=en").await;
    ann.click("#play-tractor").await;
    ann.until("location.pathname.startsWith('/game/') && document.querySelector('.seat')")
        .await;
    let path = ann.eval("location.pathname").await;
    open(&eve, &site, path.as_str().unwrap()).await;
    ann.until("document.querySelector('.status-line #watchers')?.innerText === '1 watching'")
        .await;
    clean(&ann);
    clean(&eve);
}
