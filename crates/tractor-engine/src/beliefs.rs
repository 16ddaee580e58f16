//! A view, read for a decision: the table without the hidden cards.

use tractor::{CardSet, Face, Group, Memory, RankedCards, Seat, Team, Trick, View};

use crate::constraint::{self, Constraint};
use crate::declare::shows;
use crate::seat_state::SeatState;
use crate::trump_tables::TrumpTables;
use crate::weights::Weights;
use crate::world::World;

/// Where a hidden card may lie: the three others in turn order, then the kitty.
pub(crate) const HOLDERS: usize = 4;
/// The kitty among the holders.
pub(crate) const KITTY: usize = 3;

/// All that one seat knows in the middle of play, read out of its [`View`].
///
/// ```
/// # use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// # use tractor_engine::{Beliefs, Weights};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// let starter = round.starter();
/// let cards = round.hand(starter).iter().take(8).collect();
/// round.apply(Event::Bury { seat: starter, cards })?;
/// let beliefs = Beliefs::of(&View::of(&round, Some(starter)), Weights::NORMAL).expect("a seat in play");
/// assert_eq!(beliefs.state().unseen.len(), 75);
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Beliefs {
    pub(crate) tables: TrumpTables,
    pub(crate) seat: Seat,
    pub(crate) hand: RankedCards,
    pub(crate) unseen: RankedCards,
    /// What the viewer buried, if it did.
    pub(crate) buried: Option<RankedCards>,
    pub(crate) held: [u32; 4],
    pub(crate) memory: Memory,
    /// Cards known to lie with a holder, or with it or in the kitty: face, how many, holders as bits.
    pub(crate) known: Vec<(u32, usize, u8)>,
    pub(crate) constraints: Vec<Constraint>,
    /// Slots of which a holder cannot have a card.
    pub(crate) barred: [u64; HOLDERS],
    blank: World,
    trick: Option<Trick>,
}

impl Beliefs {
    /// Reads the view of a seat in play; `None` for an onlooker or in another phase.
    pub fn of(view: &View, weights: Weights) -> Option<Self> {
        let seat = view.viewer?;
        let tables = TrumpTables::new(view.trump, view.rules).with_weights(weights);
        let judge = *tables.judge();
        let lay = |cards: CardSet| judge.ranked(cards.faces());
        let memory = view.memory(&judge);
        let hand = lay(view.hand);
        let own = view.buried_by == Some(seat);
        let buried = view.kitty.filter(|_| own).map(lay);
        let trick = view.open.as_ref().and_then(|open| {
            let mut trick = Trick::new(view.lead(&judge)?, &judge);
            for play in open.plays.iter().skip(1) {
                trick.play(&judge, lay(*play));
            }
            Some(trick)
        });
        let pot = view.open.as_ref().map_or(0, |open| open.points);
        let leader = match &view.open {
            Some(open) => open.leader,
            None => view.turn.unwrap_or(view.starter),
        };
        let held = view.held.map(|cards| u32::try_from(cards).unwrap_or(0));
        let unseen = tables
            .full()
            .less_unchecked(memory.played())
            .less_unchecked(hand)
            .less_unchecked(buried.unwrap_or_default());
        let blank = World {
            hands: [RankedCards::EMPTY; 4],
            kitty: buried.unwrap_or_default(),
            burier: view.buried_by,
            defending: view.defending,
            attackers: view.attackers,
            memory,
            leader,
            trick,
            pot,
        };
        let mut beliefs = Self {
            tables,
            seat,
            hand,
            unseen,
            buried,
            held,
            memory,
            known: Vec::new(),
            constraints: Vec::new(),
            barred: [0; HOLDERS],
            blank,
            trick,
        };
        beliefs.read_known(view);
        constraint::read(&mut beliefs, view);
        Some(beliefs)
    }

    /// The tables of the trump.
    pub const fn tables(&self) -> &TrumpTables {
        &self.tables
    }

    /// Whose beliefs they are.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Who buried.
    pub(crate) const fn burier(&self) -> Option<Seat> {
        self.blank.burier
    }

    /// Who defends.
    pub(crate) const fn defending(&self) -> Team {
        self.blank.defending
    }

    /// The holder that a seat is: how many places after the viewer, less one.
    pub(crate) fn holder(&self, seat: Seat) -> usize {
        (seat.index() + 3 - self.seat.index()) % 4
    }

