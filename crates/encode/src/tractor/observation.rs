//! What a seat sees, as bytes.

use tractor::{Group, RankedCards, Seat, Stage, Suit};

use super::actions::BIDS;
use super::seen::Seen;
use crate::bits::SPREAD;

/// The bytes of one section of cards: 64 slots that hold a face at all, 64 that hold it twice.
pub const CARD_BYTES: usize = 128;
/// How many sections of cards there are.
pub const SECTIONS: usize = 14;
/// Where the bytes after the cards begin.
const SCALARS: usize = SECTIONS * CARD_BYTES;
/// The bytes of an observation.
pub const OBSERVATION_LEN: usize = SCALARS + Scalar::End as usize;

/// The sections of cards: each begins at its number times [`CARD_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// The viewer's hand, what is laid out included.
    Hand = 0,
    /// What the viewer has laid out for its play or for the kitty.
    Laid = 1,
    /// The buried kitty, where the viewer knows it.
    Kitty = 2,
    /// What each seat has played in the round, the open trick included; four sections, the viewer first.
    Played = 3,
    /// What each seat has played to the open trick; four sections, the viewer first.
    Open = 7,
    /// Cards that all know to be in a hand, of the three others.
    Exposed = 11,
}

/// The bytes after the cards: each begins at its number, counted from the end of the cards. `one of n` is n bytes, one of which is 1.
///
/// ```
/// use convoy_encode::tractor::{OBSERVATION_LEN, SECTIONS, CARD_BYTES, Scalar};
/// assert_eq!(OBSERVATION_LEN, SECTIONS * CARD_BYTES + Scalar::End as usize);
/// assert_eq!(OBSERVATION_LEN, 1896);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One of 5: dealing, burying, stealing, playing, over.
    Stage = 0,
    /// One of 4: whose turn it is; none while declarations are open.
    Turn = 5,
    /// One of 4: who leads the open trick; none before its lead.
    Leader = 9,
    /// One of 4: who is ahead in the open trick.
    Ahead = 13,
    /// One of 4: who starts the round.
    Starter = 17,
    /// 1 if the viewer's team defends.
    Defends = 21,
    /// One of 5: the trump suit ♣ ♦ ♥ ♠, or none.
    TrumpSuit = 22,
    /// One of 14: the trump rank from two to ace, or none.
    TrumpRank = 27,
    /// The level of the viewer's team, then of the other: 0 for two to 13 for no trump.
    Levels = 41,
    /// Three times 5, for the others in turn order: 1 if the seat has shown itself void in the first, second, third, fourth stretch of
    /// plain cards, in trump.
    Voids = 43,
    /// The same for having no pair left, voids included.
    Pairless = 58,
    /// What the viewer's team has taken, then the other, in fives.
    Taken = 73,
    /// The attackers' points in fives, 20 added so that penalties do not fall below 0.
    Attackers = 75,
    /// The points in the open trick, in fives.
    OpenPoints = 76,
    /// How many cards each seat holds, the viewer first.
    Held = 77,
    /// One of 12: the declaration that stands, numbered as [`BIDS`]; none if there is none.
    Standing = 81,
    /// One of 4: who made it.
    Declarer = 93,
    /// Four times 1 if the seat has passed, the viewer first.
    Passed = 97,
    /// 1 in the first round of a game, in which a declaration makes the starter.
    FirstRound = 101,
    /// The slot of the card of the kitty that was turned up, plus 1; 0 if there is none.
    Revealed = 102,
    /// The cards that the lead of the open trick has; 0 before it.
    Led = 103,
    /// How many scalars there are.
    End = 104,
}

/// The bytes after the cards.
type Scalars = [u8; Scalar::End as usize];

/// Writes cards as [`CARD_BYTES`] bytes.
#[inline]
fn put_cards(cards: RankedCards, out: &mut [u8]) {
    for (plane, half) in [cards.any(), cards.pair()]
        .into_iter()
        .zip(out.chunks_exact_mut(64))
    {
        if plane == 0 {
            half.fill(0);
            continue;
        }
        for (byte, eight) in plane
            .to_le_bytes()
            .into_iter()
            .zip(half.chunks_exact_mut(8))
        {
            eight.copy_from_slice(&SPREAD[usize::from(byte)]);
        }
    }
}

/// Writes what a seat sees; every byte is written.
///
/// # Panics
///
/// If `out` does not hold [`OBSERVATION_LEN`] bytes.
pub fn observe(seen: &Seen<'_>, out: &mut [u8]) {
    let (cards, scalars) = out.split_at_mut(SCALARS);
    let scalars: &mut Scalars = scalars
        .try_into()
        .expect("an observation has its own length");
    let relative = |steps: usize| seen.viewer.after(steps).index();
    let mut section = |number: usize, set: RankedCards| {
        put_cards(set, &mut cards[number * CARD_BYTES..][..CARD_BYTES]);
    };
    section(Section::Hand as usize, seen.hand);
    section(Section::Laid as usize, seen.laid);
    section(Section::Kitty as usize, seen.kitty);
    for steps in 0..4 {
        section(
            Section::Played as usize + steps,
            seen.played[relative(steps)],
        );
        section(Section::Open as usize + steps, seen.plays[relative(steps)]);
    }
    for steps in 1..4 {
        section(
            Section::Exposed as usize + steps - 1,
            seen.exposed[relative(steps)],
        );
    }
    scalars.fill(0);
    put_seats(seen, scalars);
    put_trump(seen, scalars);
    put_knowledge(seen, scalars);
    put_declarations(seen, scalars);
    put_points(seen, scalars);
}

