//! Boards and play for the tests of the rules.
#![allow(dead_code, reason = "each test file uses some of it")]
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use cotulenh::{Color, Game, Namer, Position, Role, Square};

/// A square by its name.
pub(crate) fn sq(name: &str) -> Square {
    name.parse().unwrap_or_else(|_| panic!("no square {name}"))
}

/// A FEN with these stacks, red to move. A side without a commander in the list gets one in a quiet
/// corner, with two infantry so that nobody is a last guard.
pub(crate) fn red(placed: &str) -> String {
    board(placed, Color::Red)
}

/// The same with blue to move.
pub(crate) fn blue(placed: &str) -> String {
    board(placed, Color::Blue)
}

fn board(placed: &str, turn: Color) -> String {
    let mut placed = placed.to_owned();
    let has = |letter: char| placed.split(' ').any(|item| pieces(item).contains(letter));
    let (no_red, no_blue) = (!has('C'), !has('c'));
    if no_red {
        placed += " Cf1 Ij2 Ik2";
    }
    if no_blue {
        placed += " cg12 ij11 ik11";
    }
    let mut ranks = Vec::new();
    for rank in (1..=12).rev() {
        let (mut text, mut empty) = (String::new(), 0);
        for file in 'a'..='k' {
            let name = format!("{file}{rank}");
            let here = placed
                .split_whitespace()
                .find(|item| item[pieces(item).len()..] == name);
            match here {
                None => empty += 1,
                Some(item) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text += pieces(item);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        ranks.push(text);
    }
    format!("{} {turn} - - 0 1", ranks.join("/"))
}

/// The pieces of an item such as `(TI)e4`.
fn pieces(item: &str) -> &str {
    let end = match item.find(')') {
        Some(end) => end + 1,
        None => usize::from(item.starts_with('+')) + usize::from(!item.is_empty()),
    };
    &item[..end]
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn names(position: &Position, lan: bool, from: Option<Square>) -> Vec<String> {
    let moves = position.legal_moves();
    let namer = Namer::new(position, &moves);
    moves
        .iter()
        .filter(|mv| from.is_none_or(|from| mv.from() == from))
        .map(|mv| {
            let mut text = String::new();
            if lan {
                namer.lan(*mv, &mut text);
            } else {
                namer.san(*mv, &mut text);
            }
            text
        })
        .collect()
}

/// The SANs of all legal moves.
pub(crate) fn all(fen: &str) -> Vec<String> {
    names(&position(fen), false, None)
}

/// The SANs of the legal moves from one square, in their order.
pub(crate) fn from(fen: &str, square: &str) -> String {
    names(&position(fen), false, Some(sq(square))).join(" ")
}

/// All of these are legal.
#[track_caller]
pub(crate) fn legal(fen: &str, sans: &str) {
    let all = all(fen);
    for san in sans.split_whitespace() {
        assert!(
            all.iter().any(|known| known == san),
            "{fen}: {san} is not among {all:?}"
        );
    }
}

/// None of these is legal.
#[track_caller]
pub(crate) fn illegal(fen: &str, sans: &str) {
    let all = all(fen);
    for san in sans.split_whitespace() {
        assert!(
            all.iter().all(|known| known != san),
            "{fen}: {san} is legal"
        );
    }
}

/// The game after these texts.
#[track_caller]
pub(crate) fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        if let Err(error) = game.play_text(text) {
            panic!("{fen}: {text}: {error}");
        }
    }
    game
}

/// The FEN after these texts.
#[track_caller]
pub(crate) fn after(fen: &str, moves: &str) -> String {
    game(fen, moves).position().to_string()
}

/// The SANs of the legal moves after these texts.
#[track_caller]
pub(crate) fn open(fen: &str, moves: &str) -> Vec<String> {
    names(game(fen, moves).position(), false, None)
}

/// The LANs of the legal moves after these texts.
#[track_caller]
pub(crate) fn open_lans(fen: &str, moves: &str) -> Vec<String> {
    names(game(fen, moves).position(), true, None)
}

/// Whether the last of these texts is refused, and the game is left as it was.
#[track_caller]
pub(crate) fn refused(fen: &str, moves: &str) -> bool {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let mut game = game(fen, before);
    let kept = game.clone();
    let refused = game.play_text(last).is_err();
    assert!(!refused || game == kept, "a refusal changes nothing");
    refused
}

/// How the game ends after these texts.
#[track_caller]
pub(crate) fn outcome(fen: &str, moves: &str) -> String {
    let end = game(fen, moves).outcome();
    end.map_or_else(|| "none".to_owned(), |end| end.to_string())
}

/// Reads a batch such as `e4 F>e8 T>e6 stay I`.
pub(crate) fn batch(text: &str) -> (Square, Vec<(Role, Square)>, Vec<Role>) {
    let (moves, stay) = text.split_once(" stay ").unwrap_or((text, ""));
    let role = |letter: char| Role::from_letter(letter).unwrap();
    let mut items = moves.split(' ');
    let from = sq(items.next().unwrap());
    let moves = items.map(|item| {
        let (piece, to) = item.split_once('>').unwrap();
        (role(piece.chars().next().unwrap()), sq(to))
    });
    (from, moves.collect(), stay.chars().map(role).collect())
}
