//! `cargo xtask selfplay`: games of the engine against itself, as positions with results.

pub(crate) mod record;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use cotulenh::{Color, Position};
use cotulenh_engine::{Engine, Limits, Net, Options, Report, Score, Search, SplitMix64, Turn};

use crate::openings::random_opening;
use record::{LEN, MAGIC, Record};

/// Play games at fixed nodes; keep quiet positions, each with its score and the game's result
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many games at most
    #[arg(long, default_value_t = 1_000)]
    games: usize,
    /// Nodes a turn
    #[arg(long, default_value_t = 500)]
    nodes: u64,
    /// Stop after so many seconds, however many games there are
    #[arg(long)]
    seconds: Option<u64>,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A network to play with, instead of the one built in
    #[arg(long)]
    net: Option<PathBuf>,
    /// The file to write, 48 bytes a position
    #[arg(long)]
    out: PathBuf,
}

/// A network from a file, or the one built in.
pub(crate) fn net_from(path: Option<&Path>) -> anyhow::Result<Arc<Net>> {
    let Some(path) = path else {
        return Ok(Net::standard());
    };
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let net =
        Net::from_bytes(&bytes).with_context(|| format!("{} is no network", path.display()))?;
    Ok(Arc::new(net))
}

/// What the threads share.
struct Work<'a> {
    args: &'a Args,
    net: Arc<Net>,
    begun: Instant,
    next: AtomicUsize,
    tally: Mutex<Tally>,
}

struct Tally {
    out: BufWriter<File>,
    /// Lost, drawn and won by red.
    games: [usize; 3],
    turns: usize,
    kept: usize,
    error: Option<std::io::Error>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let file =
        File::create(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let mut out = BufWriter::new(file);
    out.write_all(MAGIC)?;
    let work = Work {
        args,
        net: net_from(args.net.as_deref())?,
        begun: Instant::now(),
        next: AtomicUsize::new(0),
        tally: Mutex::new(Tally {
            out,
            games: [0; 3],
            turns: 0,
            kept: 0,
            error: None,
        }),
    };
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let mut players = Vec::new();
        for _ in 0..args.concurrency.max(1) {
            // Searches run on these threads: there must be room for the deepest.
            let builder = std::thread::Builder::new().stack_size(40 << 20);
            players.push(builder.spawn_scoped(scope, || work.play_games())?);
        }
        let mut told = Instant::now();
        while players.iter().any(|player| !player.is_finished()) {
            // Often enough to end soon after the last game, seldom enough to cost nothing.
            std::thread::sleep(Duration::from_millis(50));
            if told.elapsed() >= Duration::from_secs(10) {
                told = Instant::now();
                work.tell();
            }
        }
        Ok(())
    })?;
    work.tell();
    let mut tally = work
        .tally
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    tally.out.flush()?;
    tally.error.map_or(Ok(()), |error| Err(error.into()))
}

impl Work<'_> {
    fn tell(&self) {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = self.begun.elapsed().as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
        let rate = tally.kept as f64 / seconds;
        let [lost, drawn, won] = tally.games;
        println!(
            "{seconds:.0} s: {} games (red won {won}, drew {drawn}, lost {lost}), {} turns, {} positions, {rate:.0} a second",
            lost + drawn + won,
            tally.turns,
            tally.kept,
        );
    }

    fn is_over(&self) -> bool {
        let limit = self.args.seconds;
        limit.is_some_and(|limit| self.begun.elapsed().as_secs() >= limit)
    }

    fn play_games(&self) {
        let options = Options {
            hash_mib: 1,
            ..Options::default()
        };
        let mut engine = Engine::with_net(options, Arc::clone(&self.net));
        loop {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            if game >= self.args.games || self.is_over() {
                return;
            }
            let seed = self.args.seed.wrapping_mul(0x1_0000_0001) ^ game as u64;
            let Some(played) = play(&mut engine, self.args.nodes, &mut SplitMix64::new(seed))
            else {
                continue;
            };
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.games[usize::from(played.result)] += 1;
            tally.turns += played.turns;
            tally.kept += played.records.len();
            for record in &played.records {
                if let Err(error) = tally.out.write_all(record) {
                    tally.error = Some(error);
                    return;
                }
            }
        }
    }
}

