//! `cargo xtask net`: how a network judges.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use cotulenh::Position;
use cotulenh_engine::Net;

use crate::selfplay::net_from;
use crate::selfplay::record::{Record, read_all};

/// Compare the scores of a network with those that its trainer worked out, or with self-play
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The network; the one built in otherwise
    #[arg(long)]
    net: Option<PathBuf>,
    /// Scores of the trainer, `FEN;score` a line: all must be the same
    #[arg(long)]
    check: Option<PathBuf>,
    /// Positions of `selfplay`: how far the scores of searches and the results lie off
    #[arg(long)]
    positions: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let net = net_from(args.net.as_deref())?;
    println!("{} hidden values a side", net.hidden());
    if let Some(path) = &args.check {
        check(&net, path)?;
    }
    if let Some(path) = &args.positions {
        compare(&net, path)?;
    }
    Ok(())
}

fn check(net: &Net, path: &Path) -> anyhow::Result<()> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    for line in text.lines() {
        let (fen, score) = line.split_once(';').context("a line is no FEN;score")?;
        let position: Position = fen.parse().with_context(|| format!("bad FEN: {fen}"))?;
        let (score, found): (i32, _) = (score.parse()?, net.evaluate(&position));
        if score != found {
            bail!("{fen}: {found} instead of {score}");
        }
    }
    println!("{} scores agree", text.lines().count());
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "counts of positions")]
fn compare(net: &Net, path: &Path) -> anyhow::Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let records = read_all(&bytes).with_context(|| format!("bad file {}", path.display()))?;
    let (mut off, mut right, mut decided) = (0.0, 0, 0);
    for bytes in records {
        let record = Record::unpack(bytes)?;
        let value = net.evaluate(&record.position);
        off += f64::from((value - i32::from(record.score)).abs());
        decided += usize::from(record.result != 1);
        right += usize::from(record.result == 2 && value > 0 || record.result == 0 && value < 0);
    }
    println!(
        "{} positions: {:.0} off the search on average; the side ahead wins {:.1} % of {decided} decided games",
        records.len(),
        off / records.len().max(1) as f64,
        100.0 * right as f64 / decided.max(1) as f64,
    );
    Ok(())
}
