//! What others may rely on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cotulenh::{Game, Position, Reason, VictoryRules};
use cotulenh_engine::{
    BENCH_POSITIONS, Clock, Engine, Limits, OPENINGS, Options, Report, Score, Search, TACTICS,
    Timer, Turn, bench_nodes,
};

fn positions() -> impl Iterator<Item = Position> {
    BENCH_POSITIONS
        .iter()
        .map(|fen| fen.parse().expect("lawful"))
}

fn nodes(nodes: u64) -> Limits {
    Limits::nodes(nodes)
}

fn think(engine: &mut Engine, position: &Position, limits: &Limits) -> Report {
    engine.analyse(&Search::new(position).limits(*limits), |_| {})
}

fn small(options: Options) -> Engine {
    Engine::new(Options {
        hash_mib: 1,
        ..options
    })
}

/// The node count that commits of the engine carry as `Bench:`. A change that is meant to change
/// the search changes this number too.
#[test]
fn the_node_count_stands() {
    assert_eq!(bench_nodes(8), 835_567);
}

#[test]
fn the_best_turn_of_a_game_counts_its_history_and_rules() {
    let mut engine = small(Options::default());
    let fen = "6c4/11/11/11/11/2n8/11/2N8/11/11/11/5C5 r - - 0 1";
    let position: Position = fen.parse().expect("lawful");
    let rules = VictoryRules {
        marine: true,
        ..VictoryRules::default()
    };
    let mut game = Game::new(position).with_rules(rules);
    let turn = engine.best_turn(&game, &Limits::depth(3)).expect("a turn");
    for mv in turn.iter() {
        game.play(*mv).expect("legal");
    }
    let outcome = game.outcome().expect("the only ship is gone");
    assert_eq!(outcome.winner, Some(cotulenh::Color::Red));
    assert_eq!(engine.best_turn(&game, &Limits::depth(3)), None);
    // Blue is lost but for a position that comes up once more: only the history tells of it.
    let fen = "6c4/9ii/11/11/11/11/11/11/4T6/11/2TAASS2II/5C5 r - - 6 9";
    let mut lost = Game::new(fen.parse().expect("lawful"));
    for text in ["Te5", "Ch12", "Te4", "Cg12", "Te5", "Ch12", "Te4"] {
        lost.play_text(text).expect("legal");
    }
    let turn = engine.best_turn(&lost, &Limits::depth(2)).expect("a turn");
    for mv in turn.iter() {
        lost.play(*mv).expect("legal");
    }
    let reason = lost.outcome().map(|end| end.reason);
    assert_eq!(reason, Some(Reason::Threefold));
}

/// Whoever is far behind repeats the position; the engine must know that it came up before.
#[test]
fn a_third_repetition_is_seen() {
    let mut game = Game::new(
        "6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 6 9"
            .parse()
            .expect("lawful"),
    );
    for text in ["Te5", "Ch12", "Te4", "Cg12", "Te5", "Ch12", "Te4"] {
        game.play_text(text).expect("legal");
    }
    let search = Search::of_game(&game);
    assert_eq!(search.history.len(), 7);
    // Blue can draw at once by going back.
    let back = Turn::new(game.position().read("Cg12").expect("legal").to_vec());
    let mut engine = small(Options::default());
    let search = search.limits(Limits::depth(2)).root_turns(vec![back]);
    assert_eq!(
        engine.analyse(&search, |_| {}).score(),
        Some(Score::Centi(0))
    );
}

/// A clock that is a millisecond later whenever it is read.
#[derive(Debug, Default)]
struct Ticking(std::sync::atomic::AtomicU64);

impl Timer for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_is_read_from_the_timer() {
    let run = |limits: Limits| {
        let mut engine = small(Options::default());
        engine.set_timer(Arc::new(Ticking::default()));
        think(&mut engine, &Position::start(), &limits)
    };
    let short = run(Limits::time(Duration::from_millis(30)));
    let long = run(Limits::time(Duration::from_millis(300)));
    assert!(short.nodes < 30 * 256, "{}", short.nodes);
    assert!(long.nodes > short.nodes && long.nodes < 300 * 256);
    assert_eq!(run(Limits::time(Duration::from_millis(30))), short);
    // A clock is shared out over many turns.
    let clock = Clock {
        left: Duration::from_secs(3),
        increment: Duration::ZERO,
        turns_to_go: None,
    };
    assert!(run(Limits::clock(clock)).nodes < 1_050 * 256);
}

