//! The pages in a real Chromium: whole games by mouse, finger and keyboard, two people at a table,
//! bad connections, three languages, and an audit of who might be kept out.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    dead_code,
    missing_docs,
    reason = "each test file uses its part of the tools, which fail by panicking"
)]

#[path = "browser/cdp.rs"]
mod cdp;
mod common;
#[path = "browser/hand.rs"]
mod hand;

use std::time::Duration;

use cdp::{Browser, Page};
use common::Site;
use hand::Hand;

/// Red can combine on c4, unload three pieces from f3, strike h7 and crash into d9. Blue's
/// headquarters cannot move, so the bot cannot spoil any of it; its gun is walled in.
const KINDS: &str = "2i5hhc/8hhh/3h4hhh/2hgh6/3h7/7h3/11/11/2T8/2I2(FTI)5/10H/9HC r - - 0 1";
/// Red mates by bringing the second artillery to h12.
const MATE_IN_ONE: &str = "10c/10a/11/7A3/11/11/11/11/11/11/10H/9HC r - - 0 1";

async fn open(page: &Page, site: &Site, path: &str) {
    page.goto(&format!("http://{}{path}", site.address)).await;
}

/// Opens a game through the form of the home page.
async fn new_game(page: &Page, site: &Site, opponent: &str, fen: &str, minutes: &str) {
    open(page, site, "/").await;
    page.click(&format!("[name=opponent][value={opponent}]"))
        .await;
    page.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#level').value = '1', document.querySelector('#minutes').value = '{minutes}', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{fen}'")).await;
    page.click(".new-game > button").await;
    page.until("location.pathname.startsWith('/game/')").await;
    ready(page).await;
}

/// The board has its answer and waits for this person.
async fn ready(page: &Page) {
    page.until("document.querySelector('convoy-board')?.draft && !document.querySelector('convoy-board').pending").await;
}

async fn turns(page: &Page, count: usize) {
    page.until(&format!(
        "document.querySelectorAll('button.turn').length >= {count}"
    ))
    .await;
}

async fn status(page: &Page) -> String {
    page.eval("document.querySelector('#status').innerText")
        .await
        .as_str()
        .unwrap()
        .to_owned()
}

