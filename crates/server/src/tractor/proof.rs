//! The file of a finished round: what anybody needs to check its shuffle, and the check itself.

mod fault;

use serde::{Deserialize, Serialize};
use tractor::{Card, Deal, Deck, Phase, Record, Round, RoundResult, Seat, Seed};

use super::old_proof::{self, OldProof};
use super::shuffle::{Attempt, AttemptContext, Draw, RosterSeat, hex_of, record_hash, unhex};
use crate::asset::hex;
use crate::id::TableId;

pub use fault::VerifyError;

/// The first field of every file.
const FORMAT: &str = "convoy-tractor-round-2";

/// A finished round with everything from which its cards were dealt.
///
/// A table gives it as JSON once the round is over; `docs/fairness.md` says how each field is
/// made. [`verify`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    pub(super) format: String,
    pub(super) table: String,
    pub(super) number: u32,
    /// All attempts to shuffle; the cards come from the last, the others were voided.
    pub(super) attempts: Vec<AttemptEntry>,
    pub(super) seed: String,
    pub(super) deck: Vec<String>,
    pub(super) hands: [Vec<String>; 4],
    /// The round in the notation of the rules: house rules, levels and every event, those that were
    /// taken back too.
    pub(super) record: String,
    pub(super) record_hash: String,
    pub(super) result: Outcome,
}

/// One attempt to shuffle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttemptEntry {
    pub(super) attempt: u32,
    pub(super) server: String,
    pub(super) roster: String,
    pub(super) secret: String,
    pub(super) salt: String,
    pub(super) seats: [SeatEntry; 4],
}

/// What a seat added to an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatEntry {
    pub(super) kind: SeatKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// None for a person who did not reveal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bits: Option<String>,
}

/// What a seat was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SeatKind {
    Absent,
    Bot,
    Person,
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

/// What somebody at the table kept, to compare a file with. What is not kept is not compared.
///
/// A file alone proves that it is consistent. That the server did not make all of it up afterwards
/// follows only from what somebody kept since before the deal.
///
/// ```
/// use convoy_server::{Receipt, VerifyError, verify};
///
/// let file = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format_1.round.json"));
/// let mut receipt = Receipt::default();
/// assert!(verify(file, &receipt).is_ok());
/// receipt.mine = Some((3, "00".repeat(16)));
/// assert_eq!(verify(file, &receipt), Err(VerifyError::Mine(3)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Receipt {
    /// The hash of the roster as it was shown before the deal; in format 1, the server's commitment.
    pub commitment: Option<String>,
    /// A seat, and the bits that it added.
    pub mine: Option<(u8, String)>,
    /// The hash of the record as it was shown when the round was over.
    pub record: Option<String>,
}

/// What a file promises when it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promise {
    /// Format 1: the server was bound to its secret, but saw what the browsers added before it
    /// dealt. A server that ran a seat of its own could choose among many deals.
    ServerCommitment,
    /// Format 2: everyone committed before anyone revealed.
    CommitReveal,
}

/// What a file shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// What that means.
    pub promise: Promise,
    /// The table, which format 1 does not name.
    pub table: Option<String>,
    /// The number of the round, from 1.
    pub number: u32,
    /// How many seats added to the shuffle.
    pub contributions: usize,
    /// How many attempts were voided before.
    pub voided: usize,
    /// What came of the round.
    pub result: Outcome,
}

/// The cards of a deck as texts.
pub(super) fn cards(deck: &Deck) -> Vec<String> {
    deck.cards().iter().map(Card::to_string).collect()
}

/// What each seat was dealt, in the order of the deal.
pub(super) fn dealt(deck: &Deck, first: Seat) -> [Vec<String>; 4] {
    let mut hands: [Vec<String>; 4] = Default::default();
    for (place, card) in deck.cards()[..100].iter().enumerate() {
        hands[first.after(place).index()].push(card.to_string());
    }
    hands
}

