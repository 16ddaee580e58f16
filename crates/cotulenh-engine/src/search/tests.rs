use std::collections::HashSet;
use std::time::Duration;

use cotulenh::{Color, Piece, Position, Role, Setup, Square, Stack, Terrain};
use proptest::prelude::*;

use super::*;
use crate::engine::Search;
use crate::net::Net;
use crate::score::{INFINITY, mated_in};
use crate::time::{Limits, SystemTimer};

/// Runs `work` with a worker of its own.
fn with_worker<T>(
    features: Features,
    root: &Position,
    work: impl FnOnce(&mut Worker<'_>) -> T,
) -> T {
    let table = TranspositionTable::new(1);
    let stop = AtomicBool::new(false);
    let shared = Shared {
        table: &table,
        stop: &stop,
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        deadline: Deadline::new(&SystemTimer, &Limits::default(), Duration::ZERO),
        node_limit: None,
    };
    let settings = Settings {
        evaluator: Arc::new(Evaluator::new(Net::standard())),
        features,
        rules: VictoryRules::default(),
        weakness: Weakness::default(),
        node_limit: None,
        contempt: 0,
    };
    let mut state = ThreadState::new();
    let search = Search::new(root);
    let mut worker = Worker::new(
        &shared,
        &settings,
        &mut state,
        &Root::new(&search, &settings),
    );
    work(&mut worker)
}

/// Every distinct result of a turn.
fn results(position: &Position, seen: &mut HashSet<u64>, found: &mut Vec<Position>) {
    for mv in &position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        if next.turn() == position.turn() {
            results(&next, seen, found);
        } else if seen.insert(next.key()) {
            found.push(next);
        }
    }
}

/// All turns of both sides in full, nothing left out, nothing remembered.
fn minimax(worker: &mut Worker<'_>, position: &Position, depth: i32, ply: usize) -> i32 {
    let checked = position.in_danger(position.turn());
    if let Some(score) = worker.terminal_score(position, ply, checked) {
        return score;
    }
    if depth == 0 {
        return worker.quiescence(position, (-INFINITY, INFINITY), ply, checked);
    }
    let mut found = Vec::new();
    results(position, &mut HashSet::new(), &mut found);
    let mut best = -INFINITY;
    for next in &found {
        worker.keys.push(worker.key(next));
        best = best.max(-minimax(worker, next, depth - 1, ply + 1));
        worker.keys.pop();
    }
    match (found.is_empty(), checked) {
        (false, _) => best,
        (true, true) => mated_in(ply),
        (true, false) => 0,
    }
}

fn searched(features: Features, position: &Position, depth: u32) -> (i32, u64) {
    with_worker(features, position, |worker| {
        let found = worker.deepen(position, Some(depth), 1, 0, |_, _| true);
        let score = found.lines.first().map_or(0, |line| line.score);
        (score, worker.nodes)
    })
}

/// A small lawful position: commanders, a stack, and a few others.
fn small() -> impl Strategy<Value = Position> {
    let piece = (0..11_usize, any::<bool>(), any::<bool>(), 0..132_usize);
    (
        prop::collection::vec(piece, 2..5),
        0..132_usize,
        0..132_usize,
        0..132_usize,
        any::<bool>(),
    )
        .prop_filter_map("unlawful", |(pieces, red, blue, laden, red_moves)| {
            let squares: Vec<Square> = Square::all().collect();
            let mut setup = Setup::new();
            let mut put = |index: usize, stack: Option<Stack>| {
                let stack = stack?;
                let square = squares[index];
                let fits =
                    Terrain::admits(stack.carrier().role, square) && setup.get(square).is_none();
                fits.then(|| setup.set(square, Some(stack)))
            };
            let single = |role, color, heroic| {
                Stack::new([Piece {
                    role,
                    color,
                    heroic,
                }])
            };
            put(red, single(Role::Commander, Color::Red, false))?;
            put(blue, single(Role::Commander, Color::Blue, false))?;
            put(laden, "(TI)".parse().ok())?;
            for (role, heroic, is_red, index) in pieces {
                let role = Role::ALL[role];
                if role != Role::Commander {
                    let color = if is_red { Color::Red } else { Color::Blue };
                    put(index, single(role, color, heroic));
                }
            }
            setup.turn = if red_moves { Color::Red } else { Color::Blue };
            let position = Position::try_from(&setup).ok()?;
            let sane = !position.in_danger(!position.turn()) && position.outcome().is_none();
            sane.then_some(position)
        })
}

