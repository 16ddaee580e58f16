//! What an arena measured: shares, means and their errors over deals.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::forfeit::{Cause, Forfeit};

/// One round, as the player whose win rate is asked for sees it.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub(crate) won: bool,
    /// What it came to; `None` for a forfeit, which has no points.
    pub(crate) score: Option<Score>,
    /// Who forfeited it, the player or the opponent, and why.
    pub(crate) forfeit: Option<(usize, Forfeit)>,
    /// Declarations of the player and of the opponent that were refused: how many, and the first.
    pub(crate) refused: [(usize, Option<String>); 2],
    /// Whether the player won the game that this round ended.
    pub(crate) game: Option<bool>,
    pub(crate) times: Vec<Duration>,
    pub(crate) opponent_times: Vec<Duration>,
}

/// The score of a round that was played to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    /// Points over 80 when attacking, points under 80 when defending.
    pub(crate) margin: i32,
    /// Levels won, or lost below zero.
    pub(crate) levels: i32,
}

/// A mean and its error at 95 %.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) error: f64,
}

impl Mean {
    #[allow(clippy::cast_precision_loss, reason = "numbers of deals")]
    pub(crate) fn of(values: &[f64]) -> Self {
        let number = values.len() as f64;
        let mean = values.iter().sum::<f64>() / number.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = if values.len() < 2 {
            f64::NAN
        } else {
            1.96 * (squares / (number - 1.0) / number).sqrt()
        };
        Self { mean, error }
    }
}

/// A share in percent with its 95 % interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Share {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Share {
    /// The Wilson score interval of the mean of shares from 0 to 1, one a deal.
    ///
    /// The two rounds of a deal are not independent, so the spread over deals gives the effective number of samples.
    /// Where all deals came out alike there is no spread: then each deal counts as one sample.
    #[allow(clippy::cast_precision_loss, reason = "numbers of deals")]
    pub(crate) fn of(deals: &[f64]) -> Self {
        const Z: f64 = 1.96;
        let number = deals.len() as f64;
        if deals.is_empty() {
            return Self {
                mean: f64::NAN,
                low: 0.0,
                high: 100.0,
            };
        }
        let mean = deals.iter().sum::<f64>() / number;
        let squares: f64 = deals.iter().map(|share| (share - mean).powi(2)).sum();
        let variance_of_mean = squares / (number - 1.0).max(1.0) / number;
        let samples = if variance_of_mean > 0.0 && deals.len() > 1 {
            mean * (1.0 - mean) / variance_of_mean
        } else {
            number
        };
        let scale = 1.0 + Z * Z / samples;
        let centre = (mean + Z * Z / (2.0 * samples)) / scale;
        let spread = mean * (1.0 - mean) / samples + Z * Z / (4.0 * samples * samples);
        let half = Z * spread.max(0.0).sqrt() / scale;
        Self {
            mean: 100.0 * mean,
            low: 100.0 * (centre - half).clamp(0.0, mean),
            high: 100.0 * (centre + half).clamp(mean, 1.0),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6.2} % ({:.2} to {:.2})",
            self.mean, self.low, self.high
        )
    }
}

/// The times of the decisions of play, in milliseconds of processor time.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Times {
    decisions: usize,
    p50: f64,
    p99: f64,
    max: f64,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: usize| {
            let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
            times
                .get(place)
                .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        Self {
            decisions: times.len(),
            p50: at(50),
            p99: at(99),
            max: at(100),
        }
    }
}

/// The forfeits of one side: how many of each cause, and the first of them.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Forfeits {
    total: usize,
    causes: BTreeMap<Cause, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Forfeit>,
    /// Declarations that were refused: these cost nothing but the declaration.
    refused_declarations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_refused_declaration: Option<String>,
}

impl Forfeits {
    fn add(&mut self, forfeit: &Forfeit) {
        self.total += 1;
        *self.causes.entry(forfeit.cause).or_default() += 1;
        self.first.get_or_insert_with(|| forfeit.clone());
    }

    fn add_refused(&mut self, (number, first): &(usize, Option<String>)) {
        self.refused_declarations += number;
        if self.first_refused_declaration.is_none() {
            self.first_refused_declaration.clone_from(first);
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        if let Some(first) = &self.first {
            let causes = Cause::ALL.iter().filter_map(|cause| {
                let number = self.causes.get(cause)?;
                Some(format!("{cause} {number}"))
            });
            let causes: Vec<String> = causes.collect();
            writeln!(
                f,
                "  {name:<8} forfeited {} rounds: {}",
                self.total,
                causes.join(", ")
            )?;
            writeln!(f, "           the first: {}", first.detail)?;
        }
        if let Some(first) = &self.first_refused_declaration {
            let number = self.refused_declarations;
            writeln!(
                f,
                "  {name:<8} made {number} declarations that were refused, the first: {first}"
            )?;
        }
        Ok(())
    }
}

/// The figures of an arena.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figures {
    deals: usize,
    rounds: usize,
    /// Whether the run was stopped before all deals were played.
    stopped: bool,
    /// The share of single rounds won, in percent; a forfeited round is lost.
    wins: Share,
    /// Mean point margin a round, forfeits left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Mean>,
    /// Mean levels won less levels lost, a round, forfeits left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Mean>,
    /// The share of whole games won, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Share>,
    forfeits: Forfeits,
    opponent_forfeits: Forfeits,
    time: Times,
    opponent_time: Times,
}

