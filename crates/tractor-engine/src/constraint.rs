//! Constraints on the hidden hands beyond counts and voids: what follows and throws imply.

use tractor::{
    FollowPolicy, Knowledge, Lead, Memory, RankedCards, Seat, SeenTrick, ThrowMode, View,
};

use crate::beliefs::{Beliefs, HOLDERS, KITTY};

/// Something that happened, and what it says about the hands of now. `since` is always what a seat has played from
/// that moment on, so that its hand of then is its hand of now and `since`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Constraint {
    /// A holder followed a lead of pairs: it held nothing that would have been owed instead (Rule 3.3).
    Followed {
        holder: usize,
        lead: Lead,
        play: RankedCards,
        since: RankedCards,
    },
    /// A holder threw, and could prove that nothing beats it (Rule 3.2): what could have is its own, or it buried it.
    Proved {
        holder: usize,
        lead: Lead,
        since: RankedCards,
        played: RankedCards,
        voids: [u8; 3],
        buried: bool,
    },
    /// A throw met the real hands of the other three, in turn order from the leader (Rule 3.2.12).
    Thrown {
        leader: Seat,
        shown: RankedCards,
        led: RankedCards,
        stopper: Option<usize>,
        announced: bool,
        since: [RankedCards; 3],
    },
}

/// Reads the constraints out of the tricks of a view; those that can no longer be violated are left out.
pub(crate) fn read(beliefs: &mut Beliefs, view: &View) {
    let judge = *beliefs.tables().judge();
    let tricks: Vec<&SeenTrick> = view.tricks.iter().chain(&view.open).collect();
    let lay = |trick: &SeenTrick| -> Vec<RankedCards> {
        let plays = trick.plays.iter();
        plays.map(|play| judge.ranked(play.faces())).collect()
    };
    let mut before = Vec::new();
    let mut memory = Memory::default();
    for trick in &tricks {
        before.push(memory);
        let plays = lay(trick);
        if let Some(Ok(lead)) = plays.first().map(|lead| judge.lead(*lead)) {
            memory.note_lead(&judge, &lead, trick.leader);
            for (place, play) in plays.iter().enumerate().skip(1) {
                memory.note_follow(&judge, &lead, trick.leader.after(place), *play);
            }
        }
    }
    let mut since = [RankedCards::EMPTY; 4];
    let mut constraints = Vec::new();
    for (place, trick) in tricks.iter().enumerate().rev() {
        let plays = lay(trick);
        for (offset, play) in plays.iter().enumerate() {
            let after = &mut since[trick.leader.after(offset).index()];
            *after = after.plus_unchecked(*play);
        }
        let lead = if place == view.tricks.len() {
            view.lead(&judge)
        } else {
            plays.first().and_then(|lead| judge.lead(*lead).ok())
        };
        if let Some(lead) = lead {
            let scene = Scene {
                beliefs,
                view,
                trick,
                lead,
                plays: &plays,
                since: &since,
                before: &before[place],
            };
            scene.followed(&mut constraints);
            scene.thrown(&mut constraints);
            let barred = scene.barred();
            for (mask, more) in beliefs.barred.iter_mut().zip(barred) {
                *mask |= more;
            }
        }
    }
    beliefs.constraints = constraints;
}

/// A trick, and what had been played before and was played after it.
struct Scene<'a> {
    beliefs: &'a Beliefs,
    view: &'a View,
    trick: &'a SeenTrick,
    lead: Lead,
    plays: &'a [RankedCards],
    since: &'a [RankedCards; 4],
    before: &'a Memory,
}

