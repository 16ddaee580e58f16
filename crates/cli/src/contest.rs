//! `convoy match`: player against player, with error bars.

mod game;
pub(crate) mod ladder;
mod player;
mod tally;

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use cotulenh::Position;

use game::{Opening, Played};
use player::Spec;
use tally::{Sprt, Tally};

const PLAYERS: &str = "\
Players: words with commas between.
  engine                 this build (may be left out)
  material               the yardstick that looks one turn ahead and counts points
  alphabeta              the yardstick that looks three turns ahead and counts points
  cmd=PROGRAM ARGS       any program that speaks `convoy uci`'s protocol
  nodes=N depth=N time=MS tc=SECONDS+SECONDS   limits (default nodes=1000)
  level=1..10 hash=MIB threads=N net=FILE without=FEATURE+FEATURE   options of the engine
  noise=CENTI blind=PERMILLE   positions misjudged and actions overlooked, after level

Examples:
  convoy match nodes=10000 nodes=1000 --games 200
  convoy match nodes=1000 material
  convoy match nodes=2000 nodes=2000,without=nullmove --games 400 --pgn games.pgn
  convoy match 'cmd=./convoy-old uci,nodes=5000' nodes=5000 --sprt 0 10";

/// Let two players play: every opening twice, with colours swapped.
#[derive(Debug, clap::Args)]
#[command(after_help = PLAYERS)]
pub(crate) struct Args {
    /// The player that is measured
    first: Spec,
    /// Its opponent
    second: Spec,
    #[command(flatten)]
    terms: Terms,
    /// Stop as soon as one of two hypotheses on the Elo difference is sure
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the games there
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// How games are played.
#[derive(Debug, clap::Args)]
struct Terms {
    /// How many games at most; an even number
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// How many games are played at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// A file of FENs to begin with, one a line, instead of the built-in set
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The opening to begin with
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// A game that lasts so many turns is drawn
    #[arg(long, default_value_t = 400, value_name = "N")]
    turns: usize,
    /// A game without a winner goes to the side that is ahead by so many points
    #[arg(long, value_name = "POINTS")]
    adjudicate: Option<i32>,
    /// Sets the chance in simple and weak players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The openings that come with the engine.
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
        bail!("there is no opening to begin with");
    }
    Ok(positions)
}

/// What the threads of a match share.
struct Board<'a> {
    players: [&'a Spec; 2],
    terms: &'a Terms,
    openings: &'a [Position],
    next: AtomicUsize,
    over: AtomicBool,
    score: Mutex<Score>,
    sprt: Option<Sprt>,
    adjudicate: Option<i32>,
}

struct Score {
    tally: Tally,
    pgn: Option<BufWriter<File>>,
    error: Option<anyhow::Error>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let pgn = match &args.pgn {
        None => None,
        Some(path) => {
            let file =
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            Some(BufWriter::new(file))
        }
    };
    let sprt = args.sprt.as_ref().map(|bounds| Sprt {
        elo0: bounds[0],
        elo1: bounds[1],
    });
    if sprt.is_some_and(|sprt| sprt.elo0 >= sprt.elo1) {
        bail!("the first bound of --sprt must be below the second");
    }
    let openings = openings(&args.terms)?;
    let mut board = Board::new([&args.first, &args.second], &args.terms, &openings);
    board.sprt = sprt;
    board.score().pgn = pgn;
    let tally = board.play()?;
    println!("{} against {}", args.first, args.second);
    print!("{}", tally.summary(sprt));
    Ok(())
}

impl<'a> Board<'a> {
    fn new(players: [&'a Spec; 2], terms: &'a Terms, openings: &'a [Position]) -> Self {
        Self {
            players,
            terms,
            openings,
            next: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            score: Mutex::new(Score {
                tally: Tally::default(),
                pgn: None,
                error: None,
            }),
            sprt: None,
            adjudicate: terms.adjudicate,
        }
    }

    /// Plays the match.
    fn play(self) -> anyhow::Result<Tally> {
        std::thread::scope(|scope| {
            for _ in 0..self.terms.concurrency.max(1) {
                scope.spawn(|| {
                    if let Err(error) = self.play_pairs() {
                        self.over.store(true, Ordering::Relaxed);
                        self.score().error.get_or_insert(error);
                    }
                });
            }
        });
        if std::io::stderr().is_terminal() {
            eprintln!();
        }
        let score = self.score.into_inner();
        let mut score = score.unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(error) = score.error.take() {
            return Err(error);
        }
        if let Some(pgn) = &mut score.pgn {
            pgn.flush()?;
        }
        Ok(score.tally)
    }

    fn score(&self) -> std::sync::MutexGuard<'_, Score> {
        self.score
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes openings and plays both games of each, until there are no more.
    fn play_pairs(&self) -> anyhow::Result<()> {
        let mut first = self.players[0].seat()?;
        let mut second = self.players[1].seat()?;
        let pairs = self.terms.games.div_ceil(2);
        loop {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= pairs || self.over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let opening = Opening {
                position: &self.openings[(pair + self.terms.skip) % self.openings.len()],
                seed: self
                    .terms
                    .seed
                    .wrapping_mul(1_000_003)
                    .wrapping_add(pair as u64),
                turns: self.terms.turns,
                adjudicate: self.adjudicate,
                round: pair + 1,
            };
            let one = game::play(&opening, &mut first, &mut second)?;
            let two = game::play(&opening, &mut second, &mut first)?;
            self.enter(&one, &two)?;
        }
    }

    fn enter(&self, one: &Played, two: &Played) -> anyhow::Result<()> {
        let mut score = self.score();
        score.tally.enter(one.score, 1.0 - two.score);
        for game in [one, two] {
            *score.tally.ends.entry(game.reason.clone()).or_insert(0) += 1;
            score.tally.turns += game.turns;
            if let Some(pgn) = &mut score.pgn {
                writeln!(pgn, "{}", game.pgn)?;
            }
        }
        if self.sprt.is_some_and(|sprt| score.tally.decided(sprt)) {
            self.over.store(true, Ordering::Relaxed);
        }
        if std::io::stderr().is_terminal() {
            let (games, all) = (score.tally.games(), self.terms.games.div_ceil(2) * 2);
            let filled = 30 * games / all.max(1);
            eprint!(
                "\r[{}{}] {games}/{all} {}   ",
                "#".repeat(filled),
                ".".repeat(30 - filled.min(30)),
                score.tally.brief(),
            );
        }
        Ok(())
    }
}
