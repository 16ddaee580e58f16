//! Observations and actions of Tractor, held against a plain round.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use std::collections::HashSet;

use convoy_encode::tractor::{
    Action, CANDIDATES, Env, Form, OBSERVATION_LEN, Options, Reward, Seen, Start, observe,
};
use tractor::{Card, CardSet, Deck, Event, Faces, Phase, Round, Rules, Seat, Seed, Stage, View};

/// A plain round that follows an [`Env`], action by action.
struct Shadow {
    round: Round,
    laid: Faces,
}

impl Shadow {
    fn new(env: &Env) -> Self {
        let deck = Deck::of(&Seed::from_number(env.deal()), env.setup().number);
        let mut round = Round::new(*env.setup(), deck);
        round.apply(Event::Deal { count: 100 }).unwrap();
        Self {
            round,
            laid: Faces::EMPTY,
        }
    }

    fn pick(&self, seat: Seat, faces: Faces) -> CardSet {
        self.round.hand(seat).pick(faces).unwrap()
    }

    /// Seats that can declare nothing are not asked by the environment: they pass here.
    fn pass_for_the_silent(&mut self, env: &Env) {
        loop {
            let passed = match self.round.phase() {
                Phase::Dealing(dealing) => dealing.passed,
                Phase::Stealing(stealing) => stealing.passed,
                _ => return,
            };
            let declaring = matches!(env.stage(), Stage::Dealing | Stage::Stealing);
            let has_passed = |seat: &Seat| !declaring || env.passed()[seat.index()];
            let mut seats = Seat::ALL.into_iter().filter(|seat| !passed[seat.index()]);
            let Some(seat) = seats.find(has_passed) else {
                return;
            };
            self.round.apply(Event::Pass { seat }).unwrap();
        }
    }

    fn follow(&mut self, env: &Env, action: i32) {
        let seat = env.player();
        let lay = |shadow: &mut Self, face| shadow.laid = shadow.laid.with(face).unwrap();
        match env.action(action).unwrap() {
            Action::Pass => self.round.apply(Event::Pass { seat }).unwrap(),
            Action::Declare(bid) => {
                let face = bid.face(env.judge().trump().rank()).unwrap();
                let cards = self.pick(seat, std::iter::repeat_n(face, bid.len()).collect());
                self.round.apply(Event::Declare { seat, cards }).unwrap();
            }
            Action::Play(faces) => {
                let cards = self.pick(seat, faces);
                self.round.apply(Event::Play { seat, cards }).unwrap();
            }
            Action::End => self.play_laid(seat),
            Action::Lay(face) if env.stage() == Stage::Burying => {
                lay(self, face);
                if self.laid.len() == 8 {
                    let laid = std::mem::take(&mut self.laid);
                    let cards = self.pick(seat, laid);
                    self.round.apply(Event::Bury { seat, cards }).unwrap();
                }
            }
            Action::Lay(face) => {
                lay(self, face);
                if self
                    .round
                    .lead()
                    .is_some_and(|lead| lead.len() == self.laid.len())
                {
                    self.play_laid(seat);
                }
            }
        }
    }

    fn play_laid(&mut self, seat: Seat) {
        let laid = std::mem::take(&mut self.laid);
        let cards = self.pick(seat, laid);
        self.round.apply(Event::Play { seat, cards }).unwrap();
    }
}

fn observation(view: &View, laid: Faces) -> Vec<u8> {
    let mut bytes = vec![9; OBSERVATION_LEN];
    let judge = view.judge();
    observe(&Seen::of(view, &judge, laid).unwrap(), &mut bytes);
    bytes
}

fn random_action(env: &Env, form: Form, rng: &mut fastrand::Rng) -> i32 {
    match form {
        Form::Candidates => i32::try_from(rng.usize(..env.candidates().len())).unwrap(),
        Form::CardByCard => {
            let legal: Vec<i32> = (0..128).filter(|at| env.mask() >> at & 1 == 1).collect();
            *rng.choice(&legal).unwrap()
        }
    }
}

/// The presets, and further switches that change the course of a round.
fn all_rules() -> Vec<Rules> {
    let mut list = vec![Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI];
    for text in [
        "shengji throw_penalty=10 first_starter=first_bid",
        "default kitty_theft=true joker_bids=singles bid_policy=joker_or_higher_suit",
        "default allow_trump_throw=true min_tractor_len=3 jack_back_to_two=true",
        "default follow_policy=free no_bid=reveal_kitty",
    ] {
        list.push(text.parse().unwrap());
    }
    list
}

#[test]
fn an_environment_is_a_round() {
    let mut rng = fastrand::Rng::with_seed(7);
    for (number, rules) in all_rules().into_iter().enumerate() {
        for form in [Form::Candidates, Form::CardByCard] {
            for start in [Start::First, Start::Random] {
                let options = Options {
                    rules,
                    form,
                    start,
                    reward: Reward::Win,
                };
                let mut env = Env::new(options, number as u64);
                for _ in 0..8 {
                    env.reset();
                    play_beside(&mut env, form, &mut rng);
                }
            }
        }
    }
}

