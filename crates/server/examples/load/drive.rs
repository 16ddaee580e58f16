//! Many games at once, and what came of them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, Fault, Socket, some_turn};

/// How much, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) games: usize,
    /// From one move of a game to the next.
    pub(crate) pace: Duration,
    pub(crate) time: Duration,
}

/// What was measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// From sending a move to its echo, in microseconds.
    pub(crate) echoes: Vec<u64>,
    pub(crate) moves: usize,
    pub(crate) games: usize,
    pub(crate) faults: Vec<String>,
}

impl Report {
    /// The echo that so many of a hundred stayed under, in milliseconds.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a percentile is read to three digits"
    )]
    pub(crate) fn percentile(&self, of_hundred: f64) -> f64 {
        let mut sorted = self.echoes.clone();
        sorted.sort_unstable();
        let index = (sorted.len() as f64 * of_hundred / 100.0) as usize;
        let micros = sorted.get(index.min(sorted.len().saturating_sub(1)));
        micros.map_or(0.0, |micros| *micros as f64 / 1000.0)
    }
}

/// Plays all games, and checks at the end that nothing was lost.
pub(crate) async fn drive(address: SocketAddr, plan: Plan) -> Report {
    let tasks: Vec<_> = (0..plan.games)
        .map(|number| tokio::spawn(seat_two(address, number, plan)))
        .collect();
    let mut report = Report::default();
    for task in tasks {
        match task.await {
            Ok(Ok(part)) => {
                report.echoes.extend(part.echoes);
                report.moves += part.moves;
                report.games += part.games;
            }
            Ok(Err(fault)) => report.faults.push(fault.to_string()),
            Err(fault) => report.faults.push(fault.to_string()),
        }
    }
    report
}

/// Two people who play game after game until the time is over.
async fn seat_two(address: SocketAddr, number: usize, plan: Plan) -> Result<Report, Fault> {
    // Not all at once: people come one after the other.
    let turn = u32::try_from(number * 1000 / plan.games)?;
    tokio::time::sleep(plan.pace * 5 * turn / 1000).await;
    let (red, blue) = (Client::new(address).await?, Client::new(address).await?);
    let mut report = Report::default();
    let mut seed = number as u64 + 1;
    let end = Instant::now() + plan.time;
    while Instant::now() < end {
        let wish = json!({ "opponent": "friend", "color": "r", "minutes": 60 });
        let table = red.open(&wish).await?;
        blue.sit(&table).await?;
        let mut sockets = [
            red.join(&table, None).await?,
            blue.join(&table, None).await?,
        ];
        play(&mut sockets, plan, end, &mut seed, &mut report).await?;
        let kept = red.view(&table).await?;
        for socket in &sockets {
            for field in ["seq", "fen", "turns", "outcome"] {
                if kept[field] != socket.view[field] {
                    return Err(format!("{table}: {field} was lost").into());
                }
            }
        }
        report.games += 1;
    }
    Ok(report)
}

async fn play(
    sockets: &mut [Socket; 2],
    plan: Plan,
    end: Instant,
    seed: &mut u64,
    report: &mut Report,
) -> Result<(), Fault> {
    let mut tick = tokio::time::interval(plan.pace);
    while Instant::now() < end && sockets[0].view["outcome"].is_null() {
        tick.tick().await;
        let mover = usize::from(sockets[0].view["turn"] == "b");
        let fen = sockets[mover].view["fen"].as_str().unwrap_or("");
        let lan = some_turn(fen, seed)?;
        let seq = sockets[mover].seq() + 1;
        let sent = Instant::now();
        sockets[mover].act("move", json!({ "move": lan })).await?;
        sockets[mover].until_seq(seq).await?;
        report
            .echoes
            .push(u64::try_from(sent.elapsed().as_micros())?);
        sockets[1 - mover].until_seq(seq).await?;
        report.moves += 1;
        let told: Option<&Value> = sockets[mover].view["turns"]
            .as_array()
            .and_then(|t| t.last());
        if told.is_none_or(|turn| turn["lan"] != lan) {
            return Err(format!("{lan} came back as {told:?}").into());
        }
    }
    Ok(())
}
