//! Who might be kept out: names, contrast, targets, order.

use super::cdp::{Browser, Page};
use super::desk::open;
use super::launch::Fonts;
use super::layout::misplaced;
use super::tour::{self, Sight};
use crate::common::Site;

const AUDIT: &str = include_str!("audit.js");

/// Letters that are pictures, by ranges; `cargo xtask test` searches the files for the same.
const GLYPHS: &str = include_str!("glyphs.txt");

/// What the audit finds wrong with the page as it is shown now.
async fn faults(page: &Page) -> Vec<String> {
    let ranges = GLYPHS.lines().map(|line| {
        let (first, last) = line.split(' ').next().unwrap().split_once('-').unwrap();
        format!("\\u{{{first}}}-\\u{{{last}}}")
    });
    let glyphs = format!("/[{}]/u", ranges.collect::<String>());
    let found = page.eval(&AUDIT.replace("GLYPHS", &glyphs)).await;
    serde_json::from_value(found).unwrap()
}

/// The folder of `target` that `cargo xtask test` fetches axe-core into.
const AXE: &str = concat!(
    env!("CARGO_TARGET_TMPDIR"),
    "/../axe/node_modules/axe-core/axe.min.js"
);

/// What of axe-core's rules is asked.
#[derive(Clone, Copy)]
enum Rules {
    All,
    /// Whether colours can be told apart.
    Colours,
    /// What colours have no part in.
    Others,
}

/// What axe-core finds wrong with the page as it is shown now.
async fn axe(page: &Page, rules: Rules) -> Vec<String> {
    static SOURCE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let source = SOURCE.get_or_init(|| {
        std::fs::read_to_string(AXE)
            .unwrap_or_else(|error| panic!("{AXE}: {error}: `cargo xtask test` fetches it"))
    });
    if page.eval("typeof axe").await == "undefined" {
        page.eval(&format!("{source}; undefined")).await;
    }
    let chosen = match rules {
        Rules::All => "{}",
        Rules::Colours => "{ runOnly: ['color-contrast', 'link-in-text-block'] }",
        Rules::Others => "{ rules: { 'color-contrast': { enabled: false } } }",
    };
    let found = page
        .eval(&format!("axe.run(document, {{ resultTypes: ['violations'], ...{chosen} }}).then(({{ violations }}) => violations.flatMap((rule) => rule.nodes.map((node) => `axe ${{rule.id}}: ${{node.target.join(' ')}}`)))"))
        .await;
    serde_json::from_value(found).unwrap()
}

/// A theme changes colours and nothing else, a language everything else.
fn rules(lang: &str, theme: &str) -> Rules {
    match (lang, theme) {
        ("en", "light") => Rules::All,
        ("en", _) => Rules::Colours,
        _ => Rules::Others,
    }
}

/// Everything wrong with what a page shows: on a desk and on a phone, light, dark and in high
/// contrast, and on a phone in the other languages; and in each language, what is out of place at any size.
async fn audit(page: &Page, site: &Site, sight: &Sight, fonts: Fonts) -> Vec<String> {
    let mut all = vec![];
    // What is on its way is judged when it has arrived.
    page.prefer("light", true).await;
    let every: &[_] = &["light", "dark", "contrast"];
    let looks = [
        ((390, 844), "vi", &every[..1]),
        ((390, 844), "zh", &every[..1]),
        ((390, 844), "en", every),
        ((1280, 800), "en", every),
    ];
    for ((width, height), lang, themes) in looks {
        page.size(width, height).await;
        sight.visit(page, site, lang).await;
        for theme in themes {
            // A theme changes colours and nothing else.
            page.eval(&format!(
                "document.documentElement.dataset.theme = '{theme}'"
            ))
            .await;
            let mut found = faults(page).await;
            // What axe-core looks for does not depend on fonts.
            if fonts == Fonts::Wide {
                found.extend(axe(page, rules(lang, theme)).await);
            }
            let found = found.into_iter();
            all.extend(
                found.map(|fault| format!("{} {lang} {theme} {width}: {fault}", sight.name)),
            );
        }
        let found = unnamed(page).await.into_iter();
        all.extend(found.map(|fault| format!("{} {lang} {width}: {fault}", sight.name)));
        if width == 390 {
            all.extend(misplaced(page, &format!("{} {lang}", sight.name)).await);
        }
    }
    all
}

