//! `convoy arena`: bots against bots on duplicate deals, with intervals.

mod agreement;
mod contestant;
mod external;
mod figures;
mod forfeit;
mod rounds;
mod stop;

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use contestant::Spec;
use figures::{Figures, Round};
use stop::Stop;

/// Let bots play against bots
///
/// Every deal is played twice, with the teams swapped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Tractor: two players, each on both seats of a team
    ///
    /// A player is a level: random, scripted, easy, normal, strong or master. After a colon it may have options
    /// between commas: a budget in time (strong:20ms) or in play-outs (strong:400r; then a match repeats to the last
    /// card), and weights of its heuristic (normal:feed=0.9). Or it is a program, cmd:PROGRAM ARGUMENTS, with the
    /// quoting of a shell and optionally NAME=VALUE before it; it speaks the line protocol of `convoy tractor-bot`,
    /// which docs/bots.md describes.
    ///
    /// A program that plays an illegal card, answers something else, ends, or does not answer in time forfeits the
    /// round; it is restarted and the run continues. Ctrl-C stops the run and prints what was played so far.
    Tractor(Tractor),
    /// Tractor: what a player would have done in recorded rounds
    ///
    /// Asks a player what it would have played at every turn of recorded rounds. Where that is not what was played,
    /// both plays are compared by play-outs on fresh worlds.
    Agreement(agreement::Args),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy arena tractor normal random --rounds 2000\n  convoy arena tractor strong normal --concurrency 8\n  convoy arena tractor strong 'cmd:node bot.js' --rules ejfn --rounds 200\n  convoy arena tractor strong:300r normal --games 20 --seed 7"
)]
pub(crate) struct Tractor {
    /// The player whose win rate is reported: a level such as strong, strong:20ms or strong:400r, or cmd:PROGRAM
    player: String,
    /// Its opponent, written the same way
    opponent: String,
    /// Single rounds to play, two for each deal
    #[arg(long, default_value_t = 200)]
    rounds: usize,
    /// Play this many whole games instead, two for each sequence of deals
    #[arg(long)]
    games: Option<usize>,
    /// Seed of the deals and of the players' random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A preset of house rules (default, ejfn, shengji), or `random` for different ones in each deal
    #[arg(long, default_value = "default")]
    rules: String,
    /// Deals to play concurrently
    #[arg(long, alias = "threads", default_value_t = 1)]
    concurrency: usize,
    /// Stop after this many minutes; an unfinished deal does not count
    #[arg(long)]
    minutes: Option<f64>,
    /// Seconds that a program has for each answer
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let args = match &args.game {
        Game::Tractor(args) => args,
        Game::Agreement(args) => return agreement::run(args),
    };
    let timeout =
        Duration::try_from_secs_f64(args.timeout).context("--timeout is a number from 0")?;
    let field = Field {
        player: Spec::read(&args.player, timeout).context("the player")?,
        opponent: Spec::read(&args.opponent, timeout).context("the opponent")?,
        house: rounds::House::read(&args.rules)?,
        items: args.games.unwrap_or(args.rounds).div_ceil(2).max(1),
        next: AtomicUsize::new(0),
        done: Mutex::new(Vec::new()),
        stop: Stop::after(args.minutes)?,
        args,
    };
    let bar = progress(field.items);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency.clamp(1, field.items))
        .build()?;
    let results: Vec<anyhow::Result<()>> = pool.broadcast(|_| field.work(&bar));
    bar.finish_and_clear();
    let done = field.done.into_inner().expect("no thread panics with it");
    print(args, done, field.items)?;
    results.into_iter().collect()
}

/// A match that is being played.
struct Field<'a> {
    args: &'a Tractor,
    player: Spec,
    opponent: Spec,
    house: rounds::House,
    items: usize,
    next: AtomicUsize,
    done: Mutex<Vec<(usize, Vec<Round>)>>,
    stop: Stop,
}

impl Field<'_> {
    /// Plays deals until none is left or the run is stopped.
    fn work(&self, bar: &ProgressBar) -> anyhow::Result<()> {
        let result = self.play(bar);
        if result.is_err() {
            // What went wrong here goes wrong everywhere: nothing more is begun.
            self.next.store(self.items, Ordering::Relaxed);
        }
        result
    }

    fn play(&self, bar: &ProgressBar) -> anyhow::Result<()> {
        let mut seats = [self.player.sit(self.stop)?, self.opponent.sit(self.stop)?];
        loop {
            let item = self.next.fetch_add(1, Ordering::Relaxed);
            if item >= self.items || self.stop.is_due() {
                return Ok(());
            }
            let play = match self.args.games {
                Some(_) => rounds::games,
                None => rounds::deal,
            };
            let seed = self.args.seed;
            let rounds = play(&mut seats, self.house, seed, item, self.stop)
                .with_context(|| format!("deal {item} of seed {seed}"))?;
            let Some(rounds) = rounds else {
                return Ok(());
            };
            let mut done = self.done.lock().expect("no thread panics with it");
            done.push((item, rounds));
            bar.set_position(done.len() as u64);
        }
    }
}

fn print(args: &Tractor, mut done: Vec<(usize, Vec<Round>)>, items: usize) -> anyhow::Result<()> {
    let stopped = done.len() < items;
    done.sort_by_key(|(item, _)| *item);
    let rounds = done.into_iter().map(|(_, rounds)| rounds).collect();
    let figures = Figures::of(rounds, args.games.is_some(), stopped);
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
pub(crate) fn progress(items: usize) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(items as u64), target);
    let style = ProgressStyle::with_template("[{bar:40}] {pos}/{len} {eta}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
