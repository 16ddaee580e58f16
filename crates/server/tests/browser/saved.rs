//! Analyses under a link: saved, opened by somebody else, changed, deleted.

use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready, turns};
use super::hand::Hand;
use crate::common::Site;

const PGN: &str = "1. Ic6 $1 {[%csl Rc6] fine} (1. Ik6 {slower} 1... Mg7) 1... Mg7 *";

async fn paste(page: &Page, text: &str) {
    page.eval("document.querySelector('.texts').open = true")
        .await;
    page.eval(&format!(
        "(e => (e.value = {}, e.dispatchEvent(new Event('input'))))(document.querySelector('#pgn'))",
        serde_json::json!(text)
    ))
    .await;
    page.click("#load-pgn").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_saved_and_opened_by_its_link() {
    let (site, browser) = (Site::start().await, Browser::start());
    let ann = browser.person().await;
    open(&ann, &site, "/analysis?lang=en").await;
    ready(&ann).await;
    paste(&ann, PGN).await;
    turns(&ann, 4).await;
    ann.eval("document.querySelector('.saved').open = true")
        .await;
    ann.eval("document.querySelector('#saved-name').value = 'Flank infantry'")
        .await;
    ann.click("#save").await;
    ann.until("location.pathname.match(/^\\/analysis\\/[0-9a-z]{10}$/) && document.querySelectorAll('#own-analyses li').length === 1")
        .await;
    let path = ann.eval("location.pathname").await;
    let path = path.as_str().unwrap();

    // Somebody else sees all of it, and has nothing to change it with.
    let bob = browser.person().await;
    bob.size(390, 844).await;
    open(&bob, &site, &format!("{path}?lang=en")).await;
    ready(&bob).await;
    turns(&bob, 4).await;
    bob.until("document.title.startsWith('Flank infantry') && document.querySelector('#delete-saved').hidden && document.querySelector('#save-new').hidden").await;
    bob.until(&format!("location.pathname === '{path}'")).await;
    bob.eval("document.querySelector('.saved').open = true, document.querySelector('.saved').scrollIntoView()")
        .await;
    bob.until("document.documentElement.scrollWidth <= innerWidth")
        .await;
    super::shots::keep(&bob, "saved-analysis-phone").await;

    // The owner plays on: the link is no longer that of what is shown, until it is saved again.
    ann.eval("document.activeElement.blur()").await;
    ann.press("End").await;
    ready(&ann).await;
    Hand::Mouse.square(&ann, "d5").await;
    ann.until("document.querySelector('.cells [data-square=d6].target')")
        .await;
    Hand::Mouse.square(&ann, "d6").await;
    turns(&ann, 5).await;
    ann.until("location.pathname === '/analysis'").await;
    ann.click("#save").await;
    ann.until(&format!("location.pathname === '{path}'")).await;
    open(&bob, &site, path).await;
    turns(&bob, 5).await;

    ann.eval("window.confirm = () => true").await;
    ann.click("#delete-saved").await;
    ann.until("location.pathname === '/analysis' && document.querySelectorAll('#own-analyses li').length === 0")
        .await;
    clean(&ann);
    clean(&bob);
}
