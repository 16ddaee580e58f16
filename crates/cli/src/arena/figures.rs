//! What an arena measured: shares, means and their errors over deals.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// One round, as the player whose win rate is asked for sees it.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub(crate) won: bool,
    /// Points over 80 when attacking, points under 80 when defending.
    pub(crate) margin: i32,
    pub(crate) levels: Levels,
    /// Whether the player won the game that this round ended.
    pub(crate) game: Option<bool>,
    pub(crate) times: Vec<Duration>,
    pub(crate) opponent_times: Vec<Duration>,
}

/// Levels won, or lost below nought.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels(pub(crate) i32);

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

/// The figures of an arena.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figures {
    deals: usize,
    rounds: usize,
    /// The share of single rounds won, in percent.
    wins: Mean,
    /// Mean point margin a round.
    margin: Mean,
    /// Mean levels won less levels lost, a round.
    levels: Mean,
    /// The share of whole games won, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<Mean>,
    time: Times,
    opponent_time: Times,
}

impl Figures {
    #[allow(clippy::cast_precision_loss, reason = "numbers of rounds")]
    pub(crate) fn of(deals: Vec<Vec<Round>>, games: bool) -> Self {
        let per_deal = |value: &dyn Fn(&Round) -> f64| {
            let means: Vec<f64> = deals
                .iter()
                .map(|rounds| rounds.iter().map(value).sum::<f64>() / rounds.len() as f64)
                .collect();
            Mean::of(&means)
        };
        let percent = |won: bool| if won { 100.0 } else { 0.0 };
        let wins = per_deal(&|round| percent(round.won));
        let margin = per_deal(&|round| round.margin.into());
        let levels = per_deal(&|round| round.levels.0.into());
        let won: Vec<f64> = deals
            .iter()
            .map(|rounds| {
                let ends: Vec<f64> = rounds
                    .iter()
                    .filter_map(|round| round.game.map(percent))
                    .collect();
                ends.iter().sum::<f64>() / (ends.len() as f64).max(1.0)
            })
            .collect();
        let number = deals.len();
        let rounds = deals.iter().map(Vec::len).sum();
        let (mut times, mut opponent) = (Vec::new(), Vec::new());
        for round in deals.into_iter().flatten() {
            times.extend(round.times);
            opponent.extend(round.opponent_times);
        }
        Self {
            deals: number,
            rounds,
            wins,
            margin,
            levels,
            games: games.then(|| Mean::of(&won)),
            time: Times::of(times),
            opponent_time: Times::of(opponent),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {} rounds on {} deals (errors at 95 %, over deals)",
            self.rounds, self.deals
        )?;
        writeln!(
            f,
            "  rounds won    {:6.2} % ± {:.2}",
            self.wins.mean, self.wins.error
        )?;
        writeln!(
            f,
            "  point margin  {:+6.2} ± {:.2} a round",
            self.margin.mean, self.margin.error
        )?;
        writeln!(
            f,
            "  levels        {:+6.3} ± {:.3} a round",
            self.levels.mean, self.levels.error
        )?;
        if let Some(games) = self.games {
            writeln!(
                f,
                "  games won     {:6.2} % ± {:.2}",
                games.mean, games.error
            )?;
        }
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
