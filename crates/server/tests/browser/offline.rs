//! Without a server: what is kept on the device goes on.

use std::sync::Arc;

use convoy_server::{App, SqliteStore};
use serde_json::json;
use tokio::sync::oneshot;

use super::account::submit;
use super::cards::{Person, pass_until_turn, play_on};
use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready, turns};
use super::hand::Hand;
use crate::common::{PASSWORD, Site, config};

/// The most turns of one's own in a game that is played at random.
const LONGEST: usize = 400;

/// Whether the game is over.
const OVER: &str = "document.querySelector('#status').classList.contains('over')";

/// Plays a turn of one's own, a capture where there is one, and tells how many turns there were before.
const PLAY: &str = "(() => {
  const board = document.querySelector('convoy-board');
  const { answer, fen } = board.draft;
  const whole = answer.moves.filter((move) => !move.open && move.lan !== '.');
  const captures = whole.filter((move) => move.captured);
  const chosen = captures.length ? captures : whole;
  const count = document.querySelectorAll('button.turn').length;
  const { lan } = chosen[(7 * count) % chosen.length];
  board.dispatchEvent(new CustomEvent('turn', { detail: { steps: [lan], fen } }));
  return count;
})()";

/// Opens the page for playing offline, and waits until everything is kept.
async fn kept(page: &Page, site: &Site) {
    open(page, site, "/offline?lang=en").await;
    page.until("document.querySelector('#offline-state').innerText.startsWith('Ready')")
        .await;
}

/// A device that keeps everything, and the site that it has from a server that is no more.
async fn without_server() -> (Page, Site) {
    let store = Arc::new(SqliteStore::in_memory().await.unwrap());
    let app = App::new(store, config()).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let (site, served) = Site::until(app, async { drop(stopped.await) }).await;
    let page = Browser::start().device().await;
    kept(&page, &site).await;
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
    (page, site)
}

/// Begins a game on the device.
async fn begin(page: &Page, level: u8) {
    page.eval(&format!(
        "document.querySelector('#offline-level').value = '{level}', document.querySelector('#offline-color').value = 'r'"
    ))
    .await;
    page.click("#new-offline button").await;
    page.until("location.pathname === '/offline/game'").await;
    ready(page).await;
}

/// Begins a game of Tractor on the device.
async fn begin_match(page: &Page, site: &Site, level: u8) {
    open(page, site, "/offline").await;
    let choose = format!("document.querySelector('#offline-tractor-level').value = '{level}'");
    page.eval(&choose).await;
    page.click("#new-offline-tractor button").await;
    page.until("location.pathname === '/offline/tractor' && document.querySelector('.seat')")
        .await;
}

/// How many cards the person holds.
const HELD: &str = "document.querySelectorAll('#hand .card').length";

async fn play_to_the_end(page: &Page) {
    for _ in 0..LONGEST {
        if page.eval(OVER).await == true {
            return;
        }
        ready(page).await;
        let count = page.eval(PLAY).await.as_u64().unwrap();
        page.until(&format!(
            "{OVER} || (document.querySelectorAll('button.turn').length >= {count} + 2
               && document.querySelector('#status').classList.contains('mine'))"
        ))
        .await;
    }
    panic!("the game has no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_without_the_server() {
    let (page, site) = without_server().await;
    // Whatever page is asked for, there is one to play on.
    open(&page, &site, "/").await;
    assert_eq!(
        page.eval("document.querySelector('h1').innerText").await,
        "Play offline"
    );
    begin(&page, 1).await;
    Hand::Mouse.square(&page, "c5").await;
    Hand::Mouse.square(&page, "c6").await;
    turns(&page, 2).await;
    // The game survives a reload.
    page.reload().await;
    turns(&page, 2).await;
    ready(&page).await;
    page.click("#hint").await;
    page.until("document.querySelector('convoy-board').live.innerText.startsWith('Suggested')")
        .await;
    play_to_the_end(&page).await;
    open(&page, &site, "/offline").await;
    page.until("document.querySelectorAll('#stored-games a').length === 1")
        .await;
    let listed = page
        .eval("document.querySelector('#stored-games').innerText")
        .await;
    assert!(
        !listed.as_str().unwrap().contains("in progress"),
        "{listed}"
    );
    clean(&page);
}

