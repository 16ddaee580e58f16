//! Leading, following, taking back (Rules 2.6, 3.2 to 3.4).

use alloc::vec;
use alloc::vec::Vec;

use super::{FailedThrow, Phase, PlayedTrick, Round, RoundError};
use crate::card_set::CardSet;
use crate::judge::Judge;
use crate::lead::Lead;
use crate::memory::Memory;
use crate::ranked_cards::RankedCards;
use crate::rules::ThrowMode;
use crate::seat::Seat;
use crate::throw::Knowledge;
use crate::trick::Trick;
use crate::view::SeenTrick;

/// Notes the plays of a trick, finished or open.
pub(crate) fn note_trick(memory: &mut Memory, judge: &Judge, leader: Seat, plays: &[CardSet]) {
    let mut plays = plays.iter().map(|play| judge.ranked(play.faces()));
    let Some(lead) = plays.next().and_then(|lead| judge.lead(lead).ok()) else {
        return;
    };
    memory.note_lead(judge, &lead, leader);
    for (offset, play) in plays.enumerate() {
        memory.note_follow(judge, &lead, leader.after(offset + 1), play);
    }
}

impl Round {
    /// What everyone can know from the plays so far.
    pub fn memory(&self, judge: &Judge) -> Memory {
        let open = match &self.phase {
            Phase::Playing(playing) => playing.lead.map(|_| (playing.leader, &playing.plays[..])),
            _ => None,
        };
        let tricks = self
            .tricks()
            .iter()
            .map(|trick| (trick.leader, &trick.plays[..]));
        let mut memory = Memory::default();
        for (leader, plays) in tricks.chain(open) {
            note_trick(&mut memory, judge, leader, plays);
        }
        memory
    }

    /// What a seat knows when it is to lead: the cards unseen, and who has shown what void (Rule 3.2.5).
    pub fn knowledge(&self, judge: &Judge, seat: Seat) -> Knowledge {
        let buried = match self.buried_by {
            Some(by) if by == seat => self.kitty,
            _ => CardSet::EMPTY,
        };
        let [hand, buried] = [self.hand(seat), buried].map(|cards| judge.ranked(cards.faces()));
        self.memory(judge).knowledge(judge, seat, hand, buried)
    }

    /// The cards of failed throws that went back and have not been played since (Rule 3.2.14).
    pub fn exposed(&self) -> [CardSet; 4] {
        let mut exposed = [CardSet::EMPTY; 4];
        let open = match &self.phase {
            Phase::Playing(playing) => playing.failed.map(|failed| (playing.leader, failed)),
            _ => None,
        };
        let finished = self
            .tricks()
            .iter()
            .filter_map(|trick| Some((trick.leader, trick.failed?)));
        for (leader, failed) in finished.chain(open) {
            let hand = self.hand(leader);
            let known = failed.cards.iter().filter(|&card| hand.has(card));
            let seat = &mut exposed[leader.index()];
            *seat = seat.iter().chain(known).collect();
        }
        exposed
    }

    /// The open trick as all see it, once it has a lead.
    pub(crate) fn open_trick(&self) -> Option<SeenTrick> {
        let Phase::Playing(playing) = &self.phase else {
            return None;
        };
        playing.lead?;
        Some(SeenTrick {
            leader: playing.leader,
            plays: playing.plays.clone(),
            ahead: self.ahead(&self.judge()),
            points: playing.plays.iter().map(|play| play.faces().points()).sum(),
            parts: playing.parts.clone(),
            failed: playing.failed.map(|failed| failed.seen(&self.setup.rules)),
        })
    }

    /// The lead of the open trick, if there is one.
    pub fn lead(&self) -> Option<Lead> {
        match &self.phase {
            Phase::Playing(playing) => playing.lead,
            _ => None,
        }
    }

    pub(super) fn play(
        &mut self,
        seat: Seat,
        cards: CardSet,
        parts: Option<&[CardSet]>,
    ) -> Result<(), RoundError> {
        let playing = match &self.phase {
            Phase::Playing(playing) => playing,
            Phase::Over(_) => return Err(RoundError::Over),
            _ => return Err(RoundError::NotPlaying),
        };
        let turn = playing.turn();
        if turn != seat {
            return Err(RoundError::OutOfTurn { turn });
        }
        if cards.is_empty() {
            return Err(RoundError::NoCards);
        }
        self.held(seat, cards)?;
        let judge = self.judge();
        let play = judge.ranked(cards.faces());
        match playing.lead {
            None => {
                let (lead, failed) = self.judge_lead(&judge, seat, play, parts)?;
                self.put_lead(&judge, cards, lead, failed);
                if failed.is_none()
                    && let Phase::Playing(playing) = &mut self.phase
                {
                    playing.parts = parts.map(<[CardSet]>::to_vec);
                }
            }
            Some(_) if parts.is_some() => return Err(RoundError::NotLeading),
            Some(lead) => {
                let hand = judge.ranked(self.hand(seat).faces());
                judge
                    .follow(&lead, hand, play)
                    .map_err(RoundError::Follow)?;
                self.put(seat, cards);
            }
        }
        self.end_trick(&judge);
        Ok(())
    }

