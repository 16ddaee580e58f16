use std::collections::HashMap;

use proptest::prelude::*;
use tractor::{
    CardSet, Deck, Event, Group, Level, Memory, Phase, Rank, RankedCards, Round, Rules, Seat, Seed,
    SeenTrick, Setup, Start, View,
};

use super::*;
use crate::{Player, Rng, SkillLevel, Weights, random_rules};

/// A round played on until a seat is to play with so many cards in hand; players of mixed strength, so that odd
/// plays come up too.
fn played(rules: Rules, seed: u64, cards: usize) -> Option<Round> {
    let mut rng = Rng::new(seed);
    let starter = Seat::ALL[rng.below(4)];
    let levels = [(); 2].map(|()| Level::from(Rank::ALL[rng.below(13)]));
    let start = Start {
        starter,
        defending: starter.team(),
        levels,
    };
    let setup = Setup {
        rules,
        number: 1 + u32::try_from(rng.below(2)).unwrap(),
        start,
        trump: None,
    };
    let mut round = Round::new(setup, Deck::of(&Seed::from_number(seed), 1));
    let players = [SkillLevel::Normal, SkillLevel::Random].map(|level| Player::new(level, seed));
    loop {
        match round.phase() {
            Phase::Dealing(dealing) if dealing.dealt < 100 => {
                round.apply(Event::Deal { count: 1 }).unwrap();
            }
            Phase::Over(_) => return None,
            Phase::Playing(playing) if round.hand(playing.turn()).len() <= cards => {
                return Some(round);
            }
            _ => {}
        }
        let seats = match round.turn() {
            Some(seat) => vec![seat],
            None => Seat::ALL.to_vec(),
        };
        for seat in seats {
            let view = View::of(&round, Some(seat));
            let player = players[usize::from(rng.below(3) == 0)];
            if let Some(event) = player.act(&view) {
                round.apply(event).unwrap();
                if matches!(round.phase(), Phase::Burying(_)) {
                    break;
                }
            }
        }
    }
}

/// Every way to give the unseen cards to the holders, by brute force. The two cards of a face are two cards: one
/// that was shown lies where it was shown, and says nothing of the other.
fn worlds(beliefs: &Beliefs, room: [usize; 4]) -> HashMap<[RankedCards; 4], u32> {
    fn go(
        beliefs: &Beliefs,
        cards: &[(u32, u8)],
        room: [usize; 4],
        hands: [RankedCards; 4],
        out: &mut HashMap<[RankedCards; 4], u32>,
    ) {
        let Some((&(slot, holders), rest)) = cards.split_first() else {
            let tables = beliefs.tables();
            let paired = (0..3).any(|holder| {
                Group::ALL.iter().any(|&group| {
                    beliefs.is_pairless(holder, group)
                        && hands[holder].pair() & tables.mask(group) != 0
                })
            });
            if !paired && beliefs.is_bound(&hands) {
                *out.entry(hands).or_default() += 1;
            }
            return;
        };
        for holder in 0..4 {
            if room[holder] > 0 && holders >> holder & 1 == 1 && beliefs.may_hold(holder, slot) {
                let mut room = room;
                let mut hands = hands;
                room[holder] -= 1;
                hands[holder] = hands[holder].plus_unchecked(one(slot));
                go(beliefs, rest, room, hands, out);
            }
        }
    }
    let mut cards: Vec<(u32, u8)> = beliefs.unseen.slots().map(|slot| (slot, 0b1111)).collect();
    for &(slot, count, holders) in &beliefs.known {
        let shown = cards
            .iter_mut()
            .filter(|card| card.0 == slot && card.1 == 0b1111);
        shown.take(count).for_each(|card| card.1 = holders);
    }
    let mut out = HashMap::new();
    go(beliefs, &cards, room, [RankedCards::EMPTY; 4], &mut out);
    out
}

