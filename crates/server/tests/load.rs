//! A small load: nothing is lost and nothing illegal gets through. It asserts no latency.

#[path = "../examples/load/client.rs"]
mod client;
mod common;
#[path = "../examples/load/drive.rs"]
mod drive;

use std::time::Duration;

use common::Site;
use drive::{Plan, drive};

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_at_once_lose_nothing() {
    convoy_server::raise_file_limit();
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    let site = Site::start().await;
    let plan = Plan {
        games: 100,
        pace: Duration::from_millis(100),
        time: Duration::from_secs(if deep { 60 } else { 3 }),
    };
    let report = drive(site.address, plan).await;
    assert_eq!(report.faults, Vec::<String>::new());
    assert!(
        report.games >= plan.games && report.moves > plan.games * 10,
        "{}",
        report.moves
    );
    assert!(report.percentile(50.0) > 0.0);
}
