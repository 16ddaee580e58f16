//! `cargo xtask mine`: tactical positions with proven or deeply verified best turns.
//!
//! Two streams feed the set. Random positions of few pieces give mates, proven over all defences
//! by a search of its own that knows nothing of the engine's. Games give short mates, proven the
//! same way, and positions where a search of a hundred times the nodes that the engine is later
//! given says that one turn stands out. What a search of that later length would answer is never
//! looked at. The same seed gives the same set, whatever the number of threads.

pub(crate) mod candidates;
mod games;
mod kind;
pub(crate) mod proof;
pub(crate) mod small_positions;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use cotulenh::Position;
use cotulenh_engine::{SplitMix64, Turn};

use kind::Kind;

/// Mine tactical positions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write
    #[arg(long, default_value = "crates/cotulenh-engine/data/tactics.txt")]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    #[arg(long, default_value_t = 20_261_115)]
    seed: u64,
    /// Nodes that verify a best turn against the second best
    #[arg(long, default_value_t = 20_000_000)]
    nodes: u64,
    /// Only one of the two streams
    #[arg(long, value_parser = ["small", "games"])]
    stream: Option<String>,
    /// Only these kinds, with commas between
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<String>,
    /// Give up after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
}

/// How many of each kind the streams are asked for.
const SMALL: &[(Kind, usize)] = &[
    (Kind::Mate1, 6),
    (Kind::Mate2, 6),
    (Kind::Mate3, 12),
    (Kind::Mate4, 12),
    (Kind::Deploy, 6),
];
const GAMES: &[(Kind, usize)] = &[
    (Kind::Mate1, 4),
    (Kind::Mate2, 4),
    (Kind::Deploy, 4),
    (Kind::Kamikaze, 5),
    (Kind::Stay, 5),
    (Kind::Defence, 7),
    (Kind::Aircover, 5),
];

/// The results of every turn that mates within so many turns, proven over all turns of both sides.
#[cfg(test)]
pub(crate) fn mating_turns(position: &Position, length: u32) -> Option<Vec<Position>> {
    let turns = proof::mating_turns(position, length, proof::Attack::Full, 10_000_000)?;
    turns.iter().map(|turn| turn.play_from(position)).collect()
}

/// A position with its best turns.
#[derive(Debug, Clone)]
struct Tactic {
    kind: Kind,
    /// The position and the turns as the file has them.
    text: String,
}

impl Tactic {
    fn new(kind: Kind, position: &Position, turns: &[Turn]) -> Self {
        let names: Vec<_> = turns.iter().map(|turn| position.turn_lan(turn)).collect();
        Self {
            kind,
            text: format!("{position};{}", names.join(" ")),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let begun = Instant::now();
    let end = args
        .seconds
        .map(|seconds| begun + Duration::from_secs(seconds));
    let asked = |name: &str| args.stream.as_deref().is_none_or(|stream| stream == name);
    let small = Stream::new(
        "small",
        if asked("small") { SMALL } else { &[] },
        args,
        begun,
    );
    small.fill(small_positions::find_tactics);
    let games = Stream::new(
        "games",
        if asked("games") { GAMES } else { &[] },
        args,
        begun,
    );
    games.fill(|random, wants| games::find_tactics(random, args.nodes, end, wants));
    let mut found: BTreeMap<Kind, Vec<Tactic>> = BTreeMap::new();
    let mut short = false;
    for stream in [small, games] {
        for (kind, wanted) in stream.quotas {
            let finds = stream.first(*kind, *wanted);
            short |= finds.len() < *wanted;
            found.entry(*kind).or_default().extend(finds);
        }
    }
    let mut text = format!(
        "# Tactical positions: kind;FEN;best turns, with spaces between.\n\
         # Written by `cargo xtask mine --seed {} --nodes {}` on {}.\n",
        args.seed,
        args.nodes,
        today()
    );
    for (kind, finds) in &found {
        println!("{kind}: {}", finds.len());
        for find in finds {
            let _ = writeln!(text, "{kind};{}", find.text);
        }
    }
    std::fs::write(&args.out, text)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    if short {
        bail!("time ran out before every kind was complete");
    }
    Ok(())
}

/// A numbered sequence of attempts, of which each can be done on its own.
struct Stream<'a> {
    name: &'static str,
    quotas: &'static [(Kind, usize)],
    args: &'a Args,
    begun: Instant,
    next: AtomicU64,
    /// What each finished attempt brought.
    done: Mutex<BTreeMap<u64, Vec<Tactic>>>,
    told: Mutex<Instant>,
}

impl<'a> Stream<'a> {
    fn new(
        name: &'static str,
        quotas: &'static [(Kind, usize)],
        args: &'a Args,
        begun: Instant,
    ) -> Self {
        Self {
            name,
            quotas,
            args,
            begun,
            next: AtomicU64::new(0),
            done: Mutex::default(),
            told: Mutex::new(Instant::now()),
        }
    }

