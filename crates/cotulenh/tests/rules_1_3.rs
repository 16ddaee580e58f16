//! Rules 1 to 3: board, pieces, movement and capture.

mod common;

use common::{after, all, from, illegal, legal, red, refused, sq};
use cotulenh::{Color, Position, Role, Square, Terrain};

fn squares(terrain: Terrain) -> usize {
    Square::all()
        .filter(|square| Terrain::of(*square) == terrain)
        .count()
}

#[test]
fn rule_1_1_1_the_board_has_132_squares() {
    assert_eq!(Square::all().count(), 132);
    assert!("k12".parse::<Square>().is_ok());
    for text in ["l1", "a13", "a0", "a20", "a01", "A1", "", "e"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
    let start = Position::start();
    assert_eq!(start.commander(Color::Red), Some("g1".parse().unwrap()));
    assert_eq!(start.commander(Color::Blue), Some("g12".parse().unwrap()));
}

#[test]
fn rule_1_1_2_files_a_and_b_are_sea() {
    assert_eq!(squares(Terrain::Sea), 24);
    for square in ["a1", "b12", "b6"] {
        assert_eq!(Terrain::of(sq(square)), Terrain::Sea);
    }
}

#[test]
fn rule_1_1_3_file_c_and_the_river_mouth_are_mixed() {
    assert_eq!(squares(Terrain::Mixed), 16);
    for square in ["c1", "c12", "d6", "e6", "d7", "e7"] {
        assert_eq!(Terrain::of(sq(square)), Terrain::Mixed);
    }
}

#[test]
fn rule_1_1_4_the_rest_is_land() {
    assert_eq!(squares(Terrain::Land), 92);
    for square in ["d5", "e8", "f6", "k12"] {
        assert_eq!(Terrain::of(sq(square)), Terrain::Land);
    }
}

#[test]
fn rule_1_1_5_only_ships_stand_at_sea_and_never_on_land() {
    assert!(red("Nb5 Nc5 Nd6").parse::<Position>().is_ok());
    for placed in ["Nd5", "Nf6", "Fb5", "Ta5", "Hb1"] {
        assert!(red(placed).parse::<Position>().is_err(), "{placed}");
    }
    assert!(red("Fc5 Te6").parse::<Position>().is_ok());
}

#[test]
fn rule_1_2_1_only_heavy_pieces_mind_the_river() {
    for light in ["Ie6", "Te6", "Me6", "Ee6"] {
        legal(&red(light), &format!("{}e7", &light[..1]));
    }
    for heavy in ["Ai6", "Gi6", "Si6"] {
        illegal(&red(heavy), &format!("{}i7", &heavy[..1]));
    }
}

#[test]
fn rule_1_2_2_bridges_are_on_files_f_and_h() {
    legal(&red("Gf6 Gh6"), "Gf7 Gh7");
    illegal(&red("Gg6 Ge6 Gi6"), "Gg7 Ge7 Gi7");
}

#[test]
fn rule_2_1_a_side_has_nineteen_pieces() {
    let start = Position::start();
    let count = |color, role| {
        start
            .stacks()
            .flat_map(|(_, stack)| stack.pieces())
            .filter(|piece| piece.color == color && piece.role == role)
            .count()
    };
    for color in [Color::Red, Color::Blue] {
        for role in Role::ALL {
            let expected = match role {
                Role::Commander | Role::Militia | Role::Missile => 1,
                _ => 2,
            };
            assert_eq!(count(color, role), expected, "{role:?}");
        }
    }
}

#[test]
fn rule_2_2_the_start_has_116_actions() {
    let start = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";
    assert_eq!(Position::start().to_string(), start);
    assert_eq!(all(start).len(), 116);
}

#[test]
fn rule_3_1_1_commander() {
    let board = red("Cf1 Ij2 Ik2");
    assert_eq!(
        from(&board, "f1"),
        "Cf2 Cf3 Cf4 Cf5 Cf6 Cf7 Cf8 Cf9 Cf10 Cf11 Ce1 Cd1 Cc1"
    );
    legal(&red("Cf1 if2 Ij2 Ik2"), "Cxf2");
    illegal(&red("Cf1 af3 Ij2 Ik2"), "Cxf3");
}

#[test]
fn rule_3_1_2_infantry() {
    assert_eq!(from(&red("Ie5"), "e5"), "Ie6 If5 Ie4 Id5");
    legal(&red("Ie5 ae6"), "Ixe6");
    illegal(&red("Ie5 ad6 ae7"), "Ixd6 Ixe7");
}

#[test]
fn rule_3_1_3_engineer() {
    assert_eq!(from(&red("Ee5"), "e5"), "Ee6 Ef5 Ee4 Ed5");
}

#[test]
fn rule_3_1_4_militia() {
    assert_eq!(from(&red("Me5"), "e5"), "Me6 Mf5 Me4 Md5 Md6 Mf6 Mf4 Md4");
}

#[test]
fn rule_3_1_5_tank() {
    assert_eq!(from(&red("Te4"), "e4"), "Te5 Te6 Tf4 Tg4 Te3 Te2 Td4 Tc4");
    illegal(&red("Te4 id5 ie7"), "Txd5 Txe7");
}

#[test]
fn rule_3_1_6_artillery() {
    legal(&red("Ah3"), "Ah6 Ak3 Ae3 Ak6 Ae6");
    illegal(&red("Ag3"), "Ag7 Ac3");
}

#[test]
fn rule_3_1_7_anti_air_gun() {
    assert_eq!(from(&red("Gh6"), "h6"), "Gh7 Gi6 Gh5 Gg6");
}

#[test]
fn rule_3_1_8_missile() {
    assert_eq!(
        from(&red("Sg4"), "g4"),
        "Sg5 Sg6 Sh4 Si4 Sg3 Sg2 Sf4 Se4 Sf5 Sh5 Sh3 Sf3"
    );
    illegal(&red("Sg4 ii6"), "Sxi6");
}

#[test]
fn rule_3_1_9_aircraft() {
    legal(&red("Fg7"), "Fg11 Fk7 Fg3 Fc7 Fk3 Fc3 Fc11");
    illegal(&red("Ff6"), "Ff11 Fk6 Fk1");
}

#[test]
fn rule_3_1_10_ship() {
    assert_eq!(
        from(&red("Na6"), "a6"),
        "Na7 Na8 Na9 Na10 Nb6 Nc6 Nd6 Ne6 Na5 Na4 Na3 Na2 Nb7 Nc8 Nb5 Nc4"
    );
}

#[test]
fn rule_3_1_11_headquarter() {
    assert_eq!(from(&red("Hf5"), "f5"), "");
    illegal(&red("Hf5 if6"), "Hxf6");
}

#[test]
fn rule_3_1_12_heroic_pieces_reach_further() {
    assert_eq!(
        from(&red("+Ie5"), "e5"),
        "+Ie6 +Ie7 +If5 +Ig5 +Ie4 +Ie3 +Id5 +Ic5 +Id6 +Ic7 +If6 +Ig7 +If4 +Ig3 +Id4 +Ic3"
    );
    legal(&red("+Sh3"), "+Sh6 +Sk3 +Sj5 +Sf5");
    illegal(&red("+Sh3"), "+Sk6 +Se6");
    assert_eq!(
        from(&red("+Hf5"), "f5"),
        "+Hf6 +Hg5 +Hf4 +He5 +He6 +Hg6 +Hg4 +He4"
    );
    legal(&red("+Cf1 Ij2 Ik2 ie2"), "+Cxe2 +Cd1");
    illegal(&red("+Cf1 Ij2 Ik2 if3 id3"), "+Cxf3 +Cxd3");
    legal(&red("+Fg5"), "+Fg10");
    legal(&red("+Te4"), "+Te7 +Th7");
    legal(&red("+Nb5"), "+Nb10");
}

#[test]
fn rule_3_2_1_rays_are_straight_and_end_at_the_edge() {
    assert_eq!(from(&red("Ek1"), "k1"), "Ej1");
    illegal(&red("Ak3"), "Aj1 Ai4");
}

#[test]
fn rule_3_2_2_any_empty_square_within_reach() {
    assert_eq!(from(&red("Tk5"), "k5"), "Tk6 Tk7 Tk4 Tk3 Tj5 Ti5");
}

#[test]
fn rule_3_2_3_the_first_piece_blocks() {
    assert_eq!(
        from(&red("Th4 ih5 ih6"), "h4"),
        "Txh5 Ti4 Tj4 Th3 Th2 Tg4 Tf4"
    );
    assert_eq!(from(&red("Th4 Eh5 ih6"), "h4"), "Ti4 Tj4 Th3 Th2 Tg4 Tf4");
    illegal(&red("+Ie5 me6"), "+Ie7");
    illegal(&red("+Gh3 ih4 ih5"), "+Gxh5");
}

#[test]
fn rule_3_2_4_joining_a_friend() {
    legal(&red("Te4 Ie5"), "T&e5 I&e4");
    illegal(&red("Te4 Ee5"), "T&e5 E&e4");
    illegal(&red("Tc4 Nb4"), "T&b4");
    illegal(&red("Te4 Ie7"), "T&e7");
}

#[test]
fn rule_3_2_5_closed_terrain_stops_movement_not_capture() {
    legal(&red("Ac4 na4"), "A_a4");
    illegal(&red("Ac4"), "Ab4 Aa4");
    legal(&red("Ai5 ii8"), "Ai6 Axi8");
    illegal(&red("Ai5 Ei7"), "Ai7 A&i7 Ai8");
}

#[test]
fn rule_3_2_6_a_stack_moves_as_its_carrier() {
    assert_eq!(
        from(&red("(TM)k5"), "k5"),
        "T>k6 T>k7 T>k4 T>k3 T>j5 T>i5 M>k6 M>k4 M>j5 M>j6 M>j4 (TM)k6 (TM)k7 (TM)k4 (TM)k3 (TM)j5 (TM)i5"
    );
}

#[test]
fn rule_3_3_1_capturing_over_pieces() {
    legal(&red("Ah2 Ih3 ih4 mh5"), "Axh4 Axh5");
    illegal(&red("Ah2 Ih3"), "Ah4");
    legal(&red("Sh2 Ih3 ih4"), "Sxh4");
    legal(&red("Nb2 Nb3 nb4"), "N2xb4 N3xb4");
}

#[test]
fn rule_3_3_2_ships_sail_over_all_but_ships() {
    assert_eq!(
        from(&red("Nc3 ic4 Ic5 nc7"), "c3"),
        "Nxc4 N&c5 Nc6 Nxc7 Nc2 Nc1 Nb3 Na3 Nb4 Na5 Nb2 Na1"
    );
    assert_eq!(
        from(&red("Nb3 Nb5 nb6"), "b3"),
        "N3b4 N3xb6 Nc3 Nb2 Nb1 Na3 N3a4 N3c4 Nc2 Na2"
    );
}

#[test]
fn rule_3_3_3_nothing_blocks_an_aircraft() {
    legal(&red("Fe3 Ie4 ie5 Te6"), "Fxe5 F_e5 F&e6 Fe7");
}

#[test]
fn rule_3_4_1_land_pieces_do_not_cross_the_sea() {
    assert_eq!(from(&red("Tc4"), "c4"), "Tc5 Tc6 Td4 Te4 Tc3 Tc2");
}

#[test]
fn rule_3_4_2_ships_do_not_cross_land() {
    assert_eq!(from(&red("Ne7"), "e7"), "Ne6 Nd7 Nc7 Nb7 Na7 Nd6");
    illegal(&red("+Nc4"), "+Nc4d5 +Nd4 +Ne6");
}

#[test]
fn rule_3_4_3_aircraft_fly_over_all_and_land_on_land() {
    illegal(&red("Fd3"), "Fb3 Fa3");
    legal(&red("+Fc2 Na4"), "+F&a4");
    legal(&red("Fd3"), "Fc3 Fc4");
}

#[test]
fn rule_3_5_1_heavy_pieces_stop_at_the_river() {
    legal(&red("Ae5"), "Ae6 Ad6 Af6");
    illegal(&red("Ae5"), "Ae7 Ae8 Ag7 Ac7");
    illegal(&red("Si7"), "Si6 Si5");
    illegal(&red("Gg6 Eg7"), "G&g7");
}

#[test]
fn rule_3_5_2_bridges_carry_heavy_pieces_along_the_file() {
    legal(&red("Af5"), "Af6 Af7 Af8 Ae6 Ag6");
    illegal(&red("Af5"), "Ad7 Ah7");
    legal(&red("Gh6 Eh7"), "G&h7");
}

#[test]
fn rule_3_5_3_heavy_captures_ignore_the_river() {
    let before = red("Ai5 ii8");
    assert!(after(&before, "Axi8").contains("8A2/"));
    legal(&red("Gg6 ig7"), "Gxg7");
}

#[test]
fn rule_3_5_4_a_loaded_engineer_crosses_anywhere() {
    legal(&red("(EA)e6"), "(EA)e7 E>e7 A>f6");
    illegal(&red("(EA)e6"), "A>e7");
    illegal(&red("Gi6 Ei7"), "G&i7");
    legal(&red("Gi6 Ei7"), "E&i6");
}

#[test]
fn rule_3_6_1_closed_corners() {
    illegal(&red("Nc5"), "Nd6 Ne7");
    illegal(&red("Nd6"), "Nc5 Nb4");
    illegal(&red("Nc8"), "Nd7");
    illegal(&red("Nd7"), "Nc8");
    legal(&red("Nc6"), "Nd7");
    illegal(&red("Nc5 Id6"), "N&d6");
}

#[test]
fn rule_3_6_2_captures_ignore_closed_corners() {
    legal(&red("Nc5 id6"), "Nxd6");
    assert!(after(&red("Nc5 id6"), "Nxd6").contains("3N7"));
}

#[test]
fn rule_3_6_3_torpedo_and_naval_gun() {
    legal(&red("Nc3 (nf)c7"), "Nxc7");
    illegal(&red("Nc3 ic7"), "Nxc7");
    legal(&red("Nc3 ic6"), "Nxc6");
    legal(&red("Nc3 if3"), "N_f3");
    illegal(&red("Nc3 ig3"), "N_g3");
    legal(&red("+Nc3 nc8 ig3"), "+Nxc8 +N_g3");
    illegal(&red("+Nc3 ih3"), "+N_h3");
}

#[test]
fn rule_3_6_4_ships_shoot_at_land_and_move_in_elsewhere() {
    illegal(&red("Nc3 if3"), "Nxf3");
    legal(&red("Nc3 nb3 ic4"), "Nxb3 Nxc4");
    illegal(&red("Nc3 nb3 ic4"), "N_b3 N_c4");
}

#[test]
fn rule_3_7_1_a_capture_takes_the_whole_stack() {
    let board = red("Te4 (ti)e6");
    assert_eq!(
        after(&board, "Txe6"),
        "6c4/9ii/11/11/11/11/4T6/11/11/11/9II/5C5 b - - 0 1"
    );
}

#[test]
fn rule_3_7_2_stay_capture_where_one_may_not_stand() {
    let board = red("Tc3 na3");
    legal(&board, "T_a3");
    illegal(&board, "Txa3");
    assert_eq!(
        after(&board, "T_a3"),
        "6c4/9ii/11/11/11/11/11/11/11/2T8/9II/5C5 b - - 0 1"
    );
    illegal(&red("Te4 ie5"), "T_e5");
}

#[test]
fn rule_3_7_3_aircraft_choose_but_not_in_a_deploy() {
    legal(&red("Fe5 ie7"), "Fxe7 F_e7");
    let board = red("(FT)e5 ie8");
    legal(&board, "(FT)xe8 (FT)_e8 F>xe8");
    illegal(&board, "F>_e8");
}

#[test]
fn rule_3_7_4_commanders_may_stay_capture() {
    legal(&red("Cc3 Ik2 Ij2 nb3"), "C_b3");
    illegal(&red("Cc3 Ik2 Ij2 na3"), "C_a3");
}

#[test]
fn rule_3_8_1_a_commander_sees_to_the_first_piece() {
    // Seen along the file down from g12, and along rank 12; the first piece's square is not seen.
    let board = red("Cg6 Ij2 Ik2");
    assert!(refused(&board, "Ik3"), "exposed on the file");
    let shielded = red("Cg6 Ig8 Ij2 Ik2");
    legal(&shielded, "Ik3");
    // On equal ranks the vertical line runs downward only.
    let level = red("Cd6 Id7 cg6 ij11 ik11 If6");
    illegal(&level, "If7");
    legal(&level, "Ce6");
}

#[test]
fn rule_3_8_2_a_commander_stops_before_the_line() {
    let board = red("Cf1 Ik2 cg12 ik11");
    illegal(&board, "Cg1 Ch1 Ck1");
    legal(&board, "Cf11");
    illegal(&board, "Cf12");
}

#[test]
fn rule_3_8_3_exposed_is_danger_but_not_check() {
    for placed in ["Ce5 ce12", "(TC)e5 ce12"] {
        let position: Position = red(&format!("{placed} Ik2 ik11")).parse().unwrap();
        assert!(!position.in_check());
        assert!(position.in_danger(Color::Red));
    }
}

#[test]
fn rule_3_8_4_only_adjacent_commanders_capture() {
    assert_eq!(
        from(&red("Ce5 ce12 Ik2 ik11"), "e5"),
        "Cf5 Cg5 Ch5 Ci5 Cj5 Ck5 Cd5 Cc5"
    );
    legal(&red("Ce5 ce6 Ik2 ik11"), "Cxe6");
    illegal(&red("+Ce5 cf6 Ik2 ik11"), "+Cxf6");
}

#[test]
fn rule_3_8_5_a_carried_commander_may_pass_the_line() {
    let board = red("(TC)d1 ce12 Ik2 ik11");
    legal(&board, "(TC)f1 (TC)d2 T>e1");
    illegal(&board, "(TC)e1 C>e1");
}

#[test]
fn rule_3_8_6_the_origin_is_empty_for_a_leaving_commander() {
    // The enemy's line passes over e1 once the commander counts as gone from there.
    let board = red("(TC)e1 ch1 Ik2 ik11");
    illegal(&board, "C>d1 C>c1");
    legal(&board, "C>e2");
}

#[test]
fn rule_3_9_1_order_of_actions() {
    let start = Position::start().to_string();
    let sans = all(&start);
    assert_eq!(sans.first().map(String::as_str), Some("Ic6"));
    assert_eq!(sans.last().map(String::as_str), Some("Cc1"));
    assert_eq!(
        from(&red("(FI)k9 ik8"), "k9"),
        "F>k10 F>xk11 F>k12 F>xk8 F>k7 F>k6 F>k5 F>j9 F>i9 F>h9 F>g9 F>j10 F>i11 F>h12 F>j8 F>i7 F>h6 F>g5 \
         I>k10 I>xk8 I>j9 \
         (FI)k10 (FI)xk11 (FI)_k11 (FI)k12 (FI)xk8 (FI)_k8 (FI)k7 (FI)k6 (FI)k5 (FI)j9 (FI)i9 (FI)h9 (FI)g9 \
         (FI)j10 (FI)i11 (FI)h12 (FI)j8 (FI)i7 (FI)h6 (FI)g5"
    );
}
