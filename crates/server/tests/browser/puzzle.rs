//! Puzzles of both games: solved, failed, and what is remembered of them.

use convoy_puzzles::Rating;
use convoy_server::{PlayerId, PuzzleAttempt, PuzzleRating, RatedAttempt};
use cotulenh::{MoveKind, Position};
use serde_json::{Value, json};

use super::account::submit;
use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready};
use super::hand::Hand;
use super::shots::keep;
use crate::common::{PASSWORD, Site};

/// Mate in two for blue: Sg11g12, Ci12i11, Gi9i10.
const MATE: &str = "/puzzles/cotulenh/naj430";

async fn status(page: &Page, kind: &str, words: &str) {
    page.until(&format!(
        "document.querySelector('#status{kind}')?.textContent.includes({words:?})"
    ))
    .await;
}

/// The squares of a quiet move that does not solve what is on the board.
async fn wrong_move(page: &Page) -> (String, String) {
    let fen = page
        .eval("document.querySelector('convoy-board').shown.fen")
        .await;
    let position: Position = fen.as_str().unwrap().parse().unwrap();
    let moves = position.legal_moves();
    // The first turns of both puzzles.
    let right = ["Sg11g12", "Tk8k10"];
    let quiet = |mv: &&cotulenh::Move| {
        let lan = position.lan(**mv);
        mv.kind() == MoveKind::Quiet && !mv.is_step() && !right.contains(&lan.as_str())
    };
    let mv = moves.iter().find(quiet).unwrap();
    (mv.from().to_string(), mv.to().to_string())
}

async fn mouse(page: &Page, from: &str, to: &str) {
    ready(page).await;
    let hand = Hand::Mouse;
    hand.square(page, from).await;
    page.until(&format!(
        "document.querySelector('.cells [data-square={to}].target')"
    ))
    .await;
    hand.square(page, to).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_of_the_board_is_solved_and_one_is_failed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, &format!("{MATE}?lang=en")).await;
    status(&page, "", "Blue to move: checkmate in 2 moves").await;
    // What tells of a stack is no playing card: without a stack it takes no room.
    let told = "document.querySelector('.dock .card').offsetHeight";
    assert_eq!(page.eval(told).await, 0);
    mouse(&page, "g11", "g12").await;
    status(&page, ".right", "Correct. The reply is Ci11").await;
    mouse(&page, "i9", "i10").await;
    status(&page, ".right", "Solved!").await;
    page.until("document.querySelector('#solution .line')?.textContent === 'Sg12 Ci11 Gi10'")
        .await;
    page.until("document.querySelector('#solution .soft')?.textContent.includes('Mate in 2')")
        .await;
    page.until("document.querySelector('#history .solved')")
        .await;

    // A wrong turn is taken back and told; the first answer is what counts.
    open(&page, &site, "/puzzles/cotulenh/af5wab?lang=en").await;
    status(&page, "", "Red to move").await;
    let (from, to) = wrong_move(&page).await;
    mouse(&page, &from, &to).await;
    status(&page, ".wrong", "does not force checkmate in 2").await;
    page.until("!document.querySelector('#analyse').hidden && document.querySelector('#analyse').href.includes('moves=')").await;
    mouse(&page, "k8", "k10").await;
    status(&page, ".right", "Correct").await;
    mouse(&page, "j8", "j10").await;
    status(&page, ".right", "Solved!").await;
    page.until("document.querySelectorAll('#history .failed').length === 1 && document.querySelectorAll('#history a').length === 2").await;
    page.until(
        "document.querySelector('#history-sum').textContent === '1 of 2 solved on the first try'",
    )
    .await;
    clean(&page);
}

