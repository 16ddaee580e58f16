//! `cargo xtask puzzles mine`: numbered attempts on many threads, each of which may bring puzzles.
//!
//! An attempt depends on the seed and its number alone, so that the same seed gives the same
//! puzzles. What an attempt brings is written at once: nothing is lost at the time limit, and the
//! next run on the same file goes on after the last attempt.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use cotulenh_engine::SplitMix64;

use super::judge::Judge;
use super::{cards, games, small};

/// Mine puzzles into a file of finds
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file of finds; it is continued if it exists
    #[arg(long)]
    out: PathBuf,
    /// What each thread does, in turn; a stream named twice has twice the threads
    #[arg(long, value_delimiter = ',', default_value = "games,games,games,small")]
    streams: Vec<Stream>,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    #[arg(long, default_value_t = 20_261_116)]
    seed: u64,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Stop after so many attempts of each stream
    #[arg(long, default_value_t = u64::MAX)]
    attempts: u64,
    #[command(flatten)]
    chances: games::Chances,
}

/// Where puzzles come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Stream {
    /// Games of Cờ Tư Lệnh between short searches
    Games,
    /// Random positions of few pieces with mates in them
    Small,
    /// Rounds of Tractor
    Cards,
}

impl Stream {
    fn word(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Small => "small",
            Self::Cards => "cards",
        }
    }
}

/// The stack of a thread: room for the deepest search.
pub(super) const STACK: usize = 64 << 20;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut next = BTreeMap::new();
    for stream in &args.streams {
        let first = first_attempt(&args.out, *stream)?;
        next.insert(*stream, AtomicU64::new(first));
    }
    let out = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.out)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let run = Run {
        args,
        begun: Instant::now(),
        stop: AtomicBool::new(false),
        at_work: AtomicU64::new(args.concurrency.max(1) as u64),
        next,
        out: Mutex::new(Output {
            file: out,
            finds: 0,
            error: None,
        }),
    };
    std::thread::scope(|scope| -> anyhow::Result<()> {
        for worker in 0..args.concurrency.max(1) {
            let stream = args.streams[worker % args.streams.len()];
            let run = &run;
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || run.work(stream))?;
        }
        run.watch();
        Ok(())
    })?;
    let output = run.lock();
    println!(
        "{} finds in {} s",
        output.finds,
        run.begun.elapsed().as_secs()
    );
    match &output.error {
        Some(error) => anyhow::bail!("cannot write {}: {error}", args.out.display()),
        None => Ok(()),
    }
}

/// The number after the last attempt of a stream that the file tells of.
fn first_attempt(path: &Path, stream: Stream) -> anyhow::Result<u64> {
    if !path.exists() {
        return Ok(0);
    }
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let numbers = text.lines().filter_map(|line| {
        let (name, number) = line.split_once(';')?.0.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        (name == stream.word()).then_some(number + 1)
    });
    Ok(numbers.max().unwrap_or(0))
}

struct Run<'a> {
    args: &'a Args,
    begun: Instant,
    /// Ends all searches.
    stop: AtomicBool,
    /// Threads that have not ended.
    at_work: AtomicU64,
    next: BTreeMap<Stream, AtomicU64>,
    out: Mutex<Output>,
}

struct Output {
    file: File,
    finds: usize,
    error: Option<std::io::Error>,
}

impl Run<'_> {
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, stream: Stream) {
        let mut judge = Judge::new(&self.stop);
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.next[&stream].fetch_add(1, Ordering::Relaxed);
            if number >= self.args.attempts {
                break;
            }
            // Scrambled, so that neighbouring attempts have nothing in common.
            let salt = (stream as u64) << 56;
            let scrambled = SplitMix64::new(number ^ salt).next_u64();
            let mut random = SplitMix64::new(self.args.seed ^ scrambled);
            let mut keep = |puzzle: String| {
                self.write(&format!("{} {number};{puzzle}\n", stream.word()));
            };
            match stream {
                Stream::Games => {
                    games::play(&mut random, self.args.chances, &mut judge, &mut keep);
                }
                Stream::Small => small::look(&mut random, &mut judge, &mut keep),
                Stream::Cards => cards::play(&mut random, &self.stop, &mut keep),
            }
        }
        self.at_work.fetch_sub(1, Ordering::Relaxed);
    }

    fn write(&self, line: &str) {
        let mut output = self.lock();
        output.finds += 1;
        if let Err(error) = output.file.write_all(line.as_bytes()) {
            output.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Tells how far it has come, until all threads have ended or the time is over.
    fn watch(&self) {
        let end = self.args.seconds.map(Duration::from_secs);
        let mut told = Instant::now();
        while self.at_work.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(Duration::from_millis(200));
            if end.is_some_and(|end| self.begun.elapsed() >= end) {
                self.stop.store(true, Ordering::Relaxed);
            }
            if told.elapsed() >= Duration::from_secs(10) {
                told = Instant::now();
                let attempts: Vec<_> = self
                    .next
                    .iter()
                    .map(|(stream, next)| {
                        format!("{} {}", stream.word(), next.load(Ordering::Relaxed))
                    })
                    .collect();
                let finds = self.lock().finds;
                eprintln!(
                    "{} s: {finds} finds ({})",
                    self.begun.elapsed().as_secs(),
                    attempts.join(", ")
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn streams_have_the_words_of_the_command_line() {
        for stream in Stream::value_variants() {
            let value = stream.to_possible_value().expect("none is hidden");
            assert_eq!(value.get_name(), stream.word());
        }
    }
}
