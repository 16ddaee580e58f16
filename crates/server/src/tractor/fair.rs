//! The proof of a finished round: what anybody needs to check its shuffle, and the check itself.

use std::fmt;

use serde::{Deserialize, Serialize};
use tractor::{Card, Deal, Deck, Phase, Record, Round, RoundResult, Seat};

use super::shuffle::{Shuffle, unhex};
use crate::asset::hex;

/// The first field of every proof.
const FORMAT: &str = "convoy-tractor-round-1";

/// A finished round with everything from which its cards were dealt.
///
/// A table gives it as JSON once the round is over; `docs/fairness.md` says how each field is
/// made. [`verify`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The kind and version of the file.
    pub format: String,
    /// The number of the round, from 1.
    pub number: u32,
    /// SHA-256 of secret and salt: what was shown before the deal.
    pub commitment: String,
    /// The server's secret, 32 bytes.
    pub secret: String,
    /// The server's salt, 16 bytes.
    pub salt: String,
    /// What the browser of each seat added, 16 bytes each; none for bots.
    pub contributions: [Option<String>; 4],
    /// The seed of the deal.
    pub seed: String,
    /// All cards in the order of the deal; the last eight are the kitty.
    pub deck: Vec<String>,
    /// What each seat was dealt.
    pub hands: [Vec<String>; 4],
    /// The round in the notation of the rules: house rules, levels and every event.
    pub record: String,
    /// What came of it.
    pub result: Outcome,
}

/// What came of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The team that won it, `A` or `B`.
    pub winner: String,
    /// The attackers' points.
    pub points: i32,
    /// How many levels the winner rises.
    pub rise: u8,
}

impl From<RoundResult> for Outcome {
    fn from(result: RoundResult) -> Self {
        Self {
            winner: result.winner.to_string(),
            points: result.points,
            rise: result.rise,
        }
    }
}

