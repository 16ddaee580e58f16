use cotulenh::{Setup, SplitMix64};
use proptest::prelude::*;

use super::check::crc32;
use super::*;

/// The bytes of a network with weights by chance, of a size that leaves no term out.
fn file(hidden: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut chance = |most: i64| {
        state = SplitMix64::mix(state);
        i64::try_from(state >> 40).unwrap_or(0) % (2 * most + 1) - most
    };
    let mut bytes = MAGIC.to_vec();
    for size in [hidden, FEATURES, BUCKETS, 300] {
        bytes.extend(u32::try_from(size).expect("small").to_le_bytes());
    }
    let shorts = [
        (FEATURES * hidden, 60),
        (hidden, 100),
        (BUCKETS * 2 * hidden, 127),
    ];
    for (len, most) in shorts {
        for _ in 0..len {
            bytes.extend(i16::try_from(chance(most)).expect("small").to_le_bytes());
        }
    }
    for _ in 0..BUCKETS {
        bytes.extend(i32::try_from(chance(9_000)).expect("small").to_le_bytes());
    }
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

fn net(hidden: usize) -> Net {
    Net::from_bytes(&file(hidden, 5)).expect("a lawful file")
}

/// Plain arithmetic over the pieces, as the module's description has it.
fn reckoned(net: &Net, position: &Position) -> i32 {
    let layer = |view: Color| {
        let mut layer: Vec<i64> = net.biases.iter().map(|bias| i64::from(*bias)).collect();
        for (square, stack) in position.stacks() {
            for piece in stack.pieces() {
                let side = usize::from(piece.color != view);
                let kind = 2 * piece.role.index() + usize::from(piece.heroic);
                let row = match view {
                    Color::Red => 11 - usize::from(square.rank()),
                    Color::Blue => usize::from(square.rank()),
                };
                let at = (side * 22 + kind) * 132 + row * 11 + usize::from(square.file());
                for (value, weight) in layer.iter_mut().zip(&net.rows[at * net.hidden..]) {
                    *value += i64::from(*weight);
                }
            }
        }
        layer
    };
    let pieces: usize = position.stacks().map(|(_, stack)| stack.len()).sum();
    let bucket = (pieces.saturating_sub(2) / 5).min(7);
    let (own, other) = (layer(position.turn()), layer(!position.turn()));
    let weights = &net.out[bucket * 2 * net.hidden..];
    let terms = own.iter().chain(&other).zip(weights);
    let sum: i64 = terms
        .map(|(value, weight)| value.clamp(&0, &255).pow(2) * i64::from(*weight))
        .sum();
    let sum = (sum + i64::from(net.out_biases[bucket]) * 255) * i64::from(net.scale);
    i32::try_from(sum / (255 * 255 * 64)).expect("a score")
}

fn cases() -> ProptestConfig {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    ProptestConfig::with_cases(if deep { 1_000 } else { 24 })
}

proptest! {
    #![proptest_config(cases())]

    /// Layers kept along a wandering path are those made anew, whatever came before.
    #[test]
    fn kept_layers_are_those_made_anew(seed: u64) {
        let net = net(64);
        let mut kept = Accumulators::new();
        let mut path = vec![Position::start()];
        let mut dice = seed;
        for turn in 0..120 {
            dice = SplitMix64::mix(dice);
            let chance = usize::try_from(dice >> 33).unwrap_or(0);
            let position = path.last().expect("never empty").clone();
            let mut next = position.clone();
            while next.turn() == position.turn() && next.outcome().is_none() {
                let moves = next.legal_moves();
                let lively: Vec<_> = moves.iter().filter(|mv| mv.is_capture() || mv.is_step()).collect();
                let mv = match lively.len() {
                    len if len > 0 && chance % 2 == 0 => *lively[chance / 2 % len],
                    _ => moves[chance % moves.len()],
                };
                next.play_unchecked(mv);
            }
            if next.outcome().is_some() || chance % 7 == 0 && path.len() > 3 {
                // Back some turns, as a search goes.
                let len = path.len();
                path.truncate((len - chance % 3).max(1));
                continue;
            }
            path.push(next.clone());
            if chance % 5 > 0 {
                let score = kept.evaluate(&net, &next, path.len() - 1);
                prop_assert_eq!(score, net.evaluate(&next), "{} {}", turn, &next);
                prop_assert_eq!(score, reckoned(&net, &next), "{}", &next);
            }
        }
    }
}

#[test]
fn both_sides_see_the_same_board() {
    let net = net(128);
    for fen in crate::BENCH_POSITIONS {
        let position: Position = fen.parse().expect("lawful");
        let flipped = Position::try_from(&Setup::from(&position).flipped()).expect("lawful");
        assert_eq!(net.evaluate(&position), net.evaluate(&flipped), "{fen}");
        assert_eq!(net.evaluate(&position), reckoned(&net, &position), "{fen}");
    }
}

#[test]
fn another_net_begins_anew() {
    let (one, two) = (net(128), net(256));
    let mut kept = Accumulators::new();
    let start = Position::start();
    kept.evaluate(&one, &start, 0);
    kept.clear();
    assert_eq!(kept.evaluate(&two, &start, 0), two.evaluate(&start));
}

#[test]
fn bad_files_are_refused_by_name() {
    let good = file(64, 1);
    assert!(Net::from_bytes(&good).is_ok());
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        Net::from_bytes(&bytes).expect_err("bad").to_string()
    };
    let len = good.len();
    assert_eq!(refused(&|b| b[7] = b'9'), "not a network of this version");
    assert_eq!(
        refused(&|b| b[8] = 65),
        "hidden values: 65 is not supported"
    );
    assert_eq!(refused(&|b| b[12] ^= 1), "features: 5809 is not supported");
    assert_eq!(refused(&|b| b[16] = 9), "buckets: 9 is not supported");
    assert_eq!(refused(&|b| b[20..24].fill(0)), "scale: 0 is not supported");
    assert_eq!(
        refused(&|b| b.truncate(len - 1)),
        format!("{} bytes instead of {len}", len - 1)
    );
    assert_eq!(
        refused(&|b| b.push(0)),
        format!("{} bytes instead of {len}", len + 1)
    );
    assert_eq!(
        refused(&|b| b[26..28].copy_from_slice(&900_i16.to_le_bytes())),
        "feature weight 1 is out of range: 900"
    );
    assert_eq!(
        refused(&|b| b[24] ^= 1),
        "the checksum does not match: the file is damaged"
    );
    for len in 0..60 {
        assert!(Net::from_bytes(&good[..len]).is_err());
    }
}

/// The trainer worked the scores out in whole numbers when it wrote the file.
#[test]
fn the_network_built_in_gives_the_scores_of_its_trainer() {
    let net = Net::standard();
    let lines = include_str!("../../data/default.check").lines();
    let mut seen = 0;
    for line in lines {
        let (fen, score) = line.split_once(';').expect("FEN;score");
        let position: Position = fen.parse().expect("lawful");
        assert_eq!(Ok(net.evaluate(&position)), score.parse(), "{fen}");
        seen += 1;
    }
    assert!(seen >= 50, "only {seen} scores");
}
