//! Random rounds: legal throughout, nothing lost, nothing allocated.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

use fastrand::Rng;
use proptest::prelude::*;
use tractor::{
    Card, CardSet, Judge, Knowledge, Memory, Rank, RankedCards, Rules, Seat, Suit, Trick, Trump,
};

/// A judge, four hands of 25, and the points in the kitty.
fn deal(random: &mut Rng) -> (Judge, [RankedCards; 4], u32) {
    let mut deck: Vec<Card> = Card::all().collect();
    random.shuffle(&mut deck);
    // One in five has no trump suit.
    let suit = Suit::ALL.get(random.usize(..5)).copied();
    let trump = Trump::new(Rank::ALL[random.usize(..13)], suit);
    let rules = [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI][random.usize(..3)];
    let judge = Judge::new(trump, rules);
    let hands = [0, 1, 2, 3].map(|seat| {
        let cards: CardSet = deck[25 * seat..25 * (seat + 1)].iter().copied().collect();
        judge.ranked(cards.faces())
    });
    (
        judge,
        hands,
        deck[100..].iter().map(|card| card.points()).sum(),
    )
}

proptest! {
    #[test]
    fn every_point_is_won_by_someone(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let (judge, hands, kitty) = deal(&mut random);
        let outcome = judge.play_out(hands, Seat::ALL[1], &mut |n| random.u32(..n));
        prop_assert_eq!(outcome.points.iter().sum::<u32>() + kitty, 200);
        prop_assert!((1..=25).contains(&outcome.tricks));
    }

    #[test]
    fn random_plays_are_legal(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let (judge, mut hands, _) = deal(&mut random);
        let (mut memory, mut leader) = (Memory::default(), Seat::ALL[0]);
        while !hands[leader.index()].is_empty() {
            let own = hands[leader.index()];
            let known: Knowledge = memory.knowledge(&judge, leader, own, RankedCards::EMPTY);
            let mut lead = judge.random_lead(own, &known, &mut |n| random.u32(..n)).unwrap();
            prop_assert!(judge.check_lead(own, lead.cards(), &known).is_ok());
            let others = [1, 2, 3].map(|steps| hands[leader.after(steps).index()]);
            lead = judge.lead_against(own, lead.cards(), &known, others).unwrap().lead;
            hands[leader.index()] = own.less(lead.cards()).unwrap();
            memory.note_lead(&judge, &lead, leader);
            let mut trick = Trick::new(lead, &judge);
            for steps in 1..4 {
                let seat = leader.after(steps);
                let hand = hands[seat.index()];
                let play = judge.duty(&lead, hand).random(&mut |n| random.u32(..n));
                prop_assert_eq!(judge.follow(&lead, hand, play), Ok(()));
                trick.play(&judge, play);
                memory.note_follow(&judge, &lead, seat, play);
                hands[seat.index()] = hand.less(play).unwrap();
                // What is noted about a hand is true of it.
                let rest = hands[seat.index()];
                for group in tractor::Group::ALL {
                    let left = judge.of_group(rest, group);
                    prop_assert!(!memory.shown(seat).is_void(group) || left.is_empty());
                    prop_assert!(!memory.shown(seat).is_pairless(group) || left.pairs() == 0);
                }
            }
            leader = leader.after(trick.winner());
        }
        prop_assert!(hands.iter().all(|hand| hand.is_empty()));
        prop_assert_eq!(memory.played().len(), 100);
    }

    #[test]
    fn every_legal_play_can_be_drawn(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let (judge, hands, _) = deal(&mut random);
        let lead = judge.lead(judge.random_straight(hands[0], &mut |n| random.u32(..n)).unwrap()).unwrap();
        let duty = judge.duty(&lead, hands[1]);
        if duty.count() > 12 {
            return Ok(());
        }
        let mut drawn: Vec<RankedCards> = (0..400).map(|_| duty.random(&mut |n| random.u32(..n))).collect();
        drawn.sort_unstable_by_key(|play| (play.any(), play.pair()));
        drawn.dedup();
        prop_assert_eq!(drawn.len() as u64, duty.count());
    }
}

#[test]
fn hot_paths_do_not_allocate() {
    let boxed = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(boxed.count_total, 1, "allocations are counted");
    let mut random = Rng::with_seed(5);
    for _ in 0..50 {
        let (judge, hands, _) = deal(&mut random);
        let played = allocation_counter::measure(|| {
            judge.play_out(hands, Seat::ALL[0], &mut |n| random.u32(..n));
        });
        assert_eq!(played.count_total, 0);
        let lead = judge
            .lead(
                judge
                    .random_straight(hands[0], &mut |n| random.u32(..n))
                    .unwrap(),
            )
            .unwrap();
        let wrong = hands[1].within(0xf0f0_f0f0_f0f0_f0f0);
        let judged = allocation_counter::measure(|| {
            let duty = judge.duty(&lead, hands[1]);
            let play = duty.plays().next().unwrap();
            assert!(judge.follow(&lead, hands[1], play).is_ok());
            let _ = judge.follow(&lead, hands[1], wrong);
            let mut trick = Trick::new(lead, &judge);
            trick.play(&judge, play);
            let known = Knowledge::at_start(&judge, hands[0]);
            let _ = judge.check_lead(hands[0], hands[0], &known);
            duty.count();
        });
        assert_eq!(judged.count_total, 0);
    }
}
