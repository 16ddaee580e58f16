//! The rules pages: search, links, print.

use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{clean, open};
use super::hand::Hand;
use super::shots::keep;
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_searched_linked_and_printed_on_two_pages() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    for (path, words, found) in [
        ("/rules/cotulenh?lang=en", "heavy river", "river"),
        ("/rules/cotulenh?lang=vi", "ham doi", ""),
        ("/rules/tractor?lang=en", "kitty multiplied", "bonus"),
        ("/rules/tractor?lang=vi", "vong cuoi nhan", "bonus"),
    ] {
        open(&page, &site, path).await;
        page.click("#rules-search").await;
        page.write(words).await;
        let shown = "[...document.querySelectorAll('.rules section[id]')].filter(e => !e.hidden).map(e => e.id)";
        if found.is_empty() {
            page.until("document.querySelector('#rules-none').innerText")
                .await;
        } else {
            page.until(&format!(
                "{shown}.includes('{found}') && {shown}.length < 6"
            ))
            .await;
        }
    }
    open(&page, &site, "/rules/tractor?lang=en#scoring").await;
    page.until("document.querySelector(':target')?.id === 'scoring' && document.querySelectorAll('.scores tbody tr').length === 7")
        .await;
    for path in ["/rules/cotulenh", "/rules/tractor"] {
        for lang in ["en", "vi", "zh"] {
            open(&page, &site, &format!("{path}?lang={lang}")).await;
            let a4 = json!({ "paperWidth": 8.27, "paperHeight": 11.69 });
            let pdf = page.call("Page.printToPDF", a4).await;
            let pdf = pdf["data"].as_str().unwrap();
            let sheets = page
                .eval(&format!(
                    "atob({pdf:?}).match(/\\/Type\\s*\\/Page[^s]/g).length"
                ))
                .await;
            assert!(
                sheets.as_u64().unwrap() <= 2,
                "{path} {lang}: {sheets} pages"
            );
        }
        // What can be tried takes no room on paper.
        page.call("Emulation.setEmulatedMedia", json!({ "media": "print" }))
            .await;
        let shown = "[...document.querySelectorAll('.rules-search, .practise, .calculator, [data-examples]')].filter(e => e.offsetHeight).length";
        assert_eq!(page.eval(shown).await, 0, "{path}");
        page.call("Emulation.setEmulatedMedia", json!({ "media": "" }))
            .await;
    }
    clean(&page);
}

/// Pictures of some sections on a phone and on a desk; nothing is wider than the page.
async fn pictures(page: &Page, site: &Site, path: &str, sections: &[&str]) {
    for (size, width, height, lang) in [("phone", 390, 844, "vi"), ("desktop", 1280, 800, "en")] {
        page.size(width, height).await;
        for section in sections {
            open(page, site, &format!("{path}?lang={lang}#{section}")).await;
            if path.ends_with("cotulenh") {
                page.click(&format!("#{section} [data-try]")).await;
                page.until(&format!(
                    "document.querySelector('#{section} convoy-board')?.draft"
                ))
                .await;
            } else {
                page.until("document.querySelector('#score').children.length === 5 && [...document.querySelectorAll('.said')].every((e) => e.innerText)")
                    .await;
            }
            page.until("document.documentElement.scrollWidth <= innerWidth")
                .await;
            page.eval(&format!(
                "document.querySelector('#{section}').scrollIntoView()"
            ))
            .await;
            keep(page, &format!("rules-{section}-{size}-{lang}")).await;
        }
    }
}

