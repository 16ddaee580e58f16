//! The engine in the page: it counts the nodes of the native one, and does not help in games between people.

use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, Search};
use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready};
use super::hand::Hand;
use super::offers::friends;
use crate::common::Site;

/// Deep enough that a node more or less would show.
const DEPTH: u32 = 6;
/// The lines that the page asks for.
const LINES: usize = 3;
const FEN: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/2I8/3E2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 1 1";

/// Keeps the nodes of every depth that the page shows.
const OBSERVE: &str = "window.nodes = {};
  new MutationObserver(() => {
    const shown = /Depth (\\d+), ([\\d,]+)/.exec(document.querySelector('#lines .soft')?.innerText);
    if (shown) window.nodes[shown[1]] = Number(shown[2].replaceAll(',', ''));
  }).observe(document.querySelector('#lines'), { childList: true });";

/// Keeps the addresses of sockets that are opened from now on.
const SOCKETS: &str = "window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url);
      window.sockets.push(String(url));
    }
  };";

/// The nodes that the native engine visits with one thread.
fn native_nodes() -> u64 {
    let options = Options {
        multi_pv: LINES,
        ..Options::default()
    };
    let position: Position = FEN.parse().unwrap();
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::default()
    };
    let search = Search::new(&position).limits(limits);
    Engine::new(options).analyse(&search, |_| {}).nodes
}

/// Starts the engine of the page, and tells the nodes it has visited at the depth.
async fn page_nodes(page: &Page, site: &Site) -> u64 {
    let path = format!("/analysis?lang=en&fen={}", FEN.replace(' ', "%20"));
    open(page, site, &path).await;
    ready(page).await;
    page.eval(OBSERVE).await;
    page.eval(SOCKETS).await;
    page.click("#engine").await;
    page.until(&format!("window.nodes[{DEPTH}]")).await;
    let nodes = page.eval(&format!("window.nodes[{DEPTH}]")).await;
    nodes.as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_in_the_page_counts_the_nodes_of_the_native_engine() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let native = native_nodes();
    assert!(native > 1000, "{native}");
    assert_eq!(page_nodes(&page, &site).await, native);
    let (_, urls) = page.traffic();
    assert!(urls.iter().any(|url| url.ends_with("/wasm/engine-simd.js")));
    assert_eq!(page.eval("sockets").await, json!([]));
    // The search is stopped in the middle, and the engine goes on with another position.
    assert_eq!(page.eval("crossOriginIsolated").await, true);
    page.eval("window.nodes = {}").await;
    Hand::Mouse.square(&page, "c8").await;
    Hand::Mouse.square(&page, "c7").await;
    page.until("window.nodes[2]").await;
    // The other engine can be chosen.
    page.eval("(where => (window.nodes = {}, where.value = 'server', where.dispatchEvent(new Event('change'))))(document.querySelector('#engine-where'))")
        .await;
    page.until(
        "sockets.some((url) => url.endsWith('/ws/analysis')) && Object.keys(nodes).length > 0",
    )
    .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_simd_analyses_too() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let source = json!({ "source": "WebAssembly.validate = () => false" });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    assert_eq!(page_nodes(&page, &site).await, native_nodes());
    let (_, urls) = page.traffic();
    assert!(urls.iter().any(|url| url.ends_with("/wasm/engine.js")));
    assert!(!urls.iter().any(|url| url.ends_with("/wasm/engine-simd.js")));
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_of_the_page_is_off_in_a_running_game_between_people() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, _bob) = friends(&site, &browser).await;
    let fen = ann
        .eval("encodeURIComponent(document.querySelector('convoy-board').shown.fen)")
        .await;
    let path = format!("/analysis?lang=en&fen={}", fen.as_str().unwrap());
    open(&ann, &site, &path).await;
    ready(&ann).await;
    ann.click("#engine").await;
    ann.until("document.querySelector('.toast')?.innerText.includes('engine is off')")
        .await;
    assert_eq!(
        ann.eval("document.querySelector('#lines').childElementCount")
            .await,
        0
    );
}
