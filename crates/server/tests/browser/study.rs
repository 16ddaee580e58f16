//! Analysis, editor and replay; all pages in all languages.

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, new_game, open, ready, status, turns};
use super::hand::Hand;
use crate::common::Site;

#[tokio::test(flavor = "multi_thread")]
async fn analysis_editor_and_replay() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    edit(&page, &site).await;
    deploy_and_walk_back(&page).await;

    // The engine speaks, and is silent when told.
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length > 1 && !document.querySelector('#eval').hidden").await;
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length === 0")
        .await;

    // The address reopens exactly this.
    let (url, fen) = (
        page.eval("location.href").await,
        page.eval("document.querySelector('#fen').value").await,
    );
    page.goto(url.as_str().unwrap()).await;
    page.until(&format!("document.querySelector('#fen').value === {fen}"))
        .await;

    pgn_out_and_in(&page, &site).await;
    clean(&page);
}

/// Puts a piece on the board of the editor, takes another away, and goes on to the analysis.
async fn edit(page: &Page, site: &Site) {
    open(
        page,
        site,
        &format!("/editor?fen={}", KINDS.replace(' ', "%20")),
    )
    .await;
    page.until("document.querySelector('#verdict.good')").await;
    page.click("[data-square=e7]").await;
    page.until("document.querySelector('#fen').value.includes('4I2h3')")
        .await;
    page.click(".erase").await;
    page.click("[data-square=e7]").await;
    page.until("document.querySelector('#fen').value.startsWith('2i5hhc')")
        .await;
    page.click("#analyse").await;
    page.until("location.pathname === '/analysis'").await;
    ready(page).await;
}

/// Plays a deploy, and walks back into it by single steps.
async fn deploy_and_walk_back(page: &Page) {
    let hand = Hand::Mouse;
    hand.square(page, "f3").await;
    hand.part(page, "t").await;
    hand.part(page, "i").await;
    hand.square(page, "f7").await;
    page.until("document.querySelector('.cells [data-square=f5].target')")
        .await;
    hand.square(page, "f5").await;
    page.until("document.querySelectorAll('.arrow').length === 2 && !document.querySelector('.act-done').disabled").await;
    page.click(".act-done").await;
    turns(page, 1).await;
    page.until("document.querySelector('convoy-board').view.placement.get('f5')")
        .await;
    page.click(".walk button:nth-child(3)").await;
    page.until("(p => p.get('f7') && p.get('f3')?.parts.length === 2 && !p.get('f5'))(document.querySelector('convoy-board').view.placement)").await;
    page.click(".walk button:nth-child(4)").await;
    page.until("document.querySelector('convoy-board').view.placement.get('f5')")
        .await;
}

async fn pgn_out_and_in(page: &Page, site: &Site) {
    page.click(".texts summary").await;
    page.until("document.querySelector('#pgn').value.includes('I<F>f7,T>f5')")
        .await;
    let pgn = page.eval("document.querySelector('#pgn').value").await;
    open(page, site, "/analysis").await;
    ready(page).await;
    page.eval("document.querySelector('.texts').open = true")
        .await;
    paste(page, pgn.as_str().unwrap()).await;
    page.click("#load-pgn").await;
    turns(page, 1).await;
}

/// Two games with variations and annotations; a third cannot be read.
const GAMES: &str = "[Event \"Club\"]\n[Red \"An\"]\n[Blue \"Bình\"]\n\n{to begin} 1. Ic6 $1 {[%csl Rc6] [%cal Gc5c6] fine} (1. Ik6 {slower} 1... Mg7 (1... Mf8)) 1... Mg7 *\n\n[Red \"Cy\"]\n\n1. Ic99 *\n\n[Red \"Dan\"]\n\n1. Ik6 Mg7 *\n";

/// What the page writes now, once it holds these words, wherever its lines are broken.
async fn pgn(page: &Page, words: &str) -> String {
    page.until(&format!(
        "document.querySelector('#pgn').value.replace(/\\s+/g, ' ').includes({words:?})"
    ))
    .await;
    let text = page.eval("document.querySelector('#pgn').value").await;
    text.as_str().unwrap().to_owned()
}

/// Puts a text into the box, as somebody would who pastes it.
async fn paste(page: &Page, text: &str) {
    page.eval(&format!(
        "(e => (e.value = {}, e.dispatchEvent(new Event('input'))))(document.querySelector('#pgn'))",
        serde_json::json!(text)
    ))
    .await;
}