fn clean(page: &Page) {
    let complaints = page.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

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
    let (site, browser) = (Site::start().await, Browser::start().await);
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
    let (site, browser) = (Site::start().await, Browser::start().await);
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
    // A long press reads a card and moves nothing.
    page.tap("[data-square=f3]", 700).await;
    page.until("document.querySelector('.card').innerText.includes('f3')")
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

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_by_keyboard_alone() {
    let (site, browser) = (Site::start().await, Browser::start().await);
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
    let (site, browser) = (Site::start().await, Browser::start().await);
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

#[tokio::test(flavor = "multi_thread")]
async fn two_people_a_spectator_and_a_bad_line() {
    let (site, browser) = (Site::start().await, Browser::start().await);
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
    bob.until("document.querySelector('[data-act=sit]')").await;
    bob.click("[data-act=sit]").await;
    open(&eve, &site, &path).await;
    ready(&ann).await;
    eve.until("document.querySelector('#status').innerText.includes('Red to move')")
        .await;
    assert_eq!(
        eve.eval("document.querySelectorAll('#actions [data-act]').length")
            .await,
        0
    );

    // A reload in the middle of a deploy loses nothing.
    let hand = Hand::Mouse;
    hand.square(&ann, "f3").await;
    hand.part(&ann, "t").await;
    hand.part(&ann, "i").await;
    hand.square(&ann, "f7").await;
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
    hand.square(&ann, "f5").await;
    ann.until("document.querySelectorAll('.arrow').length === 2 && !document.querySelector('.act-done').disabled").await;
    ann.click(".act-done").await;
    for page in [&ann, &bob, &eve] {
        turns(page, 1).await;
        assert_eq!(
            page.eval("document.querySelector('button.turn').innerText")
                .await,
            "I<F>f7,T>f5"
        );
    }

    // Bob loses the line, Ann plays on, Bob comes back to the present.
    ready(&bob).await;
    hand.square(&bob, "c12").await;
    hand.square(&bob, "c11").await;
    turns(&ann, 2).await;
    bob.network(true, 0).await;
    bob.until("document.querySelector('.offline')").await;
    ready(&ann).await;
    hand.square(&ann, "c3").await;
    hand.square(&ann, "d3").await;
    turns(&ann, 3).await;
    assert_eq!(
        bob.eval("document.querySelectorAll('button.turn').length")
            .await,
        2
    );
    bob.network(false, 200).await;
    turns(&bob, 3).await;
    ready(&bob).await;
    hand.square(&bob, "c11").await;
    hand.square(&bob, "c10").await;
    turns(&ann, 4).await;
    bob.network(false, 0).await;

    // Clocks run; a turn is taken back by consent; a draw is agreed; a rematch begins.
    ann.until("document.querySelector('.clock.running')").await;
    bob.click("[data-act=takeback]").await;
    ann.until("document.querySelector('.offer')").await;
    ann.click("#actions .primary").await;
    for page in [&ann, &bob, &eve] {
        page.until("document.querySelectorAll('button.turn').length === 3")
            .await;
    }
    ann.click("[data-act=draw]").await;
    bob.until("document.querySelector('.offer')").await;
    bob.click("#actions .primary").await;
    for page in [&ann, &bob, &eve] {
        page.until("document.querySelector('#status').innerText.includes('Draw')")
            .await;
    }
    ann.click("[data-act=rematch]").await;
    bob.until("document.querySelector('.offer')").await;
    bob.click("[data-act=rematch]").await;
    for page in [&ann, &bob] {
        page.until(&format!(
            "location.pathname !== '{path}' && location.pathname.startsWith('/game/')"
        ))
        .await;
    }
    ready(&bob).await;
    for page in [&ann, &bob, &eve] {
        clean(page);
    }
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
    let (site, browser) = (Site::start().await, Browser::start().await);
    let page = browser.person().await;
    page.network(false, 200).await;
    open(&page, &site, "/").await;
    page.until("document.querySelector('#open-tables li')")
        .await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    let (bytes, urls) = page.traffic();
    assert!(bytes < 100_000, "{bytes} bytes: {urls:#?}");
    page.click("#play-now").await;
    page.until("location.pathname.startsWith('/game/')").await;
    ready(&page).await;
    page.drag("[data-square=c5]", "[data-square=c6]").await;
    turns(&page, 2).await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_languages() {
    let (site, browser) = (Site::start().await, Browser::start().await);
    let page = browser.person().await;
    for (lang, title, turn, piece) in [
        (
            "en",
            "Command land, sea and air",
            "Your turn",
            "g1, red Commander",
        ),
        (
            "vi",
            "Chỉ huy cả lục quân, hải quân và không quân",
            "Đến lượt bạn",
            "g1, Tư lệnh đỏ",
        ),
        ("zh", "统率陆海空三军", "轮到你走", "g1, 红方司令"),
    ] {
        open(&page, &site, &format!("/?lang={lang}")).await;
        assert_eq!(page.eval("document.documentElement.lang").await, lang);
        assert_eq!(
            page.eval("document.querySelector('h1').innerText").await,
            title
        );
        page.click("#play-now").await;
        page.until("location.pathname.startsWith('/game/')").await;
        ready(&page).await;
        assert!(status(&page).await.contains(turn));
        assert_eq!(
            page.eval("document.querySelector('[data-square=g1]').ariaLabel")
                .await,
            piece
        );
        for path in [
            "/analysis",
            "/editor",
            "/rules/cotulenh",
            "/account",
            "/archive",
        ] {
            open(&page, &site, path).await;
            assert_eq!(page.eval("document.documentElement.lang").await, lang);
        }
    }
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_editor_and_replay() {
    let (site, browser) = (Site::start().await, Browser::start().await);
    let page = browser.person().await;
    open(
        &page,
        &site,
        &format!("/editor?fen={}", KINDS.replace(' ', "%20")),
    )
    .await;
    page.until("document.querySelector('#verdict.good')").await;
    page.click("[data-square=e7]").await;
    page.until("document.querySelector('#fen').value.includes('4I2h3')")
        .await;
    page.click(".erase").await;
    page.click("[data-square=e7]").await;
    page.until("document.querySelector('#fen').value.startsWith('2i5hhc')")
        .await;
    page.click("#analyse").await;
    page.until("location.pathname === '/analysis'").await;
    ready(&page).await;

    // Play a deploy here, walk back into it by single steps.
    let hand = Hand::Mouse;
    hand.square(&page, "f3").await;
    hand.part(&page, "t").await;
    hand.part(&page, "i").await;
    hand.square(&page, "f7").await;
    page.until("document.querySelector('.cells [data-square=f5].target')")
        .await;
    hand.square(&page, "f5").await;
    page.until("document.querySelectorAll('.arrow').length === 2 && !document.querySelector('.act-done').disabled").await;
    page.click(".act-done").await;
    turns(&page, 1).await;
    page.until("document.querySelector('convoy-board').view.placement.get('f5')")
        .await;
    page.click(".walk button:nth-child(3)").await;
    page.until("(p => p.get('f7') && p.get('f3')?.parts.length === 2 && !p.get('f5'))(document.querySelector('convoy-board').view.placement)").await;
    page.click(".walk button:nth-child(4)").await;
    page.until("document.querySelector('convoy-board').view.placement.get('f5')")
        .await;

    // The engine speaks, and is silent when told.
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length > 1 && !document.querySelector('#eval').hidden").await;
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length === 0")
        .await;

    // The address reopens exactly this.
    let (url, fen) = (
        page.eval("location.href").await,
        page.eval("document.querySelector('#fen').value").await,
    );
    page.goto(url.as_str().unwrap()).await;
    page.until(&format!("document.querySelector('#fen').value === {fen}"))
        .await;

    // PGN out and in.
    let pgn = page.eval("document.querySelector('#pgn').value").await;
    assert!(pgn.as_str().unwrap().contains("I<F>f7,T>f5"), "{pgn}");
    open(&page, &site, "/analysis").await;
    ready(&page).await;
    page.eval(&format!(
        "document.querySelector('.texts').open = true, document.querySelector('#pgn').value = {pgn}"
    ))
    .await;
    page.click("#load-pgn").await;
    turns(&page, 1).await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_kept_out() {
    let (site, browser) = (Site::start().await, Browser::start().await);
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "5").await;
    let game = page
        .eval("location.pathname")
        .await
        .as_str()
        .unwrap()
        .to_owned();
    let paths = [
        "/",
        &game,
        "/analysis",
        "/editor",
        "/rules/cotulenh",
        "/account",
        "/archive",
        "/nothing-here",
    ];
    let mut faults = Vec::new();
    for (width, height) in [(1280, 800), (390, 844)] {
        page.size(width, height).await;
        for theme in ["light", "dark", "contrast"] {
            for path in paths {
                open(&page, &site, path).await;
                page.eval(&format!("localStorage.setItem('convoy.settings', JSON.stringify({{theme: '{theme}', animation: false}}))")).await;
                page.reload().await;
                if path == game {
                    ready(&page).await;
                    Hand::Mouse.square(&page, "f3").await;
                    page.until("document.querySelectorAll('.part').length === 3")
                        .await;
                }
                let found = page.eval(include_str!("browser/audit.js")).await;
                let found = found
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|fault| format!("{path} {theme} {width}: {fault}"));
                faults.extend(found);
                faults.extend(
                    unnamed(&page)
                        .await
                        .into_iter()
                        .map(|fault| format!("{path} {theme} {width}: {fault}")),
                );
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// What the browser's own accessibility tree gives no name to.
async fn unnamed(page: &Page) -> Vec<String> {
    let tree = page
        .call("Accessibility.getFullAXTree", serde_json::json!({}))
        .await;
    let needs = [
        "button", "link", "textbox", "combobox", "checkbox", "radio", "gridcell", "image", "grid",
        "dialog", "meter",
    ];
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let bad = nodes.filter(|node| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let name = node["name"]["value"].as_str().unwrap_or_default();
        node["ignored"] != true && needs.contains(&role) && name.trim().is_empty()
    });
    bad.map(|node| format!("a {} without a name", node["role"]["value"]))
        .collect()
}
