//! `cargo xtask load --table`: the same load at one server and at several nodes, at every storage, one after
//! the other; the table of `docs/operating.md`.

use std::time::Duration;

use convoy_test_client::args::{option, server_program};
use convoy_test_client::client::Fault;
use convoy_test_client::drive::{Plan, Times};

use crate::measure::{Measured, measure};
use crate::target::{Setup, Storage};

/// What p99 must stay under on one server that syncs every move.
const GOAL: f64 = 50.0;
/// How much more processor time a move may take than with the version that this one is compared with. Single
/// runs of the same version may differ by more.
const GROWTH: f64 = 1.2;
/// So both versions play so often, in turn, and for each the run counts that took least.
const TURNS: usize = 3;

/// One row.
struct Row {
    name: &'static str,
    nodes: usize,
    /// Whether it is the version that this one is compared with.
    is_baseline: bool,
    measured: Measured,
}

fn setups(baseline: &str) -> Vec<(&'static str, Setup, bool)> {
    let mut setups = Vec::new();
    let turns = if baseline.is_empty() { 1 } else { TURNS };
    for (name, durability) in [("SQLite, `full`", "full"), ("SQLite, `normal`", "normal")] {
        let storage = Storage::Sqlite(durability.to_owned());
        let setup = |program: String| Setup {
            program,
            storage: storage.clone(),
        };
        for _ in 0..turns {
            if !baseline.is_empty() {
                setups.push((name, setup(baseline.to_owned()), true));
            }
            setups.push((name, setup(server_program()), false));
        }
    }
    for nodes in 1..=3 {
        let setup = Setup {
            program: server_program(),
            storage: Storage::Postgres { nodes },
        };
        setups.push(("PostgreSQL", setup, false));
    }
    setups
}

/// Measures all rows, prints the table, and fails where a goal was missed.
pub(crate) async fn run(plan: Plan, idle: usize) -> Result<(), Fault> {
    if plan.time < 2 * plan.all_come() {
        let least = 2 * plan.all_come();
        return Err(format!("everybody is there only after a while: at least {least:?}").into());
    }
    let mut rows: Vec<Row> = Vec::new();
    for (name, setup, is_baseline) in setups(&option("--baseline", "")) {
        let nodes = match setup.storage {
            Storage::Sqlite(_) => 1,
            Storage::Postgres { nodes } => nodes,
        };
        let measured = measure(&setup, plan, idle).await?;
        if let Some(fault) = measured.fault() {
            return Err(format!("{name}, {nodes} nodes: {fault}").into());
        }
        println!("{name}, {nodes} nodes: done after {:.0?}", measured.took);
        let row = Row {
            name,
            nodes,
            is_baseline,
            measured,
        };
        match rows.iter_mut().find(|other| row.is_of(other)) {
            None => rows.push(row),
            Some(other) if row.processor() < other.processor() => *other = row,
            Some(_) => {}
        }
    }
    print(&rows, plan);
    let missed = missed(&rows, plan);
    if missed.is_empty() {
        return Ok(());
    }
    Err(missed.join("; ").into())
}

impl Row {
    /// Whether both tell of the same version over the same storage.
    fn is_of(&self, other: &Self) -> bool {
        let what = |row: &Self| (row.name, row.nodes, row.is_baseline);
        what(self) == what(other)
    }

    /// The echoes while everybody was there, by way.
    fn times(&self, is_far: bool) -> Times {
        let (from, until) = self.measured.steady;
        let report = &self.measured.report;
        report.times(|echo| (from..until).contains(&echo.at) && echo.is_far == is_far)
    }

    fn moves(&self) -> usize {
        self.times(false).count() + self.times(true).count()
    }

    #[allow(clippy::cast_precision_loss, reason = "it is read to three digits")]
    fn moves_a_second(&self) -> f64 {
        let (from, until) = self.measured.steady;
        self.moves() as f64 / until.saturating_sub(from).as_secs_f64()
    }

