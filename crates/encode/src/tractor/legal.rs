//! The legal actions of the seat that is to act, in both forms.

use arrayvec::ArrayVec;
use cotulenh::SplitMix64;
use tractor::{Duty, Judge, Knowledge, RankedCards, Stage};

use super::actions::{END, FIRST_BID, PASS};
use super::env::Env;
use super::options::Form;

/// The most candidates that are listed. Leads begin with all singles, pairs and tractors, of which there are always fewer; further
/// throws are left out. Of more follows than this, so many are drawn at random, each at most once; in practice that is a follower who is
/// out of the led suit and throws three or more cards away.
pub const CANDIDATES: usize = 128;

/// The actions that are legal now.
#[derive(Debug, Clone)]
pub(super) struct Legal {
    pub(super) candidates: ArrayVec<RankedCards, CANDIDATES>,
    pub(super) mask: u128,
    /// Draws the follows where there are too many.
    rng: SplitMix64,
}

impl Legal {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            candidates: ArrayVec::new(),
            mask: 0,
            rng: SplitMix64::new(seed),
        }
    }

    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.mask = 0;
    }

    pub(super) fn count(&self, form: Form) -> usize {
        match form {
            Form::Candidates => self.candidates.len(),
            Form::CardByCard => self.mask.count_ones() as usize,
        }
    }

    /// Lists the follows of a duty.
    fn list_follows(&mut self, duty: &Duty<'_>) {
        let mut plays = duty.plays();
        self.candidates.extend(plays.by_ref().take(CANDIDATES));
        if plays.next().is_none() {
            return;
        }
        self.candidates.clear();
        for _ in 0..CANDIDATES {
            let mut below = |limit: u32| u32::try_from(self.rng.below(limit as usize)).unwrap_or(0);
            let play = duty.random(&mut below);
            if !self.candidates.contains(&play) {
                self.candidates.push(play);
            }
        }
    }
}

impl Env {
    /// Lists what is legal now.
    pub(super) fn list(&mut self) {
        self.legal.clear();
        match self.options.form {
            Form::Candidates => self.list_candidates(),
            Form::CardByCard => self.legal.mask = self.list_numbers(),
        }
    }

    fn list_candidates(&mut self) {
        let hand = self.hands[self.asked.index()];
        match (self.stage, &self.trick) {
            (Stage::Over, _) => {}
            (Stage::Burying, _) => {
                let free = hand.less_unchecked(self.laid);
                self.legal.candidates.extend(singles(free.any()));
            }
            (Stage::Playing, Some(trick)) => {
                self.legal
                    .list_follows(&self.judge.duty(trick.lead(), hand));
            }
            (Stage::Playing, None) => {
                let known = self.known();
                let leads = self.judge.leads(hand, &known);
                self.legal.candidates.extend(leads.take(CANDIDATES));
            }
            (Stage::Dealing | Stage::Stealing, _) => {
                let bids: ArrayVec<RankedCards, 12> =
                    self.bids(self.asked).map(|(_, cards)| cards).collect();
                self.legal.candidates.push(RankedCards::EMPTY);
                self.legal.candidates.extend(bids);
            }
        }
    }

    fn list_numbers(&self) -> u128 {
        let hand = self.hands[self.asked.index()];
        let free = hand.less_unchecked(self.laid);
        let cards = |allowed: &dyn Fn(RankedCards) -> bool| {
            let more = singles(free.any()).filter(|card| allowed(self.laid.plus_unchecked(*card)));
            more.fold(0, |mask, card| mask | u128::from(card.any()))
        };
        match (self.stage, &self.trick) {
            (Stage::Over, _) => 0,
            (Stage::Burying, _) => free.any().into(),
            (Stage::Playing, Some(trick)) => {
                let duty = self.judge.duty(trick.lead(), hand);
                cards(&|part| duty.can_hold(part))
            }
            (Stage::Playing, None) if self.laid.is_empty() => hand.any().into(),
            (Stage::Playing, None) => {
                let known = self.known();
                let lead = self.judge.check_lead(hand, self.laid, &known);
                let end = u128::from(lead.is_ok()) << END;
                end | cards(&|part| can_lead(&self.judge, hand, part, &known))
            }
            (Stage::Dealing | Stage::Stealing, _) => {
                let numbers = self.bids(self.asked).filter_map(|(bid, _)| {
                    let at = super::BIDS.iter().position(|other| *other == bid)?;
                    Some(1 << (FIRST_BID + at))
                });
                numbers.fold(1 << PASS, |mask, bid: u128| mask | bid)
            }
        }
    }

    pub(super) fn known(&self) -> Knowledge {
        let seat = self.asked;
        let buried = match self.buried_by {
            Some(by) if by == seat => self.kitty,
            _ => RankedCards::EMPTY,
        };
        let hand = self.hands[seat.index()];
        self.memory.knowledge(&self.judge, seat, hand, buried)
    }
}

/// Whether some legal lead holds all these cards.
fn can_lead(judge: &Judge, hand: RankedCards, part: RankedCards, known: &Knowledge) -> bool {
    let Some(group) = judge.group(part) else {
        return false;
    };
    let own = judge.of_group(hand, group);
    judge.check_lead(hand, part, known).is_ok()
        || judge.tractors(own).any(|tractor| tractor.contains(part))
        || judge.leads(own, known).any(|lead| lead.contains(part))
}

/// One card of each slot.
fn singles(slots: u64) -> impl Iterator<Item = RankedCards> {
    let mut rest = slots;
    core::iter::from_fn(move || {
        let bit = rest & rest.wrapping_neg();
        rest &= !bit;
        RankedCards::from_planes(bit, 0).filter(|_| bit != 0)
    })
}
