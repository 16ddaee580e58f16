//! Four people a table, who play Tractor. Each seat acts on its own view and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use convoy_server::Receipt;
use serde::Deserialize as _;
use serde_json::{Value, json};
use tractor::{Card, CardSet, View};

use crate::client::{Client, Fault, Socket};
use crate::drive::{Nodes, Plan, Report};
use crate::random::below;

/// Longer than this nothing may take.
const LONGEST: Duration = Duration::from_mins(1);

/// Four people who play round after round until the time is over.
pub async fn seat_four(nodes: &Nodes, number: usize, plan: Plan) -> Result<Report, Fault> {
    plan.come(number).await;
    let mut table = Table::sit_down(nodes, number, plan).await?;
    let begun = Instant::now();
    // A round that has begun is played to its end: only then does it prove its cards.
    while plan.goes_on(begun, table.report.moves) && table.round().await? {}
    Ok(table.report)
}

/// Four people at a table.
pub(crate) struct Table {
    id: String,
    clients: Vec<Client>,
    sockets: Vec<Socket>,
    seed: u64,
    report: Report,
    plan: Plan,
    tick: tokio::time::Interval,
    /// Whether the server is being disturbed: nobody offends the rules, and what the seats are told is
    /// compared.
    pub(crate) is_disturbed: bool,
    /// How many actions were done, for whoever wants to know meanwhile.
    pub(crate) done: Arc<AtomicUsize>,
    /// What no disturbance excuses.
    pub(crate) wrong: Vec<String>,
}

fn may(view: &Value, what: &str) -> bool {
    let can = view["can"].as_array();
    can.is_some_and(|can| can.iter().any(|may| may == what))
}

/// The cards that are named anywhere in what a seat was told.
fn cards_in(told: &Value, cards: &mut BTreeSet<String>) {
    match told {
        Value::String(text) if text.parse::<Card>().is_ok() => {
            cards.insert(text.clone());
        }
        Value::Array(parts) => parts.iter().for_each(|part| cards_in(part, cards)),
        Value::Object(fields) => fields.values().for_each(|field| cards_in(field, cards)),
        _ => {}
    }
}

/// Each card that one seat holds and another one was told of, but not a third one: what is shown is shown
/// to all.
fn leaks(views: &[&Value]) -> Vec<String> {
    let named = |told: &Value| {
        let mut cards = BTreeSet::new();
        cards_in(told, &mut cards);
        cards
    };
    let told: Vec<BTreeSet<String>> = views.iter().map(|view| named(view)).collect();
    let mut leaks = Vec::new();
    for (holder, view) in views.iter().enumerate() {
        for card in named(&view["hand"]) {
            let others = told.iter().enumerate().filter(|(seat, _)| *seat != holder);
            let count = others.filter(|(_, told)| told.contains(&card)).count();
            if count != 0 && count != views.len() - 1 {
                leaks.push(format!("{card} of seat {holder} was told to some"));
            }
        }
    }
    leaks
}

impl Table {
    /// Four people who sit down at a new table.
    pub(crate) async fn sit_down(nodes: &Nodes, number: usize, plan: Plan) -> Result<Self, Fault> {
        let mut clients = Vec::new();
        for seat in 0..4 {
            clients.push(Client::new(nodes.address(number + seat)).await?);
        }
        // Half of the tables may try any throw; at the others a throw must be sure to stand.
        let preset = ["default", "shengji"][number % 2];
        let new_table = json!({ "game": "tractor", "opponent": "friend", "rules": preset });
        let id = clients[0].open(&new_table).await?;
        for client in &clients[1..] {
            client.sit(&id).await?;
        }
        let mut table = Self {
            id,
            clients,
            sockets: Vec::new(),
            seed: number as u64 + 1,
            report: Report::default(),
            plan,
            tick: tokio::time::interval(plan.pace),
            is_disturbed: false,
            done: Arc::default(),
            wrong: Vec::new(),
        };
        table.connect().await?;
        Ok(table)
    }

    /// Connects everybody, anew if need be.
    pub(crate) async fn connect(&mut self) -> Result<(), Fault> {
        self.sockets.clear();
        for client in &self.clients {
            self.sockets.push(client.join(&self.id, None).await?);
        }
        self.level().await
    }

    /// Notes what one seat was told of another one's cards.
    fn note_leaks(&mut self) {
        let seq = self.sockets[0].seq();
        if self.sockets.iter().all(|socket| socket.seq() == seq) {
            let views: Vec<&Value> = self.sockets.iter().map(|socket| &socket.view).collect();
            let leaks = leaks(&views).into_iter();
            let leaks = leaks.map(|leak| format!("{} at {seq}: {leak}", self.id));
            self.wrong.extend(leaks);
        }
    }

