//! What a player may choose: piece sets, boards, notation, sound, a quiet page, a picture to share.

use serde_json::json;

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, new_game, ready, turns};
use super::hand::Hand;
use super::offers::friends;
use crate::common::Site;

/// Chooses in the dialog, as its fields do.
async fn set(page: &Page, key: &str, value: &str) {
    page.click("#open-settings").await;
    page.until("document.querySelector('#settings[open]')")
        .await;
    page.eval(&format!("(e => (e.value = '{value}', e.dispatchEvent(new Event('change'))))(document.querySelector('#set-{key}'))")).await;
    page.click("#settings .primary").await;
    page.until("!document.querySelector('#settings[open]')")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_come_in_four_sets() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    let face = "(() => { const face = document.querySelector('[data-at=k1] g g').children[1]; return face.textContent || face.getAttribute('href').split('/').at(-1); })()";
    for (set_name, shown) in [
        ("symbols", "symbols.svg#c"),
        ("letters", "C"),
        ("vi", "Tư"),
        ("art", "pieces.svg#c"),
    ] {
        set(&page, "pieces", set_name).await;
        assert_eq!(page.eval(face).await, shown);
    }
    // Every piece of both drawn sets is there.
    for file in ["pieces", "symbols"] {
        let missing = page
            .eval(&format!("fetch(document.querySelector('[data-at=k1] use').href.baseVal.replace(/[^/]*$/, '{file}.svg')).then((reply) => reply.text()).then((text) => [...'citmeagsfnh'].filter((letter) => !text.includes(`id=\"${{letter}}\"`)).join(''))"))
            .await;
        assert_eq!(missing, "", "{file}");
    }
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_has_three_themes_that_stay_chosen() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    let mut grounds = std::collections::BTreeSet::new();
    for board in ["map", "paper", "night"] {
        set(&page, "board", board).await;
        page.reload().await;
        ready(&page).await;
        assert_eq!(
            page.eval("document.documentElement.dataset.board").await,
            board
        );
        let ground = page
            .eval("['--land', '--sea'].map((name) => getComputedStyle(document.querySelector('svg.board')).getPropertyValue(name)).join()")
            .await;
        grounds.insert(ground.as_str().unwrap().to_owned());
    }
    assert_eq!(grounds.len(), 3, "{grounds:?}");
    clean(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_listed_with_figurines() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    Hand::Mouse.square(&page, "c3").await;
    Hand::Mouse.square(&page, "d3").await;
    turns(&page, 2).await;
    let first = "document.querySelector('button.turn')";
    assert_eq!(page.eval(&format!("{first}.innerText")).await, "Id3");
    set(&page, "notation", "figurines").await;
    page.until(&format!("{first}.querySelector('svg use')"))
        .await;
    let drawn = page
        .eval(&format!(
            "[...{first}.querySelectorAll('use')].map((use) => use.getAttribute('href').split('#')[1]).join()"
        ))
        .await;
    assert!(drawn.as_str().unwrap().ends_with('i'), "{drawn}");
    assert_eq!(page.eval(&format!("{first}.innerText.trim()")).await, "d3");
    // Whoever hears the list hears the letter.
    let heard = page
        .eval(&format!(
            "{first}.title || {first}.getAttribute('aria-label')"
        ))
        .await;
    assert!(heard.as_str().unwrap().contains("Infantry"), "{heard}");
    set(&page, "notation", "letters").await;
    page.until(&format!("{first}.innerText === 'Id3'")).await;
    clean(&page);
}

/// Counts the contexts of sounds, and keeps the first knob of each: what all its sounds go through.
const LISTEN: &str = "window.convoyVolumes = [];
  window.AudioContext = class extends AudioContext {
    constructor() { super(); this.first = true; }
    createGain() {
      const gain = super.createGain();
      if (this.first) convoyVolumes.push(gain.gain);
      this.first = false;
      return gain;
    }
  };";

/// A page that nobody has touched makes no sound and no complaint when a move arrives; after the first
/// click it sounds as loud as it was set.
#[tokio::test(flavor = "multi_thread")]
async fn sounds_wait_for_the_first_click_and_keep_their_volume() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = friends(&site, &browser).await;
    bob.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": LISTEN }),
    )
    .await;
    let path = bob.eval("location.pathname").await;
    let path = path.as_str().unwrap();
    bob.goto(&format!("http://{}{path}?lang=en", site.address))
        .await;
    ready(&ann).await;
    Hand::Mouse.square(&ann, "c3").await;
    Hand::Mouse.square(&ann, "d3").await;
    turns(&bob, 1).await;
    assert_eq!(bob.eval("convoyVolumes.length").await, 0);
    assert!(bob.logged("AudioContext").is_empty());

    set(&bob, "volume", "30").await;
    ready(&bob).await;
    Hand::Mouse.square(&bob, "c12").await;
    Hand::Mouse.square(&bob, "c11").await;
    bob.until("convoyVolumes.length === 1").await;
    let loud = "Math.round(convoyVolumes[0].value * 70)";
    assert_eq!(bob.eval(loud).await, 30);
    set(&bob, "volume", "0").await;
    turns(&ann, 2).await;
    ready(&ann).await;
    Hand::Mouse.square(&ann, "d3").await;
    Hand::Mouse.square(&ann, "e3").await;
    turns(&bob, 3).await;
    bob.until(&format!("{loud} === 0")).await;
    assert!(bob.logged("AudioContext").is_empty());
    clean(&bob);
}

