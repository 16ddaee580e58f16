//! Rules 4 and 5: stacks and their terrain.

mod common;

use common::{after, from, illegal, legal, open, red};
use cotulenh::{Color, Piece, Position, Role, Stack};

/// The stack of a spec such as `NFT` or `+NF`, red.
fn stack(letters: &str) -> Option<Stack> {
    letters.parse().ok()
}

#[test]
fn rule_4_1_1_who_carries_whom() {
    for lawful in [
        "NF", "NC", "NI", "NM", "NT", "FT", "FC", "FI", "FM", "TC", "TI", "TM", "EA", "EG", "ES",
        "HC",
    ] {
        assert!(stack(lawful).is_some(), "{lawful}");
    }
    for unlawful in [
        "NA", "NE", "NH", "NG", "NS", "FA", "FE", "FH", "TA", "TE", "EI", "ET", "HI", "HM", "CI",
        "IM", "AG",
    ] {
        assert!(stack(unlawful).is_none(), "{unlawful}");
    }
}

#[test]
fn rule_4_1_2_one_colour_no_role_twice_one_slot_each() {
    for unlawful in ["TT", "NTI", "FIM", "FCI", "EAG", "Ti", "NFTI"] {
        assert!(stack(unlawful).is_none(), "{unlawful}");
    }
    assert!(stack("NT").is_some(), "the second slot may be filled alone");
}

#[test]
fn rule_4_1_3_order_never_matters() {
    for text in ["NFT", "TFN", "FNT", "TNF"] {
        assert_eq!(stack(text).unwrap().to_string(), "(NFT)");
    }
    assert_eq!(stack("ITF").unwrap().carrier().role, Role::AirForce);
}

#[test]
fn rule_4_2_1_thirty_four_lawful_sets() {
    let lawful = |mask: u16| {
        let pieces: Vec<Piece> = Role::of_set(cotulenh::RoleSet::from_bits(mask))
            .map(|role| Piece {
                role,
                color: Color::Red,
                heroic: false,
            })
            .collect();
        Stack::new(pieces).is_some()
    };
    let sets: Vec<u32> = (1..2048)
        .filter(|&mask| lawful(mask))
        .map(u16::count_ones)
        .collect();
    assert_eq!(sets.len(), 34);
    let of_size = |size| sets.iter().filter(|&&n| n == size).count();
    assert_eq!(
        [of_size(1), of_size(2), of_size(3), of_size(4)],
        [11, 16, 7, 0]
    );
}

#[test]
fn rule_4_2_2_packed_state() {
    for (text, state) in [
        ("NT", 0x40_0200),
        ("NF", 0x80_0200),
        ("NFT", 0x40_0080_0200),
        ("H", 1024),
    ] {
        assert_eq!(stack(text).unwrap().state(), state, "{text}");
    }
}

#[test]
fn rule_4_3_1_every_part_is_lawful() {
    for text in ["NFC", "NFI", "NFM", "NFT", "FTC", "FTI", "FTM", "EA", "HC"] {
        let whole = stack(text).unwrap();
        let parts = whole.roles().parts().skip(1);
        for part in parts.filter(|part| *part != whole.roles()) {
            assert!(
                whole.without(part).is_some() && whole.only(part).is_some(),
                "{text} {part:?}"
            );
        }
    }
    assert_eq!(
        stack("NFT")
            .unwrap()
            .without(Role::Navy)
            .unwrap()
            .to_string(),
        "(FT)"
    );
}

#[test]
fn rule_4_3_2_heroic_flags_travel_with_their_piece() {
    assert!(after(&red("Te5 +Ie4"), "+I&e5").contains("(T+I)"));
    let board = red("(F+T+I)e4");
    assert!(after(&board, "+T>e6 .").contains("+T"));
    assert!(after(&board, "+T>e6 .").contains("(F+I)"));
    assert!(after(&red("(+TI)e4 ie6"), "(+TI)xe6").contains("(+TI)"));
}

#[test]
fn rule_4_3_3_splits() {
    let splits = |text: &str| {
        let mut all: Vec<String> = stack(text)
            .unwrap()
            .splits()
            .map(|parts| {
                parts
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(
        splits("NFT"),
        ["(NF) T", "(NFT)", "(NT) F", "N (FT)", "N F T"]
    );
    assert_eq!(splits("TI"), ["(TI)", "T I"]);
    assert_eq!(splits("C"), ["C"]);
}

#[test]
fn rule_4_4_1_either_partner_moves_and_the_turn_is_over() {
    let board = red("Te4 Ie5");
    for action in ["T&e5", "I&e4"] {
        let next = after(&board, action);
        assert!(
            next.contains("(TI)") && next.contains(" b - - 1 1"),
            "{next}"
        );
    }
    illegal(&red("Te4 ie5"), "T&e5");
}

#[test]
fn rule_4_4_2_boarding_ships_needs_the_coast() {
    assert_eq!(from(&red("Ic3 Nc4"), "c3"), "I&c4 Id3 Ic2");
    assert_eq!(from(&red("Ic3 Nb3"), "c3"), "Ic4 Id3 Ic2");
    legal(&red("Ic3 Nb3"), "N&c3");
    illegal(&red("Id3 Nc3"), "N&d3");
}

#[test]
fn rule_4_4_3_aircraft_board_ships_at_sea() {
    legal(&red("Fd3 Na3"), "F&a3");
    illegal(&red("Fd3 Na3"), "Fa3 Fb3");
}

#[test]
fn rule_4_4_4_commanders_board_from_afar() {
    legal(&red("Cf1 Tf5 Ik2"), "C&f5 Cf4");
    illegal(&red("Cf1 Tf5 Ik2"), "Cf6");
    legal(&red("Cf1 Hf2 Ik2"), "C&f2");
    illegal(&red("Cf1 Hf2 Ik2"), "H&f1");
    legal(&red("Cf1 +Hf2 Ik2"), "+H&f1");
}

#[test]
fn rule_4_4_5_boarding_inside_enemy_cover() {
    legal(&red("Fe4 Te7 ge8"), "F&e7 F@e8");
    illegal(&red("Fe4 ge8"), "Fe7");
}

#[test]
fn rule_5_1_the_carrier_decides() {
    assert!(red("(NFT)a3 (NI)b4").parse::<Position>().is_ok());
    assert!(red("(FT)b4").parse::<Position>().is_err());
    assert!(red("(NT)d4").parse::<Position>().is_err());
}

#[test]
fn rule_5_2_the_rest_may_not_be_left_at_sea() {
    let board = red("(NF)b3");
    let deploy = open(&board, "N>b5");
    assert!(!deploy.contains(&".".to_owned()), "commit is refused");
    assert!(deploy.contains(&"F>e3".to_owned()));
    assert_eq!(
        after(&board, "N>b5 F>e3"),
        "6c4/9ii/11/11/11/11/11/1N9/11/4F6/9II/5C5 b - - 1 1"
    );
}

#[test]
fn rule_5_3_leaving_a_stack_at_sea() {
    let tank = |fen: &str, square| {
        let steps = from(fen, square);
        steps
            .split(' ')
            .filter(|san| san.starts_with("T>"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(tank(&red("(NT)b3"), "b3"), "T>c3 T>d3");
    assert_eq!(tank(&red("(NT)a3"), "a3"), "");
}
