//! The workloads of Convoy's hot paths.
//!
//! `convoy bench` measures how long they take, `cargo xtask bench` how many instructions they
//! execute. Each library has a module that returns its [`Row`]s.

mod cotulenh;
mod engine;
mod notation;
mod stack;
mod tractor;
mod tractor_engine;

use std::fmt;

/// What the figure of a row means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds a call: the lower the better.
    Nanoseconds,
    /// Items a second: the higher the better.
    PerSecond,
    /// Items of one call: a checksum, not a speed.
    Count,
}

/// One workload.
pub struct Row {
    /// The library it belongs to.
    pub group: &'static str,
    /// What it does.
    pub name: &'static str,
    /// What its figure means.
    pub unit: Unit,
    /// The figure that must be reached.
    pub gate: f64,
    /// The figure that is aimed at.
    pub target: f64,
    /// Does one call and returns how many items it did.
    pub work: Box<dyn FnMut() -> u64>,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("group", &self.group)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Every row, library by library.
///
/// ```
/// let rows = convoy_hot_paths::rows();
/// assert!(rows.iter().any(|row| row.name == "FEN read"));
/// ```
pub fn rows() -> Vec<Row> {
    let mut rows = engine::rows();
    rows.extend(stack::rows());
    rows.extend(cotulenh::rows());
    rows.extend(tractor::rows());
    rows.extend(notation::rows());
    rows.extend(tractor_engine::rows());
    rows
}

/// A path whose instructions are counted: a workload, and how often it is repeated so that the
/// count is large against its noise and small against anyone's patience.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// Its name in the table of `cargo xtask bench`.
    pub name: &'static str,
    /// How often the workload is done.
    pub times: u32,
    make: fn() -> Box<dyn FnMut() -> u64>,
}

impl Counted {
    /// Every path that is counted.
    ///
    /// ```
    /// use convoy_hot_paths::Counted;
    /// let path = Counted::all().iter().find(|path| path.name == "FEN read").expect("counted");
    /// assert_eq!(path.run(3), 3);
    /// ```
    pub const fn all() -> &'static [Self] {
        COUNTED
    }

    /// Prepares the workload and does it so many times; returns how many items it did.
    pub fn run(&self, times: u32) -> u64 {
        let mut work = (self.make)();
        (0..times).map(|_| work()).sum()
    }
}

macro_rules! row {
    ($group:ident, $name:literal, $times:literal) => {
        Counted {
            name: $name,
            times: $times,
            make: || named($group::rows(), $name),
        }
    };
}

const COUNTED: &[Counted] = &[
    row!(cotulenh, "legal moves, start", 300),
    row!(cotulenh, "legal moves, with stacks", 300),
    Counted {
        name: "perft bulk, start, depth 3",
        times: 1,
        make: || Box::new(|| ::cotulenh::perft(&::cotulenh::Position::start(), 3)),
    },
    Counted {
        name: "perft every leaf made, depth 2",
        times: 20,
        make: || Box::new(|| ::cotulenh::perft_made(&::cotulenh::Position::start(), 2)),
    },
    row!(cotulenh, "FEN written", 500),
    row!(cotulenh, "FEN read", 500),
    row!(notation, "SAN of all legal moves, start", 20),
    row!(notation, "SAN, LAN, FEN after, for all", 20),
    row!(stack, "combine two stacks", 20),
    row!(stack, "combine three pieces", 20),
    row!(tractor, "follow verdict", 1),
    row!(tractor, "all legal follows", 1),
    row!(tractor, "throw validation", 1),
    row!(tractor, "random legal round", 1),
    row!(tractor_engine, "heuristic rounds", 20),
    Counted {
        name: "search nodes, depth 5",
        times: 1,
        make: || Box::new(|| cotulenh_engine::bench_nodes(5)),
    },
];

/// The workload of one of the rows.
///
/// # Panics
///
/// If there is no such row: a test does every path once.
fn named(rows: Vec<Row>, name: &str) -> Box<dyn FnMut() -> u64> {
    let row = rows.into_iter().find(|row| row.name == name);
    row.expect("every counted path names a row").work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counted_path_does_something() {
        for path in Counted::all() {
            assert!(path.run(1) > 0, "{}", path.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Counted::all().iter().map(|path| path.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Counted::all().len());
    }
}
