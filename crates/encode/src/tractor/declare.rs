//! Declaring: the trump, who starts and who defends, and who is asked.

use tractor::{Bid, FirstStarter, Judge, NoBid, RankedCards, Seat, Stage, Team, Trump};

use super::actions::BIDS;
use super::env::Env;

impl Env {
    /// The trump as it stands.
    pub(super) fn trump(&self) -> Trump {
        let Some(rank) = self.setup.level().rank() else {
            return Trump::JOKERS;
        };
        let suit = match (self.standing, self.revealed) {
            (Some((_, bid)), _) => bid.suit(),
            (None, Some(card)) => card.face().suit(),
            (None, None) => None,
        };
        Trump::new(rank, suit)
    }

    /// Ranks all cards anew where the trump has changed.
    fn rank_anew(&mut self) {
        let trump = self.trump();
        if trump == self.judge.trump() {
            return;
        }
        let judge = Judge::new(trump, self.options.rules);
        let before = self.judge;
        let anew = |cards: RankedCards| judge.ranked(before.faces(cards));
        self.hands = self.hands.map(anew);
        self.kitty = anew(self.kitty);
        self.judge = judge;
    }

    fn declarer(&self) -> Option<Seat> {
        let seat = match self.options.rules.first_starter {
            FirstStarter::WinningBid => self.standing.map(|(seat, _)| seat),
            FirstStarter::FirstBid => self.first_bidder,
        };
        seat.filter(|_| self.setup.number == 1)
    }

    /// Who starts, as it stands.
    pub fn starter(&self) -> Seat {
        self.declarer().unwrap_or(self.setup.start.starter)
    }

    /// Who defends, as it stands.
    pub fn defending(&self) -> Team {
        self.declarer()
            .map_or(self.setup.start.defending, Seat::team)
    }

    pub(super) fn bids(&self, seat: Seat) -> impl Iterator<Item = (Bid, RankedCards)> {
        let rank = self.setup.level().rank();
        let hidden = self.options.rules.decl_offer == tractor::DeclOffer::PairOnly;
        BIDS.into_iter().filter_map(move |bid| {
            let face = bid.face(rank)?;
            let bit = 1 << self.judge.slot(face);
            let hand = self.hands[seat.index()];
            let twice = hand.pair() & bit != 0;
            let held = if bid.len() == 2 {
                twice
            } else {
                hand.any() & bit != 0 && !(hidden && twice)
            };
            let allowed =
                held && tractor::may_declare(&self.options.rules, self.standing, seat, bid).is_ok();
            let pair = if bid.len() == 2 { bit } else { 0 };
            allowed.then(|| RankedCards::from_planes(bit, pair).map(|cards| (bid, cards)))?
        })
    }

    pub(super) fn declare(&mut self, bid: Bid) {
        let seat = self.asked;
        self.standing = Some((seat, bid));
        self.first_bidder = self.first_bidder.or(Some(seat));
        self.rank_anew();
        if self.stage == Stage::Stealing {
            self.take_kitty(seat);
            return;
        }
        self.passed = [false; 4];
        self.asked = seat.next();
        self.ask();
    }

    pub(super) fn pass(&mut self) {
        self.passed[self.asked.index()] = true;
        self.asked = self.asked.next();
        self.ask();
    }

    /// Finds who is asked to declare; who can declare nothing passes.
    pub(super) fn ask(&mut self) {
        for _ in 0..4 {
            let seat = self.asked;
            if !self.passed[seat.index()] && self.bids(seat).next().is_some() {
                return;
            }
            self.passed[seat.index()] = true;
            self.asked = seat.next();
        }
        if self.stage == Stage::Stealing {
            self.begin_play();
        } else {
            if self.options.rules.no_bid == NoBid::RevealKitty && self.standing.is_none() {
                self.revealed = Some(self.first_of_kitty);
                self.rank_anew();
            }
            self.take_kitty(self.starter());
        }
    }

    fn take_kitty(&mut self, seat: Seat) {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.plus_unchecked(self.kitty);
        self.kitty = RankedCards::EMPTY;
        self.buried_by = None;
        self.stage = Stage::Burying;
        self.asked = seat;
        self.passed = [false; 4];
    }
}
