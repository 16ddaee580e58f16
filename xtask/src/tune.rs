//! `cargo xtask tune`: fits the values of the evaluation to the results of games.
//!
//! The value of a position is a weighted sum; a logistic curve makes it an expected score. The
//! weights descend along the gradient of the squared error against a blend of the game's result
//! and the score of the search, with a pull towards the values it began with that keeps rare terms from straying.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use cotulenh::Color;
use cotulenh_engine::{Evaluator, WEIGHTS, Weights};

use crate::selfplay::record::{LEN, Record, read_all};

/// Fit the values of the evaluation to positions of `selfplay`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of `selfplay`
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Values to begin with, instead of those built in
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The file to write
    #[arg(long, default_value = "crates/cotulenh-engine/src/eval/values.rs")]
    out: PathBuf,
    #[arg(long, default_value_t = 300)]
    epochs: usize,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// How much of the target is the game's result; the rest is the search's score
    #[arg(long, default_value_t = 0.6)]
    blend: f64,
    /// Positions with whole numbers divisible by this are held back to test with
    #[arg(long, default_value_t = 20)]
    test: usize,
    /// The pull towards the values to begin with
    #[arg(long, default_value_t = 3e-8)]
    decay: f64,
}

/// Values from a file, or those built in.
pub(crate) fn weights_from(path: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = path else {
        return Ok(Weights::default());
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse()
        .with_context(|| format!("{} holds no values", path.display()))
}

/// A position as the tuner sees it.
struct Sample {
    terms: Vec<(u16, i16)>,
    phase: f32,
    /// The search's score for red.
    score: f32,
    result: f32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let begin = weights_from(args.weights.as_deref())?;
    let samples = load(args, &Evaluator::new(&begin))?;
    let (test, train): (Vec<_>, Vec<_>) = samples
        .into_iter()
        .enumerate()
        .partition(|(at, _)| at % args.test.max(2) == 0);
    let [test, train] = [test, train].map(|part| {
        part.into_iter()
            .map(|(_, sample)| sample)
            .collect::<Vec<_>>()
    });
    if train.is_empty() {
        bail!("there is no position to learn from");
    }
    let mut weights: Vec<[f64; 2]> = begin.0.iter().map(|pair| pair.map(f64::from)).collect();
    let slope = fit_slope(&train, &weights);
    println!(
        "{} positions to learn from, {} to test; slope {slope:.5}",
        train.len(),
        test.len()
    );
    println!(
        "before: error {:.6}, in the test {:.6}",
        error(args, &train, &weights, slope),
        error(args, &test, &weights, slope)
    );
    descend(args, &train, &test, &mut weights, slope);
    println!(
        "after: error {:.6}, in the test {:.6}",
        error(args, &train, &weights, slope),
        error(args, &test, &weights, slope)
    );
    let mut tuned = begin;
    for (pair, fitted) in tuned.0.iter_mut().zip(&weights) {
        #[allow(clippy::cast_possible_truncation, reason = "clamped")]
        let rounded = fitted.map(|value| value.round().clamp(-3000.0, 3000.0) as i16);
        *pair = rounded;
    }
    std::fs::write(&args.out, tuned.source())
        .with_context(|| format!("cannot write {}", args.out.display()))
}

fn load(args: &Args, evaluator: &Evaluator) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in &args.data {
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let records =
            read_all(&bytes).with_context(|| format!("bad positions: {}", path.display()))?;
        let share = records.len().div_ceil(args.concurrency.max(1)).max(1);
        let parts: Vec<_> = std::thread::scope(|scope| {
            let work = records.chunks(share).map(|part| {
                scope.spawn(move || {
                    part.iter()
                        .map(|record| read(record, evaluator))
                        .collect::<anyhow::Result<Vec<_>>>()
                })
            });
            let work: Vec<_> = work.collect();
            work.into_iter()
                .map(std::thread::ScopedJoinHandle::join)
                .collect()
        });
        for part in parts {
            let Ok(part) = part else {
                bail!("a reader of {} broke down", path.display());
            };
            samples.extend(part?);
        }
    }
    Ok(samples)
}

fn read(bytes: &[u8; LEN], evaluator: &Evaluator) -> anyhow::Result<Sample> {
    let record = Record::unpack(bytes)?;
    let (terms, phase) = evaluator.terms(&record.position);
    let (mut score, mut result) = (f32::from(record.score), f32::from(record.result) / 2.0);
    if record.position.turn() == Color::Blue {
        (score, result) = (-score, 1.0 - result);
    }
    Ok(Sample {
        terms,
        phase,
        score,
        result,
    })
}

