//! Steps a second of processor time in random legal play, on one thread: `cargo run --release -p convoy-encode --example throughput [games] [steps]`.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a report of rates for people"
)]

use convoy_encode::tractor::{CANDIDATES, Form, Options};
use convoy_encode::vector::{
    CotulenhBatch, CotulenhBuffers, StepError, TractorBatch, TractorBuffers,
};
use convoy_encode::{cotulenh as ctl, tractor};
use cotulenh::SplitMix64;

fn main() -> Result<(), StepError> {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|text| text.parse().unwrap_or(0));
    let games = numbers.next().unwrap_or(256).max(1);
    let steps = numbers.next().unwrap_or(1000);
    cotulenh_rate(games, steps)?;
    tractor_rate(games, steps, Form::Candidates)?;
    tractor_rate(games, steps, Form::CardByCard)
}

/// The processor time of this thread in seconds, which a busy machine does not spoil; where the system tells none, the time on the wall.
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told
        .split(' ')
        .next()
        .and_then(|text| text.parse::<u64>().ok());
    nanoseconds.map_or_else(
        || {
            std::time::UNIX_EPOCH
                .elapsed()
                .unwrap_or_default()
                .as_secs_f64()
        },
        |nanoseconds| nanoseconds as f64 / 1e9,
    )
}

fn report(what: &str, steps: usize, seconds: f64, ended: usize, bytes: usize) {
    let rate = steps as f64 / seconds / 1000.0;
    println!("{what:28} {rate:9.0} k/s   {ended} games ended, {bytes} bytes an observation");
}

fn cotulenh_rate(games: usize, steps: usize) -> Result<(), StepError> {
    const WIDTH: usize = 512;
    let mut batch = CotulenhBatch::new(games, 1);
    let mut observations = vec![0; games * ctl::OBSERVATION_LEN];
    let mut legal = vec![0; games * WIDTH];
    let (mut counts, mut rewards) = (vec![0; games], vec![0.0; 2 * games]);
    let (mut done, mut players) = (vec![0; games], vec![0; games]);
    let mut buffers = CotulenhBuffers {
        observations: &mut observations,
        legal: &mut legal,
        counts: &mut counts,
        mask: &mut [],
        rewards: &mut rewards,
        done: &mut done,
        players: &mut players,
    };
    let (mut rng, mut actions, mut ended) = (SplitMix64::new(7), vec![0; games], 0);
    batch.reset(&mut buffers)?;
    let begun = seconds();
    for _ in 0..steps {
        batch.sample(rng.next_u64(), &mut actions)?;
        batch.step(&actions, &mut buffers)?;
        ended += buffers
            .done
            .iter()
            .map(|done| usize::from(*done))
            .sum::<usize>();
    }
    let seconds = seconds() - begun;
    report(
        "cotulenh",
        games * steps,
        seconds,
        ended,
        ctl::OBSERVATION_LEN,
    );
    Ok(())
}

fn tractor_rate(games: usize, steps: usize, form: Form) -> Result<(), StepError> {
    let options = Options {
        form,
        ..Options::default()
    };
    let mut batch = TractorBatch::new(games, options, 7, 1);
    let mut observations = vec![0; games * tractor::OBSERVATION_LEN];
    let candidates = form == Form::Candidates;
    let (words, masked) = if candidates {
        (2 * CANDIDATES, 0)
    } else {
        (0, tractor::ACTIONS)
    };
    let (mut words, mut mask) = (vec![0; games * words], vec![0; games * masked]);
    let (mut counts, mut rewards) = (vec![0; games], vec![0.0; 4 * games]);
    let (mut points, mut done, mut players) = (vec![0; games], vec![0; games], vec![0; games]);
    let mut buffers = TractorBuffers {
        observations: &mut observations,
        candidates: &mut words,
        mask: &mut mask,
        counts: &mut counts,
        rewards: &mut rewards,
        points: &mut points,
        done: &mut done,
        players: &mut players,
    };
    let (mut rng, mut actions, mut ended) = (SplitMix64::new(7), vec![0; games], 0);
    batch.reset(&mut buffers)?;
    let begun = seconds();
    for _ in 0..steps {
        batch.sample(rng.next_u64(), &mut actions)?;
        batch.step(&actions, &mut buffers)?;
        ended += buffers
            .done
            .iter()
            .map(|done| usize::from(*done))
            .sum::<usize>();
    }
    let seconds = seconds() - begun;
    let what = if candidates {
        "tractor, candidates"
    } else {
        "tractor, card by card"
    };
    report(
        what,
        games * steps,
        seconds,
        ended,
        tractor::OBSERVATION_LEN,
    );
    Ok(())
}

#[test]
fn all_three_run() -> Result<(), StepError> {
    cotulenh_rate(2, 20)?;
    tractor_rate(2, 200, Form::Candidates)?;
    tractor_rate(2, 200, Form::CardByCard)
}
