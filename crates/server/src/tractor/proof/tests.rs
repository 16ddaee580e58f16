//! What a file shows, and what nobody can alter in it.

mod dishonest;
mod forged;

use tractor::{Deal, Deck, Event, Phase, Record, Round, Rules, Setup, View};

use super::*;
use crate::tractor::shuffle::{Bits, seat_hash};

/// The table of these tests.
pub(super) const TABLE: &str = "0123456789ab";

/// What a seat does in an attempt of these tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Adds(Bits),
    /// Commits to these bits and does not reveal them.
    Withholds(Bits),
    Bot,
    Absent,
}

pub(super) fn setup() -> Setup {
    let rules = Rules {
        take_back: true,
        ..Rules::DEFAULT
    };
    Setup::first(rules)
}

/// An attempt in which the seats do this.
pub(super) fn attempt(context: &AttemptContext<'_>, draw: Draw, seats: [Does; 4]) -> Attempt {
    let mut attempt = Attempt::new(context, draw);
    for (seat, does) in (0..).zip(seats) {
        if let Does::Adds(bits) | Does::Withholds(bits) = does {
            let hash = seat_hash(&attempt.server, seat, &bits);
            attempt.commit(seat, hash).unwrap();
        }
    }
    attempt
        .fix_roster(seats.map(|does| does == Does::Bot))
        .unwrap();
    for (seat, does) in (0..).zip(seats) {
        if let Does::Adds(bits) = does {
            attempt.reveal(seat, bits).unwrap();
        }
    }
    attempt
}

/// The first legal thing that the seat to act can do.
pub(super) fn some_event(round: &Round) -> Option<Event> {
    let seat = round.turn()?;
    let view = View::of(round, Some(seat));
    if let Phase::Burying(_) = round.phase() {
        let cards = view.hand.iter().take(8).collect();
        return Some(Event::Bury { seat, cards });
    }
    let judge = view.judge();
    let hand = judge.ranked(view.hand.faces());
    let play = match view.lead(&judge) {
        Some(lead) => judge.duty(&lead, hand).plays().next()?,
        None => judge.straight_leads(hand).next()?,
    };
    let cards = view.hand.pick(judge.faces(play))?;
    Some(Event::Play { seat, cards })
}

/// A whole round from these attempts, in which the first lead is taken back once.
pub(super) fn play(setup: Setup, table: &str, attempts: &[Attempt]) -> Proof {
    let seed = attempts.last().unwrap().seed().unwrap();
    let mut round = Round::new(setup, Deck::of(&seed, setup.number));
    round.apply(Event::Deal { count: 100 }).unwrap();
    round.apply(Event::Close).unwrap();
    let mut tookback = false;
    while let Some(event) = some_event(&round) {
        let seat = event.seat().unwrap();
        let led = matches!(event, Event::Play { .. });
        round.apply(event).unwrap();
        if led && !tookback && setup.rules.take_back {
            tookback = true;
            round.apply(Event::TakeBack { seat }).unwrap();
        }
    }
    let record = Record {
        deal: Deal::Seed(seed),
        ..Record::of(&round)
    };
    Proof::of(&table.parse().unwrap(), attempts, &record, &round).unwrap()
}

pub(super) const DRAW: Draw = Draw {
    secret: [0x5a; 32],
    salt: [0x11; 16],
};

/// A round that took two attempts: seat 2 withheld its bits in the first.
pub(super) fn proof() -> Proof {
    let setup = setup();
    let context = |attempt| AttemptContext {
        table: TABLE,
        setup: &setup,
        attempt,
    };
    let first = [
        Does::Adds([1; 32]),
        Does::Bot,
        Does::Withholds([2; 32]),
        Does::Absent,
    ];
    let second = [
        Does::Adds([3; 32]),
        Does::Bot,
        Does::Absent,
        Does::Adds([4; 32]),
    ];
    let other = Draw {
        secret: [0x77; 32],
        ..DRAW
    };
    let attempts = [
        attempt(&context(1), DRAW, first),
        attempt(&context(2), other, second),
    ];
    play(setup, TABLE, &attempts)
}

/// What seat 0 kept of that round.
pub(super) fn receipt(proof: &Proof) -> Receipt {
    Receipt {
        commitment: Some(proof.attempts[1].roster.clone()),
        mine: Some((0, hex(&[3; 32]))),
        record: Some(proof.record_hash.clone()),
    }
}

#[test]
fn a_round_proves_itself() {
    let proof = proof();
    let json = serde_json::to_string(&proof).unwrap();
    let verified = verify(&json, &receipt(&proof)).unwrap();
    assert_eq!(verified.promise, Promise::CommitReveal);
    assert_eq!((verified.contributions, verified.voided), (2, 1));
    assert_eq!(verified.table.as_deref(), Some(TABLE));
    assert!(json.len() < 32 * 1024, "{} bytes", json.len());
}

#[test]
fn what_was_kept_is_compared() {
    let proof = proof();
    let fault = |receipt: Receipt| proof.check(&receipt).unwrap_err();
    let receipt = receipt(&proof);
    let voided = Some(proof.attempts[0].roster.clone());
    let other = Receipt {
        commitment: voided,
        ..receipt.clone()
    };
    assert_eq!(fault(other), VerifyError::Commitment);
    for mine in [
        (0, hex(&[4; 32])),
        (1, hex(&[3; 32])),
        (2, hex(&[2; 32])),
        (9, hex(&[3; 32])),
    ] {
        let seat = mine.0;
        let other = Receipt {
            mine: Some(mine),
            ..receipt.clone()
        };
        assert_eq!(fault(other), VerifyError::Mine(seat));
    }
    let other = Receipt {
        record: Some(hex(&[0; 32])),
        ..receipt
    };
    assert_eq!(fault(other), VerifyError::RecordHash);
}

/// Files of format 1 say what they promise, and hold to it.
#[test]
fn an_old_file_is_verified_and_labelled() {
    let json = include_str!("../../../tests/data/format_1.round.json");
    let receipt = Receipt {
        commitment: Some(
            "8894b452d437b5d40fc658a8a0c3015710caa61659b0e80fd029ece6df923204".to_owned(),
        ),
        mine: Some((0, "000102030405060708090a0b0c0d0e0f".to_owned())),
        record: None,
    };
    let verified = verify(json, &receipt).unwrap();
    assert_eq!(verified.promise, Promise::ServerCommitment);
    assert_eq!((verified.contributions, verified.voided), (1, 0));
    for (receipt, fault) in [
        (
            Receipt {
                commitment: Some(String::new()),
                ..Receipt::default()
            },
            VerifyError::Commitment,
        ),
        (
            Receipt {
                mine: Some((1, "00".repeat(16))),
                ..Receipt::default()
            },
            VerifyError::Mine(1),
        ),
        (
            Receipt {
                record: Some("00".repeat(32)),
                ..Receipt::default()
            },
            VerifyError::RecordHash,
        ),
    ] {
        assert_eq!(verify(json, &receipt), Err(fault));
    }
}

#[test]
fn what_is_no_file_is_refused_in_words() {
    for text in ["", "{}", "[]", "{\"format\":\"convoy-tractor-round-9\"}"] {
        let error = verify(text, &Receipt::default()).unwrap_err();
        assert_eq!(error.code(), "unreadable", "{text}");
        assert!(error.to_string().starts_with("not the file of a round"));
    }
}
