//! The engine: options, searches, reports.

mod run;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cotulenh::{Game, Position, VictoryRules};

use crate::eval::Evaluator;
use crate::feature::Features;
use crate::level::{Handicap, SkillLevel};
use crate::net::Net;
use crate::score::Score;
use crate::search::ThreadState;
use crate::table::TranspositionTable;
use crate::time::{Limits, OVERHEAD, SystemTimer, Timer};
use crate::turn::Turn;

/// Settings of an engine.
///
/// ```
/// use cotulenh_engine::{Engine, Options};
/// let engine = Engine::new(Options { hash_mib: 4, threads: 2, ..Options::default() });
/// assert_eq!(engine.options().threads, 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The number of search threads.
    pub threads: usize,
    /// The number of principal variations that are reported.
    pub multi_pv: usize,
    /// The playing strength.
    pub level: SkillLevel,
    /// A handicap of one's own in place of the level's.
    pub handicap: Option<Handicap>,
    /// How much less than even a draw is worth to the side to move at the root, in hundredths of
    /// an infantry. Zero for analysis; a player who wants to win has [`Options::CONTEMPT`].
    pub contempt: i32,
    /// What is kept back of a clock for the way to it.
    pub overhead: Duration,
    /// The optional victories. [`Engine::best_turn`] takes those of the game instead.
    pub rules: VictoryRules,
    /// The search features in use.
    pub features: Features,
    /// Makes the errors of weak levels differ from game to game.
    pub seed: u64,
}

impl Options {
    /// The contempt of a player who wants to win.
    pub const CONTEMPT: i32 = 12;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            level: SkillLevel::MAX,
            handicap: None,
            contempt: 0,
            overhead: OVERHEAD,
            rules: VictoryRules::default(),
            features: Features::ALL,
            seed: 0,
        }
    }
}

/// What to search, and until when.
///
/// ```
/// use cotulenh::Position;
/// use cotulenh_engine::{Engine, Limits, Options, Search};
/// let start = Position::start();
/// let search = Search::new(&start).limits(Limits::nodes(1_000));
/// let report = Engine::new(Options::default()).analyse(&search, |_| {});
/// assert!(report.best().is_some());
/// ```
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The position to search.
    pub position: &'a Position,
    /// The keys of the positions between turns before it, oldest first, for repetitions.
    pub history: Cow<'a, [u64]>,
    /// When the search ends.
    pub limits: Limits,
    /// Only these turns are searched at the root; all of them if there are none. A turn that is
    /// not legal in the position is ignored; if none of them is legal, no line is found.
    pub root_turns: Vec<Turn>,
    /// Ends the search within milliseconds once it is set.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Search<'a> {
    /// A search of a position without a history, which ends when it is stopped.
    pub const fn new(position: &'a Position) -> Self {
        Self {
            position,
            history: Cow::Borrowed(&[]),
            limits: Limits {
                depth: None,
                nodes: None,
                time: None,
                clock: None,
            },
            root_turns: Vec::new(),
            stop: None,
        }
    }

    /// A search of the position of a game, with its history.
    ///
    /// ```
    /// use cotulenh::Game;
    /// use cotulenh_engine::Search;
    /// let mut game = Game::default();
    /// game.play_text("Ic6")?;
    /// assert_eq!(Search::of_game(&game).history.len(), 1);
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn of_game(game: &'a Game) -> Self {
        let history = game.turns().map(|turn| turn.before.key()).collect();
        Self {
            history: Cow::Owned(history),
            ..Self::new(game.position())
        }
    }

    /// The same search with a history.
    #[must_use]
    pub fn history(mut self, history: &'a [u64]) -> Self {
        self.history = Cow::Borrowed(history);
        self
    }

    /// The same search with limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same search with a flag that ends it.
    #[must_use]
    pub const fn stop(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// The same search of some turns only.
    #[must_use]
    pub fn root_turns(mut self, turns: Vec<Turn>) -> Self {
        self.root_turns = turns;
        self
    }
}

/// A principal variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its score for the side to move.
    pub score: Score,
    /// Its turns.
    pub turns: Vec<Turn>,
}

/// The state of a search after an iteration, or at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The depth of the iteration in turns.
    pub depth: u32,
    /// The greatest depth reached, extensions and quiescence search included.
    pub seldepth: usize,
    /// Nodes: positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: usize,
    /// The principal variations, best first.
    pub lines: Vec<Line>,
}

