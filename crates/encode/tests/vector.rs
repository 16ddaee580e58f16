//! Batches of games, replayed in the plain API.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use convoy_encode::cotulenh::{self as ctl, decode};
use convoy_encode::tractor::{self as cards, Action, CANDIDATES, Form, Options};
use convoy_encode::vector::{
    CotulenhBatch, CotulenhBuffers, StepError, TractorBatch, TractorBuffers,
};
use cotulenh::{Color, Game, Position};
use tractor::Seat;

/// How many games are replayed: ten thousand when exploring, fewer in the gate.
fn games(usual: usize) -> usize {
    if std::env::var_os("CONVOY_DEEP").is_some() {
        10_000
    } else {
        usual
    }
}

/// Buffers that own their memory.
struct Owned {
    observations: Vec<u8>,
    legal: Vec<i32>,
    words: Vec<u64>,
    counts: Vec<i32>,
    mask: Vec<u8>,
    rewards: Vec<f32>,
    points: Vec<i32>,
    done: Vec<u8>,
    players: Vec<u8>,
}

const WIDTH: usize = 512;

impl Owned {
    fn cotulenh(games: usize, masked: bool) -> Self {
        Self {
            observations: vec![0; games * ctl::OBSERVATION_LEN],
            legal: vec![0; games * WIDTH],
            words: Vec::new(),
            counts: vec![0; games],
            mask: vec![0; if masked { games * ctl::ACTIONS } else { 0 }],
            rewards: vec![0.0; 2 * games],
            points: Vec::new(),
            done: vec![0; games],
            players: vec![0; games],
        }
    }

    fn tractor(games: usize, form: Form) -> Self {
        let masked = form == Form::CardByCard;
        Self {
            observations: vec![0; games * cards::OBSERVATION_LEN],
            legal: Vec::new(),
            words: vec![0; if masked { 0 } else { 2 * games * CANDIDATES }],
            counts: vec![0; games],
            mask: vec![0; if masked { games * cards::ACTIONS } else { 0 }],
            rewards: vec![0.0; 4 * games],
            points: vec![0; games],
            done: vec![0; games],
            players: vec![0; games],
        }
    }

    fn as_cotulenh(&mut self) -> CotulenhBuffers<'_> {
        CotulenhBuffers {
            observations: &mut self.observations,
            legal: &mut self.legal,
            counts: &mut self.counts,
            mask: &mut self.mask,
            rewards: &mut self.rewards,
            done: &mut self.done,
            players: &mut self.players,
        }
    }

    fn as_tractor(&mut self) -> TractorBuffers<'_> {
        TractorBuffers {
            observations: &mut self.observations,
            candidates: &mut self.words,
            mask: &mut self.mask,
            counts: &mut self.counts,
            rewards: &mut self.rewards,
            points: &mut self.points,
            done: &mut self.done,
            players: &mut self.players,
        }
    }
}

