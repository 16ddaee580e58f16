//! Where things stand, at every size, in every language, with wide and with narrow fonts: nothing
//! lies over anything, and nothing is cut off.

use convoy_server::Pace;
use serde_json::json;

use super::cards::Person;
use super::cdp::{Browser, Page};
use super::deck::{self, KITTY};
use super::desk::{KINDS, new_game, open, ready};
use super::hand::Hand;
use super::launch::Fonts;
use super::shots::keep;
use crate::common::{STILL, Site};

/// Phones, a tablet, desktops, and a desktop at twice its size.
const SIZES: [(u32, u32); 11] = [
    (320, 568),
    (360, 640),
    (390, 844),
    (667, 375),
    (820, 1180),
    (1024, 768),
    (1280, 800),
    (1366, 625),
    (1920, 1080),
    (640, 400),
    (960, 540),
];

/// The least that has to be seen of a board's page.
const BOARD: [&str; 7] = [
    "header.top",
    ".stage",
    "#top-player",
    "#bottom-player",
    "#status",
    ".tray",
    "#turns",
];
/// And of a card table.
const CARDS: [&str; 6] = [
    "header.top",
    "#facts",
    "#felt",
    ".seat.at-bottom",
    "#hand",
    ".controls",
];

const CHECK: &str = include_str!("layout.js");

/// What has to hold of any page.
const MISPLACED: &str = include_str!("misplaced.js");

/// Gives the window a size and answers what a check of the page then finds.
async fn at_size(page: &Page, check: &str, size: (u32, u32), what: &str) -> Vec<String> {
    page.size(size.0, size.1).await;
    page.until(&format!("innerHeight >= {}", size.1)).await;
    // The rows of a hand follow its width in the next frame.
    page.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        .await;
    let found: Vec<String> = serde_json::from_value(page.eval(check).await).unwrap();
    found
        .into_iter()
        .map(|fault| format!("{what} {} × {}: {fault}", size.0, size.1))
        .collect()
}

async fn faults(page: &Page, selectors: &[&str], size: (u32, u32), what: &str) -> Vec<String> {
    let check = CHECK.replace("SELECTORS", &format!("{}, {}", json!(selectors), size.0));
    at_size(page, &check, size, what).await
}

/// What is out of place on a page as it is shown now, at any size: whatever page it is.
pub(crate) async fn misplaced(page: &Page, what: &str) -> Vec<String> {
    let mut all = vec![];
    for size in SIZES {
        let check = MISPLACED.replace("WIDTH", &size.0.to_string());
        all.extend(at_size(page, &check, size, what).await);
    }
    all
}

fn none(faults: &[String]) {
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
}

/// And of a puzzle, on a board and at a card table.
const BOARD_PUZZLE: [&str; 6] = [
    "header.top",
    ".stage",
    "#status",
    "#next",
    "#choice",
    "#history-sum",
];
const CARD_PUZZLE: [&str; 8] = [
    "header.top",
    "#facts",
    "#felt",
    "#hand",
    "#status",
    "#choices",
    "#next",
    "#choice",
];

with_both_fonts!(
    a_board_stands_free_at_every_size,
    a_card_table_stands_free_at_every_size,
    puzzles_stand_free_at_every_size,
    lessons_stand_free_at_every_size,
    what_is_out_of_place_is_found,
);

/// What every page is tried for (`access.rs`) is found where it is.
async fn what_is_out_of_place_is_found(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    open(&page, &site, "/account?lang=en").await;
    none(&misplaced(&page, "account").await);
    page.eval("document.querySelector('main').insertAdjacentHTML('beforeend', `<p id=wide>wide</p><div id=scrolls><p>scrolls</p></div><div id=cut><p>cut off</p></div><p id=over>words over words</p><button id=under>under</button><div id=lid>lid</div><select id=short><option>a long choice in a short list</select>`)").await;
    for (selector, style) in [
        ("#wide", "width: 2000px"),
        ("#scrolls", "width: 100px; overflow-x: auto"),
        ("#scrolls p", "width: 200px"),
        ("#cut", "width: 20px; overflow: hidden; white-space: nowrap"),
        ("#over", "margin-top: -40px"),
        ("#under", "display: block"),
        (
            "#lid",
            "margin-top: -44px; height: 44px; position: relative",
        ),
        ("#short", "width: 90px"),
    ] {
        page.eval(&format!(
            "document.querySelector({selector:?}).style.cssText = {style:?}"
        ))
        .await;
    }
    let found = misplaced(&page, "account").await.join("\n");
    for fault in [
        "640 × 400: scrolls sideways: ",
        "div#scrolls \"scrolls\" scrolls sideways: 200 of 100",
        "div#cut \"cut off\" is cut off",
        "p#over \"words over words\" and p \"cut off\" overlap",
        "button#under \"under\" is covered by div#lid",
        "short shows ",
    ] {
        assert!(found.contains(fault), "{fault}: {found}");
    }
}

async fn puzzles_stand_free_at_every_size(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    page.prefer("light", true).await;
    let mut all = vec![];
    for (name, path, selectors) in [
        ("puzzle", "/puzzles/cotulenh/naj430", &BOARD_PUZZLE[..]),
        ("card-puzzle", "/puzzles/tractor/teaws5", &CARD_PUZZLE),
    ] {
        for lang in ["en", "vi", "zh"] {
            open(&page, &site, &format!("{path}?lang={lang}")).await;
            page.until("document.querySelector('#status').textContent")
                .await;
            for size in SIZES {
                all.extend(faults(&page, selectors, size, &format!("{name} {lang}")).await);
                if lang == "en" && fonts == Fonts::Wide {
                    keep(&page, &format!("layout-{name}-{}x{}", size.0, size.1)).await;
                }
            }
            page.size(1280, 800).await;
        }
    }
    none(&all);
}

