//! Games of short searches, and the turns that stand out in them.

use convoy_puzzles::board::{Puzzle, Source, Step, Theme, themes};
use cotulenh::{Position, Square};
use cotulenh_engine::{Engine, Limits, Options, Report, Score, Search, SplitMix64, Turn};

use super::judge::{Judge, PROVABLE, SIEVE, stands_out};
use super::mates;
use crate::mine::candidates;
use crate::openings::random_opening;

/// Nodes of the searches that play: few, so that there is something to find.
const PLAY: u64 = 1_500;
/// By how much a short search must prefer a turn, or see the last one fail, to be looked at closely.
const HINT: i32 = 100;
/// Margin of the first sieve, which sees less than the verification.
const SIEVE_MARGIN: i32 = 150;
/// Puzzles of one game at most, and turns between two.
const PUZZLES: usize = 5;
const APART: usize = 3;
/// Turns of a game at most.
const TURNS: usize = 140;
/// Positions that the proof of a mate may visit.
pub(super) const PROOF: u64 = 150_000;

/// How often something is looked at, once in so many times.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Chances {
    /// Look at one in so many turns of games in which a short search suspects nothing
    #[arg(long, default_value_t = 6)]
    look: usize,
    /// Keep one in so many easy turns of games
    #[arg(long, default_value_t = 6)]
    easy: usize,
}

pub(super) fn play(
    random: &mut SplitMix64,
    chances: Chances,
    judge: &mut Judge<'_>,
    keep: &mut dyn FnMut(String),
) {
    let length = 4 + random.below(10);
    let Some(mut position) = random_opening(random, length) else {
        return;
    };
    let mut player = Engine::new(Options {
        hash_mib: 2,
        multi_pv: 2,
        ..Options::default()
    });
    let mut game = Game::default();
    for number in 0..TURNS {
        if position.outcome().is_some() || judge.is_stopped() || game.found >= PUZZLES {
            return;
        }
        let search = Search::new(&position)
            .history(&game.keys)
            .limits(Limits::nodes(PLAY));
        let report = player.analyse_here(&search, |_| {});
        let Some(best) = report.best().cloned() else {
            return;
        };
        let chance = random.below(chances.look.max(1)) == 0;
        let easy = random.below(chances.easy.max(1)) == 0;
        if number >= game.next
            && game.is_worth_a_look(&position, &report, chance)
            && let Some(puzzle) = game.look(&position, judge, easy)
        {
            keep(puzzle.to_string());
            game.found += 1;
            game.next = number + APART;
        }
        // Now and then something weaker, so that games differ and mistakes happen.
        let errs = random.below(5) == 0;
        let second = report.lines.get(1).filter(|_| errs);
        let turn = second.and_then(|line| line.turns.first()).unwrap_or(&best);
        game.keys.push(position.key());
        game.score = report.score();
        let captures = turn.iter().filter(|mv| mv.is_capture());
        game.landed = captures.map(|mv| mv.to()).next_back();
        match turn.play_from(&position) {
            Some(next) => position = next,
            None => return,
        }
    }
}

/// What is known of a game so far.
#[derive(Default)]
struct Game {
    keys: Vec<u64>,
    /// The score of the turn before, for the side that played it.
    score: Option<Score>,
    /// Where that turn captured.
    landed: Option<Square>,
    found: usize,
    /// The first turn that is looked at again.
    next: usize,
}

impl Game {
    /// Whether a short search suspects something or the rules offer something rare; now and then
    /// without.
    fn is_worth_a_look(&self, position: &Position, report: &Report, chance: bool) -> bool {
        let [first, second, ..] = &report.lines[..] else {
            return false;
        };
        let (best, other) = (first.score.value(), second.score.value());
        let fell = self.score.is_some_and(|last| best + last.value() >= HINT);
        let prefers = best - other >= HINT;
        let open = best > -400 && other < 600;
        open && (prefers || fell || chance || candidates::has_rare_kind(position))
    }

    fn look(&self, position: &Position, judge: &mut Judge<'_>, easy: bool) -> Option<Puzzle> {
        // The clock plays no part in a puzzle.
        let position = without_clock(position)?;
        let report = judge.two_lines(&position, SIEVE)?;
        let turn = report.best()?;
        if let Some(Score::Mate(length @ 1..=PROVABLE)) = report.score() {
            // Mates in one turn are plenty.
            if length == 1 && !easy {
                return None;
            }
            let found = mates::fastest(&position, length.cast_unsigned(), PROOF)?;
            return mates::puzzle(judge, &position, Source::Game, found, PROOF);
        }
        if !stands_out(&report, SIEVE_MARGIN) || self.recaptures(turn) {
            return None;
        }
        let nodes = judge.nodes_to_find(&position, std::slice::from_ref(turn))?;
        if nodes < Puzzle::MEDIUM && !easy && !is_rare(&position, turn) {
            return None;
        }
        judge.puzzle(&position, turn, nodes)
    }

    /// Whether a turn does nothing but take back.
    fn recaptures(&self, turn: &Turn) -> bool {
        matches!(turn[..], [mv] if mv.is_capture() && Some(mv.to()) == self.landed)
    }
}

/// Whether a turn is of a theme of which there are few, or captures at least twice.
fn is_rare(position: &Position, turn: &Turn) -> bool {
    const RARE: [Theme; 3] = [Theme::Kamikaze, Theme::AirDefence, Theme::TrappedAircraft];
    let step = position.read(&position.turn_lan(turn)).map(|turn| Step {
        turns: vec![turn],
        reply: None,
    });
    let themes = step.map_or(Vec::new(), |step| themes(position, &[step]));
    turn.iter().filter(|mv| mv.is_capture()).count() >= 2
        || themes.iter().any(|theme| RARE.contains(theme))
}

/// The position as if it began a game.
fn without_clock(position: &Position) -> Option<Position> {
    let fen = position.to_string();
    let mut fields = fen.split(' ');
    let (board, turn) = (fields.next()?, fields.next()?);
    format!("{board} {turn} - - 0 1").parse().ok()
}
