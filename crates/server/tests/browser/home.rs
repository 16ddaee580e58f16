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

/// Where nobody plays yet, whoever has opened the game is not asked to select a piece.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_for_a_friend_is_not_told_to_move() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = (browser.person().await, browser.person().await);
    open(&ann, &site, "/?lang=en").await;
    ann.click("#play [name=opponent][value=friend]").await;
    ann.click("#play .new-game > button").await;
    ann.until("location.pathname !== '/' && document.querySelector('#status strong')")
        .await;
    let asked = "['.tray', '.typed'].filter((part) => document.querySelector(part)?.checkVisibility()).join()";
    assert_eq!(ann.eval(asked).await, "");
    let path = ann.eval("location.pathname").await;
    open(&bob, &site, path.as_str().unwrap()).await;
    bob.click("[data-act=sit]").await;
    ann.until(&format!("{asked} === '.tray,.typed'")).await;
    clean(&ann);
    clean(&bob);
}

/// Whatever is chosen can be read in full. The longest choices of the house rules end in an ellipsis.
#[tokio::test(flavor = "multi_thread")]
async fn every_choice_can_be_read_once_it_is_made() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let cut = "[...document.querySelectorAll('select')].filter((list) => list.checkVisibility()).flatMap((list) => {
      const style = getComputedStyle(list);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.font;
      // The arrow takes as much as the letters are high.
      const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
      return [...list.options].filter((choice) => pen.measureText(choice.text).width > room + 1).map((choice) => `${list.id}: ${choice.text}`);
    }).join()";
    for (width, height) in [(390, 844), (820, 1180), (1280, 800)] {
        page.size(width, height).await;
        for lang in ["en", "vi"] {
            for path in [
                "/",
                "/offline",
                "/puzzles/cotulenh",
                "/puzzles/tractor",
                "/editor",
            ] {
                open(&page, &site, &format!("{path}?lang={lang}")).await;
                page.until("document.querySelector('select')?.checkVisibility({ visibilityProperty: true })")
                    .await;
                assert_eq!(
                    page.eval(cut).await,
                    "",
                    "{path} in {lang}, {width} × {height}"
                );
            }
        }
    }
    open(&page, &site, "/offline").await;
    let widths = "new Set([...document.querySelectorAll('#new-offline-tractor :is(select, button)')].map((one) => one.offsetWidth)).size";
    assert_eq!(page.eval(widths).await, 1, "a choice alone has the line");
    open(&page, &site, "/").await;
    let ends = "getComputedStyle(document.querySelector('.more-switches select')).textOverflow";
    assert_eq!(page.eval(ends).await, "ellipsis");
    clean(&page);
}
