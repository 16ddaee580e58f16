//! The short form of `cargo xtask faults`: what may happen to a server in the middle of games, and
//! nothing that was told is missing from its file. It asserts counts, no times.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Duration;

use convoy_test_client::faults::kind::Kind;
use convoy_test_client::faults::run::suffer;

/// One after the other, and in a program of its own: what is told is counted for the whole process.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_told_is_lost() {
    let folder = std::env::temp_dir().join(format!("convoy-loss-{}", std::process::id()));
    let program = Path::new(env!("CARGO_BIN_EXE_convoy"));
    let time = Duration::from_millis(700);
    for kind in [
        Kind::Kill,
        Kind::WriteError,
        Kind::SyncError,
        Kind::Stop,
        Kind::ClockJump,
        Kind::TwoServers,
    ] {
        // Half-written pages are the harder ones.
        let row = suffer(kind, 1, time, program, &folder.join(kind.word())).await;
        let row = row.unwrap_or_else(|fault| panic!("{}: {fault}", kind.word()));
        assert_eq!(row.missing, Vec::<String>::new(), "{}", kind.word());
        assert!(!kind.stops_writing() || row.refused > 0, "{}", row.note);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
