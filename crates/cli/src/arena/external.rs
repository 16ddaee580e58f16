//! A program behind the line protocol of `convoy tractor-bot`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use tractor::{Bid, CardSet, Rules, Seat, Suit, Team, View};

/// A running program.
#[derive(Debug)]
pub(crate) struct External {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    begun: Instant,
    asked: u64,
}

impl External {
    /// Starts a program; words are separated by spaces.
    pub(crate) fn start(program: &str) -> anyhow::Result<Self> {
        let mut words = program.split_whitespace();
        let name = words.next().context("cmd: names no program")?;
        let mut child = Command::new(name)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let to = child.stdin.take().context("the program has no input")?;
        let from = child.stdout.take().context("the program has no output")?;
        Ok(Self {
            child,
            to,
            from: BufReader::new(from),
            begun: Instant::now(),
            asked: 0,
        })
    }

    /// The time on the wall: what a program of another does inside cannot be told from waiting.
    pub(crate) fn time(&self) -> Duration {
        self.begun.elapsed()
    }

    fn ask(&mut self, mut request: Value) -> anyhow::Result<Value> {
        self.asked += 1;
        request["id"] = self.asked.into();
        writeln!(self.to, "{request}").context("the program no longer reads")?;
        self.to.flush()?;
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            bail!("the program has ended ({request})");
        }
        let answer: Value = serde_json::from_str(&line).context(line.clone())?;
        match answer.get("error") {
            Some(error) => bail!("the program answered {error} to {request}"),
            None => Ok(answer),
        }
    }

    pub(crate) fn declare(&mut self, view: &View) -> anyhow::Result<Option<CardSet>> {
        let seat = view.viewer.context("a seat is asked")?;
        let current = view.declarations.last().map(|last| {
            json!({ "seat": last.seat.index(), "type": bid_type(last.bid), "suit": suit(last.bid.suit()) })
        });
        let mut request = json!({
            "op": "declare",
            "seat": seat.index(),
            "rank": view.levels[view.defending.index()].to_string(),
            "hand": texts(view.hand),
            "dealt": view.dealt,
            "current": current,
            "seed": u64::from(view.dealt) * 4 + seat.index() as u64,
        });
        add_context(&mut request, view);
        let answer = self.ask(request)?;
        let declared = &answer["declare"];
        if declared.is_null() {
            return Ok(None);
        }
        let (kind, named) = (&declared["type"], &declared["suit"]);
        let offer = view.offers.iter().find(|offer| {
            *kind == bid_type(offer.bid)
                && (offer.bid.is_joker() || *named == suit(offer.bid.suit()))
        });
        // A declaration that is not on offer is no declaration: some programs do not mind whose stands.
        Ok(offer.map(|offer| offer.cards))
    }

    pub(crate) fn bury(&mut self, view: &View) -> anyhow::Result<CardSet> {
        let mut request = json!({
            "op": "kitty",
            "seat": view.viewer.map(Seat::index),
            "trump": view.trump,
            "hand": texts(view.hand),
        });
        add_context(&mut request, view);
        read_cards(&self.ask(request)?["cards"], view.hand)
    }

    pub(crate) fn play(&mut self, view: &View) -> anyhow::Result<CardSet> {
        let plays = |trick: &tractor::SeenTrick| -> Vec<Value> {
            trick
                .plays
                .iter()
                .enumerate()
                .map(|(place, cards)| json!([trick.leader.after(place).index(), texts(*cards)]))
                .collect()
        };
        let tricks: Vec<Value> = view
            .tricks
            .iter()
            .map(|trick| {
                let winner = trick.ahead.last().map(|seat| seat.index());
                json!({ "plays": plays(trick), "winner": winner })
            })
            .collect();
        let mut request = json!({
            "op": "play",
            "seat": view.viewer.map(Seat::index),
            "trump": view.trump,
            "hand": texts(view.hand),
            "starter": view.starter.index(),
            "defending": if view.defending == Team::A { "A" } else { "B" },
            "tricks": tricks,
            "current": view.open.as_ref().map_or_else(Vec::new, plays),
            "attackerPoints": view.attackers,
            "handSizes": view.held,
            "currentWinner": view.open.as_ref().and_then(|open| open.ahead.last()).map(|seat| seat.index()),
        });
        if let Some(kitty) = view.kitty {
            request["kitty"] = json!(texts(kitty));
        }
        add_context(&mut request, view);
        read_cards(&self.ask(request)?["cards"], view.hand)
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the protocol takes beyond what it needs.
fn add_context(request: &mut Value, view: &View) {
    let preset = Rules::PRESETS
        .into_iter()
        .find(|name| Rules::preset(name) == Some(view.rules));
    request["rules"] = match preset {
        Some(name) => name.into(),
        None => json!(view.rules),
    };
    request["levels"] = json!({ "A": view.levels[0], "B": view.levels[1] });
    let declarations: Vec<Value> = view
        .declarations
        .iter()
        .map(|made| {
            json!([
                made.seat.index(),
                bid_type(made.bid),
                suit(made.bid.suit()),
                made.at
            ])
        })
        .collect();
    request["declarations"] = declarations.into();
}

/// How the protocol calls a bid.
pub(crate) const fn bid_type(bid: Bid) -> &'static str {
    match bid {
        Bid::Single(_) => "single",
        Bid::SmallJoker => "smallJoker",
        Bid::BigJoker => "bigJoker",
        Bid::Pair(_) => "pair",
        Bid::SmallJokers => "smallJokerPair",
        Bid::BigJokers => "bigJokerPair",
    }
}

/// How the protocol calls a trump suit.
pub(crate) fn suit(suit: Option<Suit>) -> String {
    suit.map_or('N', Suit::letter).to_string()
}

/// Cards with their deck digits.
pub(crate) fn texts(cards: CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).collect()
}

/// The cards of an answer, with digits or without, out of a hand.
fn read_cards(answer: &Value, hand: CardSet) -> anyhow::Result<CardSet> {
    let texts: Vec<String> = serde_json::from_value(answer.clone())
        .with_context(|| format!("no list of cards: {answer}"))?;
    let cards = CardSet::read(texts.iter().map(String::as_str))?;
    let digits = texts.iter().all(|text| text.ends_with(['0', '1']));
    if digits {
        Ok(cards)
    } else {
        hand.pick(cards.faces())
            .with_context(|| format!("not in the hand: {answer}"))
    }
}
