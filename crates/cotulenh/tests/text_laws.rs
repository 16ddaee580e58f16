//! Laws of the texts and of games, tried on random play.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::collections::HashMap;
use std::time::Duration;

use cotulenh::{
    Batch, Brush, Game, GameTree, Move, Nag, Namer, NodeId, PgnReader, PgnStyle, Position, Role,
    RoleSet, Shape, Square, Stack,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn cases() -> ProptestConfig {
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    ProptestConfig::with_cases(if deep { 5_000 } else { 96 })
}

/// The beginning, and boards thick with stacks, heroes and carried commanders.
const STARTS: [&str; 6] = [
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
    "6c4/2(nfi)1(fti)3(es)2/3(eg)2(tm)4/2n5t2/11/11/11/4(EA)6/2(NFT)5(TM)2/5(FTI)5/1(NF)3(+T+I)5/6C4 r - - 0 1",
    "2(nfc)8/3(eg)(es)6/1n1(fti)2t4/4(tm)1f4/3e1a1s3/5g5/4G1A4/3S1E1(EA)3/2(NT)1(FTM)1F4/1N3(ES)1T3/4M1I4/2(NFC)8 b - - 0 1",
    "11/9ii/11/11/11/11/11/(nc)n(TI)8/11/11/9II/5C5 r - - 7 9",
    "11/4(hc)6/11/3(FTM)7/2(N+F+T)8/11/11/5(tm)5/1(nf)9/4(ft)6/11/6(TC)4 r - - 3 4",
    "8c2/11/11/6a4/11/11/6(TC)4/4I6/11/2n8/11/11 r - - 0 10",
];

fn start(index: usize) -> Position {
    let fen = STARTS[index];
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A game some random moves long; about every third ends inside a deploy.
fn game() -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec(any::<Index>(), 0..60);
    (0..STARTS.len(), choices).prop_map(|(index, choices)| {
        let mut game = Game::new(start(index));
        for choice in choices {
            if game.outcome().is_some() {
                break;
            }
            let moves = game.position().legal_moves();
            // Steps first, so that deploys are common.
            let steps: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_step()).collect();
            let mv = if steps.is_empty() || choice.index(3) == 0 {
                *choice.get(&moves)
            } else {
                *choice.get(&steps)
            };
            game.play(mv).unwrap();
        }
        game
    })
}

/// A text of a turn, or of its first step alone, which may leave a deploy open.
fn turn_text(position: &Position, choices: &[Index]) -> String {
    let first = *choices[0].get(&position.legal_moves());
    if first.is_step() && choices[1].index(8) == 0 {
        return position.san(first);
    }
    let mut moves = vec![first];
    let mut after = position.play(first).unwrap();
    for choice in choices.iter().cycle().skip(1) {
        if after.deploy().is_none() {
            break;
        }
        let mv = *choice.get(&after.legal_moves());
        after = after.play(mv).unwrap();
        moves.push(mv);
    }
    position.turn_lan(&moves)
}

/// What a node is given: a comment, glyphs, shapes, a clock.
type Notes = (String, Vec<u8>, Vec<(u8, u8, Option<u8>)>, Option<u64>);

fn annotate(tree: &mut GameTree, node: NodeId, (comment, nags, shapes, clock): &Notes) {
    let square = |n: u8| Square::at(n % 11, n / 11 % 12).unwrap();
    let annotation = tree.annotation_mut(node).unwrap();
    annotation.set_comment(comment).unwrap();
    annotation.set_nags(nags.iter().copied().map(Nag));
    annotation.set_shapes(shapes.iter().map(|(brush, from, to)| Shape {
        brush: Brush::ALL[usize::from(brush % 4)],
        from: square(*from),
        to: to.map(square),
    }));
    annotation.set_clock(clock.map(Duration::from_millis));
}

