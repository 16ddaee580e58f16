//! Laws of whole rounds and games, played at random under random house rules.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod driver;

use driver::{Dice, all_cards, event, nonsense, setup, views};
use proptest::prelude::*;
use tractor::{
    CardSet, Deal, Deck, Event, Game, GameError, Level, Phase, Record, Redacted, Round, Rules,
    Seat, Seed, View,
};

fn cases(few: u32) -> ProptestConfig {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    ProptestConfig::with_cases(if deep { 40 * few } else { few })
}

fn begin(dice: &mut Dice) -> Round {
    let setup = setup(dice);
    Round::new(
        setup,
        Deck::of(&Seed::from_number(dice.next()), setup.number),
    )
}

/// Plays a round to its end and looks at it after every event.
fn play_round(dice: &mut Dice, round: &mut Round, mut look: impl FnMut(&Round, &mut Dice)) {
    for _ in 0..3000 {
        look(round, dice);
        let Some(event) = event(round, dice) else {
            return;
        };
        let text = event.to_string();
        if let Err(reason) = round.apply(event) {
            panic!("{text}: {reason}\n{}", Record::of(round));
        }
    }
    // Taking back without end is legal, but nobody does it.
    panic!("the round does not end");
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn cards_and_points_are_conserved(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut round = begin(&mut dice);
        play_round(&mut dice, &mut round, |round, _| {
            assert_eq!(all_cards(round), Some(CardSet::FULL));
            let hands: u32 = Seat::ALL.iter().map(|&seat| round.hand(seat).faces().points()).sum();
            let open: u32 = match round.phase() {
                Phase::Playing(playing) => playing.plays.iter().map(|play| play.faces().points()).sum(),
                _ => 0,
            };
            if !matches!(round.phase(), Phase::Dealing(_)) {
                let taken: u32 = round.points().taken.iter().sum();
                assert_eq!(hands + open + taken + round.kitty().faces().points(), 200);
            }
        });
        let Phase::Over(over) = round.phase() else { panic!("the round is over") };
        let bonus = over.bonus.map_or(0, |bonus| bonus.total());
        assert_eq!(over.result.points, round.attackers_points() + bonus);
    }

    #[test]
    fn a_refused_event_leaves_the_round_untouched(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut round = begin(&mut dice);
        play_round(&mut dice, &mut round, |round, dice| {
            for _ in 0..4 {
                let mut tried = round.clone();
                let event = nonsense(round, dice);
                if let Err(reason) = tried.apply(event) {
                    assert_eq!(&tried, round);
                    assert!(!reason.to_string().is_empty());
                } else {
                    assert_eq!(all_cards(&tried), Some(CardSet::FULL));
                }
            }
        });
    }

    #[test]
    fn a_view_allows_what_the_round_allows(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut round = begin(&mut dice);
        play_round(&mut dice, &mut round, |round, dice| {
            let seat = Seat::ALL[dice.below(4)];
            let count = 1 + dice.below(3);
            let cards = dice.some(round.hand(seat), count);
            let view = View::of(round, Some(seat));
            let verdict = round.clone().apply(Event::Play { seat, cards });
            assert_eq!(view.check(cards), verdict);
            for (viewer, view) in views(round).into_iter().enumerate() {
                assert_eq!(view.hand.len(), if viewer < 4 { view.held[viewer] } else { 0 });
                assert_eq!(view.lead(&view.judge()), round.lead());
            }
        });
    }

    #[test]
    fn text_and_replay_give_the_round_back(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut round = begin(&mut dice);
        let mut moments = Vec::new();
        play_round(&mut dice, &mut round, |round, dice| {
            if dice.once_in(12) {
                moments.push(round.clone());
            }
            if dice.once_in(6) {
                let record = Record::of(round);
                assert_eq!(record.to_string().parse(), Ok(record));
                let viewer = Seat::new(dice.below(5));
                let redacted = Redacted::of(round, viewer);
                assert_eq!(redacted.to_string().parse(), Ok(redacted));
            }
        });
        let record = Record::of(&round);
        assert_eq!(record.round(), Ok(round));
        for moment in moments {
            // A moment inside a stretch of the deal is a record of its own.
            assert_eq!(Record::of(&moment).round(), Ok(moment));
        }
    }

    #[test]
    fn an_early_end_changes_no_result(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut setup = setup(&mut dice);
        setup.rules.end_early = false;
        let mut round = Round::new(setup, Deck::of(&Seed::from_number(dice.next()), setup.number));
        let mut decided = None;
        play_round(&mut dice, &mut round, |round, _| {
            if decided.is_none() && round.is_decided() && matches!(round.phase(), Phase::Playing(_)) {
                decided = Some((round.attackers_points(), round.tricks().len()));
            }
        });
        if let (Some((points, _)), Phase::Over(over)) = (decided, round.phase()) {
            let end = tractor::RoundEnd {
                starter: round.starter(),
                defending: round.defending(),
                levels: setup.start.levels,
                points,
                lone_jack: false,
            };
            let early = end.result(&setup.rules);
            assert_eq!((early.winner, early.rise, early.next), (over.result.winner, over.result.rise, over.result.next));
        }
    }
}

#[test]
fn games_end_with_a_defended_last_level() {
    for (number, rules) in [Rules::DEFAULT, Rules::EJFN, Rules::SHENGJI]
        .into_iter()
        .enumerate()
    {
        let mut dice = Dice::new(number as u64);
        let mut game = Game::new(rules, Seed::from_number(1));
        while game.winner().is_none() {
            assert!(game.finished().len() < 2000, "the game does not end");
            while let Some(event) = event(game.round(), &mut dice) {
                let before = game.next_start();
                assert_eq!(before, Err(GameError::RoundOpen));
                game.apply(event).unwrap();
            }
            if game.winner().is_none() {
                game.next_round(Seed::from_number(1)).unwrap();
            }
        }
        let winner = game.winner().unwrap();
        let setup = game.round().setup();
        assert_eq!(setup.start.levels[winner.index()], rules.max_rank);
        assert_eq!(game.round().defending(), winner);
        assert!(
            setup
                .start
                .levels
                .iter()
                .all(|&level| level <= rules.max_rank && level >= Level::TWO)
        );
        assert_eq!(
            game.next_round(Seed::from_number(1)),
            Err(GameError::Over(winner))
        );

        let text = game.to_string();
        assert_eq!(text.parse::<Game>().as_ref(), Ok(&game));
        let mut records = game.records();
        assert!(
            records
                .iter()
                .all(|record| matches!(record.deal, Deal::Seed(_)))
        );
        records.remove(0);
        records.swap(0, 1);
        assert!(Game::replay(&records).is_err());
    }
}
