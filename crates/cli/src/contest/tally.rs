//! The statistics of a match: score, Elo with confidence intervals, SPRT.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

/// Two hypotheses on the Elo difference, each with an error probability of 5 %.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
}

/// The results of a match for its first player.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    wins: usize,
    draws: usize,
    losses: usize,
    /// Pentanomial: pairs of games by their points 0, ½, 1, 1½, 2.
    pairs: [usize; 5],
    /// How games ended.
    ends: BTreeMap<String, usize>,
    /// What the players forfeited games by.
    forfeits: [BTreeMap<&'static str, usize>; 2],
    turns: usize,
}

/// The bound of the log-likelihood ratio: `ln((1 - 0.05) / 0.05)`.
const LLR_BOUND: f64 = 2.944;
/// The quantile of a two-sided confidence of 95 %.
const Z: f64 = 1.96;
/// Observations that the variance is worth before any is made, so that a few equal results
/// do not pass for certainty.
const PRIOR: f64 = 2.0;

/// A score with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) score: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// The same as Elo differences.
    fn elo(self) -> [f64; 3] {
        [self.low, self.score, self.high].map(elo_of)
    }

    /// Elo difference and interval, as in `+89 [+12, +170]`.
    pub(crate) fn elo_text(self) -> String {
        let [low, elo, high] = self.elo().map(signed);
        format!("{elo} [{low}, {high}]")
    }

    /// Score and interval in per cent.
    pub(crate) fn percent_text(self) -> String {
        let [low, score, high] = [self.low, self.score, self.high].map(|share| 100.0 * share);
        format!("{score:.1} % [{low:.1}, {high:.1}]")
    }
}

fn signed(elo: f64) -> String {
    if elo.is_infinite() {
        (if elo > 0.0 { "+∞" } else { "-∞" }).into()
    } else {
        format!("{elo:+.0}")
    }
}

impl Tally {
    /// Enters a game with 0, ½ or 1 for the first player.
    pub(crate) fn enter_game(&mut self, score: f64, cause: &str, turns: usize) {
        if score > 0.75 {
            self.wins += 1;
        } else if score < 0.25 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
        *self.ends.entry(cause.to_owned()).or_insert(0) += 1;
        self.turns += turns;
    }

    /// Enters both games of an opening, which were entered on their own before.
    pub(crate) fn enter_pair(&mut self, one: f64, two: f64) {
        let halves = [0.25, 0.75, 1.25, 1.75]
            .iter()
            .filter(|bound| one + two > **bound)
            .count();
        self.pairs[halves] += 1;
    }

    /// Counts a forfeit of the first (0) or second (1) player.
    pub(crate) fn enter_forfeit(&mut self, player: usize, cause: &'static str) {
        *self.forfeits[player].entry(cause).or_insert(0) += 1;
    }

    pub(crate) fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// The number of pairs, their mean score from 0 to 1, and the variance of single pairs.
    #[allow(clippy::cast_precision_loss, reason = "games are counted in thousands")]
    fn moments(&self) -> (f64, f64, f64) {
        let count = self.pairs.iter().sum::<usize>() as f64;
        let share = |at: usize| at as f64 / 4.0;
        let mean = (0..5)
            .map(|at| self.pairs[at] as f64 * share(at))
            .sum::<f64>()
            / count;
        let square = |at: usize| (share(at) - mean).powi(2);
        let variance = (0..5)
            .map(|at| self.pairs[at] as f64 * square(at))
            .sum::<f64>()
            / count;
        (count, mean, variance)
    }