/// Checks the deal of a seed, and plays the record by the rules to its result.
pub(super) fn check_round(
    seed: &Seed,
    record: &Record,
    deck: &[String],
    hands: &[Vec<String>; 4],
    result: &Outcome,
) -> Result<(), VerifyError> {
    let fair = Deck::of(seed, record.setup.number);
    let texts = cards(&fair);
    if texts != deck {
        let same = texts.iter().zip(deck).take_while(|(a, b)| a == b);
        return Err(VerifyError::Deck(same.count()));
    }
    let start = record.setup.start;
    let usual = start.defending == start.starter.team() && record.setup.trump.is_none();
    if record.deal != Deal::Seed(*seed) || !usual {
        return Err(VerifyError::Record);
    }
    let event = |(at, reason): (usize, tractor::RoundError)| VerifyError::Event {
        number: at + 1,
        reason: reason.to_string(),
    };
    let round = record.round().map_err(event)?;
    let fair = dealt(&fair, round.first_dealt());
    if let Some(seat) = (0..4).find(|&seat| fair[seat] != hands[seat]) {
        return Err(VerifyError::Hand(seat));
    }
    let Phase::Over(over) = round.phase() else {
        return Err(VerifyError::Unfinished);
    };
    if *result != Outcome::from(over.result) {
        return Err(VerifyError::Result);
    }
    Ok(())
}

impl AttemptEntry {
    fn of(attempt: &Attempt) -> Option<Self> {
        let roster = attempt.roster?;
        let seat = |at: usize| SeatEntry {
            kind: match roster.seats[at] {
                RosterSeat::Absent => SeatKind::Absent,
                RosterSeat::Bot => SeatKind::Bot,
                RosterSeat::Person(_) => SeatKind::Person,
            },
            hash: hex_of(roster.seats[at].hash()),
            bits: hex_of(attempt.bits[at]),
        };
        Some(Self {
            attempt: attempt.number,
            server: hex(&attempt.server),
            roster: hex(&roster.hash),
            secret: hex(&attempt.draw.secret),
            salt: hex(&attempt.draw.salt),
            seats: std::array::from_fn(seat),
        })
    }

    /// The attempt, made anew from what was committed and revealed.
    fn rebuild(&self, context: &AttemptContext<'_>) -> Result<Attempt, VerifyError> {
        let place = context.attempt as usize;
        if self.attempt != context.attempt {
            return Err(VerifyError::Attempts);
        }
        let draw = Draw {
            secret: unhex(&self.secret).ok_or(VerifyError::Digits("secret"))?,
            salt: unhex(&self.salt).ok_or(VerifyError::Digits("salt"))?,
        };
        let mut attempt = Attempt::new(context, draw);
        if hex(&attempt.server) != self.server {
            return Err(VerifyError::Server(place));
        }
        for (seat, entry) in (0..).zip(&self.seats) {
            match (entry.kind, &entry.hash) {
                (SeatKind::Person, Some(hash)) => {
                    let hash = unhex(hash).ok_or(VerifyError::Digits("a hash"))?;
                    attempt.commit(seat, hash);
                }
                (SeatKind::Absent | SeatKind::Bot, None) if entry.bits.is_none() => {}
                _ => return Err(VerifyError::Roster(place)),
            }
        }
        let bots = self.seats.each_ref().map(|seat| seat.kind == SeatKind::Bot);
        attempt.fix_roster(bots);
        if hex_of(attempt.roster.map(|roster| roster.hash)).as_ref() != Some(&self.roster) {
            return Err(VerifyError::Roster(place));
        }
        for (seat, entry) in (0..).zip(&self.seats) {
            if let Some(text) = &entry.bits {
                let revealed = unhex(text).ok_or(VerifyError::Digits("bits"))?;
                let held = attempt.reveal(seat, revealed);
                held.ok_or(VerifyError::Reveal(place))?;
            }
        }
        Ok(attempt)
    }
}

impl Proof {
    /// The file of a round that is over.
    pub(super) fn of(
        table: &TableId,
        attempts: &[Attempt],
        record: &Record,
        round: &Round,
    ) -> Option<Self> {
        let Phase::Over(over) = round.phase() else {
            return None;
        };
        let last = attempts.last()?;
        let text = record.to_string();
        Some(Self {
            format: FORMAT.to_owned(),
            table: table.to_string(),
            number: round.setup().number,
            attempts: attempts
                .iter()
                .map(AttemptEntry::of)
                .collect::<Option<_>>()?,
            seed: last.seed()?.to_hex(),
            deck: cards(round.deck()),
            hands: dealt(round.deck(), round.first_dealt()),
            record_hash: hex(&record_hash(&last.roster?.hash, &text)),
            record: text,
            result: over.result.into(),
        })
    }

