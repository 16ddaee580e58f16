//! The shuffle of a round: everyone commits, then everyone reveals. `docs/fairness.md` has the bytes.

use std::fmt;

use sha2::{Digest as _, Sha256};
use tractor::{Seed, Setup};

use super::old_shuffle::OldShuffle;
use crate::asset::hex;
use crate::game::Seat;
use crate::id;

/// A SHA-256 hash.
pub(super) type Hash = [u8; 32];
/// The random bits that one seat adds.
pub(super) type Bits = [u8; 32];

/// What a domain tag is padded to with zero bytes.
const TAG: usize = 24;

/// SHA-256 of a domain tag and what follows it. Every hash of the protocol has its own tag, so that
/// no hash can stand for another.
fn hash(tag: &str, parts: &[&[u8]]) -> Hash {
    let mut padded = [0; TAG];
    padded[..tag.len()].copy_from_slice(tag.as_bytes());
    let mut hash = Sha256::new_with_prefix(padded);
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// The hash of the house rules, given as the line of the notation.
fn rules_hash(setup: &Setup) -> Hash {
    hash(
        "convoy tractor rules 2",
        &[setup.rules.to_string().as_bytes()],
    )
}

/// The hash of a round's record, bound to the roster it was dealt from.
pub(super) fn record_hash(roster: &Hash, record: &str) -> Hash {
    hash("convoy tractor record 2", &[roster, record.as_bytes()])
}

/// What one seat commits to.
pub(super) fn seat_hash(server: &Hash, seat: Seat, bits: &Bits) -> Hash {
    hash("convoy tractor seat 2", &[server, &[seat], bits])
}

/// What a client commits to: the hash of the server's hash, its seat and its 32 bytes of randomness,
/// all as lower-case hexadecimal digits. `None` where the digits are not right.
///
/// ```
/// use convoy_server::commit_hash;
///
/// let hash = commit_hash(&"00".repeat(32), 2, &"7f".repeat(32));
/// assert_eq!(hash.map(|hash| hash.len()), Some(64));
/// assert_eq!(commit_hash("short", 2, "short"), None);
/// ```
pub fn commit_hash(server: &str, seat: Seat, bits: &str) -> Option<String> {
    let hash = seat_hash(&unhex(server)?, seat, &unhex(bits)?);
    Some(hex(&hash))
}

/// What an attempt to shuffle is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttemptContext<'a> {
    /// The name of the table: 12 ASCII letters and digits.
    pub(super) table: &'a str,
    /// What the round begins with.
    pub(super) setup: &'a Setup,
    /// The number of the attempt, from 1.
    pub(super) attempt: u32,
}

/// What the server draws for one attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Draw {
    pub(super) secret: [u8; 32],
    pub(super) salt: [u8; 16],
}

impl Draw {
    /// From the operating system.
    pub(super) fn random() -> Self {
        Self {
            secret: id::random(),
            salt: id::random(),
        }
    }

    /// The secret, then the salt.
    pub(super) fn to_bytes(self) -> [u8; 48] {
        let mut bytes = [0; 48];
        bytes[..32].copy_from_slice(&self.secret);
        bytes[32..].copy_from_slice(&self.salt);
        bytes
    }

    /// The draw of [`Draw::to_bytes`].
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (secret, salt) = bytes.split_at_checked(32)?;
        Some(Self {
            secret: secret.try_into().ok()?,
            salt: salt.try_into().ok()?,
        })
    }

    /// What the server commits to before anyone else does.
    fn server_hash(&self, context: &AttemptContext<'_>) -> Hash {
        let start = &context.setup.start;
        let level = |at: usize| u8::try_from(start.levels[at].index()).unwrap_or(u8::MAX);
        let starter = u8::try_from(start.starter.index()).unwrap_or(u8::MAX);
        hash(
            "convoy tractor server 2",
            &[
                context.table.as_bytes(),
                &context.setup.number.to_le_bytes(),
                &context.attempt.to_le_bytes(),
                &rules_hash(context.setup),
                &[level(0), level(1), starter],
                &self.secret,
                &self.salt,
            ],
        )
    }
}

/// What a seat is in the roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RosterSeat {
    /// A person who did not commit in time, or may not any more; adds nothing.
    Absent,
    /// A bot; adds nothing.
    Bot,
    /// A person, and the hash of what they add.
    Person(Hash),
}

impl RosterSeat {
    /// The word for files and pages.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Bot => "bot",
            Self::Person(_) => "person",
        }
    }

    /// The hash of a person.
    pub(super) const fn hash(self) -> Option<Hash> {
        match self {
            Self::Person(hash) => Some(hash),
            Self::Absent | Self::Bot => None,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Absent => 0,
            Self::Bot => 1,
            Self::Person(_) => 2,
        }
    }
}

