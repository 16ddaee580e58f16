//! The shuffle of format 1, as rounds used it before everyone committed. Tables that were under way
//! finish with it, and their files stay verifiable; `docs/fairness.md` has the bytes.

use std::fmt;

use sha2::{Digest as _, Sha256};
use tractor::Seed;

use super::shuffle::unhex;
use crate::asset::hex;
use crate::game::Seat;

/// What the deal of a round is made from.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct OldShuffle {
    pub(super) secret: [u8; 32],
    pub(super) salt: [u8; 16],
    pub(super) contributions: [Option<[u8; 16]>; 4],
}

/// The first bytes of what the seed is hashed from, so that the hash means nothing else.
const DOMAIN: &[u8] = b"convoy tractor deal 1\n";

/// What marks the event that holds the secret of a round as it is: later formats encrypt it. In a string of JSON its
/// quotes would be escaped.
const COMMITTED: &str = "\"k\":\"committed\"";

/// Whether an event, as it is stored, holds the secret of a round.
pub(super) fn tells_secret(event: &str) -> bool {
    event.contains(COMMITTED)
}

impl OldShuffle {
    /// From the stored texts.
    pub(super) fn read(secret: &str, salt: &str) -> Option<Self> {
        Some(Self {
            secret: unhex(secret)?,
            salt: unhex(salt)?,
            contributions: [None; 4],
        })
    }

    /// What is shown before the deal: it binds the server to its secret.
    pub(super) fn commitment(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.secret);
        hash.update(self.salt);
        hash.finalize().into()
    }

    /// The seed of the deal: the server's secret and what each browser added.
    pub(super) fn seed(&self, round: u32) -> Seed {
        let mut hash = Sha256::new();
        hash.update(DOMAIN);
        hash.update(self.secret);
        hash.update(self.salt);
        hash.update(round.to_le_bytes());
        for contribution in self.contributions {
            hash.update([u8::from(contribution.is_some())]);
            hash.update(contribution.unwrap_or_default());
        }
        Seed::from_bytes(hash.finalize().into())
    }

    /// Takes a contribution in; each seat has one.
    pub(super) fn contribute(&mut self, seat: Seat, bits: &str) -> Option<()> {
        let place = self.contributions.get_mut(usize::from(seat))?;
        if place.is_some() {
            return None;
        }
        *place = Some(unhex(bits)?);
        Some(())
    }

    /// The contributions as texts.
    pub(super) fn texts(&self) -> [Option<String>; 4] {
        self.contributions.map(|bits| bits.map(|bits| hex(&bits)))
    }
}

impl fmt::Debug for OldShuffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OldShuffle(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_document_holds() {
        let mut shuffle = OldShuffle::read(&"00".repeat(32), &"11".repeat(16)).unwrap();
        shuffle.contribute(0, &"22".repeat(16)).unwrap();
        assert_eq!(
            hex(&shuffle.commitment()),
            "587338220f856c3d65e08f58ec7b33614ccfca834dd8f147e5b816a7ebe6a4a6"
        );
        assert_eq!(
            shuffle.seed(1).to_hex(),
            "4c9c222951510e698c6f388260378c018b6df67e4f1cf2ecdaa7fb20a00a141b"
        );
        assert!(shuffle.contribute(0, &"33".repeat(16)).is_none());
        assert_eq!(format!("{shuffle:?}"), "OldShuffle(..)");
    }

    #[test]
    fn every_input_changes_the_seed() {
        let base = OldShuffle::read(&"00".repeat(32), &"11".repeat(16)).unwrap();
        let seeds = [
            base.seed(1),
            base.seed(2),
            OldShuffle {
                secret: [1; 32],
                ..base.clone()
            }
            .seed(1),
            OldShuffle {
                salt: [2; 16],
                ..base.clone()
            }
            .seed(1),
            OldShuffle {
                contributions: [Some([0; 16]), None, None, None],
                ..base.clone()
            }
            .seed(1),
            OldShuffle {
                contributions: [None, Some([0; 16]), None, None],
                ..base
            }
            .seed(1),
        ];
        for (at, seed) in seeds.iter().enumerate() {
            assert!(seeds[..at].iter().all(|other| other != seed));
        }
    }
}
