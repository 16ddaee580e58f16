//! What must hold for any text. The fuzz targets throw texts at it, and a normal test replays the
//! ones that once broke it (`fuzz/faults`).
#![allow(clippy::missing_panics_doc, reason = "a check fails by panicking")]

use convoy_stack::Blueprint;
use cotulenh::{Game, GameTree, PgnReader, Position};

/// What reads as a FEN is what it prints, and can be played from.
pub fn fen(text: &str) {
    if let Ok(position) = text.parse::<Position>() {
        let printed = position.to_string();
        assert_eq!(
            printed.parse::<Position>().as_ref(),
            Ok(&position),
            "{text:?}"
        );
        for mv in &position.legal_moves() {
            let next = position.play(*mv).expect("a legal move");
            assert_eq!(
                next.to_string().parse::<Position>(),
                Ok(next),
                "{text:?} {mv}"
            );
        }
    }
}

/// A first line with a FEN, or an empty one for the start, then a move a line: each is played whole
/// or changes nothing, and its name reads back.
pub fn moves(text: &str) {
    let mut lines = text.lines();
    let start = match lines.next().unwrap_or_default() {
        "" => Ok(Position::start()),
        fen => fen.parse(),
    };
    let Ok(start) = start else { return };
    let mut game = Game::new(start);
    for line in lines.take(40) {
        let before = game.clone();
        let Ok(moves) = game.play_text(line) else {
            assert!(game == before, "{line:?} was refused and changed the game");
            continue;
        };
        let first = moves[0];
        let position = before.position();
        assert_eq!(position.read_move(&position.san(first)), Ok(first));
        assert_eq!(position.read_move(&position.lan(first)), Ok(first));
    }
    for turn in game.turns() {
        let moves = turn.before.read(&turn.san()).expect("a name of our own");
        let mut after = turn.before.clone();
        for mv in moves.iter() {
            after.play_unchecked(*mv);
        }
        assert_eq!(after, turn.after, "{}", turn.san());
    }
}

/// What reads as games with variations reads back as the same, alone and together.
pub fn pgn_tree(text: &str) {
    let trees: Vec<GameTree> = PgnReader::new(text).filter_map(Result::ok).collect();
    let mut all = String::new();
    for tree in &trees {
        let printed = tree.pgn();
        let read: GameTree = printed
            .parse()
            .unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert!(read == *tree, "{printed}");
        assert_eq!(read.pgn(), printed);
        all.push_str(&printed);
    }
    let again: Result<Vec<GameTree>, _> = PgnReader::new(&all).collect();
    assert!(again.is_ok_and(|again| again == trees), "{all}");
}

/// What reads as a PGN reads back from what it prints.
pub fn pgn(text: &str) {
    if let Ok(game) = text.parse::<Game>() {
        let printed = game.pgn();
        let read: Game = printed
            .parse()
            .unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert_eq!(read.position(), game.position());
        assert_eq!(read.pgn(), printed);
    }
}

/// A blueprint that reads is what it prints, and finds its own roles.
pub fn blueprint(text: &str) {
    if let Ok(blueprint) = Blueprint::parse(text) {
        let printed = blueprint.to_string();
        assert_eq!(
            Blueprint::parse(&printed).as_ref(),
            Ok(&blueprint),
            "{printed}"
        );
        for role in blueprint.all() {
            let name = blueprint.name(role).expect("every role has a name");
            assert_eq!(blueprint.role(name), Some(role), "{name:?}");
        }
    }
}
