//! What a page costs before it can be used: the bytes of a first visit, and how much jumps while it is
//! loaded.

use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{open, ready};
use super::tour::{self, Sight};
use crate::common::Site;

/// A phone, a tablet, a desktop.
const SIZES: [(u32, u32); 3] = [(390, 844), (820, 1180), (1280, 800)];
/// The most bytes of a first visit, all told.
const BYTES: u64 = 100_000;
/// The most that may jump: the goal for what is called cumulative layout shift.
const SHIFT: f64 = 0.05;

/// Collects what jumps, from before the first frame. A page that is watched twice is told twice.
const OBSERVE: &str = "if (!window.convoyObserver) {
  window.convoyShifts = [];
  window.convoyObserver = new PerformanceObserver((list) => convoyShifts.push(...list.getEntries()));
  convoyObserver.observe({ type: 'layout-shift', buffered: true });
}";

/// How much has jumped, but for what answers a click, and what it was.
const SHIFTS: &str = "(() => {
  convoyShifts.push(...convoyObserver.takeRecords());
  const jumps = convoyShifts.filter((entry) => !entry.hadRecentInput);
  const named = (node) => node?.id ? `#${node.id}` : `${node?.nodeName}.${node?.className ?? ''}`;
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const name = ({ node, previousRect, currentRect }) => `${named(node)} (${box(previousRect)} → ${box(currentRect)})`;
  return {
    sum: jumps.reduce((sum, entry) => sum + entry.value, 0),
    what: jumps.map((entry) => `${entry.value.toFixed(3)} ${entry.sources.map(name).join(' ')}`),
  };
})()";

/// Looks at a page over a line on which scripts arrive after the page is seen.
async fn watch(page: &Page) {
    let script = json!({ "source": OBSERVE });
    page.call("Page.addScriptToEvaluateOnNewDocument", script)
        .await;
    page.network(false, 60).await;
}

/// Everything that a page takes too much of.
async fn excesses(page: &Page, site: &Site, sight: &Sight) -> Vec<String> {
    let mut found = vec![];
    for (width, height) in SIZES {
        page.size(width, height).await;
        // As somebody who comes for the first time.
        page.call("Network.clearBrowserCache", json!({})).await;
        page.start_over();
        sight.visit(page, site, "en").await;
        page.loaded().await;
        let (bytes, urls) = page.traffic();
        if bytes > BYTES {
            found.push(format!("{}: {bytes} bytes: {urls:#?}", sight.name));
        }
        // A picture is taken of a finished frame: what it shows has been laid out and counted.
        page.shot().await.unwrap();
        let shifts = page.eval(SHIFTS).await;
        if shifts["sum"].as_f64().unwrap() >= SHIFT {
            found.push(format!("{} at {width} × {height}: {shifts}", sight.name));
        }
    }
    found
}

fn none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_small_and_stand_still_while_they_are_loaded() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let sights = tour::pages(&page, &site).await;
    watch(&page).await;
    let mut found = vec![];
    for sight in sights {
        found.extend(excesses(&page, &site, &sight).await);
    }
    for sight in tour::pages_of_account(&page, &site).await {
        found.extend(excesses(&page, &site, &sight).await);
    }
    none(&found);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_table_is_small_and_stands_still() {
    let browser = Browser::start();
    let found = std::sync::Mutex::new(vec![]);
    tour::round(&browser, async |page, site, sight| {
        watch(page).await;
        let more = excesses(page, site, sight).await;
        found.lock().unwrap().extend(more);
        page.size(1280, 800).await;
        page.network(false, 0).await;
    })
    .await;
    none(&found.into_inner().unwrap());
}

/// Where the parts of the analysis are, and whether they can be seen.
const PLACES: &str = "['.stage', '.tray .hint', '#status', '#engine', '.record', '#glyphs [data-nag=\"19\"]', '#flip', '.saved'].map((selector) => {
  const part = document.querySelector(selector);
  const { x, y, width, height } = part.getBoundingClientRect();
  return [selector, part.checkVisibility({ visibilityProperty: true }), Math.round(x), Math.round(y), Math.round(width), Math.round(height)];
})";

/// The board and the words of an analysis come with the page: nobody waits for the script to see them, and what it
/// draws takes the place of what was there.
#[tokio::test(flavor = "multi_thread")]
async fn the_analysis_is_there_before_its_script() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let block = async |urls: &[&str]| {
        page.call("Network.setBlockedURLs", json!({ "urls": urls }))
            .await;
    };
    let seen = "[document.querySelectorAll('.first-paint svg > .r').length, document.querySelectorAll('.first-paint svg > .b').length, document.querySelector('#status').innerText]";
    for (width, height) in SIZES {
        page.size(width, height).await;
        block(&["*/js/analysis.js"]).await;
        open(&page, &site, "/analysis?lang=en").await;
        assert_eq!(page.eval(seen).await, json!([19, 19, "Red to move."]));
        let before = page.eval(PLACES).await;
        let hidden = before.as_array().unwrap().iter();
        let hidden: Vec<_> = hidden.filter(|part| part[1] == false).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
        block(&[]).await;
        open(&page, &site, "/analysis?lang=en").await;
        ready(&page).await;
        assert_eq!(page.eval(PLACES).await, before, "{width} × {height}");
    }
    block(&["*/js/analysis.js"]).await;
    // The position of the address, and the start where that makes no sense.
    open(&page, &site, "/analysis?lang=en&moves=Ic5c6&two=1").await;
    assert_eq!(page.eval(seen).await, json!([19, 19, "Blue to move."]));
    page.until("document.querySelector('.study.two')").await;
    open(&page, &site, "/analysis?lang=en&fen=garbage").await;
    assert_eq!(page.eval(seen).await, json!([19, 19, "Red to move."]));
    // Whoever plays with letters is not shown drawings for a moment.
    let counter =
        "getComputedStyle(document.querySelector('.first-paint svg > .r > use')).visibility";
    assert_eq!(page.eval(counter).await, "visible");
    page.eval("localStorage.setItem('convoy.settings', '{\"pieces\":\"letters\"}')")
        .await;
    page.reload().await;
    assert_eq!(page.eval(counter).await, "hidden");
}

/// What the tests above look for is found where it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_jump_is_seen() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    watch(&page).await;
    open(&page, &site, "/account").await;
    page.shot().await.unwrap();
    let before = page.eval(SHIFTS).await;
    assert!(before["sum"].as_f64().unwrap() < SHIFT, "{before}");
    page.eval("document.querySelector('main').prepend(Object.assign(document.createElement('div'), { innerHTML: '<svg width=\"10\" height=\"300\"></svg>' }))")
        .await;
    page.shot().await.unwrap();
    page.until(&format!("({SHIFTS}).sum >= {SHIFT}")).await;
}
