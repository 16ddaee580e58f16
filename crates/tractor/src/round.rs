//! A round from the first card dealt to its result (Rules 2.2 to 2.8).

mod error;
mod finish;
mod may;
mod phase;
mod play;
mod setup;

pub use error::RoundError;
pub use phase::{
    Burying, Dealing, FailedThrow, KittyBonus, Over, Phase, PlayedTrick, Playing, Points, Stealing,
};
pub(crate) use play::note_trick;
pub use setup::Setup;

use alloc::vec::Vec;

use crate::bid::{Bid, Declaration, DeclareError, may_declare};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::Deck;
use crate::event::Event;
use crate::judge::Judge;
use crate::rules::{FirstStarter, NoBid};
use crate::seat::{Seat, Team};
use crate::trump::Trump;

/// How many cards are buried.
pub const KITTY: usize = 8;

/// A round with all its hidden cards: what the table knows, and nobody else.
///
/// Every change is an [`Event`]; one that the rules forbid is refused and changes nothing. What a
/// seat may know of it is its [`View`](crate::View).
///
/// ```
/// use tractor::{Deck, Event, RoundError, Phase, Round, Rules, Seat, Seed, Setup};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// assert!(matches!(round.phase(), Phase::Burying(_)));
/// assert_eq!(round.hand(round.starter()).len(), 33);
///
/// let other = round.starter().next();
/// let cards = round.hand(other).iter().take(8).collect();
/// let before = round.clone();
/// assert!(matches!(
///     round.apply(Event::Bury { seat: other, cards }),
///     Err(RoundError::OutOfTurn { .. })
/// ));
/// assert_eq!(round, before);
/// # Ok::<_, RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    setup: Setup,
    deck: Deck,
    hands: [CardSet; 4],
    declarations: Vec<Declaration>,
    revealed: Option<Card>,
    /// The cards that lie face down: the dealt kitty, then the buried one. Empty in between.
    kitty: CardSet,
    buried_by: Option<Seat>,
    points: Points,
    phase: Phase,
    events: Vec<Event>,
}

impl Round {
    /// A round before its first card is dealt.
    pub fn new(setup: Setup, deck: Deck) -> Self {
        Self {
            setup,
            hands: [CardSet::EMPTY; 4],
            declarations: Vec::new(),
            revealed: None,
            kitty: deck.kitty().iter().copied().collect(),
            buried_by: None,
            points: Points::default(),
            phase: Phase::Dealing(Dealing::default()),
            events: Vec::new(),
            deck,
        }
    }

