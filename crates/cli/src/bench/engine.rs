//! The player of Cờ Tư Lệnh.

use std::sync::atomic::AtomicBool;

use cotulenh::Position;
use cotulenh_engine::{BENCH_POSITIONS, Engine, Limits, Options, bench_nodes};

use super::{Row, Unit};

/// The depth of the search whose nodes are counted.
const DEPTH: u32 = 8;

pub(crate) fn rows() -> Vec<Row> {
    let checksum = Row {
        group: "engine",
        name: "node count (checksum)",
        unit: Unit::Count,
        gate: 0.0,
        target: 0.0,
        work: Box::new(|| bench_nodes(DEPTH)),
    };
    vec![
        checksum,
        speed("search, one thread", 1, 4e5, 1e6),
        speed("search, two threads", 2, 6.4e5, 1.8e6),
    ]
}

/// Nodes of searches from positions of all kinds.
fn speed(name: &'static str, threads: usize, gate: f64, target: f64) -> Row {
    let positions: Vec<Position> = BENCH_POSITIONS
        .iter()
        .filter_map(|fen| fen.parse().ok())
        .collect();
    let mut engine = Engine::new(Options {
        threads,
        ..Options::default()
    });
    let limits = Limits {
        nodes: Some(20_000 * threads as u64),
        ..Limits::default()
    };
    let work = Box::new(move || {
        engine.clear();
        let stop = AtomicBool::new(false);
        let nodes = positions
            .iter()
            .map(|position| engine.analyse(position, &[], &limits, &stop, |_| {}).nodes);
        nodes.sum()
    });
    Row {
        group: "engine",
        name,
        unit: Unit::PerSecond,
        gate,
        target,
        work,
    }
}