/// Waits until what is said below an example or a board has these words.
async fn says(page: &Page, place: &str, words: &str) {
    page.until(&format!(
        "document.querySelector('{place} .said')?.innerText.includes({words:?})"
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_rule_of_the_board_can_be_tried() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.prefer("light", true).await;
    open(&page, &site, "/rules/cotulenh?lang=en").await;
    assert_eq!(
        page.eval("[...document.querySelectorAll('.rules section[id]')].filter(e => !e.querySelector('[data-try]')).map(e => e.id).join()").await,
        ""
    );
    // The board stands as the text says: the aircraft and the tank have left.
    page.click("#deploy [data-try]").await;
    page.until("(b => b?.draft?.steps.length === 2 && b.view.placement.get('h7') && b.view.placement.get('e6') && b.selected === 'e4')(document.querySelector('#deploy convoy-board'))")
        .await;
    // The tank has not reached h7 by itself: it has left with the aircraft.
    page.click("#recombine [data-try]").await;
    page.until("document.querySelector('#recombine .cells [data-square=h7].target')")
        .await;
    page.click("#recombine [data-square=h7]").await;
    page.until("document.querySelector('#recombine convoy-board').view.placement.get('h7')?.parts.length === 2")
        .await;
    // Without a further rule the loss of the last ship would end nothing.
    page.click("#victories [data-try]").await;
    for square in ["c6", "c7"] {
        page.until(&format!(
            "document.querySelector('#victories .cells [data-square={square}]:is(.own, .target)')"
        ))
        .await;
        page.click(&format!("#victories [data-square={square}]"))
            .await;
    }
    says(&page, "#victories", "Red wins as both ships were sunk").await;
    page.click("#mate [data-try]").await;
    says(&page, "#mate", "Blue wins by checkmate").await;
    page.click("#draws [data-try]").await;
    says(&page, "#draws", "Draw by stalemate").await;
    pictures(&page, &site, "/rules/cotulenh", &["deploy", "mate"]).await;
    clean(&page);
}

/// Examples by their place: how they are tried, what they say, the card that is pressed, and what they say then.
const TRIED: [(Hand, &str, &str, &str, &str); 6] = [
    (
        Hand::Mouse,
        "#trump .example",
        "3♥ beats A♠",
        "AS0",
        "Choose two cards",
    ),
    (
        Hand::Touch,
        "#declaring .example:first-child",
        "Allowed: a pair of spades",
        "2S1",
        "does not beat the current declaration",
    ),
    (
        Hand::Keys,
        "#declaring .example:last-child",
        "does not beat the current declaration",
        "2S1",
        "does not beat the current declaration",
    ),
    (
        Hand::Mouse,
        "#failed .example",
        "Your partner can beat 10♠",
        "TS1",
        "nobody can beat a part of it",
    ),
    (
        Hand::Touch,
        "#tricks .example",
        "You win the trick: 35 points",
        "3H1",
        "not allowed",
    ),
    (
        Hand::Keys,
        "#bonus .example",
        "kitty 15 × 4 = 60 points",
        "QS1",
        "kitty 15 × 2 = 30 points",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_rule_of_the_cards_can_be_tried() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/rules/tractor?lang=en").await;
    for (hand, place, first, card, then) in TRIED {
        says(&page, place, first).await;
        hand.button(&page, &format!("{place} button[data-card='{card}']"))
            .await;
        says(&page, place, then).await;
    }
    for card in ["2S0", "sj0", "sj1"] {
        page.click(&format!(
            "#declaring .example:last-child [data-card='{card}']"
        ))
        .await;
    }
    says(
        &page,
        "#declaring .example:last-child",
        "Allowed: no trump (small jokers)",
    )
    .await;
    pictures(
        &page,
        &site,
        "/rules/tractor",
        &["trump", "failed", "tricks", "scoring"],
    )
    .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_score_is_calculated() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/rules/tractor?lang=en#calculator").await;
    let score = async |words: &str| {
        page.until(&format!(
            "document.querySelector('#score').innerText.includes({words:?})"
        ))
        .await;
    };
    score("kitty 15 × 4 = 60").await;
    score("The attackers (team B) take over: +1 level").await;
    score("A plays 2s, B plays 3s").await;
    let choose = async |name: &str, value: &str| {
        page.eval(&format!("(e => {{ e.value = '{value}'; e.dispatchEvent(new Event('input', {{ bubbles: true }})); }})(document.querySelector('#calculator [name={name}]'))"))
            .await;
    };
    choose("last", "A").await;
    score("the kitty does not count").await;
    score("The defenders (team A) hold: +1 level").await;
    choose("a", "A").await;
    score("Team A defended the last level and wins the match").await;
    choose("points", "0").await;
    score("+3 levels").await;
    clean(&page);
}
