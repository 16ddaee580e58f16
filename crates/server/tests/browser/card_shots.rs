//! Pictures of the card table: `cargo xtask shots` keeps them beside the others.

use super::cards::{Person, play_on, sit_down};
use super::cdp::Browser;
use super::deck::{self, KITTY, deal};
use super::desk::open;
use super::shots::keep;
use crate::common::{STILL, Site};

async fn both(people: &[&Person], name: &str) {
    for (person, size) in people.iter().zip(["desktop", "phone"]) {
        keep(&person.page, &format!("tractor-{name}-{size}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_the_card_table() {
    let (site, browser) = (deck::site(STILL).await, Browser::start());
    let (people, _watcher) = sit_down(&site, &browser).await;
    let [a, b, c, d] = &people[..] else { panic!() };
    deal(&site, &b.page, 12).await;
    for person in [b, c] {
        person
            .page
            .until("document.querySelectorAll('#hand .card').length === 12")
            .await;
    }
    both(&[b, c], "deal").await;
    deal(&site, &b.page, 13).await;
    b.page.until("document.querySelector('#pass')").await;
    b.press("[data-offer='2H0 2H1']").await;
    b.page
        .until("document.querySelectorAll('#hand .card').length === 33")
        .await;
    b.choose(&KITTY[..6]).await;
    both(&[b, c], "bury").await;
    b.page.size(390, 844).await;
    keep(&b.page, "tractor-burying-phone").await;
    // Who declares what is told in full, on as many lines as it takes.
    let cut = "(e => e.scrollWidth > e.clientWidth + 1)(document.querySelector('.declares'))";
    assert_eq!(b.page.eval(cut).await, false);
    b.page.size(1280, 800).await;
    b.choose(&KITTY).await;
    b.send().await;
    b.page
        .until("document.querySelector('[data-act=hint]')")
        .await;
    b.choose(&["AS0", "QS0"]).await;
    b.page.until("document.querySelector('#why.refused')").await;
    both(&[b, c], "refused").await;
    b.choose(&["AD0", "AD1", "KD0"]).await;
    b.send().await;
    c.press("[data-act=hint]").await;
    c.page
        .until("document.querySelector('#act').ariaDisabled === 'false'")
        .await;
    for person in [b, c] {
        // A notice would cover what the picture is to show.
        person
            .page
            .eval("document.querySelector('.toasts')?.remove()")
            .await;
    }
    both(&[b, c], "throw").await;
    in_every_language(&site, b, c).await;
    play_on(&[a, b, c, d]).await;
    for person in [b, c] {
        person
            .page
            .until("document.querySelectorAll('.one-hand').length === 5")
            .await;
    }
    both(&[b, c], "result").await;
    open(&b.page, &site, "/rules/tractor").await;
    keep(&b.page, "tractor-rules-desktop").await;
    open(&c.page, &site, "/rules/tractor").await;
    keep(&c.page, "tractor-rules-phone").await;
}

/// The table in the dark and in all three languages, at a desk and on a phone.
async fn in_every_language(site: &Site, b: &Person, c: &Person) {
    let path = b.page.eval("location.pathname").await;
    let path = path.as_str().unwrap().to_owned();
    for lang in ["vi", "zh", "en"] {
        for (person, size) in [(b, "desktop"), (c, "phone")] {
            person.page.prefer("dark", true).await;
            open(&person.page, site, &format!("{path}?lang={lang}")).await;
            person
                .page
                .until("document.querySelector('#hand .card')")
                .await;
            keep(&person.page, &format!("tractor-{size}-dark-{lang}")).await;
            person.page.prefer("light", false).await;
        }
    }
}