fn put_seats(seen: &Seen<'_>, out: &mut Scalars) {
    let stage = match seen.stage {
        Stage::Dealing => 0,
        Stage::Burying => 1,
        Stage::Stealing => 2,
        Stage::Playing => 3,
        Stage::Over => 4,
    };
    out[Scalar::Stage as usize + stage] = 1;
    let mut seat = |at: Scalar, who: Option<Seat>| {
        if let Some(who) = who {
            out[at as usize + steps_to(seen.viewer, who)] = 1;
        }
    };
    seat(Scalar::Turn, seen.turn);
    seat(Scalar::Leader, seen.open.map(|(leader, _)| leader));
    seat(Scalar::Ahead, seen.open.map(|(_, ahead)| ahead));
    seat(Scalar::Starter, Some(seen.starter));
    seat(Scalar::Declarer, seen.standing.map(|(seat, _)| seat));
    out[Scalar::Defends as usize] = u8::from(seen.viewer.team() == seen.defending);
}

/// How many steps `seat` sits after `viewer`.
#[inline]
fn steps_to(viewer: Seat, seat: Seat) -> usize {
    (4 + seat.index() - viewer.index()) % 4
}

fn put_trump(seen: &Seen<'_>, out: &mut Scalars) {
    let trump = seen.judge.trump();
    out[Scalar::TrumpSuit as usize + trump.suit().map_or(4, |suit| suit as usize)] = 1;
    out[Scalar::TrumpRank as usize + trump.rank().map_or(13, |rank| rank as usize)] = 1;
    let own = seen.viewer.team();
    for (place, team) in [own, own.other()].into_iter().enumerate() {
        out[Scalar::Levels as usize + place] = byte(seen.levels[team.index()].index());
    }
}

fn put_knowledge(seen: &Seen<'_>, out: &mut Scalars) {
    let trump = seen.judge.trump().suit();
    let plain = Suit::ALL.into_iter().filter(|suit| Some(*suit) != trump);
    // Where each group goes, and its number; without a trump suit there are four plain ones.
    let mut places = [(4, Group::Trump.index()); 5];
    for (at, (place, suit)) in places.iter_mut().zip(plain).enumerate() {
        *place = (at, Group::Plain(suit).index());
    }
    for steps in 1..4 {
        let shown = seen.memory.shown(seen.viewer.after(steps));
        let pairless = shown.voids | shown.pairless;
        for (at, group) in places {
            let place = 5 * (steps - 1) + at;
            out[Scalar::Voids as usize + place] = shown.voids >> group & 1;
            out[Scalar::Pairless as usize + place] = pairless >> group & 1;
        }
    }
    for steps in 0..4 {
        out[Scalar::Held as usize + steps] = byte(seen.held[seen.viewer.after(steps).index()]);
    }
}

fn put_declarations(seen: &Seen<'_>, out: &mut Scalars) {
    if let Some(at) = seen
        .standing
        .and_then(|(_, bid)| BIDS.iter().position(|other| *other == bid))
    {
        out[Scalar::Standing as usize + at] = 1;
    }
    for steps in 0..4 {
        out[Scalar::Passed as usize + steps] =
            u8::from(seen.passed[seen.viewer.after(steps).index()]);
    }
    out[Scalar::FirstRound as usize] = u8::from(seen.first_round);
    out[Scalar::Revealed as usize] = seen.revealed.map_or(0, |slot| byte(slot as usize + 1));
}

fn put_points(seen: &Seen<'_>, out: &mut Scalars) {
    let own = seen.viewer.team();
    for (place, team) in [own, own.other()].into_iter().enumerate() {
        out[Scalar::Taken as usize + place] = byte(seen.taken[team.index()] as usize / 5);
    }
    let attackers = (seen.attackers.div_euclid(5) + 20).clamp(0, 255);
    out[Scalar::Attackers as usize] = u8::try_from(attackers).unwrap_or(u8::MAX);
    let open = seen
        .plays
        .iter()
        .map(|play| seen.judge.points(*play))
        .sum::<u32>();
    out[Scalar::OpenPoints as usize] = byte(open as usize / 5);
    let led = seen
        .open
        .map_or(0, |(leader, _)| seen.plays[leader.index()].len());
    out[Scalar::Led as usize] = byte(led);
}

/// A count as a byte; the counts of a round are below 256.
fn byte(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}
