//! Rows of the Tractor rules: verdicts, lists of legal plays, throws and whole random rounds.

use std::hint::black_box;

use fastrand::Rng;
use tractor::{
    Card, CardSet, Faces, Judge, Knowledge, Lead, Memory, Rank, RankedCards, Rules, Seat, Suit,
    Trump,
};

use super::{Row, Unit};

/// The rows of `crates/tractor`.
pub(crate) fn rows() -> Vec<Row> {
    let deals: Vec<Deal> = (0..64).map(Deal::new).collect();
    let positions: Vec<Position> = deals.iter().flat_map(Deal::positions).collect();
    let throws: Vec<_> = deals.iter().flat_map(Deal::throws).collect();
    let listed = positions.clone();
    let row = |name, unit, gate, target, work| Row {
        group: "tractor",
        name,
        unit,
        gate,
        target,
        work,
    };
    let nanoseconds = Unit::Nanoseconds;
    vec![
        row(
            "follow verdict",
            nanoseconds,
            200.0,
            100.0,
            verdicts(positions),
        ),
        row(
            "all legal follows",
            nanoseconds,
            2000.0,
            1000.0,
            follows(listed),
        ),
        row(
            "throw validation",
            Unit::PerSecond,
            1e6,
            5e6,
            validations(throws),
        ),
        row(
            "random legal round",
            nanoseconds,
            60_000.0,
            25_000.0,
            rounds(deals),
        ),
    ]
}

fn verdicts(positions: Vec<Position>) -> Box<dyn FnMut() -> u64> {
    Box::new(move || {
        for position in &positions {
            let Position {
                judge, lead, hand, ..
            } = position;
            for &play in &position.tries {
                black_box(judge.follow(lead, *hand, black_box(play)).is_ok());
            }
        }
        2 * positions.len() as u64
    })
}

fn follows(positions: Vec<Position>) -> Box<dyn FnMut() -> u64> {
    Box::new(move || {
        for position in &positions {
            let duty = position.judge.duty(&position.lead, position.hand);
            for play in duty.plays() {
                black_box(play);
            }
        }
        positions.len() as u64
    })
}

fn validations(throws: Vec<Throw>) -> Box<dyn FnMut() -> u64> {
    Box::new(move || {
        for throw in &throws {
            let Throw {
                judge,
                hand,
                cards,
                known,
            } = throw;
            black_box(judge.check_lead(*hand, black_box(*cards), known).is_ok());
        }
        throws.len() as u64
    })
}

fn rounds(deals: Vec<Deal>) -> Box<dyn FnMut() -> u64> {
    let mut random = Rng::with_seed(1);
    Box::new(move || {
        for deal in &deals {
            black_box(
                deal.judge
                    .play_out(deal.hands, Seat::ALL[0], &mut |n| random.u32(..n)),
            );
        }
        deals.len() as u64
    })
}

/// Four hands of 25 under some trump.
#[derive(Debug)]
struct Deal {
    judge: Judge,
    hands: [RankedCards; 4],
    seed: u64,
}

/// Somebody is to follow: one legal play, and one that may be anything.
#[derive(Debug, Clone)]
struct Position {
    judge: Judge,
    lead: Lead,
    hand: RankedCards,
    tries: [RankedCards; 2],
}

/// Somebody would throw these cards.
#[derive(Debug)]
struct Throw {
    judge: Judge,
    hand: RankedCards,
    cards: RankedCards,
    known: Knowledge,
}

impl Deal {
    fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut deck: Vec<Card> = Card::all().collect();
        random.shuffle(&mut deck);
        // One in five has no trump suit.
        let suit = Suit::ALL.get(random.usize(..5)).copied();
        let trump = Trump::new(Rank::ALL[random.usize(..13)], suit);
        let judge = Judge::new(trump, Rules::DEFAULT);
        let hands = [0, 1, 2, 3].map(|seat| {
            let cards: CardSet = deck[25 * seat..25 * (seat + 1)].iter().copied().collect();
            judge.ranked(cards.faces())
        });
        Self { judge, hands, seed }
    }

    /// Plays the deal at random and calls `see` before every play but the leads.
    fn walk(&self, mut see: impl FnMut(&Memory, Seat, &Lead, &[RankedCards; 4], &mut Rng)) {
        let mut random = Rng::with_seed(self.seed ^ 1 << 40);
        let (judge, mut hands) = (&self.judge, self.hands);
        let (mut memory, mut leader) = (Memory::default(), Seat::ALL[0]);
        while !hands[leader.index()].is_empty() {
            let own = hands[leader.index()];
            let known = memory.knowledge(judge, leader, own, RankedCards::EMPTY);
            let Some(lead) = judge.random_lead(own, &known, &mut |n| random.u32(..n)) else {
                return;
            };
            hands[leader.index()] = own.less_unchecked(lead.cards());
            memory.note_lead(judge, &lead, leader);
            let mut trick = tractor::Trick::new(lead, judge);
            for steps in 1..4 {
                let seat = leader.after(steps);
                see(&memory, seat, &lead, &hands, &mut random);
                let play = judge
                    .duty(&lead, hands[seat.index()])
                    .random(&mut |n| random.u32(..n));
                trick.play(judge, play);
                memory.note_follow(judge, &lead, seat, play);
                hands[seat.index()] = hands[seat.index()].less_unchecked(play);
            }
            leader = leader.after(trick.winner());
        }
    }

    fn positions(&self) -> Vec<Position> {
        let mut all = Vec::new();
        self.walk(|_, seat, lead, hands, random| {
            let hand = hands[seat.index()];
            let legal = self.judge.duty(lead, hand).random(&mut |n| random.u32(..n));
            let cards: Vec<_> = self.judge.faces(hand).iter().collect();
            let mut any = Faces::EMPTY;
            let mut rest = cards;
            while any.len() < lead.len() {
                let at = random.usize(..rest.len());
                any = any.with(rest.swap_remove(at)).unwrap_or(any);
            }
            all.push(Position {
                judge: self.judge,
                lead: *lead,
                hand,
                tries: [legal, self.judge.ranked(any)],
            });
        });
        all
    }

    /// Several random cards of one plain suit, whether they may be thrown or not.
    fn throws(&self) -> Vec<Throw> {
        let mut all = Vec::new();
        self.walk(|memory, seat, _, hands, random| {
            let hand = hands[seat.index()];
            let known = memory.knowledge(&self.judge, seat, hand, RankedCards::EMPTY);
            for group in tractor::Group::ALL
                .into_iter()
                .filter(|group| !group.is_trump())
            {
                let own = self.judge.of_group(hand, group);
                let some = random.u64(..);
                let top = own.within(some | some >> 1);
                if let Ok(lead) = self.judge.lead(top)
                    && lead.is_throw()
                {
                    all.push(Throw {
                        judge: self.judge,
                        hand,
                        cards: lead.cards(),
                        known,
                    });
                }
            }
        });
        all
    }
}