#[test]
fn random_games_replay_in_the_plain_api() {
    const ROWS: usize = 64;
    let mut batch = CotulenhBatch::new(ROWS, 2);
    let mut owned = Owned::cotulenh(ROWS, true);
    batch.reset(&mut owned.as_cotulenh()).unwrap();
    let mut plain = vec![Game::default(); ROWS];
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut ended, wanted) = (0, games(200));
    while ended < wanted {
        let mut actions = Vec::new();
        for (row, game) in plain.iter_mut().enumerate() {
            let count = usize::try_from(owned.counts[row]).unwrap();
            let legal = &owned.legal[row * WIDTH..][..count];
            let mask = &owned.mask[row * ctl::ACTIONS..][..ctl::ACTIONS];
            assert_eq!(
                mask.iter().map(|byte| usize::from(*byte)).sum::<usize>(),
                count
            );
            let action = *rng.choice(legal).unwrap();
            assert_eq!(mask[usize::try_from(action).unwrap()], 1);
            game.play(decode(game.position(), usize::try_from(action).unwrap()).unwrap())
                .unwrap();
            actions.push(action);
        }
        batch.step(&actions, &mut owned.as_cotulenh()).unwrap();
        for (row, game) in plain.iter_mut().enumerate() {
            let rewards = &owned.rewards[2 * row..][..2];
            assert_eq!(owned.done[row] == 1, game.is_over());
            if let Some(outcome) = game.outcome() {
                let red = match outcome.winner {
                    Some(Color::Red) => 1.0,
                    Some(Color::Blue) => -1.0,
                    None => 0.0,
                };
                assert_eq!(rewards, [red, -red]);
                *game = Game::default();
                ended += 1;
            } else {
                assert_eq!(rewards, [0.0; 2]);
            }
            assert_eq!(batch.games()[row].position(), game.position());
            assert_eq!(usize::from(owned.players[row]), game.turn().index());
            let mut bytes = vec![0; ctl::OBSERVATION_LEN];
            ctl::observe(game.position(), game.repetitions() - 1, &mut bytes);
            assert_eq!(
                bytes,
                owned.observations[row * ctl::OBSERVATION_LEN..][..ctl::OBSERVATION_LEN]
            );
        }
    }
}

#[test]
fn threads_play_no_part_in_what_is_written() {
    for form in [Form::Candidates, Form::CardByCard] {
        let options = Options {
            form,
            ..Options::default()
        };
        let mut batches = [1, 3].map(|threads| TractorBatch::new(10, options, 5, threads));
        let mut owned = [Owned::tractor(10, form), Owned::tractor(10, form)];
        for (batch, owned) in batches.iter_mut().zip(&mut owned) {
            batch.reset(&mut owned.as_tractor()).unwrap();
        }
        let (mut rng, mut ended) = (fastrand::Rng::with_seed(1), 0);
        for _ in 0..600 {
            let actions: Vec<i32> = batches[0]
                .games()
                .iter()
                .map(|env| pick(env, form, &mut rng))
                .collect();
            for (batch, owned) in batches.iter_mut().zip(&mut owned) {
                batch.step(&actions, &mut owned.as_tractor()).unwrap();
            }
            let [one, other] = &owned;
            assert_eq!(one.observations, other.observations);
            assert_eq!((&one.words, &one.mask), (&other.words, &other.mask));
            assert_eq!((&one.counts, &one.points), (&other.counts, &other.points));
            assert_eq!((&one.done, &one.players), (&other.done, &other.players));
            ended += one
                .done
                .iter()
                .map(|done| usize::from(*done))
                .sum::<usize>();
        }
        assert!(ended > 20);
    }
}

fn pick(env: &cards::Env, form: Form, rng: &mut fastrand::Rng) -> i32 {
    let at = rng.usize(..env.legal_count());
    match form {
        Form::Candidates => i32::try_from(at).unwrap(),
        Form::CardByCard => (0..128)
            .filter(|at| env.mask() >> at & 1 == 1)
            .nth(at)
            .unwrap(),
    }
}

