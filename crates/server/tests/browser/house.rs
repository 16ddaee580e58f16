//! House rules that ask for a control of their own at the table.

use convoy_server::Pace;

use super::cards::Person;
use super::cdp::Browser;
use super::deck::{self, KITTY};
use super::desk::{clean, open};
use super::hand::Hand;
use crate::common::STILL;

/// With `name_grouping` each tap is a part of the throw: a tractor is led as two pairs.
#[tokio::test(flavor = "multi_thread")]
async fn the_leader_names_the_parts_of_a_throw() {
    let pace = Pace { deal: 0, ..STILL };
    let (site, browser) = (deck::site_for_one(pace).await, Browser::start());
    let person = Person {
        page: browser.person().await,
        hand: Hand::Mouse,
    };
    let page = &person.page;
    page.prefer("light", true).await;
    open(page, &site, "/?lang=en").await;
    page.click(".tractor-home summary").await;
    for (switch, value) in [("name_grouping", "true"), ("throw_mode", "challenge")] {
        page.eval(&format!(
            "document.querySelector('#sw-{switch}').value = '{value}'"
        ))
        .await;
    }
    page.eval("document.querySelector('#tractor-level').value = '1'")
        .await;
    page.click("#play-tractor").await;
    page.until("document.querySelector('#pass')").await;
    // The switches are told to everyone, in words.
    let rules = page
        .eval("document.querySelector('.switches').textContent")
        .await;
    assert!(
        rules
            .as_str()
            .unwrap()
            .contains("the others may block them"),
        "{rules}"
    );
    person.press("[data-offer='2H0 2H1']").await;
    page.until("document.querySelectorAll('#hand .card').length === 33")
        .await;
    person.choose(&KITTY).await;
    person.send().await;
    page.until("document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 25")
        .await;

    person.touch("KC0").await;
    page.until("document.querySelector('#act').innerText.includes('tractor of 2 pairs')")
        .await;
    person.touch("KC0").await;
    person.touch("QC0").await;
    page.until("document.querySelectorAll('#parts .part-of').length === 2")
        .await;
    page.until("document.querySelector('#act').innerText.includes('throw (pair + pair)')")
        .await;
    // Joined again it is a tractor, and cut once more two pairs.
    person.press("#join-parts").await;
    page.until("document.querySelector('#act').innerText.includes('tractor of 2 pairs')")
        .await;
    page.press("Escape").await;
    person.touch("KC0").await;
    person.touch("KC0").await;
    person.touch("QC0").await;
    page.until("document.querySelector('#act').innerText.includes('throw (pair + pair)')")
        .await;
    person.send().await;
    // The real hands decide what stands of it: both pairs, or the one that is led instead.
    page.until("[21, 23].includes(document.querySelectorAll('#hand .card').length)")
        .await;
    clean(page);
}

/// Bots fill a friends' table; whoever comes later sits down in the middle of the round where a bot sat.
#[tokio::test(flavor = "multi_thread")]
async fn an_onlooker_takes_a_bots_seat() {
    let pace = Pace { deal: 0, ..STILL };
    let (site, browser) = (deck::site_for_one(pace).await, Browser::start());
    let (host, guest) = (browser.person().await, browser.person().await);
    open(&host, &site, "/?lang=en").await;
    host.click(".tractor-home [name=opponent][value=friend]")
        .await;
    host.click("#play-tractor").await;
    host.until("location.pathname.startsWith('/game/')").await;
    host.click("[data-act=fill]").await;
    host.until("document.querySelector('#pass')").await;
    let path = host.eval("location.pathname").await;
    open(&guest, &site, path.as_str().unwrap()).await;
    guest
        .until("document.querySelectorAll('[data-sit]').length === 3")
        .await;
    assert_eq!(
        guest
            .eval("document.querySelectorAll('#hand .card').length")
            .await,
        0
    );
    guest.click("[data-sit='2']").await;
    guest
        .until("document.querySelectorAll('#hand .card').length === 25 && document.querySelector('.seat.at-bottom[data-seat=\"2\"]')")
        .await;
    guest.until("!document.querySelector('[data-sit]')").await;
    host.until("document.querySelector('.seat[data-seat=\"2\"]').innerText.includes('Guest-')")
        .await;
    clean(&host);
    clean(&guest);
}
