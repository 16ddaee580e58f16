//! The pages in a real Chromium: whole games by mouse, finger and keyboard, two people at a table,
//! bad connections, three languages, and an audit of who might be kept out.
#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    missing_debug_implementations,
    reason = "tools of tests fail by panicking"
)]

#[path = "../server/common/mod.rs"]
mod common;
#[path = "../server/tractor/table.rs"]
#[allow(dead_code, reason = "these tests use a part of it")]
mod table;

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

mod access;
mod account;
mod board_features;
mod card_features;
mod card_shots;
mod cards;
mod cdp;
mod connection;
mod deck;
mod desk;
mod element;
mod evidence;
mod game;
mod hand;
mod home;
mod house;
mod input;
mod installed;
mod launch;
mod layout;
mod lessons;
mod line;
mod loading;
mod local;
mod local_engine;
mod looking_back;
mod offers;
mod offline;
mod people;
mod positions;
mod puzzle;
mod review;
mod rules_pages;
mod saved;
mod settings;
mod shots;
mod shuffle;
mod study;
mod tongue;
mod tour;