#[test]
fn a_stopped_search_is_resumed_from_the_table() {
    let position = positions().nth(1).expect("there are eight");
    let mut once = small(Options::default());
    let whole = think(&mut once, &position, &nodes(60_000));
    let mut sliced = small(Options::default());
    let depths: Vec<u32> = (0..6)
        .map(|_| think(&mut sliced, &position, &nodes(10_000)).depth)
        .collect();
    assert!(depths.is_sorted(), "{depths:?}");
    assert!(depths[5] + 1 >= whole.depth, "{depths:?} {}", whole.depth);
    assert!(depths[5] > depths[0], "{depths:?}");
}

#[test]
fn only_the_turns_asked_for_are_searched() {
    let start = Position::start();
    let turn = |text| Turn::new(start.read(text).expect("legal").to_vec());
    let asked = [turn("Ic6"), turn("Ik6")];
    let mut engine = small(Options {
        multi_pv: 4,
        ..Options::default()
    });
    let search = Search::new(&start)
        .limits(nodes(3_000))
        .root_turns(asked.to_vec());
    let report = engine.analyse(&search, |_| {});
    assert_eq!(report.lines.len(), 2);
    let firsts = report.lines.iter().map(|line| &line.turns[0]);
    assert!(firsts.into_iter().all(|first| asked.contains(first)));
    // Illegal ones are ignored; where nothing is left there is no line.
    let illegal = Turn::new(asked[0].iter().chain(asked[1].iter()).copied().collect());
    let search = Search::new(&start)
        .limits(nodes(500))
        .root_turns(vec![illegal]);
    assert!(engine.analyse(&search, |_| {}).lines.is_empty());
}