fn none(faults: &[String]) {
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
}

with_both_fonts!(
    nobody_is_kept_out,
    nobody_is_kept_out_of_the_card_table,
    the_audit_sees_what_is_wrong,
);

async fn nobody_is_kept_out(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    let mut faults = vec![];
    for sight in tour::pages(&page, &site).await {
        faults.extend(audit(&page, &site, &sight, fonts).await);
    }
    for sight in tour::pages_of_account(&page, &site).await {
        faults.extend(audit(&page, &site, &sight, fonts).await);
    }
    none(&faults);
}

/// Plays of a dozen cards, whatever mistakes were made: which ones bots make is a matter of chance.
const LONG_THROWS: &str = "document.querySelectorAll('.way .row').forEach((row) => {
  while (row.children.length < 12) row.append(row.lastElementChild.cloneNode(true));
})";

async fn nobody_is_kept_out_of_the_card_table(fonts: Fonts) {
    let browser = Browser::with(fonts);
    let faults = std::sync::Mutex::new(vec![]);
    tour::round(&browser, async |page, site, sight| {
        let mut found = audit(page, site, sight, fonts).await;
        if sight.name == "review of a round" {
            page.eval(LONG_THROWS).await;
            found.extend(misplaced(page, "long throws").await);
        }
        faults.lock().unwrap().extend(found);
    })
    .await;
    none(&faults.into_inner().unwrap());
}

/// What the browser's own accessibility tree gives no name to.
async fn unnamed(page: &Page) -> Vec<String> {
    let tree = page
        .call("Accessibility.getFullAXTree", serde_json::json!({}))
        .await;
    let needs = [
        "button", "link", "textbox", "combobox", "checkbox", "radio", "gridcell", "image", "grid",
        "dialog", "meter",
    ];
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let bad = nodes.filter(|node| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let name = node["name"]["value"].as_str().unwrap_or_default();
        node["ignored"] != true && needs.contains(&role) && name.trim().is_empty()
    });
    bad.map(|node| format!("a {} without a name", node["role"]["value"]))
        .collect()
}

async fn the_audit_sees_what_is_wrong(fonts: Fonts) {
    let (site, browser) = (Site::start().await, Browser::with(fonts));
    let page = browser.person().await;
    open(&page, &site, "/account").await;
    none(&faults(&page).await);
    page.eval("document.querySelector('main').insertAdjacentHTML('beforeend', '<img><input><p id=main class=pale>pale</p><button tabindex=3></button><button class=small aria-label=small></button><button aria-label=first>⏮</button>')").await;
    page.eval("document.querySelector('.pale').style.color = '#ddd'")
        .await;
    for (selector, size) in [("[tabindex='3']", 9), (".small", 20)] {
        page.eval(&format!("document.querySelector({selector:?}).style.cssText = 'all: unset; width: {size}px; height: {size}px'")).await;
    }
    let faults = faults(&page).await.join("\n");
    for fault in [
        "no alt",
        "no label",
        "id main stands 2 times",
        "contrast",
        "tabindex 3",
        "target of 9 by 9",
        "target of 20 by 20",
        "inline style",
        "a letter as a picture: ⏮",
    ] {
        assert!(faults.contains(fault), "{fault}: {faults}");
    }
    for (rules, fault, other) in [
        (Rules::Colours, "color-contrast", "button-name"),
        (Rules::Others, "button-name", "color-contrast"),
    ] {
        let found = axe(&page, rules).await.join("\n");
        assert!(found.contains(fault) && !found.contains(other), "{found}");
    }
    let found = axe(&page, Rules::All).await.join("\n");
    assert!(found.contains("button-name") && found.contains("color-contrast"));
    assert!(
        unnamed(&page)
            .await
            .contains(&"a \"button\" without a name".to_owned())
    );
}