impl Report {
    /// The best turn, or `None` if the game is over.
    pub fn best(&self) -> Option<&Turn> {
        self.lines.first()?.turns.first()
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// The engine: an alpha-beta search with a neural network for an evaluation.
///
/// It keeps its transposition table and its move-ordering statistics between searches, so one
/// engine should play all turns of a game. A search that was stopped is resumed by searching the
/// same position again: what it had found is read from the table.
///
/// ```
/// use cotulenh::Game;
/// use cotulenh_engine::{Engine, Limits, Options, Score, Search};
/// let mut engine = Engine::new(Options::default());
/// let game = Game::new("11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1".parse()?);
/// let report = engine.analyse(&Search::of_game(&game).limits(Limits::nodes(5_000)), |_| {});
/// assert_eq!(report.score(), Some(Score::Mate(1)));
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    evaluator: Arc<Evaluator>,
    table: TranspositionTable,
    threads: Vec<ThreadState>,
    timer: Arc<dyn Timer>,
}

impl Engine {
    /// An engine with the built-in network.
    pub fn new(options: Options) -> Self {
        Self::with_net(options, Net::standard())
    }

    /// An engine with another network.
    pub fn with_net(options: Options, net: Arc<Net>) -> Self {
        let threads = (0..options.threads.max(1)).map(|_| ThreadState::new());
        Self {
            options,
            evaluator: Arc::new(Evaluator::new(net)),
            table: TranspositionTable::new(options.hash_mib),
            threads: threads.collect(),
            timer: Arc::new(SystemTimer),
        }
    }

    /// The options.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options. A new size of the transposition table empties it.
    pub fn set_options(&mut self, options: Options) {
        if options.hash_mib != self.options.hash_mib {
            self.table = TranspositionTable::new(options.hash_mib);
        }
        self.threads
            .resize_with(options.threads.max(1), ThreadState::new);
        self.options = options;
    }

    /// Changes the network, and forgets what was searched with the old one.
    pub fn set_net(&mut self, net: Arc<Net>) {
        self.evaluator = Arc::new(Evaluator::new(net));
        self.clear();
    }

    /// Changes the source of the time.
    pub fn set_timer(&mut self, timer: Arc<dyn Timer>) {
        self.timer = timer;
    }

    /// Forgets all searches: the next one is the same as that of a new engine.
    pub fn clear(&mut self) {
        self.table.clear();
        for state in &mut self.threads {
            state.clear();
        }
    }

    /// The turn that the engine plays in a game, or `None` if the game is over. The game's
    /// history and its optional victories count.
    ///
    /// ```
    /// use cotulenh::Game;
    /// use cotulenh_engine::{Engine, Limits, Options, SkillLevel};
    /// let level = SkillLevel::new(3).expect("between 1 and 10");
    /// let mut engine = Engine::new(Options { level, ..Options::default() });
    /// let mut game = Game::default();
    /// while let Some(turn) = engine.best_turn(&game, &Limits::nodes(300)) {
    ///     for mv in turn.iter() {
    ///         game.play(*mv)?;
    ///     }
    ///     if game.turn_count() == 4 {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(game.turn_count(), 4);
    /// # Ok::<_, cotulenh::PlayError>(())
    /// ```
    pub fn best_turn(&mut self, game: &Game, limits: &Limits) -> Option<Turn> {
        if game.outcome().is_some() {
            return None;
        }
        self.options.rules = game.rules();
        let search = Search::of_game(game).limits(*limits);
        self.analyse(&search, |_| {}).best().cloned()
    }

    /// Searches until a limit is reached or the stop flag is set; `report` is called after every
    /// iteration. Without a limit it searches until it is stopped. If the game is over there is
    /// no line.
    pub fn analyse(&mut self, search: &Search<'_>, report: impl FnMut(&Report) + Send) -> Report {
        self.run(search, report, true)
    }

    /// The same with the main search on the calling thread, whose stack must have room for
    /// 32 MiB: for many small searches, where starting a thread would cost more than the search,
    /// and for hosts that have no threads.
    pub fn analyse_here(
        &mut self,
        search: &Search<'_>,
        report: impl FnMut(&Report) + Send,
    ) -> Report {
        self.run(search, report, false)
    }

    /// The static evaluation of a position for the side to move, in hundredths of an infantry.
    /// No deploy may be open.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluator.evaluate(position)
    }
}
