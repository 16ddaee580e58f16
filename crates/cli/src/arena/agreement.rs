//! How often a player agrees with recorded play, and what it gains where it does not.

use std::io::Read as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use rayon::prelude::*;
use serde::Deserialize;
use tractor::{CardSet, Deck, Event, Level, Phase, Round, Rules, Seat, Setup, Start, Team, View};
use tractor_engine::weigh;

use super::contestant::{Contestant, Spec};
use super::figures::Mean;
use super::forfeit::Failure;
use super::stop::Stop;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  convoy arena agreement strong --records crates/tractor-engine/tests/data/reference-rounds.jsonl.gz"
)]
pub(crate) struct Args {
    /// The player, as for `convoy arena tractor`
    player: String,
    /// The rounds: JSON lines, plain or gzip
    #[arg(long)]
    records: PathBuf,
    /// Worlds in which two plays are compared
    #[arg(long, default_value_t = 1000)]
    worlds: u32,
    /// At most this many rounds
    #[arg(long)]
    rounds: Option<usize>,
    /// The house rules of the records
    #[arg(long, default_value = "ejfn")]
    rules: String,
    /// Rounds to examine concurrently
    #[arg(long, alias = "threads", default_value_t = 1)]
    concurrency: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    id: u64,
    round_number: u32,
    starter_in: usize,
    levels: Levels,
    defending: String,
    deck: Vec<tractor::Card>,
    decls: Vec<Declared>,
    kitty_buried: CardSet,
    tricks: Vec<[CardSet; 4]>,
}

#[derive(Debug, Deserialize)]
struct Levels {
    #[serde(rename = "A")]
    a: Level,
    #[serde(rename = "B")]
    b: Level,
}

#[derive(Debug, Deserialize)]
struct Declared {
    at: u8,
    seat: Seat,
    cards: CardSet,
}

/// How long a program has for each answer.
const ANSWER_WITHIN: Duration = Duration::from_mins(1);

/// What kind of decision it was.
const KINDS: [&str; 4] = ["leads", "second seat", "third seat", "last seat"];

/// One decision: its kind, and what ours gained where it differed.
struct Decision {
    kind: usize,
    gain: Option<(f64, f64)>,
    choice: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let rules = Rules::preset(&args.rules).context("no such preset")?;
    let bytes = std::fs::read(&args.records)
        .with_context(|| format!("cannot read {}", args.records.display()))?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    let mut records: Vec<Record> = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    records.truncate(args.rounds.unwrap_or(usize::MAX));
    let spec = Spec::read(&args.player, ANSWER_WITHIN)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.max(1))
        .build()?;
    let look = |player: &mut anyhow::Result<Contestant>, record: &Record| {
        let player = match player {
            Ok(player) => player,
            Err(error) => bail!("{error:#}"),
        };
        player.reseed(record.id);
        let decisions = look_at(record, rules, args.worlds, player)
            .with_context(|| format!("record {}", record.id))?;
        Ok((record.id, decisions))
    };
    let mut rounds: Vec<(u64, Vec<Decision>)> = pool.install(|| {
        records
            .par_iter()
            .map_init(|| spec.sit(Stop::never()), look)
            .collect::<anyhow::Result<_>>()
    })?;
    rounds.sort_by_key(|(id, _)| *id);
    report(args, &rounds);
    Ok(())
}

fn begin(record: &Record, rules: Rules) -> anyhow::Result<Round> {
    let start = Start {
        starter: Seat::new(record.starter_in).context("no such seat")?,
        defending: if record.defending == "A" {
            Team::A
        } else {
            Team::B
        },
        levels: [record.levels.a, record.levels.b],
    };
    let setup = Setup {
        rules,
        number: record.round_number,
        start,
        trump: None,
    };
    let mut round = Round::new(setup, Deck::new(&record.deck).context("no deck")?);
    let mut dealt = 0;
    for declared in &record.decls {
        if declared.at > dealt {
            round.apply(Event::Deal {
                count: declared.at - dealt,
            })?;
            dealt = declared.at;
        }
        round.apply(Event::Declare {
            seat: declared.seat,
            cards: declared.cards,
        })?;
    }
    if dealt < Deck::DEALT {
        let count = Deck::DEALT - dealt;
        round.apply(Event::Deal { count })?;
    }
    round.apply(Event::Close)?;
    round.apply(Event::Bury {
        seat: round.starter(),
        cards: record.kitty_buried,
    })?;
    Ok(round)
}

fn look_at(
    record: &Record,
    rules: Rules,
    worlds: u32,
    player: &mut Contestant,
) -> anyhow::Result<Vec<Decision>> {
    let mut round = begin(record, rules)?;
    let mut decisions = Vec::new();
    for (kind, &theirs) in record
        .tricks
        .iter()
        .flat_map(|plays| plays.iter().enumerate())
    {
        let Phase::Playing(playing) = round.phase() else {
            bail!("the record goes on after its end");
        };
        let seat = playing.turn();
        let view = View::of(&round, Some(seat));
        let ours = match player.play(&view) {
            Ok(cards) => cards,
            Err(Failure::Forfeit(forfeit)) => bail!("{}: {}", forfeit.cause, forfeit.detail),
            Err(Failure::Stopped) => bail!("stopped"),
        };
        let gain = if ours.faces() == theirs.faces() {
            None
        } else {
            let seed = record.id * 1000 + decisions.len() as u64;
            weigh(&view, ours, theirs, worlds, seed).map(|gain| (gain.points, 100.0 * gain.wins))
        };
        decisions.push(Decision {
            kind,
            gain,
            choice: view.hand.len() > theirs.len(),
        });
        round.apply(Event::Play {
            seat,
            cards: theirs,
        })?;
    }
    Ok(decisions)
}

#[allow(clippy::cast_precision_loss, reason = "numbers of decisions")]
fn report(args: &Args, rounds: &[(u64, Vec<Decision>)]) {
    println!(
        "{} against the plays of {} recorded rounds, {} worlds a difference (errors at 95 %, over decisions)",
        args.player,
        rounds.len(),
        args.worlds
    );
    println!(
        "| decision | number | agree | differ | gain in points | gain in rounds won | ours better |"
    );
    println!("|---|---|---|---|---|---|---|");
    for kind in (0..KINDS.len()).map(Some).chain([None]) {
        let chosen: Vec<&Decision> = rounds
            .iter()
            .flat_map(|(_, decisions)| decisions)
            .filter(|decision| decision.choice && kind.is_none_or(|kind| decision.kind == kind))
            .collect();
        let gains: Vec<(f64, f64)> = chosen.iter().filter_map(|decision| decision.gain).collect();
        let points = Mean::of(&gains.iter().map(|gain| gain.0).collect::<Vec<_>>());
        let wins = Mean::of(&gains.iter().map(|gain| gain.1).collect::<Vec<_>>());
        let better = gains.iter().filter(|gain| gain.0 > 0.0).count();
        println!(
            "| {} | {} | {:.1} % | {} | {:+.2} ± {:.2} | {:+.2} ± {:.2} % | {:.0} % |",
            kind.map_or("all", |kind| KINDS[kind]),
            chosen.len(),
            100.0 * (chosen.len() - gains.len()) as f64 / chosen.len().max(1) as f64,
            gains.len(),
            points.mean,
            points.error,
            wins.mean,
            wins.error,
            100.0 * better as f64 / gains.len().max(1) as f64
        );
    }
}
