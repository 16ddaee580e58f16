//! `convoy arena`: bots against bots on duplicate deals, with error bars.

mod agreement;
mod contestant;
mod external;
mod figures;
mod table;

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use clap::Subcommand;

use contestant::Spec;
use figures::{Figures, Round};

pub(crate) use external::{bid_type, suit as suit_letter};

/// Let bots play against bots, every deal twice with the teams exchanged.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Tractor: two players, each on both seats of a team
    Tractor(Tractor),
    /// Tractor: what a player would have done in recorded rounds
    Agreement(agreement::Args),
}

/// Two players meet. A player is a level (random, reference, easy, normal, strong, master), if you like with a
/// budget (strong:20ms, strong:400r for play-outs), or cmd:PROGRAM, which speaks the line protocol of `convoy tractor-bot`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy arena tractor normal random --rounds 2000\n  convoy arena tractor strong normal --concurrency 8\n  convoy arena tractor strong 'cmd:node bot.js' --rules ejfn --rounds 200\n  convoy arena tractor strong:300r normal --games 20 --seed 7"
)]
pub(crate) struct Tractor {
    /// The player whose win rate is reported
    player: String,
    /// Its opponent
    opponent: String,
    /// Single rounds to play, two for each deal
    #[arg(long, default_value_t = 200)]
    rounds: usize,
    /// Play so many whole games instead, two for each sequence of deals
    #[arg(long)]
    games: Option<usize>,
    /// What the deals and the players' chances are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A preset of house rules, or `random` for others in each deal
    #[arg(long, default_value = "default")]
    rules: String,
    /// How many deals are played at the same time
    #[arg(long, alias = "threads", default_value_t = 1)]
    concurrency: usize,
    /// Begin no further deal after so many minutes, and report on those that were played
    #[arg(long)]
    minutes: Option<f64>,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let args = match &args.game {
        Game::Tractor(args) => args,
        Game::Agreement(args) => return agreement::run(args),
    };
    let player = Spec::read(&args.player).context("the player")?;
    let opponent = Spec::read(&args.opponent).context("the opponent")?;
    let house = table::House::read(&args.rules)?;
    let items = args.games.unwrap_or(args.rounds).div_ceil(2).max(1);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let fault = Mutex::new(None);
    let bar = Bar::new(items);
    let begun = Instant::now();
    let late = || {
        args.minutes
            .is_some_and(|minutes| begun.elapsed().as_secs_f64() > 60.0 * minutes)
    };
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.clamp(1, items) {
            scope.spawn(|| {
                let work = || -> anyhow::Result<()> {
                    let mut seats = [player.sit()?, opponent.sit()?];
                    loop {
                        let item = next.fetch_add(1, Ordering::Relaxed);
                        if item >= items || late() {
                            return Ok(());
                        }
                        let rounds = if args.games.is_some() {
                            table::games(&mut seats, house, args.seed, item)
                        } else {
                            table::deal(&mut seats, house, args.seed, item)
                        }
                        .with_context(|| format!("deal {item} of seed {}", args.seed))?;
                        let mut done = done.lock().expect("no thread panics with it");
                        done.push((item, rounds));
                        bar.show(done.len());
                    }
                };
                if let Err(error) = work() {
                    next.store(items, Ordering::Relaxed);
                    *fault.lock().expect("no thread panics with it") = Some(error);
                }
            });
        }
    });
    bar.clear();
    if let Some(error) = fault.into_inner().expect("no thread panics with it") {
        return Err(error);
    }
    let mut done: Vec<(usize, Vec<Round>)> = done.into_inner().expect("no thread panics with it");
    done.sort_by_key(|(item, _)| *item);
    let rounds = done.into_iter().map(|(_, rounds)| rounds).collect();
    let figures = Figures::of(rounds, args.games.is_some());
    let report = if args.json {
        serde_json::to_string_pretty(&figures)?
    } else {
        format!(
            "{} against {}, rules {}, seed {}\n{figures}",
            args.player, args.opponent, args.rules, args.seed
        )
    };
    match writeln!(std::io::stdout(), "{report}") {
        // Whoever asked has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// A bar on the terminal; nothing in a pipe.
struct Bar {
    all: usize,
    shown: bool,
}

impl Bar {
    fn new(all: usize) -> Self {
        Self {
            all,
            shown: std::io::stderr().is_terminal(),
        }
    }

    fn show(&self, done: usize) {
        if self.shown {
            let full = 40 * done / self.all;
            let _ = write!(
                std::io::stderr(),
                "\r[{}{}] {done}/{}",
                "#".repeat(full),
                " ".repeat(40 - full),
                self.all
            );
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(70));
        }
    }
}