    /// Checks every claim against the others, and against what somebody kept.
    pub(super) fn check(&self, receipt: &Receipt) -> Result<Verified, VerifyError> {
        if self.table.parse::<TableId>().is_err() {
            return Err(VerifyError::Unreadable("the table has no name".to_owned()));
        }
        let record: Record = self.record.parse().map_err(|_| VerifyError::Record)?;
        if record.setup.number != self.number || record.to_string() != self.record {
            return Err(VerifyError::Record);
        }
        let dealt = self.check_attempts(&record)?;
        let seed = dealt.seed().ok_or(VerifyError::Seed)?;
        if seed.to_hex() != self.seed {
            return Err(VerifyError::Seed);
        }
        check_round(&seed, &record, &self.deck, &self.hands, &self.result)?;
        let roster = dealt.roster.ok_or(VerifyError::Seed)?;
        if hex(&record_hash(&roster.hash, &self.record)) != self.record_hash {
            return Err(VerifyError::RecordHash);
        }
        self.check_receipt(receipt)?;
        Ok(Verified {
            promise: Promise::CommitReveal,
            table: Some(self.table.clone()),
            number: self.number,
            contributions: dealt.bits.iter().flatten().count(),
            voided: self.attempts.len() - 1,
            result: self.result.clone(),
        })
    }

    /// Checks all attempts; the last is the one that was dealt.
    fn check_attempts(&self, record: &Record) -> Result<Attempt, VerifyError> {
        let mut dropped = [false; 4];
        let mut last = None;
        for (attempt, entry) in (1..).zip(&self.attempts) {
            // An attempt before this one was voided, so somebody must have failed to reveal.
            if last.is_some_and(|earlier: Attempt| earlier.missing() == [false; 4]) {
                return Err(VerifyError::Attempts);
            }
            let context = AttemptContext {
                table: &self.table,
                setup: &record.setup,
                attempt,
            };
            let rebuilt = entry.rebuild(&context)?;
            let again =
                |seat: &usize| dropped[*seat] && entry.seats[*seat].kind != SeatKind::Absent;
            if let Some(seat) = (0..4).find(again) {
                return Err(VerifyError::Dropped(seat));
            }
            for (dropped, missing) in dropped.iter_mut().zip(rebuilt.missing()) {
                *dropped |= missing;
            }
            last = Some(rebuilt);
        }
        last.ok_or(VerifyError::Attempts)
    }

    fn check_receipt(&self, receipt: &Receipt) -> Result<(), VerifyError> {
        let Some(dealt) = self.attempts.last() else {
            return Err(VerifyError::Attempts);
        };
        let differs =
            |kept: &Option<String>, text: &String| kept.as_ref().is_some_and(|k| k != text);
        if differs(&receipt.commitment, &dealt.roster) {
            return Err(VerifyError::Commitment);
        }
        if let Some((seat, bits)) = &receipt.mine {
            let entry = dealt.seats.get(usize::from(*seat));
            if entry.and_then(|entry| entry.bits.as_ref()) != Some(bits) {
                return Err(VerifyError::Mine(*seat));
            }
        }
        if differs(&receipt.record, &self.record_hash) {
            return Err(VerifyError::RecordHash);
        }
        Ok(())
    }
}

/// The file of a round in the format it was dealt in.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum RoundFile {
    /// Format 1.
    Old(OldProof),
    /// Format 2.
    New(Proof),
}

impl RoundFile {
    /// How many attempts the shuffle took; none in format 1, which knew no attempts.
    pub(super) fn attempts(&self) -> Option<usize> {
        match self {
            Self::Old(_) => None,
            Self::New(proof) => Some(proof.attempts.len()),
        }
    }

    /// The hash of the record, which format 1 does not have.
    pub(super) fn record_hash(&self) -> Option<&str> {
        match self {
            Self::Old(_) => None,
            Self::New(proof) => Some(&proof.record_hash),
        }
    }
}

/// Checks the file of a finished round, given as JSON: that everyone was bound before anyone
/// revealed, that the deal follows from what they revealed, that the round was played by the rules to
/// the result it names, and that all this agrees with what somebody kept.
///
/// ```
/// use convoy_server::{Receipt, VerifyError, verify};
///
/// assert!(matches!(verify("{}", &Receipt::default()), Err(VerifyError::Unreadable(_))));
/// ```
pub fn verify(json: &str, receipt: &Receipt) -> Result<Verified, VerifyError> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let unreadable = |reason: serde_json::Error| VerifyError::Unreadable(reason.to_string());
    let head: Head = serde_json::from_str(json).map_err(unreadable)?;
    match &*head.format {
        FORMAT => {
            let proof: Proof = serde_json::from_str(json).map_err(unreadable)?;
            proof.check(receipt)
        }
        old_proof::FORMAT => {
            let proof: OldProof = serde_json::from_str(json).map_err(unreadable)?;
            proof.check(receipt)
        }
        other => Err(VerifyError::Unreadable(format!(
            "the format {other:?} is unknown"
        ))),
    }
}

#[cfg(test)]
mod tests;
