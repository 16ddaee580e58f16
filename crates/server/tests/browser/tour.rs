//! A walk past everything that the pages can show, for whoever looks at all of it: the audit and the languages.

use convoy_server::Pace;
use serde_json::json;

use super::account::submit;
use super::cards::{Person, play_on};
use super::cdp::{Browser, Page};
use super::deck::{self, KITTY};
use super::desk::{KINDS, new_game, open, ready};
use super::hand::Hand;
use super::review::{MATE_IN_ONE, MISSED, missed_mate};
use crate::common::{PASSWORD, STILL, Site};

/// One thing to look at: an address, and what to do there after it is loaded.
pub(crate) struct Sight {
    pub(crate) name: &'static str,
    pub(crate) path: String,
    arrange: Arrange,
}

#[derive(Clone, Copy)]
enum Arrange {
    Nothing,
    /// Waits until something is there.
    Until(&'static str),
    /// Presses one thing, and waits for another.
    Press(&'static str, &'static str),
    /// A stack is selected on the board.
    Stack,
    /// The engine gives its opinion.
    Engine,
    /// These cards are chosen.
    Choose(&'static [&'static str]),
}

impl Sight {
    fn new(name: &'static str, path: &str, arrange: Arrange) -> Self {
        Self {
            name,
            path: path.to_owned(),
            arrange,
        }
    }

    /// Goes there, in a language, and brings about what is to be seen.
    pub(crate) async fn visit(&self, page: &Page, site: &Site, lang: &str) {
        let join = if self.path.contains('?') { '&' } else { '?' };
        open(page, site, &format!("{}{join}lang={lang}", self.path)).await;
        match self.arrange {
            Arrange::Nothing => {}
            Arrange::Until(condition) => page.until(condition).await,
            Arrange::Press(button, condition) => {
                page.click(button).await;
                page.until(condition).await;
            }
            Arrange::Engine => {
                ready(page).await;
                page.click("#engine").await;
                page.until("document.querySelectorAll('#lines li').length > 1")
                    .await;
            }
            Arrange::Stack => {
                ready(page).await;
                Hand::Mouse.square(page, "f3").await;
                page.until("document.querySelectorAll('.part').length === 3")
                    .await;
            }
            Arrange::Choose(cards) => {
                page.until("document.querySelector('#hand .card')").await;
                for card in cards {
                    page.eval(&format!(
                        "(e => e.ariaPressed === 'true' || e.click())(document.querySelector('#hand [data-card=\"{card}\"]'))"
                    ))
                    .await;
                }
                page.until("document.querySelector('#why.refused')?.innerText")
                    .await;
            }
        }
    }
}

/// The pages that need no card table. One game is being played and one is over.
pub(crate) async fn pages(page: &Page, site: &Site) -> Vec<Sight> {
    let path = async |page: &Page| {
        let path = page.eval("location.pathname").await;
        path.as_str().unwrap().to_owned()
    };
    new_game(page, site, "bot", KINDS, "5").await;
    page.click("[data-act=abort]").await;
    page.until("document.querySelector('#status').innerText.includes('No result')")
        .await;
    let over = path(page).await;
    open(page, site, "/").await;
    page.click("#play [name=opponent][value=friend]").await;
    page.click("#play .new-game > button").await;
    page.until("!document.querySelector('#invite')?.hidden && location.pathname !== '/'")
        .await;
    let waiting = path(page).await;
    let won = format!("/game/{}", missed_mate(site).await);
    new_game(page, site, "bot", KINDS, "5").await;
    let game = path(page).await;
    let mut sights = sights_of_games(&game, &waiting, &over);
    sights.extend(sights_of_frames(&won));
    sights.extend(sights_of_study(&format!("{won}/review")));
    sights.extend(sights_of_lessons());
    sights.extend(sights_of_accounts());
    sights
}

