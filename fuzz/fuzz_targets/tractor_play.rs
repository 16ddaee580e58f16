//! A trump, a lead and a hand out of any bytes: there is a legal follow, and each one listed is accepted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tractor::{Face, Faces, Judge, Knowledge, Rank, Rules, Suit, Trick, Trump};

fuzz_target!(|bytes: &[u8]| {
    let [preset, rank, suit, len, rest @ ..] = bytes else {
        return;
    };
    let rules = [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI][usize::from(preset % 3)];
    let suit = Suit::ALL.get(usize::from(suit % 5)).copied();
    let judge = Judge::new(Trump::new(Rank::ALL[usize::from(rank % 13)], suit), rules);
    let mut left = Faces::FULL;
    let mut take = |bytes: &[u8]| -> Faces {
        let mut cards = Faces::EMPTY;
        for byte in bytes {
            let face = Face::from_index(usize::from(byte % 54)).expect("a face");
            let one = Faces::EMPTY.with(face).expect("one card");
            if let Some(rest) = left.less(one) {
                (left, cards) = (rest, cards.with(face).expect("two at most"));
            }
        }
        cards
    };
    let (led, held) = rest.split_at(rest.len().min(usize::from(len % 12)));
    let (led, held) = (take(led), take(&held[..held.len().min(25)]));
    let Ok(lead) = judge.lead(judge.ranked(led)) else {
        return;
    };
    let hand = judge.ranked(held);
    let _ = judge.check_lead(hand, hand, &Knowledge::at_start(&judge, hand));
    let duty = judge.duty(&lead, hand);
    assert_eq!(duty.count() > 0, hand.len() >= lead.len());
    let mut trick = Trick::new(lead, &judge);
    for play in duty.plays().take(200) {
        assert!(duty.check(play).is_ok());
        trick.would_win(&judge, play);
    }
    if let Some(play) = duty.plays().next() {
        trick.play(&judge, play);
    }
});
