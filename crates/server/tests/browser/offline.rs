//! Without a server: what is kept on the device goes on.

use std::sync::Arc;

use convoy_lessons::Course;
use convoy_server::{App, SqliteStore};
use serde_json::json;
use tokio::sync::oneshot;

use super::account::submit;
use super::cards::{Person, pass_until_turn, play_on};
use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready, turns};
use super::hand::Hand;
use super::lessons;
use crate::common::{PASSWORD, Site, config, whole_match};

/// The most turns of one's own in a game that is played at random.
const LONGEST: usize = 400;

/// Whether the game is over.
const OVER: &str = "document.querySelector('#status').classList.contains('over')";

/// Plays a turn of one's own, a capture where there is one, and tells how many turns there were before.
const PLAY: &str = "(() => {
  const board = document.querySelector('convoy-board');
  const { answer, fen } = board.draft;
  const whole = answer.moves.filter((move) => !move.open && move.lan !== '.');
  const captures = whole.filter((move) => move.captured);
  const chosen = captures.length ? captures : whole;
  const count = document.querySelectorAll('button.turn').length;
  const { lan } = chosen[(7 * count) % chosen.length];
  board.dispatchEvent(new CustomEvent('turn', { detail: { steps: [lan], fen } }));
  return count;
})()";

/// Opens the page for playing offline, and waits until everything is kept.
async fn kept(page: &Page, site: &Site) {
    open(page, site, "/offline?lang=en").await;
    page.until("document.querySelector('#offline-state').innerText.startsWith('Ready')")
        .await;
}

/// A device that keeps everything, and the site that it has from a server that is no more.
pub(crate) async fn without_server() -> (Page, Site) {
    let store = Arc::new(SqliteStore::in_memory().await.unwrap());
    let app = App::new(store, config()).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let (site, served) = Site::until(app, async { drop(stopped.await) }).await;
    let page = Browser::start().device().await;
    kept(&page, &site).await;
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
    (page, site)
}

/// Begins a game on the device.
async fn begin(page: &Page, level: u8) {
    page.eval(&format!(
        "document.querySelector('#offline-level').value = '{level}', document.querySelector('#offline-color').value = 'r'"
    ))
    .await;
    page.click("#new-offline button").await;
    page.until("location.pathname === '/offline/game'").await;
    ready(page).await;
}

/// Begins a game of Tractor on the device.
async fn begin_match(page: &Page, site: &Site, level: u8) {
    open(page, site, "/offline").await;
    let choose = format!("document.querySelector('#offline-tractor-level').value = '{level}'");
    page.eval(&choose).await;
    page.click("#new-offline-tractor button").await;
    page.until("location.pathname === '/offline/tractor' && document.querySelector('.seat')")
        .await;
}

/// How many cards the person holds.
const HELD: &str = "document.querySelectorAll('#hand .card').length";

async fn play_to_the_end(page: &Page) {
    for _ in 0..LONGEST {
        if page.eval(OVER).await == true {
            return;
        }
        ready(page).await;
        let count = page.eval(PLAY).await.as_u64().unwrap();
        page.until(&format!(
            "{OVER} || (document.querySelectorAll('button.turn').length >= {count} + 2
               && document.querySelector('#status').classList.contains('mine'))"
        ))
        .await;
    }
    panic!("the game has no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_without_the_server() {
    let (page, site) = without_server().await;
    // Whatever page is asked for, there is one to play on.
    open(&page, &site, "/").await;
    assert_eq!(
        page.eval("document.querySelector('h1').innerText").await,
        "Play offline"
    );
    begin(&page, 1).await;
    Hand::Mouse.square(&page, "c5").await;
    Hand::Mouse.square(&page, "c6").await;
    turns(&page, 2).await;
    // The game survives a reload.
    page.reload().await;
    turns(&page, 2).await;
    ready(&page).await;
    page.click("#hint").await;
    page.until("document.querySelector('convoy-board').live.innerText.startsWith('Suggested')")
        .await;
    play_to_the_end(&page).await;
    open(&page, &site, "/offline").await;
    page.until("document.querySelectorAll('#stored-games [data-review]').length === 1")
        .await;
    let listed = page
        .eval("document.querySelector('#stored-games').innerText")
        .await;
    assert!(
        !listed.as_str().unwrap().contains("in progress"),
        "{listed}"
    );
    clean(&page);
}