    /// The information state for the heuristic player.
    pub fn state(&self) -> SeatState<'_> {
        SeatState {
            tables: &self.tables,
            seat: self.seat,
            hand: self.hand,
            unseen: self.unseen,
            shown: Seat::ALL.map(|seat| self.memory.shown(seat)),
            held: self.held,
            buried: self.buried,
            defending: self.blank.defending,
            attackers: self.blank.attackers,
            trick: self.trick.as_ref(),
            pot: self.blank.pot,
        }
    }

    /// The table of a world: the hands of the three others in turn order, and the kitty.
    pub fn table(&self, others: [RankedCards; 3], kitty: RankedCards) -> World {
        let mut table = self.blank;
        table.hands[self.seat.index()] = self.hand;
        for (steps, hand) in others.into_iter().enumerate() {
            table.hands[self.seat.after(steps + 1).index()] = hand;
        }
        if self.buried.is_none() && kitty.len() <= 8 {
            table.kitty = kitty;
        }
        table
    }

    /// Cards of failed throws and of declarations, still somewhere known.
    fn read_known(&mut self, view: &View) {
        let judge = *self.tables.judge();
        let others: Vec<Seat> = (1..4).map(|steps| self.seat.after(steps)).collect();
        for &seat in &others {
            let holder = 1u8 << self.holder(seat);
            let mut counts = [0usize; Face::COUNT];
            for card in view.exposed[seat.index()].iter() {
                counts[card.face().index()] += 1;
            }
            let maybe_buried = may_have_buried(view, seat);
            for declaration in view.declarations.iter().filter(|bid| bid.seat == seat) {
                let Some((face, shown)) = shows(declaration.bid, view.trump.rank()) else {
                    continue;
                };
                let left = shown.saturating_sub(played_by(view, seat, face));
                match maybe_buried {
                    Buried::Never => {
                        counts[face.index()] = counts[face.index()].max(left);
                    }
                    Buried::Last if left > 0 => {
                        self.known
                            .push((judge.slot(face), left, holder | 1 << KITTY));
                    }
                    Buried::Last | Buried::Perhaps => {}
                }
            }
            for (index, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                if let Some(face) = Face::from_index(index) {
                    self.known.push((judge.slot(face), count, holder));
                }
            }
        }
        if let (Some(card), Some(by)) = (view.revealed, view.buried_by)
            && by != self.seat
            && played_by(view, by, card.face()) == 0
        {
            let slot = judge.slot(card.face());
            if !self.known.iter().any(|&(known, ..)| known == slot) {
                let holders = 1u8 << self.holder(by) | 1 << KITTY;
                self.known.push((slot, 1, holders));
            }
        }
    }

    /// Whether a holder has shown void in a group.
    pub(crate) fn is_void(&self, holder: usize, group: Group) -> bool {
        holder < KITTY
            && self
                .memory
                .shown(self.seat.after(holder + 1))
                .is_void(group)
    }

    /// Whether a holder may have a card of a slot, by what it has shown.
    pub(crate) fn may_hold(&self, holder: usize, slot: u32) -> bool {
        !self.is_void(holder, self.tables.group(slot)) && self.barred[holder] >> slot & 1 == 0
    }

    /// Whether a holder has shown that it has no pair in a group.
    pub(crate) fn is_pairless(&self, holder: usize, group: Group) -> bool {
        holder < KITTY
            && self
                .memory
                .shown(self.seat.after(holder + 1))
                .is_pairless(group)
    }
}

/// What may have become of cards that a seat showed when it declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Buried {
    /// It never held the kitty: they are in its hand, or played.
    Never,
    /// It buried last: they are in its hand or in the kitty.
    Last,
    /// The kitty went through several hands: nothing is known.
    Perhaps,
}

/// How many cards of a face a seat has played.
fn played_by(view: &View, seat: Seat, face: Face) -> usize {
    view.tricks
        .iter()
        .chain(&view.open)
        .filter_map(|trick| {
            let offset = (seat.index() + 4 - trick.leader.index()) % 4;
            trick.plays.get(offset)
        })
        .flat_map(|play| play.iter())
        .filter(|card| card.face() == face)
        .count()
}

/// Whether a seat may have put cards it showed into the kitty.
fn may_have_buried(view: &View, seat: Seat) -> Buried {
    if view.rules.kitty_theft {
        Buried::Perhaps
    } else if view.buried_by == Some(seat) {
        Buried::Last
    } else {
        Buried::Never
    }
}
