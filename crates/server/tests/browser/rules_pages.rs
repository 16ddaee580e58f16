//! The rules pages: search, links, print.

use serde_json::json;

use super::cdp::Browser;
use super::desk::{clean, open};
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
    }
    clean(&page);
}