    /// A time for each move, in milliseconds.
    #[allow(clippy::cast_precision_loss, reason = "it is read to three digits")]
    fn for_a_move(&self, time: Duration) -> f64 {
        1000.0 * time.as_secs_f64() / (self.moves().max(1) as f64)
    }

    /// The memory and the processor time of an idle socket, where there were any.
    fn idle_socket(&self) -> String {
        if self.measured.idle == 0 {
            return "–".to_owned();
        }
        let kilobytes = self.measured.socket_kilobytes;
        let time = 1e6 * self.measured.socket_processor.as_secs_f64();
        format!("{kilobytes} KB, {time:.0} µs/s")
    }

    /// The processor time of all servers for a move, in milliseconds.
    fn processor(&self) -> f64 {
        self.for_a_move(self.measured.processor.servers)
    }

    /// The processor time of something that only some rows have.
    fn processor_of(&self, time: Duration) -> String {
        match time {
            Duration::ZERO => "–".to_owned(),
            time => format!("{:.2} ms", self.for_a_move(time)),
        }
    }
}

/// Two percentiles of some echoes.
fn both(times: &Times) -> String {
    if times.count() == 0 {
        return "–".to_owned();
    }
    let [p50, p99] = [50.0, 99.0].map(|of_hundred| times.percentile(of_hundred));
    format!("{p50:.1} / {p99:.1} ms")
}

fn print(rows: &[Row], plan: Plan) {
    println!(
        "\n{} games, {} idle sockets; everybody is there for {:.0?}\n",
        plan.games,
        rows.first().map_or(0, |row| row.measured.idle),
        plan.time.saturating_sub(plan.all_come()),
    );
    println!(
        "| storage | nodes | moves a second | p50 / p99 | over another node | idle socket | game | largest node | processor time for a move: nodes | PostgreSQL | NATS |\n\
         |---|---|---|---|---|---|---|---|---|---|---|"
    );
    for row in rows {
        let most = row.measured.servers.iter().map(|server| server.kilobytes);
        println!(
            "| {}{} | {} | {:.0} | {} | {} | {} | {} KB | {} MB | {:.2} ms | {} | {} |",
            row.name,
            if row.is_baseline { ", baseline" } else { "" },
            row.nodes,
            row.moves_a_second(),
            both(&row.times(false)),
            both(&row.times(true)),
            row.idle_socket(),
            row.measured.game_kilobytes,
            most.max().unwrap_or(0) / 1024,
            row.processor(),
            row.processor_of(row.measured.processor.postgres),
            row.processor_of(row.measured.processor.nats),
        );
    }
}

/// What is not as it must be.
fn missed(rows: &[Row], plan: Plan) -> Vec<String> {
    let mut missed = Vec::new();
    let wanted = 1.0 / plan.pace.max(Duration::from_millis(1)).as_secs_f64();
    let wanted = wanted * f64::from(u32::try_from(plan.games).unwrap_or(u32::MAX));
    let own = |row: &&Row| !row.is_baseline;
    if let Some(row) = rows.iter().find(own) {
        let p99 = row.times(false).percentile(99.0);
        println!("\ngoal: p99 under {GOAL} ms with {}: {p99:.1} ms", row.name);
        if p99 >= GOAL {
            missed.push(format!("{}: p99 is {p99:.1} ms", row.name));
        }
        if row.moves_a_second() < 0.95 * wanted {
            let moves = row.moves_a_second();
            missed.push(format!(
                "{}: {moves:.0} of {wanted:.0} moves a second",
                row.name
            ));
        }
    }
    for row in rows.iter().filter(own) {
        let before = rows
            .iter()
            .find(|other| other.is_baseline && other.name == row.name);
        if let Some(before) = before {
            let (now, then) = (row.processor(), before.processor());
            println!(
                "goal: no more processor time than the baseline with {}: {now:.2} ms for a move, {then:.2} ms",
                row.name
            );
            if now > GROWTH * then {
                missed.push(format!(
                    "{}: {now:.2} ms for a move, {then:.2} ms before",
                    row.name
                ));
            }
        }
    }
    missed
}