/// The cards of the choice that stands so far down in the solution.
async fn choice(page: &Page, place: usize) -> String {
    let cards = page
        .eval(&format!(
            "fetch(location.pathname.replace('/puzzles/', '/api/v1/puzzles/') + '/solution').then((r) => r.json()).then((s) => {{
               const faces = (cards) => cards.map((card) => card.slice(0, 2)).sort().join();
               const wanted = faces(s.candidates[{place}].cards);
               return [...document.querySelectorAll('#choices button')].map((b) => b.dataset.cards).find((cards) => faces(cards.split(' ')) === wanted);
             }})"
        ))
        .await;
    format!("[data-cards='{}']", cards.as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_of_cards_is_solved_and_one_is_failed() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/puzzles/tractor/teaws5?lang=en").await;
    status(&page, "", "which eight cards do you bury?").await;
    let best = choice(&page, 0).await;
    page.click(&best).await;
    status(&page, ".right", "Solved!").await;
    page.until("document.querySelector('#choices .best .cost')?.textContent === 'best'")
        .await;
    page.until("document.querySelector('#history .solved')")
        .await;

    open(&page, &site, "/puzzles/tractor/vn69b2?lang=en").await;
    page.until("document.querySelector('#choices button')")
        .await;
    let bad = choice(&page, 3).await;
    page.click(&bad).await;
    status(&page, ".wrong", "This costs your team 10.2 points").await;
    page.until("document.querySelector('#choices .tried .cost')?.textContent.includes('10.2')")
        .await;
    page.click("#show-solution").await;
    page.until("document.querySelector('#solution')?.textContent.includes('4,000') || document.querySelector('#solution')?.textContent.includes('4000')").await;
    page.until("document.querySelector('#history .failed')")
        .await;
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn streaks_and_timed_runs_count_and_the_daily_puzzle_has_its_day() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/puzzles/tractor?lang=en").await;
    let mode = async |mode: &str| {
        page.until("document.querySelector('#choices button')")
            .await;
        page.eval(&format!("(e => (e.value = '{mode}', e.dispatchEvent(new Event('change'))))(document.querySelector('#mode'))")).await;
    };
    // What is shown now is another puzzle than before.
    let shown = async || {
        let path = page.eval("location.pathname").await;
        path.as_str().unwrap().to_owned()
    };
    mode("streak").await;
    page.until("document.querySelector('#score').textContent.startsWith('Streak: 0')")
        .await;
    let best = choice(&page, 0).await;
    page.click(&best).await;
    page.until("document.querySelector('#score').textContent.startsWith('Streak: 1')")
        .await;
    // The solution takes its place first: it moves the button.
    page.until("document.querySelector('#solution .soft')")
        .await;
    let before = shown().await;
    page.click("#next").await;
    page.until(&format!("location.pathname !== {before:?}"))
        .await;
    let bad = choice(&page, 1).await;
    page.click(&bad).await;
    status(&page, ".wrong", "The streak ends at 1. Your best: 1.").await;

    mode("timed").await;
    page.until("document.querySelector('#score').textContent.includes('0 solved')")
        .await;
    let (best, before) = (choice(&page, 0).await, shown().await);
    page.click(&best).await;
    // The next puzzle comes by itself.
    page.until(&format!("document.querySelector('#score').textContent.includes('1 solved') && location.pathname !== {before:?}")).await;

    mode("daily").await;
    status(&page, "", "Puzzle of 2").await;
    assert_eq!(shown().await, "/puzzles/tractor/daily");

    // A theme is kept to, and what was attempted is remembered over a reload.
    mode("training").await;
    page.eval("(e => (e.value = 'bury', e.dispatchEvent(new Event('change'))))(document.querySelector('#theme'))").await;
    status(&page, "", "which eight cards do you bury?").await;
    page.reload().await;
    page.until("document.querySelectorAll('#history a').length === 3")
        .await;
    clean(&page);
}

/// The puzzles of cards that this browser remembers as attempted.
async fn remembered(page: &Page) -> Value {
    page.eval("(JSON.parse(localStorage.getItem('convoy-puzzles-tractor')) ?? { past: [] }).past.map(({ id }) => id)")
        .await
}

async fn text(page: &Page, selector: &str) -> String {
    let text = page
        .eval(&format!("document.querySelector({selector:?}).textContent"))
        .await;
    text.as_str().unwrap().to_owned()
}

/// The difference that a text tells: `(+164)`, `−81`.
fn change(text: &str) -> i64 {
    let number = text.trim_matches(['(', ')']).replace('−', "-");
    number.parse().unwrap()
}

/// Others have attempted the puzzle so often that its rating is settled.
async fn settle(site: &Site, puzzle: &str) {
    let attempt = PuzzleAttempt {
        player: PlayerId::random(),
        game: "tractor".to_owned(),
        puzzle: puzzle.to_owned(),
        at: 1,
        solved: false,
        rating: None,
    };
    let rated = |rating| PuzzleRating {
        rating: Rating {
            rating,
            deviation: 60.0,
            ..Rating::NEW
        },
        attempts: 80,
    };
    let rated = RatedAttempt {
        solver: rated(1400.0),
        puzzle: rated(1623.6),
    };
    let added = site.app.store().add_attempt(&attempt, &rated).await;
    added.unwrap();
}

/// Answers a puzzle of cards with the choice that stands so far down in its solution.
async fn answer(page: &Page, site: &Site, puzzle: &str, place: usize) {
    open(page, site, &format!("/puzzles/tractor/{puzzle}?lang=en")).await;
    page.until("document.querySelector('#choices button')")
        .await;
    let chosen = choice(page, place).await;
    page.click(&chosen).await;
    page.until("document.querySelector('#status.right, #status.wrong')")
        .await;
}

/// What leads a guest to an account.
const INVITATION: &str = "document.querySelector('#history-title').parentNode.querySelector('a[href=\"/account\"]')?.innerText";
/// Whether the graph of ratings is shown.
const GRAPH: &str = "!document.querySelector('#rating-graph').hidden";

