//! What cards are: combo, identify, cmp, memory.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize, Serializer};
use tractor::{Card, CardSet, Group, Judge, Kind, Memory, Suit};

use super::cards::{Named, Notation, RulesText, TrumpText, hand, judge, seat};

use super::{Answer, Fault, write};

#[derive(Debug, Deserialize)]
pub(super) struct ComboRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    cards: Vec<Named>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ComboAnswer {
    r#type: &'static str,
    lead_multi: bool,
    structure: Structure,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Structure {
    len: usize,
    pairs: usize,
    tractors: usize,
    tractor_sizes: Vec<u8>,
    tractor_pairs: usize,
    trump: bool,
    combos: Vec<(char, Vec<String>)>,
}

/// The word for a straight play.
pub(super) fn type_word(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Single) => "Single",
        Some(Kind::Pair) => "Pair",
        Some(Kind::Tractor { .. }) => "Tractor",
        None => "Invalid",
    }
}

/// The canonical components of cards, each with its letter.
pub(super) fn components(
    judge: &Judge,
    notation: &Notation,
    cards: CardSet,
) -> Vec<(char, Vec<String>)> {
    let mut left = cards;
    judge
        .components(hand(judge, cards))
        .map(|combo| {
            let faces = judge.faces(combo.cards);
            (combo.kind.letter(), notation.show_part(&mut left, faces))
        })
        .collect()
}

pub(super) fn combo(request: &ComboRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let cards = notation.set(&request.cards)?;
    let laid = hand(&judge, cards);
    let shapes: Vec<_> = Group::ALL
        .into_iter()
        .filter_map(|group| judge.shape(judge.of_group(laid, group)))
        .collect();
    let mut sizes: Vec<u8> = shapes
        .iter()
        .flat_map(|shape| shape.tractor_sizes().iter().copied())
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    write(&ComboAnswer {
        r#type: type_word(judge.shape(laid).and_then(|shape| shape.kind())),
        lead_multi: judge.detect(laid, None).is_some(),
        structure: Structure {
            len: laid.len(),
            pairs: laid.pairs(),
            tractors: sizes.len(),
            tractor_pairs: sizes.iter().map(|&size| usize::from(size)).sum(),
            tractor_sizes: sizes,
            trump: judge.group(laid) == Some(Group::Trump),
            combos: components(&judge, &notation, cards),
        },
    })
}

#[derive(Debug, Deserialize)]
pub(super) struct IdentifyRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    hand: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct IdentifyAnswer {
    combos: Vec<(char, Vec<String>, u32, u8)>,
}

/// Every single, pair and tractor of a hand; a single that is half of a pair is marked.
pub(super) fn identify(request: &IdentifyRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let cards = notation.set(&request.hand)?;
    let laid = hand(&judge, cards);
    let value = |card: Card| judge.value(card.face());
    let mut combos: Vec<_> = cards
        .iter()
        .map(|card| {
            let broken = cards.faces().count(card.face()) == 2;
            (
                'S',
                vec![notation.show(card)],
                value(card),
                u8::from(broken),
            )
        })
        .collect();
    for (kind, part) in judge.combos(laid).filter(|(kind, _)| *kind != Kind::Single) {
        let part = cards.pick(judge.faces(part)).unwrap_or_default();
        let mut texts = notation.show_all(part);
        texts.sort();
        let top = part.iter().map(value).max().unwrap_or(0);
        combos.push((kind.letter(), texts, top, 0));
    }
    combos.sort();
    write(&IdentifyAnswer { combos })
}

#[derive(Debug, Deserialize)]
pub(super) struct CompareRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    cmps: Vec<(Named, Named)>,
}

/// -1, 0, 1, or `"x"` for two plain suits.
#[derive(Debug, Clone, Copy)]
struct Sign(Option<Ordering>);

impl Serialize for Sign {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(order) => serializer.serialize_i8(order as i8),
            None => serializer.serialize_str("x"),
        }
    }
}

#[derive(Debug, Serialize)]
struct CompareAnswer {
    cmps: Vec<(String, String, Sign)>,
}

pub(super) fn compare(request: &CompareRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let mut cmps = Vec::with_capacity(request.cmps.len());
    for &(a, b) in &request.cmps {
        let [a, b] = [notation.list(&[a])?[0], notation.list(&[b])?[0]];
        let sign = Sign(judge.compare(a.face(), b.face()));
        cmps.push((notation.show(a), notation.show(b), sign));
    }
    write(&CompareAnswer { cmps })
}

/// A trick as a list of seats and their cards.
pub(super) type PlaysText = Vec<(usize, Vec<Named>)>;

#[derive(Debug, Deserialize)]
pub(super) struct MemoryRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    tricks: Vec<PlaysText>,
    #[serde(default)]
    current: Option<PlaysText>,
}

#[derive(Debug, Serialize)]
struct MemoryAnswer {
    out: Counters,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Counters {
    played_count: usize,
    trump_cards_played: usize,
    point_cards_played: usize,
    lead_trump_pairs_played: usize,
    seats: Vec<SeatCounters>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SeatCounters {
    suit_voids: String,
    trump_void: bool,
    trump_used: u8,
}

pub(super) fn memory(request: &MemoryRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let mut memory = Memory::default();
    let mut gone = CardSet::EMPTY.faces();
    for plays in request.tricks.iter().chain(&request.current) {
        let mut lead = None;
        for (by, cards) in plays {
            let (by, cards) = (seat(*by)?, notation.set(cards)?);
            gone = gone.plus(cards.faces()).ok_or_else(|| {
                Fault::new("cards", "a card is played more often than it is there")
            })?;
            let play = hand(&judge, cards);
            match &lead {
                None => {
                    let first = judge
                        .lead(play)
                        .map_err(|refusal| Fault::new("cards", refusal.to_string()))?;
                    memory.note_lead(&judge, &first, by);
                    lead = Some(first);
                }
                Some(lead) => memory.note_follow(&judge, lead, by, play),
            }
        }
    }
    let seats = tractor::Seat::ALL.map(|seat| {
        let shown = memory.shown(seat);
        let void = |suit: &Suit| shown.is_void(Group::Plain(*suit));
        SeatCounters {
            suit_voids: Suit::ALL
                .iter()
                .filter(|suit| void(suit))
                .map(|suit| suit.letter())
                .collect(),
            trump_void: shown.is_void(Group::Trump),
            trump_used: shown.trumps,
        }
    });
    write(&MemoryAnswer {
        out: Counters {
            played_count: memory.played().len(),
            trump_cards_played: memory.trumps_played(&judge),
            point_cards_played: memory.point_cards_played(&judge),
            lead_trump_pairs_played: memory.trump_pairs_led(),
            seats: seats.into(),
        },
    })
}
