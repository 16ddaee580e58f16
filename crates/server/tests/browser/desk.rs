//! What all browser tests do: open pages, start games, wait for them.

use super::cdp::Page;
use crate::common::Site;

/// Red can combine on c4, unload three pieces from f3, strike h7 and crash into d9. Blue's
/// headquarters cannot move, so the bot cannot spoil any of it; its gun is walled in.
pub(crate) const KINDS: &str =
    "2i5hhc/8hhh/3h4hhh/2hgh6/3h7/7h3/11/11/2T8/2I2(FTI)5/10H/9HC r - - 0 1";

/// Goes to a page of the site.
pub(crate) async fn open(page: &Page, site: &Site, path: &str) {
    page.goto(&format!("http://{}{path}", site.address)).await;
}

/// Opens a game through the form of the home page.
pub(crate) async fn new_game(page: &Page, site: &Site, opponent: &str, fen: &str, minutes: &str) {
    open(page, site, "/").await;
    page.click(&format!("#play [name=opponent][value={opponent}]"))
        .await;
    page.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#level').value = '1', document.querySelector('#minutes').value = '{minutes}', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{fen}'")).await;
    page.click(".new-game > button").await;
    page.until("location.pathname.startsWith('/game/')").await;
    ready(page).await;
}

/// The board has its answer and waits for this person.
pub(crate) async fn ready(page: &Page) {
    page.until("document.querySelector('convoy-board')?.draft && !document.querySelector('convoy-board').pending").await;
}

/// Waits until so many turns are listed.
pub(crate) async fn turns(page: &Page, count: usize) {
    page.until(&format!(
        "document.querySelectorAll('button.turn').length >= {count}"
    ))
    .await;
}

/// What the page says about the game.
pub(crate) async fn status(page: &Page) -> String {
    page.eval("document.querySelector('#status').innerText")
        .await
        .as_str()
        .unwrap()
        .to_owned()
}

/// No uncaught error, nothing refused by the policy, no message that is missing, no request to another host.
pub(crate) fn clean(page: &Page) {
    let complaints = page.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