/// The means of a value over the rounds of each deal that have one.
#[allow(clippy::cast_precision_loss, reason = "numbers of rounds")]
fn per_deal(deals: &[Vec<Round>], value: impl Fn(&Round) -> Option<f64>) -> Vec<f64> {
    deals
        .iter()
        .filter_map(|rounds| {
            let values: Vec<f64> = rounds.iter().filter_map(&value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        })
        .collect()
}

impl Figures {
    pub(crate) fn of(deals: Vec<Vec<Round>>, games: bool, stopped: bool) -> Self {
        let share = |won: bool| f64::from(u8::from(won));
        let score =
            |round: &Round, part: fn(&Score) -> i32| round.score.as_ref().map(part).map(f64::from);
        let wins = per_deal(&deals, |round| Some(share(round.won)));
        let margin = per_deal(&deals, |round| score(round, |score| score.margin));
        let levels = per_deal(&deals, |round| score(round, |score| score.levels));
        let won = per_deal(&deals, |round| round.game.map(share));
        let mut forfeits = [Forfeits::default(), Forfeits::default()];
        let (mut times, mut opponent) = (Vec::new(), Vec::new());
        let (number, rounds) = (deals.len(), deals.iter().map(Vec::len).sum());
        for round in deals.into_iter().flatten() {
            if let Some((who, forfeit)) = &round.forfeit {
                forfeits[*who].add(forfeit);
            }
            for (side, refused) in forfeits.iter_mut().zip(&round.refused) {
                side.add_refused(refused);
            }
            times.extend(round.times);
            opponent.extend(round.opponent_times);
        }
        let [forfeits, opponent_forfeits] = forfeits;
        Self {
            deals: number,
            rounds,
            stopped,
            wins: Share::of(&wins),
            margin: (!margin.is_empty()).then(|| Mean::of(&margin)),
            levels: (!levels.is_empty()).then(|| Mean::of(&levels)),
            games: games.then(|| Share::of(&won)),
            forfeits,
            opponent_forfeits,
            time: Times::of(times),
            opponent_time: Times::of(opponent),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stopped = if self.stopped { ", stopped early" } else { "" };
        writeln!(
            f,
            "  {} rounds on {} deals{stopped} (95 % intervals, over deals)",
            self.rounds, self.deals
        )?;
        writeln!(f, "  rounds won    {}", self.wins)?;
        if let (Some(margin), Some(levels)) = (self.margin, self.levels) {
            let Mean { mean, error } = margin;
            writeln!(f, "  point margin  {mean:+6.2} ± {error:.2} a round")?;
            let Mean { mean, error } = levels;
            writeln!(f, "  levels        {mean:+6.3} ± {error:.3} a round")?;
        }
        if let Some(games) = self.games {
            writeln!(f, "  games won     {games}")?;
        }
        self.forfeits.write(f, "player")?;
        self.opponent_forfeits.write(f, "opponent")?;
        for (name, times) in [("player", self.time), ("opponent", self.opponent_time)] {
            writeln!(
                f,
                "  {name:<8} time a decision: p50 {:.3} ms, p99 {:.3} ms, max {:.3} ms ({} decisions)",
                times.p50, times.p99, times.max, times.decisions
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_sweep_is_not_certain() {
        let sweep = Share::of(&[1.0; 19]);
        assert!((sweep.mean - 100.0).abs() < 1e-9 && (sweep.high - 100.0).abs() < 1e-9);
        // 1 / (1 + 1.96² / 19)
        assert!((sweep.low - 83.18).abs() < 0.01, "{sweep}");
        let none = Share::of(&[0.0; 19]);
        assert!((none.high - 16.82).abs() < 0.01, "{none}");
    }

    #[test]
    fn in_the_middle_it_is_the_normal_interval() {
        let deals: Vec<f64> = (0..1000).map(|n| f64::from(n % 2)).collect();
        let share = Share::of(&deals);
        let half = 196.0 * (0.25_f64 / 999.0).sqrt();
        assert!((share.mean - 50.0).abs() < 1e-9);
        assert!((share.high - 50.0 - half).abs() < 0.01, "{share}");
        assert!((50.0 - share.low - half).abs() < 0.01, "{share}");
    }

    #[test]
    fn no_deal_tells_nothing() {
        let share = Share::of(&[]);
        assert!(share.mean.is_nan() && share.low < 0.1 && share.high > 99.9);
    }
}
