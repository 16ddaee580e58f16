//! Recorded games of the reference replay to the same positions.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::io::Read as _;

use cotulenh::{Game, Position};
use flate2::read::GzDecoder;

/// One recorded turn: its moves, its SAN and the FEN after it.
struct Recorded<'a> {
    decided_by_defect: bool,
    moves: Vec<&'a str>,
    san: &'a str,
    fen: &'a str,
}

fn recorded() -> String {
    let mut text = String::new();
    GzDecoder::new(&include_bytes!("data/games.txt.gz")[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn games(text: &str) -> Vec<(&str, &str, Vec<Recorded<'_>>)> {
    let mut games = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if let Some(id) = fields[0].strip_prefix("game ") {
            games.push((id, fields[1], Vec::new()));
            continue;
        }
        let turn = Recorded {
            decided_by_defect: line.starts_with('-'),
            moves: fields[0][1..].split(' ').collect(),
            san: fields[1],
            fen: fields[2],
        };
        games.last_mut().unwrap().2.push(turn);
    }
    games
}

/// The recorded FEN with the clock as Rule 9.6.1 has it.
fn with_clock(before: &str, turn: &Recorded<'_>) -> String {
    let captures = turn
        .moves
        .iter()
        .any(|action| action.contains(['x', '_', '@']));
    let clock: u32 = before.split(' ').nth(4).unwrap().parse().unwrap();
    let clock = if captures { 0 } else { clock + 1 };
    let mut fields: Vec<&str> = turn.fen.split(' ').collect();
    let text = clock.to_string();
    fields[4] = &text;
    fields.join(" ")
}

#[test]
fn every_turn_leads_to_the_recorded_position() {
    let text = recorded();
    let (mut turns, mut same_sans) = (0, 0);
    for (id, start, game) in games(&text) {
        let mut before = start;
        for (index, turn) in game.iter().enumerate() {
            if !turn.decided_by_defect {
                let mut played = Game::new(before.parse::<Position>().unwrap());
                for action in &turn.moves {
                    played
                        .play_text(action)
                        .unwrap_or_else(|error| panic!("{id} {index} {action}: {error}"));
                }
                let want = with_clock(before, turn);
                assert_eq!(played.position().to_string(), want, "{id} {index}");
                let san = played.sans().remove(0);
                let lan = played.lans().remove(0);
                for whole in [&san, &lan] {
                    let mut read = Game::new(before.parse::<Position>().unwrap());
                    read.play_text(whole)
                        .unwrap_or_else(|error| panic!("{id} {index} {whole}: {error}"));
                    assert_eq!(read.position(), played.position(), "{id} {index} {whole}");
                }
                turns += 1;
                same_sans += usize::from(san == turn.san);
            }
            before = turn.fen;
        }
    }
    assert_eq!(turns, 23_834);
    // The rest: hints of first steps and full ranks, which the reference does not write.
    assert!(same_sans > 23_600, "{same_sans}");
}

#[test]
fn every_game_replays_in_one_go_and_round_trips_as_pgn() {
    let text = recorded();
    for (id, start, turns) in games(&text) {
        let mut game = Game::new(start.parse().unwrap());
        let mut before = start.to_owned();
        for turn in turns.iter().take_while(|turn| !turn.decided_by_defect) {
            if game.outcome().is_some() {
                break;
            }
            for action in &turn.moves {
                game.play_text(action).unwrap();
            }
            before = with_clock(&before, turn);
            assert_eq!(game.position().to_string(), before, "{id}");
        }
        let read: Game = game
            .pgn()
            .parse()
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        // Steps may come in another order where a recombine rewrote them.
        assert!(
            read.turns()
                .map(|turn| turn.after)
                .eq(game.turns().map(|turn| turn.after)),
            "{id}"
        );
        assert_eq!(read.pgn(), game.pgn(), "{id}");
    }
}