/// The move that is shown, or nothing at the start.
async fn at(page: &Page, san: &str) {
    page.until(&format!(
        "(document.querySelector('#turns [aria-current]')?.firstChild.textContent ?? '') === {san:?}"
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn variations_are_imported_walked_annotated_and_exported_without_change() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.click(".texts summary").await;
    paste(&page, GAMES).await;
    page.click("#load-pgn").await;
    turns(&page, 5).await;
    let written = pgn(&page, "(1. Ik6 {slower} 1... Mg7 (1... Mf8)) 1... Mg7 *").await;
    assert!(written.contains("{to begin} 1. Ic6 $1 {[%csl Rc6] [%cal Gc5c6] fine}"));

    walk(&page).await;
    annotate(&page).await;
    let written = rearrange(&page).await;

    // Out and in again: not a letter is different.
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.eval(&format!(
        "(text => {{
           const data = new DataTransfer();
           data.items.add(new File([text], 'game.pgn'));
           document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));
         }})({})",
        serde_json::json!(written)
    ))
    .await;
    turns(&page, 5).await;
    page.click(".texts summary").await;
    assert_eq!(pgn(&page, "1... Ic7 (1... Mg7))").await, written);
    clean(&page);
}

/// Along the line, into the variation, along that, and back to the start.
async fn walk(page: &Page) {
    page.eval("document.activeElement.blur()").await;
    page.press("ArrowRight").await;
    at(page, "Ic6").await;
    page.until("document.querySelectorAll('[data-shape]').length === 2 && document.querySelector('#comment').value === 'fine'").await;
    page.press("ArrowDown").await;
    at(page, "Ik6").await;
    page.press("ArrowRight").await;
    at(page, "Mg7").await;
    page.press("ArrowDown").await;
    at(page, "Mf8").await;
    page.press("Home").await;
    at(page, "").await;
}

/// Notes: a glyph, a comment, an arrow by mouse and a circle.
async fn annotate(page: &Page) {
    page.press("ArrowRight").await;
    page.press("ArrowDown").await;
    at(page, "Ik6").await;
    page.click("[data-nag='6']").await;
    page.click("#comment").await;
    page.write(" than the other").await;
    page.click("#draw").await;
    page.drag("[data-square=k5]", "[data-square=k6]").await;
    page.until("document.querySelector('[data-shape=Gk5k6]')")
        .await;
    page.click("[data-square=e5]").await;
    page.until("document.querySelector('[data-shape=Ge5]')")
        .await;
    page.click("#draw").await;
    pgn(
        page,
        "1. Ik6 $6 {[%csl Ge5] [%cal Gk5k6] slower than the other}",
    )
    .await;
}

/// A new turn is a variation; another becomes the line; one is deleted. Answers what the page writes then.
async fn rearrange(page: &Page) -> String {
    page.eval("document.activeElement.blur()").await;
    let hand = Hand::Mouse;
    ready(page).await;
    hand.square(page, "c8").await;
    page.until("document.querySelector('.cells [data-square=c7].target')")
        .await;
    hand.square(page, "c7").await;
    at(page, "Ic7").await;
    turns(page, 6).await;
    page.click("#promote").await;
    page.click("#promote").await;
    pgn(page, "1... Ic7 (1... Mg7) (1... Mf8))").await;
    page.press("ArrowDown").await;
    page.press("ArrowDown").await;
    at(page, "Mf8").await;
    page.click("#delete").await;
    at(page, "Ik6").await;
    let written = pgn(page, "1... Ic7 (1... Mg7))").await;
    assert!(!written.contains("Mf8"), "{written}");
    written
}

