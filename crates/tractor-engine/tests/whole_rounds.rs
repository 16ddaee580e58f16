//! Whole rounds: never an illegal play, the same answer from the same seed, no eye on hidden cards.
#![allow(clippy::unwrap_used, reason = "a test may")]

use tractor::{Deck, Event, Phase, Round, Rules, Seat, Seed, Setup, View};
use tractor_engine::{Limits, Player, Rng, SkillLevel, random_rules};

fn deep(cases: u64) -> u64 {
    if std::env::var_os("CONVOY_DEEP").is_some() {
        50 * cases
    } else {
        cases
    }
}

/// Plays a round to its end; `Round::apply` refuses whatever is illegal.
fn play(mut round: Round, players: [&Player; 4], mut each: impl FnMut(&Round, &View, &Event)) {
    loop {
        match round.phase() {
            Phase::Dealing(dealing) if dealing.dealt < 100 => {
                round.apply(Event::Deal { count: 1 }).unwrap();
            }
            Phase::Over(_) => return,
            _ => {}
        }
        let seats = round.turn().map_or(Seat::ALL.to_vec(), |seat| vec![seat]);
        for seat in seats {
            let view = View::of(&round, Some(seat));
            if let Some(event) = players[seat.index()].act(&view) {
                each(&round, &view, &event);
                let text = event.to_string();
                if let Err(refusal) = round.apply(event) {
                    panic!("{text}: {refusal}");
                }
                if round.turn().is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn no_play_is_illegal_under_any_house_rules() {
    for seed in 0..deep(120) {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        let levels = [
            SkillLevel::Random,
            SkillLevel::Scripted,
            SkillLevel::Easy,
            SkillLevel::Normal,
        ];
        let players = levels.map(|level| Player::new(level, seed));
        let seats = [0, 1, 2, 3].map(|_| &players[rng.below(4)]);
        let deck = Deck::of(&Seed::from_number(seed), 1);
        play(Round::new(Setup::first(rules), deck), seats, |_, _, _| {});
    }
}

#[test]
fn the_search_plays_legally_under_any_house_rules() {
    for seed in 0..deep(24) {
        let mut rng = Rng::new(seed + 1000);
        let rules = random_rules(&mut rng);
        let few = Limits::rollouts([4, 12, 40][rng.below(3)]);
        let [strong, master] = [SkillLevel::Strong, SkillLevel::Master]
            .map(|level| Player::new(level, seed).with_limits(few));
        let deck = Deck::of(&Seed::from_number(seed), 1);
        play(
            Round::new(Setup::first(rules), deck),
            [&strong, &master, &strong, &master],
            |_, _, _| {},
        );
    }
}

#[test]
fn whatever_the_search_might_choose_is_legal_under_any_house_rules() {
    for seed in 0..deep(60) {
        let mut rng = Rng::new(seed + 2000);
        let rules = random_rules(&mut rng);
        let explore = Player {
            explore: true,
            ..Player::new(SkillLevel::Master, seed)
        };
        let all = Player {
            width: 48,
            ..Player::new(SkillLevel::Strong, seed).with_limits(Limits::rollouts(1))
        };
        let deck = Deck::of(&Seed::from_number(seed), 1);
        let round = Round::new(Setup::first(rules), deck);
        play(round, [&explore; 4], |_, view, _| {
            if (view.tricks.len() as u64 + seed).is_multiple_of(5)
                && let Some(hint) = all.hint(view)
            {
                for (cards, _) in hint.alternatives {
                    assert_eq!(view.check(cards), Ok(()), "{cards} under {rules:?}");
                }
            }
        });
    }
}

/// Another world for the cards that a seat cannot see.
fn swapped(view: &View) -> Option<tractor_engine::World> {
    let beliefs = tractor_engine::Beliefs::of(view, tractor_engine::Weights::NORMAL)?;
    Some(tractor_engine::Sampler::new(&beliefs, 99).world())
}

#[test]
fn the_choice_does_not_depend_on_hidden_cards() {
    let player = Player::new(SkillLevel::Strong, 5).with_limits(Limits::rollouts(60));
    let normal = Player::new(SkillLevel::Normal, 5);
    let (mut asked, mut compared) = (0, 0);
    for seed in 0..3 {
        let deck = Deck::of(&Seed::from_number(seed), 1);
        let setup = Setup::first(Rules::DEFAULT);
        play(
            Round::new(setup, deck),
            [&normal; 4],
            |round, view, event| {
                let Event::Play { seat, .. } = event else {
                    return;
                };
                asked += 1;
                if asked % 7 != 0 {
                    return;
                }
                // Another deck gives the others what a sampled world gives them: all public events stay the same.
                let table = swapped(view).expect("a seat in play");
                let Some(other) = with_hands(round, view, &table) else {
                    return;
                };
                compared += 1;
                let again = View::of(&other, Some(*seat));
                assert_eq!(&again, view, "the view is the same");
                assert_eq!(player.play(view), player.play(&again));
            },
        );
    }
    assert!(compared > 20, "{compared} of {asked} compared");
}

/// The round with other hidden hands: the same events replayed on another deck.
fn with_hands(round: &Round, view: &View, table: &tractor_engine::World) -> Option<Round> {
    let judge = view.judge();
    let viewer = view.viewer?;
    let mut events = round.events().to_vec();
    let mut cards = *round.deck().cards();
    // Hidden places of the deck: cards that are still in another hand, and the buried ones.
    let mut pools: Vec<(Seat, Vec<tractor::Card>)> = Vec::new();
    let mut fresh = tractor::CardSet::EMPTY;
    for steps in 1..4 {
        let seat = viewer.after(steps);
        fresh = round.hand(seat).iter().chain(fresh.iter()).collect();
        pools.push((seat, round.hand(seat).iter().collect()));
    }
    let own = view.buried_by == Some(viewer);
    if !own {
        fresh = round.kitty().iter().chain(fresh.iter()).collect();
    }
    // Old card -> new card, place by place.
    let mut map = std::collections::HashMap::new();
    let mut give = |old: Vec<tractor::Card>, new: tractor::Faces| {
        let set = fresh.pick(new)?;
        fresh = fresh.less(set)?;
        for (old, new) in old.into_iter().zip(set.iter()) {
            map.insert(old, new);
        }
        Some(())
    };
    for (seat, mut old) in pools {
        let mut new = judge.faces(table.hands[seat.index()]);
        // A shown card was dealt before it was shown: it stays where it is.
        for made in view.declarations.iter().filter(|made| made.seat == seat) {
            for card in made.cards.iter() {
                if let Some(at) = old.iter().position(|other| *other == card) {
                    old.swap_remove(at);
                    let face = tractor::Faces::EMPTY.with(card.face())?;
                    new = new.less(face)?;
                    give(vec![card], face)?;
                }
            }
        }
        give(old, new)?;
    }
    if !own {
        give(round.kitty().iter().collect(), judge.faces(table.kitty))?;
    }
    for card in &mut cards {
        if let Some(new) = map.get(card) {
            *card = *new;
        }
    }
    for event in &mut events {
        if let Event::Bury { cards, .. } = event {
            *cards = cards
                .iter()
                .map(|card| *map.get(&card).unwrap_or(&card))
                .collect();
        }
    }
    Round::replay(*round.setup(), Deck::new(&cards)?, events).ok()
}

#[test]
fn a_fixed_number_of_play_outs_is_repeatable() {
    let player = Player::new(SkillLevel::Strong, 5).with_limits(Limits::rollouts(80));
    let other = Player { seed: 6, ..player };
    let normal = Player::new(SkillLevel::Normal, 1);
    let mut number = 0;
    let deck = Deck::of(&Seed::from_number(3), 1);
    let round = Round::new(Setup::first(Rules::DEFAULT), deck);
    play(round, [&normal; 4], |_, view, _| {
        number += 1;
        if number % 5 == 0 {
            assert_eq!(player.act(view), player.act(view));
            let _ = other.act(view);
        }
    });
}

#[test]
fn a_hint_names_a_legal_play_and_its_worth() {
    let player = Player::new(SkillLevel::Strong, 5).with_limits(Limits::rollouts(80));
    let normal = Player::new(SkillLevel::Normal, 1);
    let deck = Deck::of(&Seed::from_number(4), 1);
    let mut hints = 0;
    let round = Round::new(Setup::first(Rules::DEFAULT), deck);
    play(round, [&normal; 4], |_, view, _| {
        if view.tricks.len() % 6 == 1
            && let Some(hint) = player.hint(view)
        {
            hints += 1;
            assert_eq!(view.check(hint.cards), Ok(()));
            assert!(hint.words.starts_with("play "), "{}", hint.words);
            assert!((-50.0..500.0).contains(&hint.points));
            if view.tricks.len() < 20 {
                assert!(hint.points > 0.0, "{}", hint.words);
            }
            let (said, other) = (hint.words.split(';').count(), hint.alternatives.len());
            assert_eq!(said, 1 + other.min(1), "{}", hint.words);
        }
    });
    assert!(hints > 5);
}