/// Compares the shares of sampled worlds with those of all worlds, each counted by how well it explains the history.
fn compare(rules: Rules, seed: u64, cards: usize, trust: f32) -> Option<usize> {
    let round = played(rules, seed, cards)?;
    let seat = round.turn()?;
    let view = View::of(&round, Some(seat));
    let beliefs = Beliefs::of(&view, Weights::NORMAL)?;
    let history = PlayHistory::read(&beliefs, &view);
    let mut sampler = Sampler::new(&beliefs, seed);
    let all = worlds(&beliefs, sampler.room());
    let unexplained = |hands: &[RankedCards; 4]| -> u32 {
        let of = |holder: usize| {
            history.unexplained(&beliefs, seat.after(holder + 1), hands[holder], hands[3])
        };
        (0..3).map(of).sum()
    };
    let weight = |hands: &[RankedCards; 4], ways: u32| {
        f64::from(ways) * f64::from(1.0 - trust).powi(unexplained(hands).cast_signed())
    };
    let total: f64 = all.iter().map(|(hands, &ways)| weight(hands, ways)).sum();
    let mut between = 1;
    if trust > 0.0 {
        sampler = sampler.posterior(&history, trust);
        between = 4 * SHORTER;
    }
    let mut drawn: HashMap<[RankedCards; 4], u32> = HashMap::new();
    let number = (60 * all.len()).clamp(2_000, 60_000);
    for _ in 0..number {
        for _ in 0..between {
            sampler.world();
        }
        *drawn.entry(sampler.hands).or_default() += 1;
    }
    let real = [1, 2, 3].map(|steps| {
        let hand = round.hand(seat.after(steps));
        beliefs.tables().judge().ranked(hand.faces())
    });
    assert!(
        all.keys().any(|hands| hands[..3] == real),
        "the real hands agree with what was drawn"
    );
    let mut chi = 0.0;
    for (hands, &ways) in &all {
        let share = weight(hands, ways) / total;
        let expected = share * f64::from(u32::try_from(number).unwrap());
        let found = f64::from(drawn.get(hands).copied().unwrap_or(0));
        chi += (found - expected).powi(2) / expected;
    }
    assert!(
        drawn.keys().all(|hands| all.contains_key(hands)),
        "seed {seed}"
    );
    let freedom = f64::from(u32::try_from((all.len() - 1).max(1)).unwrap());
    // Worlds of one walk are not quite independent, so the bound is wide; a bias shows far above it.
    let bound = freedom + 6.0 * (2.0 * freedom).sqrt() + 0.5 * freedom;
    assert!(
        chi < bound,
        "seed {seed}: chi {chi:.0} for {freedom} worlds"
    );
    Some(all.len())
}

#[test]
fn every_world_is_as_likely_as_every_other() {
    let mut rich = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let rules = if seed % 3 == 0 {
            random_rules(&mut rng)
        } else {
            Rules::DEFAULT
        };
        // The burier knows the kitty: more cards in hand make as many worlds.
        let Some(round) = played(rules, seed, 3) else {
            continue;
        };
        let burier = round.buried_by() == round.turn();
        let cards = if burier { 3 } else { 1 };
        if compare(rules, seed, cards, 0.0).is_some_and(|worlds| worlds > 20) {
            rich += 1;
        }
    }
    assert!(rich > 20, "only {rich} positions had more than 20 worlds");
}

#[test]
fn worlds_are_rarer_by_every_play_they_do_not_explain() {
    let rich = (0..60)
        .step_by(16)
        .filter_map(|seed| compare(Rules::DEFAULT, seed, 1, 0.5))
        .filter(|&worlds| worlds > 20);
    assert!(rich.count() > 0);
}

