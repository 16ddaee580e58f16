//! Rule 2.10: the house rules, those of declaring apart.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, bury, cards, dealt, declare, judge, play, seat, shape, suit, to_play};
use tractor::{
    DeclOffer, DeclareError, Eligibility, Event, FollowPolicy, KittyBonus, KittyMultiplier, Level,
    LevelSet, NoBid, Phase, ResponseMapping, Round, RoundEnd, RoundError, Rules, Scoring, Setup,
    Start, Suit, Team, ThrowEval, ThrowMode, Trump, View,
};

fn level(text: &str) -> Level {
    text.parse().unwrap()
}

fn end(levels: [&str; 2], points: i32) -> RoundEnd {
    RoundEnd {
        starter: seat(0),
        defending: Team::A,
        levels: levels.map(level),
        points,
        lone_jack: false,
    }
}

#[test]
fn rule_2_10_1_a_level_after_the_ace() {
    let rules = Rules {
        max_rank: Level::NT,
        must_defend: LevelSet::ACE.with(Level::NT),
        ..RULES
    };
    let next = end(["A", "7"], 0).result(&rules).next.unwrap();
    assert_eq!(next.levels[0], Level::NT);
    assert_eq!(end(["NT", "7"], 75).result(&rules).next, None);
    let setup = Setup {
        rules,
        number: 9,
        start: next,
        trump: None,
    };
    let mut round = Round::new(
        setup,
        table::deck(next.starter, ["2S0 2S1", "sj0 sj1", "", ""], ""),
    );
    round.apply(Event::Deal { count: 100 }).unwrap();
    assert_eq!(round.trump(), Trump::JOKERS);
    let none = Err(RoundError::Declare(DeclareError::NoBid));
    assert_eq!(declare(&mut round, 0, "2S0"), none);
    declare(&mut round, 1, "sj0 sj1").unwrap();
    assert_eq!(round.trump(), Trump::JOKERS);
}

#[test]
fn rule_2_10_2_which_levels_must_be_defended() {
    let free = Rules {
        must_defend: LevelSet::EMPTY,
        max_rank: Level::NT,
        ..RULES
    };
    let held = Rules {
        must_defend: "J".parse().unwrap(),
        ..free
    };
    let reached = |rules, levels| end(levels, 0).result(&rules).next.unwrap().levels[0];
    assert_eq!(reached(free, ["T", "2"]), level("K"));
    assert_eq!(reached(held, ["T", "2"]), level("J"));
    assert_eq!(reached(free, ["K", "2"]), Level::NT);
}

#[test]
fn rule_2_10_3_a_lone_jack_sends_the_defenders_back() {
    let rules = Rules {
        jack_back_to_two: true,
        ..RULES
    };
    let jack = |levels, points| RoundEnd {
        lone_jack: true,
        ..end(levels, points)
    };
    let level_of = |end: RoundEnd, rules: &Rules| end.result(rules).next.unwrap().levels[0];
    assert_eq!(level_of(jack(["J", "5"], 120), &rules), Level::TWO);
    assert_eq!(level_of(jack(["J", "5"], 40), &rules), Level::TWO);
    assert_eq!(level_of(jack(["J", "5"], 120), &RULES), level("J"));
    assert_eq!(level_of(jack(["Q", "5"], 120), &rules), level("Q"));

    // In a round: seat 1 keeps a jack for the last trick, and it wins.
    let start = Start {
        starter: seat(0),
        defending: Team::A,
        levels: [level("J"), level("5")],
    };
    let setup = Setup {
        rules,
        number: 2,
        start,
        trump: None,
    };
    let hands = [
        "",
        "JS0 bj0 bj1 sj0 sj1 JS1 JH0 JH1 JC0 JC1 JD0 JD1",
        "",
        "",
    ];
    let mut round = Round::new(setup, table::deck(seat(0), hands, ""));
    round.apply(Event::Deal { count: 100 }).unwrap();
    to_play(&mut round);
    while !matches!(round.phase(), Phase::Over(_)) {
        let event = match round.lead() {
            // Seat 1 has every trump and keeps a jack to the end by leading from below.
            None if round.turn() == Some(seat(1)) => {
                let hand = round.hand(seat(1));
                let jack = |card: &tractor::Card| card.to_string() == "JS0";
                let other = hand.iter().find(|card| !jack(card));
                let cards = other.or(hand.iter().next()).into_iter().collect();
                Event::Play {
                    seat: seat(1),
                    cards,
                }
            }
            _ => table::any_play(&round, false),
        };
        round.apply(event).unwrap();
    }
    let Phase::Over(over) = round.phase() else {
        unreachable!()
    };
    let last = over.tricks.last().unwrap();
    assert_eq!(last.winner(), seat(1));
    let by = (4 + last.winner().index() - last.leader.index()) % 4;
    assert_eq!(last.plays[by].to_string(), "JS0");
    assert_eq!(over.result.next.unwrap().levels[0], Level::TWO);
}

