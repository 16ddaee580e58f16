//! `cargo xtask net`: whether a network gives the scores that its trainer worked out.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use cotulenh::Position;

use crate::selfplay::net_from;

/// Compare the scores of a network with those that its trainer worked out
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The network
    net: PathBuf,
    /// `FEN;score` a line
    check: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let net = net_from(Some(&args.net))?.context("a network is needed")?;
    let text = std::fs::read_to_string(&args.check)
        .with_context(|| format!("cannot read {}", args.check.display()))?;
    let mut count = 0;
    for line in text.lines() {
        let (fen, score) = line.split_once(';').context("a line is no FEN;score")?;
        let position: Position = fen.parse().with_context(|| format!("bad FEN: {fen}"))?;
        let (score, found): (i32, _) = (score.parse()?, net.evaluate(&position));
        if score != found {
            bail!("{fen}: {found} instead of {score}");
        }
        count += 1;
    }
    println!(
        "{count} scores agree, {} hidden values a side",
        net.hidden()
    );
    Ok(())
}