    /// The log-likelihood ratio of the two hypotheses.
    fn llr(&self, sprt: Sprt) -> f64 {
        let (count, mean, variance) = self.moments();
        let (low, high) = (expected(sprt.elo0), expected(sprt.elo1));
        if count < 2.0 {
            return 0.0;
        }
        // A handful of equal pairs proves nothing: the variance has a floor.
        let variance = variance.max(0.25 / count);
        count * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    pub(crate) fn decided(&self, sprt: Sprt) -> bool {
        self.llr(sprt).abs() >= LLR_BOUND
    }

    /// The score of all games with its interval; `None` before the first.
    ///
    /// A Wilson interval over pairs, which are independent of each other as the two games of a
    /// pair are not. Its variance `p (1 - p)` is scaled by the pentanomial one, which is smaller
    /// where games are drawn or both games of an opening go to the same colour. A game without
    /// its pair counts half an observation.
    #[allow(clippy::cast_precision_loss, reason = "games are counted in thousands")]
    pub(crate) fn interval(&self) -> Option<Interval> {
        let games = self.games();
        if games == 0 {
            return None;
        }
        let score = (self.wins as f64 + self.draws as f64 / 2.0) / games as f64;
        let count = games as f64 / 2.0;
        let (pairs, mean, variance) = self.moments();
        let spread = mean * (1.0 - mean);
        let scale = if pairs > 0.0 && spread > 0.0 {
            (pairs * variance / spread + PRIOR) / (pairs + PRIOR)
        } else {
            1.0
        };
        let a = Z * Z * scale / count;
        let center = (score + a / 2.0) / (1.0 + a);
        let half = (a * score * (1.0 - score) + a * a / 4.0).sqrt() / (1.0 + a);
        Some(Interval {
            low: (center - half).clamp(0.0, score),
            score,
            high: (center + half).clamp(score, 1.0),
        })
    }

    pub(crate) fn brief(&self) -> String {
        let Some(interval) = self.interval() else {
            return String::new();
        };
        format!(
            "{:.1} %, Elo {}",
            100.0 * interval.score,
            interval.elo_text()
        )
    }

    pub(crate) fn summary(&self, sprt: Option<Sprt>) -> String {
        let Some(interval) = self.interval() else {
            return "no game was finished\n".into();
        };
        let mut text = String::new();
        let _ = writeln!(
            text,
            "games {}: won {}, drawn {}, lost {}",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
        );
        let _ = writeln!(text, "score {} (95 %)", interval.percent_text());
        let _ = writeln!(text, "Elo difference {} (95 %)", interval.elo_text());
        let _ = writeln!(text, "pairs by points 0, ½, 1, 1½, 2: {:?}", self.pairs);
        if let Some(sprt) = sprt {
            let llr = self.llr(sprt);
            let verdict = match llr {
                llr if llr >= LLR_BOUND => "the second hypothesis holds",
                llr if llr <= -LLR_BOUND => "the first hypothesis holds",
                _ => "undecided",
            };
            let Sprt { elo0, elo1 } = sprt;
            let _ = writeln!(text, "SPRT {elo0} against {elo1}: LLR {llr:.2}, {verdict}");
        }
        let _ = writeln!(text, "turns a game {}", self.turns / self.games());
        let _ = writeln!(text, "ends: {}", counts(&self.ends));
        for (who, causes) in ["first", "second"].iter().zip(&self.forfeits) {
            if !causes.is_empty() {
                let _ = writeln!(text, "forfeits of the {who} player: {}", counts(causes));
            }
        }
        text
    }

    /// The summary for programs.
    pub(crate) fn json(&self, sprt: Option<Sprt>) -> Value {
        let interval = self.interval();
        // JSON has no infinity.
        let elo = |at: usize| {
            let elo = interval.map(|interval| interval.elo()[at]);
            elo.filter(|elo| elo.is_finite())
        };
        json!({
            "games": self.games(),
            "won": self.wins,
            "drawn": self.draws,
            "lost": self.losses,
            "score": interval.map(|interval| [interval.low, interval.score, interval.high]),
            "elo": [elo(0), elo(1), elo(2)],
            "pairs": self.pairs,
            "llr": sprt.map(|sprt| self.llr(sprt)),
            "ends": self.ends,
            "forfeits": self.forfeits,
        })
    }
}

fn counts<K: AsRef<str>>(causes: &BTreeMap<K, usize>) -> String {
    let counts = causes.iter();
    let counts: Vec<_> = counts
        .map(|(why, count)| format!("{} {count}", why.as_ref()))
        .collect();
    counts.join(", ")
}

/// The expected score of an Elo difference.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference of a score; infinite for 0 and 1.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(f64, f64, usize)]) -> Tally {
        let mut tally = Tally::default();
        for (one, two, times) in pairs {
            for _ in 0..*times {
                tally.enter_game(*one, "length", 10);
                tally.enter_game(*two, "length", 10);
                tally.enter_pair(*one, *two);
            }
        }
        tally
    }

    fn interval(pairs: &[(f64, f64, usize)]) -> Interval {
        tally(pairs).interval().expect("games were played")
    }

    #[test]
    fn scores_and_elo_belong_together() {
        let even = interval(&[(1.0, 0.0, 50), (0.5, 0.5, 50)]);
        assert!(even.elo()[1].abs() < 1e-9);
        let better = interval(&[(1.0, 0.5, 100)]);
        assert!((better.elo()[1] - 190.8).abs() < 1.0);
        assert!((expected(190.8) - 0.75).abs() < 1e-3);
    }

    /// No result, however clean, is certain.
    #[test]
    fn every_interval_has_a_width() {
        for (result, most) in [
            (&[(1.0, 1.0, 1)][..], 0.5),
            (&[(1.0, 1.0, 19)], 0.9),
            (&[(0.5, 0.5, 1)], 0.5),
            (&[(1.0, 0.0, 3)], 0.5),
        ] {
            let found = interval(result);
            assert!(found.low < found.score - 0.02, "{result:?} {found:?}");
            assert!(found.low < most, "{result:?} {found:?}");
        }
        let sweep = interval(&[(1.0, 1.0, 1)]);
        assert_eq!(sweep.elo_text(), "+∞ [-234, +∞]");
        let sweep = interval(&[(1.0, 1.0, 19)]);
        assert!((sweep.low - 19.0 / (19.0 + Z * Z)).abs() < 1e-9);
        let loss = interval(&[(0.0, 0.0, 4)]);
        assert!(loss.high > 0.4 && loss.low == 0.0);
        // One game of a pair that was interrupted.
        let mut half = Tally::default();
        half.enter_game(1.0, "checkmate", 9);
        assert!(half.interval().is_some_and(|found| found.low < 0.3));
        assert_eq!(Tally::default().interval(), None);
    }

    /// With many games the interval is the usual one of the pentanomial variance.
    #[test]
    fn many_games_have_the_usual_interval() {
        let result = [(1.0, 0.5, 300), (0.5, 0.5, 400), (0.0, 0.5, 300)];
        let (count, _, variance) = tally(&result).moments();
        let usual = Z * (variance / count).sqrt();
        let found = interval(&result);
        assert!(
            (found.high - found.score - usual).abs() < 0.03 * usual,
            "{found:?}"
        );
    }

    #[test]
    fn a_clear_match_is_decided_and_an_even_one_is_not() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 20.0,
        };
        assert!(tally(&[(1.0, 0.5, 80), (1.0, 0.0, 40)]).decided(sprt));
        assert!(!tally(&[(1.0, 0.0, 10), (0.5, 0.5, 2)]).decided(sprt));
        let worse = tally(&[(0.0, 0.5, 80), (1.0, 0.0, 40)]);
        assert!(worse.decided(sprt) && worse.llr(sprt) < 0.0);
    }
}
