//! Rules 2.6 to 2.9: tricks, bonus, result, what follows.
#![allow(clippy::unwrap_used, reason = "a test may be blunt")]

mod table;

use table::{RULES, SUITS, cards, dealt, declare, judge, play, seat, set, to_play};
use tractor::{
    Event, KittyBonus, Level, LevelSet, Phase, Round, RoundEnd, RoundError, RoundResult, Rules,
    Seat, Team,
};

fn level(text: &str) -> Level {
    text.parse().unwrap()
}

/// A round in which team A defends, started by seat 0.
fn result(rules: Rules, levels: [&str; 2], points: i32) -> RoundResult {
    let end = RoundEnd {
        starter: seat(0),
        defending: Team::A,
        levels: levels.map(level),
        points,
        lone_jack: false,
    };
    end.result(&rules)
}

/// Spades are trump and seat 0 has them all: it wins every trick with singles from the top.
fn spades_on_top() -> Round {
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 0, "2S0 2S1").unwrap();
    to_play(&mut round);
    round
}

/// Seat 0 leads the big jokers, and the others play their twos.
fn draw_trumps(round: &mut Round) {
    for (by, cards) in [
        (0, "bj0 bj1"),
        (1, "2H0 2H1"),
        (2, "2C0 2C1"),
        (3, "2D0 2D1"),
    ] {
        play(round, by, cards).unwrap();
    }
}

#[test]
fn rule_2_6_1_all_play_as_many_cards_in_turn_order() {
    let mut round = spades_on_top();
    play(&mut round, 0, "bj0 bj1").unwrap();
    assert_eq!(round.turn(), Some(seat(1)));
    assert!(play(&mut round, 1, "2H0").is_err());
    assert!(matches!(
        play(&mut round, 2, "3C0 3C1"),
        Err(RoundError::OutOfTurn { .. })
    ));
    play(&mut round, 1, "2H0 2H1").unwrap();
    play(&mut round, 2, "2C0 2C1").unwrap();
    assert_eq!(round.turn(), Some(seat(3)));
}

#[test]
fn rule_2_6_2_the_winner_takes_the_points_and_leads() {
    let mut round = spades_on_top();
    draw_trumps(&mut round);
    play(&mut round, 0, "AS0").unwrap();
    for (by, card) in [(1, "KH0"), (2, "TC0"), (3, "5D0")] {
        play(&mut round, by, card).unwrap();
    }
    assert_eq!(round.points().taken, [25, 0]);
    assert_eq!(round.turn(), Some(seat(0)));
    assert_eq!(round.tricks()[1].winner(), seat(0));
}

#[test]
fn rule_2_6_3_hands_run_out_together_after_25_singles() {
    let mut round = spades_on_top();
    table::play_out(&mut round);
    assert_eq!(round.tricks().len(), 25);
    assert!(Seat::ALL.iter().all(|&seat| round.hand(seat).is_empty()));
}

fn multiplier(lead: &str) -> i32 {
    let judge = judge("2C", RULES);
    KittyBonus::multiplier(&judge, judge.ranked(cards(lead)))
}

#[test]
fn rule_2_7_1_the_pairs_of_the_last_lead_multiply_the_kitty() {
    for (lead, factor) in [
        ("3S", 2),
        ("3S 3S", 4),
        ("3S 3S 4S 4S", 8),
        ("3S 3S 4S 4S 5S 5S", 16),
        ("AS AS KS", 4),
        ("AS AS QS QS", 8),
        ("AS KS QS", 2),
    ] {
        assert_eq!(multiplier(lead), factor, "{lead}");
    }
    let judge = judge("2C", RULES);
    let kitty = cards("KH KH 5D 3D 4D 6D 7D 8D");
    let bonus = KittyBonus::of(&judge, judge.ranked(cards("3S 3S 4S 4S")), kitty).unwrap();
    assert_eq!(
        (bonus.points, bonus.multiplier, bonus.total()),
        (25, 8, 200)
    );
}

#[test]
fn rule_2_7_2_no_bonus_without_points_or_for_the_defenders() {
    let judge = judge("2C", RULES);
    let kitty = cards("3H 4H 6H 7H 8H 9H JH QH");
    assert_eq!(
        KittyBonus::of(&judge, judge.ranked(cards("3S 3S")), kitty),
        None
    );
    let mut round = dealt(RULES, SUITS, "");
    declare(&mut round, 0, "2S0 2S1").unwrap();
    round.apply(Event::Close).unwrap();
    table::bury(&mut round, 0, "KS0 KS1 TS0 TS1 5S0 4C0 4H0 4H1").unwrap();
    draw_trumps(&mut round);
    table::play_out(&mut round);
    let Phase::Over(over) = round.phase() else {
        panic!("the round is played out");
    };
    assert_eq!(
        (over.bonus, over.tricks[23].winner().team()),
        (None, Team::A)
    );
}