    /// One round, from the shuffle to its proof; whether another one follows.
    pub(crate) async fn round(&mut self) -> Result<bool, Fault> {
        let over = |table: &Self| {
            table.sockets[0].view["rounds"]
                .as_array()
                .map_or(0, Vec::len)
        };
        let number = over(self) + 1;
        while over(self) < number {
            match self.next_action()? {
                Some((seat, t, d)) => self.act(seat, t, d).await?,
                None => self.wait().await?,
            }
            self.level().await?;
        }
        self.compare().await?;
        let path = format!("/game/{}.round?ply={number}", self.id);
        let proof = self.clients[number % 4].request("GET", &path, None).await?;
        // The rules play every event of the round again: nothing illegal has got through.
        let kept = Receipt {
            commitment: self.sockets[0].view["shuffle"]["roster"]
                .as_str()
                .map(str::to_owned),
            ..Receipt::default()
        };
        if proof.status != 200 {
            return Err(proof.body.into());
        }
        let verified = convoy_server::verify(&proof.body, &kept);
        let verified =
            verified.inspect_err(|why| self.wrong.push(format!("{}: {why}", self.id)))?;
        // Whoever is away at the shuffle contributes nothing to it.
        let all_came = verified.contributions == 4 || self.is_disturbed;
        if usize::try_from(verified.number)? != number || !all_came {
            return Err(format!("{}: the proof of another round", self.id).into());
        }
        self.report.games += 1;
        Ok(self.sockets[0].view["winner"].is_null())
    }

    /// Brings all four to the same moment.
    async fn level(&mut self) -> Result<(), Fault> {
        let latest = self.sockets.iter().map(Socket::seq).max().unwrap_or(0);
        for socket in &mut self.sockets {
            let told = tokio::time::timeout(LONGEST, socket.until_seq(latest));
            told.await.map_err(|_| "an event never came")??;
        }
        if self.is_disturbed {
            self.note_leaks();
        }
        Ok(())
    }

    /// Waits for what the table does by itself.
    async fn wait(&mut self) -> Result<(), Fault> {
        let next = tokio::time::timeout(LONGEST, self.sockets[0].next());
        next.await.map_err(|_| {
            let view = &self.sockets[0].view;
            format!("{}: nothing happens in {}", self.id, view["stage"])
        })??;
        Ok(())
    }

    /// Who does what now; `None` while there is nothing to do.
    fn next_action(&mut self) -> Result<Option<(usize, &'static str, Value)>, Fault> {
        for seat in 0..4 {
            let view = &self.sockets[seat].view;
            let shuffle = &view["shuffle"];
            let (number, attempt) = (&shuffle["number"], &shuffle["attempt"]);
            // The same bits until they are revealed: a table is played by one thread.
            let bits = format!("{:064x}", seat + 1);
            if may(view, "next") {
                return Ok(Some((seat, "next", Value::Null)));
            }
            if may(view, "commit") {
                let server = shuffle["server"].as_str().unwrap_or_default();
                let hash = convoy_server::commit_hash(server, u8::try_from(seat)?, &bits);
                let d = json!({ "number": number, "attempt": attempt, "hash": hash });
                return Ok(Some((seat, "commit", d)));
            }
            if may(view, "reveal") {
                let d = json!({ "number": number, "attempt": attempt, "bits": bits });
                return Ok(Some((seat, "reveal", d)));
            }
            if may(view, "declare") && below(&mut self.seed, 6) == 0 {
                let offers = view["offers"].as_array().ok_or("no offers")?;
                let offer = &offers[below(&mut self.seed, offers.len())];
                let d = json!({ "cards": offer["cards"] });
                return Ok(Some((seat, "declare", d)));
            }
            if may(view, "pass") {
                return Ok(Some((seat, "pass", Value::Null)));
            }
            if may(view, "bury") {
                let hand = set(&view["hand"])?;
                let mut cards: Vec<_> = hand.iter().collect();
                let mut eight = CardSet::EMPTY;
                for _ in 0..8 {
                    eight.insert(cards.swap_remove(below(&mut self.seed, cards.len())));
                }
                return Ok(Some((seat, "bury", json!({ "cards": eight }))));
            }
            if may(view, "play") {
                let cards = some_play(view, &mut self.seed)?;
                return Ok(Some((seat, "play", json!({ "cards": cards }))));
            }
        }
        Ok(None)
    }

    /// Acts, measures the echo, and sees that it says what was done.
    async fn act(&mut self, seat: usize, t: &'static str, d: Value) -> Result<(), Fault> {
        if matches!(t, "bury" | "play") {
            self.tick.tick().await;
        }
        if t == "play" && !self.is_disturbed && below(&mut self.seed, 16) == 0 {
            self.offend((seat + 1) % 4).await?;
        }
        let begun = Instant::now();
        self.sockets[seat].act(t, d.clone()).await?;
        let event = loop {
            let next = tokio::time::timeout(LONGEST, self.sockets[seat].next());
            let frame = next.await.map_err(|_| format!("{t} has no echo"))??;
            match frame["t"].as_str() {
                Some("refused") => return Err(format!("{}: {t} {d}: {frame}", self.id).into()),
                Some("event") if frame["d"]["by"] == seat => break frame,
                _ => {}
            }
        };
        let is_far = self.clients[seat].address != self.clients[0].address;
        self.report.echo(self.plan, begun, is_far);
        self.done.fetch_add(1, Ordering::Relaxed);
        self.report.declared += usize::from(t == "declare");
        if t == "play" {
            let cards = set(&d["cards"])?;
            self.heard(seat, cards, &event)?;
        }
        Ok(())
    }

