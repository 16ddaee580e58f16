//! The page's part in the shuffle: it commits and reveals by itself, goes on after a reload, shows what
//! was voided, and compares the file of the round with what it kept.

use axum::http::StatusCode;
use convoy_server::{Pace, commit_hash};
use serde_json::{Value, json};

use super::cdp::{Browser, Page};
use super::desk::{clean, open};
use crate::common::{STILL, Site, Socket, Visitor, config, paced};

const BITS: &str = "5151515151515151515151515151515151515151515151515151515151515151";

/// Ann's page and Bob's socket at one table with two bots, while both are to commit.
struct Pair {
    ann: Page,
    bob: Socket,
    visitor: Visitor,
    id: String,
}

impl Pair {
    async fn sit(site: &Site, browser: &Browser) -> Self {
        let ann = browser.person().await;
        open(&ann, site, "/?lang=en").await;
        let new_table = json!({ "game": "tractor", "opponent": "friend", "level": 1 });
        let opening = format!(
            "fetch('/api/v1/tables', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: '{new_table}' }}).then((reply) => reply.json()).then((table) => table.id)"
        );
        let id = ann.eval(&opening).await.as_str().unwrap().to_owned();
        let visitor = site.visitor().await;
        assert_eq!(visitor.sit(&id).await.status, StatusCode::OK);
        let mut bob = visitor.join(&id).await;
        open(&ann, site, &format!("/game/{id}?lang=en")).await;
        ann.until("document.querySelector('[data-act=fill]')").await;
        ann.click("[data-act=fill]").await;
        bob.until_view(|view| view["shuffle"]["committed"][0] == true)
            .await;
        Self {
            ann,
            bob,
            visitor,
            id,
        }
    }

    /// Bob commits, and later reveals.
    async fn bob(&mut self, what: &str) {
        self.bob
            .until_view(|view| view["can"].as_array().unwrap().contains(&json!(what)))
            .await;
        let shuffle = &self.bob.view["shuffle"];
        let server = shuffle["server"].as_str().unwrap();
        let d = json!({
            "number": shuffle["number"],
            "attempt": shuffle["attempt"],
            "hash": commit_hash(server, 1, BITS),
            "bits": BITS,
        });
        self.bob.act(what, d).await;
    }
}

