//! The file of a round in format 1: bound by the server's commitment alone. Such files stay
//! verifiable, for what they show.

use serde::{Deserialize, Serialize};
use tractor::{Phase, Record, Round};

use super::old_shuffle::OldShuffle;
use super::proof::{Outcome, Promise, Receipt, Verified, VerifyError, cards, check_round, dealt};
use super::shuffle::unhex;
use crate::asset::hex;

/// The first field of every file of this kind.
pub(super) const FORMAT: &str = "convoy-tractor-round-1";

/// A finished round with everything from which its cards were dealt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OldProof {
    format: String,
    number: u32,
    commitment: String,
    secret: String,
    salt: String,
    contributions: [Option<String>; 4],
    seed: String,
    deck: Vec<String>,
    hands: [Vec<String>; 4],
    record: String,
    result: Outcome,
}

impl OldProof {
    /// The proof of a round that is over.
    pub(super) fn of(shuffle: &OldShuffle, record: &Record, round: &Round) -> Option<Self> {
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
            deck: cards(round.deck()),
            hands: dealt(round.deck(), round.first_dealt()),
            record: record.to_string(),
            result: over.result.into(),
        })
    }

    /// Checks every claim against the others, and against what somebody kept.
    pub(super) fn check(&self, receipt: &Receipt) -> Result<Verified, VerifyError> {
        let mut shuffle = OldShuffle {
            secret: unhex(&self.secret).ok_or(VerifyError::Digits("secret"))?,
            salt: unhex(&self.salt).ok_or(VerifyError::Digits("salt"))?,
            contributions: [None; 4],
        };
        for (place, text) in shuffle.contributions.iter_mut().zip(&self.contributions) {
            let read = |text: &String| unhex(text).ok_or(VerifyError::Digits("a contribution"));
            *place = text.as_ref().map(read).transpose()?;
        }
        if hex(&shuffle.commitment()) != self.commitment {
            return Err(VerifyError::Server(1));
        }
        let seed = shuffle.seed(self.number);
        if seed.to_hex() != self.seed {
            return Err(VerifyError::Seed);
        }
        let record: Record = self.record.parse().map_err(|_| VerifyError::Record)?;
        if record.setup.number != self.number {
            return Err(VerifyError::Record);
        }
        check_round(&seed, &record, &self.deck, &self.hands, &self.result)?;
        self.check_receipt(receipt)?;
        Ok(Verified {
            promise: Promise::ServerCommitment,
            table: None,
            number: self.number,
            contributions: self.contributions.iter().flatten().count(),
            voided: 0,
            result: self.result.clone(),
        })
    }

    fn check_receipt(&self, receipt: &Receipt) -> Result<(), VerifyError> {
        let shown = receipt.commitment.as_ref();
        if shown.is_some_and(|shown| *shown != self.commitment) {
            return Err(VerifyError::Commitment);
        }
        if let Some((seat, bits)) = &receipt.mine
            && self.contributions.get(usize::from(*seat)) != Some(&Some(bits.clone()))
        {
            return Err(VerifyError::Mine(*seat));
        }
        // This format has no hash of the record.
        match receipt.record {
            Some(_) => Err(VerifyError::RecordHash),
            None => Ok(()),
        }
    }
}