#[test]
fn rule_2_10_4_how_the_kitty_multiplies() {
    let factor = |kitty_multiplier, lead| {
        let judge = judge(
            "2C",
            Rules {
                kitty_multiplier,
                ..RULES
            },
        );
        KittyBonus::multiplier(&judge, judge.ranked(cards(lead)))
    };
    let leads = [
        "3S",
        "3S 3S",
        "3S 3S 4S 4S",
        "3S 3S 4S 4S 5S 5S",
        "AS AS QS QS",
    ];
    let factors = |multiplier| leads.map(|lead| factor(multiplier, lead));
    assert_eq!(factors(KittyMultiplier::PowPairs), [2, 4, 8, 16, 8]);
    assert_eq!(factors(KittyMultiplier::Flat), [2, 4, 4, 4, 4]);
    assert_eq!(factors(KittyMultiplier::Times2n), [2, 4, 8, 12, 4]);
    assert_eq!(factors(KittyMultiplier::PowN), [2, 4, 16, 64, 4]);
}

#[test]
fn rule_2_10_5_steps_turnover_dead_zone_and_shutout() {
    let scoring = Scoring {
        step: 20,
        turnover: 3,
        dead_zone: 2,
        shutout: 10,
    };
    for (points, want) in [
        (0, (true, 4)),
        (10, (true, 4)),
        (15, (true, 3)),
        (55, (true, 1)),
        (60, (false, 0)),
        (95, (false, 0)),
        (100, (false, 1)),
        (120, (false, 2)),
    ] {
        assert_eq!(scoring.rise(points), want, "{points}");
    }
    assert_eq!(RULES.scoring.rise(-5), (true, 4));
    let no_dead_zone = Scoring {
        dead_zone: 0,
        ..RULES.scoring
    };
    assert_eq!(no_dead_zone.rise(80), (false, 1));
}

/// Seat 0 starts and holds a throw of spades that seat 1 stops.
fn challenge(rules: Rules) -> Round {
    let rules = Rules {
        throw_mode: ThrowMode::Challenge,
        ..rules
    };
    let mut round = dealt(rules, ["AS0 QS0 QS1 KS0 3S0", "KS1 AS1 JS0", "", ""], "");
    declare(&mut round, 0, "2H0").ok();
    round.apply(Event::Close).unwrap();
    let by = round.turn().unwrap();
    assert_eq!(by, seat(0));
    let spare = |card: &tractor::Card| card.face().suit() != Suit::from_letter('S');
    let kitty = round.hand(by).iter().filter(spare).take(8).collect();
    round
        .apply(Event::Bury {
            seat: by,
            cards: kitty,
        })
        .unwrap();
    round
}

#[test]
fn rule_2_10_6_a_failed_throw_moves_points() {
    let mut round = challenge(Rules {
        throw_penalty: 10,
        ..RULES
    });
    play(&mut round, 0, "AS0 KS0 QS0").unwrap();
    // A defender failed: the attackers gain.
    assert_eq!(round.attackers_points(), 10);
    let Phase::Playing(playing) = round.phase() else {
        panic!("tricks are played");
    };
    assert_eq!(playing.plays[0].to_string(), "QS0");
    assert_eq!(round.hand(seat(0)).len(), 24);
    let mut free = challenge(RULES);
    play(&mut free, 0, "AS0 KS0 QS0").unwrap();
    assert_eq!(free.attackers_points(), 0);
}