/// Time passes only when a test says so.
async fn site() -> Site {
    let pace = Pace { deal: 0, ..STILL };
    Site::with(paced(pace, config())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_commits_is_loaded_again_and_reveals() {
    let (site, browser) = (site().await, Browser::start());
    let mut pair = Pair::sit(&site, &browser).await;
    let own = pair
        .ann
        .eval("Object.keys(localStorage).find((name) => name.startsWith('convoy.bits.'))");
    let own = own.await.as_str().unwrap().to_owned();
    assert!(own.contains(&format!(".{}.1.1.", pair.id)), "{own}");

    pair.ann.reload().await;
    pair.bob("commit").await;
    let bob = &mut pair.bob;
    bob.until_view(|view| view["shuffle"]["revealed"][0] == true)
        .await;
    let hash = bob.view["shuffle"]["seats"][0]["hash"].clone();
    assert!(own.ends_with(hash.as_str().unwrap()), "the bits of before");
    let roster = bob.view["shuffle"]["roster"].clone();
    pair.bob("reveal").await;
    pair.ann
        .until("document.querySelector('#pass') || document.querySelectorAll('#hand [data-card]').length")
        .await;
    let shown = pair
        .ann
        .eval("document.querySelector('#commitment').textContent")
        .await;
    assert_eq!(shown, roster);
    assert_eq!(
        pair.ann
            .eval("document.querySelector('#voids').hidden")
            .await,
        true
    );
    clean(&pair.ann);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_is_shown_and_counted() {
    let (site, browser) = (site().await, Browser::start());
    let mut pair = Pair::sit(&site, &browser).await;
    pair.bob("commit").await;
    // Ann reveals, and Bob lets his time pass.
    pair.bob
        .until_view(|view| view["shuffle"]["revealed"][0] == true)
        .await;
    site.app
        .fire_deadline(&pair.id.parse().unwrap())
        .await
        .unwrap();
    pair.ann
        .until("document.querySelector('#voids').dataset.count === '1' && !document.querySelector('#voids').hidden")
        .await;
    let words = pair
        .ann
        .eval("document.querySelector('#voids').innerText")
        .await;
    let name = pair.visitor.view(&pair.id).await["seats"][1]["name"].clone();
    assert!(
        words.as_str().unwrap().contains(name.as_str().unwrap()),
        "{words}"
    );
    // The cards come without him, and the count stays.
    pair.bob
        .until_view(|view| view["dealt"].as_u64() > Some(0))
        .await;
    assert_eq!(pair.bob.view["shuffle"]["attempt"], 2);
    pair.ann.reload().await;
    pair.ann
        .until("document.querySelector('#voids').dataset.count === '1'")
        .await;
    clean(&pair.ann);
}

/// The page's own SHA-256 against the browser's, which is missing on plain http; and the hashes against
/// the example of docs/fairness.md.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_hashes_as_the_document_says() {
    let (site, browser) = (site().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/verify?lang=en").await;
    let module = "import(document.querySelector('script[src*=\"tractor/verify.js\"]').src.replace('verify.js', 'shuffle.js'))";
    let same = format!(
        "{module}.then(async ({{ sha256, hex }}) => {{ let same = 0; for (let n = 0; n < 200; n += 1) {{ const bytes = Uint8Array.from({{ length: n }}, (_, i) => i * 7 + n); const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)); if (hex(sha256(bytes)) === hex(sum)) same += 1; }} return same; }})"
    );
    assert_eq!(page.eval(&same).await, 200);
    let (server, zero, three) = (
        "7a05278dd7818a35b3a96a31820271643c8ac47776f1d1f443215ee9cbc636ab",
        "eea8c7a25e8347018dfd1f2dd24df4b60b4d50cfcebab9c16296eb4bae79e2de",
        "ab2038342eda3840895bfc6c651219a33932798a465aba11e4fbd8c3258436d5",
    );
    let seats = json!([
        { "kind": "person", "hash": zero },
        { "kind": "bot", "hash": null },
        { "kind": "absent", "hash": null },
        { "kind": "person", "hash": three },
    ]);
    let hashes = format!(
        "{module}.then(({{ seatHash, rosterHash }}) => [seatHash('{server}', 0, '22'.repeat(32)), seatHash('{server}', 3, '33'.repeat(32)), rosterHash('{server}', {seats})])"
    );
    let roster = "33f6562015343abc06dd733cbccada5ab3b191fa8e5723cb11a501e23c44ff09";
    assert_eq!(page.eval(&hashes).await, json!([zero, three, roster]));
}

/// What the command refuses, the page refuses; and an old file is labelled.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_labels_old_files_and_refuses_altered_ones() {
    let (site, browser) = (site().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/verify?lang=en").await;
    let old = include_str!("../data/format_1.round.json");
    let enter = async |file: &str| {
        let text = Value::from(file);
        page.eval(&format!("document.querySelector('#verdict').replaceChildren(), document.querySelector('#proof-text').value = {text}")).await;
        page.click("#verify").await;
        page.until("document.querySelector('#verified')").await;
        page.eval("[document.querySelector('#verified').dataset.ok, document.querySelector('#promise')?.dataset.promise ?? null, document.querySelector('#verify-fault')?.dataset.code ?? null]").await
    };
    assert_eq!(enter(old).await, json!(["true", "server-commitment", null]));
    let words = page
        .eval("document.querySelector('#promise').innerText")
        .await;
    assert!(
        words.as_str().unwrap().contains("weaker guarantee"),
        "{words}"
    );
    for (from, to, code) in [
        ("starter 0", "starter 1", "record"),
        ("\"winner\": \"A\"", "\"winner\": \"Z\"", "result"),
        ("\"number\": 1", "\"number\": 2", "seed"),
        ("{", "", "unreadable"),
    ] {
        let altered = old.replacen(from, to, 1);
        assert_ne!(altered, old, "{from}");
        assert_eq!(enter(&altered).await, json!(["false", null, code]), "{to}");
    }
    clean(&page);
}