fn cases() -> ProptestConfig {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    ProptestConfig {
        max_global_rejects: 100_000,
        ..ProptestConfig::with_cases(if deep { 2_000 } else { 48 })
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_search_without_pruning_is_minimax(position in small()) {
        let depth = 2;
        let truth = with_worker(Features::EXACT, &position, |worker| minimax(worker, &position, depth, 0));
        let (score, _) = searched(Features::EXACT, &position, 2);
        prop_assert_eq!(score, truth, "{}", &position);
        // Permutations of a deploy change nothing. No law of node counts follows from that: fewer
        // turns in another order may cut off later.
        let (again, _) = searched(Features::EXACT.without(Feature::Distinct), &position, 2);
        prop_assert_eq!(again, truth, "{}", &position);
    }

    /// Scores of exactly the depth asked for may be remembered without a trace: what differs
    /// otherwise comes from deeper entries alone.
    #[test]
    fn the_hash_changes_no_result(position in small()) {
        let (plain, _) = searched(Features::EXACT, &position, 3);
        let (hashed, _) = searched(Features::EXACT.with(Feature::Hash), &position, 3);
        prop_assert_eq!(plain, hashed, "{}", &position);
    }

    #[test]
    fn the_same_search_visits_the_same_nodes(position in small()) {
        prop_assert_eq!(searched(Features::ALL, &position, 4), searched(Features::ALL, &position, 4));
    }
}

#[test]
fn permutations_of_a_deploy_are_searched_once() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let position: Position = fen.parse().expect("lawful");
    let (_, once) = searched(Features::EXACT, &position, 2);
    let (_, each) = searched(Features::EXACT.without(Feature::Distinct), &position, 2);
    let mut found = Vec::new();
    results(&position, &mut HashSet::new(), &mut found);
    assert!(once < each, "{once} {each}");
    // The steps themselves are walked, their results judged once each.
    with_worker(Features::EXACT, &position, |worker| {
        let visit = worker.state.seen.begin();
        let new = found
            .iter()
            .filter(|next| worker.state.seen.is_new(visit, next.key()))
            .count();
        assert_eq!(new, found.len());
        let key = found.last().expect("there are turns").key();
        assert!(!worker.state.seen.is_new(visit, key));
    });
}

#[test]
fn a_repetition_is_a_draw() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 6 9";
    let root: Position = fen.parse().expect("lawful");
    with_worker(Features::ALL, &root, |worker| {
        let mut position = root.clone();
        for text in ["Te4e5", "Cg12h12", "Te5e4"] {
            let mv = position.read(text).expect("legal")[0];
            position.play_unchecked(mv);
            worker.keys.push(position.key());
            assert!(!worker.repeats(&position), "{text}");
        }
        let mv = position.read("Ch12g12").expect("legal")[0];
        position.play_unchecked(mv);
        worker.keys.push(position.key());
        assert_eq!(position.key(), root.key());
        // The root itself has come back only once so far: threefold needs it once more.
        assert!(!worker.repeats(&position));
        worker.keys.insert(0, position.key());
        worker.keys.insert(1, 0);
        worker.game_keys += 2;
        assert!(worker.repeats(&position));
    });
}

#[test]
fn fifty_moves_are_a_draw_but_a_mate_comes_first() {
    let quiet: Position = "6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 b - - 100 60"
        .parse()
        .expect("lawful");
    with_worker(Features::EXACT, &quiet, |worker| {
        assert_eq!(worker.terminal_score(&quiet, 3, false), Some(0));
    });
    let mate: Position = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 100 60"
        .parse()
        .expect("lawful");
    with_worker(Features::ALL, &mate, |worker| {
        assert_eq!(worker.terminal_score(&mate, 3, true), Some(mated_in(3)));
    });
}

#[test]
fn optional_victories_count() {
    let fen = "6c4/11/11/11/11/2n8/11/2N8/11/11/11/5C5 r - - 0 1";
    let position: Position = fen.parse().expect("lawful");
    let rules = VictoryRules {
        marine: true,
        ..VictoryRules::default()
    };
    let mut engine = crate::Engine::new(crate::Options {
        rules,
        ..crate::Options::default()
    });
    let search = Search::new(&position).limits(Limits::depth(2));
    let report = engine.analyse(&search, |_| {});
    assert_eq!(report.score(), Some(crate::Score::Mate(1)));
}

/// Rule 9.6.5: the search has the order of the rules, a mate before a lost service, that before a draw.
#[test]
fn the_search_ends_games_as_the_rules_do() {
    let rules = VictoryRules {
        marine: true,
        ..VictoryRules::default()
    };
    let one_ship = "6c4/9ii/11/11/11/2n8/11/11/11/11/9II/5C5 r - - 0 1";
    let two_ships = "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1";
    let sunk = |rest: &str| format!("6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5 {rest}");
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1";
    for (start, fen, score) in [
        // Blue alone had a ship to lose.
        (one_ship, mate.to_owned(), Some(mated_in(3))),
        (one_ship, sunk("b - - 100 60"), Some(mated_in(3))),
        (one_ship, sunk("r - - 0 60"), Some(-mated_in(3))),
        (two_ships, sunk("r - - 100 60"), Some(mated_in(3))),
        (one_ship, one_ship.replace("0 1", "100 60"), Some(0)),
        (one_ship, one_ship.to_owned(), None),
    ] {
        let start: Position = start.parse().expect("lawful");
        let position: Position = fen.parse().expect("lawful");
        let services = rules.services(&start);
        let outcome = position.outcome_under(&services);
        let by_rules = outcome.map(|end| match end.winner {
            None => 0,
            Some(winner) if winner == position.turn() => -mated_in(3),
            Some(_) => mated_in(3),
        });
        assert_eq!(by_rules, score, "{fen}");
        with_worker(Features::EXACT, &position, |worker| {
            worker.services = services;
            let checked = position.in_check();
            assert_eq!(worker.terminal_score(&position, 3, checked), score, "{fen}");
        });
    }
}

/// A search checks every 256 nodes whether it is to stop: at half a million a second that is
/// twice in a millisecond.
#[test]
fn a_stop_is_seen_within_so_many_nodes() {
    let root = Position::start();
    with_worker(Features::ALL, &root, |worker| {
        worker.deepen(&root, Some(3), 1, 0, |_, _| true);
        let before = worker.nodes;
        worker.shared.done.store(true, Ordering::Relaxed);
        let found = worker.deepen(&root, None, 1, 0, |_, _| true);
        assert!(worker.nodes - before <= 256, "{}", worker.nodes - before);
        assert!(found.depth < 10);
    });
}
