//! How soon the pages can be used on a slow phone, and how soon they recover from a dead connection, in
//! milliseconds: `cargo xtask vitals`. It is no part of the gate, for it measures the machine too.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    missing_debug_implementations,
    reason = "a program of its own over the tools of the browser tests"
)]

#[path = "../browser/cdp.rs"]
mod cdp;
#[path = "../server/common/mod.rs"]
mod common;
#[path = "../browser/desk.rs"]
mod desk;
#[path = "../browser/evidence.rs"]
mod evidence;
#[path = "../browser/hand.rs"]
mod hand;
#[path = "../browser/input.rs"]
mod input;
#[path = "../browser/launch.rs"]
mod launch;
#[path = "../browser/line.rs"]
mod line;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cdp::{Browser, Page};
use common::{Site, pair};
use convoy_test_client::proxy::{Flow, Proxy};
use desk::{KINDS, ready, turns};
use hand::Hand;
use serde_json::{Value, json};

/// The goals, in milliseconds.
const PAINT: f64 = 2000.0;
const BLOCKED: f64 = 200.0;
const NOTICED: f64 = 5000.0;
const RECOVERED: f64 = 2000.0;
/// How long the connection leads nowhere.
const HOLE: Duration = Duration::from_secs(20);

/// Keeps what the browser measures from before the first frame.
const OBSERVE: &str = "window.convoySeen = [];
  for (const type of ['largest-contentful-paint', 'longtask', 'paint']) {
    new PerformanceObserver((list) => convoySeen.push(...list.getEntries())).observe({ type, buffered: true });
  }";

/// The largest paint and what it was of, and what tasks of more than 50 ms kept from whoever wanted to click
/// after the first paint.
const VITALS: &str = "(() => {
  const of = (type) => convoySeen.filter((entry) => entry.entryType === type);
  const first = of('paint').find((entry) => entry.name === 'first-contentful-paint')?.startTime ?? 0;
  const tasks = of('longtask').filter((task) => task.startTime + task.duration > first);
  const largest = of('largest-contentful-paint').reduce((a, b) => (b.startTime > (a?.startTime ?? -1) ? b : a), null);
  const { element } = largest ?? {};
  return {
    paint: largest?.startTime,
    what: element ? [element.localName, element.id && `#${element.id}`, ...[...element.classList].map((name) => `.${name}`)].join('') : 'gone',
    blocked: tasks.reduce((sum, task) => sum + Math.max(0, task.duration - 50), 0),
  };
})()";

/// A slow mobile network and a quarter of this machine's speed.
async fn slow(page: &Page) {
    page.call("Network.setCacheDisabled", json!({ "cacheDisabled": true }))
        .await;
    let script = json!({ "source": OBSERVE });
    page.call("Page.addScriptToEvaluateOnNewDocument", script)
        .await;
    let slow_4g = json!({
        "offline": false, "latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 96_000,
    });
    page.call("Network.emulateNetworkConditions", slow_4g).await;
    page.call("Emulation.setCPUThrottlingRate", json!({ "rate": 4 }))
        .await;
    page.size(390, 844).await;
}

/// A table of each game that goes on, as its player sees it.
async fn tables(page: &Page, site: &Site) -> [String; 2] {
    desk::new_game(page, site, "bot", KINDS, "5").await;
    let game = page.eval("location.pathname").await;
    desk::open(page, site, "/").await;
    page.click("#play-tractor").await;
    page.until("document.querySelector('#hand .card')").await;
    let cards = page.eval("location.pathname").await;
    [game, cards].map(|path| path.as_str().unwrap().to_owned())
}

/// A game that is over, to be reviewed.
async fn finished(site: &Site) -> String {
    let (red, blue, id) = pair(site, json!({})).await;
    red.join(&id).await.play("Ic5c6").await;
    let mut socket = blue.join(&id).await;
    socket.act("resign", Value::Null).await;
    socket.until_view(|view| view["phase"] == "over").await;
    id
}

/// Measures one page; the first figures are those of an empty cache. The largest paint, the blocked time, and what
/// was painted.
async fn vitals(page: &Page, site: &Site, path: &str) -> (f64, f64, String) {
    desk::open(page, site, path).await;
    page.loaded().await;
    page.shot().await.unwrap();
    let seen = page.eval(VITALS).await;
    let number = |name: &str| seen[name].as_f64().unwrap_or(f64::INFINITY);
    let what = seen["what"].as_str().unwrap_or_default().to_owned();
    (number("paint"), number("blocked"), what)
}