    /// Tries with all threads until the quotas are met. An attempt is told which kinds are still
    /// wanted; those that are not may be left out, as they would not be chosen.
    fn fill(
        &self,
        find_tactics: impl Fn(&mut SplitMix64, &dyn Fn(Kind) -> bool) -> Vec<Tactic> + Sync,
    ) {
        std::thread::scope(|scope| {
            for _ in 0..self.args.concurrency.max(1) {
                scope.spawn(|| {
                    while !self.is_over() {
                        let number = self.next.fetch_add(1, Ordering::Relaxed);
                        let mut random = SplitMix64::new(self.args.seed ^ mix(number));
                        let found = find_tactics(&mut random, &|kind| self.wants(kind));
                        self.lock().insert(number, found);
                        self.tell();
                    }
                });
            }
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Vec<Tactic>>> {
        self.done
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The first finds of a kind, in the order of the attempts, as far as all before are done:
    /// the order in which they end plays no part.
    fn first(&self, kind: Kind, most: usize) -> Vec<Tactic> {
        let done = self.lock();
        let in_order = done
            .iter()
            .enumerate()
            .take_while(|(at, (number, _))| *at as u64 == **number);
        let finds = in_order.flat_map(|(_, (_, found))| found);
        let finds = finds.filter(|find| find.kind == kind);
        finds.take(most).cloned().collect()
    }

    fn wants(&self, kind: Kind) -> bool {
        let asked = &self.args.kinds;
        if !asked.is_empty() && !asked.contains(&kind.to_string()) {
            return false;
        }
        let quota = self.quotas.iter().find(|(other, _)| *other == kind);
        !self.is_late() && quota.is_some_and(|(_, most)| self.first(kind, *most).len() < *most)
    }

    fn is_late(&self) -> bool {
        let seconds = self.args.seconds.unwrap_or(u64::MAX);
        self.begun.elapsed().as_secs() >= seconds
    }

    fn is_over(&self) -> bool {
        self.is_late() || !self.quotas.iter().any(|(kind, _)| self.wants(*kind))
    }

    /// Says how far it has come, every few seconds.
    fn tell(&self) {
        let mut told = self
            .told
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if told.elapsed().as_secs() < 5 {
            return;
        }
        *told = Instant::now();
        let mut line = format!("{:4} s, {}:", self.begun.elapsed().as_secs(), self.name);
        for (kind, most) in self.quotas {
            let _ = write!(line, " {kind} {}/{most}", self.first(*kind, *most).len());
        }
        eprintln!("{line} ({} attempts)", self.lock().len());
    }
}

/// A number scrambled, so that neighbouring attempts have nothing in common.
fn mix(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

/// The date, UTC.
fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    // Days to a date of the Gregorian calendar, counted in eras of 400 years from a first of March.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day + 2) / 153;
    let month = (shifted + 2) % 12 + 1;
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{:02}", day - (153 * shifted + 2) / 5 + 1)
}
