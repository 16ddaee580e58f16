//! Plays a network that `bindings/python/examples/dmc_tractor.py --export FILE` has written:
//! `cargo run --release -p convoy-encode --example network FILE [rounds]`.
//!
//! The network sits on seats 0 and 2; the others play any legal candidate. The file is little-endian: four `u32` (version of the
//! encoding, bytes of an observation, width, number of hidden layers) and then `f32`: a factor for each byte of the observation, the
//! matrix and bias for what is seen, the matrix for the cards, a matrix and bias for each hidden layer and for the result, and at last
//! the value of one example, by which the reader checks itself.
#![allow(clippy::print_stdout, reason = "a report for people")]

use std::io::{self, Read};

use convoy_encode::tractor::{CARD_BYTES, Env, OBSERVATION_LEN, Options, VERSION};
use cotulenh::SplitMix64;
use tractor::{RankedCards, Seat, Stage};

fn main() -> io::Result<()> {
    let mut words = std::env::args().skip(1);
    let Some(path) = words.next() else {
        return Err(io::Error::other(
            "which file? See the top of examples/network.rs",
        ));
    };
    let rounds = words
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(200);
    let network = Network::read(io::BufReader::new(std::fs::File::open(path)?))?;
    let mut rng = SplitMix64::new(1);
    let won = (0..rounds)
        .filter(|deal| network.wins(*deal, &mut rng))
        .count();
    println!("{won} of {rounds} rounds won against random plays");
    Ok(())
}

/// A matrix, one row for each output, and a bias.
struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    fn read(from: &mut impl Read, inputs: usize, outputs: usize) -> io::Result<Self> {
        Ok(Self {
            weights: floats(from, inputs * outputs)?,
            bias: floats(from, outputs)?,
        })
    }

    fn apply(&self, input: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(input.len());
        let dot = |row: &[f32]| row.iter().zip(input).map(|(w, x)| w * x).sum::<f32>();
        rows.zip(&self.bias)
            .map(|(row, bias)| dot(row) + bias)
            .collect()
    }
}

struct Network {
    scale: Vec<f32>,
    seen: Layer,
    cards: Layer,
    hidden: Vec<Layer>,
    worth: Layer,
}

impl Network {
    fn read(mut from: impl Read) -> io::Result<Self> {
        let [version, observation, width, hidden] = [(); 4].map(|()| integer(&mut from));
        let (version, observation) = (version?, observation?);
        if (version, observation as usize) != (VERSION, OBSERVATION_LEN) {
            return Err(io::Error::other(format!(
                "the network reads version {version} of the encoding with {observation} bytes, and this is version {VERSION} with {OBSERVATION_LEN}"
            )));
        }
        let (width, hidden) = (width? as usize, hidden? as usize);
        if width == 0 || width > 1 << 14 || hidden > 64 {
            return Err(io::Error::other(format!(
                "a network {width} wide with {hidden} hidden layers is not one of ours"
            )));
        }
        let network = Self {
            scale: floats(&mut from, OBSERVATION_LEN)?,
            seen: Layer::read(&mut from, OBSERVATION_LEN, width)?,
            cards: Layer {
                weights: floats(&mut from, CARD_BYTES * width)?,
                bias: vec![0.0; width],
            },
            hidden: (0..hidden)
                .map(|_| Layer::read(&mut from, width, width))
                .collect::<io::Result<_>>()?,
            worth: Layer::read(&mut from, width, 1)?,
        };
        network.check(floats(&mut from, 1)?[0])?;
        Ok(network)
    }

    /// Python's example: every seventh byte of the observation is 1, and every fifth of the cards.
    fn check(&self, expected: f32) -> io::Result<()> {
        let (mut seen, mut cards) = ([0; OBSERVATION_LEN], [0.0; CARD_BYTES]);
        seen.iter_mut().step_by(7).for_each(|byte| *byte = 1);
        cards.iter_mut().step_by(5).for_each(|card| *card = 1.0);
        let value = self.worth(&self.state(&seen), &cards);
        if (value - expected).abs() > 1e-3 * (1.0 + expected.abs()) {
            return Err(io::Error::other(format!(
                "the example is worth {value} here and {expected} where the network was trained"
            )));
        }
        Ok(())
    }

    /// The part of the first layer that all candidates of a seat share.
    fn state(&self, seen: &[u8]) -> Vec<f32> {
        let scaled = seen
            .iter()
            .zip(&self.scale)
            .map(|(byte, scale)| f32::from(*byte) * scale);
        self.seen.apply(&scaled.collect::<Vec<_>>())
    }

