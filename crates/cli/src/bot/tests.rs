use super::*;

fn ask(lines: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    serve(SkillLevel::Normal, lines, &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn play(hand: &str, rest: &str) -> Value {
    let hand: Vec<_> = hand.split(' ').collect();
    let line = format!(
        r#"{{"op":"play","seat":0,"trump":{{"rank":"2","suit":"H"}},"hand":{},"starter":1,"defending":"B"{rest}}}"#,
        json!(hand)
    );
    ask(line.as_bytes()).remove(0)
}

#[test]
fn garbage_is_refused_and_the_next_line_served() {
    let lines: &[u8] = b"{\n\xff\xfe\n[]\n\n{\"op\":\"fly\",\"id\":[1]}\n{\"op\":7}\n{\"id\":3}\n{\"op\":\"play\"}\n{\"op\":\"ping\",\"id\":\"x\"}";
    let answers = ask(lines);
    assert_eq!(answers.len(), 8);
    for answer in &answers[..7] {
        assert!(answer["error"].is_string(), "{answer}");
        let code = if answer["id"] == json!([1]) {
            "unknown-op"
        } else {
            "malformed"
        };
        assert_eq!(answer["code"], code, "{answer}");
    }
    assert_eq!(answers[3]["id"], json!([1]));
    assert_eq!(answers[7], json!({ "id": "x" }));
}

#[test]
fn a_line_without_end_is_refused() {
    let mut lines = vec![b'x'; 3 << 20];
    lines.extend_from_slice(b"\n{\"op\":\"ping\"}\n");
    let answers = ask(&lines);
    assert_eq!(answers[0]["code"], "too-long");
    assert_eq!(answers[1], json!({}));
}

/// A fault has the code that a line of `convoy query` has for it.
#[test]
fn faults_have_the_codes_of_every_other_way_in() {
    let deep = format!("{}{}", "[".repeat(3000), "]".repeat(3000));
    for rest in [format!(r#","tricks":{deep}"#), r#","tricks":7"#.to_owned()] {
        assert_eq!(play("AS", &rest)["code"], "malformed");
    }
    let misspelt = play("AS", r#","atackerPoints":5"#);
    assert_eq!(misspelt["code"], "unknown-field", "{misspelt}");
    assert_eq!(play("AS AS AS", "")["code"], "cards");
    assert_eq!(play("AS", r#","rules":"odd""#)["code"], "rules");
}

#[test]
fn positions_that_cannot_be_are_refused_in_words() {
    for (hand, rest, words) in [
        ("AS AS AS", "", "only two AS"),
        ("AS0 AS", "", "deck digit"),
        ("AS0 AS0", "", "named twice"),
        ("10S", "", "no card"),
        ("AS", r#","current":[[1,["3S"]]]"#, "not the turn"),
        ("AS", r#","current":[[3,["3S","3S"]]]"#, "2 cards were led"),
        ("AS KS", r#","current":[[3,["3S","3D"]]]"#, "one suit"),
        ("AS", r#","current":[[2,["3S"]],[1,["4S"]]]"#, "turn order"),
        ("AS", r#","tricks":[{"plays":[[0,["3S"]]]}]"#, "four plays"),
        ("AS", r#","rules":"odd""#, "no preset"),
        ("AS", r#","rules":{"follow_policy":"odd"}"#, "loose"),
    ] {
        let answer = play(hand, rest);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(words), "{hand} {rest}: {answer}");
    }
}

#[test]
fn it_answers_as_it_was_asked() {
    let digits = play("AS1 3D0", r#","current":[[3,["3S0"]]]"#);
    assert_eq!(digits["cards"], json!(["AS1"]));
    assert!(digits["ms"].is_number());
    let plain = play("AS 3D", r#","current":[[3,["3S"]]],"id":9"#);
    assert_eq!(
        (plain["cards"].clone(), plain["id"].clone()),
        (json!(["AS"]), json!(9))
    );
}

#[test]
fn it_buries_eight_and_declares_what_it_holds() {
    let suits = ["S", "H", "C", "D"];
    let hand: Vec<String> = (0..33)
        .map(|at| {
            format!(
                "{}{}",
                ["3", "4", "6", "7", "8", "9", "J", "Q", "A"][at / 4],
                suits[at % 4]
            )
        })
        .collect();
    let line =
        json!({ "op": "kitty", "seat": 2, "trump": { "rank": "2", "suit": "N" }, "hand": hand });
    let answer = ask(line.to_string().as_bytes()).remove(0);
    assert_eq!(
        answer["cards"].as_array().map(Vec::len),
        Some(8),
        "{answer}"
    );

    let hand = ["2S", "AS", "KS", "QS", "9S", "8S", "bj", "3D"];
    let line = json!({ "op": "declare", "seat": 1, "rank": "2", "hand": hand, "dealt": 32, "current": null });
    let answer = ask(line.to_string().as_bytes()).remove(0);
    assert_eq!(
        answer["declare"],
        json!({ "type": "single", "suit": "S", "cards": ["2S"] })
    );
    let line = json!({ "op": "declare", "seat": 1, "rank": "2", "hand": hand, "dealt": 32,
        "current": { "seat": 0, "type": "pair", "suit": "D" } });
    let answer = ask(line.to_string().as_bytes()).remove(0);
    assert_eq!(answer["declare"], Value::Null);
}

#[test]
fn what_the_arena_tells_is_what_the_bot_knows() {
    use tractor::{Rules, Seat, SeenThrow, SeenTrick, Stage, View};
    let set = |text: &str| text.parse::<CardSet>().unwrap();
    let levels = [tractor::Level::TWO; 2];
    let mut view = View::blank(Seat::ALL[1], Rules::SHENGJI, "2H".parse().unwrap(), levels);
    view.stage = Stage::Playing;
    view.turn = view.viewer;
    view.starter = Seat::ALL[0];
    view.defending = Seat::ALL[0].team();
    view.revealed = Some("3H0".parse().unwrap());
    // A seat that is not the starter stole the kitty: the viewer knows what lies there.
    view.buried_by = view.viewer;
    view.kitty = Some(set("3C0 4C0 6C0 7C0 8C0 9C0 JC0 QC0"));
    view.hand = set("AD0 KD1");
    view.held = [1, 2, 2, 2];
    view.exposed[0] = set("KS0");
    view.open = Some(SeenTrick {
        leader: Seat::ALL[0],
        plays: vec![set("9S0")],
        ahead: vec![Seat::ALL[0]],
        points: 0,
        parts: None,
        failed: Some(SeenThrow {
            cards: set("9S0 KS0"),
            by: Some(Seat::ALL[2]),
        }),
    });
    let asked = Request::Play(PlayRequest::of(&view));
    let mut line = Vec::new();
    bot::write_line(4, &asked, &mut line);
    let (id, request) = bot::read_line(&line);
    assert_eq!((id, request.as_ref()), (Some(json!(4)), Ok(&asked)));
    let Ok(Request::Play(request)) = request else {
        panic!("it was asked to play");
    };
    let told = request.view().unwrap().view;
    assert_eq!(told.exposed, view.exposed);
    assert_eq!(told.open, view.open);
    assert_eq!(
        (told.revealed, told.buried_by),
        (view.revealed, view.buried_by)
    );
    assert_eq!(
        (told.kitty, told.hand, told.held),
        (view.kitty, view.hand, view.held)
    );
}

#[test]
fn ten_is_written_t() {
    let line = br#"{"op":"declare","seat":0,"rank":"10","hand":["TS"],"dealt":4,"current":null}"#;
    let error = respond(SkillLevel::Normal, line)["error"].to_string();
    assert!(error.contains("T (ten)"), "{error}");
}
