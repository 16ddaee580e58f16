//! `cargo xtask tactics`: how many tactical positions the engine solves.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, Search, TACTICS};
use rayon::prelude::*;

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
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.max(1))
        .build()?;
    let answers: Vec<anyhow::Result<Option<String>>> = threads.install(|| {
        lines
            .par_iter()
            .map(|line| solve(line, args.nodes))
            .collect()
    });
    let mut score: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (line, answer) in lines.iter().zip(answers) {
        let row = score
            .entry(line.split(';').next().unwrap_or(""))
            .or_default();
        row[1] += 1;
        match answer? {
            None => row[0] += 1,
            Some(played) => println!("missed: {line} (played {played})"),
        }
    }
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
    let search = Search::new(&position).limits(Limits::nodes(nodes));
    let report = engine.analyse(&search, |_| {});
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mine::mating_turns;

    /// The position and the best turns of a line.
    fn read(line: &str) -> (Position, Vec<Position>) {
        let fields: Vec<_> = line.split(';').collect();
        let position: Position = fields[1].parse().expect("lawful");
        let result = |name| {
            let moves = position.read(name).expect("legal");
            let play = |at: Position, mv: &cotulenh::Move| at.play(*mv).expect("legal");
            moves.iter().fold(position.clone(), play)
        };
        let results: Vec<_> = fields[2].split(' ').map(result).collect();
        assert!(results.iter().all(|next| next.turn() != position.turn()));
        (position, results)
    }

    fn lines() -> Vec<&'static str> {
        let lines = TACTICS.lines().filter(|line| !line.starts_with('#'));
        lines.collect()
    }

    #[test]
    fn the_set_is_whole() {
        assert!(lines().len() >= 60);
        for (kind, least) in [
            ("mate1", 6),
            ("mate2", 6),
            ("mate3", 6),
            ("mate4", 6),
            ("deploy", 4),
            ("kamikaze", 1),
            ("stay", 4),
            ("defence", 1),
            ("aircover", 1),
        ] {
            let count = lines()
                .iter()
                .filter(|line| line.split(';').next() == Some(kind))
                .count();
            assert!(count >= least, "{kind}: {count}");
        }
        for line in lines() {
            let (position, best) = read(line);
            assert!(position.outcome().is_none() && !best.is_empty(), "{line}");
        }
    }

    #[test]
    fn short_mates_are_mates() {
        for line in lines() {
            let length = match line.split(';').next() {
                Some("mate1") => 1,
                Some("mate2") => 2,
                _ => continue,
            };
            let (position, best) = read(line);
            let proven = mating_turns(&position, length).expect("few positions");
            assert_eq!(proven.len(), best.len(), "{line}");
            assert!(proven.iter().all(|next| best.contains(next)), "{line}");
            let shorter = mating_turns(&position, length - 1).expect("few positions");
            assert!(shorter.is_empty(), "{line}");
        }
    }

    /// The first of each kind; `cargo xtask tactics` tries all.
    #[test]
    fn a_handful_is_solved() {
        let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
        for line in lines() {
            kinds
                .entry(&line[..line.find(';').unwrap_or(0)])
                .or_insert(line);
        }
        let solved = kinds
            .values()
            .filter(|line| solve(line, 200_000).expect("well formed").is_none());
        let solved = solved.count();
        assert!(solved + 1 >= kinds.len(), "{solved} of {}", kinds.len());
    }
}
