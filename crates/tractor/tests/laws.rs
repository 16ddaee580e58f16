//! Laws of play, checked against a second, plain statement of the rules and by trying everything.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

mod oracle;

use std::collections::HashSet;

use oracle::Oracle;
use proptest::prelude::*;
use tractor::{Face, Faces, Group, Judge, Knowledge, Rank, RankedCards, Rules, Suit, Trick, Trump};

/// Choices drawn from one number, so that one seed makes a whole position.
struct Dice(fastrand::Rng);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A preset, or one with several switches of play thrown at random.
fn rules(dice: &mut Dice) -> Rules {
    let mut rules = dice.pick(&[Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI]);
    if dice.below(2) == 0 {
        return rules;
    }
    for name in [
        "throw_mode",
        "allow_trump_throw",
        "throw_eval",
        "eligibility",
        "response_mapping",
        "follow_policy",
        "nt_rank_joker_adjacent",
        "min_tractor_len",
    ] {
        let switch = Rules::switch(name).unwrap();
        let value = dice.pick(switch.values.samples());
        switch.set(&mut rules, value).unwrap();
    }
    rules
}

fn trump(dice: &mut Dice) -> Trump {
    if dice.below(20) == 0 {
        return Trump::JOKERS;
    }
    let suits = [
        None,
        Some(Suit::Clubs),
        Some(Suit::Diamonds),
        Some(Suit::Hearts),
        Some(Suit::Spades),
    ];
    Trump::new(dice.pick(&Rank::ALL), dice.pick(&suits))
}

/// A judge with its oracle, and a group of cards that has some.
struct Table {
    judge: Judge,
    oracle: Oracle,
    group: Group,
    dice: Dice,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(fastrand::Rng::with_seed(seed));
        let (rules, trump) = (rules(&mut dice), trump(&mut dice));
        let judge = Judge::new(trump, rules);
        let groups: Vec<_> = Group::ALL
            .into_iter()
            .filter(|&group| judge.mask(group) != 0)
            .collect();
        // Trump, with its branching ladder, half of the time.
        let group = if dice.below(2) == 0 {
            Group::Trump
        } else {
            dice.pick(&groups)
        };
        Self {
            judge,
            oracle: Oracle { trump, rules },
            group,
            dice,
        }
    }

    /// Up to `most` cards, mostly of the group, mostly in pairs and mostly neighbours.
    fn cards(&mut self, most: usize, free: Faces) -> Faces {
        let dice = &mut self.dice;
        let own: Vec<_> = Face::all()
            .filter(|&face| self.judge.trump().group(face) == self.group)
            .collect();
        let all: Vec<_> = Face::all().collect();
        let start = dice.below(own.len());
        let width = 3 + dice.below(6);
        let (mut cards, want) = (Faces::EMPTY, 1 + dice.below(most));
        for _ in 0..60 {
            let face = match dice.below(8) {
                0 => dice.pick(&all),
                1 => dice.pick(&own),
                _ => own[(start + dice.below(width)) % own.len()],
            };
            for _ in 0..=dice.below(3).min(1) {
                let more = cards
                    .with(face)
                    .filter(|more| more.len() <= want && free.contains(*more));
                cards = more.unwrap_or(cards);
            }
        }
        cards
    }

    /// Some cards of the group, at least one.
    fn led(&mut self, most: usize) -> Vec<Face> {
        loop {
            let cards = self.cards(most, Faces::FULL);
            let own = of_group(self, cards);
            if !own.is_empty() {
                return own;
            }
        }
    }

    fn hand(&self, faces: &[Face]) -> RankedCards {
        self.judge.ranked(faces.iter().copied().collect())
    }

    fn faces(&self, hand: RankedCards) -> Vec<Face> {
        self.judge.faces(hand).iter().collect()
    }
}

/// Every distinct choice of any number of cards.
fn choices(cards: &[Face]) -> Vec<Vec<Face>> {
    let mut out: HashSet<Vec<Face>> = HashSet::from([vec![]]);
    for &face in cards {
        for mut more in out.clone() {
            more.push(face);
            more.sort();
            out.insert(more);
        }
    }
    out.into_iter().collect()
}

fn of_group(table: &Table, cards: Faces) -> Vec<Face> {
    cards
        .iter()
        .filter(|&face| table.judge.trump().group(face) == table.group)
        .collect()
}

