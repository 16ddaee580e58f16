//! Tractor in a real Chromium: four people and an onlooker at one table, and one person with three bots.

use std::time::{Duration, Instant};

use convoy_server::Pace;

use super::cdp::{Browser, Page};
use super::deck::{self, KITTY, deal};
use super::desk::{clean, open};
use super::hand::{Hand, tab_to};
use super::line::HANG;
use crate::common::{STILL, Site, config, paced};

/// Whoever sits at the table, and how they touch it.
pub(crate) struct Person {
    pub(crate) page: Page,
    pub(crate) hand: Hand,
}

impl Person {
    pub(crate) async fn press(&self, selector: &str) {
        self.hand.button(&self.page, selector).await;
    }

    async fn pressed(&self, card: &str) -> bool {
        self.page
            .eval(&format!(
                "document.querySelector('#hand [data-card=\"{card}\"]').ariaPressed === 'true'"
            ))
            .await
            == true
    }

    /// Touches one card.
    pub(crate) async fn touch(&self, card: &str) {
        match self.hand {
            Hand::Mouse => {
                let (x, y) = self.corner(card).await;
                self.page.click_at(x, y).await;
            }
            Hand::Touch => {
                let (x, y) = self.corner(card).await;
                self.page.tap_at(x, y).await;
            }
            Hand::Keys => {
                let inside = self
                    .page
                    .eval("document.activeElement?.matches('#hand .card') ?? false")
                    .await;
                if inside != true {
                    tab_to(&self.page, "#hand .card[tabindex='0']").await;
                }
                let way = format!(
                    "(() => {{ const c = [...document.querySelectorAll('#hand button.card')]; return c.findIndex(e => e.dataset.card === '{card}') - c.indexOf(document.activeElement); }})()"
                );
                let steps = self.page.eval(&way).await.as_i64().unwrap();
                for _ in 0..steps.abs() {
                    self.page
                        .press(if steps > 0 { "ArrowRight" } else { "ArrowLeft" })
                        .await;
                }
                self.page.press("Enter").await;
            }
        }
    }

