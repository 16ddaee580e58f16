//! What a viewer is told: the view of the rules crate, and what a page needs to show it without
//! knowing any rule.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use tokio::time::Instant;
use tractor::{
    Card, CardSet, Group, Judge, Kind, Level, PlayedTrick, Round, Stage as RoundStage, Team, View,
};

use super::game::{Finished, Stage, TractorGame, seat_of};
use super::{card_names, picture};
use crate::fields::Fields;
use crate::game::{Export, Presence, Reply, Seat, Views};
use crate::refusal::Refusal;
use crate::seat::Occupant;

impl Views for TractorGame {
    fn state(&self, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
        self::fields(self, viewer, presence, fields);
    }

    fn ask(&self, viewer: Option<Seat>, what: &str, d: &Value) -> Result<Reply, Refusal> {
        self.answer(viewer, what, d)
    }

    fn log_len(&self) -> usize {
        self.log.len()
    }

    fn log(&self) -> Vec<String> {
        self.log.clone()
    }

    fn last_entry(&self) -> Option<Cow<'_, str>> {
        self.log.last().map(Into::into)
    }

    fn clock(&self) -> String {
        let seconds = self.setup.seconds;
        seconds
            .map(|seconds| format!("{seconds} s"))
            .unwrap_or_default()
    }

    fn export(
        &self,
        ending: &str,
        ply: Option<usize>,
        _flip: bool,
        _seats: &[Occupant],
    ) -> Option<Export> {
        let last = self.past.len();
        match ending {
            "svg" => Some(Export {
                content_type: "image/svg+xml",
                text: picture::svg()?,
            }),
            "round" => {
                let finished = self.past.get(ply.unwrap_or(last).checked_sub(1)?)?;
                Some(Export {
                    content_type: "application/json",
                    text: serde_json::to_string_pretty(&finished.file).ok()?,
                })
            }
            "txt" => {
                let records = self.past.iter().map(|finished| finished.record.to_string());
                Some(Export {
                    content_type: "text/plain; charset=utf-8",
                    text: records.collect::<Vec<_>>().join("\n"),
                })
            }
            _ => None,
        }
    }
}

/// Everything that `viewer` may know.
fn fields(table: &TractorGame, viewer: Option<Seat>, presence: &Presence<'_>, fields: &mut Fields) {
    let round = table.shown();
    let view = View::without_tricks(&round, viewer.and_then(seat_of));
    let judge = view.judge();
    of_view(&view, &judge, fields);
    let stage = match &table.stage {
        Stage::Before => Some("waiting"),
        Stage::Shuffling(_) => Some("shuffling"),
        Stage::Round(..) => None,
    };
    if let Some(stage) = stage {
        fields.set("stage", stage);
        fields.set("offers", &[(); 0]);
    }
    fields.set("hands", &hands(&round, &view, &judge));
    fields.set("rules", &HouseRules::of(table));
    fields.set("seconds", &table.setup.seconds);
    fields.set("shuffle", &table.shuffle_field(viewer));
    fields.set("voids", &table.voids_field());
    fields.set("dropped", &table.dropped);
    fields.set("timer", &Timer::of(table, presence.now));
    let rounds: Vec<RoundSummary<'_>> = table.past.iter().map(RoundSummary::of).collect();
    fields.set("rounds", &rounds);
    fields.set("ready", &table.ready);
    fields.set("standIn", &stand_in(table, presence));
    fields.set("winner", &table.winner());
    fields.set("can", &can(table, viewer, &view, presence));
}

/// The fields of a view, and how its hand is laid out. The tricks are the log, and the server has its
/// own words for the viewer and the house rules.
pub(super) fn of_view(view: &View, judge: &Judge, fields: &mut Fields) {
    fields.set("number", &view.number);
    fields.set("levels", &view.levels);
    fields.set("stage", &view.stage);
    fields.set("turn", &view.turn);
    fields.set("starter", &view.starter);
    fields.set("defending", &view.defending);
    fields.set("trump", &view.trump);
    fields.set("dealt", &view.dealt);
    fields.set("declarations", &view.declarations);
    fields.set("passed", &view.passed);
    fields.set("offers", &view.offers);
    fields.set("revealed", &view.revealed);
    fields.set("hand", &view.hand);
    fields.set("held", &view.held);
    fields.set("exposed", &view.exposed);
    fields.set("buriedBy", &view.buried_by);
    fields.set("kitty", &view.kitty);
    fields.set("open", &view.open);
    fields.set("taken", &view.taken);
    fields.set("attackers", &view.attackers);
    fields.set("decided", &view.decided);
    fields.set("bonus", &view.bonus);
    fields.set("result", &view.result);
    let led = view.lead(judge).map(|lead| card_names::led(&lead));
    fields.set("groups", &groups(view, judge, view.hand));
    fields.set("naturals", &Naturals::of(view, judge));
    fields.set("led", &led);
}