proptest! {
    #[test]
    fn components_partition_the_cards(seed: u64) {
        let mut table = Table::new(seed);
        let cards = table.cards(16, Faces::FULL);
        let judge = &table.judge;
        let mut found: Vec<Vec<Face>> = judge.components(judge.ranked(cards)).map(|combo| table.faces(combo.cards)).collect();
        let mut sum: Vec<Face> = found.concat();
        sum.sort();
        prop_assert_eq!(sum, cards.iter().collect::<Vec<_>>());
        found.sort();
        // Across groups the oracle finds the same, since nothing of two groups touches.
        prop_assert_eq!(&found, &table.oracle.components(&cards.iter().collect::<Vec<_>>()));
        let own = of_group(&table, cards);
        if let Some(shape) = judge.shape(table.hand(&own)) {
            let parts = table.oracle.components(&own);
            prop_assert_eq!(shape.components(), parts.len());
            prop_assert_eq!(shape.len(), own.len());
            prop_assert_eq!(shape.singles(), parts.iter().filter(|part| part.len() == 1).count());
            let mut sizes: Vec<_> = parts.iter().filter(|part| part.len() > 2).map(|part| part.len() / 2).collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            prop_assert_eq!(shape.tractor_sizes().iter().map(|&size| usize::from(size)).collect::<Vec<_>>(), sizes);
        }
    }

    #[test]
    fn generated_follows_are_exactly_the_legal_ones(seed: u64) {
        let mut table = Table::new(seed);
        let mut led = table.led(8);
        let rest = Faces::FULL.less(led.iter().copied().collect()).unwrap();
        let hand: Vec<Face> = table.cards(11, rest).iter().collect();
        led.truncate(hand.len());
        let judge = &table.judge;
        let lead = judge.lead(table.hand(&led)).unwrap();
        let duty = judge.duty(&lead, table.hand(&hand));
        let listed: Vec<RankedCards> = duty.plays().collect();
        let generated: HashSet<RankedCards> = listed.iter().copied().collect();
        prop_assert_eq!(generated.len(), listed.len(), "no play twice");
        prop_assert_eq!(duty.count(), listed.len() as u64);
        prop_assert!(!listed.is_empty(), "there is always a legal play");
        let mut accepted = HashSet::new();
        for play in choices(&hand) {
            let legal = table.oracle.follows(&led, &hand, &play);
            let got = table.hand(&play);
            prop_assert_eq!(judge.follow(&lead, table.hand(&hand), got).is_ok(), legal, "{:?} {:?} {:?}", led, hand, play);
            prop_assert_eq!(duty.allows(got), legal);
            let part = listed.iter().any(|whole| whole.contains(got));
            prop_assert_eq!(duty.can_hold(got), part, "{:?} {:?} {:?}", led, hand, play);
            if legal {
                accepted.insert(got);
            }
        }
        let odd: Vec<_> = generated.symmetric_difference(&accepted).map(|&play| judge.faces(play).to_string()).collect();
        prop_assert!(odd.is_empty(), "{:?} {:?}", judge.trump(), odd);
    }

    #[test]
    fn generated_leads_are_exactly_the_legal_ones(seed: u64) {
        let mut table = Table::new(seed);
        let cards = table.cards(9, Faces::FULL);
        let hand: Vec<Face> = cards.iter().collect();
        let rest = Faces::FULL.less(cards).unwrap();
        // Much is gone, so that some throws stand.
        let unseen = table.cards(6, rest);
        let void = table.dice.below(4) == 0;
        let judge = &table.judge;
        let bit = if void { 1 << table.group.index() } else { 0 };
        let known = Knowledge { unseen: judge.ranked(unseen), voids: [bit; 3] };
        let hidden: Vec<Face> = unseen.iter().collect();
        let listed: Vec<RankedCards> = judge.leads(judge.ranked(cards), &known).collect();
        let generated: HashSet<RankedCards> = listed.iter().copied().collect();
        prop_assert_eq!(generated.len(), listed.len(), "no lead twice");
        prop_assert_eq!(judge.count_leads(judge.ranked(cards), &known), listed.len() as u64);
        prop_assert!(!listed.is_empty());
        let mut accepted = HashSet::new();
        for play in choices(&hand).into_iter().filter(|play| !play.is_empty()) {
            let all_void = void && table.judge.trump().group(play[0]) == table.group;
            let legal = table.oracle.leads(&play, &hidden, all_void);
            let got = table.hand(&play);
            prop_assert_eq!(judge.check_lead(judge.ranked(cards), got, &known).is_ok(), legal, "{:?} {:?} {:?}", hand, hidden, play);
            if legal {
                accepted.insert(got);
            }
            if let Some(found) = judge.detect(got, Some(&known)) {
                let weak: Vec<_> = found.validation.unwrap().beatable.iter().map(|weak| table.faces(weak.combo.cards)).collect();
                for part in table.oracle.components(&play) {
                    prop_assert_eq!(weak.contains(&part), table.oracle.beatable(&part, &hidden));
                }
            }
        }
        let odd: Vec<_> = generated.symmetric_difference(&accepted).map(|&play| judge.faces(play).to_string()).collect();
        prop_assert!(odd.is_empty(), "{:?} {:?}", judge.trump(), odd);
    }

    #[test]
    fn a_challenged_throw_leads_what_the_first_stopper_beats(seed: u64) {
        let mut table = Table::new(seed);
        let led = table.led(9);
        let mut rest = Faces::FULL.less(led.iter().copied().collect()).unwrap();
        let others = [(); 3].map(|()| {
            let hand = table.cards(6, rest);
            rest = rest.less(hand).unwrap();
            hand
        });
        let judge = &table.judge;
        let got = judge.challenge(judge.lead(table.hand(&led)).unwrap(), others.map(|hand| judge.ranked(hand)));
        let mut parts = table.oracle.components(&led);
        let top = |part: &Vec<Face>| part.iter().map(|&face| judge.rung(face)).max();
        parts.sort_by_key(|part| (part.len(), top(part)));
        let throw = parts.len() > 1;
        let stop = others.iter().enumerate().find_map(|(at, hand)| {
            let pool: Vec<Face> = hand.iter().collect();
            let part = parts.iter().find(|part| throw && table.oracle.beatable(part, &pool))?;
            Some((at + 1, part.clone()))
        });
        match stop {
            None => prop_assert_eq!((got.stopper, table.faces(got.lead.cards())), (None, led)),
            Some((at, part)) => {
                prop_assert_eq!(got.stopper, Some(at));
                prop_assert_eq!((part.len(), top(&part)), (got.lead.len(), top(&table.faces(got.lead.cards()))));
            }
        }
    }

    #[test]
    fn the_winner_is_the_oracles(seed: u64) {
        let mut table = Table::new(seed);
        let led = table.led(7);
        let mut rest = Faces::FULL.less(led.iter().copied().collect()).unwrap();
        let mut plays = vec![led.clone()];
        let led_group = table.group;
        for _ in 0..3 {
            table.group = if table.dice.below(4) == 0 { led_group } else { Group::Trump };
            // Some cards of the group, as many as were led where there are as many.
            let pool: Vec<Face> = table.cards(16, rest).iter().collect();
            let mut play: Vec<Face> = of_group(&table, pool.iter().copied().collect());
            play.extend(pool.iter().filter(|&&face| table.judge.trump().group(face) != table.group));
            play.truncate(led.len());
            if play.len() < led.len() {
                play = rest.iter().take(led.len()).collect();
            }
            rest = rest.less(play.iter().copied().collect()).unwrap();
            plays.push(play);
        }
        let judge = &table.judge;
        let mut trick = Trick::new(judge.lead(table.hand(&led)).unwrap(), judge);
        for at in 1..4 {
            let play = table.hand(&plays[at]);
            let would = trick.would_win(judge, play);
            prop_assert_eq!(trick.play(judge, play), would);
            prop_assert_eq!(trick.winner(), table.oracle.winner(&plays[..=at]), "{:?} {:?}", judge.trump(), plays);
        }
    }

    #[test]
    fn the_order_of_the_cards_means_nothing(seed: u64) {
        let mut table = Table::new(seed);
        let cards = table.cards(12, Faces::FULL);
        let mut texts: Vec<_> = cards.iter().map(|face| face.to_string()).collect();
        let sorted: Faces = texts.join(" ").parse().unwrap();
        for at in (1..texts.len()).rev() {
            let other = table.dice.below(at + 1);
            texts.swap(at, other);
        }
        prop_assert_eq!(texts.join(" ").parse(), Ok(sorted));
        prop_assert_eq!(table.judge.faces(table.judge.ranked(sorted)), sorted);
    }
}

/// Hands that had no legal play in the reference.
#[test]
fn deadlock_hands_have_a_legal_play() {
    for (trump, lead, hand) in [
        (
            "2S",
            "AH AH KH KH QH QH TH",
            "3H 3H 4H 4H 6H 6H 7H 7H 9H 5D 6D 8C",
        ),
        (
            "5H",
            "AD AD KD KD QD QD JD",
            "6D 6D 7D 7D 9D 9D TD TD 3D 3D 2C 3C 4C",
        ),
        (
            "2S",
            "AH AH KH KH QH QH JH",
            "3H 3H 4H 4H 6H 6H 7H 7H 9H TH",
        ),
    ] {
        for rules in [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI] {
            let judge = Judge::new(trump.parse().unwrap(), rules);
            let lead = judge.lead(judge.ranked(lead.parse().unwrap())).unwrap();
            let duty = judge.duty(&lead, judge.ranked(hand.parse().unwrap()));
            assert!(duty.count() > 0);
            assert!(duty.plays().all(|play| duty.allows(play)));
            assert_eq!(duty.plays().count() as u64, duty.count());
        }
    }
}
