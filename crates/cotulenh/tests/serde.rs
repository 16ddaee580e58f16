//! Values survive JSON.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::fmt::Debug;

use cotulenh::{
    Color, Game, GameTree, Move, MoveFlags, MoveKind, Outcome, Piece, Position, Reason, Role,
    Setup, Square, SquareSet, Stack, Terrain, VerboseMove, VictoryRules,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[track_caller]
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn small_values_are_their_texts() {
    let e5: Square = "e5".parse().unwrap();
    round_trip(&Color::Blue, "\"b\"");
    round_trip(&Role::AirForce, "\"F\"");
    round_trip(&e5, "\"e5\"");
    round_trip(&"+t".parse::<Piece>().unwrap(), "\"+t\"");
    round_trip(&"(N+FT)".parse::<Stack>().unwrap(), "\"(N+FT)\"");
    round_trip(&Terrain::Mixed, "\"mixed\"");
    round_trip(&MoveKind::StayCapture, "\"stayCapture\"");
    round_trip(&MoveFlags::from_letters("db").unwrap(), "\"db\"");
    round_trip(&"Gc5k12".parse::<cotulenh::Shape>().unwrap(), "\"Gc5k12\"");
    round_trip(&SquareSet::EMPTY.with(e5), "[\"e5\"]");
    let end = Outcome {
        winner: None,
        reason: Reason::Fifty,
    };
    round_trip(&end, "{\"winner\":null,\"reason\":\"fifty\"}");
    let rules = VictoryRules {
        marine: true,
        ..VictoryRules::default()
    };
    round_trip(&rules, "{\"marine\":true,\"air\":false,\"land\":false}");
}

#[test]
fn positions_games_and_moves_read_back() {
    let fen = "6c4/9ii/11/11/11/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let position: Position = fen.parse().unwrap();
    round_trip(&position, &format!("{fen:?}"));
    round_trip(&Setup::from(&position), &format!("{fen:?}"));
    let mut open = position.clone();
    open.play_unchecked(position.read_move("T>xe6").unwrap());
    round_trip(&open, &format!("{:?}", open.to_string()));
    for mv in position.legal_moves().into_iter().chain(open.legal_moves()) {
        let json = serde_json::to_string(&mv).unwrap();
        assert_eq!(serde_json::from_str::<Move>(&json).unwrap(), mv);
    }
    for verbose in position.verbose_moves() {
        let json = serde_json::to_string(&verbose).unwrap();
        assert_eq!(serde_json::from_str::<VerboseMove>(&json).unwrap(), verbose);
    }
    let mut game = Game::new(position);
    game.play_text("(FI)<T>xe6").unwrap();
    let json = serde_json::to_string(&game).unwrap();
    assert!(serde_json::from_str::<Game>(&json).unwrap() == game);
    let tree: GameTree = "1. Ic6 (1. Ik6 {so}) *".parse().unwrap();
    round_trip(&tree, &serde_json::to_string(&tree.pgn()).unwrap());
}

#[test]
fn what_is_wrong_is_named() {
    let error = serde_json::from_str::<Square>("\"z9\"")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("\"z9\": not a square from a1 to k12"),
        "{error}"
    );
    let error = serde_json::from_str::<VictoryRules>("{\"navy\":true}")
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `navy`"), "{error}");
    let commit = "{\"from\":\"e5\",\"to\":\"e6\",\"role\":\"T\",\"kind\":\"commit\",\"step\":true}";
    assert!(serde_json::from_str::<Move>(commit).is_err());
    assert!(serde_json::from_str::<Position>("\"nonsense\"").is_err());
}
