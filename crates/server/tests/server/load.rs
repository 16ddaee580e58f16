//! A small load: nothing is lost and nothing illegal gets through. It asserts no latency.

use std::time::{Duration, Instant};

use convoy_server::Pace;
use convoy_test_client::drive::{Game, Nodes, Plan, drive};

use crate::common::{STILL, Site, config, paced};

/// So many moves at each table, and many more in a long run.
fn moves(few: usize) -> usize {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    if deep { 20 * few } else { few }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_at_once_lose_nothing() {
    convoy_server::raise_file_limit();
    let site = Site::start().await;
    let plan = Plan {
        game: Game::Boards,
        games: 100,
        pace: Duration::from_millis(100),
        time: Duration::ZERO,
        moves: moves(20),
        begun: Instant::now(),
    };
    let report = drive(&Nodes(vec![site.address]), plan).await;
    assert_eq!(report.faults, Vec::<String>::new());
    assert!(
        report.games >= plan.games && report.moves >= plan.games * 20,
        "{}",
        report.moves
    );
    assert!(report.times(|_| true).percentile(50.0) > 0.0);
    assert!(!report.slowest().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_seats_of_tractor_at_once_lose_nothing() {
    let pace = Pace { deal: 0, ..STILL };
    let site = Site::with(paced(pace, config())).await;
    let plan = Plan {
        game: Game::Cards,
        games: 10,
        pace: Duration::from_millis(10),
        time: Duration::ZERO,
        moves: moves(60),
        begun: Instant::now(),
    };
    let report = drive(&Nodes(vec![site.address]), plan).await;
    assert_eq!(report.faults, Vec::<String>::new());
    // Whole rounds: each of the hundred cards that are dealt is played.
    assert!(report.games >= plan.games, "{}", report.games);
    assert!(report.moves > plan.games * 40, "{}", report.moves);
    assert!(report.declared > 0 && report.thrown > 0 && report.refused > 0);
}
