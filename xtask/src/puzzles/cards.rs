//! Rounds of Tractor, and the decisions in them with one clear best.

use std::sync::atomic::{AtomicBool, Ordering};

use convoy_puzzles::Difficulty;
use convoy_puzzles::cards::{Candidate, Decision, Puzzle};
use cotulenh_engine::SplitMix64;
use tractor::{
    CardSet, Deal, Event, Level, Phase, Record, Round, Rules, Seat, Seed, Setup, Start, ThrowMode,
    View,
};
use tractor_engine::{Limits, Player, SkillLevel, sample_points};

/// Worlds that say what is worth more of them.
const SIEVE: u32 = 48;
/// Worlds that verify.
pub(super) const WORLDS: u32 = 4_000;
/// Candidates that are verified at most.
const CANDIDATES: usize = 8;
/// How many standard errors the second best must lose at least to be a find.
const FIND_ERRORS: f64 = 5.0;
/// The same for the collection, where it must still be three in fresh worlds.
pub(super) const ERRORS: f64 = 8.0;
/// Puzzles of one round at most.
const PUZZLES: usize = 3;
/// One in so many follows is looked at, and one in so many easy decisions kept: they are plenty.
const FOLLOWS: usize = 4;
const EASY: usize = 4;
/// Play-outs of the search that finds what is of medium difficulty.
const MEDIUM: u32 = 400;

pub(super) fn play(random: &mut SplitMix64, stop: &AtomicBool, keep: &mut dyn FnMut(String)) {
    let setup = setup(random);
    let seed = Seed::from_number(random.next_u64());
    let deal = Deal::Seed(seed);
    let mut round = Round::new(setup, deal.deck(setup.number));
    let player = Player::new(SkillLevel::Normal, random.next_u64());
    let mut found = 0;
    while found < PUZZLES && !stop.load(Ordering::Relaxed) {
        if let Phase::Dealing(dealing) = round.phase()
            && dealing.dealt < 100
            && round.apply(Event::Deal { count: 1 }).is_err()
        {
            return;
        }
        let seats = round.turn().map_or(Seat::ALL.to_vec(), |seat| vec![seat]);
        let mut acted = matches!(round.phase(), Phase::Dealing(_));
        for seat in seats {
            let view = View::of(&round, Some(seat));
            if round.turn().is_some()
                && let Some(puzzle) = look(&view, random)
            {
                let record = Record {
                    setup,
                    deal: deal.clone(),
                    events: merge_deals(round.events()),
                };
                keep(Puzzle { record, ..puzzle }.to_string());
                found += 1;
            }
            let Some(event) = player.act(&view) else {
                continue;
            };
            acted = true;
            if round.apply(event).is_err() {
                return;
            }
            if round.turn().is_some() {
                break;
            }
        }
        if !acted || matches!(round.phase(), Phase::Over(_)) {
            return;
        }
    }
}

/// A later round of a game at random levels; in every other one throws are tried at one's own risk.
fn setup(random: &mut SplitMix64) -> Setup {
    let levels = [0; 2].map(|_| Level::from(tractor::Rank::ALL[random.below(13)]));
    let starter = Seat::ALL[random.below(4)];
    let challenge = Rules {
        throw_mode: ThrowMode::Challenge,
        throw_penalty: 10,
        ..Rules::DEFAULT
    };
    Setup {
        rules: [Rules::DEFAULT, challenge][random.below(2)],
        number: 2,
        start: Start {
            starter,
            defending: starter.team(),
            levels,
        },
        trump: None,
    }
}

/// The same events with deals that follow each other as one.
fn merge_deals(events: &[Event]) -> Vec<Event> {
    let mut merged: Vec<Event> = Vec::new();
    for event in events {
        match (merged.last_mut(), event) {
            (Some(Event::Deal { count }), Event::Deal { count: more }) => *count += more,
            _ => merged.push(event.clone()),
        }
    }
    merged
}

