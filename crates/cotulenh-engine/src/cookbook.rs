//! Ten tasks, a snippet each. Every snippet is a test.
//!
//! # 1. Play a game against a level
//!
//! One engine for the whole game: it keeps its transposition table between turns.
//!
//! ```
//! use cotulenh::Game;
//! use cotulenh_engine::{Engine, Limits, Options, SkillLevel};
//! let level = SkillLevel::new(2).expect("between 1 and 10");
//! let mut engine = Engine::new(Options {
//!     level,
//!     contempt: Options::CONTEMPT,
//!     seed: 42,
//!     ..Options::default()
//! });
//! let mut game = Game::default();
//! for text in ["Ic6", "Ik6"] {
//!     game.play_text(text)?;
//!     let turn = engine.best_turn(&game, &Limits::default()).expect("the game is on");
//!     for mv in turn.iter() {
//!         game.play(*mv)?;
//!     }
//! }
//! assert_eq!(game.turn_count(), 4);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # 2. Play on a clock
//!
//! The engine decides how much of its clock a turn is worth.
//!
//! ```
//! use std::time::Duration;
//! use cotulenh::Game;
//! use cotulenh_engine::{Clock, Engine, Limits, Options};
//! let clock = Clock {
//!     left: Duration::from_secs(2),
//!     increment: Duration::from_millis(20),
//!     turns_to_go: None,
//! };
//! let mut engine = Engine::new(Options::default());
//! assert!(engine.best_turn(&Game::default(), &Limits::clock(clock)).is_some());
//! ```
//!
//! # 3. Analyse with several lines
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Limits, Options, Search};
//! let start = Position::start();
//! let mut engine = Engine::new(Options { multi_pv: 3, ..Options::default() });
//! let report = engine.analyse(&Search::new(&start).limits(Limits::nodes(5_000)), |_| {});
//! for line in &report.lines {
//!     println!("{}: {}", line.score, start.turn_lan(&line.turns[0]));
//! }
//! assert_eq!(report.lines.len(), 3);
//! ```
//!
//! # 4. Follow a search while it runs
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Limits, Options, Search};
//! let start = Position::start();
//! let mut depths = Vec::new();
//! let search = Search::new(&start).limits(Limits::depth(4));
//! Engine::new(Options::default()).analyse(&search, |report| depths.push(report.depth));
//! assert_eq!(depths, [1, 2, 3, 4]);
//! ```
//!
//! # 5. Stop a search from another thread
//!
//! ```
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Options, Search};
//! let stop = AtomicBool::new(false);
//! let start = Position::start();
//! let mut engine = Engine::new(Options::default());
//! let search = Search::new(&start).stop(&stop);
//! let report = std::thread::scope(|scope| {
//!     let search = scope.spawn(|| engine.analyse(&search, |_| {}));
//!     stop.store(true, Ordering::Relaxed);
//!     search.join().expect("no panic")
//! });
//! assert!(report.best().is_some());
//! ```
//!
//! # 6. Search in slices
//!
//! Stop, do something else, and search the same position again: the table brings the search back
//! to where it was.
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Limits, Options, Search};
//! let start = Position::start();
//! let slice = Search::new(&start).limits(Limits::nodes(4_000));
//! let mut engine = Engine::new(Options::default());
//! let depths: Vec<u32> = (0..4).map(|_| engine.analyse(&slice, |_| {}).depth).collect();
//! assert!(depths.is_sorted());
//! ```
//!
//! # 7. Find a mate
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Limits, Options, Score, Search};
//! let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
//! let position: Position = fen.parse()?;
//! let search = Search::new(&position).limits(Limits::nodes(5_000));
//! let report = Engine::new(Options::default()).analyse(&search, |_| {});
//! assert_eq!(report.score(), Some(Score::Mate(1)));
//! # Ok::<_, cotulenh::ParseFenError>(())
//! ```
//!
//! # 8. Compare some turns only
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Limits, Options, Search, Turn};
//! let start = Position::start();
//! let turn = |text| start.read(text).map(|moves| Turn::new(moves.to_vec()));
//! let search = Search::new(&start)
//!     .limits(Limits::nodes(2_000))
//!     .root_turns(vec![turn("Ic6")?, turn("Mg6")?]);
//! let best = Engine::new(Options::default()).analyse(&search, |_| {});
//! assert!(search.root_turns.contains(best.best().expect("a turn")));
//! # Ok::<_, cotulenh::ReadError>(())
//! ```
//!
//! # 9. Play under the optional victories
//!
//! ```
//! use cotulenh::{Game, VictoryRules};
//! use cotulenh_engine::{Engine, Limits, Options};
//! let fen = "6c4/11/11/11/11/2n8/11/2N8/11/11/11/5C5 r - - 0 1";
//! let rules = VictoryRules { marine: true, ..VictoryRules::default() };
//! let mut game = Game::new(fen.parse()?).with_rules(rules);
//! let mut engine = Engine::new(Options::default());
//! for mv in engine.best_turn(&game, &Limits::depth(2)).expect("the game is on").iter() {
//!     game.play(*mv)?;
//! }
//! assert!(game.outcome().is_some(), "the last ship was taken");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # 10. Evaluate a position without a search, or with another network
//!
//! ```
//! use cotulenh::Position;
//! use cotulenh_engine::{Engine, Net, Options};
//! let engine = Engine::with_net(Options::default(), Net::standard());
//! let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
//! let position: Position = fen.parse()?;
//! assert!(engine.evaluate(&position) > 300);
//! # Ok::<_, cotulenh::ParseFenError>(())
//! ```
