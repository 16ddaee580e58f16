//! Finished games looked back on: what a turn has cost, and how accurately a side has played.

use cotulenh::{Game, Position};

use crate::engine::{Engine, Search};
use crate::score::Score;
use crate::time::Limits;
use crate::turn::Turn;

/// A lead of so many hundredths of an infantry brings the chance of winning from a half to about three quarters.
const LEAD: f64 = 320.0;
/// A turn that costs a tenth of the chance of winning is about two thirds accurate.
const STRICTNESS: f64 = 4.0;

impl Score {
    /// The share of games that the side to move wins from here, draws counted half: from 0 to 1.
    ///
    /// ```
    /// use cotulenh_engine::Score;
    /// assert_eq!(Score::Centi(0).chance(), 0.5);
    /// assert!(Score::Centi(320).chance() > 0.7);
    /// assert_eq!((Score::Mate(3).chance(), Score::Mate(0).chance()), (1.0, 0.0));
    /// ```
    pub fn chance(self) -> f64 {
        match self {
            Self::Mate(turns) => f64::from(u8::from(turns > 0)),
            Self::Centi(worth) => 1.0 / (1.0 + (-f64::from(worth) / LEAD).exp()),
        }
    }
}

/// What is to be said of a turn.
///
/// ```
/// use cotulenh_engine::Judgement;
/// assert_eq!(Judgement::of(0.02), Judgement::Good);
/// assert_eq!(Judgement::of(0.12).name(), "mistake");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// Nothing: it costs less than a twentieth of the chance of winning.
    Good,
    /// It costs a twentieth or more.
    Inaccuracy,
    /// A tenth or more.
    Mistake,
    /// A fifth or more.
    Blunder,
}

impl Judgement {
    /// The judgement of a turn that costs so much of the chance of winning.
    pub fn of(loss: f64) -> Self {
        match loss {
            _ if loss < 0.05 => Self::Good,
            _ if loss < 0.1 => Self::Inaccuracy,
            _ if loss < 0.2 => Self::Mistake,
            _ => Self::Blunder,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// What the engine thinks of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// The key of the position.
    pub key: u64,
    /// The score for the side to move.
    pub score: Score,
    /// The best line; empty where the game is over.
    pub line: Vec<Turn>,
    /// The key of the position after its first turn: a deploy may come to the same in several ways.
    pub next: Option<u64>,
}

impl Opinion {
    /// Looks at a position so many nodes long. `history` has the keys of the positions before it.
    ///
    /// ```
    /// use cotulenh::Position;
    /// use cotulenh_engine::{Engine, Opinion, Options};
    /// let mut engine = Engine::new(Options::default());
    /// let opinion = Opinion::of(&mut engine, &Position::start(), &[], 1_000);
    /// assert!(!opinion.line.is_empty());
    /// ```
    pub fn of(engine: &mut Engine, position: &Position, history: &[u64], nodes: u64) -> Self {
        let of = |score: Score, line: Vec<Turn>| {
            let next = line.first().and_then(|turn| turn.play_from(position));
            Self {
                key: position.key(),
                score,
                next: next.map(|next| next.key()),
                line,
            }
        };
        if let Some(outcome) = position.outcome() {
            let score = match outcome.winner {
                Some(winner) if winner == position.turn() => Score::Mate(1),
                Some(_) => Score::Mate(0),
                None => Score::Centi(0),
            };
            return of(score, Vec::new());
        }
        let search = Search::new(position)
            .history(history)
            .limits(Limits::nodes(nodes));
        let report = engine.analyse(&search, |_| {});
        let best = report.lines.into_iter().next();
        best.map_or_else(
            || of(Score::Centi(0), Vec::new()),
            |line| of(line.score, line.turns),
        )
    }
}

/// How much of the chance of winning a turn has cost, from the opinions of the positions before and after it.
///
/// ```
/// use cotulenh_engine::{Opinion, Score, loss};
/// let of = |key, score, next| Opinion { key, score, line: Vec::new(), next };
/// let before = of(1, Score::Centi(0), Some(2));
/// assert_eq!(loss(&before, &of(3, Score::Mate(2), None)), 0.5);
/// // What the engine itself would have played costs nothing.
/// assert_eq!(loss(&before, &of(2, Score::Mate(2), None)), 0.0);
/// ```
pub fn loss(before: &Opinion, after: &Opinion) -> f64 {
    if before.next == Some(after.key) {
        return 0.0;
    }
    (before.score.chance() - (1.0 - after.score.chance())).max(0.0)
}

/// How accurate turns are that have cost so much of the chance of winning each, in percent; `None` without a turn.
///
/// ```
/// use cotulenh_engine::accuracy;
/// assert_eq!(accuracy(&[0.0, 0.0]), Some(100.0));
/// assert!(accuracy(&[0.0, 0.3]) > accuracy(&[0.3, 0.3]));
/// assert_eq!(accuracy(&[]), None);
/// ```
pub fn accuracy(losses: &[f64]) -> Option<f64> {
    let each = losses.iter().map(|loss| 100.0 * (-STRICTNESS * loss).exp());
    let count = u32::try_from(losses.len())
        .ok()
        .filter(|count| *count > 0)?;
    Some(each.sum::<f64>() / f64::from(count))
}

/// What both sides' turns of a game have cost, first that of whoever began; a game is looked at so many nodes a turn.
///
/// ```
/// use cotulenh::Game;
/// use cotulenh_engine::{Engine, Options, game_losses};
/// let mut game = Game::default();
/// game.play_text("Ic6")?;
/// let losses = game_losses(&mut Engine::new(Options::default()), &game, 1_000);
/// assert_eq!(losses.len(), 1);
/// # Ok::<_, cotulenh::ReadError>(())
/// ```
pub fn game_losses(engine: &mut Engine, game: &Game, nodes: u64) -> Vec<f64> {
    let mut history = Vec::new();
    let mut look = |position: &Position| {
        let opinion = Opinion::of(engine, position, &history, nodes);
        history.push(position.key());
        opinion
    };
    let mut opinions: Vec<Opinion> = game.turns().map(|turn| look(&turn.before)).collect();
    opinions.push(look(game.position()));
    let pairs = opinions.windows(2);
    pairs.map(|pair| loss(&pair[0], &pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    #[test]
    fn judgements_have_their_bounds() {
        let names = [0.0, 0.049, 0.05, 0.1, 0.199, 0.2, 1.0].map(|loss| Judgement::of(loss).name());
        let wanted = [
            "good",
            "good",
            "inaccuracy",
            "mistake",
            "mistake",
            "blunder",
            "blunder",
        ];
        assert_eq!(names, wanted);
    }

    /// A side that walks past a mate in one is told so, and the mate itself costs nothing.
    #[test]
    fn a_missed_mate_costs_something() {
        let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
        let position: Position = fen.parse().expect("a position");
        let mut engine = Engine::new(Options::default());
        let before = Opinion::of(&mut engine, &position, &[], 20_000);
        assert_eq!(before.score, Score::Mate(1));
        let mut after = |lan: &str| {
            let turn = position.turns().into_iter().find(|turn| turn.lan == lan);
            let after = turn.expect("it is legal").after;
            Opinion::of(&mut engine, &after, &[], 20_000)
        };
        let mate = after("Af8c11");
        assert_eq!((mate.score, loss(&before, &mate)), (Score::Mate(0), 0.0));
        let missed = after("Af8g8");
        assert!(loss(&before, &missed) > 0.05, "{:?}", missed.score);
    }
}
