//! The pages in a real Chromium: whole games by mouse, finger and keyboard, two people at a table,
//! bad connections, three languages, and an audit of who might be kept out.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    missing_debug_implementations,
    reason = "tools of tests fail by panicking"
)]

mod common;

/// Each of these functions is a test with wide fonts and one with narrow fonts.
macro_rules! with_both_fonts {
    ($($test:ident),* $(,)?) => {
        mod wide {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test($crate::launch::Fonts::Wide).await;
            })*
        }
        mod narrow {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test($crate::launch::Fonts::Narrow).await;
            })*
        }
    };
}

#[path = "browser/access.rs"]
mod access;
#[path = "browser/account.rs"]
mod account;
#[path = "browser/card_shots.rs"]
mod card_shots;
#[path = "browser/cards.rs"]
mod cards;
#[path = "browser/cdp.rs"]
mod cdp;
#[path = "browser/deck.rs"]
mod deck;
#[path = "browser/desk.rs"]
mod desk;
#[path = "browser/evidence.rs"]
mod evidence;
#[path = "browser/game.rs"]
mod game;
#[path = "browser/hand.rs"]
mod hand;
#[path = "browser/house.rs"]
mod house;
#[path = "browser/launch.rs"]
mod launch;
#[path = "browser/line.rs"]
mod line;
#[path = "browser/people.rs"]
mod people;
#[path = "browser/shots.rs"]
mod shots;
#[path = "browser/shuffle.rs"]
mod shuffle;
#[path = "browser/study.rs"]
mod study;
#[path = "browser/tongue.rs"]
mod tongue;
#[path = "browser/tour.rs"]
mod tour;
