//! Ratings of solvers and of puzzles by Glicko-2: an attempt is a game of the solver against the puzzle.
//!
//! The steps are those of Mark Glickman's description of the system.

use std::f64::consts::PI;

use crate::Difficulty;

/// How much volatility may change: the system's constant.
const TAU: f64 = 0.5;
/// Ratings are computed on another scale, around zero.
const SCALE: f64 = 173.717_8;
/// Where the search for the volatility ends.
const PRECISION: f64 = 0.000_001;

/// A rating, how far it may be off, and how erratic its holder is.
///
/// ```
/// use convoy_puzzles::Rating;
/// let (solver, puzzle) = (Rating::NEW, Rating::NEW);
/// let after = solver.after(&[(puzzle, 1.0)]);
/// assert!(after.rating > solver.rating && after.deviation < solver.deviation);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The rating; 1500 is the middle.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// The volatility.
    pub volatility: f64,
}

impl Rating {
    /// The rating of somebody about whom nothing is known.
    pub const NEW: Self = Self {
        rating: 1500.0,
        deviation: 350.0,
        volatility: 0.06,
    };

    /// The least deviation: nobody's strength is known exactly, and ratings must be able to follow it.
    pub const LEAST_DEVIATION: f64 = 45.0;

    /// From this deviation on a rating says too little to be told without a question mark, or at all.
    pub const PROVISIONAL_DEVIATION: f64 = 110.0;

    /// Whether too few games have been played for the rating to be settled.
    ///
    /// ```
    /// use convoy_puzzles::Rating;
    /// let settled = Rating { deviation: 80.0, ..Rating::NEW };
    /// assert!(Rating::NEW.is_provisional() && !settled.is_provisional());
    /// ```
    pub fn is_provisional(&self) -> bool {
        self.deviation >= Self::PROVISIONAL_DEVIATION
    }

    /// What a puzzle begins with, by what the engine finds of it.
    ///
    /// ```
    /// use convoy_puzzles::{Difficulty, Rating};
    /// assert!(Rating::of_puzzle(Difficulty::Easy).rating < Rating::of_puzzle(Difficulty::Hard).rating);
    /// ```
    pub const fn of_puzzle(difficulty: Difficulty) -> Self {
        let rating = match difficulty {
            Difficulty::Easy => 1200.0,
            Difficulty::Medium => 1500.0,
            Difficulty::Hard => 1800.0,
        };
        Self {
            rating,
            deviation: 200.0,
            ..Self::NEW
        }
    }

    /// The rating after games of one period: the opponents, and 1 for a win, 0 for a loss, ½ for a draw.
    #[must_use]
    pub fn after(self, games: &[(Self, f64)]) -> Self {
        if games.is_empty() {
            return self;
        }
        let (mu, phi) = ((self.rating - 1500.0) / SCALE, self.deviation / SCALE);
        let (mut inverse_variance, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let mu_of = (opponent.rating - 1500.0) / SCALE;
            let phi_of = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * phi_of.powi(2) / PI.powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - mu_of)).exp());
            inverse_variance += g.powi(2) * expected * (1.0 - expected);
            surprise += g * (score - expected);
        }
        let variance = 1.0 / inverse_variance;
        let volatility = volatility(phi, self.volatility, variance, variance * surprise);
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / before.powi(2) + inverse_variance).sqrt();
        Self {
            rating: SCALE * (mu + phi.powi(2) * surprise) + 1500.0,
            deviation: (SCALE * phi).clamp(Self::LEAST_DEVIATION, Self::NEW.deviation),
            volatility,
        }
    }
}

/// The new volatility, by the Illinois variant of the false position.
fn volatility(phi: f64, sigma: f64, variance: f64, delta: f64) -> f64 {
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi.powi(2) + variance + e;
        e * (delta.powi(2) - sum) / (2.0 * sum.powi(2)) - (x - a) / TAU.powi(2)
    };
    let mut low = a;
    let mut high = if delta.powi(2) > phi.powi(2) + variance {
        (delta.powi(2) - phi.powi(2) - variance).ln()
    } else {
        let steps = (1..100).map(|k| a - f64::from(k) * TAU);
        steps.into_iter().find(|x| f(*x) >= 0.0).unwrap_or(a - TAU)
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..100 {
        if (high - low).abs() <= PRECISION {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rating: f64, deviation: f64) -> Rating {
        Rating {
            rating,
            deviation,
            ..Rating::NEW
        }
    }

    /// The example of Glickman's description.
    #[test]
    fn the_published_example_comes_out() {
        let games = [
            (of(1400.0, 30.0), 1.0),
            (of(1550.0, 100.0), 0.0),
            (of(1700.0, 300.0), 0.0),
        ];
        let after = of(1500.0, 200.0).after(&games);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_01, "{after:?}");
    }

    #[test]
    fn ratings_stay_finite_and_find_the_strength_of_their_holder() {
        let (mut solver, mut puzzle) = (Rating::NEW, Rating::of_puzzle(Difficulty::Hard));
        for _ in 0..500 {
            let before = solver;
            solver = solver.after(&[(puzzle, 1.0)]);
            puzzle = puzzle.after(&[(before, 0.0)]);
            assert!(solver.rating.is_finite() && puzzle.rating.is_finite());
        }
        assert!(
            solver.rating > puzzle.rating + 400.0,
            "{solver:?} {puzzle:?}"
        );
        assert!((Rating::LEAST_DEVIATION..=350.0).contains(&solver.deviation));
        assert_eq!(solver.after(&[]), solver);
    }

    #[test]
    fn some_dozen_attempts_settle_a_rating_for_good() {
        let (solver, puzzle) = (Rating::NEW, Rating::of_puzzle(Difficulty::Medium));
        for (mut own, other, expected) in [(solver, puzzle, 14), (puzzle, solver, 18)] {
            let mut settled = None;
            for attempt in 1..=100 {
                own = own.after(&[(other, f64::from(attempt % 2))]);
                if own.is_provisional() {
                    assert_eq!(settled, None);
                } else {
                    settled.get_or_insert(attempt);
                }
            }
            assert_eq!(settled, Some(expected));
        }
    }
}
