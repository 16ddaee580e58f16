//! Pictures of the pages, to be looked at: `cargo xtask shots` keeps them in `target/shots`.

use std::path::{Path, PathBuf};

use super::cdp::{Browser, Page};
use super::desk::{open, ready};
use super::hand::Hand;
use super::tour::{self, Sight};
use crate::common::Site;

const MIDDLE: &str = "4c6/1n3h1h3/3a2s2a1/2n1gt1t3/2i3m2ei/4i5f/5T1f3/2IE2M2EI/2N1G3G2/3A2(+FTI)2A1/1N2FH1H3/5C5 r - - 3 14";

const SIZES: [(u32, u32, &str); 3] = [
    (1280, 800, "desktop"),
    (820, 1180, "tablet"),
    (390, 844, "phone"),
];

/// Fonts and pictures have come, and whatever moves and will end has ended.
const AT_REST: &str = r"(async () => {
  await document.fonts.ready;
  // A picture in a closed part of the page is not fetched before somebody opens it.
  const awaited = (image) => image.loading !== 'lazy' || image.complete;
  await Promise.all([...document.images].filter(awaited).map((image) => image.decode().catch(() => null)));
  const ends = (motion) => motion.effect?.getComputedTiming().endTime !== Infinity;
  await Promise.all(document.getAnimations().filter(ends).map((motion) => motion.finished.catch(() => null)));
})()";

fn folder() -> PathBuf {
    let named = std::env::var_os("CONVOY_SHOTS").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("shots"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) async fn keep(page: &Page, name: &str) {
    page.eval(AT_REST).await;
    let png = page.shot().await.unwrap();
    assert!(
        png.starts_with(b"\x89PNG") && png.len() > 8000,
        "{name}: an empty picture"
    );
    std::fs::write(folder().join(format!("{name}.png")), png).unwrap();
}

async fn middle_game(page: &Page, site: &Site) {
    open(page, site, "/").await;
    page.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#minutes').value = '10', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{MIDDLE}'")).await;
    page.click(".new-game > button").await;
    page.until("location.pathname.startsWith('/game/')").await;
    ready(page).await;
}

/// One size and theme of the pages.
#[derive(Clone, Copy)]
struct Look {
    size: &'static str,
    theme: &'static str,
}

impl Look {
    fn name(self, what: &str) -> String {
        format!("{what}-{}-{}", self.size, self.theme)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_the_pages() {
    let (site, browser) = (Site::start().await, Browser::start());
    let both = &["light", "dark"][..];
    for (width, height, size) in SIZES {
        let themes = if size == "tablet" { &both[..1] } else { both };
        for theme in themes {
            let page = browser.person().await;
            page.prefer(theme, true).await;
            page.size(width, height).await;
            let look = Look { size, theme };
            game(&page, &site, look).await;
            study(&page, &site, look).await;
        }
    }
    let page = browser.person().await;
    page.prefer("light", true).await;
    for lang in ["vi", "zh"] {
        in_language(&page, &site, lang).await;
    }
}

/// The home page, a game, a stack, a deploy.
async fn game(page: &Page, site: &Site, look: Look) {
    let hand = if look.size == "phone" {
        Hand::Touch
    } else {
        Hand::Mouse
    };
    open(page, site, "/").await;
    keep(page, &look.name("home")).await;
    middle_game(page, site).await;
    keep(page, &look.name("game")).await;
    hand.square(page, "g3").await;
    page.until("document.querySelectorAll('.part').length === 3")
        .await;
    keep(page, &look.name("stack")).await;
    hand.part(page, "t").await;
    hand.part(page, "i").await;
    hand.square(page, "e3").await;
    page.until(
        "document.querySelectorAll('.arrow').length === 1 && document.querySelector('.mark')",
    )
    .await;
    hand.square(page, "g4").await;
    page.until(
        "document.querySelectorAll('.arrow').length === 2 && document.querySelector('.mark')",
    )
    .await;
    keep(page, &look.name("deploy")).await;
}

/// Analysis and rules.
async fn study(page: &Page, site: &Site, look: Look) {
    open(
        page,
        site,
        &format!(
            "/analysis?fen={}",
            MIDDLE.replace('+', "%2B").replace(' ', "%20")
        ),
    )
    .await;
    ready(page).await;
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length > 1")
        .await;
    keep(page, &look.name("analysis")).await;
    open(page, site, "/rules/cotulenh#deploy").await;
    keep(page, &look.name("rules")).await;
}

/// Every page at three sizes, as the audit walks past them.
#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_the_tour() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    for sight in tour::pages(&page, &site).await {
        keep_at_all_sizes(&page, &site, &sight).await;
    }
    for sight in tour::pages_of_account(&page, &site).await {
        keep_at_all_sizes(&page, &site, &sight).await;
    }
    tour::round(&browser, async |page, site, sight| {
        keep_at_all_sizes(page, site, sight).await;
    })
    .await;
}

/// The language of the pictures of the tour.
fn language() -> String {
    std::env::var("CONVOY_SHOTS_LANG").unwrap_or_else(|_| "en".to_owned())
}

async fn keep_at_all_sizes(page: &Page, site: &Site, sight: &Sight) {
    let lang = language();
    page.prefer("light", true).await;
    for (width, height, size) in SIZES {
        page.size(width, height).await;
        sight.visit(page, site, &lang).await;
        // A board shows its pieces a moment after the rest of the page.
        page.until("!document.querySelector('convoy-board:not([hidden])') || document.querySelector('convoy-board g.r, convoy-board g.b')")
            .await;
        let name = sight.name.replace(", ", "-").replace(' ', "-");
        keep(page, &format!("tour-{name}-{lang}-{size}")).await;
    }
}

/// The home page, a game and the rules in one language.
async fn in_language(page: &Page, site: &Site, lang: &str) {
    open(page, site, &format!("/?lang={lang}")).await;
    keep(page, &format!("home-{lang}")).await;
    middle_game(page, site).await;
    Hand::Mouse.square(page, "g3").await;
    page.until("document.querySelectorAll('.part').length === 3")
        .await;
    page.press("d").await;
    page.until("document.querySelector('.cover rect')").await;
    keep(page, &format!("game-{lang}")).await;
    open(page, site, "/rules/cotulenh").await;
    keep(page, &format!("rules-{lang}")).await;
}
