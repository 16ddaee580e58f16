//! `convoy match`: player against player, with confidence intervals.

mod external;
mod game;
pub(crate) mod ladder;
mod output;
mod player;
mod spec;
mod tally;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, bail};
use cotulenh::{Color, Position};
use indicatif::{ProgressBar, ProgressStyle};

use game::{Opening, Played};
use output::Output;
use player::Player;
use spec::Spec;
use tally::{Sprt, Tally};

const PLAYERS: &str = "\
Players: fields separated by commas; quote values that contain commas or spaces as in a shell.
  engine             the engine of this build (may be left out)
  material           a baseline: one turn of search, by points
  alphabeta          a baseline: three turns of alpha-beta search, by points
  cmd=PROGRAM ARGS   an external engine that speaks UCI as docs/uci.md describes it

Limits of an engine, external or not (default: nodes=1000, or those of the level):
  nodes=N depth=N    nodes or depth of every turn
  time=MS            milliseconds for every turn (UCI movetime)
  tc=BASE+INC        a clock: seconds for the game and for every turn
  margin=MS          how far time= or a clock may be exceeded without a forfeit (default 200)

Options of the engine of this build:
  level=1..10 hash=MIB threads=N net=FILE without=FEATURE+FEATURE
  noise=CENTI blind=PERMILLE   evaluation noise and overlooked moves, after level

Options of an external engine:
  option.NAME=VALUE  setoption name NAME value VALUE; option.NAME alone for a button
  timeout=SECONDS    how long a turn may take that no clock limits (default 60)

An external engine forfeits the game by an illegal turn, bestmove (none), a crash, a time-out,
a loss on time, an unrequested bestmove or unreadable output. Forfeits are counted by cause and the
match continues; an engine that crashed or hung is restarted. Ctrl-C ends the match and prints the
results so far.

Examples:
  convoy match nodes=10000 nodes=1000 --games 200
  convoy match nodes=1000 material
  convoy match nodes=2000 nodes=2000,without=nullmove --games 400 --pgn games.pgn
  convoy match 'cmd=./convoy-old uci,nodes=5000' nodes=5000 --sprt 0 10
  convoy match 'cmd=\"./my engine\" --uci,option.Hash=64,tc=10+0.1' tc=10+0.1 --json games.jsonl
  convoy match 'cmd=python3 examples/bots/uci_bot.py,timeout=10' level=1 --games 10";

/// Play a match between two players: every opening twice, with colours swapped
#[derive(Debug, clap::Args)]
#[command(after_help = PLAYERS)]
pub(crate) struct Args {
    /// The player that is measured
    first: Spec,
    /// Its opponent
    second: Spec,
    #[command(flatten)]
    terms: Terms,
    /// Stop as soon as a sequential probability ratio test (SPRT) between two Elo differences is decided
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write every game to this PGN file as it ends
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a JSON object for every game to this file as it ends, and a summary at the end
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How games are played.
#[derive(Debug, clap::Args)]
struct Terms {
    /// Maximum number of games, an even number
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Games to play concurrently
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// A file of opening positions, one FEN per line, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings to skip
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Adjudicate a draw after this many turns
    #[arg(long, default_value_t = 400, value_name = "N")]
    turns: usize,
    /// Adjudicate a game without a winner as a win for the side that is ahead by this many points
    #[arg(long, value_name = "POINTS")]
    adjudicate: Option<i32>,
    /// Seed of the random choices of baselines and weak levels
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn openings(args: &Terms) -> anyhow::Result<Vec<Position>> {
    let text = match &args.openings {
        None => cotulenh_engine::OPENINGS.to_owned(),
        Some(path) => std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?,
    };
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let positions = lines.map(|line| line.parse().with_context(|| format!("bad FEN: {line}")));
    let positions = positions.collect::<anyhow::Result<Vec<Position>>>()?;
    if positions.is_empty() {
        bail!("there are no openings");
    }
    Ok(positions)
}

/// A flag that Ctrl-C sets. The handler is installed once; the flag lives as long as the process.
fn interrupts() -> anyhow::Result<&'static AtomicBool> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))
        .context("cannot handle Ctrl-C")?;
    Ok(&INTERRUPTED)
}

/// A match under way, shared by its threads.
struct Match<'a> {
    players: [&'a Spec; 2],
    terms: &'a Terms,
    openings: &'a [Position],
    /// The next pair of games.
    next: AtomicUsize,
    /// Set by Ctrl-C, by an error and by a decided SPRT.
    interrupted: &'a AtomicBool,
    over: AtomicBool,
    results: Mutex<Results>,
    sprt: Option<Sprt>,
    adjudicate: Option<i32>,
    progress: ProgressBar,
}

#[derive(Default)]
struct Results {
    tally: Tally,
    output: Output,
    error: Option<anyhow::Error>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let sprt = args.sprt.as_ref().map(|bounds| Sprt {
        elo0: bounds[0],
        elo1: bounds[1],
    });
    if sprt.is_some_and(|sprt| sprt.elo0 >= sprt.elo1) {
        bail!("the first bound of --sprt must be below the second");
    }
    let openings = openings(&args.terms)?;
    let players = [&args.first, &args.second];
    let mut contest = Match::new(players, &args.terms, &openings, interrupts()?);
    contest.sprt = sprt;
    contest.results().output = Output::create(args.pgn.as_deref(), args.json.as_deref())?;
    let (tally, ended) = contest.play();
    println!("{} against {}", args.first, args.second);
    print!("{}", tally.summary(sprt));
    ended
}

impl<'a> Match<'a> {
    fn new(
        players: [&'a Spec; 2],
        terms: &'a Terms,
        openings: &'a [Position],
        interrupted: &'a AtomicBool,
    ) -> Self {
        let games = terms.games.div_ceil(2) as u64 * 2;
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} {msg} ({eta} left)");
        let progress = ProgressBar::new(games);
        progress.set_style(
            style
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("#>."),
        );
        Self {
            players,
            terms,
            openings,
            next: AtomicUsize::new(0),
            interrupted,
            over: AtomicBool::new(false),
            results: Mutex::default(),
            sprt: None,
            adjudicate: terms.adjudicate,
            progress,
        }
    }

