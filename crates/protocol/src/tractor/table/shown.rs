//! What a viewer is shown: the view of the rules, and how its cards are laid out.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tractor::{Card, CardSet, Group, Judge, Kind, PlayedTrick, Round, Stage as RoundStage, View};

use super::names;

/// Where named values go.
///
/// ```
/// use convoy_protocol::tractor::table::FieldWriter;
/// let mut fields = serde_json::Map::new();
/// FieldWriter::set(&mut fields, "turn", &2);
/// assert_eq!(fields["turn"], 2);
/// ```
pub trait FieldWriter {
    /// Sets a field to plain data.
    fn set(&mut self, name: &'static str, value: &(impl Serialize + ?Sized));
}

impl FieldWriter for Map<String, Value> {
    fn set(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) {
        let value = serde_json::to_value(value).expect("a field is plain data");
        self.insert(name.to_owned(), value);
    }
}

/// Sets the fields of a view, and how its hand is laid out. The finished tricks are the log of a table, and tables have
/// their own words for the viewer and the house rules.
///
/// ```
/// use convoy_protocol::tractor::table::set_view_fields;
/// use tractor::{Deck, Round, Rules, Seed, Setup, View};
/// let round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// let (view, mut fields) = (View::of(&round, None), serde_json::Map::new());
/// set_view_fields(&view, &view.judge(), &mut fields);
/// assert_eq!(fields["stage"], "dealing");
/// ```
pub fn set_view_fields(view: &View, judge: &Judge, fields: &mut impl FieldWriter) {
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
    let led = view.lead(judge).map(|lead| names::led(&lead));
    fields.set("groups", &groups(view, judge, view.hand));
    fields.set("naturals", &Naturals::of(view, judge));
    fields.set("led", &led);
}

/// The cards of one effective suit, from strong to weak.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupedCards {
    #[cfg_attr(feature = "schema", schemars(with = "crate::tractor::GroupName"))]
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
            group: names::group(group),
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

/// Everybody's cards by effective suit, once the round is over: as they were after the burying.
///
/// ```
/// use convoy_protocol::tractor::table::hands;
/// use tractor::{Deck, Round, Rules, Seed, Setup, View};
/// let round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// let view = View::of(&round, None);
/// assert!(hands(&round, &view, &view.judge()).is_none());
/// ```
pub fn hands(round: &Round, view: &View, judge: &Judge) -> Option<[Vec<GroupedCards>; 4]> {
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
///
/// ```
/// use convoy_protocol::tractor::table::trick;
/// use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// let seat = round.turn().expect("somebody buries");
/// round.apply(Event::Bury { seat, cards: round.hand(seat).iter().take(8).collect() })?;
/// while round.tricks().is_empty() {
///     let plays = View::of(&round, round.turn()).legal_plays(1)?.plays;
///     let seat = round.turn().expect("somebody plays");
///     round.apply(Event::Play { seat, cards: plays[0] })?;
/// }
/// assert_eq!(trick(&round.tricks()[0], &round)["leader"], seat.index());
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn trick(trick: &PlayedTrick, round: &Round) -> Value {
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

/// What the viewer of a round may do now.
///
/// ```
/// use convoy_protocol::tractor::table::actions;
/// use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// assert_eq!(actions(&round, &View::of(&round, round.turn())), ["bury", "hint"]);
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn actions(round: &Round, view: &View) -> Vec<&'static str> {
    let Some(seat) = view.viewer else {
        return Vec::new();
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
    ];
    let may = all.into_iter().filter(|(_, may)| *may);
    may.map(|(what, _)| what).collect()
}
