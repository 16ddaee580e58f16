//! Lessons: every step is done by its own solution, by mouse, finger and keys, and wrong tries are explained.

use convoy_lessons::{Answer, BoardTask, CardTask, Course, Step, Task};
use cotulenh::{Move, MoveKind, Position};

use super::cdp::{Browser, Page};
use super::desk::{clean, open, ready};
use super::hand::Hand;
use crate::common::{PASSWORD, Site};

#[tokio::test(flavor = "multi_thread")]
async fn the_board_course_by_mouse() {
    whole_course("cotulenh", &Course::cotulenh().unwrap(), Hand::Mouse).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_course_by_touch() {
    whole_course("cotulenh", &Course::cotulenh().unwrap(), Hand::Touch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_course_by_keys() {
    whole_course("cotulenh", &Course::cotulenh().unwrap(), Hand::Keys).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_course_by_mouse() {
    whole_course("tractor", &Course::tractor().unwrap(), Hand::Mouse).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_course_by_touch() {
    whole_course("tractor", &Course::tractor().unwrap(), Hand::Touch).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_course_by_keys() {
    whole_course("tractor", &Course::tractor().unwrap(), Hand::Keys).await;
}

async fn whole_course(game: &str, course: &Course, hand: Hand) {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    if hand == Hand::Touch {
        page.size(390, 844).await;
    }
    page.prefer("light", true).await;
    for chapter in &course.chapters {
        open(
            &page,
            &site,
            &format!("/learn/{game}/{}?lang=en", chapter.id),
        )
        .await;
        for (index, step) in chapter.steps.iter().enumerate() {
            let id = &step.id;
            page.until(&format!(
                "document.querySelector('#stage')?.dataset.step === '{id}'"
            ))
            .await;
            solve(&page, hand, step).await;
            page.until("document.querySelector('#verdict').dataset.stars === '3'")
                .await;
            if index + 1 < chapter.steps.len() {
                hand.button(&page, "#next").await;
            }
        }
        let all = chapter.steps.len();
        page.until(&format!(
            "document.querySelectorAll('#steps .stars[data-stars=\"3\"]').length === {all}"
        ))
        .await;
    }
    // The list tells what was done.
    open(&page, &site, "/learn?lang=en").await;
    let complete = course.chapters.len();
    page.until(&format!(
        "document.querySelectorAll('.chapters .complete').length === {complete}"
    ))
    .await;
    clean(&page);
}

/// Answers a step with its solution.
pub(crate) async fn solve(page: &Page, hand: Hand, step: &Step) {
    match &step.task {
        Task::Board(task) => solve_board(page, hand, task).await,
        Task::Cards(task) => solve_cards(page, hand, task).await,
    }
}

async fn solve_board(page: &Page, hand: Hand, task: &BoardTask) {
    let mut position = task.position().clone();
    for text in task.solution() {
        ready(page).await;
        let fen = position.to_string();
        page.until(&format!(
            "document.querySelector('convoy-board').draft?.fen === '{fen}'"
        ))
        .await;
        let moves = position.read(text).unwrap();
        match *moves.iter().collect::<Vec<_>>() {
            [mv] if !mv.is_step() => act(page, hand, &position, *mv).await,
            _ => deploy(page, hand, &moves, text).await,
        }
        for mv in moves.iter() {
            position = position.play(*mv).unwrap();
        }
        position.pass_unchecked();
    }
}

/// A move of a whole stack by pointer or keys.
async fn act(page: &Page, hand: Hand, position: &Position, mv: Move) {
    hand.square(page, &mv.from().to_string()).await;
    page.until(&format!(
        "document.querySelector('.cells [data-square=\"{}\"].target')",
        mv.to()
    ))
    .await;
    hand.square(page, &mv.to().to_string()).await;
    let other = match mv.kind() {
        MoveKind::Capture => MoveKind::StayCapture,
        MoveKind::StayCapture => MoveKind::Capture,
        _ => return,
    };
    if !position.is_legal(Move::whole(mv.from(), mv.to(), mv.role(), other)) {
        return;
    }
    if mv.kind() == MoveKind::StayCapture {
        return hand.strike(page).await;
    }
    page.until("!document.querySelector('.chips').hidden").await;
    match hand {
        Hand::Mouse => page.click(".chip.take").await,
        Hand::Touch => page.tap(".chip.take").await,
        Hand::Keys => page.press("Enter").await,
    }
}

/// A deployment such as `F<(TI)>e6`: the parts of each step are chosen beside the board, then its target.
async fn deploy(page: &Page, hand: Hand, moves: &[Move], text: &str) {
    let steps = text.split_once('<').map_or(text, |(_, steps)| steps);
    hand.square(page, &moves[0].from().to_string()).await;
    for (done, step) in steps.split(',').enumerate() {
        let (who, target) = step.split_once('>').unwrap();
        let target = target.trim_start_matches('x');
        page.until(&format!("(b => (b.draft?.steps.length ?? -1) === {done} && b.selected && b.chosen.size)(document.querySelector('convoy-board'))"))
            .await;
        choose(page, hand, &who.to_lowercase()).await;
        page.until(&format!(
            "document.querySelector('.cells [data-square=\"{target}\"].target')"
        ))
        .await;
        hand.square(page, target).await;
    }
    if moves.last().unwrap().is_commit() {
        page.until("!document.querySelector('.bar').hidden && !document.querySelector('.act-done').disabled")
            .await;
        hand.button(page, ".act-done").await;
    }
}

/// Switches the parts of the selected stack so that exactly these are chosen.
async fn choose(page: &Page, hand: Hand, letters: &str) {
    let parts = page
        .eval("[...document.querySelectorAll('.part:not(:disabled)')].map(e => e.dataset.part + e.ariaPressed)")
        .await;
    for part in parts.as_array().unwrap() {
        let (letter, pressed) = part.as_str().unwrap().split_at(1);
        if letters.contains(letter) != (pressed == "true") {
            hand.part(page, letter).await;
        }
    }
}

async fn solve_cards(page: &Page, hand: Hand, task: &CardTask) {
    match task.solution() {
        Answer::Choice(choice) => {
            hand.button(page, &format!("[data-choice={choice:?}]"))
                .await
        }
        Answer::Cards(faces) => {
            for card in task.table().hand.pick(*faces).unwrap().iter() {
                hand.button(page, &format!("#stage [data-card=\"{card}\"]"))
                    .await;
            }
            hand.button(page, "#answer").await;
        }
    }
}

/// What the page says to an attempt.
async fn verdict(page: &Page) -> String {
    page.until("document.querySelector('#verdict.bad')?.innerText")
        .await;
    let words = page
        .eval("document.querySelector('#verdict').innerText")
        .await;
    words.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tries_are_explained_and_cost_a_star() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    for (hand, lang, rule, note) in [
        (Hand::Mouse, "en", "wrong terrain", "d2 is land"),
        (Hand::Touch, "vi", "sai địa hình", "d2 là đất liền"),
        (Hand::Keys, "zh", "地形不符", "d2 是陆地"),
    ] {
        open(
            &page,
            &site,
            &format!("/learn/cotulenh/board?lang={lang}#sea"),
        )
        .await;
        ready(&page).await;
        hand.square(&page, "b2").await;
        page.until("document.querySelector('.cells [data-square=b6].target')")
            .await;
        hand.square(&page, "d2").await;
        let words = verdict(&page).await;
        assert!(words.contains(rule) && words.contains(note), "{words}");
    }
    open(&page, &site, "/learn/cotulenh/board?lang=en#sea").await;
    ready(&page).await;
    Hand::Mouse.square(&page, "b2").await;
    page.until("document.querySelector('.cells [data-square=b5].target')")
        .await;
    Hand::Mouse.square(&page, "b5").await;
    assert!(verdict(&page).await.contains("Navy should be on b6"));
    ready(&page).await;
    Hand::Mouse.square(&page, "b2").await;
    page.until("document.querySelector('.cells [data-square=b6].target')")
        .await;
    Hand::Mouse.square(&page, "b6").await;
    page.until("document.querySelector('#verdict').dataset.stars === '2'")
        .await;

    open(&page, &site, "/learn/tractor/following?lang=en#suit").await;
    page.click("#stage [data-card='2S0']").await;
    page.click("#answer").await;
    let words = verdict(&page).await;
    assert!(words.contains("You still hold spades"), "{words}");
    assert!(words.contains("The two of spades is a trump"), "{words}");

    // Where the verdict alone would not say what is right, the hint does.
    for (hand, lang, hint) in [
        (Hand::Keys, "en", "Which ground piece reaches f8?"),
        (Hand::Mouse, "vi", "Quân mặt đất nào với tới f8?"),
        (Hand::Touch, "zh", "哪个地面棋子能到 f8？"),
    ] {
        let path = format!("/learn/cotulenh/plans?lang={lang}#air-cover");
        open(&page, &site, &path).await;
        ready(&page).await;
        hand.square(&page, "f6").await;
        page.until("document.querySelector('.cells [data-square=f7].target')")
            .await;
        hand.square(&page, "f7").await;
        let words = verdict(&page).await;
        assert!(words.contains(hint), "{words}");
    }
    for (hand, lang, hint) in [
        (Hand::Touch, "en", "35 is below 40."),
        (Hand::Keys, "vi", "35 dưới 40."),
        (Hand::Mouse, "zh", "35 不到 40。"),
    ] {
        let path = format!("/learn/tractor/scoring?lang={lang}#defended");
        open(&page, &site, &path).await;
        hand.button(&page, "#stage [data-choice='d1']").await;
        let words = verdict(&page).await;
        assert!(words.contains(hint), "{words}");
    }
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coached_round_is_played_to_its_end() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    open(&page, &site, "/learn/tractor/round?lang=en").await;
    page.until("document.querySelectorAll('#round [data-card]').length === 33")
        .await;
    // No card is too few to bury, and the rules say so.
    page.click("#answer").await;
    assert!(verdict(&page).await.contains("Bury exactly 8"));
    for plays in 1..=26 {
        page.click("#hint").await;
        page.until("document.querySelector('#round [aria-pressed=true]')")
            .await;
        page.click("#answer").await;
        page.until(&format!("document.querySelector('#round').dataset.plays === '{plays}' && document.querySelector('#verdict.good, #verdict.bad')"))
            .await;
        if page
            .eval("document.querySelector('#round').dataset.over")
            .await
            == "true"
        {
            break;
        }
    }
    page.until("document.querySelector('#verdict').dataset.stars === '3'")
        .await;
    open(&page, &site, "/learn?lang=en").await;
    page.until("document.querySelectorAll('.chapters .complete').length === 1")
        .await;
    clean(&page);
}

/// Does the first step of the course, with a hint or without.
async fn sea(page: &Page, site: &Site, hint: bool) {
    open(page, site, "/learn/cotulenh/board?lang=en#sea").await;
    ready(page).await;
    if hint {
        page.click("#hint").await;
    }
    Hand::Mouse.square(page, "b2").await;
    page.until("document.querySelector('.cells [data-square=b6].target')")
        .await;
    Hand::Mouse.square(page, "b6").await;
    let stars = if hint { 2 } else { 3 };
    page.until(&format!(
        "document.querySelector('#verdict').dataset.stars === '{stars}'"
    ))
    .await;
}

/// How many stars the list shows for the first step.
async fn shown(page: &Page, site: &Site, stars: u8) {
    open(page, site, "/learn/cotulenh/board?lang=en").await;
    page.until(&format!(
        "document.querySelector('#steps .stars').dataset.stars === '{stars}'"
    ))
    .await;
}

/// Opens an account or logs in to it, as a page does.
async fn enter(page: &Page, site: &Site, how: &str) {
    open(page, site, "/account").await;
    page.eval(&format!("document.querySelector('#{how}-name').value = 'Pupil', document.querySelector('#{how}-password').value = '{PASSWORD}'")).await;
    page.click(&format!("form[action='/account/{how}'] button"))
        .await;
    page.until("document.querySelector('.logout')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stars_of_a_guest_go_to_the_account_and_with_it() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    sea(&page, &site, true).await;
    enter(&page, &site, "register").await;
    shown(&page, &site, 2).await;
    // The server has them, and this browser keeps no copy for whoever comes next.
    page.until("localStorage.getItem('convoy-learn') === null")
        .await;

    // In another browser a better try counts, even one that the server hears of later.
    let other = browser.person().await;
    enter(&other, &site, "login").await;
    shown(&other, &site, 2).await;
    let kept = "localStorage.getItem('convoy-learn:Pupil')";
    open(&other, &site, "/learn?lang=en").await;
    other
        .eval("localStorage.setItem('convoy-learn:Pupil', '{\"cotulenh/board/sea\":3,\"cotulenh/no/more\":1}')")
        .await;
    shown(&other, &site, 3).await;
    other.until(&format!("{kept} === null")).await;
    shown(&page, &site, 3).await;
    sea(&page, &site, true).await;
    shown(&page, &site, 3).await;
    for page in [&page, &other] {
        clean(page);
    }
}
