//! The line protocol of bots: its documentation against the types, and both ends against each other.

use convoy_protocol::bot::{
    self, CardsAnswer, DeclareAnswer, DeclareRequest, KittyRequest, PlayRequest, Request,
};
use serde_json::{Value, json};
use tractor::{Deck, Event, Round, Rules, Seat, Seed, Setup, View};

const BOTS: &str = include_str!("../../../../docs/bots.md");

/// The JSON of the page, block by block.
fn blocks() -> Vec<Value> {
    let fences = BOTS.split("```json\n").skip(1);
    let texts = fences.map(|rest| rest.split("```").next().unwrap());
    texts
        .map(|text| serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}")))
        .collect()
}

#[test]
fn the_documented_requests_and_answers_are_those_of_the_types() {
    let mut seen = Vec::new();
    let mut asked = String::new();
    for block in blocks() {
        if let Some(op) = block["op"].as_str() {
            asked = op.to_owned();
            let (id, request) = bot::read_line(block.to_string().as_bytes());
            assert_eq!(id.as_ref(), Some(&block["id"]));
            match request {
                Ok(request) => {
                    let mut line = Vec::new();
                    bot::write_line(block["id"].as_u64().unwrap(), &request, &mut line);
                    let written: Value = serde_json::from_slice(&line).unwrap();
                    assert_eq!(written, block);
                    seen.push(asked.clone());
                }
                // The page does not list all 33 cards.
                Err(error) => assert!(
                    op == "kitty" && error.message.contains("33 cards"),
                    "{error}"
                ),
            }
            continue;
        }
        if asked == "declare" {
            let answer: DeclareAnswer = serde_json::from_value(block.clone()).unwrap();
            assert_eq!(json!(answer.declare), block["declare"]);
        } else {
            let answer: CardsAnswer = serde_json::from_value(block.clone()).unwrap();
            assert_eq!(json!(answer.cards), block["cards"]);
        }
    }
    assert_eq!(seen, ["declare", "play", "ping"]);
}

#[test]
fn unknown_fields_are_refused_as_on_every_other_way_in() {
    for (more, field, message) in [
        (
            r#","atackerPoints":5"#,
            "atackerPoints",
            r#"unknown field "atackerPoints"; did you mean "attackerPoints"?"#,
        ),
        (
            r#","tricks":[{"plays":[],"wnner":1}]"#,
            "tricks[0].wnner",
            r#"unknown field "wnner"; did you mean "winner"?"#,
        ),
        (
            r#","levels":{"A":"2","B":"2","C":"2"}"#,
            "levels.C",
            r#"unknown field "C""#,
        ),
    ] {
        let line = format!(
            r#"{{"op":"play","id":1,"seat":0,"trump":{{"rank":"2","suit":"H"}},"hand":["AS"],"starter":1,"defending":"B"{more}}}"#
        );
        let (id, request) = bot::read_line(line.as_bytes());
        let error = request.unwrap_err();
        assert_eq!((id, error.code.word()), (Some(json!(1)), "unknown-field"));
        assert!(error.message.starts_with(message), "{}", error.message);
        assert_eq!(json!(error.at), json!({ "field": field }));
    }
    let (_, ping) = bot::read_line(br#"{"op":"ping","seat":1}"#);
    assert_eq!(ping.unwrap_err().code.word(), "unknown-field");
}

/// Through a whole deal: what a view tells is what the other end reads.
#[test]
fn both_ends_know_the_same() {
    for rules in [Rules::DEFAULT, Rules::SHENGJI, Rules::EJFN] {
        let mut round = Round::new(Setup::first(rules), Deck::of(&Seed::from_number(7), 1));
        round.apply(Event::Deal { count: 40 }).unwrap();
        for seat in Seat::ALL {
            let view = View::of(&round, Some(seat));
            let told = read(&Request::Declare(DeclareRequest::of(&view)));
            assert_eq!((told.hand, told.dealt, told.rules), (view.hand, 40, rules));
            assert_eq!(told.offers, view.offers);
        }
        round.apply(Event::Deal { count: 60 }).unwrap();
        round.apply(Event::Close).unwrap();
        let starter = round.starter();
        let view = View::of(&round, Some(starter));
        let told = read(&Request::Kitty(KittyRequest::of(&view)));
        assert_eq!((told.hand, told.trump), (view.hand, view.trump));
        let cards = round.hand(starter).iter().take(8).collect();
        round
            .apply(Event::Bury {
                seat: starter,
                cards,
            })
            .unwrap();
        if round.turn().is_none() {
            // The window for stealing the kitty.
            round.apply(Event::Close).unwrap();
        }
        while let Some(seat) = round.turn() {
            let view = View::of(&round, Some(seat));
            let told = read(&Request::Play(PlayRequest::of(&view)));
            assert_eq!((told.hand, told.held), (view.hand, view.held));
            assert_eq!((&told.tricks, &told.open), (&view.tricks, &view.open));
            assert_eq!((told.kitty, told.attackers), (view.kitty, view.attackers));
            let cards = view.legal_plays(1).unwrap().plays[0];
            round.apply(Event::Play { seat, cards }).unwrap();
        }
    }
}

/// The view at the other end of a line, whose fields the page must name.
fn read(request: &Request) -> View {
    let mut line = Vec::new();
    bot::write_line(1, request, &mut line);
    let written: Value = serde_json::from_slice(&line).unwrap();
    for field in written.as_object().unwrap().keys() {
        let words = [format!("`{field}`"), format!("\n| {field} |")];
        assert!(words.iter().any(|word| BOTS.contains(&**word)), "{field}");
    }
    let (_, read) = bot::read_line(&line);
    let read = read.unwrap();
    assert_eq!(&read, request);
    let told = match &read {
        Request::Declare(request) => request.view(),
        Request::Kitty(request) => request.view(),
        Request::Play(request) => request.view(),
        Request::Ping => panic!("nothing is told"),
    };
    told.unwrap().view
}
