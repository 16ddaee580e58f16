//! `cargo xtask tactics`: how many tactical positions the engine solves.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, TACTICS};

/// Solve the tactical positions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Nodes for each
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let lines: Vec<&str> = TACTICS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let next = AtomicUsize::new(0);
    let score: Mutex<BTreeMap<String, [usize; 2]>> = Mutex::default();
    let faults: Mutex<Vec<anyhow::Error>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.max(1) {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let solved = solve(line, args.nodes);
                    let kind = line.split(';').next().unwrap_or("").to_owned();
                    match solved {
                        Ok(answer) => {
                            let mut score = score
                                .lock()
                                .unwrap_or_else(std::sync::PoisonError::into_inner);
                            let row = score.entry(kind).or_default();
                            row[1] += 1;
                            match answer {
                                None => row[0] += 1,
                                Some(played) => println!("missed: {line} (played {played})"),
                            }
                        }
                        Err(fault) => {
                            faults
                                .lock()
                                .unwrap_or_else(std::sync::PoisonError::into_inner)
                                .push(fault);
                        }
                    }
                }
            });
        }
    });
    if let Some(fault) = faults
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .pop()
    {
        return Err(fault);
    }
    let score = score
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    for (kind, [solved, all]) in &score {
        println!("{kind}: {solved} of {all}");
    }
    let [solved, all] = score
        .values()
        .fold([0, 0], |sum, row| [sum[0] + row[0], sum[1] + row[1]]);
    println!("solved {solved} of {all} within {} nodes", args.nodes);
    if all == 0 {
        bail!("there are no positions");
    }
    Ok(())
}

/// `None` if the engine finds a best turn, else what it plays instead.
fn solve(line: &str, nodes: u64) -> anyhow::Result<Option<String>> {
    let mut fields = line.split(';').skip(1);
    let mut field = || {
        fields
            .next()
            .with_context(|| format!("a field is missing: {line}"))
    };
    let position: Position = field()?.parse()?;
    let best = field()?;
    let mut engine = Engine::new(Options::default());
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let report = engine.analyse(&position, &[], &limits, &AtomicBool::new(false), |_| {});
    let turn = report.best().context("there is a turn")?;
    let result = turn.play_from(&position).context("it is legal")?;
    // Turns are the same if their results are.
    for name in best.split(' ') {
        let mut wanted = position.clone();
        for mv in position.read(name)?.iter() {
            wanted = wanted.play(*mv)?;
        }
        if wanted == result {
            return Ok(None);
        }
    }
    Ok(Some(position.turn_lan(turn)))
}
