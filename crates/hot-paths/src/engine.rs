//! The player of Cờ Tư Lệnh.

use cotulenh::Position;
use cotulenh_engine::{BENCH_POSITIONS, Engine, Limits, Options, Search, bench_nodes};

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
    let limits = Limits::nodes(20_000 * threads as u64);
    let work = Box::new(move || {
        engine.clear();
        let nodes = positions.iter().map(|position| {
            let search = Search::new(position).limits(limits);
            engine.analyse(&search, |_| {}).nodes
        });
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
