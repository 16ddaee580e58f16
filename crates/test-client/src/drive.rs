//! Many games at once, and what came of them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::boards::{self, Played};
use crate::cards;
use crate::client::Fault;

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    /// Cờ Tư Lệnh, two sockets a table.
    Boards,
    /// Tractor, four sockets a table.
    Cards,
}

/// How much, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub game: Game,
    pub games: usize,
    /// From one move of a game to the next.
    pub pace: Duration,
    /// How long each table plays at least.
    pub time: Duration,
    /// How many moves each table makes at least, however long that takes.
    pub moves: usize,
    /// When it all began.
    pub begun: Instant,
}

impl Plan {
    /// Whether a table that began then and has made so many moves goes on.
    pub fn goes_on(&self, begun: Instant, moves: usize) -> bool {
        begun.elapsed() < self.time || moves < self.moves
    }

    /// Waits for a table's turn to begin: people come one after the other, not all at once.
    pub async fn come(&self, number: usize) {
        let share = u32::try_from(number * 1000 / self.games).unwrap_or(0);
        tokio::time::sleep(self.all_come() * share / 1000).await;
    }

    /// When everybody has come, from the beginning on.
    pub fn all_come(&self) -> Duration {
        self.pace * 5
    }
}

/// One action, from being sent to its echo.
#[derive(Debug, Clone, Copy)]
pub struct Echo {
    /// When it was sent, from the beginning of the run.
    pub at: Duration,
    pub micros: u64,
    /// Whether it went over another node.
    pub is_far: bool,
}

/// What was measured.
#[derive(Debug, Default)]
pub struct Report {
    pub echoes: Vec<Echo>,
    pub moves: usize,
    /// Games of Cờ Tư Lệnh, rounds of Tractor.
    pub games: usize,
    /// The games of Cờ Tư Lệnh, to be played again by the rules.
    pub played: Vec<Played>,
    /// Declarations and throws, at card tables.
    pub declared: usize,
    pub thrown: usize,
    /// What was sent against the rules and refused, as it must be.
    pub refused: usize,
    pub faults: Vec<String>,
}

impl Report {
    /// Notes the echo of an action that was sent at `sent`, over another node or not.
    pub fn echo(&mut self, plan: Plan, sent: Instant, is_far: bool) {
        self.echoes.push(Echo {
            at: sent.duration_since(plan.begun),
            micros: u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX),
            is_far,
        });
        self.moves += 1;
    }

    /// The times of some of the echoes.
    pub fn times(&self, keep: impl Fn(&Echo) -> bool) -> Times {
        let kept = self.echoes.iter().filter(|echo| keep(echo));
        let mut micros: Vec<u64> = kept.map(|echo| echo.micros).collect();
        micros.sort_unstable();
        Times(micros)
    }

    /// The seconds of the run with the slowest echoes: second, slowest in milliseconds, how many
    /// were slower than a tenth of a second, of how many.
    pub fn slowest(&self) -> Vec<(u64, u64, usize, usize)> {
        let mut seconds = std::collections::BTreeMap::<u64, (u64, usize, usize)>::new();
        for echo in &self.echoes {
            let second = seconds.entry(echo.at.as_secs()).or_default();
            second.0 = second.0.max(echo.micros / 1000);
            second.1 += usize::from(echo.micros > 100_000);
            second.2 += 1;
        }
        let rows = seconds.into_iter();
        let mut rows: Vec<_> = rows
            .map(|(at, (slowest, slow, all))| (at, slowest, slow, all))
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        rows.truncate(8);
        rows
    }

    fn add(&mut self, part: Self) {
        self.echoes.extend(part.echoes);
        self.moves += part.moves;
        self.games += part.games;
        self.played.extend(part.played);
        self.declared += part.declared;
        self.thrown += part.thrown;
        self.refused += part.refused;
    }
}

/// How long echoes took, in microseconds, the shortest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Times(Vec<u64>);

impl Times {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The time that so many of a hundred stayed under, in milliseconds.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a percentile is read to three digits"
    )]
    pub fn percentile(&self, of_hundred: f64) -> f64 {
        let index = (self.0.len() as f64 * of_hundred / 100.0) as usize;
        let micros = self.0.get(index.min(self.0.len().saturating_sub(1)));
        micros.map_or(0.0, |micros| *micros as f64 / 1000.0)
    }
}

/// The nodes that people come to, one after the other.
#[derive(Debug, Clone)]
pub struct Nodes(pub Vec<SocketAddr>);

impl Nodes {
    /// Where the person of a number comes to.
    pub fn address(&self, person: usize) -> SocketAddr {
        self.0[person % self.0.len()]
    }
}

/// Plays all games, the people of each at different nodes where there are several, and checks at the
/// end that nothing was lost.
pub async fn drive(nodes: &Nodes, plan: Plan) -> Report {
    let tasks: Vec<_> = (0..plan.games)
        .map(|number| tokio::spawn(seat(nodes.clone(), number, plan)))
        .collect();
    let mut report = Report::default();
    for task in tasks {
        match task.await {
            Ok(Ok(part)) => report.add(part),
            Ok(Err(fault)) => report.faults.push(fault.to_string()),
            Err(fault) => report.faults.push(fault.to_string()),
        }
    }
    // When all is measured, and no echo can be slowed by it.
    let faults = report.played.iter().filter_map(|game| game.check().err());
    let faults: Vec<String> = faults.map(|fault| fault.to_string()).collect();
    report.faults.extend(faults);
    report
}

async fn seat(nodes: Nodes, number: usize, plan: Plan) -> Result<Report, Fault> {
    match plan.game {
        Game::Boards => boards::seat_two(&nodes, number, plan).await,
        Game::Cards => cards::seat_four(&nodes, number, plan).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_echoes_that_are_asked_for() {
        let echo = |number: u64| Echo {
            at: Duration::from_secs(number),
            micros: 1000 * (100 - number),
            is_far: number % 2 == 1,
        };
        let report = Report {
            echoes: (0..100).map(echo).collect(),
            ..Report::default()
        };
        let all = report.times(|_| true);
        assert_eq!(all.count(), 100);
        let at = |of_hundred: f64| format!("{:.0}", all.percentile(of_hundred));
        assert_eq!([0.0, 50.0, 99.0, 100.0].map(at), ["1", "51", "100", "100"]);
        let far = report.times(|echo| echo.is_far && echo.at < Duration::from_secs(10));
        assert_eq!(far, Times(vec![91_000, 93_000, 95_000, 97_000, 99_000]));
        assert_eq!(report.times(|_| false).percentile(99.0).to_string(), "0");
    }
}
