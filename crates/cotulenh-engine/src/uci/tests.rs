use proptest::prelude::*;

use super::*;

fn talk(input: &str) -> String {
    let output = Arc::new(Mutex::new(Vec::new()));
    serve_uci(input.as_bytes(), Arc::clone(&output));
    let bytes = output.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_session_ends_with_a_legal_turn() {
    let text = talk(
        "uci\nsetoption name Hash value 1\nisready\nposition startpos moves Ic5c6\ngo nodes 400\n",
    );
    assert!(text.contains("readyok"));
    let best = text
        .lines()
        .find_map(|line| line.strip_prefix("bestmove "))
        .expect("an answer");
    let start = Position::start();
    let next = start
        .play(start.read("Ic5c6").expect("legal")[0])
        .expect("legal");
    assert!(
        next.read(best.split(' ').next().unwrap_or("")).is_ok(),
        "{best}"
    );
}

#[test]
fn deploys_travel_as_one_token() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    let text = talk(&format!("position fen {fen} moves e4:(FI):T>e6\nd\n"));
    assert!(text.contains("4T6/11/4(FI)6"), "{text}");
}

#[test]
fn nonsense_is_answered_and_survived() {
    let text = talk(
        "nonsense\nposition\nposition fen x\nposition startpos moves z9\nsetoption\n\
         setoption name Hash value 0\nsetoption name Nothing value 1\ngo depth\ngo nowhere\n\
         ponderhit\nstop\nsetoption name Without value tea\nisready\n",
    );
    assert_eq!(text.matches("info string").count(), 11, "{text}");
    assert_eq!(text.matches("bestmove (none)").count(), 2, "{text}");
    assert!(text.ends_with("readyok\n"));
}

/// What does not end is not kept: it sets no position, and a `go` has its answer nevertheless.
#[test]
fn a_line_of_more_than_a_mebibyte_is_refused() {
    let long = " Ic5c6".repeat(LONGEST_LINE / 6 + 1);
    let text = talk(&format!(
        "position startpos moves{long}\ngo nodes 50\nposition startpos\ngo searchmoves{long}\n{long}\n\
         isready\ngo nodes 50\n"
    ));
    assert_eq!(
        text.matches("a line holds at most 1048576 bytes").count(),
        3
    );
    assert_eq!(text.matches("bestmove (none)").count(), 2, "{text}");
    assert_eq!(text.matches("bestmove ").count(), 3, "{text}");
    assert!(text.contains("readyok"), "{text}");
    let longest = format!("isready{}", " ".repeat(LONGEST_LINE - "isready".len()));
    assert_eq!(talk(&format!("{longest}\nisready")), "readyok\nreadyok\n");
}

#[test]
fn a_bad_position_is_not_searched_and_every_go_is_answered() {
    let text = talk(
        "position startpos moves Ic5c6\nposition fen x\ngo nodes 50\ngo perft 1\nd\n\
         position startpos\ngo nowhere\ngo perft 1\ngo nodes 50\n",
    );
    let answers: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert_eq!(answers.len(), 5, "{text}");
    assert!(answers[..4].iter().all(|line| *line == "bestmove (none)"));
    assert_ne!(answers[4], "bestmove (none)");
    let refusals = text.matches("the last position command was refused");
    assert_eq!(refusals.count(), 3, "{text}");
    assert!(text.contains("info string perft 1 nodes"), "{text}");
}

/// The best move of a search, as it was written.
fn best(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("bestmove "));
    let best = line.and_then(|line| line.split(' ').next());
    best.expect("an answer")
}

#[test]
fn searchmoves_restricts_the_root() {
    let all = talk("position startpos\ngo depth 2\n");
    let other = if best(&all) == "Ic5c6" {
        "Mg5g6"
    } else {
        "Ic5c6"
    };
    let text = talk(&format!(
        "position startpos\ngo searchmoves {other} depth 2\n"
    ));
    assert_eq!(best(&text), other, "{text}");
    let text = talk(&format!(
        "setoption name MultiPV value 5\nposition startpos\ngo depth 2 searchmoves {other} Ik5k6\n"
    ));
    let pv = |line: &str| {
        line.split(" pv ")
            .nth(1)?
            .split(' ')
            .next()
            .map(str::to_owned)
    };
    let firsts: std::collections::BTreeSet<String> = text.lines().filter_map(pv).collect();
    assert_eq!(firsts.len(), 2, "{text}");
}

#[test]
fn searchmoves_takes_whole_deploys_in_the_order_given() {
    let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    for turn in ["e4::F>e8,T>e6,I>d4", "e4::T>e6,F>e8,I>d4", "e4:(FI):T>e6"] {
        let text = talk(&format!(
            "position fen {fen}\ngo searchmoves {turn} nodes 300\n"
        ));
        assert_eq!(best(&text), turn, "{text}");
    }
    let text = talk(&format!(
        "position fen {fen}\ngo searchmoves z9 nodes 300\n"
    ));
    assert!(text.contains("info string searchmoves z9: "), "{text}");
    assert_eq!(best(&text), "(none)");
}

#[test]
fn another_network_is_read_or_refused_by_name() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let load = |path: &str| talk(&format!("setoption name EvalFile value {path}\nisready\n"));
    assert_eq!(load(&format!("{folder}/data/default.net")), "readyok\n");
    assert_eq!(load("<empty>"), "readyok\n");
    let text = load(&format!("{folder}/Cargo.toml"));
    assert!(
        text.starts_with("info string EvalFile: not a network"),
        "{text}"
    );
    let text = load(&format!("{folder}/data/none.net"));
    assert!(text.starts_with("info string EvalFile: "), "{text}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mate = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1";
    let stalemate = "11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4";
    let taken = "11/9ii/11/11/11/11/11/11/11/11/9II/5C5 b - - 0 1";
    for fen in [mate, stalemate, taken] {
        assert!(talk(&format!("position fen {fen}\ngo nodes 50\n")).contains("bestmove (none)"));
    }
}

#[test]
fn an_infinite_search_ends_with_the_input() {
    assert!(talk("position startpos\ngo infinite\n").contains("bestmove "));
    // A guess that came true is answered once, within the clock.
    let text = talk("go ponder wtime 100 btime 100\nponderhit\n");
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
}

fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "uci",
        "isready",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "nodes",
        "1",
        "-7",
        "99999999999999999999",
        "perft",
        "stop",
        "setoption",
        "name",
        "value",
        "Level",
        "Without",
        "MultiPV",
        "3",
        "Ic5c6",
        "ucinewgame",
        "ponderhit",
        "searchmoves",
        "movetime",
        "wtime",
        "btime",
        "é",
        "\u{0}",
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4",
        "r",
        "0",
    ]);
    let sensible = prop::collection::vec(words, 0..8).prop_map(|words| words.join(" "));
    // Depths beyond the test's patience are cut by the end of the input only when infinite.
    prop_oneof![sensible, "[ -~]{0,40}"].prop_filter("slow", |line| {
        let bad = [
            "depth 3", "depth 99", "movetime", "wtime", "btime", "perft 3", "perft 9", "nodes 9",
        ];
        !bad.iter().any(|word| line.contains(word))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn garbage_never_crashes(lines in prop::collection::vec(line(), 0..20)) {
        let text = talk(&format!("{}\nstop\nsetoption name Threads value 1\nisready\n", lines.join("\n")));
        prop_assert!(text.ends_with("readyok\n"));
    }
}
