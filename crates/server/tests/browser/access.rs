//! Who might be kept out: names, contrast, targets, order.

use super::cdp::{Browser, Page};
use super::desk::open;
use super::tour::{self, Sight};
use crate::common::Site;

const AUDIT: &str = include_str!("audit.js");

/// Everything wrong with what a page shows, on a desk and on a phone, light, dark and in high contrast.
async fn audit(page: &Page, site: &Site, sight: &Sight) -> Vec<String> {
    let mut faults = vec![];
    // What is on its way is judged when it has arrived.
    page.prefer("light", true).await;
    for (width, height) in [(1280, 800), (390, 844)] {
        page.size(width, height).await;
        sight.visit(page, site, "en").await;
        for theme in ["light", "dark", "contrast"] {
            // A theme changes colours and nothing else.
            page.eval(&format!(
                "document.documentElement.dataset.theme = '{theme}'"
            ))
            .await;
            let found = page.eval(AUDIT).await;
            let found: Vec<String> = serde_json::from_value(found).unwrap();
            faults.extend(
                found
                    .into_iter()
                    .map(|fault| format!("{} {theme} {width}: {fault}", sight.name)),
            );
        }
        let unnamed = unnamed(page).await.into_iter();
        faults.extend(unnamed.map(|fault| format!("{} {width}: {fault}", sight.name)));
    }
    page.size(1280, 800).await;
    faults
}

fn none(faults: &[String]) {
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_kept_out() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let mut faults = vec![];
    for sight in tour::pages(&page, &site).await {
        faults.extend(audit(&page, &site, &sight).await);
    }
    none(&faults);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_kept_out_of_the_card_table() {
    let browser = Browser::start();
    let faults = std::sync::Mutex::new(vec![]);
    tour::round(&browser, async |page, site, sight| {
        let found = audit(page, site, sight).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_sees_what_is_wrong() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/account").await;
    page.eval("document.querySelector('main').insertAdjacentHTML('beforeend', '<img><input><p id=main class=pale>pale</p><button tabindex=3></button>')").await;
    page.eval("document.querySelector('.pale').style.color = '#ddd', document.querySelector('[tabindex]').style.cssText = 'all: unset; width: 9px; height: 9px'").await;
    let faults = page.eval(AUDIT).await.to_string();
    for fault in [
        "no alt",
        "no label",
        "id main stands 2 times",
        "contrast",
        "tabindex 3",
        "target of 9 by 9",
        "inline style",
    ] {
        assert!(faults.contains(fault), "{fault}: {faults}");
    }
    assert!(
        unnamed(&page)
            .await
            .contains(&"a \"button\" without a name".to_owned())
    );
}