/// What only somebody with an account sees, who has attempted puzzles and has games on the device.
pub(crate) async fn pages_of_account(page: &Page, site: &Site) -> Vec<Sight> {
    use Arrange::{Nothing, Until};
    open(page, site, "/account?lang=en").await;
    let own = [("name", "Linh"), ("password", PASSWORD)];
    submit(page, "/account/register", &own).await;
    page.until("document.querySelector('.sessions li')").await;
    open(page, site, "/puzzles/cotulenh/naj430").await;
    page.until("document.querySelector('#status').textContent")
        .await;
    for id in ["af5wab", "naj430"] {
        let give_up = format!(
            "import(document.querySelector('script[type=module]').src.replace('puzzle-board', 'rules')).then(({{ post }}) => post('/api/v1/puzzles/cotulenh/{id}/give-up', {{}}))"
        );
        page.eval(&give_up).await;
    }
    let games = json!([
        { "game": "cotulenh", "id": "0ne", "start": MATE_IN_ONE, "turns": [MISSED], "you": 0, "level": 3, "outcome": { "winner": "b", "reason": "resign" }, "at": 1 },
        { "game": "cotulenh", "id": "tw0", "start": MATE_IN_ONE, "turns": [MISSED], "you": 1, "level": 3, "outcome": null, "at": 2 },
        { "game": "tractor", "id": "tr1", "level": 2, "round": 3, "levels": ["4", "2"], "winner": null, "at": 3 },
    ]);
    let store = format!(
        "localStorage.setItem('convoy.games', {})",
        json!(games.to_string())
    );
    page.eval(&store).await;
    vec![
        Sight::new(
            "own account",
            "/account",
            Until("document.querySelector('.sessions li')"),
        ),
        Sight::new(
            "rated puzzle",
            "/puzzles/cotulenh/naj430",
            Until("!document.querySelector('#rating-graph').hidden"),
        ),
        Sight::new(
            "games on the device",
            "/offline",
            Until("document.querySelectorAll('#stored-games .stored').length === 3"),
        ),
        Sight::new(
            "game on the device",
            "/offline/game?id=tw0",
            Until("document.querySelector('button.turn')"),
        ),
        Sight::new("own games", "/archive", Nothing),
    ]
}

/// Boards on other sites, and a game that others have played.
fn sights_of_frames(won: &str) -> Vec<Sight> {
    use Arrange::Until;
    let embedded = format!("/embed{won}");
    let shown = Until("document.querySelector('.cells [data-square]')");
    vec![
        Sight::new(
            "game of others",
            won,
            Until("document.querySelector('#turns .walk')"),
        ),
        Sight::new("embedded position", "/embed/position?last=Ic5c6", shown),
        Sight::new("embedded game", &embedded, shown),
    ]
}

/// The home page, and tables in every state.
fn sights_of_games(game: &str, waiting: &str, over: &str) -> Vec<Sight> {
    use Arrange::{Press, Stack, Until};
    vec![
        Sight::new(
            "home",
            "/",
            Until("document.querySelector('#open-tables li')"),
        ),
        Sight::new(
            "offline",
            "/offline",
            Until("document.querySelector('#offline-state').innerText.includes('https')"),
        ),
        Sight::new(
            "home, all switches",
            "/",
            Press(
                ".tractor-home summary",
                "document.querySelector('.tractor-home details[open]')",
            ),
        ),
        Sight::new(
            "settings",
            "/",
            Press(
                "#open-settings",
                "document.querySelector('#settings[open]')",
            ),
        ),
        Sight::new("game", game, Stack),
        Sight::new(
            "waiting for a friend",
            waiting,
            Until("!document.querySelector('#invite').hidden"),
        ),
        Sight::new(
            "game that is over",
            over,
            Until("document.querySelector('#turns .walk')"),
        ),
    ]
}

/// Analysis, editor, rules and puzzles.
fn sights_of_study(reviewed: &str) -> Vec<Sight> {
    use Arrange::{Engine, Nothing, Press, Until};
    vec![
        Sight::new("analysis", "/analysis", Engine),
        Sight::new(
            "saved analyses",
            "/analysis",
            Press(".saved summary", "document.querySelector('.saved[open]')"),
        ),
        Sight::new(
            "review",
            reviewed,
            Until("!document.querySelector('#reviewed').hidden"),
        ),
        Sight::new(
            "editor",
            "/editor",
            Until("document.querySelector('#verdict.good')"),
        ),
        Sight::new(
            "editor, no position",
            "/editor?fen=11/11/11/11/11/11/11/11/11/11/11/c4C5%20r%20-%20-%200%201",
            Until("document.querySelector('#verdict.error')"),
        ),
        Sight::new("rules of one game", "/rules/cotulenh", Nothing),
        Sight::new(
            "rules of the other",
            "/rules/tractor",
            Until(
                "document.querySelectorAll('.example .verdict:not(:empty)').length === 22 && document.querySelector('#score li')",
            ),
        ),
        Sight::new(
            "puzzle",
            "/puzzles/cotulenh/naj430",
            Press(
                "#show-solution",
                "document.querySelector('#solution .soft')",
            ),
        ),
        Sight::new(
            "puzzle of cards",
            "/puzzles/tractor/teaws5",
            Press(
                "#show-solution",
                "document.querySelector('#solution .soft')",
            ),
        ),
    ]
}