#[test]
fn rule_2_10_7_the_stopper_is_told_or_not() {
    for announce_stopper in [true, false] {
        let mut round = challenge(Rules {
            announce_stopper,
            ..RULES
        });
        play(&mut round, 0, "AS0 KS0 QS0").unwrap();
        let failed = View::of(&round, None).open.unwrap().failed.unwrap();
        assert_eq!(failed.by, announce_stopper.then_some(seat(1)));
        assert_eq!(failed.cards.len(), 3);
    }
}

#[test]
fn rule_2_10_13_a_card_of_the_kitty_may_be_turned_up() {
    let rules = Rules {
        no_bid: NoBid::RevealKitty,
        ..RULES
    };
    let mut round = dealt(rules, SUITS, "4H0");
    round.apply(Event::Close).unwrap();
    assert_eq!(round.trump().suit(), suit('H'));
    assert_eq!(round.revealed().unwrap().to_string(), "4H0");
    for viewer in [None, Some(seat(2))] {
        assert_eq!(View::of(&round, viewer).revealed, round.revealed());
    }
    let mut joker = dealt(rules, SUITS, "bj0");
    joker.apply(Event::Close).unwrap();
    assert_eq!(joker.trump().suit(), None);
    let mut plain = dealt(RULES, SUITS, "4H0");
    plain.apply(Event::Close).unwrap();
    assert_eq!((plain.trump().suit(), plain.revealed()), (None, None));
}

#[test]
fn rule_2_10_14_a_stronger_declaration_steals_the_kitty() {
    let rules = Rules {
        kitty_theft: true,
        ..RULES
    };
    let mut round = dealt(rules, SUITS, "");
    declare(&mut round, 0, "2S0").unwrap();
    to_play(&mut round);
    assert!(matches!(round.phase(), Phase::Stealing(_)));
    let buried = round.kitty();
    assert_eq!(declare(&mut round, 0, "2S0 2S1"), Err(RoundError::OwnKitty));
    assert!(declare(&mut round, 1, "2H0").is_err());
    round.apply(Event::Pass { seat: seat(2) }).unwrap();
    declare(&mut round, 1, "2H0 2H1").unwrap();
    assert_eq!(round.turn(), Some(seat(1)));
    assert_eq!(round.hand(seat(1)).len(), 33);
    assert!(buried.iter().all(|card| round.hand(seat(1)).has(card)));
    assert_eq!(
        (round.trump().suit(), round.starter()),
        (suit('H'), seat(1))
    );
    let cards: Vec<String> = buried.iter().map(|card| card.to_string()).collect();
    bury(&mut round, 1, &cards.join(" ")).unwrap();
    for index in [0, 3, 2] {
        assert!(matches!(round.phase(), Phase::Stealing(_)));
        round.apply(Event::Pass { seat: seat(index) }).unwrap();
    }
    assert_eq!(
        (round.turn(), round.buried_by()),
        (Some(seat(1)), Some(seat(1)))
    );
    table::play_out(&mut round);
}

#[test]
fn rule_2_10_15_a_decided_round_may_be_ended() {
    let rules = Rules {
        end_early: true,
        ..RULES
    };
    // Seat 0 has all spades and declares them: the attackers cannot take a trick.
    let mut round = dealt(rules, SUITS, "");
    declare(&mut round, 0, "2S0 2S1").unwrap();
    to_play(&mut round);
    let end = Event::EndEarly { seat: seat(3) };
    assert_eq!(round.apply(end.clone()), Err(RoundError::Undecided));
    let mut ended = None;
    while ended.is_none() && !matches!(round.phase(), Phase::Over(_)) {
        if round.lead().is_none() && round.is_decided() {
            let mut early = round.clone();
            early.apply(end.clone()).unwrap();
            ended = Some(early);
        }
        round.apply(table::any_play(&round, false)).unwrap();
    }
    table::play_out(&mut round);
    let results = [round, ended.unwrap()].map(|round| match round.phase() {
        Phase::Over(over) => (over.result.winner, over.result.rise, over.result.next),
        _ => panic!("the round is over"),
    });
    assert_eq!(results[0], results[1]);
    let mut off = dealt(RULES, SUITS, "");
    to_play(&mut off);
    assert_eq!(off.apply(end), Err(RoundError::Off("end_early")));
}