/// Plays a round at random and compares everything with the plain round.
fn play_beside(env: &mut Env, form: Form, rng: &mut fastrand::Rng) {
    let mut shadow = Shadow::new(env);
    let mut bytes = vec![5; OBSERVATION_LEN];
    while env.result().is_none() {
        shadow.pass_for_the_silent(env);
        let view = View::of(&shadow.round, Some(env.player()));
        env.observe(&mut bytes);
        assert_eq!(
            bytes,
            observation(&view, shadow.laid),
            "{:?} {view:?}",
            env.setup()
        );
        compare_legal(env, form, &view);
        let action = random_action(env, form, rng);
        shadow.follow(env, action);
        env.step(action).unwrap();
    }
    let Phase::Over(over) = shadow.round.phase() else {
        panic!("the plain round goes on");
    };
    assert_eq!(Some(over.result), env.result());
    assert!(env.mask() == 0 && env.candidates().is_empty());
}

fn compare_legal(env: &Env, form: Form, view: &View) {
    if env.stage() != Stage::Playing || form != Form::Candidates {
        return;
    }
    let legal = view.legal_plays(CANDIDATES).unwrap();
    let listed: HashSet<Faces> = env
        .candidates()
        .iter()
        .map(|cards| env.judge().faces(*cards))
        .collect();
    assert_eq!(listed.len(), env.candidates().len(), "no candidate twice");
    if legal.is_complete() {
        assert_eq!(
            listed,
            legal.plays.iter().map(|cards| cards.faces()).collect()
        );
    } else {
        assert!(listed.len() > CANDIDATES / 2);
        for faces in listed {
            assert_eq!(view.check(view.hand.pick(faces).unwrap()), Ok(()));
        }
    }
}

#[test]
fn card_by_card_reaches_exactly_the_legal_plays() {
    let mut rng = fastrand::Rng::with_seed(11);
    for rules in all_rules() {
        let options = Options {
            rules,
            form: Form::CardByCard,
            ..Options::default()
        };
        let mut env = Env::new(options, 3);
        for _ in 0..3 {
            env.reset();
            let mut shadow = Shadow::new(&env);
            while env.result().is_none() {
                shadow.pass_for_the_silent(&env);
                let view = View::of(&shadow.round, Some(env.player()));
                if env.stage() == Stage::Playing && shadow.laid.is_empty() && view.hand.len() < 12 {
                    let legal = view.legal_plays(400).unwrap();
                    if legal.is_complete() {
                        let all: HashSet<Faces> =
                            legal.plays.iter().map(|cards| cards.faces()).collect();
                        assert_eq!(reached(&env), all, "{rules} {view:?}");
                    }
                }
                let action = random_action(&env, Form::CardByCard, &mut rng);
                shadow.follow(&env, action);
                env.step(action).unwrap();
            }
        }
    }
}

/// Every play that can be put together from here.
fn reached(env: &Env) -> HashSet<Faces> {
    let (mut found, mut met) = (HashSet::new(), HashSet::new());
    let mut open = vec![(env.clone(), Faces::EMPTY)];
    while let Some((env, laid)) = open.pop() {
        assert_ne!(env.mask(), 0, "a dead end after {laid}");
        for action in (0..128).filter(|at| env.mask() >> at & 1 == 1) {
            let meant = env.action(action).unwrap();
            let (mut next, mut more) = (env.clone(), laid);
            next.step(action).unwrap();
            if let Action::Lay(face) = meant {
                more = more.with(face).unwrap();
            }
            let played = next.laid().is_empty();
            if played {
                found.insert(more);
            } else if met.insert(more) {
                open.push((next, more));
            }
        }
    }
    found
}

/// The round with the cards that `viewer` cannot see exchanged at random, if its events are still allowed then.
fn with_hidden_exchanged(round: &Round, viewer: Seat, rng: &mut fastrand::Rng) -> Option<Round> {
    let mut seen: HashSet<Card> = round.hand(viewer).iter().collect();
    seen.extend(
        round
            .tricks()
            .iter()
            .flat_map(|trick| trick.plays)
            .flat_map(CardSet::iter),
    );
    if let Phase::Playing(playing) = round.phase() {
        seen.extend(playing.plays.iter().flat_map(|play| play.iter()));
    }
    if round.buried_by() == Some(viewer) {
        seen.extend(round.kitty().iter());
    }
    seen.extend(
        round
            .declarations()
            .iter()
            .flat_map(|made| made.cards.iter()),
    );
    let hidden: Vec<Card> = Card::all().filter(|card| !seen.contains(card)).collect();
    let mut mixed = hidden.clone();
    // Sometimes all; few at a time stay lawful when much has been followed.
    match rng.u8(..4) {
        0 => rng.shuffle(&mut mixed),
        _ => {
            for _ in 0..3 {
                let (a, b) = (rng.usize(..hidden.len()), rng.usize(..hidden.len()));
                mixed.swap(a, b);
            }
        }
    }
    let map = |card: Card| {
        hidden
            .iter()
            .position(|other| *other == card)
            .map_or(card, |at| mixed[at])
    };
    let order: Vec<Card> = round.deck().cards().iter().map(|card| map(*card)).collect();
    let events = round.events().iter().cloned().map(|event| match event {
        Event::Bury { seat, cards } => Event::Bury {
            seat,
            cards: cards.iter().map(map).collect(),
        },
        other => other,
    });
    Round::replay(*round.setup(), Deck::new(&order).unwrap(), events).ok()
}

