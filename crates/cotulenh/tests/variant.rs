//! Games under another blueprint than that of Rule 4.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use cotulenh::{
    Game, Position, Role, RoleSet, Setup, SetupError, Stack, StackRules, Standard, Variant,
    VariantError, perft,
};
use proptest::prelude::*;

/// The founding document's blueprint with one more role in a slot.
fn navy_carries(more: &str) -> Variant {
    let text = format!(
        "blueprints:
  NAVY:
    - [AIR_FORCE]
    - [COMMANDER, INFANTRY, MILITIA, TANK{more}]
  TANK:
    - [COMMANDER, INFANTRY, MILITIA]
  ENGINEER:
    - [ARTILLERY, ANTI_AIR, MISSILE]
  AIR_FORCE:
    - [TANK]
    - [COMMANDER, INFANTRY, MILITIA]
  HEADQUARTER:
    - [COMMANDER]
"
    );
    Variant::new(&text.parse().unwrap()).unwrap()
}

#[test]
fn the_documents_blueprint_plays_like_the_standard_game() {
    let variant = navy_carries("");
    assert!(variant.is_closed());
    for fen in [
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
        "6c4/11/8h2/2i8/3t7/11/11/2(NFT)8/11/7H3/11/4C6 r - - 0 1",
        "6c4/9ii/11/11/11/11/11/11/4(+FTI)6/11/9II/5C5 r - - 0 1 e4:(TI):+F>e8...",
    ] {
        let standard: Position = fen.parse().unwrap();
        let same = Position::from_fen(&variant, fen).unwrap();
        assert_eq!(perft(&same, 2), perft(&standard, 2), "{fen}");
        assert!(same.legal_moves() == standard.legal_moves());
        assert_eq!(same.key(), standard.key());
        assert_eq!(same.to_string(), fen);
    }
}

#[test]
fn a_changed_rule_changes_the_game() {
    let variant = navy_carries(", ENGINEER");
    let fen = "6c4/9ii/11/11/11/11/11/11/2N8/2E8/9II/5C5 r - - 0 1";
    assert!(fen.parse::<Position>().unwrap().read_move("E&c4").is_err());
    let mut game = Game::new(Position::from_fen(&variant, fen).unwrap());
    game.play_text("E&c4").unwrap();
    game.play_text("Ch12").unwrap();
    assert_eq!(
        game.position()
            .stack_at("c4".parse().unwrap())
            .unwrap()
            .to_string(),
        "(NE)"
    );
    // The ship leaves the engineer behind on the mixed square.
    game.play_text("E<N>c6").unwrap();
    assert_eq!(game.sans(), ["E&c4", "Ch12", "E<N>c6"]);
    let read = Game::from_pgn(&variant, &game.pgn()).unwrap();
    assert!(read == game);
    assert!(
        game.pgn().parse::<Game>().is_err(),
        "the standard game knows no such move"
    );
    assert!(game.undo() && game.redo());
    assert!(read == game);
}

/// `N|FE` is a stack, its part `FE` is none: the ship cannot be the first to leave.
#[test]
fn a_step_must_leave_a_stack() {
    let variant = navy_carries(", ENGINEER");
    assert!(!variant.is_closed());
    let fen = "6c4/9ii/11/11/11/11/11/11/2(NFE)8/11/9II/5C5 r - - 0 1";
    let position = Position::from_fen(&variant, fen).unwrap();
    assert!(position.read("N>c6").is_err());
    let moves = position.legal_moves();
    assert!(moves == position.legal_moves_by_trial());
    assert!(
        moves
            .iter()
            .all(|mv| !mv.is_deploy() || mv.role() != Role::Navy)
    );
    // Once the aircraft has gone it may.
    let open = position.read("F>f4").unwrap();
    let mut next = position.clone();
    next.play_unchecked(open[0]);
    assert_eq!(next.remaining().unwrap().to_string(), "(NE)");
    assert!(next.read("N>c6").is_ok());
    assert_eq!(next.turn_start(), position);
    assert_eq!(
        Position::from_fen(&variant, &next.to_string()).unwrap(),
        next
    );
}

#[test]
fn bad_variants_and_stacks_are_refused() {
    let three = "blueprints:\n  NAVY:\n    - [TANK]\n    - [MILITIA]\n    - [INFANTRY]\n";
    let error = Variant::new(&three.parse().unwrap()).unwrap_err();
    assert_eq!(error, VariantError::TooManyPieces(Role::Navy));
    assert_eq!(
        error.to_string(),
        "navy has three slots: a square holds 3 pieces at most"
    );
    let few = Variant::new(
        &"role T tank\nrole I infantry\ncarrier I [T]"
            .parse()
            .unwrap(),
    )
    .unwrap();
    let roles = Role::Tank.set() | Role::Infantry.set();
    let stack = few
        .stack(roles, RoleSet::EMPTY, cotulenh::Color::Red)
        .unwrap();
    assert_eq!((stack.to_string().as_str(), stack.index()), ("(IT)", 0));
    assert_ne!(
        Some(stack),
        Stack::of(roles, RoleSet::EMPTY, cotulenh::Color::Red)
    );
    // A role that the blueprint leaves out stands alone.
    assert!(
        few.stack(Role::Navy.set(), RoleSet::EMPTY, cotulenh::Color::Blue)
            .is_some()
    );
    let mut setup = Setup::new();
    let e5 = "e5".parse().unwrap();
    setup.set(e5, Some(stack));
    assert_eq!(
        Position::try_from(&setup),
        Err(SetupError::Unlawful(stack, e5))
    );
    assert!(Position::from_setup(&few, &setup).is_ok());
    assert_eq!(Standard.combine(stack, stack), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The fast generator and the reference agree under a variant, inside deploys too.
    #[test]
    fn both_generators_agree(seed in any::<u64>()) {
        let variant = navy_carries(", ENGINEER, HEADQUARTER");
        let fen = "6c4/3h7/2(nfe)1t6/2i8/3(ft)7/11/11/2(NFE)2(TI)5/2H1E6/7H3/3T7/4C6 r - - 0 1";
        let mut position = Position::from_fen(&variant, fen).unwrap();
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..60 {
            let moves = position.legal_moves();
            prop_assert!(moves == position.legal_moves_by_trial(), "{}", position);
            prop_assert_eq!(moves.len(), position.count_legal_moves());
            let Some(mv) = random.choice(moves.iter()) else { break };
            prop_assert_eq!(position.read_move(&position.san(*mv)), Ok(*mv), "{}", position);
            position.play_unchecked(*mv);
            let read = Position::from_fen(&variant, &position.to_string());
            prop_assert_eq!(read.as_ref(), Ok(&position));
        }
    }
}
