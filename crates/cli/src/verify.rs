//! `convoy verify`: proves the shuffle of a finished Tractor round.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};

/// Check that a finished Tractor round was dealt and played as its file says.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convoy verify ROUND.json")]
pub(crate) struct Args {
    /// The file of the round: /game/NAME.round of a table
    round: PathBuf,
}

/// Says what was checked, or fails with what does not hold.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let name = args.round.display();
    let text = fs::read_to_string(&args.round).with_context(|| format!("cannot read {name}"))?;
    let proof = convoy_server::verify(&text).map_err(|why| anyhow!("{name}: {why}"))?;
    let added = proof.contributions.iter().flatten().count();
    println!(
        "round {}: the shuffle is genuine ({added} of 4 seats added to it), team {} won with {} points",
        proof.number, proof.result.winner, proof.result.points
    );
    Ok(())
}