/// Bots play at once, and tricks do not lie.
const AT_ONCE: &str = "window.setTimeout = ((timer) => (run, _, ...more) => timer(run, 0, ...more))(window.setTimeout.bind(window))";

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_round_of_tractor_without_the_server() {
    let (page, site) = without_server().await;
    let source = json!({ "source": AT_ONCE });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    begin_match(&page, &site, 1).await;
    let hand = Hand::Mouse;
    let person = Person { page, hand };
    pass_until_turn(&person.page).await;
    // Whoever buries has the kitty besides their own cards, and advice on what to put down.
    person.hint().await;
    pass_until_turn(&person.page).await;
    // The game survives a reload.
    let held = person.page.eval(HELD).await;
    person.page.reload().await;
    pass_until_turn(&person.page).await;
    assert_eq!(person.page.eval(HELD).await, held);
    play_on(&[&person]).await;
    let Person { page, .. } = person;
    let hands = "document.querySelectorAll('#result .all-hands .card').length";
    assert_eq!(page.eval(hands).await, 108);
    // Levels are carried on, and looking back needs no server either.
    page.click("#replay-round").await;
    page.until("document.querySelector('#replay-words')?.innerText")
        .await;
    let levels = "[...document.querySelectorAll('#result .tally .level')].map((node) => node.innerText.split(' ').at(-1)).join()";
    let won = page.eval(levels).await;
    page.click("#next-round").await;
    page.until("document.querySelector('#fact-round dd').innerText === '2'")
        .await;
    let carried = "[...document.querySelectorAll('#fact-levels .level')].map((node) => node.firstChild.textContent.split(' ').at(-1)).join()";
    assert_eq!(page.eval(carried).await, won);
    open(&page, &site, "/offline").await;
    page.until("document.querySelector('#stored-games a')?.href.includes('/offline/tractor')")
        .await;
    let listed = page
        .eval("document.querySelector('#stored-games').innerText")
        .await;
    assert!(listed.as_str().unwrap().contains("Round 2"), "{listed}");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_levels_without_the_server() {
    let (page, site) = without_server().await;
    for level in 1..=10 {
        open(&page, &site, "/offline").await;
        begin(&page, level).await;
        Hand::Mouse.square(&page, "c5").await;
        Hand::Mouse.square(&page, "c6").await;
        turns(&page, 2).await;
    }
    page.click("#to-analysis").await;
    page.until("location.pathname === '/analysis'").await;
    turns(&page, 2).await;
    page.click("#engine").await;
    page.until("document.querySelectorAll('#lines li').length > 1")
        .await;
    open(&page, &site, "/editor").await;
    page.until("document.querySelector('#verdict').innerText === 'Valid position'")
        .await;
    for path in ["/rules/cotulenh", "/rules/tractor"] {
        open(&page, &site, path).await;
        let path = format!(
            "location.pathname === '{path}' && document.querySelector('h1').innerText.startsWith('How to play')"
        );
        page.until(&path).await;
    }
    // Every level of Tractor declares, buries or plays.
    let source = json!({ "source": AT_ONCE });
    page.call("Page.addScriptToEvaluateOnNewDocument", source)
        .await;
    for level in 1..=4 {
        begin_match(&page, &site, level).await;
        pass_until_turn(&page).await;
    }
    // An address may ask for a language.
    open(&page, &site, "/editor?lang=vi").await;
    page.until("document.documentElement.lang === 'vi'").await;
    // Nobody's name is kept.
    assert!(
        page.eval("document.querySelector('.who-am-i')")
            .await
            .is_null()
    );
    clean(&page);
}

/// What the examples of the rules of Tractor say to their first tries and to some more, and what the calculator says.
async fn tried_examples(page: &Page, site: &Site) -> Vec<String> {
    open(page, site, "/rules/tractor?lang=en").await;
    let answered = "[...document.querySelectorAll('.example .said')].every((said) => said.innerText) && document.querySelectorAll('#score li').length > 3";
    let told = "[...document.querySelectorAll('.example .said, #score')].map((said) => said.innerText).join('\\n')";
    let mut heard = Vec::new();
    for card in [None, Some(0), Some(1), Some(3), Some(2), Some(0)] {
        if let Some(card) = card {
            page.eval(&format!(
                "for (const example of document.querySelectorAll('.example')) {{
                   const card = example.querySelectorAll('button[data-card]')[{card}];
                   if (!card) continue;
                   example.querySelector('.said').textContent = '';
                   card.click();
                 }}
                 document.querySelector('#score').replaceChildren();
                 document.querySelector('[name=points]').value = {card}5;
                 document.querySelector('#calculator').dispatchEvent(new Event('input'));"
            ))
            .await;
        }
        page.until(answered).await;
        heard.push(page.eval(told).await.as_str().unwrap().to_owned());
    }
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_of_the_card_rules_without_the_server() {
    let (site, browser) = (Site::start().await, Browser::start());
    let served = tried_examples(&browser.person().await, &site).await;
    let (page, site) = without_server().await;
    let alone = tried_examples(&page, &site).await;
    assert_eq!(
        page.eval("document.documentElement.dataset.cards").await,
        "local"
    );
    for (served, alone) in served.iter().zip(&alone) {
        assert_eq!(alone, served);
    }
    clean(&page);
}