#[tokio::test(flavor = "multi_thread")]
async fn zen_mode_leaves_the_board_and_the_clocks() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    new_game(&page, &site, "bot", KINDS, "5").await;
    let seen = |selector: &str| format!("document.querySelector('{selector}').checkVisibility()");
    for key in ["z", "Z"] {
        page.press(key).await;
        let zen = key == "z";
        for selector in ["header.top", ".tools", "#turns"] {
            page.until(&format!("{} === {}", seen(selector), !zen))
                .await;
        }
        for selector in [".stage", "#bottom-player .clock", "#actions"] {
            assert_eq!(page.eval(&seen(selector)).await, true, "{selector}");
        }
    }
    clean(&page);
}

/// Where the system has a share sheet for pictures, it gets the picture itself; elsewhere the button
/// downloads it.
#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_a_game_is_a_small_png_to_share() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    // What a phone has and a desktop has not.
    let sheet = "navigator.canShare = (what) => what.files?.[0]?.type === 'image/png';
      navigator.share = async (what) => { window.convoyShared = what; };";
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": sheet }),
    )
    .await;
    new_game(&page, &site, "bot", KINDS, "0").await;
    page.click("#picture").await;
    page.until("window.convoyShared").await;
    let shared = page
        .eval("convoyShared.files[0].arrayBuffer().then((bytes) => ({ name: convoyShared.files[0].name, size: bytes.byteLength, head: [...new Uint8Array(bytes.slice(1, 4))] }))")
        .await;
    assert_eq!(shared["head"], json!([80, 78, 71]), "PNG");
    assert!(shared["size"].as_u64().unwrap() < 300_000, "{shared}");
    let name = shared["name"].as_str().unwrap();
    assert!(name.starts_with("convoy-") && name.ends_with(".png"));

    let plain = browser.person().await;
    plain
        .call(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": "navigator.canShare = undefined;" }),
        )
        .await;
    new_game(&plain, &site, "bot", KINDS, "0").await;
    let download = plain
        .eval("(() => { const link = document.querySelector('#picture'); let kept = true; document.addEventListener('click', (event) => { kept = !event.defaultPrevented; event.preventDefault(); }); link.click(); return [kept, link.download.endsWith('.png')]; })()")
        .await;
    assert_eq!(download, json!([true, true]));
    clean(&page);
    clean(&plain);
}
