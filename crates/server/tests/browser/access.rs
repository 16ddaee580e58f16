//! Who might be kept out: names, contrast, targets, order.

use super::cdp::{Browser, Page};
use super::desk::{KINDS, new_game, open, ready};
use super::hand::Hand;
use crate::common::Site;

const AUDIT: &str = include_str!("audit.js");

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_kept_out() {
    let (site, browser) = (Site::start().await, Browser::start().await);
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "5").await;
    let game = page
        .eval("location.pathname")
        .await
        .as_str()
        .unwrap()
        .to_owned();
    let paths = [
        "/",
        &game,
        "/analysis",
        "/editor",
        "/rules/cotulenh",
        "/account",
        "/archive",
        "/nothing-here",
    ];
    let mut faults = Vec::new();
    for (width, height) in [(1280, 800), (390, 844)] {
        page.size(width, height).await;
        for theme in ["light", "dark", "contrast"] {
            for path in paths {
                open(&page, &site, path).await;
                page.eval(&format!("localStorage.setItem('convoy.settings', JSON.stringify({{theme: '{theme}', animation: false}}))")).await;
                page.reload().await;
                if path == game {
                    ready(&page).await;
                    Hand::Mouse.square(&page, "f3").await;
                    page.until("document.querySelectorAll('.part').length === 3")
                        .await;
                }
                let found = page.eval(AUDIT).await;
                let found = found
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|fault| format!("{path} {theme} {width}: {fault}"));
                faults.extend(found);
                faults.extend(
                    unnamed(&page)
                        .await
                        .into_iter()
                        .map(|fault| format!("{path} {theme} {width}: {fault}")),
                );
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
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
    let (site, browser) = (Site::start().await, Browser::start().await);
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