/// The cards of one effective suit, from strong to weak.
#[derive(Debug, Serialize)]
pub(super) struct GroupedCards {
    group: Value,
    cards: Vec<Card>,
}

/// Cards by effective suit, trumps first.
pub(super) fn groups(view: &View, judge: &Judge, cards: CardSet) -> Vec<GroupedCards> {
    use tractor::Suit::{Clubs, Diamonds, Hearts, Spades};
    let order = [
        Group::Trump,
        Group::Plain(Spades),
        Group::Plain(Hearts),
        Group::Plain(Clubs),
        Group::Plain(Diamonds),
    ];
    let of = |group: Group| {
        let of_group = cards.iter();
        let of_group = of_group.filter(|card| view.trump.group(card.face()) == group);
        let mut cards: Vec<Card> = of_group.collect();
        cards.sort_by_key(|card| {
            let face = card.face();
            (Reverse((judge.rung(face), judge.slot(face))), card.copy())
        });
        (!cards.is_empty()).then(|| GroupedCards {
            group: card_names::group(group),
            cards,
        })
    };
    order.into_iter().filter_map(of).collect()
}

/// For each card what a tap on it naturally means, the largest first: a tractor, a pair, the card.
/// Only where several cards may be played together, and only on the viewer's turn.
#[derive(Debug, Default)]
struct Naturals(Vec<(Card, Vec<CardSet>)>);

impl Serialize for Naturals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(card, choices)| (card, choices)))
    }
}

impl Naturals {
    fn of(view: &View, judge: &Judge) -> Self {
        let mine = view.stage == RoundStage::Playing && view.turn == view.viewer;
        if !mine || view.viewer.is_none() {
            return Self::default();
        }
        let lead = view.lead(judge);
        let pairs = lead.as_ref().is_none_or(|lead| lead.shape().pairs() > 0);
        let tractors = Self::tractors(view, judge);
        let choices = |card: Card| {
            let twin = Card::new(card.face(), card.copy() == 0);
            if !pairs || !view.hand.has(twin) {
                return None;
            }
            let runs = tractors.iter().filter(|run| run.has(card));
            let longest = runs.max_by_key(|run| run.len()).copied();
            let pair = [card, twin].into_iter().collect();
            Some((card, longest.into_iter().chain([pair]).collect()))
        };
        Self(view.hand.iter().filter_map(choices).collect())
    }

    /// The tractors in the hand that could be played now.
    fn tractors(view: &View, judge: &Judge) -> Vec<CardSet> {
        let hand = judge.ranked(view.hand.faces());
        let wanted = view.lead(judge).map(|lead| *lead.shape());
        let runs = judge.tractors(hand).filter(|run| match wanted {
            None => true,
            Some(shape) => match shape.kind() {
                Some(Kind::Tractor { .. }) => run.len() == shape.len(),
                Some(_) => false,
                None => shape.tractors() > 0 && run.len() <= 2 * shape.longest(),
            },
        });
        runs.filter_map(|run| view.hand.pick(judge.faces(run)))
            .collect()
    }
}

/// Everybody's cards, once the round is over: as they were after the burying.
fn hands(round: &Round, view: &View, judge: &Judge) -> Option<[Vec<GroupedCards>; 4]> {
    if view.stage != RoundStage::Over {
        return None;
    }
    let hand = |seat: tractor::Seat| {
        let played = round
            .tricks()
            .iter()
            .map(|trick| trick.plays[(4 + seat.index() - trick.leader.index()) % 4]);
        let all: CardSet = played
            .chain([round.hand(seat)])
            .flat_map(CardSet::iter)
            .collect();
        groups(view, judge, all)
    };
    Some(tractor::Seat::ALL.map(hand))
}

