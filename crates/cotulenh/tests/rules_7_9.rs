//! Rules 7 to 9: air cover, promotion, legality and the end of the game.

mod common;

use common::{after, all, blue, game, illegal, legal, outcome, red, refused, sq};
use cotulenh::{Color, Position, VictoryRules};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// How many squares the side covers, and whether it covers one of them.
fn cover(fen: &str, color: Color) -> Vec<String> {
    position(fen)
        .air_cover(color)
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

#[test]
fn rule_7_1_1_a_stay_capture_moves_nobody() {
    assert_eq!(
        after(&red("Nc3 if3"), "N_f3"),
        "6c4/9ii/11/11/11/11/11/11/11/2N8/9II/5C5 b - - 0 1"
    );
    assert_eq!(
        after(&red("(FT)e5 ie7"), "(FT)_e7"),
        "6c4/9ii/11/11/11/11/11/4(FT)6/11/11/9II/5C5 b - - 0 1"
    );
}

#[test]
fn rule_7_1_2_aircraft_against_ships() {
    legal(&red("Fd2 nb2"), "F@b2");
    illegal(&red("Fd2 nb2"), "F_b2 Fxb2 Fc2");
    legal(&red("+Fd2 nb2"), "+F_b2 +Fc2");
    illegal(&red("+Fd2 nb2"), "+F@b2 +Fxb2");
    legal(&red("Ff5 nc5"), "F@c5");
    illegal(&red("Ff5 nc5"), "Fxc5 F_c5");
}

#[test]
fn rule_7_2_1_who_covers_how_far() {
    for (placed, squares) in [
        ("Gg6", 5),
        ("Sg6", 13),
        ("Nc6", 5),
        ("+Gg6", 13),
        ("+Sg6", 29),
        ("(EG)g6", 0),
        ("(ES)g6", 0),
        ("(NF)c6", 5),
        ("Fg6", 0),
    ] {
        assert_eq!(cover(&red(placed), Color::Red).len(), squares, "{placed}");
    }
}

#[test]
fn rule_7_2_2_cover_is_a_disc() {
    let covered = cover(&red("Sg6"), Color::Red);
    for square in ["g6", "g8", "g4", "e6", "i6", "f7", "h5"] {
        assert!(covered.contains(&square.to_owned()), "{square}");
    }
    for square in ["h8", "e5", "g9"] {
        assert!(!covered.contains(&square.to_owned()), "{square}");
    }
    assert_eq!(
        cover(&red("+Gk1"), Color::Red).len(),
        6,
        "cut by the corner"
    );
}

#[test]
fn rule_7_2_3_cover_follows_the_board() {
    let next = after(
        "5c5/1N8i/10i/11/11/11/11/11/11/10I/10I/4C6 r - - 0 1",
        "Nc12",
    );
    assert_eq!(cover(&next, Color::Red).len(), 9, "the ship turned heroic");
    let loaded = game(&red("Ef4 Gg4"), "E&g4");
    assert!(loaded.position().air_cover(Color::Red).is_empty());
    let unloaded = game(&red("(EG)f4"), "E>e4 .");
    assert_eq!(unloaded.position().air_cover(Color::Red).len(), 5);
    assert!(refused(
        "6c1f2/5h1h3/3a2s4/1n2gt1tg1a/3ie3e1i/11/3A7/2E4F2(fm)/4G2TGE1/6M2A1/1Nn2TSH1F1/6C4 r - - 0 19",
        "Ej4&i4"
    ));
}

#[test]
fn rule_7_3_1_outside_cover_all_is_allowed() {
    legal(&red("Fe5 ie7"), "Fe6 Fxe7 F_e7 Fe8 Fe9");
}

#[test]
fn rule_7_3_2_inside_the_first_cover_only_kamikaze() {
    let board = red("Fg5 gg8 ig7");
    legal(&board, "Fg6 F@g7 F@g8");
    illegal(&board, "Fxg7 F_g7 Fxg8 F_g8 Fg9");
    illegal(&red("Fg5 gg8"), "Fg7");
}

#[test]
fn rule_7_3_3_a_second_provider_or_leaving_cover_ends_the_flight() {
    legal(&red("Fg5 gg8 gf7"), "Fg6");
    illegal(&red("Fg5 gg8 gf7"), "F@g8 F@g7 Ff6 Fg7");
    legal(&red("Fe5 gd7 ie9"), "Fe6");
    illegal(&red("Fe5 gd7 ie9"), "Fe7 Fe8 Fxe9 F@e9 F_e9");
}

#[test]
fn rule_7_3_4_the_square_of_departure_does_not_count() {
    legal(&red("Fe5 ge6"), "F@e6 Fe4 Ff5 Fd5");
    illegal(&red("Fe5 ge6"), "Fd6 Ff6");
}

#[test]
fn rule_7_3_5_heroic_aircraft_ignore_cover() {
    legal(&red("+Fg5 gg8 sf7"), "+Fg7 +Fxg8 +F_g8 +Fg9 +Fg10");
}

#[test]
fn rule_7_4_1_kamikaze_takes_everybody() {
    assert_eq!(
        after(&red("(FTI)g5 gg8"), "(FTI)@g8"),
        "6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5 b - - 0 1"
    );
    assert_eq!(
        after(&red("Ff5 (nt)c5"), "F@c5"),
        "6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5 b - - 0 1"
    );
}

#[test]
fn rule_8_1_1_attackers_of_the_commander_turn_heroic() {
    assert_eq!(
        after(
            "4i1c4/6I2ii/6T4/11/11/11/11/11/11/11/9II/5C5 r - - 0 1",
            "Ih11"
        ),
        "4i1c4/7I1ii/6+T4/11/11/11/11/11/11/11/9II/5C5 b - - 1 1",
        "uncovered"
    );
    assert!(after(&red("Tg9"), "Tg10").contains("+T"), "the mover");
    assert!(
        after(&red("Ag9 Tk5"), "Tk6").contains("+A"),
        "it attacked before"
    );
}

#[test]
fn rule_8_1_2_members_of_a_stack_one_by_one() {
    let board = "6c4/9ii/11/6(TI)4/11/11/11/11/11/11/9II/5C5 r - - 0 1";
    assert!(after(board, "(TI)g11").contains("(+T+I)"));
    assert!(after(board, "(TI)g10").contains("(+TI)"));
}

#[test]
fn rule_8_1_3_attack_by_kamikaze_counts() {
    assert_eq!(
        after(
            "6c4/6g2ii/11/6I4/5F5/11/11/11/11/11/9II/5C5 r - - 0 1",
            "Fg8"
        ),
        "6c4/6g2ii/11/6I4/6+F4/11/11/11/11/11/9II/5C5 b - - 1 1"
    );
}

#[test]
fn rule_8_2_1_last_guard() {
    assert_eq!(
        after("4c6/10t/11/11/11/11/11/3i7/11/3I7/11/5C5 r - - 0 1", "Id4"),
        "4c6/10t/11/11/11/11/11/3i7/3+I7/11/11/5C5 b - - 1 1"
    );
    // The opponent's last guard is promoted too, and a headquarter counts.
    assert!(
        after(
            "4c6/10h/11/11/11/11/3i7/3T7/11/11/9II/5C5 r - - 0 1",
            "Txd6"
        )
        .contains("10+h")
    );
    assert!(
        !after(
            "4c6/9tt/11/11/11/11/11/11/11/3(TI)7/11/5C5 r - - 0 1",
            "(TI)d4"
        )
        .contains('+')
    );
}

#[test]
fn rule_8_2_2_no_last_guard_beside_a_carried_commander() {
    assert_eq!(
        after(
            "4c6/9it/11/11/11/11/11/11/11/11/11/5(TC)5 r - - 0 1",
            "(TC)f2"
        ),
        "4c6/9it/11/11/11/11/11/11/11/11/5(TC)5/11 b - - 1 1"
    );
}

#[test]
fn rule_8_2_1_the_last_guard_can_be_left_as_it_is() {
    // Once the aircraft is lost, the infantry is the last guard.
    let start = position("4c6/10t/11/11/6g4/11/11/6(FI)4/11/11/11/5C5 r - - 0 1");
    let kamikaze = start.read_move("F>@g8").expect("a legal step");
    let left = |position: &Position| position.stack_at(sq("g5")).map(|left| left.to_string());
    let promoted = start.play(kamikaze).expect("legal");
    assert_eq!(left(&promoted).as_deref(), Some("+I"));
    let plain = start.with_last_guard(false).play(kamikaze).expect("legal");
    assert_eq!(left(&plain).as_deref(), Some("I"));
    let ended = plain
        .play(plain.read_move(".").expect("legal"))
        .expect("legal");
    assert_eq!(left(&ended).as_deref(), Some("I"));
}

#[test]
fn rule_8_3_1_promotion_is_permanent() {
    let later = after(&red("Tg9 ie5"), "Tg10 Ch12 +Tg8");
    assert!(later.contains("+T"), "{later}");
    let commander = after("4c6/11/11/11/11/11/11/3i7/11/11/11/5C5 r - - 0 1", "Cf2");
    assert!(!commander.contains("+C"));
}

#[test]
fn rule_8_4_1_promotion_is_in_force_at_once() {
    // The first step uncovers the tank, which then steps three squares.
    let board = "11/9ii/11/11/11/11/11/(nc)n(TI)8/11/11/9II/5C5 r - - 0 1";
    let after_first: Position = after(board, "I>_b5").parse().unwrap();
    assert!(after_first.to_string().contains("c5:+T:"));
    let next = after(
        "5c5/1N8i/10i/11/11/11/11/11/11/10I/10I/4C6 r - - 0 1",
        "Nc12",
    );
    assert!(next.starts_with("2+N2c5"), "{next}");
}

#[test]
fn rule_9_1_1_attack_ignores_terrain_and_judges_members() {
    let attackers = |fen: &str, square: &str, color| {
        let mut list: Vec<String> = position(fen)
            .attackers(sq(square), color)
            .map(|(square, role)| format!("{square}:{role}"))
            .collect();
        list.sort();
        list
    };
    assert_eq!(
        attackers(&red("Cc5 Ij2 Ik2 nc8"), "c5", Color::Blue),
        ["c8:N"]
    );
    assert_eq!(
        attackers(&red("Ci5 Ij2 Ik2 ai8"), "i5", Color::Blue),
        ["i8:A"]
    );
    assert_eq!(
        attackers(&red("Ci5 Ij2 Ik2 (tm)i6"), "i5", Color::Blue),
        ["i6:M", "i6:T"]
    );
    assert_eq!(
        attackers(&red("Ci5 Ij2 Ik2 (tm)i7"), "i5", Color::Blue),
        ["i7:T"]
    );
}

#[test]
fn rule_9_1_2_a_missile_attacks_as_it_captures() {
    let check = |fen: &str| position(fen).in_check();
    assert!(!check("6c4/11/4S6/11/11/11/11/11/11/11/11/5C5 b - - 0 1"));
    assert!(check("6c4/5S5/11/11/11/11/11/11/11/11/11/5C5 b - - 0 1"));
    assert!(check("6c4/11/4+S6/11/11/11/11/11/11/11/11/5C5 b - - 0 1"));
    assert!(!check("6c4/11/11/3+S7/11/11/11/11/11/11/11/5C5 b - - 0 1"));
    assert!(check("6c4/11/6S4/11/11/11/11/11/11/11/11/5C5 b - - 0 1"));
}

#[test]
fn rule_9_1_3_the_commanders_attack() {
    let board = position("11/11/11/11/6c4/7+C3/11/4h6/11/4f4E1/11/11 b - - 17 60");
    assert!(!board.in_check());
    let adjacent = position("11/11/11/11/6c4/6C4/11/4h6/11/4f4E1/11/11 b - - 17 60");
    assert!(adjacent.in_check());
    let near = |placed: &str| {
        position(&red(placed))
            .attackers(sq("e6"), Color::Red)
            .count()
    };
    assert_eq!(near("Ce5 ie6 Ij2 Ik2"), 1);
    assert_eq!(near("Cd5 ie6 Ij2 Ik2"), 0);
    assert_eq!(near("+Cd5 ie6 Ij2 Ik2"), 1);
    assert_eq!(near("+Ce4 ie6 Ij2 Ik2"), 0);
}

#[test]
fn rule_9_1_4_an_aircraft_attacks_unless_its_flight_ends() {
    let check = |placed: &str| position(&blue(placed)).in_check();
    assert!(check("Fg9"));
    assert!(check("Fg9 gg11"), "one provider: by kamikaze");
    assert!(!check("Fg9 gg11 gf10"), "two providers");
}

#[test]
fn rule_9_2_1_check_and_danger() {
    let attacked = position(&red("Cf1 Ij2 Ik2 if2"));
    assert!(attacked.in_check() && attacked.in_danger(Color::Red));
    let exposed = position(&red("Cg1 Ij2 Ik2"));
    assert!(!exposed.in_check() && exposed.in_danger(Color::Red));
    let calm = position(&red(""));
    assert!(!calm.in_check() && !calm.in_danger(Color::Red));
}

#[test]
fn rule_9_2_2_no_commander_is_check_and_danger() {
    let bare = position("6c4/11/11/11/11/11/11/11/11/11/11/5T5 r - - 0 1");
    assert!(bare.in_check() && bare.in_danger(Color::Red) && !bare.in_danger(Color::Blue));
}

#[test]
fn rule_9_3_1_no_action_into_danger() {
    assert!(refused(
        "11/9ii/2c8/11/11/11/11/11/11/1nC8/9II/11 r - - 0 1",
        "C_b3"
    ));
    illegal(&red("Cg1 Ij2 Ik2 Tg5"), "Tf5");
    legal(&red("Cg1 Ij2 Ik2 Tg5"), "Tg6");
    illegal(&red("Cf1 Ij2 Ik2 af4 If2"), "Ij3");
}

#[test]
fn rule_9_3_2_without_a_commander_nothing_is_legal() {
    assert!(all("6c4/11/11/11/11/11/11/11/11/11/11/5T5 r - - 0 1").is_empty());
}

#[test]
fn rule_9_3_3_no_turn_costs_the_own_commander() {
    illegal(&red("(FC)g5 gg8 Ij2 Ik2"), "(FC)@g8");
    let board = "6c4/11/11/6g4/11/11/11/6(FC)4/11/11/11/11 r - - 7 9";
    assert!(refused(board, "F>@g9 C>&g9"));
}

#[test]
fn rule_9_4_1_checkmate() {
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1";
    assert_eq!(outcome(mate, ""), "blue wins by checkmate");
    assert!(all(mate).is_empty());
}

#[test]
fn rule_9_4_2_stalemate() {
    assert_eq!(
        outcome("11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4", ""),
        "drawn by stalemate"
    );
}

#[test]
fn rule_9_4_3_a_headquarter_protects_nobody() {
    assert!(position("6c4/10i/11/11/11/11/11/11/11/11/5i4I/5(HC)5 r - - 0 1").in_check());
    assert_eq!(
        outcome("4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2(HC) r - - 0 1", ""),
        "blue wins by checkmate"
    );
}

#[test]
fn rule_9_5_1_a_missing_commander_ends_the_game() {
    assert_eq!(
        outcome("6c4/11/11/11/11/11/11/11/11/11/11/5T5 r - - 0 1", ""),
        "blue wins, the commander is captured"
    );
    assert_eq!(
        outcome("11/10i/11/11/11/11/4c6/4C6/11/11/10I/11 r - - 0 1", "Cxe6"),
        "red wins, the commander is captured"
    );
}

#[test]
fn rule_9_6_1_any_capture_resets_the_clock() {
    let clock = |fen: &str, moves: &str| after(fen, moves).split(' ').nth(4).unwrap().to_owned();
    let at_seven = |fen: String| fen.replace(" 0 1", " 7 9");
    assert_eq!(clock(&at_seven(red("Te4")), "Te5"), "8");
    assert_eq!(clock(&at_seven(red("Te4 ie5")), "Txe5"), "0");
    assert_eq!(clock(&at_seven(red("Ac2 nb2")), "A_b2"), "0");
    assert_eq!(clock(&at_seven(red("Fg5 gg8")), "F@g8"), "0");
    assert_eq!(clock(&at_seven(red("(TI)h3 mh5")), "I>g3 T>xh5"), "0");
    assert_eq!(clock(&at_seven(red("(TI)h3 mh5")), "I>g3 ."), "8");
}

#[test]
fn rule_9_6_2_the_clock_draws_at_a_hundred() {
    let board = "6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 99 60";
    assert_eq!(outcome(board, ""), "none");
    assert_eq!(
        outcome(board, "Te5"),
        "drawn, a hundred turns without a capture"
    );
}

#[test]
fn rule_9_6_3_threefold_repetition() {
    let start = Position::start().to_string();
    let once = "Cf1 Cf12 Cg1 Cg12";
    assert_eq!(outcome(&start, once), "none");
    assert_eq!(
        outcome(&start, &format!("{once} {once}")),
        "drawn by threefold repetition"
    );
}

#[test]
fn rule_9_6_4_the_outcome_is_judged_between_turns() {
    let board = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 99 60";
    assert_eq!(outcome(board, "F>e8"), "none");
    assert_eq!(
        outcome(board, "F>e8 ."),
        "drawn, a hundred turns without a capture"
    );
    assert!(
        !all(&after(board, "F>e8 .")).is_empty(),
        "moves are still listed"
    );
}

#[test]
fn rule_9_6_5_which_end_comes_first() {
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 120 90";
    assert_eq!(outcome(mate, ""), "blue wins by checkmate");
    let stale = "11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 120 90";
    assert_eq!(outcome(stale, ""), "drawn by stalemate");
    let bare = "6c4/11/11/11/11/11/11/11/11/11/11/5T5 r - - 120 90";
    assert_eq!(outcome(bare, ""), "blue wins, the commander is captured");
}

#[test]
fn rule_9_7_1_optional_victories() {
    let ended = |fen: &str, moves: &str, victories| {
        let mut played = game(fen, "").with_rules(victories);
        for text in moves.split_whitespace() {
            played.play_text(text).unwrap();
        }
        played
            .outcome()
            .map_or("none".to_owned(), |outcome| outcome.to_string())
    };
    let off = VictoryRules::default();
    let marine = VictoryRules {
        marine: true,
        ..off
    };
    let air = VictoryRules { air: true, ..off };
    let land = VictoryRules { land: true, ..off };
    assert_eq!(ended(&red("Nc3 nc5"), "Nxc5", off), "none");
    assert_eq!(
        ended(&red("Nc3 nc5"), "Nxc5", marine),
        "red wins, all ships are lost"
    );
    assert_eq!(ended(&red("Nc3 nc5 na9"), "Nxc5", marine), "none");
    assert_eq!(
        ended(&red("Te4 fe5"), "Txe5", air),
        "red wins, all aircraft are lost"
    );
    assert_eq!(
        ended(&red("Ff5 (nf)c5"), "F@c5", air),
        "red wins, all aircraft are lost",
        "the mover's victory first"
    );
    let last = "6c4/10h/11/11/11/11/4i6/4M6/11/11/9II/5C5 r - - 0 1";
    assert_eq!(
        ended(last, "Mxe6", land),
        "red wins, all artillery, tanks and infantry are lost"
    );
    assert_eq!(
        ended(&red("Te4"), "Te5", marine),
        "none",
        "never had a ship"
    );
}