    /// The corner of a card: what lies free when others overlap it.
    async fn corner(&self, card: &str) -> (f64, f64) {
        let place = self.page.eval(&format!("(() => {{ const e = document.querySelector('#hand [data-card=\"{card}\"]'); e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.x + 8, b.y + 12]; }})()")).await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Chooses exactly these cards, whatever a tap takes along.
    pub(crate) async fn choose(&self, cards: &[&str]) {
        let chosen =
            "[...document.querySelectorAll('#hand [aria-pressed=true]')].map(e => e.dataset.card)";
        for _ in 0..40 {
            let now = self.page.eval(chosen).await;
            let before = now.to_string();
            let now: Vec<String> = serde_json::from_value(now).unwrap();
            let missing = cards.iter().find(|card| !now.iter().any(|c| c == *card));
            let extra = now.iter().find(|card| !cards.contains(&card.as_str()));
            match (missing, extra) {
                (Some(card), _) => self.touch(card).await,
                (None, Some(card)) => self.touch(card).await,
                (None, None) => return,
            }
            let changed = format!("JSON.stringify({chosen}) !== JSON.stringify({before})");
            self.page.until(&changed).await;
        }
        panic!("never chose {cards:?}");
    }

    /// Presses the button that plays or buries, and waits until the table has taken the cards.
    pub(crate) async fn send(&self) {
        self.page.until(READY).await;
        let held = "document.querySelectorAll('#hand .card').length";
        let before = self.page.eval(held).await;
        match self.hand {
            Hand::Keys => self.page.press("p").await,
            _ => self.press("#act").await,
        }
        self.page.until(&format!("{held} !== {before}")).await;
    }

    /// Waits for the turn, and does what the player would do. Nobody else can act meanwhile, so what
    /// is advised can be played.
    pub(crate) async fn hint(&self) {
        self.page.until(TO_ACT).await;
        match self.hand {
            Hand::Keys => self.page.press("h").await,
            _ => self.press("[data-act=hint]").await,
        }
        self.send().await;
    }
}

/// The page waits for this person to bury or to play.
const TO_ACT: &str = "document.querySelector('[data-act=hint]')";
/// Passes, if the page asks this person whether to declare: more than once, where others have declared meanwhile.
const PASS: &str = "(pass => { pass?.setAttribute('data-pressed', ''); pass?.click(); })(document.querySelector('#pass:not([data-pressed])'))";
/// The round is over.
const OVER: &str = "!document.querySelector('#result').hidden";
/// What is chosen can be played.
const READY: &str = "document.querySelector('#act').ariaDisabled === 'false'";

/// Four people and an onlooker at a table that was opened on the home page.
pub(crate) async fn sit_down(site: &Site, browser: &Browser) -> (Vec<Person>, Page) {
    let hands = [Hand::Mouse, Hand::Mouse, Hand::Touch, Hand::Keys];
    let mut people = vec![];
    for hand in hands {
        let page = browser.person().await;
        if hand == Hand::Touch {
            page.size(390, 844).await;
        }
        people.push(Person { page, hand });
    }
    let host = &people[0].page;
    open(host, site, "/").await;
    host.click(".tractor-home [name=opponent][value=friend]")
        .await;
    host.click("#play-tractor").await;
    host.until("location.pathname.startsWith('/game/') && document.querySelector('.seat')")
        .await;
    let path = host
        .eval("location.pathname")
        .await
        .as_str()
        .unwrap()
        .to_owned();
    for person in &people[1..] {
        open(&person.page, site, &path).await;
        person.page.until("document.querySelector('.seat')").await;
        person.press("#sit").await;
        person
            .page
            .until("!document.querySelector('#sit') && document.querySelector('.seat')")
            .await;
    }
    let watcher = browser.person().await;
    open(&watcher, site, &path).await;
    (people, watcher)
}

async fn all(people: &[Person], condition: &str) {
    for person in people {
        person.page.until(condition).await;
    }
}

/// How many cards are out, as the table says it.
async fn dealt(page: &Page) -> i64 {
    let words = "document.querySelector('#felt .trick-words')?.innerText ?? ''";
    let count = format!("Number(/(\\d+) of 100/.exec({words})?.[1] ?? 100)");
    page.eval(&count).await.as_i64().unwrap()
}

/// Declares nothing, however often there is a chance to, until it is this person's turn to bury or to play.
pub(crate) async fn pass_until_turn(page: &Page) {
    while page.eval(&format!("Boolean({TO_ACT})")).await != true {
        page.eval(PASS).await;
        page.until(&format!(
            "{TO_ACT} || document.querySelector('#pass:not([data-pressed])')"
        ))
        .await;
    }
}

/// Plays the round to its end: whoever is to act does what the player would. A page that shows the
/// turn keeps showing it until its person has acted, so none can be overtaken.
pub(crate) async fn play_on(people: &[&Person]) {
    let mut acted = Instant::now();
    while people[0].page.eval(OVER).await != true {
        for person in people {
            person.page.eval(PASS).await;
            if person.page.eval(&format!("Boolean({TO_ACT})")).await == true {
                person.hint().await;
                acted = Instant::now();
            }
        }
        assert!(acted.elapsed() < HANG, "nobody is to act");
        // The next page hears of its turn in a moment; nothing here depends on how soon.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_a_whole_round_and_a_fifth_watches() {
    let (site, browser) = (deck::site(STILL).await, Browser::start());
    let (people, watcher) = sit_down(&site, &browser).await;
    let four: &[Person; 4] = people[..].try_into().unwrap();
    declare_and_override(&site, four, &watcher).await;
    bury_eight(four).await;
    lead_a_tractor(four, &watcher).await;
    throw_while_one_is_offline(four).await;
    ruff(four, &watcher).await;
    sees_no_hand(&watcher).await;
    finish(four, &watcher).await;
    replay(&four[0]).await;
    go_on_to_the_next_round(four).await;
    for person in four {
        clean(&person.page);
    }
    clean(&watcher);
}

/// In the middle of the deal a finger declares with one tap, and a mouse overrides with one click.
async fn declare_and_override(site: &Site, people: &[Person; 4], watcher: &Page) {
    let [a, b, c, _] = people;
    deal(site, &a.page, 6).await;
    c.press("[data-offer='2D0']").await;
    let declared = "document.querySelector('#fact-declared').innerText";
    all(people, &format!("{declared}.includes('diamonds')")).await;
    watcher
        .until(&format!("{declared}.includes('diamonds')"))
        .await;
    assert_eq!(dealt(watcher).await, 24);
    deal(site, &a.page, 4).await;
    b.press("[data-offer='2H0 2H1']").await;
    all(people, &format!("{declared}.includes('pair of hearts')")).await;
    watcher
        .until(&format!("{declared}.includes('pair of hearts')"))
        .await;
    assert_eq!(dealt(watcher).await, 40);
    let seen = watcher
        .eval("document.querySelectorAll('#felt .play .card').length")
        .await;
    assert_eq!(seen, 2, "everyone sees the cards that were shown");

    // When all cards are out nobody can beat the declaration: every page passes by itself.
    deal(site, &a.page, 15).await;
}

/// The burial: eight and no fewer.
async fn bury_eight(people: &[Person; 4]) {
    let [_, b, _, _] = people;
    b.page
        .until("document.querySelectorAll('#hand .card').length === 33")
        .await;
    b.choose(&KITTY[..7]).await;
    b.page
        .until("document.querySelector('#why').innerText.includes('8 cards')")
        .await;
    b.choose(&KITTY).await;
    b.send().await;
    all(people, "document.querySelector('#fact-kitty')").await;
    b.page
        .until("document.querySelectorAll('#hand .card').length === 25")
        .await;
}

/// A tractor: one tap chooses it whole.
async fn lead_a_tractor(people: &[Person; 4], watcher: &Page) {
    let [a, b, c, d] = people;
    b.page
        .until("document.querySelector('[data-act=hint]')")
        .await;
    b.touch("KC0").await;
    b.page
        .until("document.querySelector('#act').innerText.includes('tractor of 2 pairs')")
        .await;
    assert!(b.pressed("QC1").await);
    // Cards may be chosen before it is one's turn. They stay chosen, and where they are, while others play.
    let ahead = a
        .page
        .eval("document.querySelector('#hand .card').dataset.card")
        .await;
    a.touch(ahead.as_str().unwrap()).await;
    let chosen = "[...document.querySelectorAll('#hand [aria-pressed=true]')].map((card) => [card.dataset.card, card.offsetLeft, card.parentElement.getBoundingClientRect().y].join())";
    a.page.until(&format!("{chosen}.length")).await;
    let before = a.page.eval(chosen).await;
    b.send().await;
    watcher
        .until("document.querySelectorAll('.play[data-seat=\"1\"] .card').length === 4")
        .await;
    c.hint().await;
    d.hint().await;
    a.page.until(TO_ACT).await;
    assert_eq!(a.page.eval(chosen).await, before);
    a.page.press("Escape").await;
    a.hint().await;
    b.page.until("document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 21").await;
}

/// One reloads, one loses the connection: the table waits, nothing is lost.
async fn throw_while_one_is_offline(people: &[Person; 4]) {
    let [a, b, c, d] = people;
    a.page.reload().await;
    a.page
        .until("document.querySelectorAll('#hand .card').length === 21")
        .await;
    c.page.network(true, 0).await;
    c.page.eval("dispatchEvent(new Event('offline'))").await;
    c.page
        .until("document.querySelector('#status.offline')")
        .await;

    // A throw that is refused, in words; then one that is sure.
    b.choose(&["AS0", "QS0"]).await;
    b.page
        .until("document.querySelector('#why.refused')?.innerText.includes('Not a sure throw')")
        .await;
    assert_eq!(
        b.page
            .eval("document.querySelector('#act').ariaDisabled")
            .await,
        "true"
    );
    b.page.press("Escape").await;
    b.choose(&["AD0", "AD1", "KD0"]).await;
    b.page
        .until("document.querySelector('#act').innerText.includes('throw (pair + single)')")
        .await;
    b.send().await;
    c.page.network(false, 0).await;
    c.page.eval("dispatchEvent(new Event('online'))").await;
    c.page
        .until("!document.querySelector('#status.offline')")
        .await;
    for person in [c, d, a] {
        person.hint().await;
    }
}

/// A ruff: seat 2 has no spade.
async fn ruff(people: &[Person; 4], watcher: &Page) {
    let [_, b, c, _] = people;
    b.page.until("document.querySelector('[data-act=hint]') && document.querySelectorAll('#hand .card').length === 18").await;
    b.choose(&["AS0"]).await;
    b.send().await;
    c.page
        .until("document.querySelector('[data-act=hint]')")
        .await;
    let trump = c.page.eval("[...document.querySelectorAll('#hand .trumps button.card')].map(e => e.dataset.card).find(card => card[1] === 'H')").await;
    c.choose(&[trump.as_str().unwrap()]).await;
    c.send().await;
    watcher
        .until("document.querySelector('.play.wins[data-seat=\"2\"]')")
        .await;
}

/// The onlooker has seen all of it, and no hand.
async fn sees_no_hand(watcher: &Page) {
    assert_eq!(
        watcher
            .eval("document.querySelectorAll('#hand .card').length")
            .await,
        0
    );
    assert_eq!(
        watcher
            .eval("document.querySelector('#hand-area').hidden")
            .await,
        true
    );
}

/// The round to its end, and what everybody is told of it.
async fn finish(people: &[Person; 4], watcher: &Page) {
    let [a, b, c, d] = people;
    play_on(&[a, b, c, d]).await;
    all(people, "!document.querySelector('#result').hidden && document.querySelectorAll('.one-hand').length === 5").await;
    watcher
        .until("document.querySelectorAll('.one-hand').length === 5")
        .await;
    let reasons = a
        .page
        .eval("document.querySelector('.reasons').innerText")
        .await;
    // What the attackers have taken lies in sight: the cards come to what the reasons begin with.
    let taken = "[...document.querySelectorAll('#taken .card')].reduce((sum, card) => sum + (card.dataset.card[0] === '5' ? 5 : 10), 0)";
    let taken = a.page.eval(taken).await;
    let won = format!("won {taken} points in tricks");
    assert!(reasons.as_str().unwrap().contains(&won), "{won}: {reasons}");
}

/// Any moment again, from any seat.
async fn replay(person: &Person) {
    person.press("#replay-round").await;
    person
        .page
        .until("document.querySelector('#replay-words')?.innerText.length")
        .await;
    person.press("#replay-last").await;
    person
        .page
        .until("Number(document.querySelector('#replay-step').value) > 20")
        .await;
}

/// The next round continues the levels.
async fn go_on_to_the_next_round(people: &[Person; 4]) {
    let [a, _, _, _] = people;
    let levels = a
        .page
        .eval("document.querySelector('.reasons li:last-child').innerText")
        .await;
    for person in people {
        person.press("#next-round").await;
    }
    all(
        people,
        "document.querySelector('#fact-round dd').innerText === '2'",
    )
    .await;
    let now = a
        .page
        .eval("[...document.querySelectorAll('#fact-levels .level')].map((level) => level.firstChild.data).join(' ')")
        .await;
    let ranks: Vec<&str> = now.as_str().unwrap().split_whitespace().collect();
    let words = levels.as_str().unwrap();
    assert!(
        words.contains(&format!("A plays {}s", ranks[1]))
            && words.contains(&format!("B plays {}s", ranks[3])),
        "{words} {ranks:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_plays_a_round_with_three_bots_from_two_clicks() {
    let pace = Pace { deal: 0, ..STILL };
    let site = Site::with(paced(pace, config())).await;
    let browser = Browser::start();
    let person = Person {
        page: browser.person().await,
        hand: Hand::Mouse,
    };
    person.page.prefer("light", true).await;
    open(&person.page, &site, "/?lang=en").await;
    person.page.click("#play-tractor").await;
    person
        .page
        .until("location.pathname.startsWith('/game/')")
        .await;
    pass_until_turn(&person.page).await;
    play_on(&[&person]).await;
    verify_the_round(&person).await;
    examples_judge_in_every_language(&person.page, &site).await;
    clean(&person.page);
}

/// The file holds and agrees with what the page kept; an altered card is found out.
async fn verify_the_round(person: &Person) {
    person.press("#verify-round").await;
    person
        .page
        .until("document.querySelector('#verified')?.dataset.ok === 'true'")
        .await;
    assert_eq!(
        person
            .page
            .eval("[...document.querySelectorAll('.check-list li')].map((check) => check.dataset.check).join(' ')")
            .await,
        "table server roster record yours"
    );
    person.page.eval("(() => { const t = document.querySelector('#proof-text'); const p = JSON.parse(t.value); [p.deck[0], p.deck[1]] = [p.deck[1], p.deck[0]]; t.value = JSON.stringify(p); })()").await;
    person.page.click("#verify").await;
    person
        .page
        .until("document.querySelector('#verified').dataset.ok === 'false'")
        .await;
}

/// The examples of the rules page have verdicts, and words for them, and can be tried.
async fn examples_judge_in_every_language(page: &Page, site: &Site) {
    for lang in ["vi", "zh", "en"] {
        open(page, site, &format!("/rules/tractor?lang={lang}")).await;
        page.until("document.querySelectorAll('.example .verdict:not(:empty)').length === 22 && document.querySelector('#score li')")
            .await;
        let raw = page
            .eval("document.querySelector('main').innerText.match(/\\btr-[a-z-]+/)")
            .await;
        assert!(raw.is_null(), "{lang}: {raw}");
    }
    page.click("[data-examples=pairs] .example:nth-child(2) [data-card='8D0']")
        .await;
    page.until("document.querySelector('[data-examples=pairs] .example:nth-child(2) .verdict').innerText.includes('single')").await;
}
