//! What everyone at the table can know from the cards played.

use crate::card_set::Faces;
use crate::judge::Judge;
use crate::lead::Lead;
use crate::ranked_cards::RankedCards;
use crate::rules::FollowPolicy;
use crate::seat::Seat;
use crate::throw::Knowledge;
use crate::trump::Group;

/// What the plays of one seat have shown. Groups are bits, numbered by [`Group::index`].
///
/// ```
/// # use tractor::{Group, Judge, Memory, Rules, Seat, Suit};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let mut memory = Memory::default();
/// let lead = judge.lead(judge.ranked("AS AS".parse()?))?;
/// memory.note_follow(&judge, &lead, Seat::ALL[1], judge.ranked("3S 4S".parse()?));
/// let (shown, spades) = (memory.shown(Seat::ALL[1]), Group::Plain(Suit::Spades));
/// assert!(shown.is_pairless(spades) && !shown.is_void(spades));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Shown {
    /// Groups the seat has no card of: it played something else when they were led.
    pub voids: u8,
    /// Groups the seat has no pair in: it showed fewer pairs than were led.
    pub pairless: u8,
    /// Trumps played.
    pub trumps: u8,
}

impl Shown {
    /// Whether the seat has shown that it has no card of `group`.
    pub const fn is_void(self, group: Group) -> bool {
        self.voids >> group.index() & 1 == 1
    }

    /// Whether the seat has shown that it has no pair left in `group`.
    pub const fn is_pairless(self, group: Group) -> bool {
        (self.voids | self.pairless) >> group.index() & 1 == 1
    }
}

/// Counters over public play: cards gone, trumps gone, trump pairs led, and what each seat has shown.
///
/// ```
/// # use tractor::{Group, Judge, Memory, Rules, Seat, Suit};
/// let judge = Judge::new("2H".parse()?, Rules::DEFAULT);
/// let mut memory = Memory::default();
/// let lead = judge.lead(judge.ranked("AS".parse()?))?;
/// memory.note_lead(&judge, &lead, Seat::ALL[3]);
/// memory.note_follow(&judge, &lead, Seat::ALL[0], judge.ranked("3D".parse()?));
/// assert_eq!(memory.played().len(), 2);
/// assert!(memory.shown(Seat::ALL[0]).is_void(Group::Plain(Suit::Spades)));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory {
    played: RankedCards,
    trump_pairs_led: u8,
    shown: [Shown; 4],
}

impl Memory {
    /// Notes the lead of a trick.
    ///
    /// The caller sees to it that no card is played twice.
    pub fn note_lead(&mut self, judge: &Judge, lead: &Lead, seat: Seat) {
        if lead.group().is_trump() {
            self.trump_pairs_led = self.trump_pairs_led.saturating_add(lead.shape.pairs);
        }
        self.note(judge, seat, lead.cards);
    }

    /// Notes what `seat` played on `lead`.
    pub fn note_follow(&mut self, judge: &Judge, lead: &Lead, seat: Seat, play: RankedCards) {
        self.note(judge, seat, play);
        let shown = &mut self.shown[seat.index()];
        let bit = 1 << lead.group().index();
        if play.any() & !judge.mask(lead.group()) != 0 {
            shown.voids |= bit;
        } else if play.pairs() < lead.shape().pairs()
            && judge.rules().follow_policy != FollowPolicy::Free
        {
            // Rule 3.3: whoever shows fewer pairs than were led has shown all there were.
            shown.pairless |= bit;
        }
    }

    fn note(&mut self, judge: &Judge, seat: Seat, play: RankedCards) {
        self.played = self.played.plus_unchecked(play);
        let trumps = judge.of_group(play, Group::Trump).len();
        let sum = &mut self.shown[seat.index()].trumps;
        *sum = sum.saturating_add(u8::try_from(trumps).unwrap_or(u8::MAX));
    }

    /// Every card played.
    pub const fn played(&self) -> RankedCards {
        self.played
    }

    /// Trumps played.
    pub const fn trumps_played(&self, judge: &Judge) -> usize {
        judge.of_group(self.played, Group::Trump).len()
    }

    /// Cards of points played.
    pub const fn point_cards_played(&self, judge: &Judge) -> usize {
        judge.point_cards(self.played) as usize
    }

    /// Pairs in all trump leads; a tractor counts all of its own.
    pub const fn trump_pairs_led(&self) -> usize {
        self.trump_pairs_led as usize
    }

    /// What a seat has shown.
    pub const fn shown(&self, seat: Seat) -> Shown {
        self.shown[seat.index()]
    }

    /// What `seat` knows when it is to lead, with its own hand and, if it is the round's starter, what it
    /// buried (empty for the others).
    pub fn knowledge(
        &self,
        judge: &Judge,
        seat: Seat,
        hand: RankedCards,
        buried: RankedCards,
    ) -> Knowledge {
        let seen = self.played.plus_unchecked(hand).plus_unchecked(buried);
        Knowledge {
            unseen: judge.ranked(Faces::FULL).less_unchecked(seen),
            voids: [1, 2, 3].map(|steps| self.shown(seat.after(steps)).voids),
        }
    }
}
