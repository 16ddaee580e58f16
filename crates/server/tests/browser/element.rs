//! Boards on other sites: `<convoy-board>` of the npm package on a page that knows nothing of this server, and frames.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use axum::Router;
use axum::extract::Path as Asked;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use serde_json::{Value, json};

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, new_game, open, ready, turns};
use super::hand::Hand;
use super::line::HANG;
use crate::common::{LONG, Site};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/js")
}

/// Puts the module of the element together, once.
fn assemble() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let mut tool = Command::new("node");
        let tool = tool.arg(package().join("tools/board.js"));
        assert!(tool.status().unwrap().success());
    });
}

async fn module(Asked(path): Asked<String>) -> Response {
    let bytes = std::fs::read(package().join("lib").join(path)).unwrap();
    let headers = [
        (CONTENT_TYPE, "text/javascript"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (headers, bytes).into_response()
}

/// Serves one page, and the files of the package, from an address of its own.
async fn elsewhere(page: String) -> String {
    let page = get(async move || Html(page));
    let router = Router::new()
        .route("/", page)
        .route("/lib/{*path}", get(module));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/")
}

fn inside(selector: &str) -> String {
    format!("convoy-board >>> {selector}")
}

fn cell(square: &str) -> String {
    inside(&format!("[data-square={square}]"))
}

/// A page with a board that can be played and drawn on, and that keeps what it hears.
async fn with_element(browser: &Browser, attributes: &str) -> Page {
    assemble();
    let html = format!(
        "<!doctype html><html lang='vi-VN'><meta charset='utf-8'><link rel='icon' href='data:,'>
         <style>body {{ width: 560px; font: 40px serif }} button, p {{ background: lime; letter-spacing: 9px }}</style>
         <input id='field'><convoy-board {attributes}></convoy-board>
         <script type='module'>
           import '/lib/board/element.js';
           window.heard = [];
           window.board = document.querySelector('convoy-board');
           for (const kind of ['turn', 'shapes', 'refused']) board.addEventListener(kind, (event) => heard.push([kind, event.detail]));
         </script>"
    );
    let page = browser.person().await;
    page.goto(&elsewhere(html).await).await;
    page.until("window.board?.shadowRoot?.querySelectorAll('[data-at]').length > 0")
        .await;
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn the_element_plays_whole_turns_without_a_server() {
    let browser = Browser::start();
    let page = with_element(&browser, &format!("movable='both' fen='{KINDS}'")).await;
    page.until("board.draft").await;

    // A deploy of two steps is one turn.
    page.click(&cell("f3")).await;
    // Two at once: the answer about the first comes when it is no longer asked.
    page.until("board.shadowRoot.querySelectorAll('.part').length === 3")
        .await;
    page.eval("for (const part of ['t', 'i']) board.shadowRoot.querySelector(`[data-part=${part}]`).click()")
        .await;
    page.until("[...board.targets.values()].some((target) => target.move?.letters === 'F')")
        .await;
    page.click(&cell("f7")).await;
    page.until("board.targets.has('f5')").await;
    page.click(&cell("f5")).await;
    page.until(
        "board.draft.steps.length === 2 && !board.shadowRoot.querySelector('.act-done').disabled",
    )
    .await;
    let bar = page
        .eval("board.shadowRoot.querySelector('.bar-text').textContent")
        .await;
    assert!(bar.as_str().unwrap().contains("f3"), "{bar}");
    page.click(&inside(".act-done")).await;
    page.until("heard.length === 1").await;
    let heard = page.eval("heard[0]").await;
    assert_eq!(heard[0], "turn");
    assert_eq!(heard[1]["san"], "I<F>f7,T>f5");
    assert_eq!(heard[1]["steps"], json!(["Ff3>f7", "Tf3>f5", "."]));
    assert_eq!(heard[1]["before"], KINDS);
    assert!(heard[1]["fen"].as_str().unwrap().contains(" b "), "{heard}");
    page.until("board.fen === heard[0][1].fen && board.getAttribute('last') === heard[0][1].lan && board.draft?.answer.turn === 'b'")
        .await;

    // A turn that its page does not want is not played.
    page.eval("board.addEventListener('turn', (event) => event.preventDefault(), { once: true })")
        .await;
    let after = page.eval("board.fen").await;
    page.click(&cell("c12")).await;
    page.until("board.targets.has('c11')").await;
    page.click(&cell("c11")).await;
    page.until("heard.length === 2 && !board.pending").await;
    assert_eq!(page.eval("board.fen").await, after);
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_element_is_set_by_attributes() {
    let browser = Browser::start();
    let page = with_element(
        &browser,
        &format!("fen='{KINDS}' orientation='b' last='c5 c6'"),
    )
    .await;
    let square = |name: &str| format!("board.shadowRoot.querySelector('[data-square={name}]')");
    let y = |name: &str| format!("{}.getBoundingClientRect().y", square(name));
    assert_eq!(
        page.eval(&format!("{} < {}", y("a1"), y("a12"))).await,
        true
    );
    assert_eq!(
        page.eval("board.shadowRoot.querySelectorAll('.last rect').length")
            .await,
        2
    );
    // Nobody may move, and keys on the page stay with the page.
    assert_eq!(page.eval("board.draft").await, Value::Null);
    // Its styles are its own, its words those of the document's language.
    let style = |what: &str| {
        format!("getComputedStyle(board.shadowRoot.querySelector('.convoy button')).{what}")
    };
    assert_ne!(page.eval(&style("letterSpacing")).await, "9px");
    let label = page
        .eval("board.shadowRoot.querySelector('.cells').ariaLabel")
        .await;
    assert!(label.as_str().unwrap().starts_with("Bàn cờ."), "{label}");

    // What is wrong is told, and what was there stays.
    page.eval("board.setAttribute('fen', 'nonsense'); board.setAttribute('movable', 'all')")
        .await;
    page.until("heard.length === 2").await;
    let heard = page
        .eval("heard.map(([kind, { attribute, error }]) => [kind, attribute, error.code])")
        .await;
    assert_eq!(
        heard,
        json!([
            ["refused", "fen", "bad-fen"],
            ["refused", "movable", "bad-argument"]
        ])
    );
    assert_eq!(page.eval("board.fen").await, KINDS);
    let thrown = page
        .eval("(() => { try { board.fen = 'x' } catch (error) { return error.code } })()")
        .await;
    assert_eq!(thrown, "bad-fen");

    page.eval("board.removeAttribute('fen'); board.movable = 'r'; board.theme = 'dark'")
        .await;
    page.until("board.draft?.answer.moves.length === 116").await;
    let theme = page
        .eval("board.shadowRoot.querySelector('.convoy').dataset.theme")
        .await;
    assert_eq!(theme, "dark");
    clean(&page);
}

/// Sets properties before the module of the element is there, which is loaded twice.
const EARLY: &str = "<convoy-board></convoy-board>
  <script>
    window.heard = [];
    window.board = document.querySelector('convoy-board');
    board.addEventListener('refused', ({ detail }) => heard.push(detail.attribute));
    Object.assign(board, { fen: FEN, movable: 'both', shapes: ['Gc5'], orientation: 'white' });
  </script>
  <script type='module'>
    import '/lib/board/element.js';
    import '/lib/board/element.js?again';
    window.loaded = true;
  </script>";

#[tokio::test(flavor = "multi_thread")]
async fn the_element_takes_what_was_set_before_it_was_loaded() {
    let browser = Browser::start();
    assemble();
    let page = browser.person().await;
    let early = EARLY.replace("FEN", &json!(KINDS).to_string());
    let html = format!("<!doctype html><link rel='icon' href='data:,'>{early}");
    page.goto(&elsewhere(html).await).await;
    page.until("window.loaded && board.draft").await;
    let set = page
        .eval("[board.fen, board.movable, board.shapes, board.orientation, heard]")
        .await;
    assert_eq!(set, json!([KINDS, "both", ["Gc5"], "r", ["orientation"]]));
    // Nothing instead of a value takes the attribute away.
    page.eval("board.fen = null; board.shapes = undefined")
        .await;
    page.until("board.draft?.answer.moves.length === 116").await;
    let left = page
        .eval("[board.getAttribute('fen'), board.shapes, heard.length]")
        .await;
    assert_eq!(left, json!([null, [], 1]));
    let thrown = page
        .eval("(() => { try { board.shapes = 'Gc5' } catch (error) { return error.code } })()")
        .await;
    assert_eq!(thrown, "bad-argument");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_think_where_the_package_is_on_another_site() {
    let browser = Browser::start();
    let package = elsewhere(String::new()).await;
    let page = browser.person().await;
    let html = "<!doctype html><link rel='icon' href='data:,'>";
    page.goto(&elsewhere(html.to_owned()).await).await;
    let depth = page
        .eval(&format!(
            "(async () => {{
               const {{ Position }} = await import('{package}lib/cotulenh.js');
               const {{ Engine }} = await import('{package}lib/engine.js');
               const engine = new Engine();
               const {{ depth }} = await engine.analyse(Position.start(), {{ depth: 2 }}).result;
               engine.free();
               return depth;
             }})()"
        ))
        .await;
    assert_eq!(depth, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_draw_on_the_element_with_mouse_and_finger() {
    let browser = Browser::start();
    let page = with_element(&browser, "drawable shapes='Bk1'").await;
    page.until("board.shadowRoot.querySelector('[data-shape=Bk1]')")
        .await;
    page.drag_with("right", &cell("c5"), &cell("c6")).await;
    page.until("heard.length === 1").await;
    page.drag_with("right", &cell("g5"), &cell("g5")).await;
    page.until("heard.length === 2").await;
    assert_eq!(
        page.eval("heard[1]").await,
        json!(["shapes", { "shapes": ["Bk1", "Gc5c6", "Gg5"] }])
    );
    // A finger draws after a tap on the button, in the colour that is chosen.
    page.tap(&inside(".draw")).await;
    page.until("board.brush === ''").await;
    page.eval("board.brush = 'R'").await;
    page.touch_drag(&cell("h4"), &cell("h6")).await;
    page.until("heard.length === 3").await;
    assert_eq!(
        page.eval("board.shapes").await,
        json!(["Bk1", "Gc5c6", "Gg5", "Rh4h6"])
    );
    // The same again takes it away.
    page.touch_drag(&cell("h4"), &cell("h6")).await;
    page.until("heard.length === 4 && board.shapes.length === 3")
        .await;
    clean(&page);
}

/// What an expression is in the only frame of a page; nothing while the frame is being loaded.
async fn in_frame(page: &Page, expression: &str) -> Value {
    let tree = page.call("Page.getFrameTree", json!({})).await;
    let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
    let params = json!({ "frameId": frame });
    let world = page.ask("Page.createIsolatedWorld", params, LONG).await;
    let context = world.unwrap_or_default()["executionContextId"].clone();
    let params = json!({ "expression": expression, "contextId": context, "returnByValue": true });
    let answer = page.ask("Runtime.evaluate", params, LONG).await;
    answer.unwrap_or_default()["result"]["value"].clone()
}

async fn until_in_frame(page: &Page, expression: &str) {
    let begun = std::time::Instant::now();
    while in_frame(page, expression).await != true {
        assert!(
            begun.elapsed() < HANG,
            "never so in the frame: {expression}"
        );
        // Looks again until it is so; the frame loads on its own.
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn framed(browser: &Browser, snippet: &str) -> Page {
    let page = browser.person().await;
    let html = format!("<!doctype html><link rel='icon' href='data:,'>{snippet}");
    page.goto(&elsewhere(html).await).await;
    page
}

/// The snippet that the button of a page copies.
async fn snippet(page: &Page) -> String {
    page.eval("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        .await;
    page.click("#embed").await;
    page.until("window.copied").await;
    let copied = page.eval("window.copied").await;
    copied.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_framed_by_the_snippet_of_the_analysis() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    let fen = KINDS.replace(' ', "%20");
    open(&page, &site, &format!("/analysis?fen={fen}")).await;
    ready(&page).await;
    page.click("#flip").await;
    let snippet = snippet(&page).await;
    assert!(snippet.starts_with("<iframe src=\"http://"), "{snippet}");
    let guest = framed(&browser, &snippet).await;
    until_in_frame(&guest, "document.querySelectorAll('[data-at]').length === 22 && !!document.querySelector('[data-square]')").await;
    // Flipped: red's corner is at the top.
    let first = "document.querySelector('[data-square]').dataset.square";
    assert_eq!(in_frame(&guest, first).await, "k1");
    let link = in_frame(&guest, "document.querySelector('#open').href").await;
    assert!(link.as_str().unwrap().contains("/analysis?fen="), "{link}");
    let fits = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(in_frame(&guest, fits).await, true);
    clean(&guest);
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_framed_and_followed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "").await;
    let snippet = snippet(&page).await;
    let guest = framed(&browser, &snippet).await;
    until_in_frame(
        &guest,
        "!!document.querySelector('.walk') && document.querySelectorAll('[data-at]').length === 22",
    )
    .await;
    Hand::Mouse.square(&page, "c4").await;
    Hand::Mouse.square(&page, "c6").await;
    turns(&page, 1).await;
    until_in_frame(&guest, "!!document.querySelector('[data-at=c6]')").await;
    // Back to the beginning, which the walk's first button shows.
    until_in_frame(&guest, "document.querySelector('.walk button').click(), !!document.querySelector('[data-at=c4]') && !document.querySelector('[data-at=c6]')").await;
    clean(&guest);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_page_is_framed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let address = site.address;
    let guest = framed(
        &browser,
        &format!("<iframe src='http://{address}/analysis'></iframe>"),
    )
    .await;
    until_in_frame(&guest, "location.protocol === 'chrome-error:'").await;
    assert!(!guest.logged("frame-ancestors").is_empty());
}
