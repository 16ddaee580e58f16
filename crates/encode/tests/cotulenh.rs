//! Planes and action indices of Cờ Tư Lệnh over random games.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use std::collections::HashSet;

use convoy_encode::IllegalAction;
use convoy_encode::cotulenh::{
    ACTIONS, COMMIT, Env, LINES, OBSERVATION_LEN, Plane, decode, index, observe,
};
use cotulenh::{Color, Game, MoveKind, Position, Role, Setup, Square};

/// Plays a random game and shows every position of it.
fn random_game(seed: u64, mut show: impl FnMut(&Env, &Game)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut env, mut game) = (Env::new(), Game::default());
    loop {
        show(&env, &game);
        let Some(action) = rng.choice(env.legal()) else {
            return;
        };
        let mv = decode(env.position(), usize::try_from(*action).unwrap()).unwrap();
        env.step(*action).unwrap();
        game.play(mv).unwrap();
    }
}

#[test]
fn every_legal_action_has_one_index_and_decodes_back() {
    let mut kinds = HashSet::new();
    let mut check = |position: &Position| {
        let mut seen = HashSet::new();
        for mv in position.legal_moves() {
            let number = index(position, mv).unwrap_or_else(|| panic!("{mv} in {position}"));
            assert!(number < ACTIONS);
            assert!(seen.insert(number), "{mv} in {position} shares an index");
            kinds.insert((mv.kind(), mv.is_step(), mv.is_recombine()));
        }
        if seen.len() < 20 {
            for mv in position.legal_moves() {
                assert_eq!(decode(position, index(position, mv).unwrap()), Some(mv));
            }
        }
    };
    for seed in 0..60 {
        random_game(seed, |env, _| check(env.position()));
    }
    for fen in [
        "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(FI):T>e6...",
        "6c4/9ii/11/11/1n9/2(NFT)8/11/11/11/11/9II/5C5 r - - 0 1",
    ] {
        check(&fen.parse().unwrap());
    }
    let all = [
        (MoveKind::Quiet, false, false),
        (MoveKind::Capture, false, false),
        (MoveKind::StayCapture, false, false),
        (MoveKind::Kamikaze, false, false),
        (MoveKind::Combine, false, false),
        (MoveKind::Quiet, true, false),
        (MoveKind::Capture, true, false),
        (MoveKind::Combine, true, true),
        (MoveKind::Commit, true, false),
    ];
    for kind in all {
        assert!(kinds.contains(&kind), "the games never met {kind:?}");
    }
}

/// In every position of many games, and against the slow generator in some.
#[test]
fn the_list_is_that_of_the_rules_in_their_order() {
    let (mut shown, mut deploys) = (0, 0);
    for seed in 300..330 {
        random_game(seed, |env, _| {
            let position = env.position();
            if env.outcome().is_some() {
                assert!(env.legal().is_empty());
                return;
            }
            let moves = position.legal_moves();
            let numbers: Vec<_> = moves
                .iter()
                .map(|mv| index(position, *mv).unwrap())
                .collect();
            let listed: Vec<_> = env
                .legal()
                .iter()
                .map(|at| usize::try_from(*at).unwrap())
                .collect();
            assert_eq!(listed, numbers, "{position}");
            shown += 1;
            let open = position.deploy().is_some();
            if open || shown % 16 == 0 {
                deploys += usize::from(open);
                assert_eq!(moves[..], position.legal_moves_by_trial()[..], "{position}");
                for (mv, number) in moves.iter().zip(numbers) {
                    assert_eq!(decode(position, number), Some(*mv), "{position}");
                }
            }
        });
    }
    assert!(deploys > 500, "only {deploys} positions inside a deploy");
}

#[test]
fn a_list_may_be_longer_than_any_game_needs() {
    let mut setup = Setup::new();
    let aircraft = "+F".parse().unwrap();
    for square in Square::all().filter(|square| square.file() >= 2 && square.rank() % 2 == 0) {
        setup.set(square, Some(aircraft));
    }
    setup.set("k1".parse().unwrap(), Some("C".parse().unwrap()));
    setup.set("c12".parse().unwrap(), Some("c".parse().unwrap()));
    let env = Env::from_position(Position::try_from(&setup).unwrap());
    assert!(env.legal().len() > 512);
    assert_eq!(env.legal().len(), env.position().count_legal_moves());
}

#[test]
fn a_game_ends_as_the_plain_api_says() {
    for seed in 100..140 {
        random_game(seed, |env, game| {
            assert_eq!(env.position(), game.position());
            assert_eq!(env.outcome(), game.outcome());
            assert_eq!(env.repetitions() + 1, game.repetitions());
        });
    }
}

