//! Malformed and odd input: our verdict on every entry, accept or refuse, and what is said.

mod common;

use common::sq;
use cotulenh::{Game, Position, ReadError, Role, Selector};

const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";
const STACKS: &str = "6c4/11/11/8i2/11/11/11/2(NI)3(TM)4/11/11/11/4C4I1 r - - 0 1";

fn rows(table: &str) -> impl Iterator<Item = [&str; 3]> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            fields.try_into().unwrap_or_else(|_| panic!("{line}"))
        })
}

#[test]
fn every_fen_has_its_verdict() {
    let table = include_str!("data/robust-fen.tsv");
    let mut count = 0;
    for [name, escaped, verdict] in rows(table) {
        let fen = escaped.replace("\\t", "\t").replace("\\n", "\n");
        let answer = match fen.parse::<Position>() {
            Ok(position) => format!("ok {position}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(answer, verdict, "{name}");
        count += 1;
    }
    assert_eq!(count, 47);
    assert!("x".repeat(1 << 20).parse::<Position>().is_err());
}

#[test]
fn every_move_has_its_verdict() {
    let (mut count, mut wrong) = (0, Vec::new());
    for [place, text, verdict] in rows(include_str!("data/robust-move.tsv")) {
        let fen = if place == "start" { START } else { STACKS };
        let mut game = Game::new(fen.parse().unwrap());
        let before = game.clone();
        let answer = match game.play_text(text) {
            Err(error) => {
                assert!(game == before, "a refused move leaves the game as it was");
                error.to_string()
            }
            Ok(_) => match game.sans().first() {
                Some(san) => format!("ok {san}"),
                None => format!(
                    "ok {}",
                    game.position().to_string().rsplit(' ').next().unwrap()
                ),
            },
        };
        if answer != verdict {
            wrong.push(format!("{place}\t{text}\t{answer}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 67);
}

/// The reference also takes moves as objects `{from, to, piece, stay, deploy}`.
#[test]
fn every_selection_has_its_verdict() {
    let wanted = |from, to| Selector {
        from: Some(sq(from)),
        to: Some(sq(to)),
        ..Selector::default()
    };
    let select = |fen: &str, wanted: Selector| {
        let position: Position = fen.parse().unwrap();
        position.select(&wanted).map(|mv| position.lan(mv))
    };
    let several = |matches| Err(ReadError::Ambiguous { matches });
    assert_eq!(select(START, wanted("c5", "c6")), Ok("Ic5c6".into()));
    assert_eq!(
        select(START, wanted("c5", "c9")),
        Err(ReadError::Illegal(None))
    );
    let tank = Selector {
        role: Some(Role::Tank),
        ..wanted("c5", "c6")
    };
    assert_eq!(select(START, tank), Err(ReadError::Illegal(None)));
    assert_eq!(select(STACKS, wanted("c5", "c7")), several(2));
    let step = |wanted, step| Selector {
        step: Some(step),
        ..wanted
    };
    assert_eq!(
        select(STACKS, step(wanted("c5", "c7"), true)),
        Ok("Nc5>c7".into())
    );
    assert_eq!(
        select(STACKS, step(wanted("c5", "c7"), false)),
        Ok("(NI)c5c7".into())
    );
    assert_eq!(select(STACKS, wanted("g5", "g6")), several(3));
    let militia = Selector {
        role: Some(Role::Militia),
        ..wanted("g5", "g6")
    };
    assert_eq!(select(STACKS, militia), Ok("Mg5>g6".into()));
    let tank = Selector {
        role: Some(Role::Tank),
        ..step(wanted("g5", "g6"), true)
    };
    assert_eq!(select(STACKS, tank), Ok("Tg5>g6".into()));
    assert_eq!(select(START, Selector::default()), several(116));
    assert!("zz".parse::<cotulenh::Square>().is_err());
}