/// The courses, a lesson of each kind and the round that ends them.
fn sights_of_lessons() -> Vec<Sight> {
    use Arrange::{Nothing, Until};
    vec![
        Sight::new("courses", "/learn", Nothing),
        Sight::new(
            "lesson on the board",
            "/learn/cotulenh/deploy",
            Until("document.querySelector('convoy-board')?.draft"),
        ),
        Sight::new(
            "lesson with cards",
            "/learn/tractor/before-play",
            Until("document.querySelector('#answer')"),
        ),
        Sight::new(
            "coached round",
            "/learn/tractor/round",
            Until("document.querySelectorAll('#round [data-card]').length === 33"),
        ),
    ]
}

/// What belongs to a visitor, a round to verify, and addresses that lead nowhere.
fn sights_of_accounts() -> Vec<Sight> {
    use Arrange::{Nothing, Press};
    vec![
        Sight::new("account", "/account", Nothing),
        Sight::new("archive", "/archive", Nothing),
        Sight::new(
            "verify",
            "/verify",
            Press("#verify", "document.querySelector('#verified')"),
        ),
        Sight::new("nothing here", "/nothing-here", Nothing),
        Sight::new("no such table", "/game/aaaaaaaa", Nothing),
    ]
}

/// A round of cards for one person and three bots; `look` is called at every stage of it.
pub(crate) async fn round(browser: &Browser, look: impl AsyncFn(&Page, &Site, &Sight)) {
    use Arrange::{Choose, Until};
    let pace = Pace { deal: 0, ..STILL };
    let site = deck::site_for_one(pace).await;
    let person = Person {
        page: browser.person().await,
        hand: Hand::Mouse,
    };
    let page = &person.page;
    open(page, &site, "/?lang=en").await;
    page.eval("document.querySelector('#tractor-level').value = '1'")
        .await;
    page.click("#play-tractor").await;
    page.until("document.querySelector('#pass') && document.querySelector('[data-offer]')")
        .await;
    let path = page.eval("location.pathname").await;
    let path = path.as_str().unwrap();
    let offers = Until("document.querySelector('#pass') && document.querySelector('[data-offer]')");
    look(page, &site, &Sight::new("deal", path, offers)).await;

    open(page, &site, &format!("{path}?lang=en")).await;
    person.press("[data-offer='2H0 2H1']").await;
    page.until("document.querySelectorAll('#hand .card').length === 33")
        .await;
    look(
        page,
        &site,
        &Sight::new("burying", path, Choose(&["3S0", "4S0"])),
    )
    .await;

    open(page, &site, &format!("{path}?lang=en")).await;
    page.until("document.querySelector('#hand .card')").await;
    person.choose(&KITTY).await;
    person.send().await;
    page.until("document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 25")
        .await;
    let unsure = Choose(&["AS0", "QS0"]);
    look(
        page,
        &site,
        &Sight::new("play, a throw refused", path, unsure),
    )
    .await;

    open(page, &site, &format!("{path}?lang=en")).await;
    page.until("document.querySelector('#hand .card')").await;
    person.choose(&["AD0", "AD1", "KD0"]).await;
    person.send().await;
    page.until("document.querySelectorAll('#last-trick .card, .trick.lies .card').length >= 12 && document.querySelector('[data-act=hint]')")
        .await;
    let again = Until("document.querySelector('[data-act=hint]')");
    look(
        page,
        &site,
        &Sight::new("play, the next trick", path, again),
    )
    .await;

    open(page, &site, &format!("{path}?lang=en")).await;
    play_on(&[&person]).await;
    after_the_round(page, &site, path, look).await;
}

/// What a round leaves behind: its result, its replay, its file, its review, its place in the archive.
async fn after_the_round(
    page: &Page,
    site: &Site,
    path: &str,
    look: impl AsyncFn(&Page, &Site, &Sight),
) {
    use Arrange::{Nothing, Press, Until};
    let hands = Until("document.querySelectorAll('.one-hand').length === 5");
    look(page, site, &Sight::new("result", path, hands)).await;
    let replay = Press(
        "#replay-round",
        "document.querySelector('#replay-words')?.innerText.length",
    );
    look(page, site, &Sight::new("replay", path, replay)).await;
    let verify = format!(
        "/verify?table={}&round=1",
        path.trim_start_matches("/game/")
    );
    let good = Until("document.querySelector('#verified')");
    look(page, site, &Sight::new("verify a round", &verify, good)).await;
    let review = format!("{path}/review?round=1");
    let shown = Until("!document.querySelector('#reviewed').hidden");
    look(page, site, &Sight::new("review of a round", &review, shown)).await;
    look(
        page,
        site,
        &Sight::new("archive with cards", "/archive", Nothing),
    )
    .await;
}