/// Why a round is not what it claims to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyError {
    /// The file is no proof of a round.
    Unreadable(String),
    /// A value is not the hexadecimal digits it should be.
    Digits(&'static str),
    /// The hash shown before the deal is not that of secret and salt.
    Commitment,
    /// The seed does not follow from secret, salt and contributions.
    Seed,
    /// The deck is not the one that the seed deals; the first place that differs.
    Deck(usize),
    /// The cards of a seat are not those that the deck deals it.
    Hand(usize),
    /// The record is not of this deal or not of this round.
    Record,
    /// An event of the record is against the rules.
    Event {
        /// Which, from 1.
        number: usize,
        /// Why.
        why: String,
    },
    /// The record stops before the round is over.
    Unfinished,
    /// The result does not follow from the record.
    Result,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "not the file of a round: {why}"),
            Self::Digits(field) => write!(f, "{field} is not made of the right number of digits"),
            Self::Commitment => {
                f.write_str("the commitment is not the hash of the secret and the salt")
            }
            Self::Seed => {
                f.write_str("the seed does not follow from secret, salt and contributions")
            }
            Self::Deck(place) => {
                write!(
                    f,
                    "card {} of the deck is not what the seed deals",
                    place + 1
                )
            }
            Self::Hand(seat) => write!(f, "seat {seat} was not dealt the cards listed"),
            Self::Record => f.write_str("the record is not that of this round and seed"),
            Self::Event { number, why } => write!(f, "event {number} of the record: {why}"),
            Self::Unfinished => f.write_str("the record stops before the round is over"),
            Self::Result => f.write_str("the result does not follow from the record"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// What each seat was dealt, in the order of the deal.
fn dealt(deck: &Deck, first: Seat) -> [Vec<String>; 4] {
    let mut hands: [Vec<String>; 4] = Default::default();
    for (place, card) in deck.cards()[..100].iter().enumerate() {
        hands[first.after(place).index()].push(card.to_string());
    }
    hands
}

impl Proof {
    /// The proof of a round that is over.
    pub(super) fn of(shuffle: &Shuffle, record: &Record, round: &Round) -> Option<Self> {
        let Phase::Over(over) = round.phase() else {
            return None;
        };
        let number = round.setup().number;
        Some(Self {
            format: FORMAT.to_owned(),
            number,
            commitment: hex(&shuffle.commitment()),
            secret: hex(&shuffle.secret),
            salt: hex(&shuffle.salt),
            contributions: shuffle.texts(),
            seed: shuffle.seed(number).to_hex(),
            deck: round.deck().cards().iter().map(Card::to_string).collect(),
            hands: dealt(round.deck(), round.first_dealt()),
            record: record.to_string(),
            result: over.result.into(),
        })
    }

    /// Checks every claim against the others.
    fn check(&self) -> Result<(), VerifyError> {
        if self.format != FORMAT {
            return Err(VerifyError::Unreadable(format!(
                "the format is not {FORMAT}"
            )));
        }
        let mut shuffle = Shuffle {
            secret: unhex(&self.secret).ok_or(VerifyError::Digits("secret"))?,
            salt: unhex(&self.salt).ok_or(VerifyError::Digits("salt"))?,
            contributions: [None; 4],
        };
        for (place, text) in shuffle.contributions.iter_mut().zip(&self.contributions) {
            let read = |text: &String| unhex(text).ok_or(VerifyError::Digits("a contribution"));
            *place = text.as_ref().map(read).transpose()?;
        }
        if hex(&shuffle.commitment()) != self.commitment {
            return Err(VerifyError::Commitment);
        }
        let seed = shuffle.seed(self.number);
        if seed.to_hex() != self.seed {
            return Err(VerifyError::Seed);
        }
        let deck = Deck::of(&seed, self.number);
        let texts: Vec<String> = deck.cards().iter().map(Card::to_string).collect();
        if texts != self.deck {
            let same = texts.iter().zip(&self.deck).take_while(|(a, b)| a == b);
            return Err(VerifyError::Deck(same.count()));
        }
        let record: Record = self.record.parse().map_err(|_| VerifyError::Record)?;
        if record.deal != Deal::Seed(seed) || record.setup.number != self.number {
            return Err(VerifyError::Record);
        }
        let event = |(at, why): (usize, tractor::Illegal)| VerifyError::Event {
            number: at + 1,
            why: why.to_string(),
        };
        let round = record.round().map_err(event)?;
        let hands = dealt(&deck, round.first_dealt());
        if let Some(seat) = (0..4).find(|&seat| hands[seat] != self.hands[seat]) {
            return Err(VerifyError::Hand(seat));
        }
        let Phase::Over(over) = round.phase() else {
            return Err(VerifyError::Unfinished);
        };
        if self.result != Outcome::from(over.result) {
            return Err(VerifyError::Result);
        }
        Ok(())
    }
}

/// Checks the proof of a finished round, given as JSON: that the server was bound to its secret,
/// that the deal follows from it and from what the browsers added, and that the round was played
/// by the rules to the result it names.
///
/// ```
/// use convoy_server::{VerifyError, verify};
///
/// assert!(matches!(verify("{}"), Err(VerifyError::Unreadable(_))));
/// ```
pub fn verify(json: &str) -> Result<Proof, VerifyError> {
    let proof: Proof =
        serde_json::from_str(json).map_err(|why| VerifyError::Unreadable(why.to_string()))?;
    proof.check()?;
    Ok(proof)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tractor::{Event, Rules, Setup, View};

    use super::*;
    use crate::tractor::engine;

    fn proof() -> Proof {
        let mut shuffle = Shuffle::read(&"5a".repeat(32), &"11".repeat(16)).unwrap();
        shuffle.contribute(0, &"22".repeat(16)).unwrap();
        let seed = shuffle.seed(1);
        let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&seed, 1));
        round.apply(Event::Deal { count: 100 }).unwrap();
        round.apply(Event::Close).unwrap();
        while let Some(seat) = round.turn() {
            let view = View::of(&round, Some(seat));
            round.apply(engine::quick(&view).unwrap()).unwrap();
        }
        let record = Record {
            deal: Deal::Seed(seed),
            ..Record::of(&round)
        };
        Proof::of(&shuffle, &record, &round).unwrap()
    }

    #[test]
    fn a_round_proves_itself() {
        let proof = proof();
        let json = serde_json::to_string(&proof).unwrap();
        assert_eq!(verify(&json), Ok(proof));
    }

    /// Every digit, card and number of the proof, changed one at a time.
    #[test]
    fn nothing_can_be_altered() {
        let proof = proof();
        let json = serde_json::to_value(&proof).unwrap();
        let refused = |value: &Value| verify(&value.to_string()).is_err();
        for field in ["commitment", "secret", "salt", "seed"] {
            let text = json[field].as_str().unwrap();
            for at in 0..text.len() {
                let digit = if &text[at..=at] == "0" { "1" } else { "0" };
                let mut changed = json.clone();
                changed[field] = Value::from(format!("{}{digit}{}", &text[..at], &text[at + 1..]));
                assert!(refused(&changed), "{field} {at}");
            }
        }
        for at in 0..108 {
            let mut changed = json.clone();
            let other = (at + 1) % 108;
            changed["deck"][at] = json["deck"][other].clone();
            assert!(refused(&changed));
            changed["deck"][other] = json["deck"][at].clone();
            assert!(refused(&changed));
        }
        for seat in 0..4 {
            for at in 0..25 {
                let mut changed = json.clone();
                changed["hands"][seat][at] = json["hands"][(seat + 1) % 4][at].clone();
                assert!(refused(&changed));
            }
        }
        for change in [
            ("number", Value::from(2)),
            ("contributions", Value::from(vec![Value::Null; 4])),
        ] {
            let mut changed = json.clone();
            changed[change.0] = change.1;
            assert!(refused(&changed), "{}", change.0);
        }
        for field in ["winner", "points", "rise"] {
            let mut changed = json.clone();
            changed["result"][field] = match field {
                "winner" => Value::from(if json["result"]["winner"] == "A" {
                    "B"
                } else {
                    "A"
                }),
                _ => Value::from(json["result"][field].as_i64().unwrap() + 1),
            };
            assert!(refused(&changed), "{field}");
        }
    }

    /// Every card that was buried or played, exchanged for another of the same seat.
    #[test]
    fn no_event_can_be_altered() {
        let proof = proof();
        let lines: Vec<&str> = proof.record.lines().collect();
        let mut seen = 0;
        for (at, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            if !matches!(words[0], "bury" | "play") {
                continue;
            }
            for place in 2..words.len() {
                let card = words[place];
                let swapped = if card == "AS0" { "AS1" } else { "AS0" };
                if words.contains(&swapped) {
                    continue;
                }
                let mut changed = words.clone();
                changed[place] = swapped;
                let changed = changed.join(" ");
                let mut text: Vec<&str> = lines.clone();
                text[at] = &changed;
                let altered = Proof {
                    record: text.join("\n") + "\n",
                    ..proof.clone()
                };
                assert!(altered.check().is_err(), "{line}");
                seen += 1;
            }
        }
        assert!(seen > 90, "{seen}");
    }
}
