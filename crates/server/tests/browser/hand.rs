//! The ways of touching a board: a mouse, a finger, keys.

use super::cdp::Page;

/// How somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hand {
    Mouse,
    Touch,
    Keys,
}

fn cell(square: &str) -> String {
    format!("[data-square=\"{square}\"]")
}

impl Hand {
    /// Goes to a square and acts on it.
    pub(crate) async fn square(self, page: &Page, square: &str) {
        match self {
            Self::Mouse => page.click(&cell(square)).await,
            Self::Touch => page.tap(&cell(square)).await,
            Self::Keys => {
                walk(page, square).await;
                page.press("Enter").await;
            }
        }
    }

    /// Switches a part of the selected stack on or off.
    pub(crate) async fn part(self, page: &Page, letter: &str) {
        let button = format!("[data-part=\"{letter}\"]");
        page.until(&format!("document.querySelector('{button}')"))
            .await;
        let before = page
            .eval(&format!("document.querySelector('{button}').ariaPressed"))
            .await;
        match self {
            Self::Mouse => page.click(&button).await,
            Self::Touch => page.tap(&button).await,
            Self::Keys => {
                let place = page.eval(&format!("[...document.querySelectorAll('.part')].findIndex(e => e.matches('{button}')) + 1")).await;
                page.press(&place.to_string()).await;
            }
        }
        page.until(&format!(
            "document.querySelector('{button}')?.ariaPressed !== {before}"
        ))
        .await;
    }

    /// Chooses to strike rather than to take.
    pub(crate) async fn strike(self, page: &Page) {
        page.until("!document.querySelector('.chips').hidden").await;
        match self {
            Self::Mouse => page.click(".chip.strike").await,
            Self::Touch => page.tap(".chip.strike").await,
            Self::Keys => page.press("s").await,
        }
    }

    /// Presses a button of the page.
    pub(crate) async fn button(self, page: &Page, selector: &str) {
        match self {
            Self::Mouse => page.click(selector).await,
            Self::Touch => page.tap(selector).await,
            Self::Keys => {
                tab_to(page, selector).await;
                page.press("Enter").await;
            }
        }
    }
}

/// Moves the focus over the board by arrow keys.
async fn walk(page: &Page, square: &str) {
    if page
        .eval("document.activeElement?.dataset.square ?? null")
        .await
        .is_null()
    {
        tab_to(page, "[role=gridcell][tabindex='0']").await;
    }
    let now = page.eval("document.activeElement.dataset.square").await;
    let (file, rank) = place(now.as_str().unwrap());
    let (to_file, to_rank) = place(square);
    let (across, up) = (to_file - file, to_rank - rank);
    for _ in 0..across.abs() {
        page.press(if across > 0 {
            "ArrowRight"
        } else {
            "ArrowLeft"
        })
        .await;
    }
    for _ in 0..up.abs() {
        page.press(if up > 0 { "ArrowUp" } else { "ArrowDown" })
            .await;
    }
    let now = page.eval("document.activeElement.dataset.square").await;
    assert_eq!(now, square);
}

fn place(square: &str) -> (i32, i32) {
    let (file, rank) = square.split_at(1);
    (i32::from(file.as_bytes()[0]), rank.parse().unwrap())
}

/// Presses Tab until the focus is where it shall be.
pub(crate) async fn tab_to(page: &Page, selector: &str) {
    page.until(&format!("document.querySelector({selector:?})"))
        .await;
    for _ in 0..120 {
        let there = page
            .eval(&format!(
                "document.activeElement?.matches({selector:?}) ?? false"
            ))
            .await;
        if there == true {
            return;
        }
        page.press("Tab").await;
    }
    panic!("Tab never reaches {selector}");
}
