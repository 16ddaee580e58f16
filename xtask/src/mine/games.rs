//! Games of short searches, and the turns that stand out in them.

use std::collections::HashMap;
use std::time::Instant;

use cotulenh::Position;
use cotulenh_engine::{Engine, Limits, Options, Report, Score, Search, SplitMix64};

use super::Tactic;
use super::candidates;
use super::kind::Kind;
use super::proof::{Attack, mating_turns};
use crate::openings::random_opening;

/// Nodes of the searches that play: few, so that there is something to find.
const PLAY: u64 = 300;
/// Nodes of the search that says what is worth the long one: more than the engine is later given,
/// so that no position is chosen for being easy.
const FILTER: u64 = 700_000;
/// How often a game is filtered for one kind at most.
const FILTERS: usize = 2;
/// By how much the best turn must be better than the second, in hundredths of an infantry.
const LEAD: i32 = 180;
/// Positions that the proof of a mate may visit.
const PROOF: u64 = 60_000;

pub(super) fn find_tactics(
    random: &mut SplitMix64,
    nodes: u64,
    end: Option<Instant>,
    wants: &dyn Fn(Kind) -> bool,
) -> Vec<Tactic> {
    let length = 6 + random.below(8);
    let Some(mut position) = random_opening(random, length) else {
        return Vec::new();
    };
    let mut found: Vec<Tactic> = Vec::new();
    let mut player = engine(4);
    let mut judge = engine(64);
    let mut keys = Vec::new();
    let mut filtered: HashMap<Kind, usize> = HashMap::new();
    for _ in 0..160 {
        if position.outcome().is_some() {
            break;
        }
        let report = search(&mut player, &position, &keys, PLAY, None);
        let Some(best) = report.best().cloned() else {
            break;
        };
        let (looks, errs) = (random.below(3) == 0, random.below(6) == 0);
        if looks {
            add(&mut found, short_mate(&position));
        }
        // What a search would answer plays no part in what is filtered, only what the rules offer.
        // One position of a kind from each game; kinds do not touch each other, so that it makes
        // no difference to the rest which of them are wanted.
        for kind in candidates::kinds(&position) {
            let count = filtered.entry(kind).or_default();
            let known = found.iter().any(|find| find.kind == kind);
            if *count >= FILTERS || known || !wants(kind) {
                continue;
            }
            *count += 1;
            let report = search_anew(&mut judge, &position, FILTER, end);
            if stands_out(&report, &position) == Some(kind) {
                let report = search_anew(&mut judge, &position, nodes, end);
                // A search that was broken off proves nothing.
                if report.nodes >= nodes {
                    add(&mut found, verified(&report, &position, kind));
                }
            }
        }
        keys.push(position.key());
        // Now and then something weaker, so that games differ and mistakes happen.
        let chosen = report.lines.get(1).filter(|_| errs);
        let turn = chosen.and_then(|line| line.turns.first()).unwrap_or(&best);
        match turn.play_from(&position) {
            Some(next) => position = next,
            None => break,
        }
    }
    found
}

fn add(found: &mut Vec<Tactic>, find: Option<Tactic>) {
    if let Some(find) = find
        && found.iter().all(|other| other.kind != find.kind)
    {
        found.push(find);
    }
}

fn engine(hash_mib: usize) -> Engine {
    Engine::new(Options {
        hash_mib,
        multi_pv: 2,
        ..Options::default()
    })
}

fn search(
    engine: &mut Engine,
    position: &Position,
    keys: &[u64],
    nodes: u64,
    end: Option<Instant>,
) -> Report {
    let limits = Limits {
        nodes: Some(nodes),
        time: end.map(|end| end.saturating_duration_since(Instant::now())),
        ..Limits::default()
    };
    let search = Search::new(position).history(keys).limits(limits);
    engine.analyse(&search, |_| {})
}

/// A search that nothing before has touched.
fn search_anew(
    engine: &mut Engine,
    position: &Position,
    nodes: u64,
    end: Option<Instant>,
) -> Report {
    engine.clear();
    search(engine, position, &[], nodes, end)
}

/// A mate in one or two turns, proven by a search of all turns of both sides.
fn short_mate(position: &Position) -> Option<Tactic> {
    for (kind, length) in [(Kind::Mate1, 1), (Kind::Mate2, 2)] {
        let turns = mating_turns(position, length, Attack::Full, PROOF)?;
        if !turns.is_empty() {
            return (turns.len() <= 2).then(|| Tactic::new(kind, position, &turns));
        }
    }
    None
}

/// The kind of the best turn if it stands out: not one of many that win, nor the best of a lost
/// position, and well ahead of the second.
fn stands_out(report: &Report, position: &Position) -> Option<Kind> {
    let [first, second, ..] = &report.lines[..] else {
        return None;
    };
    let holds = first.score.value() > -1_000;
    if holds && matches!(second.score, Score::Mate(turns) if turns <= 0) {
        return Some(Kind::Defence);
    }
    let matters = holds && second.score.value() < 1_000;
    let lead = first.score.value() - second.score.value();
    if !matters || lead < LEAD {
        return None;
    }
    Kind::of(position, report.best()?)
}

/// What the long search has found, if it is of the kind expected.
fn verified(report: &Report, position: &Position, kind: Kind) -> Option<Tactic> {
    let best = report.best()?.clone();
    (stands_out(report, position) == Some(kind)).then(|| Tactic::new(kind, position, &[best]))
}
