//! Thousands of searches in one process. A test of its own process: others would be counted too.
#![cfg(target_os = "linux")]

use cotulenh::Position;
use cotulenh_engine::{BENCH_POSITIONS, Engine, Limits, Options, Search};

/// Memory in use, in KiB.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).expect("a number")
}

/// The age of the table goes round many times meanwhile.
#[test]
fn a_long_life_takes_no_more_memory() {
    let mut engine = Engine::new(Options {
        hash_mib: 1,
        threads: 2,
        ..Options::default()
    });
    let positions = BENCH_POSITIONS.map(|fen| fen.parse::<Position>().expect("lawful"));
    let mut search = |rounds: usize| {
        for _ in 0..rounds {
            for position in &positions {
                let search = Search::new(position).limits(Limits::nodes(150));
                let report = engine.analyse(&search, |_| {});
                assert!(report.best().is_some());
            }
        }
    };
    search(25);
    let begin = resident();
    search(250);
    let grown = resident().saturating_sub(begin);
    assert!(grown < 4 << 10, "grown by {grown} KiB in 2,000 searches");
}
