//! The judge: one trump, one set of house rules, every question of play.

use core::cmp::Ordering;

use crate::card::{Face, Rank, Suit};
use crate::card_set::Faces;
use crate::planes::Planes;
use crate::ranked_cards::{Layout, RankedCards};
use crate::rules::Rules;
use crate::trump::{Group, Trump};

/// Where the bits of the trumps begin in a [`RankedCards`].
const TRUMPS: u32 = 46;
/// The bits of the twelve ranks of the trump suit, counted from [`TRUMPS`].
const SUIT_RANKS: u32 = 0xfff;

/// The cards of one group, its lowest bit moved to bit 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) any: u32,
    pub(crate) pair: u32,
}

/// Knows the trump and the house rules, and answers every question of play: which group a card belongs
/// to, what a play consists of, what may be led, what a follower owes, who wins.
///
/// ```
/// # use tractor::{Judge, Rules};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let lead = judge.lead(judge.ranked("KS QS JS".parse()?))?;
/// let hand = judge.ranked("TS 9S 8S 3D".parse()?);
/// assert!(judge.follow(&lead, hand, judge.ranked("TS 9S 8S".parse()?)).is_ok());
/// assert!(judge.follow(&lead, hand, judge.ranked("TS 9S 3D".parse()?)).is_err());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    trump: Trump,
    rules: Rules,
    pub(crate) layout: Layout,
    masks: [u64; 5],
    shifts: [u32; 5],
    /// The local bits of the rung that several faces share, and the number of that rung.
    shared: u32,
    shared_rung: u32,
    fives: u64,
    tens: u64,
    faces: [u8; 64],
    slots: [u8; Face::COUNT],
    groups: [u8; 64],
}