async fn a_board_stands_free_at_every_size(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    page.prefer("light", true).await;
    new_game(&page, &site, "bot", KINDS, "10").await;
    let path = page.eval("location.pathname").await;
    let path = path.as_str().unwrap();
    let mut all = vec![];
    for lang in ["en", "vi", "zh"] {
        open(&page, &site, &format!("{path}?lang={lang}")).await;
        ready(&page).await;
        Hand::Mouse.square(&page, "f3").await;
        page.until("document.querySelectorAll('.part').length === 3")
            .await;
        for size in SIZES {
            all.extend(faults(&page, &BOARD, size, &format!("game {lang}")).await);
            if lang == "en" && fonts == Fonts::Wide {
                keep(&page, &format!("layout-game-{}x{}", size.0, size.1)).await;
            }
        }
        page.size(1280, 800).await;
    }
    none(&all);
}

async fn a_card_table_stands_free_at_every_size(fonts: Fonts) {
    let browser = Browser::with(fonts);
    let pace = Pace { deal: 0, ..STILL };
    let site = deck::site_for_one(pace).await;
    let person = Person {
        page: browser.person().await,
        hand: Hand::Mouse,
    };
    let page = &person.page;
    page.prefer("light", true).await;
    open(page, &site, "/?lang=en").await;
    page.eval("document.querySelector('#tractor-level').value = '1'")
        .await;
    page.click("#play-tractor").await;
    let offers = "document.querySelector('[data-offer]') && document.querySelectorAll('#hand .card').length === 25";
    page.until(offers).await;
    let path = page.eval("location.pathname").await;
    let path = path.as_str().unwrap();
    let mut all = vec![];
    let look = async |stage: &str, wish: &str, langs: &[&str]| {
        let mut found = vec![];
        for lang in langs {
            page.size(1280, 800).await;
            open(page, &site, &format!("{path}?lang={lang}")).await;
            page.until(wish).await;
            for size in SIZES {
                found.extend(faults(page, &CARDS, size, &format!("{stage} {lang}")).await);
                if *lang == "en" && fonts == Fonts::Wide {
                    keep(page, &format!("layout-{stage}-{}x{}", size.0, size.1)).await;
                }
            }
        }
        page.size(1280, 800).await;
        found
    };
    all.extend(look("deal", offers, &["en", "vi", "zh"]).await);
    open(page, &site, &format!("{path}?lang=en")).await;
    person.press("[data-offer='2H0 2H1']").await;
    let burying = "document.querySelectorAll('#hand .card').length === 33";
    page.until(burying).await;
    all.extend(look("bury", burying, &["en"]).await);
    open(page, &site, &format!("{path}?lang=en")).await;
    page.until(burying).await;
    person.choose(&KITTY).await;
    person.send().await;
    person.choose(&["AD0", "AD1", "KD0"]).await;
    person.send().await;
    let playing = "document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 22";
    page.until(playing).await;
    all.extend(look("play", playing, &["en", "vi", "zh"]).await);
    none(&all);
}

async fn lessons_stand_free_at_every_size(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    page.prefer("light", true).await;
    let step = [
        "header.top",
        "#step-title",
        "#step-text",
        ".task .tools",
        "#steps",
    ];
    let board = [&step[..], &["#stage .stage", "#stage .dock"]].concat();
    let cards = [&step[..], &["#stage .example", "#answer"]].concat();
    let round = ["header.top", "h1", "#round", "#answer", "#hint"];
    let mut all = vec![];
    for (path, wish, selectors) in [
        (
            "/learn",
            "document.querySelector('.chapters')",
            &["header.top", "h1", ".courses"][..],
        ),
        (
            "/learn/cotulenh/deploy",
            "document.querySelector('convoy-board')?.draft",
            &board,
        ),
        (
            "/learn/tractor/before-play",
            "document.querySelector('#answer')",
            &cards,
        ),
        (
            "/learn/tractor/round",
            "document.querySelectorAll('#round [data-card]').length === 33",
            &round,
        ),
    ] {
        for lang in ["en", "vi", "zh"] {
            page.size(1280, 800).await;
            open(&page, &site, &format!("{path}?lang={lang}")).await;
            page.until(wish).await;
            for size in SIZES {
                all.extend(faults(&page, selectors, size, &format!("{path} {lang}")).await);
                if lang == "en" && fonts == Fonts::Wide {
                    let name = path.replace('/', "-");
                    keep(&page, &format!("layout{name}-{}x{}", size.0, size.1)).await;
                }
            }
        }
    }
    none(&all);
}

/// A window that is taller than wide has the board of a lesson over most of its width, and all of it in sight.
#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_in_a_tall_window_has_a_large_board() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.size(820, 1180).await;
    for lang in ["en", "vi"] {
        open(&page, &site, &format!("/learn/cotulenh/deploy?lang={lang}")).await;
        page.until("document.querySelector('convoy-board')?.draft")
            .await;
        let board = "(({ width, bottom }) => width > 600 && bottom < innerHeight)(document.querySelector('.lesson-board .stage').getBoundingClientRect())";
        assert_eq!(page.eval(board).await, true, "{lang}");
    }
}
