//! Puzzles that ask for a mate: every fastest first turn, proven over all turns of both sides.

use convoy_puzzles::board::{Evaluation, Puzzle, Source, Step, themes};
use cotulenh::Position;
use cotulenh_engine::Turn;

use super::judge::Judge;
use crate::mine::proof::{Attack, mating_turns, some_mating_turn, turns};

/// First turns that a puzzle may have at most.
const TURNS: usize = 3;

/// The fastest mate within so many turns, and every turn that begins it; `None` if there is none, or
/// the budget of positions does not suffice to say.
pub(super) fn fastest(position: &Position, most: u32, budget: u64) -> Option<(u32, Vec<Turn>)> {
    (1..=most).find_map(|length| {
        let turns = mating_turns(position, length, Attack::Full, budget);
        match turns {
            // Nothing longer is the fastest unless this is known.
            None => Some(None),
            Some(turns) if turns.is_empty() => None,
            Some(turns) => Some(Some((length, turns))),
        }
    })?
}

/// The puzzle of a mate whose fastest first turns are known, if they are few.
pub(super) fn puzzle(
    judge: &mut Judge<'_>,
    position: &Position,
    source: Source,
    (length, turns): (u32, Vec<Turn>),
    budget: u64,
) -> Option<Puzzle> {
    if turns.len() > TURNS {
        return None;
    }
    let nodes = judge.nodes_to_find(position, &turns)?;
    let steps = line(judge, position, length, turns, budget)?;
    Some(Puzzle {
        source,
        themes: themes(position, &steps),
        steps,
        position: position.clone(),
        best: Evaluation::Mate(length.cast_signed()),
        second: None,
        nodes,
    })
}

/// The line to the mate: every answer lasts as long as any, and is the engine's choice among those.
fn line(
    judge: &mut Judge<'_>,
    position: &Position,
    length: u32,
    turns: Vec<Turn>,
    budget: u64,
) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut at = position.clone();
    let (mut length, mut turns) = (length, turns);
    loop {
        let texts = turns.iter().map(|turn| at.turn_lan(turn));
        let read = texts.map(|text| at.read(&text).ok());
        let mut step = Step {
            turns: read.collect::<Option<_>>()?,
            reply: None,
        };
        if length == 1 {
            // Any mate ends it; one is enough to show.
            if !steps.is_empty() {
                step.turns.truncate(1);
            }
            steps.push(step);
            return Some(steps);
        }
        let next = turns.first()?.play_from(&at)?;
        length -= 1;
        let longest = longest_answers(&next, length, budget)?;
        let reply = judge.best_of(&next, longest)?;
        step.reply = Some(next.read(&next.turn_lan(&reply)).ok()?);
        steps.push(step);
        at = reply.play_from(&next)?;
        let (shortest, fastest) = fastest(&at, length, budget)?;
        if shortest < length {
            return None;
        }
        turns = fastest;
    }
}

/// The answers after which the mate takes all of `length` turns.
pub(super) fn longest_answers(position: &Position, length: u32, budget: u64) -> Option<Vec<Turn>> {
    let answers = turns(position).into_iter();
    let lasting = answers.filter(|(_, next)| {
        length <= 1 || some_mating_turn(next, length - 1, Attack::Full, budget).is_none()
    });
    let lasting: Vec<_> = lasting.map(|(turn, _)| turn).collect();
    (!lasting.is_empty()).then_some(lasting)
}