/// Answers the step of a lesson with its solution.
async fn solve(page: &Page, site: &Site, path: &str, course: &Course) {
    // From another page: the same one would go on where it is.
    open(page, site, "/learn").await;
    open(page, site, path).await;
    let (_, id) = path.split_once("/learn/").unwrap();
    let (_, id) = id.split_once('/').unwrap();
    let step = course.step(&id.replace('#', "/")).unwrap();
    lessons::solve(page, Hand::Mouse, step).await;
    page.until("document.querySelector('#verdict').dataset.stars === '3'")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lessons_without_the_server() {
    let (page, site) = without_server().await;
    let (board, cards) = (Course::cotulenh().unwrap(), Course::tractor().unwrap());
    // A wrong try is explained by the rules and by the author, in the language that was chosen last.
    open(&page, &site, "/learn/cotulenh/board#sea").await;
    ready(&page).await;
    Hand::Mouse.square(&page, "b2").await;
    page.until("document.querySelector('.cells [data-square=b6].target')")
        .await;
    Hand::Mouse.square(&page, "d2").await;
    page.until("document.querySelector('#verdict').innerText.includes('d2 is land')")
        .await;
    for chapter in board.chapters.iter().take(2) {
        let path = format!("/learn/cotulenh/{}#{}", chapter.id, chapter.steps[0].id);
        solve(&page, &site, &path, &board).await;
    }
    for chapter in &cards.chapters {
        let path = format!("/learn/tractor/{}#{}", chapter.id, chapter.steps[0].id);
        solve(&page, &site, &path, &cards).await;
    }
    // Every chapter is kept, in every language.
    for chapter in &board.chapters {
        for (language, title) in [
            ("en", &chapter.title.en),
            ("vi", &chapter.title.vi),
            ("zh", &chapter.title.zh),
        ] {
            let page_kept = format!(
                "caches.match('/learn/cotulenh/{}?lang={language}').then((page) => page.text()).then((text) => text.includes({}))",
                chapter.id,
                json!(format!("<h1>{title}</h1>"))
            );
            assert_eq!(
                page.eval(&page_kept).await,
                true,
                "{} {language}",
                chapter.id
            );
        }
    }
    // The coach needs no server either.
    open(&page, &site, "/learn/tractor/round").await;
    page.until("document.querySelectorAll('#round [data-card]').length === 33")
        .await;
    page.click("#answer").await;
    page.until("document.querySelector('#verdict.bad')?.innerText.includes('Bury exactly 8')")
        .await;
    page.click("#hint").await;
    page.until("document.querySelectorAll('#round [aria-pressed=true]').length === 8")
        .await;
    page.click("#answer").await;
    page.until("document.querySelector('#round').dataset.plays === '1' && document.querySelector('#verdict.good')")
        .await;
    // Stars are kept on the device.
    open(&page, &site, "/learn").await;
    let done = board.chapters.len().min(2) + cards.chapters.len();
    page.until(&format!(
        "[...document.querySelectorAll('.chapters .progress')].filter((node) => /^[1-9]/.test(node.innerText)).length === {done}"
    ))
    .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_is_offered_but_not_in_the_middle_of_a_game() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.device().await;
    kept(&page, &site).await;
    page.reload().await;
    page.until("navigator.serviceWorker.controller").await;
    // A script of another address counts as a newer one.
    let newer = "navigator.serviceWorker.register('/service-worker.js?newer').then(() => 0)";
    begin(&page, 1).await;
    page.eval(newer).await;
    let waiting =
        "(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting))()";
    while page.eval(waiting).await != true {
        tokio::task::yield_now().await;
    }
    assert!(
        page.eval("document.querySelector('#update')")
            .await
            .is_null()
    );
    open(&page, &site, "/offline").await;
    page.until("document.querySelector('#update')").await;
    page.eval("window.stale = true").await;
    page.click("#update .primary").await;
    page.until("!window.stale && document.readyState === 'complete'")
        .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_keeps_nothing_is_told_why() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/offline?lang=en").await;
    page.until("document.querySelector('#offline-state').innerText.includes('needs https')")
        .await;
    // With a connection the games can be played all the same.
    begin(&page, 1).await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_handed_to_the_account() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/offline?lang=en").await;
    begin(&page, 1).await;
    Hand::Mouse.square(&page, "c5").await;
    Hand::Mouse.square(&page, "c6").await;
    turns(&page, 2).await;
    ready(&page).await;
    page.click("[data-act=resign]").await;
    page.until("document.querySelector('[data-act=resign].sure')")
        .await;
    page.click("[data-act=resign]").await;
    page.until(OVER).await;
    open(&page, &site, "/offline").await;
    page.until("document.querySelector('#stored-games a')")
        .await;
    // A guest has nowhere to put it.
    let button = "document.querySelector('[data-upload]')";
    assert!(page.eval(button).await.is_null());
    open(&page, &site, "/account").await;
    let own = [("name", "Ann"), ("password", PASSWORD)];
    submit(&page, "/account/register", &own).await;
    page.until("document.querySelector('.sessions li')").await;
    open(&page, &site, "/offline").await;
    page.until(button).await;
    page.click("[data-upload]").await;
    let link = "#stored-games a[href^='/game/']";
    page.until(&format!("document.querySelector(\"{link}\")"))
        .await;
    page.click(link).await;
    turns(&page, 2).await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_match_is_handed_to_the_account() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/account?lang=en").await;
    let own = [("name", "Ann"), ("password", PASSWORD)];
    submit(&page, "/account/register", &own).await;
    page.until("document.querySelector('.sessions li')").await;
    let stored = json!([
        { "game": "tractor", "id": "b1", "level": 1, "round": 1, "levels": ["2", "2"], "winner": null, "at": 1 },
        { "game": "tractor", "id": "b2", "level": 1, "round": 9, "levels": ["A", "5"], "winner": "A", "at": 2 },
    ]);
    let keep = format!(
        "localStorage.setItem('convoy.games', JSON.stringify({stored})), localStorage.setItem('convoy.record.b2', {})",
        json!(whole_match().to_string())
    );
    page.eval(&keep).await;
    open(&page, &site, "/offline").await;
    // Only what is over can be handed in.
    page.until("document.querySelectorAll('#stored-games li').length === 2")
        .await;
    let offered =
        "[...document.querySelectorAll('[data-upload]')].map((node) => node.dataset.upload).join()";
    assert_eq!(page.eval(offered).await, "b2");
    page.click("[data-upload]").await;
    let link = "#stored-games a[href^='/game/']";
    page.until(&format!("document.querySelector(\"{link}\")"))
        .await;
    page.click(link).await;
    // The page says that nothing proves the deal, and offers no check of it.
    page.until("document.querySelector('#device-deal')?.innerText.includes('proves nothing') && document.querySelector('#review-round')")
        .await;
    assert!(
        page.eval("document.querySelector('#verify-round')")
            .await
            .is_null()
    );
    let id = page
        .eval("document.querySelector('[data-table]').dataset.table")
        .await;
    page.click("#replay-round").await;
    page.until("document.querySelector('#replay-words')?.innerText")
        .await;
    open(
        &page,
        &site,
        &format!("/verify?table={}&round=1", id.as_str().unwrap()),
    )
    .await;
    page.until("document.querySelector('#no-proof')?.innerText.includes('no proof')")
        .await;
}
