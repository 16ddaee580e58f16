//! Positions that are none, or in which nothing can be played, and what the pages say of them.

use super::cdp::Browser;
use super::desk::{clean, open, ready};
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_position_is_told_in_the_editor_and_in_the_analysis() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/editor?lang=en").await;
    page.until("document.querySelector('#verdict.good')?.innerText === 'Valid position'")
        .await;
    page.click("#clear").await;
    page.until("document.querySelector('#verdict').innerText.includes('the game ends here')")
        .await;
    assert_eq!(
        page.eval("document.querySelector('#play-here').disabled")
            .await,
        true
    );
    open(&page, &site, "/editor?fen=garbage").await;
    page.until("document.querySelector('#verdict.error')?.innerText.startsWith('Invalid FEN')")
        .await;
    assert_eq!(
        page.eval("document.querySelector('#fen').value").await,
        "garbage",
        "what was given is there to be mended"
    );
    open(&page, &site, "/analysis?fen=garbage").await;
    page.until("document.querySelector('#fault').innerText.startsWith('Invalid FEN')")
        .await;
    ready(&page).await;
    clean(&page);
}

/// An answer that comes late, as from the server before the page answers itself, is for what nobody asks any more.
#[tokio::test(flavor = "multi_thread")]
async fn the_editor_takes_over_what_was_asked_for_last() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/editor?lang=en").await;
    page.until("document.querySelector('#verdict.good')").await;
    page.eval(
        "import(document.querySelector('script[type=module]').src.replace('editor.js', 'rules.js')).then(({ rules }) => {
           const read = rules.fen;
           rules.fen = async (text) => {
             rules.fen = read;
             const answer = await read(text);
             await new Promise((done) => { window.release = done; });
             return answer;
           };
         })",
    )
    .await;
    page.click("#start").await;
    page.until("window.release").await;
    page.click("#clear").await;
    let is_over = "document.querySelector('#verdict').innerText.includes('the game ends here')";
    page.until(is_over).await;
    page.eval("release(); new Promise((done) => setTimeout(done))")
        .await;
    assert_eq!(page.eval(is_over).await, true);
    let fen = page.eval("document.querySelector('#fen').value").await;
    assert!(fen.as_str().unwrap().starts_with("11/11/"), "{fen}");
    clean(&page);
}

/// On a position that is over, the analysis says how it ended and that the game is over; the
/// lines of another position do not stay.
#[tokio::test(flavor = "multi_thread")]
async fn a_mated_position_is_told_and_has_no_lines() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.click("#engine").await;
    page.until("document.querySelector('#lines button')").await;
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1";
    page.eval(&format!("document.querySelector('.texts').open = true, document.querySelector('#fen').value = '{mate}'"))
        .await;
    page.click("#load-fen").await;
    page.until("document.querySelector('#status').innerText === 'Blue wins by checkmate.'")
        .await;
    page.until(
        "document.querySelector('#lines').innerText === 'The game is over in this position.'",
    )
    .await;
    assert_eq!(
        page.eval("document.querySelector('#eval').hidden").await,
        true
    );
    clean(&page);
}

/// Keys that act wherever the focus is, with Shift or Caps Lock too; and a list of them.
#[tokio::test(flavor = "multi_thread")]
async fn keys_act_wherever_the_focus_is() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.eval("document.activeElement.blur()").await;
    for key in ["d", "D"] {
        page.press(key).await;
        page.until("document.querySelectorAll('.cover rect').length > 0")
            .await;
        page.press(key).await;
        page.until("document.querySelectorAll('.cover rect').length === 0")
            .await;
    }
    page.press("?").await;
    page.until("document.querySelector('#help[open]')?.innerText.includes('Air defence')")
        .await;
    page.press("Escape").await;
    page.until("!document.querySelector('#help[open]')").await;
    clean(&page);
}

/// On plain http there is no clipboard: the text is copied otherwise, or shown until it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_can_be_copied_without_a_clipboard() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.eval("Object.defineProperty(navigator, 'clipboard', { value: undefined }), document.execCommand = () => false")
        .await;
    page.click("#copy-link").await;
    page.until("document.querySelector('#copy-by-hand[open] input')?.value === location.href")
        .await;
    let chosen = "(e => e.selectionEnd - e.selectionStart === e.value.length && e === document.activeElement)(document.querySelector('#copy-by-hand input'))";
    page.until(chosen).await;
    clean(&page);
}