async fn pages(site: &Site, browser: &Browser) -> bool {
    let page = browser.person().await;
    let [game, cards] = tables(&page, site).await;
    let review = format!("/game/{}/review", finished(site).await);
    slow(&page).await;
    println!("| page | LCP | of | TBT |\n|---|---|---|---|");
    let mut good = true;
    for (name, path) in [
        ("home", "/"),
        ("game", &game),
        ("card table", &cards),
        ("analysis", "/analysis"),
        ("editor", "/editor"),
        ("puzzles of Cờ Tư Lệnh", "/puzzles/cotulenh"),
        ("puzzles of Tractor", "/puzzles/tractor"),
        ("review", &review),
        ("courses", "/learn"),
        ("lesson of Cờ Tư Lệnh", "/learn/cotulenh/board"),
        ("offline", "/offline"),
        ("rules of Cờ Tư Lệnh", "/rules/cotulenh"),
        ("rules of Tractor", "/rules/tractor"),
        ("archive", "/archive"),
        ("account", "/account"),
        ("verify", "/verify"),
    ] {
        let (paint, blocked, what) = vitals(&page, site, path).await;
        println!("| {name} | {paint:.0} ms | {what} | {blocked:.0} ms |");
        good &= paint < PAINT && blocked < BLOCKED;
    }
    good
}

fn since(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

/// A game with clocks whose connection leads nowhere for twenty seconds.
async fn hole(site: &Site, browser: &Browser, flow: Flow) -> bool {
    let (ann, bob) = (browser.person().await, browser.person().await);
    let proxy = Proxy::to(site.address).await.unwrap();
    ann.goto(&format!("http://{}/?lang=en", proxy.address))
        .await;
    ann.click("#play [name=opponent][value=friend]").await;
    ann.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#minutes').value = '5', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{KINDS}'")).await;
    ann.click("#play .new-game > button").await;
    ann.until("location.pathname.startsWith('/game/')").await;
    let path = ann.eval("location.pathname").await;
    desk::open(&bob, site, path.as_str().unwrap()).await;
    bob.click("[data-act=sit]").await;
    for (page, from, to) in [(&ann, "c3", "d3"), (&bob, "c12", "c11")] {
        ready(page).await;
        Hand::Mouse.square(page, from).await;
        Hand::Mouse.square(page, to).await;
    }
    turns(&ann, 2).await;
    ready(&ann).await;
    Hand::Mouse.square(&ann, "d3").await;
    ann.until("document.querySelector('.cells [data-square=e3].target')")
        .await;
    proxy.set(flow);
    let begun = Instant::now();
    Hand::Mouse.square(&ann, "e3").await;
    ann.until("document.querySelector('#status .offline')")
        .await;
    let noticed = since(begun);
    // The hole lasts its time, of which noticing it took a part.
    tokio::time::sleep(HOLE.saturating_sub(begun.elapsed())).await;
    proxy.set(Flow::Open);
    let begun = Instant::now();
    turns(&bob, 3).await;
    ann.until("!document.querySelector('#status .offline')")
        .await;
    let recovered = since(begun);
    let view = site
        .visitor()
        .await
        .view(path.as_str().unwrap().trim_start_matches("/game/"))
        .await;
    let count = view["turns"].as_array().map_or(0, Vec::len);
    let credit: &Value = &view["clock"]["credit"][0];
    println!(
        "{flow:?} for {} s: noticed after {noticed:.0} ms, the move through {recovered:.0} ms after its return; {count} moves, {credit} ms of lag credit left",
        HOLE.as_secs()
    );
    noticed < NOTICED && recovered < RECOVERED && count == 3
}

#[tokio::main]
async fn main() -> ExitCode {
    let (site, browser) = (Site::start().await, Browser::start());
    let mut good = pages(&site, &browser).await;
    println!();
    for flow in [Flow::Hold, Flow::Swallow] {
        good &= hole(&site, &browser, flow).await;
    }
    if good {
        ExitCode::SUCCESS
    } else {
        println!(
            "a goal is missed: LCP {PAINT} ms, TBT {BLOCKED} ms, noticed {NOTICED} ms, through {RECOVERED} ms"
        );
        ExitCode::FAILURE
    }
}
