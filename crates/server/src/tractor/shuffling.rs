//! A table while it shuffles: what a seat may commit and reveal, what follows, what pages are told.

use serde_json::{Value, json};
use tractor::{Deal, Deck, Record, Round};

use super::event::Event;
use super::fields::{CommitFields, RevealFields};
use super::game::{Finished, Stage, TractorGame};
use super::old_proof::OldProof;
use super::old_shuffle::OldShuffle;
use super::proof::{Proof, RoundFile};
use super::shuffle::{Attempt, AttemptContext, Draw, Shuffle, hex_of, seat_hash, unhex};
use crate::asset::hex;
use crate::game::Seat;
use crate::refusal::{NotNow, Refusal};
use crate::seat::Occupant;

/// The refusal of a field that holds no 32 bytes.
fn not_hex(field: &str) -> Refusal {
    Refusal::BadField {
        field: field.to_owned(),
        reason: "64 lower-case hexadecimal digits are expected".to_owned(),
    }
}

/// An attempt of the match that was voided.
#[derive(Debug, Clone, Copy)]
pub(super) struct VoidedAttempt {
    round: u32,
    attempt: u32,
    /// Who did not reveal.
    seats: [bool; 4],
}

impl TractorGame {
    /// What the encryption of a draw is bound to.
    fn draw_context(&self, attempt: usize) -> String {
        format!("{} {} {attempt}", self.id, self.begin.number)
    }

    /// The number of the attempt that comes next, from 1.
    fn next_attempt(&self) -> usize {
        self.voided.len() + 1
    }

    /// A new secret of the server, encrypted for storage.
    pub(super) fn draw(&self) -> Event {
        let context = self.draw_context(self.next_attempt());
        let sealed = self.key.encrypt(&context, &Draw::random().to_bytes());
        Event::Drawn { sealed }
    }

    /// The attempt that is under way.
    fn attempt(&self) -> Result<&Attempt, Refusal> {
        match &self.stage {
            Stage::Shuffling(Shuffle::Attempt(attempt)) => Ok(attempt),
            _ => Err(Refusal::NotNow(NotNow::NotShuffling)),
        }
    }

    /// The attempt that a frame speaks of, if it is the one under way.
    fn named_attempt(&self, number: u64, named: u64) -> Result<&Attempt, Refusal> {
        let attempt = self.attempt()?;
        if (number, named) == (self.begin.number.into(), attempt.number.into()) {
            Ok(attempt)
        } else {
            Err(Refusal::NotNow(NotNow::OtherShuffle))
        }
    }

    /// Whether a seat is waited for to commit.
    pub(super) fn may_commit(&self, seat: usize) -> bool {
        let person = self.seats.get(seat).is_some_and(|of| of.player().is_some());
        let open = self
            .attempt()
            .is_ok_and(|attempt| attempt.roster.is_none() && attempt.commits[seat].is_none());
        person && open && !self.dropped[seat]
    }

    /// Whether a seat is waited for to reveal.
    pub(super) fn may_reveal(&self, seat: usize) -> bool {
        self.attempt().is_ok_and(|attempt| attempt.missing()[seat])
    }

    pub(super) fn decide_commit(&self, seat: Seat, fields: CommitFields) -> Result<Event, Refusal> {
        let attempt = self.named_attempt(fields.number, fields.attempt)?;
        let index = usize::from(seat);
        if attempt.commits[index].is_some() {
            return Err(Refusal::NotNow(NotNow::Committed));
        }
        if self.dropped[index] {
            return Err(Refusal::NotNow(NotNow::Dropped));
        }
        if attempt.roster.is_some() {
            return Err(Refusal::NotNow(NotNow::RosterFixed));
        }
        let hash = fields.hash;
        if unhex::<32>(&hash).is_none() {
            return Err(not_hex("hash"));
        }
        Ok(Event::Commit { seat, hash })
    }

    pub(super) fn decide_reveal(&self, seat: Seat, fields: RevealFields) -> Result<Event, Refusal> {
        let attempt = self.named_attempt(fields.number, fields.attempt)?;
        let index = usize::from(seat);
        let roster = attempt.roster.ok_or(Refusal::NotNow(NotNow::NoRoster))?;
        let committed = roster.seats[index].hash();
        let committed = committed.ok_or(Refusal::NotNow(NotNow::NotInRoster))?;
        if attempt.bits[index].is_some() {
            return Err(Refusal::NotNow(NotNow::Revealed));
        }
        let bits = fields.bits;
        let bytes = unhex(&bits).ok_or_else(|| not_hex("bits"))?;
        if seat_hash(&attempt.server, seat, &bytes) != committed {
            return Err(Refusal::NotNow(NotNow::OtherBits));
        }
        Ok(Event::Reveal { seat, bits })
    }

