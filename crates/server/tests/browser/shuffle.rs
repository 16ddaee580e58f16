//! The page's part in the shuffle: it commits and reveals by itself, goes on after a reload, shows what
//! was voided, and compares the file of the round with what it kept.

use axum::http::StatusCode;
use convoy_server::{Pace, commit_hash};
use serde_json::{Value, json};

use super::cdp::{Browser, Page};
use super::desk::{clean, open};
use super::table;
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
        let mut d = json!({ "number": shuffle["number"], "attempt": shuffle["attempt"] });
        if what == "commit" {
            d["hash"] = json!(commit_hash(server, 1, BITS));
        } else {
            d["bits"] = json!(BITS);
        }
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

/// A round whose first attempt one person did not reveal in, and which was dealt without that person: its table and its file.
async fn dealt_without_somebody(site: &Site) -> (String, Value) {
    let ann = site.visitor().await;
    let id = ann.open(json!({ "game": "tractor", "level": 1 })).await;
    let mut socket = ann.join(&id).await;
    table::commit(&mut socket).await;
    socket.until_view(|view| table::may(view, "reveal")).await;
    site.app.fire_deadline(&id.parse().unwrap()).await.unwrap();
    socket
        .until_view(|view| view["voids"][0]["attempt"] == 1)
        .await;
    table::play_round(std::slice::from_mut(&mut socket)).await;
    let file = ann.get(&format!("/game/{id}.round?ply=1")).await.json();
    (id, file)
}

/// Lets a browser have kept something, as its page at the table keeps it.
async fn keep(page: &Page, name: &str, value: &str) {
    let (name, value) = (Value::from(name), Value::from(value));
    page.eval(&format!("localStorage.setItem({name}, {value})"))
        .await;
}

/// Opens the page of a round; answers whether it is verified, and which comparisons fail.
async fn verdict(page: &Page, site: &Site, id: &str) -> Value {
    open(page, site, &format!("/verify?table={id}&round=1&lang=en")).await;
    page.until("document.querySelector('#verified')").await;
    read_verdict(page).await
}

async fn read_verdict(page: &Page) -> Value {
    page.eval("[document.querySelector('#verified').dataset.ok, ...[...document.querySelectorAll('[data-check].no')].map((check) => check.dataset.check)]").await
}

/// A server that did not like the deal can call the attempt void and blame the honest seat. The file is consistent, and the page
/// of that seat refuses it: its bits are not in what was dealt.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_a_deal_that_one_was_left_out_of_is_refused() {
    let (site, browser) = (site().await, Browser::start());
    let (id, file) = dealt_without_somebody(&site).await;
    let page = browser.person().await;
    // Whoever looked on kept nothing, and has nothing to refuse.
    assert_eq!(verdict(&page, &site, &id).await, json!(["true"]));
    for attempt in [0, 1] {
        let told = &file["attempts"][attempt];
        let shown = json!({ "at": 1, "server": told["server"], "roster": told["roster"] });
        let name = format!("convoy.shuffle.{id}.1.{}", attempt + 1);
        keep(&page, &name, &shown.to_string()).await;
    }
    let hash = file["attempts"][0]["seats"][0]["hash"].as_str().unwrap();
    let bits = format!("0:{}", table::BITS);
    keep(&page, &format!("convoy.bits.{id}.1.1.{hash}"), &bits).await;
    assert_eq!(verdict(&page, &site, &id).await, json!(["false", "yours"]));
    let command = page
        .eval("document.querySelector('#command').textContent")
        .await;
    let wanted = format!("--mine {bits}");
    assert!(command.as_str().unwrap().contains(&wanted), "{command}");

    // Nor is a file taken that is silent about an attempt: of the old format, or with fewer of them.
    let old = Value::from(include_str!("../data/format_1.round.json"));
    page.eval(&format!("document.querySelector('#verdict').replaceChildren(), document.querySelector('#proof-text').value = {old}")).await;
    page.click("#verify").await;
    page.until("document.querySelector('#verified')").await;
    assert_eq!(read_verdict(&page).await, json!(["false", "roster"]));
    clean(&page);
}

