//! What the page does by itself: WebAssembly that answers like the server, and the server where there is none.

use cotulenh::Position;
use serde_json::json;

use super::cdp::{AFTER_PAINT, Browser, Page};
use super::desk::{clean, open, ready, turns};
use super::hand::Hand;
use crate::common::{Site, some_turn};

/// Waits until the rules are in the page.
async fn has_rules(page: &Page) {
    page.until("document.documentElement.dataset.rules === 'local'")
        .await;
}

/// How many questions about drafts have gone to the server.
fn questions(page: &Page) -> usize {
    let (_, urls) = page.traffic();
    urls.iter()
        .filter(|url| url.contains("/api/v1/cotulenh/"))
        .count()
}

/// Plays the first move of the analysis.
async fn play(page: &Page) {
    ready(page).await;
    Hand::Mouse.square(page, "c5").await;
    page.until("document.querySelector('.cells [data-square=c6].target')")
        .await;
    Hand::Mouse.square(page, "c6").await;
    turns(page, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_asks_the_rules_in_the_page_once_they_are_loaded() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis").await;
    has_rules(&page).await;
    // The server has answered what was asked before.
    assert!(questions(&page) > 0);
    let late = format!(
        "(() => {{
           const [first] = performance.getEntriesByName('first-contentful-paint');
           const late = performance.getEntriesByType('resource').filter(({{ name }}) => {}.some((part) => name.includes(part)));
           return late.length > 0 && late.every(({{ startTime }}) => startTime >= first.startTime);
         }})()",
        json!(AFTER_PAINT)
    );
    assert_eq!(page.eval(&late).await, true);
    page.start_over();
    play(&page).await;
    ready(&page).await;
    assert_eq!(questions(&page), 0, "{:?}", page.traffic());
    // What is refused has the same words.
    page.eval("document.querySelector('.texts').open = true")
        .await;
    page.eval(
        "document.querySelector('#fen').value = 'x', document.querySelector('#load-fen').click()",
    )
    .await;
    page.until("document.querySelector('#fault').innerText")
        .await;
    let local = page
        .eval("document.querySelector('#fault').innerText")
        .await;
    open(&page, &site, "/analysis?fen=x").await;
    page.until("document.querySelector('#fault').innerText")
        .await;
    let served = page
        .eval("document.querySelector('#fault').innerText")
        .await;
    assert_eq!(local, served);
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_webassembly_the_server_answers() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let source = json!({ "source": "window.Worker = undefined" });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    open(&page, &site, "/analysis").await;
    page.until(
        "performance.getEntriesByType('resource').some(({ name }) => name.includes('/js/local/'))",
    )
    .await;
    page.start_over();
    play(&page).await;
    ready(&page).await;
    assert!(questions(&page) > 0);
    let local = page.eval("document.documentElement.dataset.rules").await;
    assert!(local.is_null(), "{local}");
}

/// Positions of random games, by their FENs.
fn positions(count: usize) -> Vec<String> {
    let mut seed = 2026;
    let mut found = vec![];
    let mut position = Position::start();
    while found.len() < count {
        if position.outcome().is_some() {
            position = Position::start();
        }
        found.push(position.to_string());
        let turn = some_turn(&position, &mut seed);
        for step in position.read(&turn).unwrap().iter() {
            position = position.play(*step).unwrap();
        }
    }
    found
}

/// Asks both for every legal step of positions, and for what may follow every step that leaves a deploy open.
const COMPARE: &str = "(async (fens) => {
  const from = document.querySelector('script[type=module]').src;
  const { LocalRules } = await import(new URL('local/rules.js', from));
  const { post } = await import(new URL('rules.js', from));
  const local = await LocalRules.start('rules');
  let steps = 0, deploys = 0;
  const same = async (fields) => {
    const [ours, theirs] = await Promise.all([local.ask('draft', fields), post('/api/v1/cotulenh/draft', fields)]);
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error(JSON.stringify([fields, ours, theirs]));
    steps += ours.moves.length;
    return ours.moves;
  };
  for (const fen of fens) {
    const moves = await same({ fen, steps: [] });
    const open = moves.filter((move) => move.open);
    deploys += open.length;
    await Promise.all(open.map(({ lan }) => same({ fen, steps: [lan] })));
  }
  return { steps, deploys };
})";

#[tokio::test(flavor = "multi_thread")]
async fn local_and_server_drafts_agree() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis").await;
    let fens = positions(200);
    let compared = page.eval(&format!("{COMPARE}({})", json!(fens))).await;
    let (steps, deploys) = (&compared["steps"], &compared["deploys"]);
    assert!(steps.as_u64().unwrap() > 20_000, "{compared}");
    assert!(deploys.as_u64().unwrap() > 200, "{compared}");
}