#[test]
fn hidden_cards_do_not_change_what_a_seat_sees() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut exchanged = 0;
    for seed in 0..40 {
        let mut env = Env::new(Options::default(), seed);
        let mut shadow = Shadow::new(&env);
        while env.result().is_none() {
            shadow.pass_for_the_silent(&env);
            // Whoever acts, and the three who wait.
            let seat = Seat::ALL[rng.usize(..4)];
            let laid = if seat == env.player() {
                shadow.laid
            } else {
                Faces::EMPTY
            };
            if rng.u8(..4) == 0
                && let Some(other) = with_hidden_exchanged(&shadow.round, seat, &mut rng)
                && other != shadow.round
            {
                let [here, there] =
                    [&shadow.round, &other].map(|round| View::of(round, Some(seat)));
                assert_eq!(observation(&here, laid), observation(&there, laid));
                exchanged += 1;
            }
            let action = random_action(&env, Form::Candidates, &mut rng);
            shadow.follow(&env, action);
            env.step(action).unwrap();
        }
    }
    assert!(exchanged > 200, "only {exchanged} exchanges were lawful");
}

#[test]
fn what_is_illegal_is_refused_and_changes_nothing() {
    for form in [Form::Candidates, Form::CardByCard] {
        let mut env = Env::new(
            Options {
                form,
                ..Options::default()
            },
            1,
        );
        let (mut before, mut after) = (vec![0; OBSERVATION_LEN], vec![0; OBSERVATION_LEN]);
        env.observe(&mut before);
        for action in [-1, i32::MIN, 128, 1000, i32::MAX] {
            let refused = env.step(action).unwrap_err();
            assert_eq!((refused.action, refused.legal), (action, env.legal_count()));
        }
        env.observe(&mut after);
        assert_eq!(before, after);
    }
}

#[test]
fn rewards_add_up_to_nothing() {
    for reward in [Reward::Win, Reward::Points] {
        let mut env = Env::new(
            Options {
                reward,
                ..Options::default()
            },
            9,
        );
        while env.step(0).unwrap().is_none() {}
        let sum: f32 = Seat::ALL.map(|seat| env.reward(seat)).iter().sum();
        assert!(sum.abs() < 1e-6 && env.reward(Seat::ALL[0]).abs() > 0.0);
    }
}

#[test]
fn stepping_and_observing_allocate_nothing() {
    let boxed = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(boxed.count_total, 1, "allocations are counted");
    for form in [Form::Candidates, Form::CardByCard] {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut env = Env::new(
            Options {
                form,
                ..Options::default()
            },
            7,
        );
        let mut bytes = vec![0; OBSERVATION_LEN];
        let used = allocation_counter::measure(|| {
            for _ in 0..3000 {
                let legal = u32::try_from(env.legal_count()).unwrap();
                let mut action = rng.u32(..legal).cast_signed();
                if form == Form::CardByCard {
                    let mut numbers = (0..128).filter(|at| env.mask() >> at & 1 == 1);
                    action = numbers.nth(action.unsigned_abs() as usize).unwrap();
                }
                if env.step(action).unwrap().is_some() {
                    env.reset();
                }
                env.observe(&mut bytes);
            }
        });
        assert_eq!(used.count_total, 0, "{form:?}");
    }
}

/// Rule 4: every legal follow can be played, whether it is listed or not, and no other.
#[test]
fn cards_are_played_that_are_not_listed() {
    let (mut unlisted, mut refused) = (0, 0);
    for seed in 0..200 {
        let mut env = Env::new(Options::default(), seed);
        let mut rng = fastrand::Rng::with_seed(seed);
        while env.stage() != tractor::Stage::Over {
            if env.stage() != tractor::Stage::Playing {
                env.step(0).unwrap();
                continue;
            }
            let before = env.clone();
            let listed = env.candidates().to_vec();
            let cards = listed[rng.usize(..listed.len())];
            // One card against another of the hand: legal or not, the judge decides and the list does not.
            let mut seen = [0; OBSERVATION_LEN];
            env.observe(&mut seen);
            let held = (0..128).filter(|at| seen[*at as usize] == 1);
            let mut hand: Vec<_> = held.map(|at| env.judge().face(at % 64)).collect();
            rng.shuffle(&mut hand);
            let other = hand.into_iter().take(cards.len()).collect();
            if env.play_cards(other).is_ok() {
                unlisted += usize::from(!listed.contains(&before.judge().ranked(other)));
            } else {
                refused += 1;
                assert_eq!(env.candidates(), before.candidates());
                env.play_cards(env.judge().faces(cards)).unwrap();
            }
            let mut after = [0; OBSERVATION_LEN];
            env.observe(&mut after);
            assert_ne!(after, seen);
        }
    }
    assert!(unlisted > 0 && refused > 1000, "{unlisted} {refused}");
}