    /// Plays the match. The results so far come back whether it ended well or not.
    fn play(self) -> (Tally, anyhow::Result<()>) {
        std::thread::scope(|scope| {
            for _ in 0..self.terms.concurrency.max(1) {
                scope.spawn(|| {
                    if let Err(error) = self.play_pairs() {
                        self.over.store(true, Ordering::Relaxed);
                        self.results().error.get_or_insert(error);
                    }
                });
            }
        });
        self.progress.finish_and_clear();
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        let results = self.results.into_inner();
        let mut results = results.unwrap_or_else(PoisonError::into_inner);
        let summary = serde_json::json!({ "summary": results.tally.json(self.sprt) });
        let written = results.output.json_line(&summary);
        let ended = match results.error.take() {
            Some(error) => Err(error),
            None if interrupted => Err(anyhow::anyhow!("interrupted")),
            None => written,
        };
        (results.tally, ended)
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes openings and plays both games of each, until there are no more.
    fn play_pairs(&self) -> anyhow::Result<()> {
        let mut first = Player::start(self.players[0])?;
        let mut second = Player::start(self.players[1])?;
        let pairs = self.terms.games.div_ceil(2);
        loop {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            let over = self.over.load(Ordering::Relaxed) || self.is_interrupted();
            if pair >= pairs || over {
                return Ok(());
            }
            let opening = self.opening(pair);
            let Some(one) = game::play(&opening, [&mut first, &mut second], self.interrupted)?
            else {
                return Ok(());
            };
            self.enter(&one, Color::Red)?;
            let Some(two) = game::play(&opening, [&mut second, &mut first], self.interrupted)?
            else {
                return Ok(());
            };
            self.enter(&two, Color::Blue)?;
            self.enter_pair(&one, &two);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn opening(&self, pair: usize) -> Opening<'a> {
        let seed = self.terms.seed.wrapping_mul(1_000_003);
        Opening {
            position: &self.openings[(pair + self.terms.skip) % self.openings.len()],
            seed: seed.wrapping_add(pair as u64),
            turns: self.terms.turns,
            adjudicate: self.adjudicate,
            round: pair + 1,
        }
    }

    /// Enters a game in which the first player had a colour.
    fn enter(&self, game: &Played, first: Color) -> anyhow::Result<()> {
        let mut results = self.results();
        results
            .tally
            .enter_game(game.score(first), &game.cause, game.turns);
        if let Some((loser, forfeit)) = &game.forfeit {
            let player = usize::from(*loser != first);
            results.tally.enter_forfeit(player, forfeit.cause());
        }
        self.progress.inc(1);
        self.progress.set_message(results.tally.brief());
        results.output.game(game)
    }

    fn enter_pair(&self, one: &Played, two: &Played) {
        let mut results = self.results();
        let scores = (one.score(Color::Red), two.score(Color::Blue));
        results.tally.enter_pair(scores.0, scores.1);
        if self.sprt.is_some_and(|sprt| results.tally.decided(sprt)) {
            self.over.store(true, Ordering::Relaxed);
        }
    }
}