#[test]
fn a_batch_of_rounds_is_its_rounds() {
    const ROWS: usize = 32;
    let mut batch = TractorBatch::new(ROWS, Options::default(), 3, 2);
    let mut owned = Owned::tractor(ROWS, Form::Candidates);
    batch.reset(&mut owned.as_tractor()).unwrap();
    let mut plain: Vec<cards::Env> = batch.games().to_vec();
    let mut rng = fastrand::Rng::with_seed(2);
    let (mut ended, wanted) = (0, games(200));
    while ended < wanted {
        let actions: Vec<i32> = plain
            .iter()
            .map(|env| pick(env, Form::Candidates, &mut rng))
            .collect();
        batch.step(&actions, &mut owned.as_tractor()).unwrap();
        for (row, env) in plain.iter_mut().enumerate() {
            let result = env.step(actions[row]).unwrap();
            let rewards = Seat::ALL.map(|seat| env.reward(seat));
            assert_eq!(owned.done[row] == 1, result.is_some());
            assert_eq!(owned.points[row], result.map_or(0, |result| result.points));
            assert_eq!(owned.rewards[4 * row..][..4], rewards);
            if result.is_some() {
                env.reset();
                ended += 1;
            }
            let mut bytes = vec![0; cards::OBSERVATION_LEN];
            env.observe(&mut bytes);
            assert_eq!(
                bytes,
                owned.observations[row * cards::OBSERVATION_LEN..][..cards::OBSERVATION_LEN]
            );
            let words = owned.words[2 * row * CANDIDATES..].chunks_exact(2);
            for (words, candidate) in words.zip(env.candidates()) {
                assert_eq!(words, [candidate.any(), candidate.pair()]);
            }
        }
    }
}

#[test]
fn a_bad_action_stops_the_whole_step() {
    let mut batch = CotulenhBatch::new(3, 1);
    let mut owned = Owned::cotulenh(3, false);
    batch.reset(&mut owned.as_cotulenh()).unwrap();
    let good = owned.legal[0];
    let refused = batch
        .step(&[good, good, -4], &mut owned.as_cotulenh())
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "game 2: action -4 is not legal here; 116 others are"
    );
    assert!(
        batch
            .games()
            .iter()
            .all(|env| *env.position() == Position::start())
    );
    let refused = batch.step(&[good], &mut owned.as_cotulenh()).unwrap_err();
    assert_eq!(refused, StepError::Count { given: 1, games: 3 });
    owned.done.pop();
    let refused = batch
        .step(&[good; 3], &mut owned.as_cotulenh())
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the buffer `done` has 2 entries and needs 3"
    );
    assert!(
        batch
            .games()
            .iter()
            .all(|env| *env.position() == Position::start())
    );
}

/// Every legal action is drawn, and none much more often than another.
#[test]
fn samples_are_legal_and_even() {
    let batch = CotulenhBatch::new(116, 1);
    let mut actions = vec![0; 116];
    let mut drawn = std::collections::HashMap::new();
    for seed in 0..500 {
        batch.sample(seed, &mut actions).unwrap();
        batch.check(&actions).unwrap();
        for action in &actions {
            *drawn.entry(*action).or_insert(0) += 1;
        }
    }
    assert_eq!(drawn.len(), 116);
    assert!(drawn.values().all(|times| (350..650).contains(times)));
    let mut again = vec![0; 116];
    batch.sample(499, &mut again).unwrap();
    assert_eq!(actions, again);
    let short = batch.sample(1, &mut again[1..]).unwrap_err();
    assert_eq!(
        short.to_string(),
        "the buffer `actions` has 115 entries and needs 116"
    );
    for form in [Form::Candidates, Form::CardByCard] {
        let options = Options {
            form,
            ..Options::default()
        };
        let mut batch = TractorBatch::new(8, options, 5, 1);
        let mut owned = Owned::tractor(8, form);
        let (mut actions, mut last) = ([0; 8], 0);
        for seed in 0..400 {
            batch.sample(seed, &mut actions).unwrap();
            batch.step(&actions, &mut owned.as_tractor()).unwrap();
            let env = &batch.games()[0];
            last += usize::from(env.nth_legal(env.legal_count() - 1).is_some());
            assert_eq!(env.nth_legal(env.legal_count()), None);
        }
        assert_eq!(last, 400);
    }
}

