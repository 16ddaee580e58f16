//! A world in play: all four hands, cheap to copy, played on without a check.

use tractor::{
    Group, KittyBonus, Knowledge, Memory, RankedCards, Seat, Shown, Team, ThrowMode, Trick,
};

use crate::seat_state::SeatState;
use crate::trump_tables::TrumpTables;

/// All cards of a round in play, and what has happened so far. A play-out works on copies of it.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// The four hands.
    pub hands: [RankedCards; 4],
    /// What is buried.
    pub kitty: RankedCards,
    /// Who buried it.
    pub burier: Option<Seat>,
    /// Who defends.
    pub defending: Team,
    /// The attackers' points so far; at the end with the kitty's bonus.
    pub attackers: i32,
    /// What everyone has seen.
    pub memory: Memory,
    /// Who leads the open trick.
    pub leader: Seat,
    /// The open trick, once it has a lead.
    pub trick: Option<Trick>,
    /// The points in it.
    pub pot: u32,
}

impl World {
    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Seat {
        self.leader
            .after(self.trick.as_ref().map_or(0, Trick::played))
    }

    /// Whether all cards are played.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.trick.is_none() && self.hands[self.leader.index()].is_empty()
    }

    /// The information state of the seat whose turn it is.
    #[inline]
    pub fn state<'a>(&'a self, tables: &'a TrumpTables) -> SeatState<'a> {
        let seat = self.turn();
        let hand = self.hands[seat.index()];
        let own = self.burier == Some(seat);
        let buried = if own { self.kitty } else { RankedCards::EMPTY };
        SeatState {
            tables,
            seat,
            hand,
            unseen: tables
                .full()
                .less_unchecked(self.memory.played())
                .less_unchecked(hand)
                .less_unchecked(buried),
            shown: Seat::ALL.map(|seat| self.memory.shown(seat)),
            held: self
                .hands
                .map(|hand| hand.any().count_ones() + hand.pair().count_ones()),
            buried: own.then_some(buried),
            defending: self.defending,
            attackers: self.attackers,
            trick: self.trick.as_ref(),
            pot: self.pot,
        }
    }

    /// What the seat to lead can know, for the legality of throws.
    pub fn knowledge(&self, tables: &TrumpTables) -> Knowledge {
        let state = self.state(tables);
        Knowledge {
            unseen: state.unseen,
            voids: [1, 2, 3].map(|steps| state.shown(state.seat.after(steps)).voids),
        }
    }

    /// What a seat has shown.
    #[inline]
    pub const fn shown(&self, seat: Seat) -> Shown {
        self.memory.shown(seat)
    }

    /// Plays cards for the seat whose turn it is; they are taken to be legal.
    ///
    /// A throw under `throw_mode = challenge` meets the hands of this world.
    #[inline]
    pub fn play(&mut self, tables: &TrumpTables, cards: RankedCards) {
        let judge = tables.judge();
        let seat = self.turn();
        let Some(trick) = &mut self.trick else {
            let Ok(mut lead) = judge.lead(cards) else {
                return;
            };
            if lead.is_throw() && judge.rules().throw_mode == ThrowMode::Challenge {
                let others = [1, 2, 3].map(|steps| self.hands[seat.after(steps).index()]);
                let outcome = judge.challenge(lead, others);
                lead = outcome.lead;
                if outcome.stopper.is_some() {
                    let penalty = i32::from(judge.rules().throw_penalty);
                    let against = seat.team() == self.defending;
                    self.attackers += if against { penalty } else { -penalty };
                }
            }
            self.take(seat, lead.cards());
            self.memory.note_lead(judge, &lead, seat);
            self.trick = Some(Trick::new(lead, judge));
            self.pot = judge.points(lead.cards());
            return;
        };
        let lead = *trick.lead();
        trick.play(judge, cards);
        let ended = (trick.played() == 4).then(|| self.leader.after(trick.winner()));
        self.memory.note_follow(judge, &lead, seat, cards);
        self.pot += judge.points(cards);
        self.take(seat, cards);
        if let Some(winner) = ended {
            self.end_trick(tables, lead.cards(), winner);
        }
    }

    #[inline]
    fn take(&mut self, seat: Seat, cards: RankedCards) {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.less_unchecked(cards);
    }

    #[inline]
    fn end_trick(&mut self, tables: &TrumpTables, led: RankedCards, winner: Seat) {
        let attacked = winner.team() != self.defending;
        if attacked {
            self.attackers += self.pot.cast_signed();
        }
        self.trick = None;
        self.pot = 0;
        self.leader = winner;
        if attacked && self.hands[winner.index()].is_empty() {
            let points = tables.judge().points(self.kitty).cast_signed();
            if points > 0 {
                let times = KittyBonus::multiplier(tables.judge(), led);
                self.attackers = self.attackers.saturating_add(points.saturating_mul(times));
            }
        }
    }

    /// How many tricks of singles are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.hands[self.leader.index()].len()
    }

    /// Whether a seat has shown that it has no card of a group.
    #[inline]
    pub fn is_void(&self, seat: Seat, group: Group) -> bool {
        self.memory.shown(seat).is_void(group)
    }
}