impl Sample {
    fn value(&self, weights: &[[f64; 2]]) -> f64 {
        let phase = f64::from(self.phase);
        let term = |(at, count): &(u16, i16)| {
            let [early, late] = weights[usize::from(*at)];
            f64::from(*count) * (early * phase + late * (1.0 - phase))
        };
        self.terms.iter().map(term).sum()
    }

    fn target(&self, blend: f64, slope: f64) -> f64 {
        blend * f64::from(self.result) + (1.0 - blend) * sigmoid(slope * f64::from(self.score))
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[allow(clippy::cast_precision_loss, reason = "counts of positions")]
fn error(args: &Args, samples: &[Sample], weights: &[[f64; 2]], slope: f64) -> f64 {
    let share = samples.len().div_ceil(args.concurrency.max(1)).max(1);
    let sum: f64 = std::thread::scope(|scope| {
        let parts: Vec<_> = samples
            .chunks(share)
            .map(|part| {
                scope.spawn(move || {
                    let miss = |sample: &Sample| {
                        let value = sigmoid(slope * sample.value(weights));
                        (value - sample.target(args.blend, slope)).powi(2)
                    };
                    part.iter().map(miss).sum::<f64>()
                })
            })
            .collect();
        parts
            .into_iter()
            .map(|part| part.join().unwrap_or(f64::NAN))
            .sum()
    });
    sum / samples.len().max(1) as f64
}

/// The slope of the logistic curve under which the values at hand err least about results.
fn fit_slope(samples: &[Sample], weights: &[[f64; 2]]) -> f64 {
    let values: Vec<(f64, f64)> = samples
        .iter()
        .map(|sample| (sample.value(weights), f64::from(sample.result)))
        .collect();
    let miss = |slope: f64| {
        values
            .iter()
            .map(|(value, result)| (sigmoid(slope * value) - result).powi(2))
            .sum::<f64>()
    };
    let slopes = (1..=60).map(|step| f64::from(step) * 0.0002);
    slopes
        .min_by(|a, b| miss(*a).total_cmp(&miss(*b)))
        .unwrap_or(0.004)
}

/// Adam over all positions at once.
#[allow(clippy::cast_precision_loss, reason = "counts of positions")]
fn descend(
    args: &Args,
    train: &[Sample],
    test: &[Sample],
    weights: &mut Vec<[f64; 2]>,
    slope: f64,
) {
    let mut first = vec![[0.0; 2]; WEIGHTS];
    let mut second = vec![[0.0; 2]; WEIGHTS];
    let begin = weights.clone();
    let share = train.len().div_ceil(args.concurrency.max(1)).max(1);
    for epoch in 1..=args.epochs {
        let shown = &*weights;
        let parts: Vec<Vec<[f64; 2]>> = std::thread::scope(|scope| {
            let work: Vec<_> = train
                .chunks(share)
                .map(|part| scope.spawn(move || gradient(args, part, shown, slope)))
                .collect();
            work.into_iter()
                .filter_map(|part| part.join().ok())
                .collect()
        });
        let rate = 4.0
            * if epoch > args.epochs * 2 / 3 {
                0.25
            } else {
                1.0
            };
        for at in 0..WEIGHTS {
            for half in 0..2 {
                let pull = args.decay * (weights[at][half] - begin[at][half]);
                let sum: f64 = parts.iter().map(|part| part[at][half]).sum();
                let slope = sum / train.len() as f64 + pull;
                first[at][half] = 0.9 * first[at][half] + 0.1 * slope;
                second[at][half] = 0.999 * second[at][half] + 0.001 * slope * slope;
                let epoch = i32::try_from(epoch).unwrap_or(i32::MAX);
                let mean = first[at][half] / (1.0 - 0.9_f64.powi(epoch));
                let spread = second[at][half] / (1.0 - 0.999_f64.powi(epoch));
                weights[at][half] -= rate * mean / (spread.sqrt() + 1e-9);
            }
        }
        if epoch % 50 == 0 {
            println!(
                "epoch {epoch}: error {:.6}, in the test {:.6}",
                error(args, train, weights, slope),
                error(args, test, weights, slope)
            );
        }
    }
}

fn gradient(args: &Args, samples: &[Sample], weights: &[[f64; 2]], slope: f64) -> Vec<[f64; 2]> {
    let mut gradient = vec![[0.0; 2]; WEIGHTS];
    for sample in samples {
        let value = sigmoid(slope * sample.value(weights));
        let pull = 2.0 * (value - sample.target(args.blend, slope)) * value * (1.0 - value) * slope;
        let phase = f64::from(sample.phase);
        for (at, count) in &sample.terms {
            let [early, late] = &mut gradient[usize::from(*at)];
            *early += pull * f64::from(*count) * phase;
            *late += pull * f64::from(*count) * (1.0 - phase);
        }
    }
    gradient
}