/// Reads the planes back, knowing nothing of how they were written.
fn read(bytes: &[u8], plane: usize, square: Square) -> u8 {
    let (rank, file) = (usize::from(square.rank()), usize::from(square.file()));
    let turn_is_red = bytes[Plane::RedToMove as usize * 132] == 1;
    let row = if turn_is_red { 11 - rank } else { rank };
    bytes[plane * 132 + row * 11 + file]
}

#[test]
fn planes_show_the_position_from_the_side_to_move() {
    let mut bytes = vec![7; OBSERVATION_LEN];
    for seed in 200..212 {
        random_game(seed, |env, game| {
            env.observe(&mut bytes);
            let position = game.position();
            let turn = position.turn();
            for square in Square::all() {
                for (color, first) in [(turn, Plane::Own), (!turn, Plane::Enemy)] {
                    for role in Role::ALL {
                        let stack = position.stack_at(square);
                        let stack = stack.filter(|stack| stack.color() == color);
                        let piece = stack.and_then(|stack| stack.piece(role));
                        let value = piece.map_or(0, |piece| 1 + u8::from(piece.heroic));
                        let shown = read(&bytes, first as usize + role.index(), square);
                        assert_eq!(shown, value, "{role} on {square} of {position}");
                    }
                }
                let cover = |color: Color| u8::from(position.air_cover(color).contains(square));
                assert_eq!(
                    read(&bytes, Plane::OwnAirCover as usize, square),
                    cover(turn)
                );
                assert_eq!(
                    read(&bytes, Plane::EnemyAirCover as usize, square),
                    cover(!turn)
                );
                let sea = u8::from(square.file() < 2);
                assert_eq!(read(&bytes, Plane::Sea as usize, square), sea);
                let arrived = position
                    .deploy()
                    .is_some_and(|deploy| deploy.deployed_to(square));
                assert_eq!(
                    read(&bytes, Plane::Arrived as usize, square),
                    u8::from(arrived)
                );
            }
            let clock = u8::try_from(position.halfmove_clock().min(100)).unwrap();
            assert_eq!(bytes[Plane::HalfmoveClock as usize * 132 + 100], clock);
        });
    }
}

#[test]
fn a_deploy_shows_who_may_still_step() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(FI):T>e6...";
    let position: Position = fen.parse().unwrap();
    let mut bytes = vec![0; OBSERVATION_LEN];
    observe(&position, 1, &mut bytes);
    let e4: Square = "e4".parse().unwrap();
    let slots = [0, 1, 2].map(|slot| read(&bytes, Plane::Remaining as usize + slot, e4));
    assert_eq!(
        slots,
        [1, 0, 1],
        "the tank, first of the cargo, has stepped"
    );
    assert_eq!(
        read(&bytes, Plane::Arrived as usize, "e6".parse().unwrap()),
        1
    );
    assert_eq!(bytes[Plane::Repetitions as usize * 132], 1);
    assert!(
        position
            .legal_moves()
            .iter()
            .any(|mv| index(&position, *mv) == Some(COMMIT))
    );
}

#[test]
fn both_sides_see_the_same_of_mirrored_positions() {
    // The start is its own mirror image with the colours exchanged.
    let start = Position::start();
    let mut passed = start.clone();
    passed.pass_unchecked();
    let (mut red, mut blue) = (vec![0; OBSERVATION_LEN], vec![0; OBSERVATION_LEN]);
    observe(&start, 0, &mut red);
    observe(&passed, 0, &mut blue);
    let boards = Plane::HalfmoveClock as usize * 132;
    assert_eq!(red[..boards], blue[..boards]);
    let indices = |position: &Position| -> HashSet<usize> {
        let moves = position.legal_moves();
        moves
            .iter()
            .map(|mv| index(position, *mv).unwrap())
            .collect()
    };
    assert_eq!(indices(&start), indices(&passed));
    assert!(
        indices(&start).iter().all(|number| *number < LINES),
        "no stack, nothing to take"
    );
}

#[test]
fn what_is_illegal_is_refused_and_changes_nothing() {
    let mut env = Env::new();
    let before = env.position().clone();
    for action in [-1, i32::MIN, i32::MAX, 22_660, 3] {
        assert_eq!(env.step(action), Err(IllegalAction { action, legal: 116 }));
    }
    assert_eq!(*env.position(), before);
    assert_eq!(env.legal().len(), 116);
}

#[test]
fn stepping_and_observing_allocate_nothing() {
    let boxed = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(boxed.count_total, 1, "allocations are counted");
    let mut rng = fastrand::Rng::with_seed(7);
    let mut env = Env::new();
    let mut bytes = vec![0; OBSERVATION_LEN];
    let used = allocation_counter::measure(|| {
        for _ in 0..3000 {
            let action = env.legal()[rng.usize(..env.legal().len())];
            if env.step(action).unwrap().is_some() {
                env.reset();
            }
            env.observe(&mut bytes);
        }
    });
    assert_eq!(used.count_total, 0);
}
