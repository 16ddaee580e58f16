//! Counting pairs of games: score, Elo with error bars, sequential test.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Two hypotheses on the Elo difference, each with an error of 5 %.
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
    /// Pairs by the points they brought: 0, ½, 1, 1½, 2.
    pairs: [usize; 5],
    /// How games ended.
    pub(crate) ends: BTreeMap<String, usize>,
    pub(crate) turns: usize,
}

/// `ln((1 - 0.05) / 0.05)`.
const SURE: f64 = 2.944;

impl Tally {
    /// Enters both games of an opening, each 0, ½ or 1 for the first player.
    pub(crate) fn enter(&mut self, one: f64, two: f64) {
        for score in [one, two] {
            if score > 0.75 {
                self.wins += 1;
            } else if score < 0.25 {
                self.losses += 1;
            } else {
                self.draws += 1;
            }
        }
        let halves = [0.25, 0.75, 1.25, 1.75]
            .iter()
            .filter(|bar| one + two > **bar)
            .count();
        self.pairs[halves] += 1;
    }

    pub(crate) fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// The mean score of a pair, from 0 to 1, and the variance of single pairs.
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
        self.llr(sprt).abs() >= SURE
    }

    /// Score, Elo difference, and half the width of its 95 % interval.
    pub(crate) fn elo(&self) -> (f64, f64, f64) {
        let (count, mean, variance) = self.moments();
        let error = 1.96 * (variance / count).sqrt();
        let width = (elo_of(mean + error) - elo_of(mean - error)) / 2.0;
        (mean, elo_of(mean), width)
    }

    pub(crate) fn brief(&self) -> String {
        let (mean, elo, width) = self.elo();
        format!("{:.1} %  Elo {elo:+.0} ± {width:.0}", 100.0 * mean)
    }

    pub(crate) fn summary(&self, sprt: Option<Sprt>) -> String {
        let mut text = String::new();
        if self.games() == 0 {
            return "no game was played\n".into();
        }
        let (mean, elo, width) = self.elo();
        let _ = writeln!(
            text,
            "games {}: won {}, drawn {}, lost {}: {:.1} %",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            100.0 * mean
        );
        let _ = writeln!(text, "Elo difference {elo:+.1} ± {width:.1} (95 %)");
        let _ = writeln!(text, "pairs by points 0, ½, 1, 1½, 2: {:?}", self.pairs);
        if let Some(sprt) = sprt {
            let llr = self.llr(sprt);
            let verdict = match llr {
                llr if llr >= SURE => "the second hypothesis holds",
                llr if llr <= -SURE => "the first hypothesis holds",
                _ => "undecided",
            };
            let Sprt { elo0, elo1 } = sprt;
            let _ = writeln!(text, "SPRT {elo0} against {elo1}: LLR {llr:.2}, {verdict}");
        }
        let _ = writeln!(text, "turns a game {}", self.turns / self.games());
        let ends: Vec<_> = self
            .ends
            .iter()
            .map(|(why, count)| format!("{why} {count}"))
            .collect();
        let _ = writeln!(text, "ends: {}", ends.join(", "));
        text
    }
}

/// The score that an Elo difference lets expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference of a score; a clean sweep is shown as 1,200.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(f64, f64, usize)]) -> Tally {
        let mut tally = Tally::default();
        for (one, two, times) in pairs {
            for _ in 0..*times {
                tally.enter(*one, *two);
            }
        }
        tally
    }

    #[test]
    fn scores_and_elo_belong_together() {
        let even = tally(&[(1.0, 0.0, 50), (0.5, 0.5, 50)]);
        assert!(even.elo().1.abs() < 1e-9);
        let better = tally(&[(1.0, 0.5, 100)]);
        assert!((better.elo().1 - 190.8).abs() < 1.0);
        assert!((expected(190.8) - 0.75).abs() < 1e-3);
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