/// A guest's attempts are kept in this browser, and rated nowhere.
async fn attempt_as_guest(page: &Page, site: &Site) {
    for puzzle in ["teaws5", "vn69b2"] {
        answer(page, site, puzzle, 0).await;
        page.until("document.querySelector('#solution .soft')")
            .await;
    }
    assert_eq!(remembered(page).await, json!(["teaws5", "vn69b2"]));
    assert_eq!(text(page, "#worth").await, "Difficulty: Hard");
    for selector in ["#rating", "#gain", "#rating-sum"] {
        assert_eq!(text(page, selector).await, "", "{selector}");
    }
    assert_eq!(page.eval(GRAPH).await, false);
    assert_eq!(page.eval(INVITATION).await, "Log in or register");
    page.reload().await;
    page.until("document.querySelectorAll('#history .solved').length === 2")
        .await;
}

/// What the page tells after two attempts, of which the first has gained and the second has lost.
async fn ratings_are_shown(page: &Page, gain: i64, loss: i64) {
    let (first, last) = (1500 + gain, 1500 + gain + loss);
    let sum = text(page, "#rating-sum").await;
    assert!(
        sum.starts_with(&format!("Highest rating: {first}.")),
        "{sum}"
    );
    assert!(sum.contains("question mark"), "{sum}");
    let rating = text(page, "#rating").await;
    assert_eq!(rating, format!("Your rating: {last}?"));
    let said = page
        .eval("document.querySelector('#rating-graph').getAttribute('aria-label')")
        .await;
    let drawn = format!("Your rating over 2 puzzles: from {first} to {last}");
    assert_eq!(said, drawn.as_str());
    let points = "document.querySelector('#rating-graph polyline').points.length";
    assert_eq!(page.eval(points).await, 2);
    let changes = "[...document.querySelectorAll('#history a')].map((link) => link.textContent)";
    let changes: Vec<String> = serde_json::from_value(page.eval(changes).await).unwrap();
    assert_eq!(
        changes.iter().map(|one| change(one)).collect::<Vec<_>>(),
        [loss, gain]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_rating_and_a_guest_is_told_so() {
    let (site, browser) = (Site::start().await, Browser::start());
    let person = browser.person().await;
    let page = &person;
    attempt_as_guest(page, &site).await;

    // An account begins without any of that.
    open(page, &site, "/account").await;
    let own = [("name", "Ann"), ("password", PASSWORD)];
    submit(page, "/account/register", &own).await;
    page.until("document.querySelector('.sessions li')").await;
    settle(&site, "teaws5").await;
    answer(page, &site, "teaws5", 0).await;
    page.until("document.querySelector('#gain').textContent")
        .await;
    assert_eq!(text(page, "#worth").await, "Puzzle rating: 1624");
    assert!(page.eval(INVITATION).await.is_null());
    let gain = text(page, "#gain").await;
    assert!(change(&gain) > 0, "{gain}");
    let first = 1500 + change(&gain);
    assert_eq!(
        text(page, "#rating").await,
        format!("Your rating: {first}?")
    );
    assert_eq!(page.eval(GRAPH).await, false, "one attempt is no graph");
    assert_eq!(
        page.eval("document.querySelectorAll('#history a').length")
            .await,
        1
    );

    // A second attempt is lost, and what came of both is drawn.
    answer(page, &site, "vn69b2", 3).await;
    page.until(GRAPH).await;
    let loss = text(page, "#gain").await;
    assert!(change(&loss) < 0, "{loss}");
    let (gain, loss) = (change(&gain), change(&loss));
    ratings_are_shown(page, gain, loss).await;
    for (width, height, name) in [(1280, 800, "desktop"), (390, 844, "phone")] {
        page.size(width, height).await;
        page.until("document.documentElement.scrollWidth <= innerWidth")
            .await;
        keep(page, &format!("puzzle-ratings-{name}")).await;
    }
    // The server remembers it.
    page.reload().await;
    page.until(GRAPH).await;
    ratings_are_shown(page, gain, loss).await;
    assert_eq!(text(page, "#gain").await, "");

    chinese_has_no_spaces(page, &site).await;
    log_out(page, &site).await;
    clean(page);
}

/// Chinese has no spaces between its sentences.
async fn chinese_has_no_spaces(page: &Page, site: &Site) {
    open(page, site, "/puzzles/tractor/daily?lang=zh").await;
    page.until(&format!(
        "{GRAPH} && document.querySelector('#status').textContent"
    ))
    .await;
    for selector in ["#rating-sum", "#status"] {
        let said = text(page, selector).await;
        assert!(said.contains('。') && !said.contains("。 "), "{said}");
    }
}

/// Whoever uses the browser next finds what guests have done with it, and nothing of the account's.
async fn log_out(page: &Page, site: &Site) {
    answer(page, site, "rrpw9y", 0).await;
    assert_eq!(remembered(page).await, json!(["teaws5", "vn69b2"]));
    open(page, site, "/account").await;
    submit(page, "/account/logout", &[]).await;
    page.until("document.querySelector('#register-name')").await;
    open(page, site, "/puzzles/tractor/vn69b2?lang=en").await;
    page.until("document.querySelectorAll('#history .solved').length === 2 && !document.querySelector('#history .failed')")
        .await;
    assert_eq!(text(page, "#rating").await, "");
    assert_eq!(page.eval(GRAPH).await, false);
}
