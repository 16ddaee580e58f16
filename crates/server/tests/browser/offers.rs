//! What is offered is answered, and whoever offered hears of it.

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, open, ready, turns};
use super::hand::Hand;
use crate::common::Site;

/// Ann and Bob at a table of their own, Ann to move.
pub(crate) async fn friends(site: &Site, browser: &Browser) -> (Page, Page) {
    let (ann, bob) = (browser.person().await, browser.person().await);
    open(&ann, site, "/?lang=en").await;
    ann.click("#play [name=opponent][value=friend]").await;
    ann.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{KINDS}'")).await;
    ann.click("#play .new-game > button").await;
    ann.until("location.pathname.startsWith('/game/')").await;
    let path = ann.eval("location.pathname").await;
    open(&bob, site, &format!("{}?lang=en", path.as_str().unwrap())).await;
    bob.click("[data-act=sit]").await;
    ready(&ann).await;
    (ann, bob)
}

const TOAST: &str = "document.querySelector('.toast')?.innerText";

#[tokio::test(flavor = "multi_thread")]
async fn a_declined_offer_is_told_to_whoever_made_it() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = friends(&site, &browser).await;
    let hand = Hand::Mouse;
    hand.square(&ann, "c3").await;
    hand.square(&ann, "d3").await;
    turns(&bob, 1).await;
    ann.click("[data-act=draw]").await;
    ann.until("document.querySelector('.offer')?.innerText === 'Offer sent.'")
        .await;
    bob.click("[data-act=decline]").await;
    ann.until(&format!("{TOAST} === 'Your draw offer was declined.'"))
        .await;
    ann.click("[data-act=takeback]").await;
    bob.until("document.querySelector('.offer')").await;
    // Whoever plays on has declined.
    ready(&bob).await;
    hand.square(&bob, "c12").await;
    hand.square(&bob, "c11").await;
    ann.until(&format!(
        "{TOAST} === 'Your takeback request was declined.'"
    ))
    .await;
    clean(&ann);
    clean(&bob);
}

/// A page that nobody looks at says in its title whose turn it is, until somebody looks.
#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_page_calls_in_its_title() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = friends(&site, &browser).await;
    let hand = Hand::Mouse;
    hand.square(&ann, "c3").await;
    hand.square(&ann, "d3").await;
    turns(&bob, 1).await;
    turns(&ann, 1).await;
    let hide = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }}), document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    ann.eval(&hide(true)).await;
    ready(&bob).await;
    hand.square(&bob, "c12").await;
    hand.square(&bob, "c11").await;
    turns(&ann, 2).await;
    ann.until("document.title.startsWith('• Your turn')").await;
    ann.eval(&hide(false)).await;
    ann.until("!document.title.startsWith('•')").await;
    clean(&ann);
}

/// Against somebody who has left, the page counts down to the claim and then offers it; the server judges it.
#[tokio::test(flavor = "multi_thread")]
async fn the_win_can_be_claimed_from_somebody_who_left() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = friends(&site, &browser).await;
    ann.until("!document.querySelector('[data-act=claim], #claim-wait')")
        .await;
    open(&bob, &site, "/").await;
    ann.until("document.querySelector('#claim-wait')").await;
    ann.eval(
        "(now => { performance.now = () => now.call(performance) + 60_000; })(performance.now)",
    )
    .await;
    ann.until(
        "document.querySelector('[data-act=claim]') && !document.querySelector('#claim-wait')",
    )
    .await;
    clean(&ann);
}