/// A tree of random turns, some with notes; removals and promotions leave gaps in the ids.
fn tree() -> impl Strategy<Value = GameTree> {
    let annotations = (
        "[ -z|~é\n]{0,12}",
        prop::collection::vec(any::<u8>(), 0..3),
        prop::collection::vec(any::<(u8, u8, Option<u8>)>(), 0..4),
        prop::option::of(0..90_000_000_u64),
    );
    let node = (
        any::<Index>(),
        any::<[Index; 3]>(),
        prop::option::of(annotations),
        0..12_u8,
    );
    let nodes = prop::collection::vec(node, 0..40);
    (0..STARTS.len(), nodes).prop_map(|(index, nodes)| {
        let mut tree = GameTree::new(start(index));
        let mut known = vec![NodeId::ROOT];
        for (parent, choices, notes, deed) in nodes {
            // The newest nodes most often, so that lines grow long.
            let parent = if deed < 7 {
                known[known.len() - 1]
            } else {
                *parent.get(&known)
            };
            let Some(game) = tree.game(parent) else {
                continue;
            };
            if game.is_over() || game.position().deploy().is_some() {
                continue;
            }
            let node = tree
                .play(parent, &turn_text(game.position(), &choices))
                .unwrap();
            known.push(node);
            if let Some(notes) = notes {
                annotate(&mut tree, node, &notes);
            }
            match deed {
                8 => tree.promote(node).unwrap(),
                9 => tree.make_main_line(node).unwrap(),
                10 => tree.remove(node).unwrap(),
                _ => {}
            }
        }
        tree
    })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn trees_read_back_from_pgn(mut tree in tree(), red in "[ -~é]{0,9}", width in 0..90_usize) {
        tree.headers_mut().set("Opening", "a \"b\" \\c").unwrap();
        tree.headers_mut().set("Red", &red).unwrap();
        tree.headers_mut().set("Result", "1-0").unwrap();
        annotate(&mut tree, NodeId::ROOT, &("{ so".to_owned(), vec![7], vec![(1, 2, None)], None));
        let text = tree.pgn_in(PgnStyle { width, clocks: true });
        let read: GameTree = text.parse().map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(&read, &tree, "{}", text);
        prop_assert_eq!(read.pgn(), tree.pgn());
        let many = format!("{text}\n{}\n{text}", tree.pgn());
        let games: Vec<GameTree> = PgnReader::new(&many).map(Result::unwrap).collect();
        prop_assert_eq!(games.len(), 3);
        prop_assert!(games.iter().all(|game| *game == tree));
    }

    #[test]
    fn the_turns_of_a_tree_are_those_of_its_nodes(tree in tree()) {
        let turns: Vec<_> = tree.turns().collect();
        prop_assert_eq!(turns.len() + 1, tree.len());
        let mut known = vec![NodeId::ROOT];
        for turn in turns {
            let node = tree.node(turn.node).unwrap();
            prop_assert!(known.contains(&node.parent().unwrap()), "a parent comes first");
            known.push(turn.node);
            let path = tree.path(turn.node);
            prop_assert_eq!(path.last(), Some(&turn.node));
            let game = tree.game(turn.node).unwrap();
            prop_assert_eq!(game.position(), &turn.after);
        }
    }

    #[test]
    fn fen_reads_back_as_written(game in game()) {
        let text = game.position().to_string();
        let read: Position = text.parse().unwrap();
        prop_assert_eq!(&read, game.position());
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn san_and_lan_read_back_as_the_action_they_name(game in game()) {
        let position = game.position();
        let moves = position.legal_moves();
        let namer = Namer::new(position, &moves);
        let mut named: HashMap<String, Move> = HashMap::new();
        for mv in &moves {
            let (mut san, mut lan) = (String::new(), String::new());
            namer.san(*mv, &mut san);
            namer.lan(*mv, &mut lan);
            prop_assert_eq!(&san, &position.san(*mv));
            prop_assert_eq!(&lan, &position.lan(*mv));
            for name in [&san, &lan] {
                prop_assert_eq!(position.read_move(name), Ok(*mv), "{} {}", position, name);
                prop_assert_eq!(namer.read_move(name), Ok(*mv));
                prop_assert_eq!(position.read_move(&name.replace('_', "<")), Ok(*mv));
                prop_assert_eq!(position.read_move(&name.replace('+', "")), Ok(*mv));
            }
            for name in [san, lan] {
                if let Some(other) = named.insert(name.clone(), *mv) {
                    prop_assert_eq!(other, *mv, "{} names two moves", name);
                }
            }
        }
    }

    #[test]
    fn whole_turns_read_back_as_written(game in game()) {
        for turn in game.turns() {
            for text in [turn.san(), turn.lan()] {
                let mut read = turn.before.clone();
                for mv in read.read(&text).map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?.iter() {
                    read = read.play(*mv).unwrap();
                }
                prop_assert_eq!(&read, &turn.after, "{}", text);
            }
        }
    }

    #[test]
    fn every_listed_turn_is_distinct_and_reads_back(game in game(), pick: Index) {
        let position = game.position().turn_start();
        let squares: Vec<Square> = position.occupied_by(position.turn()).into_iter().collect();
        prop_assume!(!squares.is_empty());
        let turns = position.turns_from(Some(*pick.get(&squares)));
        let mut seen = HashMap::new();
        for turn in &turns {
            let known = seen.insert(turn.after.to_string(), &turn.lan);
            prop_assert!(known.is_none(), "{:?} and {} end alike", known, turn.lan);
        }
        for turn in turns.iter().step_by(1 + turns.len() / 40) {
            for text in [&turn.san, &turn.lan] {
                let mut read = Game::new(position.clone());
                read.play_text(text).map_err(|e| TestCaseError::fail(format!("{position} {text}: {e}")))?;
                prop_assert_eq!(read.position(), &turn.after, "{}", text);
            }
            prop_assert_eq!(&position.turn_lan(&turn.moves), &turn.lan);
            prop_assert_eq!(&position.turn_san(&turn.moves), &turn.san);
        }
    }

    #[test]
    fn games_read_back_from_pgn(mut game in game(), notes in prop::collection::vec("[ -|~é\n]{0,20}", 3), millis in 0..90_000_000u64) {
        prop_assume!(game.outcome().is_none());
        game.set_header("Red", notes[0].replace('\n', " ").as_str()).unwrap();
        game.set_header("Extra", "a \"b\" \\c").unwrap();
        let turns = game.turn_count();
        for (turn, note) in [0, turns / 2, turns].into_iter().zip(&notes) {
            game.set_comment(turn, note).unwrap();
        }
        game.set_clock(turns, Some(Duration::from_millis(millis))).unwrap();
        let text = game.pgn();
        let read: Game = text.parse().map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(read.position(), game.position());
        prop_assert_eq!(read.pgn(), text);
        prop_assert_eq!(read.clock(turns), game.clock(turns));
        prop_assert_eq!(read.comment(turns), game.comment(turns));
    }

    #[test]
    fn a_refusal_changes_nothing(mut game in game(), text in "[A-Za-k0-9()<>&@x_+:,.]{0,12}", fen in "[a-n0-9A-N/() +-]{0,60}", roles in any::<[u8; 3]>(), pick: Index) {
        let before = game.clone();
        if game.play_text(&text).is_err() {
            prop_assert!(game == before);
        }
        let mut game = before.clone();
        let squares: Vec<Square> = game.position().occupied().into_iter().collect();
        let role = |n: u8| Role::ALL[usize::from(n) % 11];
        let moves = [(role(roles[0]), *pick.get(&squares)), (role(roles[1]), squares[0])];
        let batch = Batch { from: *pick.get(&squares), moves: &moves, stay: &[role(roles[2])] };
        if game.deploy(&batch).is_err() {
            prop_assert!(game == before);
        }
        let mut game = before.clone();
        let unplayable = Move::whole(squares[0], squares[0], Role::Headquarters, cotulenh::MoveKind::Quiet);
        prop_assert!(game.play(unplayable).is_err());
        prop_assert!(game == before);
        drop(fen.parse::<Position>());
        drop(format!("{} {fen}", game.position()).parse::<Position>());
    }

    #[test]
    fn undo_brings_back_every_position(mut game in game()) {
        let whole = game.clone();
        let mut positions = vec![game.start().clone()];
        positions.extend(whole.turns().map(|turn| turn.after.clone()));
        if game.position().deploy().is_some() {
            prop_assert!(game.undo());
        }
        while let Some(expected) = positions.pop() {
            prop_assert_eq!(game.position(), &expected);
            prop_assert_eq!(game.undo(), !positions.is_empty());
        }
    }

    #[test]
    fn batches_play_what_the_turns_list_says(game in game(), pick: Index) {
        let position = game.position().turn_start();
        let turns = position.turns();
        prop_assume!(!turns.is_empty());
        let turn = pick.get(&turns);
        // Plain moves are no deploys; a deploy's text tells who goes where.
        prop_assume!(turn.moves[0].is_step());
        let from = turn.moves[0].from();
        let moves: Vec<(Role, Square)> = turn
            .moves
            .iter()
            .filter(|mv| !mv.is_commit())
            .map(|mv| (mv.role(), mv.to()))
            .collect();
        let stack = position.stack_at(from).unwrap();
        let stay: Vec<Role> = stack
            .pieces()
            .map(|piece| piece.role)
            .filter(|role| moves.iter().all(|(moved, _)| moved != role))
            .collect();
        let batch = Batch { from, moves: &moves, stay: &stay };
        // Another order may be tried first and end otherwise, but never unlawfully.
        let after = position.deploy_batch(&batch);
        prop_assert!(after.is_ok(), "{} {:?}: {:?}", position, batch, after.err());
    }
}

#[test]
fn every_split_and_every_part_of_a_lawful_stack_is_lawful() {
    for roles in (1..2048).map(RoleSet::from_bits) {
        let some = roles & RoleSet::from_bits(0x555);
        for heroic in [RoleSet::EMPTY, roles, some] {
            for color in cotulenh::Color::ALL {
                let Some(stack) = Stack::of(roles, heroic, color) else {
                    continue;
                };
                let mut splits = 0;
                for parts in stack.splits() {
                    let all = parts
                        .iter()
                        .skip(1)
                        .try_fold(parts[0], |all, part| all.combine(*part));
                    assert_eq!(all, Some(stack));
                    splits += 1;
                }
                assert_eq!(splits, [1, 2, 5][stack.len() - 1]);
                for part in roles.parts().skip(1) {
                    assert!(stack.only(part).is_some());
                }
            }
        }
    }
}