/// Whether everything that happened could have happened with these hands.
fn agrees(round: &Round, view: &View, world: &crate::World) -> Result<(), String> {
    let judge = view.judge();
    let viewer = view.viewer.unwrap();
    let mut hands = world.hands;
    for seat in Seat::ALL {
        if hands[seat.index()].len() != round.hand(seat).len() {
            return Err(format!("seat {seat} has the wrong number of cards"));
        }
    }
    if hands[viewer.index()] != judge.ranked(view.hand.faces()) {
        return Err("the viewer's own hand changed".into());
    }
    // Cards back into the hands, then the round again from its start.
    let tricks: Vec<_> = view.tricks.iter().chain(&view.open).collect();
    for trick in &tricks {
        for (place, play) in trick.plays.iter().enumerate() {
            let hand = &mut hands[trick.leader.after(place).index()];
            *hand = hand
                .plus(judge.ranked(play.faces()))
                .ok_or("a card is there three times")?;
        }
    }
    let all = hands
        .iter()
        .try_fold(world.kitty, |sum, hand| sum.plus(*hand))
        .ok_or("a card is there three times")?;
    if all != judge.ranked(tractor::Faces::FULL) {
        return Err("the cards are not two decks".into());
    }
    let mut memory = Memory::default();
    tricks
        .into_iter()
        .try_for_each(|trick| replay(view, world.kitty, trick, &mut hands, &mut memory))
}

/// Plays one trick again from these hands, which must allow it.
fn replay(
    view: &View,
    kitty: RankedCards,
    trick: &SeenTrick,
    hands: &mut [RankedCards; 4],
    memory: &mut Memory,
) -> Result<(), String> {
    let judge = view.judge();
    let ranked = |cards: &CardSet| judge.ranked(cards.faces());
    let plays: Vec<RankedCards> = trick.plays.iter().map(ranked).collect();
    let leader = trick.leader;
    let shown = trick
        .failed
        .map_or(plays[0], |failed| ranked(&failed.cards));
    let own = view.buried_by == Some(leader);
    let buried = if own { kitty } else { RankedCards::EMPTY };
    let known = memory.knowledge(&judge, leader, hands[leader.index()], buried);
    let others = [1, 2, 3].map(|steps| hands[leader.after(steps).index()]);
    let outcome = judge
        .lead_against(hands[leader.index()], shown, &known, others)
        .map_err(|error| format!("lead of {leader}: {error}"))?;
    if outcome.lead.cards() != plays[0] {
        return Err(format!(
            "a throw of {leader} would have come to something else"
        ));
    }
    let lead = outcome.lead;
    memory.note_lead(&judge, &lead, leader);
    for (place, play) in plays.iter().enumerate() {
        let seat = leader.after(place);
        if place > 0 {
            judge
                .follow(&lead, hands[seat.index()], *play)
                .map_err(|error| format!("follow of {seat}: {error}"))?;
            memory.note_follow(&judge, &lead, seat, *play);
        }
        let hand = &mut hands[seat.index()];
        *hand = hand.less(*play).ok_or("a play was not held")?;
    }
    Ok(())
}

fn cases() -> u32 {
    if std::env::var_os("CONVOY_DEEP").is_some() {
        5_000
    } else {
        150
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn worlds_agree_with_every_public_event(seed in 0u64..1_000_000, cards in 1usize..25, house in 0..3) {
        let mut rng = Rng::new(seed);
        let mut rules = match house {
            0 => Rules::DEFAULT,
            1 => Rules::SHENGJI,
            _ => random_rules(&mut rng),
        };
        // Named groupings are not kept in a finished trick, so nothing can be checked by them.
        rules.name_grouping = false;
        if let Some(round) = played(rules, seed, cards) {
            for seat in Seat::ALL {
                let view = View::of(&round, Some(seat));
                let beliefs = Beliefs::of(&view, Weights::NORMAL).unwrap();
                let history = PlayHistory::read(&beliefs, &view);
                let prior = Sampler::kitty_prior(&beliefs, seed);
                let posterior = prior.clone().posterior(&history, 0.9);
                for mut sampler in [Sampler::new(&beliefs, seed), prior, posterior] {
                    for _ in 0..3 {
                        let table = sampler.world();
                        let verdict = agrees(&round, &view, &table);
                        prop_assert!(verdict.is_ok(), "{seat}: {verdict:?}");
                    }
                }
            }
        }
    }
}
