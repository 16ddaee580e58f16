//! The site as an app on a device: it can be installed, and says what of it needs a connection.

use serde_json::json;

use super::cdp::Browser;
use super::desk::{clean, open, ready};
use super::offline::without_server;
use crate::common::Site;

/// Fetches every icon of the manifest: its type, and its size in pixels as the browser draws it.
const ICONS: &str = "(async () => {
  const link = document.querySelector('link[rel=manifest]');
  const { icons, start_url, scope, display } = await (await fetch(link.href)).json();
  const look = async ({ src, sizes, type }) => {
    const answer = await fetch(new URL(src, link.href));
    const image = new Image();
    image.src = answer.url;
    await image.decode();
    return { isAsTold: answer.headers.get('content-type') === type && (sizes === 'any' || sizes === `${image.width}x${image.height}`), sizes };
  };
  return { icons: await Promise.all(icons.map(look)), start_url, scope, display };
})()";

#[tokio::test(flavor = "multi_thread")]
async fn the_site_can_be_installed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/?lang=en").await;
    let manifest = page.call("Page.getAppManifest", json!({})).await;
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let told = page.eval(ICONS).await;
    let icons = told["icons"].as_array().unwrap();
    assert!(icons.iter().all(|icon| icon["isAsTold"] == true), "{told}");
    for size in ["192x192", "512x512"] {
        assert!(icons.iter().any(|icon| icon["sizes"] == size), "{told}");
    }
    assert_eq!(
        (&told["start_url"], &told["scope"], &told["display"]),
        (&json!("/"), &json!("/"), &json!("standalone"))
    );
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_need_a_connection_say_so() {
    let (page, site) = without_server().await;
    let told = "(said => said.checkVisibility() ? said.innerText : '')(document.querySelector('#needs-connection'))";
    for (path, words) in [
        ("/puzzles/cotulenh?lang=en", "needs a connection"),
        ("/puzzles/tractor?lang=vi", "cần có mạng"),
        ("/games?lang=zh", "需要联网"),
    ] {
        open(&page, &site, path).await;
        page.until(&format!("{told}.includes({})", json!(words)))
            .await;
    }
    // They may be asked for again, and the page leads to what there is.
    page.eval("window.stale = true").await;
    page.click("#ask-again").await;
    page.until(&format!("!window.stale && {told}.includes('需要联网')"))
        .await;
    assert_eq!(page.eval("location.pathname").await, "/games");
    for selector in ["#new-offline", "#new-offline-tractor", "a[href='/learn']"] {
        let shown = format!("document.querySelector(\"{selector}\").checkVisibility()");
        assert_eq!(page.eval(&shown).await, true, "{selector}");
    }
    // The page itself needs none, and names what does.
    open(&page, &site, "/offline?lang=en").await;
    page.until("document.querySelector('#offline-state').innerText.startsWith('Ready')")
        .await;
    assert_eq!(page.eval(told).await, "");
    let named = page
        .eval("document.querySelector('#online-only').innerText")
        .await;
    assert!(named.as_str().unwrap().starts_with("Puzzles"), "{named}");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_of_the_server_is_missed_aloud() {
    let (page, site) = without_server().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    let choose = |engine: &str| {
        format!(
            "(where => (where.value = '{engine}', where.dispatchEvent(new Event('change'))))(document.querySelector('#engine-where'))"
        )
    };
    page.eval(&choose("server")).await;
    page.click("#engine").await;
    page.until("document.querySelector('#lines').innerText.includes('cannot be reached')")
        .await;
    page.eval(&choose("device")).await;
    page.until("document.querySelectorAll('#lines li').length > 1")
        .await;
}
