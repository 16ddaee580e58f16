//! `convoy verify`: checks the shuffle and the play of a finished Tractor round.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use convoy_server::{Promise, Receipt, Verified};

/// Verify the shuffle, the deal and the plays of a finished Tractor round.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A file alone can only be consistent. That the server did not make it up afterwards follows \
    from what you kept since before the deal: the commitment that the table showed, and the bits of your own \
    seat; your browser keeps both, and its page /verify writes the command with them.\n\nExamples:\n  convoy verify ROUND.json\n  \
    convoy verify ROUND.json --commitment 5f1c… --mine 0:9a3e…"
)]
pub(crate) struct Args {
    /// The round file: /game/NAME.round of a table
    round: PathBuf,
    /// The commitment that the table showed before the deal
    #[arg(long, value_name = "HEX")]
    commitment: Option<String>,
    /// Your seat, 0 to 3, and the bits that your browser added
    #[arg(long, value_name = "SEAT:BITS", value_parser = mine)]
    mine: Option<(u8, String)>,
    /// The hash of the record that the table showed when the round was over
    #[arg(long, value_name = "HEX")]
    record: Option<String>,
}

fn mine(text: &str) -> Result<(u8, String), String> {
    let (seat, bits) = text.split_once(':').ok_or("write it as SEAT:BITS")?;
    let seat = seat.parse().ok().filter(|seat| *seat < 4);
    let digits = !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_hexdigit());
    match seat {
        None => Err("a seat is 0, 1, 2 or 3".to_owned()),
        Some(_) if !digits => Err("bits are hexadecimal digits".to_owned()),
        Some(seat) => Ok((seat, bits.to_ascii_lowercase())),
    }
}

/// Says what was checked, or fails with what does not hold.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let name = args.round.display();
    let text = fs::read_to_string(&args.round).with_context(|| format!("cannot read {name}"))?;
    let lower = |text: &Option<String>| text.as_deref().map(str::to_ascii_lowercase);
    let kept = Receipt {
        commitment: lower(&args.commitment),
        mine: args.mine.clone(),
        record: lower(&args.record),
    };
    let verified = convoy_server::verify(&text, &kept).map_err(|why| anyhow!("{name}: {why}"))?;
    println!("{}", words(&verified, &kept));
    Ok(())
}

fn words(verified: &Verified, kept: &Receipt) -> String {
    let Verified { number, result, .. } = verified;
    let table = verified.table.as_ref();
    let table = table.map_or(String::new(), |table| format!(" of table {table}"));
    let mut lines = vec![format!(
        "round {number}{table}: the deal and the play hold; team {} won with {} points",
        result.winner, result.points
    )];
    let added = verified.contributions;
    lines.push(match verified.promise {
        Promise::CommitReveal => format!(
            "format 2: everyone committed before anyone revealed; {added} of 4 seats added to the shuffle, \
             {} earlier attempts were voided",
            verified.voided
        ),
        Promise::ServerCommitment => format!(
            "format 1, a weaker promise: only the server had committed when {added} of 4 seats added to the \
             shuffle, so a server with a seat of its own could have chosen among many deals"
        ),
    });
    let compared = [
        ("the commitment", kept.commitment.is_some()),
        ("your bits", kept.mine.is_some()),
        ("the hash of the record", kept.record.is_some()),
    ];
    let compared: Vec<&str> = compared
        .into_iter()
        .filter_map(|(what, kept)| kept.then_some(what))
        .collect();
    lines.push(if compared.is_empty() {
        "nothing that you kept was compared: see --commitment and --mine".to_owned()
    } else {
        format!("agrees with what you kept: {}", compared.join(", "))
    });
    lines.join("\n")
}