impl Scene<'_> {
    fn followed(&self, constraints: &mut Vec<Constraint>) {
        let policy = self.view.rules.follow_policy;
        let strict = policy == FollowPolicy::Strict && self.lead.shape().pairs() > 0;
        if policy == FollowPolicy::Free || !strict && self.lead.shape().tractors() == 0 {
            return;
        }
        for (offset, play) in self.plays.iter().enumerate().skip(1) {
            let seat = self.trick.leader.after(offset);
            let holder = self.beliefs.holder(seat);
            // Without a pair in hand, nothing but what it played could have been owed.
            if seat != self.beliefs.seat && !self.beliefs.is_pairless(holder, self.lead.group()) {
                constraints.push(Constraint::Followed {
                    holder,
                    lead: self.lead,
                    play: *play,
                    since: self.since[seat.index()],
                });
            }
        }
    }

    /// Faces that a holder cannot have: it has shown that it had no pair of the led group, and has played one copy
    /// since, so the other is not its own.
    fn barred(&self) -> [u64; HOLDERS] {
        let mut barred = [0; HOLDERS];
        if self.view.rules.follow_policy == FollowPolicy::Free {
            return barred;
        }
        let mask = self.beliefs.tables().mask(self.lead.group());
        for (offset, play) in self.plays.iter().enumerate().skip(1) {
            let seat = self.trick.leader.after(offset);
            let inside = play.any() & !mask == 0;
            if seat != self.beliefs.seat && inside && play.pairs() < self.lead.shape().pairs() {
                barred[self.beliefs.holder(seat)] = self.since[seat.index()].any() & mask;
            }
        }
        barred
    }

    fn thrown(&self, constraints: &mut Vec<Constraint>) {
        let judge = self.beliefs.tables().judge();
        let leader = self.trick.leader;
        if self.view.rules.throw_mode == ThrowMode::Certain {
            if self.lead.is_throw() && leader != self.beliefs.seat {
                let constraint = Constraint::Proved {
                    holder: self.beliefs.holder(leader),
                    lead: self.lead,
                    since: self.since[leader.index()],
                    played: self.before.played(),
                    voids: [1, 2, 3].map(|steps| self.before.shown(leader.after(steps)).voids),
                    buried: self.view.buried_by == Some(leader),
                };
                if !self
                    .beliefs
                    .holds(&constraint, &[RankedCards::EMPTY; HOLDERS])
                {
                    constraints.push(constraint);
                }
            }
            return;
        }
        // A throw whose grouping the leader named is judged by that grouping, which is not kept.
        let shown = self
            .trick
            .failed
            .map_or(self.trick.plays[0], |failed| failed.cards);
        let shown = judge.ranked(shown.faces());
        let throw = judge.lead(shown).is_ok_and(|lead| lead.is_throw());
        if throw && !self.view.rules.name_grouping {
            let by = self.trick.failed.and_then(|failed| failed.by);
            constraints.push(Constraint::Thrown {
                leader,
                shown,
                led: self.plays[0],
                stopper: by.map(|by| (by.index() + 4 - leader.index()) % 4),
                announced: by.is_some() || self.trick.failed.is_none(),
                since: [1, 2, 3].map(|steps| self.since[leader.after(steps).index()]),
            });
        }
    }
}

impl Constraint {
    /// The slots of the cards it speaks of.
    pub(crate) fn mask(&self, beliefs: &Beliefs) -> u64 {
        let group = match self {
            Self::Followed { lead, .. } | Self::Proved { lead, .. } => Some(lead.group()),
            Self::Thrown { shown, .. } => beliefs.tables().judge().group(*shown),
        };
        group.map_or(u64::MAX, |group| beliefs.tables().mask(group))
    }
}

impl Beliefs {
    /// Whether hands agree with everything that constraints tell.
    pub(crate) fn is_bound(&self, hands: &[RankedCards; HOLDERS]) -> bool {
        self.constraints
            .iter()
            .all(|constraint| self.holds(constraint, hands))
    }

    /// Whether hands agree with one constraint.
    pub(crate) fn holds(&self, constraint: &Constraint, hands: &[RankedCards; HOLDERS]) -> bool {
        let judge = self.tables().judge();
        match *constraint {
            Constraint::Followed {
                holder,
                lead,
                play,
                since,
            } => judge
                .duty(&lead, hands[holder].plus_unchecked(since))
                .allows(play),
            Constraint::Proved {
                holder,
                lead,
                since,
                played,
                voids,
                buried,
            } => {
                let mut unseen = self
                    .tables()
                    .full()
                    .less_unchecked(played)
                    .less_unchecked(since)
                    .less_unchecked(hands[holder]);
                if buried {
                    unseen = unseen.less_unchecked(hands[KITTY]);
                }
                judge.allow(lead, &Knowledge { unseen, voids }).is_ok()
            }
            Constraint::Thrown {
                leader,
                shown,
                led,
                stopper,
                announced,
                since,
            } => {
                let others = [1, 2, 3].map(|steps| {
                    let seat = leader.after(steps);
                    let hand = if seat == self.seat {
                        self.hand
                    } else {
                        hands[self.holder(seat)]
                    };
                    hand.plus_unchecked(since[steps - 1])
                });
                judge.lead(shown).is_ok_and(|lead| {
                    let outcome = judge.challenge(lead, others);
                    outcome.lead.cards() == led && (!announced || outcome.stopper == stopper)
                })
            }
        }
    }
}