/// The next game that is read is answered when the test releases it.
const HOLD_NEXT_READ: &str = "import(document.querySelector('script[type=module]').src.replace('analysis.js', 'rules.js')).then(({ rules }) => {
  const read = rules.readPgn;
  rules.readPgn = async (text) => {
    rules.readPgn = read;
    const answer = await read(text);
    await new Promise((done) => { window.release = done; });
    return answer;
  };
})";

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_many_games_is_a_list_and_a_bad_one_has_its_place() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/analysis?lang=en").await;
    ready(&page).await;
    page.click(".texts summary").await;
    page.eval(&format!(
        "(text => {{
           const data = new DataTransfer();
           data.items.add(new File([text], 'games.pgn'));
           const input = document.querySelector('#pgn-file');
           input.files = data.files;
           input.dispatchEvent(new Event('change'));
         }})({})",
        serde_json::json!(["% from elsewhere\n; {a note\n\u{feff}", GAMES].concat())
    ))
    .await;
    page.until("!document.querySelector('#games-row').hidden")
        .await;
    assert_eq!(
        page.eval("[...document.querySelectorAll('#games option')].map((o) => o.textContent)")
            .await,
        serde_json::json!(["1. An – Bình, Club", "2. Cy – ?", "3. Dan – ?"])
    );
    let choose = async |at: usize| {
        page.eval(&format!("(e => (e.value = '{at}', e.dispatchEvent(new Event('change'))))(document.querySelector('#games'))")).await;
    };
    choose(2).await;
    pgn(&page, "1. Ik6 Mg7 *").await;
    // An answer that comes late, as from the server before the page answers itself, does not replace what was asked for since.
    page.eval(HOLD_NEXT_READ).await;
    choose(0).await;
    page.until("window.release").await;
    page.eval("document.querySelector('.toast')?.remove()")
        .await;
    choose(2).await;
    page.until("document.querySelector('.toast')").await;
    page.eval("release(); new Promise((done) => setTimeout(done))")
        .await;
    let shown = page
        .eval("document.querySelector('#turns').innerText")
        .await;
    assert!(!shown.as_str().unwrap().contains("Ic6"), "{shown}");
    choose(1).await;
    page.until("document.querySelector('#fault').textContent === 'Invalid PGN: error in line 11, column 4.'").await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_languages() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    for (lang, title, turn, piece) in [
        (
            "en",
            "Command land, sea and air",
            "Your turn",
            "g1, red Commander",
        ),
        (
            "vi",
            "Chỉ huy cả lục quân, hải quân và không quân",
            "Đến lượt bạn",
            "g1, Tư lệnh đỏ",
        ),
        ("zh", "统率陆海空三军", "轮到你走", "g1，红方司令"),
    ] {
        open(&page, &site, &format!("/?lang={lang}")).await;
        assert_eq!(page.eval("document.documentElement.lang").await, lang);
        assert_eq!(
            page.eval("document.querySelector('h1').innerText").await,
            title
        );
        page.click("#play-now").await;
        page.until("location.pathname.startsWith('/game/')").await;
        ready(&page).await;
        assert!(status(&page).await.contains(turn));
        assert_eq!(
            page.eval("document.querySelector('[data-square=g1]').ariaLabel")
                .await,
            piece
        );
        for path in [
            "/analysis",
            "/editor",
            "/rules/cotulenh",
            "/account",
            "/archive",
        ] {
            open(&page, &site, path).await;
            assert_eq!(page.eval("document.documentElement.lang").await, lang);
        }
    }
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_kept_and_obeyed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    page.click("#open-settings").await;
    page.until("document.querySelector('#settings[open]')")
        .await;
    for (key, value) in [("theme", "dark"), ("pieces", "vi")] {
        page.eval(&format!("(e => (e.value = '{value}', e.dispatchEvent(new Event('change'))))(document.querySelector('#set-{key}'))")).await;
    }
    page.click("#set-confirm").await;
    page.click("#settings .primary").await;
    page.reload().await;
    ready(&page).await;
    assert_eq!(
        page.eval("document.documentElement.dataset.theme").await,
        "dark"
    );
    assert_eq!(
        page.eval("document.querySelector('[data-at=k1] .initial').textContent")
            .await,
        "Tư"
    );

    // A turn is shown first, can be taken back, and is sent when confirmed.
    let hand = Hand::Mouse;
    hand.square(&page, "c3").await;
    hand.square(&page, "d3").await;
    page.until("!document.querySelector('.bar').hidden").await;
    page.click(".act-cancel").await;
    page.until("document.querySelector('.bar').hidden && document.querySelector('[data-at=c3]')")
        .await;
    hand.square(&page, "c3").await;
    hand.square(&page, "d3").await;
    page.until("document.querySelector('[data-at=d3]') && !document.querySelector('.bar').hidden")
        .await;
    page.click(".act-done").await;
    turns(&page, 2).await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_can_be_tried() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/rules/cotulenh").await;
    page.click("#combine [data-try]").await;
    ready(&page).await;
    page.until("document.querySelector('#combine [data-at=e4]')")
        .await;
    let hand = Hand::Mouse;
    hand.square(&page, "e4").await;
    page.until("document.querySelector('[data-mark=join]')")
        .await;
    hand.square(&page, "e5").await;
    page.until(
        "document.querySelector('convoy-board').view.placement.get('e5')?.parts.length === 2",
    )
    .await;
    clean(&page);
}