#[test]
fn rule_2_10_16_plays_and_declarations_may_be_taken_back() {
    let rules = Rules {
        take_back: true,
        ..RULES
    };
    let mut round = dealt(rules, SUITS, "");
    declare(&mut round, 0, "2S0").unwrap();
    declare(&mut round, 1, "2H0 2H1").unwrap();
    let retract = |seat| Event::Retract { seat };
    assert_eq!(
        round.apply(retract(seat(0))),
        Err(RoundError::NothingToTakeBack)
    );
    round.apply(retract(seat(1))).unwrap();
    assert_eq!(
        (round.trump().suit(), round.starter()),
        (suit('S'), seat(0))
    );
    to_play(&mut round);
    let before = View::of(&round, Some(seat(0)));
    let back = |index| Event::TakeBack { seat: seat(index) };
    assert_eq!(round.apply(back(0)), Err(RoundError::NothingToTakeBack));
    play(&mut round, 0, "AS0").unwrap();
    round.apply(back(0)).unwrap();
    assert_eq!(View::of(&round, Some(seat(0))), before);
    play(&mut round, 0, "KS0").unwrap();
    play(&mut round, 1, "2H0").unwrap();
    assert_eq!(round.apply(back(0)), Err(RoundError::NothingToTakeBack));
    round.apply(back(1)).unwrap();
    play(&mut round, 1, "2H1").unwrap();
    let mut off = dealt(RULES, SUITS, "");
    declare(&mut off, 0, "2S0").unwrap();
    assert_eq!(
        off.apply(retract(seat(0))),
        Err(RoundError::Off("take_back"))
    );
}

#[test]
fn rule_2_10_17_tractors_of_at_least_three_pairs() {
    let rules = Rules {
        min_tractor_len: 3,
        ..RULES
    };
    assert_eq!(shape("2S", rules, "7H 7H 8H 8H"), "P P");
    assert_eq!(shape("2S", rules, "7H 7H 8H 8H 9H 9H"), "T3");
}

#[test]
fn rule_2_10_18_the_leader_may_name_the_components() {
    let rules = Rules {
        name_grouping: true,
        ..RULES
    };
    let parts = || vec![table::set("AS0 AS1"), table::set("KS0 KS1")];
    let lead = |rules| {
        let mut round = dealt(
            rules,
            ["AS0 AS1 KS0 KS1", "5S0 5S1 8S0 8S1 6S0 6S1", "", ""],
            "",
        );
        round.apply(Event::Close).unwrap();
        let spare = |card: &tractor::Card| card.face().suit() != Suit::from_letter('S');
        let kitty = round.hand(seat(0)).iter().filter(spare).take(8).collect();
        round
            .apply(Event::Bury {
                seat: seat(0),
                cards: kitty,
            })
            .unwrap();
        let throw = Event::Throw {
            seat: seat(0),
            parts: parts(),
        };
        round.apply(throw).map(|()| round)
    };
    assert_eq!(lead(RULES).unwrap_err(), RoundError::Off("name_grouping"));
    // Two pairs were named, so two pairs are owed, not a tractor.
    let mut round = lead(rules).unwrap();
    assert_eq!(round.lead().unwrap().shape().tractors(), 0);
    let view = View::of(&round, Some(seat(1)));
    assert_eq!(view.lead(&view.judge()), round.lead());
    play(&mut round, 1, "5S0 5S1 8S0 8S1").unwrap();
}

#[test]
fn rule_2_10_19_the_switches_of_play_have_their_names() {
    let mut rules = RULES;
    for (switch, value) in [
        ("throw_mode", "challenge"),
        ("allow_trump_throw", "true"),
        ("throw_eval", "unit_length"),
        ("eligibility", "embed"),
        ("response_mapping", "lowest_first"),
        ("follow_policy", "strict"),
        ("nt_rank_joker_adjacent", "false"),
        ("decl_offer", "pair_only"),
    ] {
        rules.set(switch, value).unwrap();
        assert_eq!(rules.value(switch).as_deref(), Some(value));
    }
    let want = Rules {
        throw_mode: ThrowMode::Challenge,
        allow_trump_throw: true,
        throw_eval: ThrowEval::UnitLength,
        eligibility: Eligibility::Embed,
        response_mapping: ResponseMapping::LowestFirst,
        follow_policy: FollowPolicy::Strict,
        nt_rank_joker_adjacent: false,
        decl_offer: DeclOffer::PairOnly,
        ..RULES
    };
    assert_eq!(rules, want);
}