impl Judge {
    /// The judge of a trump under house rules.
    #[allow(
        clippy::missing_panics_doc,
        reason = "the tables are small enough for bytes"
    )]
    pub fn new(trump: Trump, rules: Rules) -> Self {
        let (shared, shared_rung) = match (trump.rank(), trump.suit()) {
            (None, _) => (0, 13),
            (Some(_), Some(_)) => (0b111 << 12, 12),
            (Some(_), None) => (0b1111 << 12, 12 + u32::from(rules.nt_rank_joker_adjacent)),
        };
        let mut judge = Self {
            trump,
            rules,
            layout: Layout::of(trump),
            masks: [0; 5],
            shifts: [0, 13, 26, 39, TRUMPS],
            shared,
            shared_rung,
            fives: 0,
            tens: 0,
            faces: [0; 64],
            slots: [0; Face::COUNT],
            groups: [4; 64],
        };
        if let Some(suit) = trump.suit() {
            for plain in &mut judge.shifts[suit as usize + 1..4] {
                *plain -= 13;
            }
        }
        let mut off_suit = 58;
        for face in Face::all() {
            let slot = judge.place(face, &mut off_suit);
            let group = trump.group(face).index();
            judge.slots[face.index()] = slot;
            judge.faces[usize::from(slot)] = u8::try_from(face.index()).expect("fifty-four faces");
            judge.groups[usize::from(slot)] = u8::try_from(group).expect("five groups");
            judge.masks[group] |= 1 << slot;
            match face.points() {
                5 => judge.fives |= 1 << slot,
                10 => judge.tens |= 1 << slot,
                _ => {}
            }
        }
        judge
    }

    fn place(&self, face: Face, off_suit: &mut u8) -> u8 {
        let (Some(suit), Some(rank)) = (face.suit(), face.rank()) else {
            return if face == Face::SMALL_JOKER { 62 } else { 63 };
        };
        if Some(rank) == self.trump.rank() {
            if Some(suit) == self.trump.suit() {
                return 61;
            }
            *off_suit += 1;
            return *off_suit - 1;
        }
        let above = self.trump.rank().is_some_and(|gone| rank > gone);
        let shift = match self.trump.group(face) {
            Group::Trump => TRUMPS,
            Group::Plain(_) => self.shifts[suit as usize],
        };
        u8::try_from(shift).expect("a shift is below 64") + rank as u8 - u8::from(above)
    }

    /// The trump.
    pub const fn trump(&self) -> Trump {
        self.trump
    }

    /// The house rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Cards laid out under this trump.
    pub fn ranked(&self, cards: Faces) -> RankedCards {
        let planes = Planes {
            any: self.lay_out(cards.0.any),
            pair: self.lay_out(cards.0.pair),
        };
        RankedCards(planes, self.layout)
    }

    /// One plane of faces as slots: each suit closes the gap of the trump rank.
    fn lay_out(&self, faces: u64) -> u64 {
        const SUIT: u64 = (1 << 13) - 1;
        let mut out = faces >> 52 << 62;
        let mut off_suit = 58;
        for suit in Suit::ALL {
            let mut ranks = faces >> (13 * suit as u32) & SUIT;
            let trumps = Some(suit) == self.trump.suit();
            if let Some(gone) = self.trump.rank() {
                let below = (1 << gone as u32) - 1;
                let rank = ranks >> gone as u32 & 1;
                ranks = ranks & below | ranks >> 1 & !below;
                out |= rank << if trumps { 61 } else { off_suit };
                off_suit += u32::from(!trumps);
            }
            out |= ranks
                << if trumps {
                    TRUMPS
                } else {
                    self.shifts[suit as usize]
                };
        }
        out
    }

    /// The cards of a laid out hand.
    pub fn faces(&self, hand: RankedCards) -> Faces {
        self.layout.check(hand.1);
        let faces = |plane: u64| {
            Planes::once(plane)
                .indices()
                .fold(0, |out, slot| out | 1 << self.faces[slot as usize])
        };
        Faces(Planes {
            any: faces(hand.0.any),
            pair: faces(hand.0.pair),
        })
    }

    /// The face of a slot, as [`RankedCards::slots`] lists them.
    ///
    /// # Panics
    ///
    /// If `slot` is not below 64.
    pub fn face(&self, slot: u32) -> Face {
        Face::from_index(self.faces[slot as usize].into()).expect("the table holds faces")
    }

    /// The slot of a face: its bit in a [`RankedCards`].
    pub fn slot(&self, face: Face) -> u32 {
        self.slots[face.index()].into()
    }

    /// The bits of a group; zero for the suit that is trump.
    #[inline]
    pub const fn mask(&self, group: Group) -> u64 {
        self.masks[group.index()]
    }

    /// The group of a slot.
    #[inline]
    pub(crate) const fn group_at(&self, slot: u32) -> Group {
        Group::ALL[self.groups[slot as usize & 63] as usize]
    }

    /// The group of these cards, or `None` if they are of several or there is none.
    ///
    /// ```
    /// # use tractor::{Group, Judge, Rules, Suit};
    /// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
    /// assert_eq!(judge.group(judge.ranked("AS 3S".parse()?)), Some(Group::Plain(Suit::Spades)));
    /// assert_eq!(judge.group(judge.ranked("AS 2S".parse()?)), None);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn group(&self, cards: RankedCards) -> Option<Group> {
        self.layout.check(cards.1);
        if cards.0.any == 0 {
            return None;
        }
        let group = self.group_at(cards.0.any.trailing_zeros());
        if cards.0.any & !self.mask(group) == 0 {
            Some(group)
        } else {
            None
        }
    }

    /// The cards of `hand` in `group`.
    #[inline]
    pub const fn of_group(&self, hand: RankedCards, group: Group) -> RankedCards {
        self.layout.check(hand.1);
        RankedCards(hand.0.within(self.mask(group)), self.layout)
    }

    /// Points held (Rule 1.1).
    #[inline]
    pub const fn points(&self, hand: RankedCards) -> u32 {
        self.layout.check(hand.1);
        hand.0.points(self.fives, self.tens)
    }

    /// How many cards of points are held.
    pub const fn point_cards(&self, hand: RankedCards) -> u32 {
        hand.0.within(self.fives | self.tens).len()
    }

    /// Compares two faces: `None` for two plain suits, which never beat each other (Rules 1.3, 1.4).
    ///
    /// ```
    /// # use std::cmp::Ordering::*;
    /// # use tractor::{Judge, Rules};
    /// let judge = Judge::new("2S".parse()?, Rules::DEFAULT);
    /// assert_eq!(judge.compare("3S".parse()?, "AH".parse()?), Some(Greater));
    /// assert_eq!(judge.compare("2H".parse()?, "2C".parse()?), Some(Equal));
    /// assert_eq!(judge.compare("3D".parse()?, "AH".parse()?), None);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, a: Face, b: Face) -> Option<Ordering> {
        let (x, y) = (self.trump.group(a), self.trump.group(b));
        match (x.is_trump(), y.is_trump()) {
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            _ => (x == y).then(|| self.rung(a).cmp(&self.rung(b))),
        }
    }

    /// The rung of a face on the ladder of its group; pairs on touching rungs make a tractor (Rule 1.6).
    pub fn rung(&self, face: Face) -> u32 {
        let group = self.trump.group(face);
        let local = 1 << (self.slot(face) - self.shifts[group.index()]);
        self.rungs(group, local).trailing_zeros()
    }

    /// The cards of one group, moved to bit 0.
    #[inline]
    pub(crate) const fn local(&self, cards: RankedCards, group: Group) -> Local {
        self.layout.check(cards.1);
        Local {
            any: self.local_bits(cards.0.any, group),
            pair: self.local_bits(cards.0.pair, group),
        }
    }

    /// One plane of a group, moved to bit 0.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a group has at most 18 bits"
    )]
    pub(crate) const fn local_bits(&self, plane: u64, group: Group) -> u32 {
        let index = group.index();
        ((plane & self.masks[index]) >> self.shifts[index]) as u32
    }

    /// The other way round.
    #[inline]
    pub(crate) const fn plane(&self, local: u32, group: Group) -> u64 {
        (local as u64) << self.shifts[group.index()]
    }

    /// The rungs of local bits: in trump the faces that share a rung become one bit.
    #[inline]
    pub(crate) const fn rungs(&self, group: Group, local: u32) -> u32 {
        if !group.is_trump() {
            return local;
        }
        let apart = local & !self.shared;
        let shared = ((local & self.shared != 0) as u32) << self.shared_rung;
        apart & SUIT_RANKS | (apart & !SUIT_RANKS) >> 2 | shared
    }

    /// The local bits of rungs: all faces of each.
    #[inline]
    pub(crate) const fn faces_of(&self, group: Group, rungs: u32) -> u32 {
        if !group.is_trump() {
            return rungs;
        }
        let shared_bit = 1 << self.shared_rung;
        let apart = rungs & !shared_bit;
        let shared = if rungs & shared_bit != 0 {
            self.shared
        } else {
            0
        };
        apart & SUIT_RANKS | (apart & !SUIT_RANKS) << 2 & !self.shared | shared
    }

    /// The local bits of the shared rung in `group`: none in a plain suit.
    #[inline]
    pub(crate) const fn shared(&self, group: Group) -> u32 {
        if group.is_trump() { self.shared } else { 0 }
    }

    /// The shared rung as a bit of a ladder.
    #[inline]
    pub(crate) const fn shared_bit(&self) -> u32 {
        1 << self.shared_rung
    }

    /// Pairs that make a tractor.
    #[inline]
    pub(crate) const fn min_run(&self) -> u32 {
        self.rules.min_tractor_len as u32
    }

    /// The strength of one face as ejfn/Tractor lists it: the rank's value, 100 more in the trump suit,
    /// 170 and 180 for the trump rank, 999 and 1000 for the jokers.
    pub fn value(&self, face: Face) -> u32 {
        let Some(rank) = face.rank() else {
            return if face == Face::SMALL_JOKER { 999 } else { 1000 };
        };
        let trumps = self.trump.suit().is_some() && face.suit() == self.trump.suit();
        match (Some(rank) == self.trump.rank(), trumps) {
            (true, true) => 180,
            (true, false) => 170,
            (false, true) => 102 + rank as u32 - Rank::Two as u32,
            (false, false) => 2 + rank as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trumps() -> impl Iterator<Item = Trump> {
        let suits = [None].into_iter().chain(Suit::ALL.map(Some));
        suits
            .flat_map(|suit| Rank::ALL.map(|rank| Trump::new(rank, suit)))
            .chain([Trump::JOKERS])
    }

    #[test]
    fn rule_1_2_3_groups_have_their_sizes() {
        for trump in trumps() {
            let judge = Judge::new(trump, Rules::DEFAULT);
            let full = judge.ranked(Faces::FULL);
            let sizes = Group::ALL.map(|group| judge.of_group(full, group).len());
            let want = match (trump.rank(), trump.suit()) {
                (None, _) => [26, 26, 26, 26, 4],
                (_, None) => [24, 24, 24, 24, 12],
                (_, Some(suit)) => {
                    let mut want = [24, 24, 24, 24, 36];
                    want[suit as usize] = 0;
                    want
                }
            };
            assert_eq!(sizes, want, "{trump}");
            assert_eq!(judge.points(full), 200);
        }
    }

    #[test]
    fn layouts_can_be_undone() {
        for trump in trumps() {
            let judge = Judge::new(trump, Rules::DEFAULT);
            for face in Face::all() {
                let cards = Faces::EMPTY.with(face).unwrap();
                let hand = judge.ranked(cards);
                assert_eq!(hand.any(), 1 << judge.slot(face), "{trump} {face}");
                assert_eq!(judge.faces(hand), cards);
                assert_eq!(judge.face(judge.slot(face)), face);
                let group = trump.group(face);
                assert_eq!(judge.group(hand), Some(group));
                let local = judge.local(hand, group).any;
                assert_eq!(judge.plane(local, group), hand.any());
                assert!(judge.faces_of(group, judge.rungs(group, local)) & local != 0);
            }
        }
    }

    #[test]
    fn rule_1_3_1_order_inside_trump() {
        let judge = Judge::new("7H".parse().unwrap(), Rules::DEFAULT);
        let order: Vec<_> = "bj sj 7H 7S AH KH 2H AS"
            .split(' ')
            .map(|card| card.parse::<Face>().unwrap())
            .collect();
        for pair in order.windows(2) {
            assert_eq!(judge.compare(pair[0], pair[1]), Some(Ordering::Greater));
            assert_eq!(judge.compare(pair[1], pair[0]), Some(Ordering::Less));
        }
    }
}