    /// What a play is worth.
    fn worth(&self, state: &[f32], cards: &[f32]) -> f32 {
        let mut values = self.cards.apply(cards);
        for (value, shared) in values.iter_mut().zip(state) {
            *value = (*value + shared).max(0.0);
        }
        for layer in &self.hidden {
            values = layer.apply(&values);
            for value in &mut values {
                *value = value.max(0.0);
            }
        }
        self.worth.apply(&values)[0]
    }

    /// The best candidate of the seat that is to act.
    fn choose(&self, env: &Env) -> usize {
        let mut seen = [0; OBSERVATION_LEN];
        env.observe(&mut seen);
        let state = self.state(&seen);
        let worths = env
            .candidates()
            .iter()
            .map(|cards| self.worth(&state, &inputs(*cards)));
        let best = worths.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(0, |(place, _)| place)
    }

    /// Whether seats 0 and 2 win a round.
    fn wins(&self, deal: u64, rng: &mut SplitMix64) -> bool {
        let mut env = Env::new(Options::default(), deal);
        while env.stage() != Stage::Over {
            let ours = env.player().index().is_multiple_of(2);
            let place = if ours {
                self.choose(&env)
            } else {
                rng.below(env.candidates().len())
            };
            let legal = i32::try_from(place).is_ok_and(|action| env.step(action).is_ok());
            assert!(legal, "a place in the list is legal");
        }
        env.reward(Seat::ALL[0]) > 0.0
    }
}

/// A candidate as the 128 inputs of docs/encodings.md.
fn inputs(cards: RankedCards) -> [f32; CARD_BYTES] {
    let words = [cards.any(), cards.pair()];
    std::array::from_fn(|at| {
        if words[at / 64] >> (at % 64) & 1 == 1 {
            1.0
        } else {
            0.0
        }
    })
}

fn integer(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn floats(from: &mut impl Read, count: usize) -> io::Result<Vec<f32>> {
    let mut bytes = vec![0; 4 * count];
    from.read_exact(&mut bytes)?;
    let words = bytes.as_chunks::<4>().0;
    Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network one wide without hidden layers: relu(seen bytes / 8 + cards) * 2 - 1.
    fn file(version: u32, example: f32) -> Vec<u8> {
        let numbers = [
            vec![0.125; OBSERVATION_LEN],
            vec![1.0; OBSERVATION_LEN],
            vec![0.0],
        ];
        let rest = [vec![1.0; CARD_BYTES], vec![2.0], vec![-1.0], vec![example]];
        let shape = [version, 1896, 1, 0].map(u32::to_le_bytes).concat();
        let layers = numbers.iter().chain(&rest).flatten();
        shape
            .into_iter()
            .chain(layers.flat_map(|x| x.to_le_bytes()))
            .collect()
    }

    /// 271 bytes of the observation are 1, and 26 of the cards.
    const EXAMPLE: f32 = 2.0 * (271.0 / 8.0 + 26.0) - 1.0;

    #[test]
    fn a_network_is_read_and_checked_by_its_example() {
        let network = Network::read(file(VERSION, EXAMPLE).as_slice()).expect("a network");
        let state = network.state(&[8; OBSERVATION_LEN]);
        assert_eq!(state, [1896.0]);
        let worth = network.worth(&[0.5], &[0.0; CARD_BYTES]);
        assert!((worth - 0.0).abs() < f32::EPSILON, "{worth}");
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused() {
        let refused = |bytes: &[u8]| Network::read(bytes).err().expect("no network").to_string();
        assert!(refused(&file(VERSION + 1, EXAMPLE)).contains("version 2"));
        assert!(refused(&file(VERSION, EXAMPLE + 1.0)).contains("the example is worth"));
        let whole = file(VERSION, EXAMPLE);
        assert!(refused(&whole[..whole.len() - 1]).contains("fill whole buffer"));
        assert!(refused(&[]).contains("fill whole buffer"));
    }

    #[test]
    fn a_network_plays_rounds_to_their_end() {
        let network = Network::read(file(VERSION, EXAMPLE).as_slice()).expect("a network");
        let results = |seed| {
            let mut rng = SplitMix64::new(seed);
            [1, 2, 3].map(|deal| network.wins(deal, &mut rng))
        };
        assert_eq!(results(7), results(7));
    }
}