#[test]
fn rule_2_7_3_the_last_lead_empties_every_hand() {
    // Seat 1 holds the last trumps as one long tractor: attackers, and the kitty has points.
    let hands = ["3S0 3S1 4S0 4S1", "2S0 sj0 sj1 bj0 bj1 AS0 AS1", "", ""];
    let mut round = dealt(RULES, hands, "");
    round.apply(Event::Close).unwrap();
    let by = round.turn().unwrap();
    let points: Vec<_> = round
        .hand(by)
        .iter()
        .filter(|card| card.points() > 0)
        .collect();
    let rest = round.hand(by).iter().filter(|card| card.points() == 0);
    let kitty = points.iter().copied().chain(rest).take(8).collect();
    round
        .apply(Event::Bury {
            seat: by,
            cards: kitty,
        })
        .unwrap();
    let mut lead = set("3S0");
    while !matches!(round.phase(), Phase::Over(_)) {
        if round.lead().is_none() {
            lead = round.hand(round.turn().unwrap());
        }
        round.apply(table::any_play(&round, true)).unwrap();
    }
    let Phase::Over(over) = round.phase() else {
        unreachable!()
    };
    let last = over.tricks.last().unwrap();
    assert_eq!(last.plays[0].len(), lead.len());
    let attacked = last.winner().team() != round.defending();
    assert_eq!(
        over.bonus.is_some(),
        attacked && round.kitty().faces().points() > 0
    );
    let bonus = over.bonus.map_or(0, |bonus| bonus.total());
    assert_eq!(over.result.points, round.attackers_points() + bonus);
}

#[test]
fn rule_2_8_1_below_80_the_defenders_rise() {
    for (points, rise) in [(0, 3), (5, 2), (35, 2), (40, 1), (75, 1)] {
        let result = result(RULES, ["2", "2"], points);
        assert_eq!((result.winner, result.rise), (Team::A, rise), "{points}");
    }
}

#[test]
fn rule_2_8_2_from_80_the_attackers_win() {
    for (points, rise) in [
        (80, 0),
        (115, 0),
        (120, 1),
        (155, 1),
        (160, 2),
        (200, 3),
        (240, 4),
        (280, 5),
        (1000, 23),
    ] {
        let result = result(RULES, ["2", "2"], points);
        assert_eq!((result.winner, result.rise), (Team::B, rise), "{points}");
    }
}

#[test]
fn rule_2_8_3_levels_stop_at_the_ace() {
    let levels = |levels, points| result(RULES, levels, points).next.unwrap().levels;
    assert_eq!(levels(["9", "K"], 160), [level("9"), level("A")]);
    assert_eq!(levels(["Q", "2"], 0), [level("A"), level("2")]);
    assert_eq!(levels(["K", "7"], 0), [level("A"), level("7")]);
}

#[test]
fn rule_2_9_1_after_a_defence_the_partner_starts() {
    let next = result(RULES, ["2", "2"], 40).next.unwrap();
    assert_eq!((next.starter, next.defending), (seat(2), Team::A));
    assert_eq!(next.levels, [level("3"), level("2")]);
}

#[test]
fn rule_2_9_2_after_a_loss_the_next_seat_starts() {
    let next = result(RULES, ["2", "5"], 80).next.unwrap();
    assert_eq!((next.starter, next.defending), (seat(1), Team::B));
    let end = RoundEnd {
        starter: seat(3),
        defending: Team::B,
        levels: ["3", "9"].map(level),
        points: 120,
        lone_jack: false,
    };
    let next = end.result(&RULES).next.unwrap();
    assert_eq!((next.starter, next.levels[0]), (seat(0), level("4")));
}

#[test]
fn rule_2_9_3_the_next_trump_rank_is_the_new_defenders_level() {
    let next = result(RULES, ["7", "K"], 160).next.unwrap();
    assert_eq!(next.levels[next.defending.index()], level("A"));
    let next = result(RULES, ["2", "5"], 80).next.unwrap();
    assert_eq!(next.levels[next.defending.index()], level("5"));
}

#[test]
fn rule_2_9_4_a_defended_ace_wins_the_game() {
    assert_eq!(result(RULES, ["A", "7"], 75).next, None);
    assert!(result(RULES, ["A", "7"], 80).next.is_some());
    assert!(result(RULES, ["K", "7"], 0).next.is_some());
    let next = result(RULES, ["A", "A"], 200).next.unwrap();
    assert_eq!(
        (next.defending, next.levels),
        (Team::B, ["A", "A"].map(level))
    );
}

#[test]
fn rule_2_9_5_levels_that_must_be_defended_hold_a_team() {
    let rules = Rules {
        must_defend: "5 T K A".parse::<LevelSet>().unwrap(),
        ..RULES
    };
    let level_of = |team: Team, levels, points| {
        result(rules, levels, points).next.unwrap().levels[team.index()]
    };
    // A rise passes no such level, but may leave one that was just defended.
    assert_eq!(level_of(Team::A, ["4", "2"], 0), level("5"));
    assert_eq!(level_of(Team::A, ["5", "2"], 0), level("8"));
    assert_eq!(level_of(Team::A, ["9", "2"], 0), level("T"));
    // Attackers never leave it.
    assert_eq!(level_of(Team::B, ["2", "5"], 240), level("5"));
    assert_eq!(level_of(Team::B, ["2", "4"], 240), level("5"));
}

#[test]
fn rule_2_9_6_a_result_depends_on_roles_levels_starter_and_points() {
    let one = result(RULES, ["9", "4"], 95);
    assert_eq!(one, result(RULES, ["9", "4"], 95));
    let mirrored = RoundEnd {
        starter: seat(1),
        defending: Team::B,
        levels: ["4", "9"].map(level),
        points: 95,
        lone_jack: false,
    };
    let mirrored = mirrored.result(&RULES);
    assert_eq!((mirrored.winner, mirrored.rise), (Team::A, one.rise));
    assert_eq!(mirrored.next.unwrap().starter, seat(2));
}
