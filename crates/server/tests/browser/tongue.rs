//! No English is left on a page in another language.

use std::collections::BTreeSet;

use super::cdp::{Browser, Page};
use super::tour::{self, Sight};
use crate::common::Site;

/// Everything that a page says: texts and the names that only screen readers and tips tell. Notation, code and what
/// the visitor may write stays out, and so do names of languages in themselves.
const SAID: &str = r#"(() => {
  const out = new Set([document.title]);
  const skip = 'script, noscript, style, code, textarea, kbd, .turn, .lines, .coords, .initial, .card, .status-code, svg, [lang]:not(html)';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (e && !e.closest(skip)) out.add(walker.currentNode.data.trim().replace(/\s+/g, ' '));
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
    for (const e of document.querySelectorAll(`[${name}]`)) if (!e.matches('.turn, #fen, #new-fen, #typed-move') && !e.closest('[lang]:not(html)')) out.add(e.getAttribute(name).trim());
  }
  return [...out].filter(Boolean);
})()"#;

/// Names that are the same everywhere: also that of the account of the tour, and of what it was opened with.
const NAMES: [&str; 18] = [
    "Convoy",
    "FEN",
    "PGN",
    "JavaScript",
    "Tractor",
    "ejfn",
    "shengji",
    "joker",
    "Joker",
    "Enter",
    "Esc",
    "MARK",
    "http",
    "https",
    "localhost",
    "Linh",
    "Chrome",
    "Linux",
];

async fn said(page: &Page) -> BTreeSet<String> {
    serde_json::from_value(page.eval(SAID).await).unwrap()
}

/// Words of three letters and more that are no names, in what could be English.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    let plain = words.filter(|word| word.len() > 2 && word.is_ascii());
    // A guest's number and the levels of cards are no words.
    let capitals = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    plain
        .filter(|word| !NAMES.contains(word) && !capitals(word))
        .collect()
}

/// What is left in English of a page that shall speak `lang`.
fn left(english: &BTreeSet<String>, other: &BTreeSet<String>, lang: &str) -> Vec<String> {
    let raw = |text: &str| {
        let key = |word: &str| {
            word.split('-').count() > 1
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                && [
                    "tr-", "act-", "refusal-", "outcome-", "set-", "error-", "why-", "puzzle-",
                ]
                .iter()
                .any(|start| word.starts_with(start))
        };
        text.split(' ').any(key)
    };
    let bad = |text: &&String| {
        let same = english.contains(*text) && !words(text).is_empty();
        // Chinese has no letters of its own that English has too.
        raw(text) || same || (lang == "zh" && !words(text).is_empty())
    };
    other.iter().filter(bad).cloned().collect()
}

async fn compare(page: &Page, site: &Site, sight: &Sight) -> Vec<String> {
    let mut faults = vec![];
    sight.visit(page, site, "en").await;
    let english = said(page).await;
    for lang in ["vi", "zh"] {
        sight.visit(page, site, lang).await;
        let other = said(page).await;
        assert!(other.len() > 8, "{}: {other:?}", sight.name);
        for text in left(&english, &other, lang) {
            faults.push(format!("{} ({lang}): {text}", sight.name));
        }
    }
    faults
}

#[tokio::test(flavor = "multi_thread")]
async fn no_english_is_left_on_any_page() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let mut faults = vec![];
    for sight in tour::pages(&page, &site).await {
        faults.extend(compare(&page, &site, &sight).await);
    }
    for sight in tour::pages_of_account(&page, &site).await {
        faults.extend(compare(&page, &site, &sight).await);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_english_is_left_at_the_card_table() {
    let browser = Browser::start();
    let faults = std::sync::Mutex::new(vec![]);
    tour::round(&browser, async |page, site, sight| {
        let found = compare(page, site, sight).await;
        faults.lock().unwrap().extend(found);
    })
    .await;
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn leftovers_are_found() {
    let set = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let english: BTreeSet<String> = set(&["Rules", "FEN · PGN", "Convoy", "7♥"]);
    assert_eq!(
        left(&english, &set(&["Luật chơi", "Rules"]), "vi"),
        ["Rules"]
    );
    assert_eq!(
        left(&english, &set(&["Convoy", "7♥", "FEN · PGN"]), "zh").len(),
        0
    );
    assert_eq!(
        left(&english, &set(&["规则", "the seat"]), "zh"),
        ["the seat"]
    );
    assert_eq!(left(&english, &set(&["tr-no-such-key"]), "vi").len(), 1);
}