/// On any number of threads, and in games of either kind.
#[test]
fn a_random_step_is_a_sample_and_a_step() {
    const ROWS: usize = 50;
    let mut apart = CotulenhBatch::new(ROWS, 1);
    let mut at_once = CotulenhBatch::new(ROWS, 3);
    let mut owned = [Owned::cotulenh(ROWS, true), Owned::cotulenh(ROWS, true)];
    let (mut sampled, mut drawn) = ([0; ROWS], [0; ROWS]);
    for seed in 0..300 {
        apart.sample(seed, &mut sampled).unwrap();
        apart.step(&sampled, &mut owned[0].as_cotulenh()).unwrap();
        at_once
            .step_random(seed, &mut drawn, &mut owned[1].as_cotulenh())
            .unwrap();
        assert_eq!(sampled, drawn);
        let [one, other] = &owned;
        assert_eq!(one.observations, other.observations);
        assert_eq!((&one.legal, &one.mask), (&other.legal, &other.mask));
        assert_eq!((&one.counts, &one.done), (&other.counts, &other.done));
        assert_eq!(
            (&one.rewards, &one.players),
            (&other.rewards, &other.players)
        );
    }
    let short = at_once.step_random(1, &mut drawn[1..], &mut owned[1].as_cotulenh());
    assert_eq!(
        short.unwrap_err().to_string(),
        "the buffer `actions` has 49 entries and needs 50"
    );
}

#[test]
fn a_random_step_of_rounds_is_a_sample_and_a_step() {
    const ROWS: usize = 50;
    for form in [Form::Candidates, Form::CardByCard] {
        let options = Options {
            form,
            ..Options::default()
        };
        let mut apart = TractorBatch::new(ROWS, options, 5, 1);
        let mut at_once = TractorBatch::new(ROWS, options, 5, 3);
        let mut owned = [(); 2].map(|()| Owned::tractor(ROWS, form));
        let (mut sampled, mut drawn) = ([0; ROWS], [0; ROWS]);
        for seed in 0..300 {
            apart.sample(seed, &mut sampled).unwrap();
            apart.step(&sampled, &mut owned[0].as_tractor()).unwrap();
            at_once
                .step_random(seed, &mut drawn, &mut owned[1].as_tractor())
                .unwrap();
            assert_eq!(sampled, drawn);
            let [one, other] = &owned;
            assert_eq!(one.observations, other.observations);
            assert_eq!((&one.words, &one.mask), (&other.words, &other.mask));
            assert_eq!((&one.counts, &one.done), (&other.counts, &other.done));
            assert_eq!(one.rewards, other.rewards);
        }
    }
}

/// However many threads check, the first game with an illegal action is told of, and none has moved.
#[test]
fn the_first_of_several_bad_actions_is_told() {
    let mut batch = CotulenhBatch::new(200, 3);
    let mut owned = Owned::cotulenh(200, false);
    batch.reset(&mut owned.as_cotulenh()).unwrap();
    let mut actions = vec![owned.legal[0]; 200];
    for bad in [199, 150, 71] {
        actions[bad] = -1;
        let refused = batch.step(&actions, &mut owned.as_cotulenh()).unwrap_err();
        assert!(matches!(refused, StepError::Illegal { game, .. } if game == bad));
        assert_eq!(batch.check(&actions), Err(refused));
    }
    let start = Position::start();
    assert!(batch.games().iter().all(|env| *env.position() == start));
}

#[test]
fn a_narrow_list_is_cut_and_its_count_tells() {
    let mut batch = CotulenhBatch::new(2, 1);
    let mut owned = Owned::cotulenh(2, false);
    owned.legal.truncate(2 * 10);
    batch.reset(&mut owned.as_cotulenh()).unwrap();
    assert_eq!(owned.counts, [116, 116]);
    assert_eq!(owned.legal[..10], batch.games()[0].legal()[..10]);
    assert!(
        batch
            .games()
            .iter()
            .all(|env| env.is_legal(owned.legal[10]))
    );
}

#[test]
fn an_action_that_is_not_legal_means_nothing() {
    let env = cards::Env::new(Options::default(), 1);
    assert_eq!(env.action(-1), None::<Action>);
    assert_eq!(env.action(1_000), None);
}