    /// Takes in an event of the shuffle.
    pub(super) fn take_shuffle(&mut self, event: Event) -> Option<()> {
        if let Event::Drawn { sealed } = &event {
            return self.take_draw(sealed);
        }
        if let Event::Committed { secret, salt } = &event {
            let shuffle = OldShuffle::read(secret, salt)?;
            self.begin_shuffle(Shuffle::Old(shuffle));
            return Some(());
        }
        let bots =
            std::array::from_fn(|seat| matches!(self.seats.get(seat), Some(Occupant::Bot { .. })));
        let Stage::Shuffling(shuffle) = &mut self.stage else {
            return None;
        };
        match (shuffle, event) {
            (Shuffle::Attempt(attempt), Event::Commit { seat, hash }) => {
                attempt.commit(seat, unhex(&hash)?)
            }
            (Shuffle::Attempt(attempt), Event::Roster) => attempt.fix_roster(bots),
            (Shuffle::Attempt(attempt), Event::Reveal { seat, bits }) => {
                attempt.reveal(seat, unhex(&bits)?)
            }
            (Shuffle::Attempt(_), Event::Voided) => self.void(),
            (Shuffle::Old(shuffle), Event::Contributed { seat, bits }) => {
                shuffle.contribute(seat, &bits)
            }
            (shuffle, Event::Shuffled) => {
                let number = self.begin.number;
                let fair = Deck::of(&shuffle.seed(number)?, number);
                let deck = self.setup.deck(number).unwrap_or(fair);
                let round = Round::new(self.begin, deck);
                self.stage = Stage::Round(Some(shuffle.clone()), round);
                Some(())
            }
            _ => None,
        }
    }

    fn begin_shuffle(&mut self, shuffle: Shuffle) {
        self.stage = Stage::Shuffling(shuffle);
        self.ready = [false; 4];
        self.clear_log();
    }

    fn take_draw(&mut self, sealed: &str) -> Option<()> {
        let between = matches!(self.stage, Stage::Before) || self.is_round_over();
        if !between || self.winner().is_some() {
            return None;
        }
        let number = self.next_attempt();
        let bytes = self.key.decrypt(&self.draw_context(number), sealed)?;
        let context = AttemptContext {
            table: self.id.as_str(),
            setup: &self.begin,
            attempt: u32::try_from(number).ok()?,
        };
        let attempt = Attempt::new(&context, Draw::from_bytes(&bytes)?);
        self.begin_shuffle(Shuffle::Attempt(attempt));
        Some(())
    }

    /// The attempt does not count. Who did not reveal adds nothing for the rest of the match: nobody
    /// can do this twice.
    fn void(&mut self) -> Option<()> {
        let attempt = self.attempt().ok()?.clone();
        let seats = attempt.missing();
        if seats == [false; 4] {
            return None;
        }
        for (dropped, missing) in self.dropped.iter_mut().zip(seats) {
            *dropped |= missing;
        }
        self.voids.push(VoidedAttempt {
            round: self.begin.number,
            attempt: attempt.number,
            seats,
        });
        self.voided.push(attempt);
        self.stage = Stage::Before;
        Some(())
    }

    /// A round that is over, with its file.
    pub(super) fn finished(&mut self) -> Option<Finished> {
        let Stage::Round(Some(shuffle), round) = &self.stage else {
            return None;
        };
        let tractor::Phase::Over(over) = round.phase() else {
            return None;
        };
        let seed = shuffle.seed(self.begin.number)?;
        let mut record = Record::of(round);
        if Deck::of(&seed, self.begin.number) == *round.deck() {
            record.deal = Deal::Seed(seed);
        }
        let file = match shuffle {
            Shuffle::Old(shuffle) => RoundFile::Old(OldProof::of(shuffle, &record, round)?),
            Shuffle::Attempt(last) => {
                self.voided.push(last.clone());
                let attempts = std::mem::take(&mut self.voided);
                RoundFile::New(Proof::of(&self.id, &attempts, &record, round)?)
            }
        };
        Some(Finished {
            file: Some(file),
            record,
            result: over.result,
            defending: round.defending(),
        })
    }

    /// What everybody is told of the shuffle, and a seat of what it has committed.
    pub(super) fn shuffle_field(&self, viewer: Option<Seat>) -> Value {
        let (shuffle, number) = match &self.stage {
            Stage::Before | Stage::Round(None, _) => return Value::Null,
            Stage::Shuffling(shuffle) => (shuffle, self.begin.number),
            Stage::Round(Some(shuffle), round) => (shuffle, round.setup().number),
        };
        let attempt = match shuffle {
            Shuffle::Old(old) => {
                let commitment = hex(&old.commitment());
                return json!({ "format": 1, "number": number, "commitment": commitment });
            }
            Shuffle::Attempt(attempt) => attempt,
        };
        let own = viewer.and_then(|seat| attempt.commits[usize::from(seat)]);
        let seats = attempt.roster.map(|roster| {
            roster
                .seats
                .map(|seat| json!({ "kind": seat.as_str(), "hash": hex_of(seat.hash()) }))
        });
        json!({
            "format": 2,
            "number": number,
            "attempt": attempt.number,
            "server": hex(&attempt.server),
            "committed": attempt.commits.map(|hash| hash.is_some()),
            "yours": hex_of(own),
            "roster": hex_of(attempt.roster.map(|roster| roster.hash)),
            "seats": seats,
            "revealed": attempt.bits.map(|bits| bits.is_some()),
        })
    }

    /// The attempts of the match that were voided, and who did not reveal.
    pub(super) fn voids_field(&self) -> Value {
        let void = |void: &VoidedAttempt| {
            let seats: Vec<usize> = (0..4).filter(|seat| void.seats[*seat]).collect();
            json!({ "round": void.round, "attempt": void.attempt, "seats": seats })
        };
        self.voids.iter().map(void).collect()
    }
}

#[cfg(test)]
mod tests;