/// The puzzle of a decision, still without its record, if one candidate is clearly the best.
fn look(view: &View, random: &mut SplitMix64) -> Option<Puzzle> {
    let (sieve, verify) = (random.next_u64(), random.next_u64());
    let (follows, easy) = (random.below(FOLLOWS) == 0, random.below(EASY) == 0);
    let ways = Player::new(SkillLevel::Master, 0).candidates(view);
    let decision = Decision::of(view, &ways)?;
    if ways.len() < 2 || decision == Decision::Follow && !follows {
        return None;
    }
    let mut ranked = weigh(view, &ways, SIEVE, sieve)?;
    keep_rivals(view, decision, &mut ranked);
    if ranked.get(1)?.loss < least_loss(decision) {
        return None;
    }
    ranked.truncate(CANDIDATES);
    let difficulty = difficulty(view, ranked.first()?.cards);
    if difficulty == Difficulty::Easy && decision != Decision::Throw && !easy {
        return None;
    }
    let ways: Vec<CardSet> = ranked.iter().map(|candidate| candidate.cards).collect();
    let mut candidates = weigh(view, &ways, WORLDS, verify)?;
    keep_rivals(view, decision, &mut candidates);
    let same = candidates.first()?.cards == ways[0];
    (same && is_clear(decision, &candidates, FIND_ERRORS)).then_some(())?;
    Some(Puzzle {
        decision,
        difficulty,
        worlds: WORLDS,
        candidates,
        record: Record {
            setup: Setup::first(view.rules),
            deal: Deal::Seed(Seed::from_number(0)),
            events: Vec::new(),
        },
    })
}

/// Where the question is whether to throw, throws are weighed against leads without one: the best
/// stays, and of the others those that answer the question differently.
fn keep_rivals(view: &View, decision: Decision, candidates: &mut Vec<Candidate>) {
    if decision != Decision::Throw {
        return;
    }
    let throws =
        |candidate: &Candidate| Decision::of(view, &[candidate.cards]) == Some(Decision::Throw);
    let best = candidates.first().copied();
    candidates.retain(|candidate| {
        best.is_some_and(|best| best.cards == candidate.cards || throws(&best) != throws(candidate))
    });
}

/// How many points the second best must lose at least. A throw gains little over leads one by one
/// even where it is right.
const fn least_loss(decision: Decision) -> f64 {
    match decision {
        Decision::Throw => 1.5,
        _ => 3.0,
    }
}

/// Whether the best candidate is better than every other beyond doubt.
pub(super) fn is_clear(decision: Decision, candidates: &[Candidate], errors: f64) -> bool {
    let least = least_loss(decision);
    candidates.len() > 1
        && candidates[1..]
            .iter()
            .all(|other| other.loss >= least && other.loss >= errors * other.error)
}

/// What comes of each way in the same sampled worlds, the best first.
pub(super) fn weigh(
    view: &View,
    ways: &[CardSet],
    worlds: u32,
    seed: u64,
) -> Option<Vec<Candidate>> {
    let points = sample_points(view, ways, worlds, seed)?;
    let attacks = view.viewer?.team() != view.defending;
    let sign = if attacks { 1.0 } else { -1.0 };
    let number = f64::from(worlds.max(1));
    let mean = |at: usize| points.iter().map(|row| f64::from(row[at])).sum::<f64>() / number;
    let best = (0..ways.len()).max_by(|&a, &b| (sign * mean(a)).total_cmp(&(sign * mean(b))))?;
    let mut candidates: Vec<Candidate> = (0..ways.len())
        .map(|at| {
            let losses = points
                .iter()
                .map(|row| sign * f64::from(row[best] - row[at]));
            let (sum, squares) = losses.fold((0.0, 0.0), |(sum, squares), loss| {
                (sum + loss, squares + loss * loss)
            });
            let loss: f64 = sum / number;
            Candidate {
                cards: ways[at],
                points: mean(at),
                loss,
                error: ((squares / number - loss * loss).max(0.0) / number).sqrt(),
            }
        })
        .collect();
    candidates.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    Some(candidates)
}

/// Easy is what the heuristic finds, medium what a short search finds.
fn difficulty(view: &View, best: CardSet) -> Difficulty {
    let finds = |player: Player| {
        let cards = match player.act(view) {
            Some(Event::Bury { cards, .. } | Event::Play { cards, .. }) => cards,
            _ => CardSet::EMPTY,
        };
        cards.faces() == best.faces()
    };
    let search = Player::new(SkillLevel::Strong, 1).with_limits(Limits::rollouts(MEDIUM));
    if finds(Player::new(SkillLevel::Normal, 1)) {
        Difficulty::Easy
    } else if finds(search) {
        Difficulty::Medium
    } else {
        Difficulty::Hard
    }
}
