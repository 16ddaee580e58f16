//! `convoy bench`: the speeds of the hot paths in one table.
//!
//! The workloads are those of `convoy-hot-paths`, and the requests of `convoy query`.

mod query;

use std::hint::black_box;
use std::time::{Duration, Instant};

use convoy_hot_paths::{Row, Unit};
use serde::Serialize;

/// Measure the speed of the hot paths, on one core, against the project's own goals.
/// The figures of a busy machine vary by a factor of two: compare ratios of one run.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy bench\n  convoy bench --only tractor\n  convoy bench --json > before.json"
)]
pub(crate) struct Args {
    /// Only the rows whose name or group contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Seconds to spend on each row
    #[arg(long, default_value_t = 0.5, value_name = "SECONDS")]
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Figure {
    group: &'static str,
    name: &'static str,
    unit: &'static str,
    value: f64,
    gate: f64,
    target: f64,
}

/// Every row there is.
fn rows() -> Vec<Row> {
    let mut rows = convoy_hot_paths::rows();
    rows.extend(query::rows());
    rows
}

/// The name of a unit in JSON.
const fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Nanoseconds => "nanoseconds",
        Unit::PerSecond => "persecond",
        Unit::Count => "count",
    }
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let wanted = |row: &Row| {
        args.only
            .as_deref()
            .is_none_or(|text| row.group.contains(text) || row.name.contains(text))
    };
    let budget = Duration::try_from_secs_f64(args.seconds)?;
    let mut figures = Vec::new();
    if !args.json {
        println!(
            "{:<10} {:<34} {:>12} {:>12} {:>12}",
            "group", "what", "measured", "gate", "target"
        );
    }
    for mut row in rows().into_iter().filter(wanted) {
        let value = measure(&mut row, budget);
        let Row {
            group,
            name,
            unit,
            gate,
            target,
            ..
        } = row;
        if !args.json {
            let [value, gate, target] = [value, gate, target].map(|figure| show(figure, unit));
            println!("{group:<10} {name:<34} {value:>12} {gate:>12} {target:>12}");
        }
        figures.push(Figure {
            group,
            name,
            unit: unit_name(unit),
            value,
            gate,
            target,
        });
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&figures)?);
    }
    Ok(())
}

/// The best of ten slices: noise only ever makes code look slower.
#[allow(
    clippy::cast_precision_loss,
    reason = "figures are read to three digits"
)]
fn measure(row: &mut Row, budget: Duration) -> f64 {
    const SLICES: u32 = 10;
    let items = black_box((row.work)());
    if row.unit == Unit::Count {
        return items as f64;
    }
    let mut best = f64::INFINITY;
    for _ in 0..SLICES {
        let (begun, mut items) = (Instant::now(), 0);
        while begun.elapsed() < budget / SLICES {
            items += black_box((row.work)());
        }
        best = best.min(begun.elapsed().as_nanos() as f64 / items as f64);
    }
    match row.unit {
        Unit::Nanoseconds => best,
        Unit::PerSecond => 1e9 / best,
        Unit::Count => f64::NAN,
    }
}

/// A figure with its unit, to three digits: `1.25 µs`, `82.1 M/s`.
fn show(figure: f64, unit: Unit) -> String {
    let names = match unit {
        Unit::Nanoseconds => ["ns", "µs", "ms", "s"],
        Unit::PerSecond => ["/s", "k/s", "M/s", "G/s"],
        Unit::Count if figure > 0.0 => return format!("{figure:.0}"),
        Unit::Count => return String::new(),
    };
    let mut scaled = figure;
    let mut index = 0;
    while scaled >= 1000.0 && index < 3 {
        scaled /= 1000.0;
        index += 1;
    }
    let digits = if scaled < 10.0 {
        2
    } else {
        usize::from(scaled < 100.0)
    };
    format!("{scaled:.digits$} {}", names[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_to_three_digits() {
        assert_eq!(show(1250.0, Unit::Nanoseconds), "1.25 µs");
        assert_eq!(show(82_100_000.0, Unit::PerSecond), "82.1 M/s");
        assert_eq!(show(400.0, Unit::Nanoseconds), "400 ns");
    }
}