#[test]
fn every_line_is_legal() {
    let mut engine = Engine::new(Options {
        multi_pv: 4,
        hash_mib: 2,
        ..Options::default()
    });
    let check = |position: &Position, report: &Report| {
        for line in &report.lines {
            assert!(!line.turns.is_empty());
            let mut at = position.clone();
            for turn in &line.turns {
                at = turn.play_from(&at).expect("a legal whole turn");
            }
        }
    };
    for position in positions() {
        let search = Search::new(&position).limits(nodes(20_000));
        let report = engine.analyse(&search, |report| check(&position, report));
        check(&position, &report);
        // No two lines begin with the same result, whatever the order of steps.
        let mut firsts: Vec<_> = report
            .lines
            .iter()
            .map(|line| line.turns[0].play_from(&position).expect("legal").key())
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), report.lines.len());
        let scores: Vec<_> = report.lines.iter().map(|line| line.score.value()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

#[test]
fn one_thread_and_fixed_nodes_repeat() {
    for position in positions() {
        let run = || {
            let mut engine = Engine::new(Options {
                hash_mib: 2,
                ..Options::default()
            });
            let report = think(&mut engine, &position, &nodes(8_000));
            (report.lines, report.nodes, report.depth)
        };
        let first = run();
        assert_eq!(first, run());
        // What an engine has forgotten plays no part either.
        let mut engine = Engine::new(Options {
            hash_mib: 2,
            ..Options::default()
        });
        think(&mut engine, &Position::start(), &nodes(5_000));
        engine.clear();
        assert_eq!(think(&mut engine, &position, &nodes(8_000)).lines, first.0);
    }
}

#[test]
fn node_limits_hold() {
    let mut engine = Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    for limit in [1, 2, 50, 1_000, 5_001] {
        let report = think(&mut engine, &Position::start(), &nodes(limit));
        assert!(report.nodes <= limit + 1, "{} of {limit}", report.nodes);
        assert!(
            report
                .best()
                .expect("a turn")
                .play_from(&Position::start())
                .is_some()
        );
    }
}

#[test]
fn a_search_can_be_stopped() {
    for threads in [1, 2] {
        let mut engine = Engine::new(Options {
            hash_mib: 1,
            threads,
            ..Options::default()
        });
        let stop = AtomicBool::new(false);
        let mut stopped_at = None;
        // Nothing but the flag ends this search.
        let start = Position::start();
        let report = engine.analyse(&Search::new(&start).stop(&stop), |report| {
            if report.depth >= 4 && stopped_at.is_none() {
                stop.store(true, Ordering::Relaxed);
                stopped_at = Some(report.nodes);
            }
        });
        assert!(report.best().is_some());
        let more = report.nodes - stopped_at.expect("depth 4 was reached");
        assert!(
            more <= 10_000 * threads as u64,
            "{more} nodes after the flag"
        );
    }
}

/// How much time a turn may take is judged beside `allocate` in `time.rs`; here each turn ends by its clock alone.
#[test]
fn a_clock_ends_every_turn() {
    let mut engine = Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    let clock = Clock {
        left: Duration::from_millis(500),
        increment: Duration::from_millis(10),
        turns_to_go: None,
    };
    let mut position = Position::start();
    let mut keys = Vec::new();
    for _ in 0..20 {
        let search = Search::new(&position)
            .history(&keys)
            .limits(Limits::clock(clock));
        let report = engine.analyse(&search, |_| {});
        let Some(turn) = report.best() else {
            return;
        };
        keys.push(position.key());
        position = turn.play_from(&position).expect("legal");
    }
}

/// In analysis a draw is even, whoever is to move.
#[test]
fn analysis_takes_no_side() {
    // Every turn of a lone commander leads to the fiftieth move.
    let fen = "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 99 80";
    let position: Position = fen.parse().expect("lawful");
    let score = |contempt: i32| {
        let mut engine = Engine::new(Options {
            hash_mib: 1,
            contempt,
            ..Options::default()
        });
        think(&mut engine, &position, &nodes(500)).score()
    };
    assert_eq!(score(Options::default().contempt), Some(Score::Centi(0)));
    assert_eq!(
        score(Options::CONTEMPT),
        Some(Score::Centi(-Options::CONTEMPT))
    );
}

#[test]
fn a_finished_game_has_no_line() {
    let mut engine = Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    for fen in [
        "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1",
        "11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4",
        "11/9ii/11/11/11/11/11/11/11/11/9II/5C5 b - - 0 1",
    ] {
        let position = fen.parse().expect("lawful");
        let report = think(&mut engine, &position, &nodes(100));
        assert!(report.lines.is_empty() && report.best().is_none());
    }
}

#[test]
fn an_open_deploy_is_ended() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(TI):F>e8...";
    let position: Position = fen.parse().expect("lawful");
    let mut engine = Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    let report = think(&mut engine, &position, &nodes(3_000));
    let next = report.best().and_then(|turn| turn.play_from(&position));
    assert!(next.is_some_and(|next| next.deploy().is_none()));
}

#[test]
fn every_opening_can_be_played() {
    let openings: Vec<Position> = OPENINGS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.parse().expect("lawful"))
        .collect();
    assert!(openings.len() >= 200);
    assert!(openings.iter().all(|position| position.outcome().is_none()));
}

#[test]
fn levels_play_legal_turns() {
    for level in 1..=10 {
        let level = cotulenh_engine::SkillLevel::new(level).expect("between 1 and 10");
        let mut engine = Engine::new(Options {
            hash_mib: 1,
            level,
            ..Options::default()
        });
        for position in positions() {
            let report = think(&mut engine, &position, &nodes(2_000));
            assert!(
                report
                    .best()
                    .is_some_and(|turn| turn.play_from(&position).is_some())
            );
        }
    }
}

/// The shortest tactics, all of them, within the nodes of `cargo xtask tactics`.
#[test]
fn short_mates_are_found() {
    for line in TACTICS
        .lines()
        .filter(|line| line.starts_with("mate1") || line.starts_with("mate2"))
    {
        let fields: Vec<_> = line.split(';').collect();
        let position: Position = fields[1].parse().expect("lawful");
        let mut engine = Engine::new(Options {
            hash_mib: 2,
            ..Options::default()
        });
        let report = think(&mut engine, &position, &nodes(200_000));
        let mates = if fields[0] == "mate1" { 1 } else { 2 };
        assert_eq!(report.score(), Some(Score::Mate(mates)), "{line}");
    }
}