/// A finished trick, as everybody saw it.
pub(super) fn trick(trick: &PlayedTrick, round: &Round) -> Value {
    let stopper = round.setup().rules.announce_stopper;
    let failed = trick
        .failed
        .map(|failed| json!({ "cards": failed.cards, "by": Some(failed.by).filter(|_| stopper) }));
    json!({
        "leader": trick.leader,
        "plays": trick.plays,
        "ahead": trick.ahead,
        "winner": trick.winner(),
        "points": trick.points(),
        "failed": failed,
    })
}

#[derive(Serialize)]
struct HouseRules<'a> {
    preset: &'a str,
    switches: &'a std::collections::BTreeMap<String, String>,
}

impl<'a> HouseRules<'a> {
    fn of(table: &'a TractorGame) -> Self {
        Self {
            preset: &table.setup.preset,
            switches: &table.setup.rules,
        }
    }
}

/// What the table waits for, how long at most, and how long still, in milliseconds.
#[derive(Serialize)]
struct Timer {
    r#for: &'static str,
    total: u128,
    left: u128,
}

impl Timer {
    fn of(table: &TractorGame, now: Instant) -> Option<Self> {
        let ((wait, total), (_, due)) = (table.waits()?, table.due()?);
        Some(Self {
            r#for: wait.as_str(),
            total: total.as_millis(),
            left: due.saturating_duration_since(now).as_millis(),
        })
    }
}

/// A round that is over, in short.
#[derive(Serialize)]
struct RoundSummary<'a> {
    number: u32,
    levels: [Level; 2],
    defending: Team,
    winner: Team,
    points: i32,
    rise: u8,
    next: Option<[Level; 2]>,
    attempt: Option<usize>,
    record: Option<&'a str>,
}

impl<'a> RoundSummary<'a> {
    fn of(finished: &'a Finished) -> Self {
        let (result, setup) = (finished.result, finished.record.setup);
        Self {
            number: setup.number,
            levels: setup.start.levels,
            defending: finished.defending,
            winner: result.winner,
            points: result.points,
            rise: result.rise,
            next: result.next.map(|next| next.levels),
            attempt: finished.file.attempts(),
            record: finished.file.record_hash(),
        }
    }
}

/// The seats for which a bot plays while their owner is gone.
fn stand_in(table: &TractorGame, presence: &Presence<'_>) -> Vec<bool> {
    let patience = table.patience();
    let gone = |away: &Option<std::time::Duration>| away.is_some_and(|away| away >= patience);
    presence.away.iter().map(gone).collect()
}

/// What a viewer may do now.
fn can(
    table: &TractorGame,
    viewer: Option<Seat>,
    view: &View,
    presence: &Presence<'_>,
) -> Vec<&'static str> {
    let Some((index, seat)) = viewer.and_then(|seat| Some((usize::from(seat), seat_of(seat)?)))
    else {
        return Vec::new();
    };
    if presence.seats.iter().any(Occupant::is_open) {
        return vec!["fill"];
    }
    let round = match &table.stage {
        Stage::Shuffling(_) if table.may_commit(index) => return vec!["commit"],
        Stage::Shuffling(_) if table.may_reveal(index) => return vec!["reveal"],
        Stage::Before | Stage::Shuffling(_) => return Vec::new(),
        Stage::Round(_, round) => round,
    };
    let mine = view.turn == Some(seat);
    let all = [
        ("declare", !view.offers.is_empty()),
        ("pass", round.may_pass(seat)),
        ("bury", mine && view.stage == RoundStage::Burying),
        ("play", mine && view.stage == RoundStage::Playing),
        ("hint", mine),
        ("retract", round.may_retract(seat)),
        ("takeback", round.may_take_back(seat)),
        ("endearly", round.may_end_early()),
        (
            "next",
            table.is_round_over() && table.winner().is_none() && !table.ready[index],
        ),
        ("rematch", table.winner().is_some() && !table.ready[index]),
    ];
    let may = all.into_iter().filter(|(_, may)| *may);
    may.map(|(what, _)| what).collect()
}
