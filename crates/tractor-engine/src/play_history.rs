//! What the others have played so far, and how much of it a hand does not explain.

use tractor::{Memory, RankedCards, Seat, Shown, Trick, View};

use crate::beliefs::Beliefs;
use crate::seat_state::SeatState;

/// The plays of the other three seats, each with what that seat saw when it was made.
#[derive(Debug, Default)]
pub(crate) struct PlayHistory {
    plays: Vec<Play>,
}

/// One play, and the moment before it.
#[derive(Debug)]
struct Play {
    /// Which play of the round it was.
    number: usize,
    seat: Seat,
    cards: RankedCards,
    /// All that the seat has played from then on, these cards included.
    since: RankedCards,
    played: RankedCards,
    shown: [Shown; 4],
    held: [u32; 4],
    trick: Option<Trick>,
    pot: u32,
}

impl PlayHistory {
    /// Reads the tricks of a view. What was thrown in vain is left out: it was not what was meant.
    pub(crate) fn read(beliefs: &Beliefs, view: &View) -> Self {
        let judge = *beliefs.tables().judge();
        let mut plays = Vec::new();
        let mut memory = Memory::default();
        let mut number = 0;
        for seen in view.tricks.iter().chain(&view.open) {
            let mut trick: Option<Trick> = None;
            let mut pot = 0;
            for (place, cards) in seen.plays.iter().enumerate() {
                let seat = seen.leader.after(place);
                let cards = judge.ranked(cards.faces());
                let failed = place == 0 && seen.failed.is_some();
                if seat != beliefs.seat && !failed {
                    plays.push(Play {
                        number,
                        seat,
                        cards,
                        since: RankedCards::EMPTY,
                        played: memory.played(),
                        shown: Seat::ALL.map(|seat| memory.shown(seat)),
                        held: [0; 4],
                        trick,
                        pot,
                    });
                }
                match &mut trick {
                    None => {
                        let Ok(lead) = judge.lead(cards) else {
                            return Self::default();
                        };
                        memory.note_lead(&judge, &lead, seat);
                        trick = Some(Trick::new(lead, &judge));
                    }
                    Some(open) => {
                        let lead = *open.lead();
                        open.play(&judge, cards);
                        memory.note_follow(&judge, &lead, seat, cards);
                    }
                }
                pot += judge.points(cards);
                number += 1;
            }
        }
        let mut history = Self { plays };
        history.count_back(beliefs, view, number);
        history
    }

    /// Fills in what was held and what came after, from the hands of now.
    fn count_back(&mut self, beliefs: &Beliefs, view: &View, mut number: usize) {
        let judge = *beliefs.tables().judge();
        let mut held = beliefs.held;
        let mut since = [RankedCards::EMPTY; 4];
        let mut plays = self.plays.iter_mut().rev().peekable();
        for seen in view.tricks.iter().chain(&view.open).rev() {
            for (place, cards) in seen.plays.iter().enumerate().rev() {
                let seat = seen.leader.after(place);
                let cards = judge.ranked(cards.faces());
                held[seat.index()] += u32::try_from(cards.len()).unwrap_or(0);
                let after = &mut since[seat.index()];
                *after = after.plus_unchecked(cards);
                number -= 1;
                if let Some(play) = plays.next_if(|play| play.number == number) {
                    play.held = held;
                    play.since = *after;
                }
            }
        }
    }

    /// How many plays of a seat are not what the heuristic would have played with this hand.
    pub(crate) fn unexplained(
        &self,
        beliefs: &Beliefs,
        seat: Seat,
        hand: RankedCards,
        kitty: RankedCards,
    ) -> u32 {
        let unexplained = |play: &&Play| play.state(beliefs, hand, kitty).choose() != play.cards;
        let plays = self.plays.iter().filter(|play| play.seat == seat);
        u32::try_from(plays.filter(unexplained).count()).unwrap_or(u32::MAX)
    }
}

impl Play {
    /// What the seat saw, had it the cards of `hand` left now.
    fn state<'a>(
        &'a self,
        beliefs: &'a Beliefs,
        hand: RankedCards,
        kitty: RankedCards,
    ) -> SeatState<'a> {
        let tables = beliefs.tables();
        let hand = hand.plus_unchecked(self.since);
        let buried = (beliefs.burier() == Some(self.seat)).then_some(kitty);
        SeatState {
            tables,
            seat: self.seat,
            hand,
            unseen: tables
                .full()
                .less_unchecked(self.played)
                .less_unchecked(hand)
                .less_unchecked(buried.unwrap_or_default()),
            shown: self.shown,
            held: self.held,
            buried,
            defending: beliefs.defending(),
            attackers: 0,
            trick: self.trick.as_ref(),
            pot: self.pot,
        }
    }
}