    /// Somebody plays who is not to: it must be refused, and nothing may come of it.
    async fn offend(&mut self, seat: usize) -> Result<(), Fault> {
        let socket = &mut self.sockets[seat];
        let (seq, card) = (socket.seq(), &socket.view["hand"][0]);
        if card.is_null() {
            return Ok(());
        }
        let d = json!({ "cards": [card] });
        socket.act("play", d).await?;
        loop {
            let frame = socket.next().await?;
            if frame["t"] == "refused" && frame["d"]["code"] == "not-your-turn" {
                self.report.refused += 1;
                return Ok(());
            }
            if frame["t"] == "refused" || socket.seq() != seq {
                return Err(format!("{}: a play out of turn: {frame}", self.id).into());
            }
        }
    }

    /// The echo of a play: these cards, or those that are left of a throw that failed.
    fn heard(&mut self, seat: usize, cards: CardSet, event: &Value) -> Result<(), Fault> {
        let view = &self.sockets[seat].view;
        let trick = if event["d"]["turn"].is_null() {
            &view["open"]
        } else {
            &event["d"]["turn"]
        };
        let leader = usize::try_from(trick["leader"].as_u64().ok_or("no trick")?)?;
        let told = set(&trick["plays"][(4 + seat - leader) % 4])?;
        let kept = set(&view["hand"])?;
        let failed = leader == seat && !trick["failed"].is_null();
        if told != cards && !(failed && told.iter().all(|card| cards.has(card))) {
            return Err(format!("{}: {cards} came back as {told}", self.id).into());
        }
        if told.iter().any(|card| kept.has(card)) {
            return Err(format!("{}: {told} was played and kept", self.id).into());
        }
        let view = view_of(view)?;
        let judge = view.judge();
        let lead = judge.lead(judge.ranked(cards.faces()));
        let thrown = leader == seat && lead.is_ok_and(|lead| lead.is_throw());
        self.report.thrown += usize::from(thrown);
        Ok(())
    }

    /// What each was told, event by event, is what the server would tell it from the beginning.
    async fn compare(&self) -> Result<(), Fault> {
        for (client, socket) in self.clients.iter().zip(&self.sockets) {
            let kept = client.view(&self.id).await?;
            let fields = [
                "seq", "turns", "hand", "stage", "rounds", "levels", "you", "kitty", "trump",
            ];
            for field in fields {
                if kept[field] != socket.view[field] {
                    return Err(format!("{}: {field} was lost", self.id).into());
                }
            }
        }
        Ok(())
    }
}

fn set(cards: &Value) -> Result<CardSet, Fault> {
    Ok(CardSet::deserialize(cards)?)
}

/// The view of the rules crate, from what the socket told of it.
fn view_of(told: &Value) -> Result<View, Fault> {
    Ok(View::deserialize(told)?)
}

/// Some legal play; a throw where there is one, every other time.
fn some_play(told: &Value, seed: &mut u64) -> Result<CardSet, Fault> {
    let view = view_of(told)?;
    let judge = view.judge();
    let hand = judge.ranked(view.hand.faces());
    let play = if let Some(lead) = view.lead(&judge) {
        let some: Vec<_> = judge.duty(&lead, hand).plays().take(20).collect();
        some[below(seed, some.len())]
    } else {
        let known = view.knowledge(&judge).ok_or("no seat")?;
        let straight = judge.straight_leads(hand).count();
        let leads: Vec<_> = judge.leads(hand, &known).take(straight + 20).collect();
        let throws = leads.len() - straight;
        if throws > 0 && below(seed, 2) == 0 {
            leads[straight + below(seed, throws)]
        } else {
            leads[below(seed, straight)]
        }
    };
    let cards = view.hand.pick(judge.faces(play));
    cards.ok_or_else(|| "the judge names cards that are not held".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_one_other_seat_was_told_of_is_a_leak() {
        let hands = ["3S0", "4S0", "5S0", "6S0"];
        let mut views = hands.map(|card| json!({ "hand": [card], "declarations": [] }));
        assert_eq!(leaks(&views.each_ref()), [""; 0]);
        for view in &mut views {
            view["declarations"] = json!([{ "cards": ["4S0"] }]);
        }
        assert_eq!(leaks(&views.each_ref()), [""; 0], "shown to all");
        views[2]["open"] = json!({ "plays": [["3S0"]] });
        assert_eq!(leaks(&views.each_ref()), ["3S0 of seat 0 was told to some"]);
    }
}