/// Who adds to the shuffle, fixed before anyone reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Roster {
    pub(super) seats: [RosterSeat; 4],
    pub(super) hash: Hash,
}

impl Roster {
    fn new(server: &Hash, seats: [RosterSeat; 4]) -> Self {
        let entries = seats.map(|seat| (seat.code(), seat.hash().unwrap_or_default()));
        let codes = entries.map(|(code, _)| [code]);
        let mut parts: Vec<&[u8]> = vec![server];
        for (code, (_, hash)) in codes.iter().zip(&entries) {
            parts.extend([code.as_slice(), hash.as_slice()]);
        }
        Self {
            seats,
            hash: hash("convoy tractor roster 2", &parts),
        }
    }
}

/// One attempt to shuffle the cards of a round.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) draw: Draw,
    /// What the server has committed to.
    pub(super) server: Hash,
    /// What each seat has committed to.
    pub(super) commits: [Option<Hash>; 4],
    /// Who adds, once that is fixed.
    pub(super) roster: Option<Roster>,
    /// What each seat has revealed.
    pub(super) bits: [Option<Bits>; 4],
}

impl Attempt {
    /// An attempt to which only the server has committed.
    pub(super) fn new(context: &AttemptContext<'_>, draw: Draw) -> Self {
        Self {
            number: context.attempt,
            server: draw.server_hash(context),
            draw,
            commits: [None; 4],
            roster: None,
            bits: [None; 4],
        }
    }

    /// Takes the hash of a seat in: once a seat, and before the roster is fixed.
    pub(super) fn commit(&mut self, seat: Seat, hash: Hash) -> Option<()> {
        let place = self.commits.get_mut(usize::from(seat))?;
        if self.roster.is_some() || place.is_some() {
            return None;
        }
        *place = Some(hash);
        Some(())
    }

    /// Fixes the roster: persons are those who have committed.
    pub(super) fn fix_roster(&mut self, bots: [bool; 4]) -> Option<()> {
        if self.roster.is_some() {
            return None;
        }
        let seat = |at: usize| match self.commits[at] {
            Some(hash) => RosterSeat::Person(hash),
            None if bots[at] => RosterSeat::Bot,
            None => RosterSeat::Absent,
        };
        let seats = std::array::from_fn(seat);
        self.roster = Some(Roster::new(&self.server, seats));
        Some(())
    }

    /// Takes the bits of a seat in: once a seat, and only those it has committed to.
    pub(super) fn reveal(&mut self, seat: Seat, bits: Bits) -> Option<()> {
        let index = usize::from(seat);
        let committed = self.roster?.seats.get(index)?.hash()?;
        let fresh = self.bits[index].is_none();
        (fresh && seat_hash(&self.server, seat, &bits) == committed).then(|| {
            self.bits[index] = Some(bits);
        })
    }

    /// The persons of the roster who have not revealed.
    pub(super) fn missing(&self) -> [bool; 4] {
        let seat = |at: usize| {
            let person = self.roster.is_some_and(|of| of.seats[at].hash().is_some());
            person && self.bits[at].is_none()
        };
        std::array::from_fn(seat)
    }

    /// The seed of the deal, once everyone in the roster has revealed.
    pub(super) fn seed(&self) -> Option<Seed> {
        let roster = self.roster.filter(|_| self.missing() == [false; 4])?;
        let bits = self.bits.map(Option::unwrap_or_default);
        let hash = hash(
            "convoy tractor seed 2",
            &[
                &roster.hash,
                &self.draw.secret,
                &self.draw.salt,
                bits.as_flattened(),
            ],
        );
        Some(Seed::from_bytes(hash))
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Attempt(..)")
    }
}

/// Where the cards of a round come from.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a table has one")]
pub(super) enum Shuffle {
    /// From the protocol of format 1, which tables still finish and show.
    Old(OldShuffle),
    /// From an attempt of format 2.
    Attempt(Attempt),
}

impl Shuffle {
    /// The seed of the deal, once it is determined.
    pub(super) fn seed(&self, round: u32) -> Option<Seed> {
        match self {
            Self::Old(shuffle) => Some(shuffle.seed(round)),
            Self::Attempt(attempt) => attempt.seed(),
        }
    }
}

/// Bytes from exactly as many lower-case hexadecimal digits as they need.
pub(super) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

/// The text of a hash, where there is one.
pub(super) fn hex_of(hash: Option<Hash>) -> Option<String> {
    hash.map(|hash| hex(&hash))
}

#[cfg(test)]
mod tests;