/// Bots play at once, and tricks do not lie.
const AT_ONCE: &str = "window.setTimeout = ((timer) => (run, _, ...more) => timer(run, 0, ...more))(window.setTimeout.bind(window))";

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_round_of_tractor_without_the_server() {
    let (page, site) = without_server().await;
    let source = json!({ "source": AT_ONCE });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    begin_match(&page, &site, 1).await;
    let hand = Hand::Mouse;
    let person = Person { page, hand };
    pass_until_turn(&person.page).await;
    // Whoever buries has the kitty besides their own cards, and advice on what to put down.
    person.hint().await;
    pass_until_turn(&person.page).await;
    // The game survives a reload.
    let held = person.page.eval(HELD).await;
    person.page.reload().await;
    pass_until_turn(&person.page).await;
    assert_eq!(person.page.eval(HELD).await, held);
    play_on(&[&person]).await;
    let Person { page, .. } = person;
    let hands = "document.querySelectorAll('#result .all-hands .card').length";
    assert_eq!(page.eval(hands).await, 108);
    // Levels are carried on, and looking back needs no server either.
    page.click("#replay-round").await;
    page.until("document.querySelector('#replay-words')?.innerText")
        .await;
    let levels = "[...document.querySelectorAll('#result .tally .level')].map((node) => node.innerText.split(' ').at(-1)).join()";
    let won = page.eval(levels).await;
    page.click("#next-round").await;
    page.until("document.querySelector('#fact-round dd').innerText === '2'")
        .await;
    let carried = "[...document.querySelectorAll('#fact-levels .level')].map((node) => node.firstChild.textContent.split(' ').at(-1)).join()";
    assert_eq!(page.eval(carried).await, won);
    open(&page, &site, "/offline").await;
    page.until("document.querySelector('#stored-games a')?.href.includes('/offline/tractor')")
        .await;
    let listed = page
        .eval("document.querySelector('#stored-games').innerText")
        .await;
    assert!(listed.as_str().unwrap().contains("Round 2"), "{listed}");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_levels_without_the_server() {
    let (page, site) = without_server().await;
    for level in 1..=10 {
        open(&page, &site, "/offline").await;
        begin(&page, level).await;
        Hand::Mouse.square(&page, "c5").await;
        Hand::Mouse.square(&page, "c6").await;
        turns(&page, 2).await;
    }
    page.click("#to-analysis").await;
    page.until("location.pathname === '/analysis'").await;
    turns(&page, 2).await;
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length > 1")
        .await;
    open(&page, &site, "/editor").await;
    page.until("document.querySelector('#verdict').innerText === 'Valid position'")
        .await;
    for path in ["/rules/cotulenh", "/rules/tractor"] {
        open(&page, &site, path).await;
        let path = format!(
            "location.pathname === '{path}' && document.querySelector('h1').innerText.startsWith('How to play')"
        );
        page.until(&path).await;
    }
    // Every level of Tractor declares, buries or plays.
    let source = json!({ "source": AT_ONCE });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    for level in 1..=4 {
        begin_match(&page, &site, level).await;
        pass_until_turn(&page).await;
    }
    // Nobody's name is kept.
    assert!(
        page.eval("document.querySelector('.who-am-i')")
            .await
            .is_null()
    );
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_is_offered_but_not_in_the_middle_of_a_game() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.device().await;
    kept(&page, &site).await;
    page.reload().await;
    page.until("navigator.serviceWorker.controller").await;
    // A script of another address counts as a newer one.
    let newer = "navigator.serviceWorker.register('/service-worker.js?newer').then(() => 0)";
    begin(&page, 1).await;
    page.eval(newer).await;
    let waiting =
        "(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting))()";
    while page.eval(waiting).await != true {
        tokio::task::yield_now().await;
    }
    assert!(
        page.eval("document.querySelector('#update')")
            .await
            .is_null()
    );
    open(&page, &site, "/offline").await;
    page.until("document.querySelector('#update')").await;
    page.eval("window.stale = true").await;
    page.click("#update .primary").await;
    page.until("!window.stale && document.readyState === 'complete'")
        .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_keeps_nothing_is_told_why() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/offline?lang=en").await;
    page.until("document.querySelector('#offline-state').innerText.includes('needs https')")
        .await;
    // With a connection the games can be played all the same.
    begin(&page, 1).await;
    clean(&page);
}

/// A game of two turns that red, the person, has resigned.
const RESIGNED: &str = "{
  id: 'a1', start: '6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1',
  turns: ['Ic5c6', 'Ic8c7'], you: 0, level: 1, outcome: { winner: 'b', reason: 'resign' }, at: 1700000000000,
}";

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_handed_to_the_account() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/offline?lang=en").await;
    let stored = format!("localStorage.setItem('convoy.games', JSON.stringify([{RESIGNED}]))");
    page.eval(&stored).await;
    page.reload().await;
    page.until("document.querySelector('#stored-games a')")
        .await;
    // A guest has nowhere to put it.
    let button = "document.querySelector('[data-upload]')";
    assert!(page.eval(button).await.is_null());
    open(&page, &site, "/account").await;
    let own = [("name", "Ann"), ("password", PASSWORD)];
    submit(&page, "/account/register", &own).await;
    page.until("document.querySelector('.sessions li')").await;
    open(&page, &site, "/offline").await;
    page.until(button).await;
    page.click("[data-upload]").await;
    let link = "#stored-games a[href^='/game/']";
    page.until(&format!("document.querySelector(\"{link}\")"))
        .await;
    page.click(link).await;
    turns(&page, 2).await;
    clean(&page);
}
