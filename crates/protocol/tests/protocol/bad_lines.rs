//! Lines that cannot be answered: each gets one clear error with a stable code.

use convoy_protocol::{Description, LONGEST_LINE, answer_line, cotulenh, tractor};
use serde_json::{Value, json};

fn ask(line: &str) -> Value {
    let mut out = Vec::new();
    answer_line(line.as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

/// The code and the message of the error.
fn refused(line: &str) -> (String, String) {
    let answer = ask(line);
    let text = |field: &str| {
        let value = answer["error"][field].as_str();
        value
            .unwrap_or_else(|| panic!("{line}: {answer}"))
            .to_owned()
    };
    (text("code"), text("message"))
}

fn malformed(line: &str, words: &str) {
    let (code, message) = refused(line);
    assert_eq!((&*code, &*message), ("malformed", words), "{line}");
}

fn ops() -> impl Iterator<Item = &'static Description> {
    cotulenh::Request::OPS.iter().chain(tractor::Request::OPS)
}

#[test]
fn every_op_refuses_an_unknown_field_and_names_it() {
    for op in ops() {
        let line = json!({"game": op.game, "op": op.name, "wingding": 1}).to_string();
        let (code, message) = refused(&line);
        // What is missing is noticed only after all fields have been read.
        assert_eq!(code, "unknown-field", "{line}: {message}");
        assert!(
            message.starts_with("unknown field \"wingding\"; there are "),
            "{message}"
        );
        let at = &ask(&line)["error"]["at"];
        assert_eq!(at, &json!({"field": "wingding"}));
    }
}

#[test]
fn every_misspelt_field_of_every_op_is_guessed() {
    for op in ops() {
        for field in (op.fields)().iter().filter(|field| field.len() > 2) {
            let misspelt = format!("{field}{}", field.chars().last().unwrap());
            let line = json!({"game": op.game, "op": op.name, &misspelt: 1}).to_string();
            let (code, message) = refused(&line);
            assert_eq!(code, "unknown-field", "{line}");
            let words = format!("unknown field {misspelt:?}; did you mean {field:?}?");
            assert_eq!(message, words, "{line}");
        }
    }
}

#[test]
fn unknown_fields_inside_are_refused_with_the_way_to_them() {
    let table = [
        (
            r#"{"game":"cotulenh","op":"deploy","from":"e4","moves":[{"piece":"T","to":"e6"},{"peice":"F","to":"e5"}]}"#,
            "moves[1].peice",
            "\"piece\"",
        ),
        (
            r#"{"game":"tractor","op":"combo","trump":{"rank":"2","siut":"H"},"cards":["3S"]}"#,
            "trump.siut",
            "\"suit\"",
        ),
        (
            r#"{"game":"tractor","op":"score","in":{"defending":"A","ranks":{"A":"2","B":"2","C":"2"},"attackerTrickPoints":0,"starter":0}}"#,
            "in.ranks.C",
            "there are A, B",
        ),
        (
            r#"{"game":"tractor","op":"decl","rank":"2","seat":0,"hand":["2S"],"current":{"seat":1,"typ":"pair","suit":"H"}}"#,
            "current.typ",
            "\"type\"",
        ),
    ];
    for (line, field, hint) in table {
        let answer = ask(line);
        assert_eq!(answer["error"]["code"], "unknown-field", "{answer}");
        assert_eq!(answer["error"]["at"], json!({ "field": field }), "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(hint), "{message}");
    }
}

#[test]
fn misspelt_names_of_games_ops_and_the_envelope_are_guessed() {
    for (line, code, words) in [
        (
            r#"{"game":"cotulen","op":"moves"}"#,
            "unknown-game",
            "did you mean \"cotulenh\"?",
        ),
        (
            r#"{"game":"chess","op":"moves"}"#,
            "unknown-game",
            "there are cotulenh, tractor",
        ),
        (
            r#"{"game":"cotulenh","op":"mvoes"}"#,
            "unknown-op",
            "did you mean \"moves\"?",
        ),
        (
            r#"{"game":"tractor","op":"folow"}"#,
            "unknown-op",
            "did you mean \"follow\"?",
        ),
        (
            r#"{"gmae":"cotulenh","op":"moves"}"#,
            "unknown-field",
            "did you mean \"game\"?",
        ),
        (
            r#"{"game":"cotulenh","OP":"moves"}"#,
            "unknown-field",
            "did you mean \"op\"?",
        ),
        (
            r#"{"op":"moves"}"#,
            "malformed",
            "the request names no game",
        ),
        (
            r#"{"game":"cotulenh"}"#,
            "malformed",
            "the request has no op",
        ),
        (
            r#"{"game":"tractor","op":"combo","trump":{"rank":"2","suit":"H"},"cards":["3S"],"rules":{"folow_policy":"strict"}}"#,
            "rules",
            "did you mean \"follow_policy\"?",
        ),
    ] {
        let (got, message) = refused(line);
        assert_eq!(got, code, "{line}: {message}");
        assert!(message.contains(words), "{line}: {message}");
    }
}

#[test]
fn fields_given_twice_are_refused_wherever_they_are() {
    for (line, words) in [
        (
            r#"{"game":"cotulenh","op":"moves","fen":null,"fen":null}"#,
            "the field \"fen\" is given twice",
        ),
        (
            r#"{"game":"cotulenh","op":"moves","op":"cover"}"#,
            "the field \"op\" is given twice",
        ),
        (
            r#"{"game":"tractor","op":"combo","trump":{"rank":"2","rank":"3","suit":"H"},"cards":[]}"#,
            "trump: the field \"rank\" is given twice",
        ),
        (
            r#"{"game":"tractor","op":"combo","trump":{"rank":"2","suit":"H"},"cards":[],"rules":{"reveal_thrower":1,"reveal_thrower":2}}"#,
            "rules: the switch \"reveal_thrower\" is given twice",
        ),
    ] {
        malformed(line, words);
    }
}

#[test]
fn wrong_types_and_missing_fields_are_told_with_their_place() {
    for (line, words) in [
        (
            r#"{"game":"cotulenh","op":"moves","fen":42}"#,
            "fen: expected a string, found the number 42",
        ),
        (
            r#"{"game":"cotulenh","op":"moves","legal":"no"}"#,
            "legal: expected a boolean, found the string \"no\"",
        ),
        (
            r#"{"game":"cotulenh","op":"play","moves":["Ic6",null]}"#,
            "moves[1]: expected a string, found null",
        ),
        (
            r#"{"game":"cotulenh","op":"play"}"#,
            "missing field \"moves\"",
        ),
        (
            r#"{"game":"cotulenh","op":"combine","pieces":7}"#,
            "pieces: expected a string or a list of strings, found the number 7",
        ),
        (
            r#"{"game":"cotulenh","op":"perft","depth":-1}"#,
            "depth: expected a whole number from 0 to 4294967295, found the number -1",
        ),
        (
            r#"{"game":"cotulenh","op":"perft","depth":1,"unit":"year"}"#,
            "unit: \"year\" is none of step, turn",
        ),
        (
            r#"{"game":"cotulenh","op":"moves","victories":["sea"]}"#,
            "victories[0]: \"sea\" is none of marine, air, land",
        ),
        (
            r#"{"game":"tractor","op":"trick","trump":{"rank":"2","suit":"H"},"plays":[[4,["3S"]]]}"#,
            "plays[0][0]: a seat is 0, 1, 2 or 3",
        ),
        (
            r#"{"game":"tractor","op":"trick","trump":{"rank":"2","suit":"H"},"plays":[[0,["3S"],1]]}"#,
            "plays[0]: a list of 3, where 2 are expected",
        ),
        (
            r#"{"game":7,"op":"moves"}"#,
            "game: expected a string, found the number 7",
        ),
        (
            r#"{"game":"tractor","op":"combo","trump":"2H","cards":[]}"#,
            "trump: expected an object with rank and suit, found the string \"2H\"",
        ),
    ] {
        malformed(line, words);
    }
}

/// What is expected is told as JSON calls it, and an object is no list of its fields.
#[test]
fn wrong_types_are_told_in_the_words_of_json() {
    for (line, words) in [
        (
            r#"{"game":"cotulenh","op":"play","moves":"Ic6"}"#,
            "moves: expected a list, found the string \"Ic6\"",
        ),
        (
            r#"{"game":"tractor","op":"leads","trump":{"rank":"2","suit":"H"},"hand":[],"limit":1.5}"#,
            "limit: expected a whole number from 0, found the number 1.5",
        ),
        (
            r#"{"game":"cotulenh","op":"deploy","from":"e4","moves":["F"]}"#,
            "moves[0]: expected an object with piece and to, found the string \"F\"",
        ),
        // A list of its fields is no object.
        (
            r#"{"game":"cotulenh","op":"deploy","from":"e4","moves":[["F","e5"]]}"#,
            "moves[0]: expected an object, found a list",
        ),
        (
            r#"{"game":"cotulenh","op":"writePgn","games":[{"nodes":[[null]]}]}"#,
            "games[0].nodes[0]: expected an object, found a list",
        ),
        (
            r#"{"game":"tractor","op":"trick","trump":{"rank":"2","suit":"H"},"plays":[[0]]}"#,
            "plays[0]: expected a list of 2, found one of 1",
        ),
        (
            r#"{"game":"tractor","op":"trick","trump":{"rank":"2","suit":"H"},"plays":[7]}"#,
            "plays[0]: expected a list of 2, found the number 7",
        ),
    ] {
        malformed(line, words);
    }
}

#[test]
fn deep_nesting_is_refused_wherever_it_is() {
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let line = |id: &str, fen: &str, rules: &str| {
        format!(r#"{{"id":{id},"game":"cotulenh","op":"moves","fen":{fen},"rules":{rules}}}"#)
    };
    for line in [
        line(&deep, "null", "null"),
        line("1", &deep, "null"),
        line("1", "null", &deep),
        deep.clone(),
        format!(r#"{{"game":"tractor","op":"score","rules":{deep},"in":{{}}}}"#),
    ] {
        let (code, message) = refused(&line);
        assert_eq!(code, "malformed");
        assert_eq!(message, "nested deeper than 127 levels");
    }
    // Where the op is known from elsewhere, what only a line needs is passed over, but not however deep it is.
    for field in ["id", "game", "op"] {
        let fields = |value: &str| format!(r#"{{"{field}":{value}}}"#);
        let read =
            |value: &str| convoy_protocol::Request::read("cotulenh", "cover", &fields(value));
        assert_eq!(
            read(&deep).unwrap_err().message,
            "nested deeper than 127 levels"
        );
        assert!(read(r#"[{"a":[1,-1,0.5,null,true,"x\n"]}]"#).is_ok());
    }
}

#[test]
fn a_line_of_a_mebibyte_is_read_and_a_longer_one_is_not() {
    let start = r#"{"game":"cotulenh","op":"moves","fen":""#;
    let line = |len: usize| format!("{start}{}\"}}", "x".repeat(len - start.len() - 2));
    assert_eq!(refused(&line(LONGEST_LINE)).0, "bad-fen");
    assert_eq!(refused(&line(LONGEST_LINE + 1)).0, "too-long");
}

#[test]
fn what_is_no_object_is_refused() {
    for line in [
        "",
        "7",
        "null",
        "[]",
        r#"["x","cotulenh","cover"]"#,
        "\"moves\"",
        "{",
        "{}x",
    ] {
        assert_eq!(refused(line).0, "malformed", "{line}");
    }
    let mut out = Vec::new();
    answer_line(b"{\"game\":\xff}", &mut out);
    let answer: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(answer["error"]["message"], "the line is not UTF-8");
}

#[test]
fn an_id_of_any_kind_is_echoed_and_null_is_none() {
    for id in ["7", "-1.5", "\"a\"", "[1,{\"b\":null}]", "true", "{}"] {
        let good = format!(r#"{{"game":"cotulenh","op":"perft","depth":0,"id":{id}}}"#);
        let bad = format!(r#"{{"id":{id},"game":"cotulenh","op":"sing"}}"#);
        let want: Value = serde_json::from_str(id).unwrap();
        assert_eq!(ask(&good), json!({"id": want, "nodes": 1}));
        assert_eq!(ask(&bad)["id"], want);
        // Even where game and op cannot be read.
        let worse = format!(r#"{{"game":["cotulenh"],"op":null,"id":{id}}}"#);
        assert_eq!(ask(&worse)["id"], want);
        assert_eq!(ask(&worse)["error"]["code"], "malformed");
    }
    // A list has no fields, and what is no JSON has no `id`.
    for line in [r#"["x","cotulenh","cover"]"#, "[1]", r#"{"id":1,"op":7}}"#] {
        assert_eq!(ask(line)["id"], Value::Null, "{line}");
    }
    let none = ask(r#"{"id":null,"game":"cotulenh","op":"perft","depth":0}"#);
    assert_eq!(none, json!({"nodes": 1}));
}

#[test]
fn an_error_leaves_what_was_written_before() {
    let mut out = b"before\n".to_vec();
    answer_line(
        br#"{"id":9,"game":"cotulenh","op":"moves","fen":"x"}"#,
        &mut out,
    );
    assert!(out.starts_with(b"before\n{\"id\":9,\"error\":{\"code\":\"bad-fen\""));
}