/// A finished game.
struct Played {
    /// For red: 0 a loss, 1 a draw, 2 a win.
    result: u8,
    turns: usize,
    records: Vec<[u8; LEN]>,
}

/// One game; `None` if its opening is not worth it.
fn play(engine: &mut Engine, nodes: u64, random: &mut SplitMix64) -> Option<Played> {
    /// A game that lasts so long is drawn.
    const TURNS: usize = 240;
    let length = 6 + random.below(5);
    let mut position = random_opening(random, length)?;
    let (mut keys, mut kept) = (Vec::new(), Vec::new());
    let (mut scores, mut winner) = (Adjudication::default(), None);
    let mut turns = 0;
    while turns < TURNS {
        if let Some(outcome) = position.outcome() {
            winner = outcome.winner;
            break;
        }
        let key = position.key();
        if position.halfmove_clock() >= 70
            || keys.iter().filter(|other| **other == key).count() >= 2
        {
            break;
        }
        if turns == 0 {
            engine.clear();
        }
        let report = engine.analyse_here(
            &Search::new(&position)
                .history(&keys)
                .limits(Limits::nodes(nodes)),
            |_| {},
        );
        let (best, score) = (report.best()?.clone(), report.score()?.value());
        // A blunder among the random turns leaves nothing to learn from.
        if turns == 0 && score.abs() > 500 {
            return None;
        }
        if is_quiet(&position, &report, &best) {
            kept.push((position.clone(), i16::try_from(score).ok()?));
        }
        scores.note(score);
        if scores.is_decided() {
            let turn = position.turn();
            winner = Some(if score > 0 { turn } else { !turn });
            break;
        }
        if scores.is_even() && turns >= 80 {
            break;
        }
        keys.push(key);
        position = best.play_from(&position)?;
        turns += 1;
    }
    Some(Played::new(winner, turns, kept))
}

impl Played {
    /// A game with this winner, and the positions kept of it with their scores.
    fn new(winner: Option<Color>, turns: usize, kept: Vec<(Position, i16)>) -> Self {
        let result_for =
            |color: Color| winner.map_or(1, |winner| if winner == color { 2 } else { 0 });
        let records = kept.into_iter().filter_map(|(position, score)| {
            let result = result_for(position.turn());
            let record = Record {
                position,
                score,
                result,
            };
            record.pack()
        });
        Self {
            result: result_for(Color::Red),
            turns,
            records: records.collect(),
        }
    }
}

/// How many turns in a row the scores have been far apart, or even.
#[derive(Debug, Default)]
struct Adjudication {
    decided: u32,
    even: u32,
}

impl Adjudication {
    /// A lead that is as good as a win, if both sides see it for some turns.
    const DECIDED: i32 = 1_500;
    /// As good as even, if both sides see it for some turns late in a game.
    const EVEN: i32 = 20;

    /// Takes the score of another turn.
    fn note(&mut self, score: i32) {
        let counted = |before: u32, again: bool| if again { before + 1 } else { 0 };
        self.decided = counted(self.decided, score.abs() > Self::DECIDED);
        self.even = counted(self.even, score.abs() <= Self::EVEN);
    }

    fn is_decided(&self) -> bool {
        self.decided >= 4
    }

    fn is_even(&self) -> bool {
        self.even >= 12
    }
}

/// Whether the worth of a position is one of the position and not of a fight in it.
fn is_quiet(position: &Position, report: &Report, best: &Turn) -> bool {
    let captures = best.iter().any(|mv| mv.is_capture());
    let near = matches!(report.score(), Some(Score::Centi(score)) if score.abs() < 2_000);
    near && !captures && !position.in_danger(position.turn())
}