    /// The round after these events, or the place of the first that is refused, and why.
    pub fn replay(
        setup: Setup,
        deck: Deck,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<Self, (usize, RoundError)> {
        let mut round = Self::new(setup, deck);
        for (place, event) in events.into_iter().enumerate() {
            round.apply(event).map_err(|reason| (place, reason))?;
        }
        Ok(round)
    }

    /// What the round began with.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The cards in the order of the deal.
    pub const fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Where the round stands.
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Everything that happened; the cards dealt between two other events count as one.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The cards of a seat.
    pub const fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat.index()]
    }

    /// The declarations that were accepted and not taken back, the standing one last.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// The declaration that stands.
    pub fn standing(&self) -> Option<(Seat, Bid)> {
        self.declarations.last().map(|last| (last.seat, last.bid))
    }

    /// The card of the kitty that was turned up (Rule 2.10.13).
    pub const fn revealed(&self) -> Option<Card> {
        self.revealed
    }

    /// The cards face down: the dealt kitty, later the buried one; none while they are in a hand.
    pub const fn kitty(&self) -> CardSet {
        self.kitty
    }

    /// Who buried the kitty that lies on the table.
    pub const fn buried_by(&self) -> Option<Seat> {
        self.buried_by
    }

    /// Points so far, without a bonus.
    pub const fn points(&self) -> Points {
        self.points
    }

    /// The trump as it stands: it changes with each declaration.
    pub fn trump(&self) -> Trump {
        if let Some(trump) = self.setup.trump {
            return trump;
        }
        let Some(rank) = self.setup.level().rank() else {
            return Trump::JOKERS;
        };
        let suit = match (self.standing(), self.revealed) {
            (Some((_, bid)), _) => bid.suit(),
            (None, Some(card)) => card.face().suit(),
            (None, None) => None,
        };
        Trump::new(rank, suit)
    }

    /// The judge of this round's trump and house rules.
    pub fn judge(&self) -> Judge {
        Judge::new(self.trump(), self.setup.rules)
    }

    /// Who starts: in the first round a declaration decides (Rules 2.4.7 and 2.10.12).
    pub fn starter(&self) -> Seat {
        self.declarer().unwrap_or(self.setup.start.starter)
    }

    /// Who defends.
    pub fn defending(&self) -> Team {
        self.declarer()
            .map_or(self.setup.start.defending, Seat::team)
    }

    /// The seat whose declaration makes it the starter of the first round.
    fn declarer(&self) -> Option<Seat> {
        let declaration = match self.setup.rules.first_starter {
            FirstStarter::WinningBid => self.declarations.last(),
            FirstStarter::FirstBid => self.declarations.first(),
        };
        (self.setup.number == 1).then_some(declaration?.seat)
    }

    /// Whose turn it is, where it is one seat's turn.
    pub fn turn(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Burying(burying) => Some(burying.seat),
            Phase::Playing(playing) => Some(playing.turn()),
            Phase::Dealing(_) | Phase::Stealing(_) | Phase::Over(_) => None,
        }
    }

    /// All finished tricks.
    pub fn tricks(&self) -> &[PlayedTrick] {
        match &self.phase {
            Phase::Playing(playing) => &playing.tricks,
            Phase::Over(over) => &over.tricks,
            Phase::Dealing(_) | Phase::Burying(_) | Phase::Stealing(_) => &[],
        }
    }

    /// Makes an event happen, or refuses it and changes nothing.
    pub fn apply(&mut self, event: Event) -> Result<(), RoundError> {
        match event {
            Event::Deal { count } => self.deal(count)?,
            Event::Declare { seat, cards } => self.declare(seat, cards)?,
            Event::Retract { seat } => self.retract(seat)?,
            Event::Pass { seat } => self.pass(Some(seat))?,
            Event::Close => self.pass(None)?,
            Event::Bury { seat, cards } => self.bury(seat, cards)?,
            Event::Play { seat, cards } => self.play(seat, cards, None)?,
            Event::Throw { seat, ref parts } => {
                let cards = parts
                    .iter()
                    .try_fold(CardSet::EMPTY, |sum, part| sum.plus(*part));
                self.play(seat, cards.ok_or(RoundError::NoCards)?, Some(parts))?;
            }
            Event::TakeBack { seat } => self.take_back(seat)?,
            Event::EndEarly { seat } => self.end_early(seat)?,
        }
        match (self.events.last_mut(), &event) {
            (Some(Event::Deal { count: before }), Event::Deal { count }) => *before += count,
            _ => self.events.push(event),
        }
        Ok(())
    }

    fn deal(&mut self, count: u8) -> Result<(), RoundError> {
        let first = self.first_dealt();
        let Phase::Dealing(dealing) = &mut self.phase else {
            return Err(RoundError::DealtOut);
        };
        if count == 0 || count > Deck::DEALT - dealing.dealt {
            return Err(RoundError::DealtOut);
        }
        for _ in 0..count {
            let place = usize::from(dealing.dealt);
            self.hands[first.after(place).index()].insert(self.deck.cards()[place]);
            dealing.dealt += 1;
        }
        Ok(())
    }

    /// Who is dealt the first card (Rule 2.3.2).
    pub fn first_dealt(&self) -> Seat {
        match self.setup.number {
            1 => Seat::ALL[0],
            _ => self.setup.start.starter,
        }
    }

    fn declare(&mut self, seat: Seat, cards: CardSet) -> Result<(), RoundError> {
        let at = match &self.phase {
            Phase::Dealing(dealing) => dealing.dealt,
            Phase::Stealing(_) if self.buried_by == Some(seat) => return Err(RoundError::OwnKitty),
            Phase::Stealing(_) => Deck::DEALT,
            _ => return Err(RoundError::DeclaringOver),
        };
        self.held(seat, cards)?;
        let rank = self.setup.level().rank();
        let bid = Bid::of(cards.faces(), rank).ok_or(RoundError::Declare(DeclareError::NoBid))?;
        may_declare(&self.setup.rules, self.standing(), seat, bid).map_err(RoundError::Declare)?;
        self.declarations.push(Declaration {
            seat,
            bid,
            cards,
            at,
        });
        match &mut self.phase {
            Phase::Dealing(dealing) => dealing.passed = [false; 4],
            _ => self.take_kitty(seat),
        }
        Ok(())
    }

    fn retract(&mut self, seat: Seat) -> Result<(), RoundError> {
        self.check_retract(seat)?;
        self.declarations.pop();
        if let Phase::Dealing(dealing) = &mut self.phase {
            dealing.passed = [false; 4];
        }
        Ok(())
    }

    /// One seat passes, or the table passes for all.
    fn pass(&mut self, seat: Option<Seat>) -> Result<(), RoundError> {
        self.check_pass(seat)?;
        let (Phase::Dealing(Dealing { passed, .. }) | Phase::Stealing(Stealing { passed })) =
            &mut self.phase
        else {
            return Err(RoundError::DeclaringOver);
        };
        match seat {
            Some(seat) => passed[seat.index()] = true,
            None => *passed = [true; 4],
        }
        if *passed == [true; 4] {
            match self.phase {
                Phase::Dealing(_) => self.close(),
                _ => self.begin_play(),
            }
        }
        Ok(())
    }

    /// The declaring is over: the starter takes the kitty (Rules 2.4.8 and 2.5.1).
    fn close(&mut self) {
        let turn_up = self.setup.rules.no_bid == NoBid::RevealKitty;
        if turn_up && self.declarations.is_empty() {
            self.revealed = self.deck.kitty().first().copied();
        }
        self.take_kitty(self.starter());
    }

    fn take_kitty(&mut self, seat: Seat) {
        let hand = &mut self.hands[seat.index()];
        *hand = hand.plus(self.kitty).expect("no card is in two places");
        self.kitty = CardSet::EMPTY;
        self.buried_by = None;
        self.phase = Phase::Burying(Burying { seat });
    }

    fn bury(&mut self, seat: Seat, cards: CardSet) -> Result<(), RoundError> {
        let Phase::Burying(burying) = self.phase else {
            return Err(RoundError::NotBurying);
        };
        if burying.seat != seat {
            return Err(RoundError::OutOfTurn { turn: burying.seat });
        }
        if cards.len() != KITTY {
            return Err(RoundError::BuryCount { given: cards.len() });
        }
        let rest = self.held(seat, cards)?;
        self.hands[seat.index()] = rest;
        self.kitty = cards;
        self.buried_by = Some(seat);
        if self.setup.rules.kitty_theft {
            let mut passed = [false; 4];
            passed[seat.index()] = true;
            self.phase = Phase::Stealing(Stealing { passed });
        } else {
            self.begin_play();
        }
        Ok(())
    }

    fn begin_play(&mut self) {
        self.phase = Phase::Playing(Playing {
            tricks: Vec::new(),
            leader: self.starter(),
            plays: Vec::new(),
            parts: None,
            lead: None,
            failed: None,
        });
    }

    /// The hand of a seat less these cards, or the first card that it does not hold.
    fn held(&self, seat: Seat, cards: CardSet) -> Result<CardSet, RoundError> {
        let hand = self.hand(seat);
        hand.less(cards).ok_or_else(|| {
            let missing = cards.iter().find(|&card| !hand.has(card));
            missing.map_or(RoundError::NoCards, RoundError::NotHeld)
        })
    }
}

#[cfg(test)]
impl Round {
    /// The round with its cards renamed: what a viewer sees of it must not tell.
    pub(crate) fn relabelled(&self, map: impl Fn(Card) -> Card) -> Self {
        let set = |cards: CardSet| cards.iter().map(&map).collect::<CardSet>();
        let order: Vec<Card> = self.deck.cards().iter().map(|&card| map(card)).collect();
        let mut round = self.clone();
        round.deck = Deck::new(&order).expect("the cards are only exchanged");
        round.hands = self.hands.map(set);
        round.kitty = set(self.kitty);
        for event in &mut round.events {
            match event {
                Event::Declare { cards, .. }
                | Event::Bury { cards, .. }
                | Event::Play { cards, .. } => *cards = set(*cards),
                _ => {}
            }
        }
        round
    }
}