    /// What is really led, and who stopped the throw, if it failed.
    fn judge_lead(
        &self,
        judge: &Judge,
        seat: Seat,
        play: RankedCards,
        parts: Option<&[CardSet]>,
    ) -> Result<(Lead, Option<Seat>), RoundError> {
        let lead = match parts {
            None => judge.lead(play),
            Some(_) if !judge.rules().name_grouping => {
                return Err(RoundError::Off("name_grouping"));
            }
            Some(parts) => {
                let parts: Vec<RankedCards> = parts
                    .iter()
                    .map(|part| judge.ranked(part.faces()))
                    .collect();
                judge.grouped_lead(&parts)
            }
        };
        let known = self.knowledge(judge, seat);
        let lead = lead
            .and_then(|lead| judge.allow(lead, &known))
            .map_err(RoundError::Lead)?;
        if judge.rules().throw_mode == ThrowMode::Certain {
            return Ok((lead, None));
        }
        let others = [1, 2, 3].map(|offset| judge.ranked(self.hand(seat.after(offset)).faces()));
        let outcome = judge.challenge(lead, others);
        Ok((
            outcome.lead,
            outcome.stopper.map(|offset| seat.after(offset)),
        ))
    }

    fn put_lead(&mut self, judge: &Judge, shown: CardSet, lead: Lead, stopper: Option<Seat>) {
        let cards = shown
            .pick(judge.faces(lead.cards()))
            .expect("what is led is part of what was shown");
        let defending = self.defending();
        let Phase::Playing(playing) = &mut self.phase else {
            return;
        };
        let leader = playing.leader;
        playing.lead = Some(lead);
        playing.failed = stopper.map(|by| FailedThrow { cards: shown, by });
        if stopper.is_some() {
            let penalty = i32::from(self.setup.rules.throw_penalty);
            let sign = if leader.team() == defending { 1 } else { -1 };
            self.points.penalty += sign * penalty;
        }
        self.put(leader, cards);
    }

    /// Moves cards from a hand to the open trick.
    fn put(&mut self, seat: Seat, cards: CardSet) {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.less(cards).expect("the cards were found in the hand");
        if let Phase::Playing(playing) = &mut self.phase {
            playing.plays.push(cards);
        }
    }

    /// Who was ahead after each play of the open trick.
    pub(super) fn ahead(&self, judge: &Judge) -> Vec<Seat> {
        let Phase::Playing(playing) = &self.phase else {
            return Vec::new();
        };
        let Some(lead) = playing.lead else {
            return Vec::new();
        };
        let mut trick = Trick::new(lead, judge);
        let mut ahead = vec![playing.leader];
        for play in &playing.plays[1..] {
            trick.play(judge, judge.ranked(play.faces()));
            ahead.push(playing.leader.after(trick.winner()));
        }
        ahead
    }

    fn end_trick(&mut self, judge: &Judge) {
        let ahead = self.ahead(judge);
        let Phase::Playing(playing) = &mut self.phase else {
            return;
        };
        let (Ok(ahead), Ok(plays)) = (
            <[Seat; 4]>::try_from(ahead),
            <[CardSet; 4]>::try_from(&playing.plays[..]),
        ) else {
            return;
        };
        let trick = PlayedTrick {
            leader: playing.leader,
            plays,
            ahead,
            failed: playing.failed.take(),
        };
        let winner = trick.winner();
        self.points.taken[winner.team().index()] += trick.points();
        playing.plays.clear();
        playing.lead = None;
        playing.parts = None;
        playing.leader = winner;
        if self.hands.iter().all(|hand| hand.is_empty()) {
            let tricks = core::mem::take(&mut playing.tricks);
            self.finish(judge, tricks, trick);
        } else {
            playing.tricks.push(trick);
        }
    }

    pub(super) fn take_back(&mut self, seat: Seat) -> Result<(), RoundError> {
        self.check_take_back(seat)?;
        let Phase::Playing(playing) = &mut self.phase else {
            return Err(RoundError::NotPlaying);
        };
        let cards = playing.plays.pop().ok_or(RoundError::NothingToTakeBack)?;
        if playing.plays.is_empty() {
            playing.lead = None;
            playing.parts = None;
        }
        let hand = &mut self.hands[seat.index()];
        *hand = hand.plus(cards).expect("no card is in two places");
        Ok(())
    }
}