/// What a page sends for a view, and what it complains of.
const TAKE_PART: &str = "(view) => { const sent = []; const wrong = takePart({ voids: [], rounds: [], ...view }, (t) => sent.push(t)); return [wrong, ...sent]; }";

/// A page reveals nothing to a server that starts again without a void, or lets a seat fail twice in a match.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_takes_no_part_where_somebody_fails_twice() {
    let (site, browser) = (site().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/verify?lang=en").await;
    let script = format!(
        "import(document.querySelector('script[src*=\"tractor/verify.js\"]').src.replace('verify.js', 'shuffle.js')).then(({{ takePart, seatHash, rosterHash }}) => {{
            const ask = {TAKE_PART};
            const other = '5'.repeat(64);
            const server = (number, attempt) => `${{number}}${{attempt}}`.repeat(32);
            const commit = (number, attempt, voids = []) => ask({{ id: 'abcdefghjkmn', you: 0, can: ['commit'], voids, shuffle: {{ format: 2, number, attempt, server: server(number, attempt) }} }});
            const reveal = (number, attempt, second, voids = []) => {{
                const own = Object.keys(localStorage).find((name) => name.startsWith(`convoy.bits.abcdefghjkmn.${{number}}.${{attempt}}.`)).split('.').at(-1);
                const seats = [{{ kind: 'person', hash: own }}, second, {{ kind: 'bot' }}, {{ kind: 'bot' }}];
                const shuffle = {{ format: 2, number, attempt, server: server(number, attempt), roster: rosterHash(server(number, attempt), seats), seats }};
                return ask({{ id: 'abcdefghjkmn', you: 0, can: ['reveal'], voids, shuffle }});
            }};
            const person = {{ kind: 'person', hash: other }};
            const failed = [{{ round: 1, attempt: 1, seats: [1] }}];
            return [
                commit(1, 1), reveal(1, 1, person),
                commit(1, 2), commit(1, 2, failed), reveal(1, 2, {{ kind: 'absent' }}, failed),
                commit(2, 1, failed), reveal(2, 1, person, failed), reveal(2, 1, person),
                commit(3, 1), reveal(3, 1, {{ kind: 'absent' }}),
            ];
        }})"
    );
    let said = page.eval(&script).await;
    assert_eq!(
        said,
        json!([
            [null, "commit"],
            [null, "reveal"],
            ["changed"],
            [null, "commit"],
            [null, "reveal"],
            [null, "commit"],
            ["again"],
            ["again"],
            [null, "commit"],
            [null, "reveal"],
        ])
    );
    clean(&page);
}

/// However many shuffles a server shows, this month's are not forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_shuffles_makes_a_page_forget_old_ones_alone() {
    let (site, browser) = (site().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/verify?lang=en").await;
    let script = format!(
        "import(document.querySelector('script[src*=\"tractor/verify.js\"]').src.replace('verify.js', 'shuffle.js')).then(({{ takePart, shown }}) => {{
            const ask = {TAKE_PART};
            localStorage.setItem('convoy.shuffle.abcdefghjkmn.9.1', JSON.stringify({{ at: Date.now() - 40 * 86400000, server: 'old' }}));
            for (let number = 1; number <= 300; number += 1) ask({{ id: 'abcdefghjkmx', you: 0, can: [], shuffle: {{ format: 2, number, attempt: 1, server: 'a'.repeat(64) }} }});
            return [shown('abcdefghjkmn.9.1'), shown('abcdefghjkmx.1.1').server.length, shown('abcdefghjkmx.300.1').seat];
        }})"
    );
    assert_eq!(page.eval(&script).await, json!([null, 64, 0]));
}
