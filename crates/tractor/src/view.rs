//! What one seat, or an onlooker, may know of a round.

use alloc::vec::Vec;

use crate::bid::{Bid, Declaration, offers};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::Deck;
use crate::judge::Judge;
use crate::lead::Lead;
use crate::level::Level;
use crate::memory::Memory;
use crate::ranked_cards::RankedCards;
use crate::round::{KittyBonus, Phase, Round, RoundError, note_trick};
use crate::rules::{Rules, ThrowMode};
use crate::score::RoundResult;
use crate::seat::{Seat, Team};
use crate::throw::Knowledge;
use crate::trump::Trump;

/// The phases by name.
///
/// ```
/// use tractor::{Deck, Round, Rules, Seed, Setup, Stage, View};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// assert_eq!(View::of(&round, None).stage, Stage::Dealing);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Stage {
    /// Cards go out, declarations come in.
    Dealing,
    /// Eight cards are to be buried.
    Burying,
    /// The kitty may be stolen.
    Stealing,
    /// Tricks are played.
    Playing,
    /// The round has a result.
    Over,
}

/// All that one seat may know of a round; an onlooker has no seat and no hand.
///
/// Built up from nothing, never cut down from everything: it does not change if the cards that the
/// viewer cannot see are exchanged among themselves (Rule 4.3). A computer player is handed a view,
/// so it cannot peek.
///
/// ```
/// use tractor::{Deck, Event, Round, Rules, Seat, Seed, Setup, View};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// round.apply(Event::Deal { count: 100 })?;
/// let view = View::of(&round, Some(Seat::ALL[1]));
/// assert_eq!((view.hand.len(), view.held), (25, [25; 4]));
/// assert!(View::of(&round, None).hand.is_empty());
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct View {
    /// Whose view it is; an onlooker has no seat. The frames of the server call it `you`.
    #[cfg_attr(feature = "serde", serde(default, alias = "you"))]
    pub viewer: Option<Seat>,
    /// The house rules.
    pub rules: Rules,
    /// The number of the round, from 1.
    pub number: u32,
    /// The levels of A and B.
    pub levels: [Level; 2],
    /// Where the round stands.
    pub stage: Stage,
    /// Whose turn it is, where it is one seat's.
    pub turn: Option<Seat>,
    /// Who starts, as it stands.
    pub starter: Seat,
    /// Who defends, as it stands.
    pub defending: Team,
    /// The trump, as it stands.
    pub trump: Trump,
    /// How many cards have been dealt.
    pub dealt: u8,
    /// The declarations, the standing one last.
    pub declarations: Vec<Declaration>,
    /// Who has passed in the window for declaring or for theft.
    pub passed: [bool; 4],
    /// What the viewer may declare now.
    pub offers: Vec<Offer>,
    /// The card of the kitty that was turned up.
    pub revealed: Option<Card>,
    /// The viewer's cards.
    pub hand: CardSet,
    /// How many cards each seat holds.
    pub held: [usize; 4],
    /// Cards that all know to be in a hand: those of failed throws that went back.
    pub exposed: [CardSet; 4],
    /// Who buried the kitty on the table.
    pub buried_by: Option<Seat>,
    /// The buried cards, for the seat that buried them, and for all once the round is over.
    pub kitty: Option<CardSet>,
    /// The finished tricks. The frames of the server call them `turns`.
    #[cfg_attr(feature = "serde", serde(default, alias = "turns"))]
    pub tricks: Vec<SeenTrick>,
    /// The open trick, once it has a lead.
    pub open: Option<SeenTrick>,
    /// What A and B took in tricks.
    pub taken: [u32; 2],
    /// The attackers' points so far, penalties included, without a bonus.
    pub attackers: i32,
    /// Whether the round may be ended early.
    pub decided: bool,
    /// What the kitty added.
    pub bonus: Option<KittyBonus>,
    /// What came of the round.
    pub result: Option<RoundResult>,
}

/// A declaration that a seat may make, and the cards to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// What it declares.
    pub bid: Bid,
    /// The cards to show.
    pub cards: CardSet,
}

/// A trick as all see it, finished or open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeenTrick {
    /// Who led.
    pub leader: Seat,
    /// The plays so far, from the leader on.
    pub plays: Vec<CardSet>,
    /// Who was ahead after each play.
    pub ahead: Vec<Seat>,
    /// The points in it.
    pub points: u32,
    /// The components that the leader of the open trick named.
    pub parts: Option<Vec<CardSet>>,
    /// The throw that failed at its head.
    pub failed: Option<SeenThrow>,
}

/// A failed throw as all see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeenThrow {
    /// The cards that were shown.
    pub cards: CardSet,
    /// Who stopped it, where the house rules tell.
    pub by: Option<Seat>,
}

impl View {
    /// The view of a seat in which nothing has happened yet, for those who are told of a round by other means and
    /// write down what they know: all is dealt, nobody has declared, and the viewer would start.
    ///
    /// ```
    /// use tractor::{Level, Rank, Rules, Seat, View};
    /// let levels = [Level::from(Rank::Two); 2];
    /// let view = View::blank(Seat::ALL[1], Rules::DEFAULT, "2H".parse()?, levels);
    /// assert!(view.hand.is_empty() && view.tricks.is_empty());
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub const fn blank(viewer: Seat, rules: Rules, trump: Trump, levels: [Level; 2]) -> Self {
        Self {
            viewer: Some(viewer),
            rules,
            number: 2,
            levels,
            stage: Stage::Dealing,
            turn: None,
            starter: viewer,
            defending: viewer.team(),
            trump,
            dealt: Deck::DEALT,
            declarations: Vec::new(),
            passed: [false; 4],
            offers: Vec::new(),
            revealed: None,
            hand: CardSet::EMPTY,
            held: [Deck::HAND; 4],
            exposed: [CardSet::EMPTY; 4],
            buried_by: None,
            kitty: None,
            tricks: Vec::new(),
            open: None,
            taken: [0; 2],
            attackers: 0,
            decided: false,
            bonus: None,
            result: None,
        }
    }

    /// What `viewer` may know of a round.
    pub fn of(round: &Round, viewer: Option<Seat>) -> Self {
        let rules = &round.setup().rules;
        let tricks = round.tricks().iter().map(|trick| trick.seen(rules));
        Self {
            tricks: tricks.collect(),
            ..Self::without_tricks(round, viewer)
        }
    }

    /// The same without the finished tricks, for those who keep them by other means: a server shows every
    /// viewer every event. It cannot tell what their plays have told, as [`View::memory`] does.
    ///
    /// ```
    /// use tractor::{Deck, Round, Rules, Seed, Setup, View};
    /// let deck = Deck::of(&Seed::from_number(7), 1);
    /// let round = Round::new(Setup::first(Rules::DEFAULT), deck);
    /// assert_eq!(View::without_tricks(&round, None), View::of(&round, None));
    /// ```
    pub fn without_tricks(round: &Round, viewer: Option<Seat>) -> Self {
        let rules = round.setup().rules;
        let (stage, passed) = match round.phase() {
            Phase::Dealing(dealing) => (Stage::Dealing, dealing.passed),
            Phase::Burying(_) => (Stage::Burying, [false; 4]),
            Phase::Stealing(stealing) => (Stage::Stealing, stealing.passed),
            Phase::Playing(_) => (Stage::Playing, [false; 4]),
            Phase::Over(_) => (Stage::Over, [false; 4]),
        };
        let dealt = match round.phase() {
            Phase::Dealing(dealing) => dealing.dealt,
            _ => Deck::DEALT,
        };
        let (bonus, result) = match round.phase() {
            Phase::Over(over) => (over.bonus, Some(over.result)),
            _ => (None, None),
        };
        let hand = viewer.map_or(CardSet::EMPTY, |seat| round.hand(seat));
        let knows_kitty = stage == Stage::Over || viewer.is_some() && viewer == round.buried_by();
        Self {
            viewer,
            rules,
            number: round.setup().number,
            levels: round.setup().start.levels,
            stage,
            turn: round.turn(),
            starter: round.starter(),
            defending: round.defending(),
            trump: round.trump(),
            dealt,
            declarations: round.declarations().to_vec(),
            passed,
            offers: Self::offers_to(round, viewer, stage),
            revealed: round.revealed(),
            hand,
            held: Seat::ALL.map(|seat| round.hand(seat).len()),
            exposed: round.exposed(),
            buried_by: round.buried_by(),
            kitty: knows_kitty.then(|| round.kitty()),
            tricks: Vec::new(),
            open: round.open_trick(),
            taken: round.points().taken,
            attackers: round.attackers_points(),
            decided: round.is_decided(),
            bonus,
            result,
        }
    }

    /// What the viewer may declare now.
    fn offers_to(round: &Round, viewer: Option<Seat>, stage: Stage) -> Vec<Offer> {
        let may_bid = match stage {
            Stage::Dealing => viewer,
            Stage::Stealing => viewer.filter(|_| viewer != round.buried_by()),
            _ => None,
        };
        let Some(seat) = may_bid else {
            return Vec::new();
        };
        let setup = round.setup();
        let list = offers(
            &setup.rules,
            setup.level(),
            round.hand(seat),
            seat,
            round.standing(),
        );
        list.into_iter()
            .map(|(bid, cards)| Offer { bid, cards })
            .collect()
    }

    /// The judge of this round's trump and house rules.
    pub fn judge(&self) -> Judge {
        Judge::new(self.trump, self.rules)
    }

    /// The lead of the open trick, as the judge reads it.
    pub fn lead(&self, judge: &Judge) -> Option<Lead> {
        let open = self.open.as_ref()?;
        let lay_out = |cards: &CardSet| judge.ranked(cards.faces());
        match &open.parts {
            None => judge.lead(lay_out(open.plays.first()?)).ok(),
            Some(parts) => {
                let parts: Vec<RankedCards> = parts.iter().map(lay_out).collect();
                judge.grouped_lead(&parts).ok()
            }
        }
    }

    /// What everyone can know from the plays so far.
    pub fn memory(&self, judge: &Judge) -> Memory {
        let mut memory = Memory::default();
        for trick in self.tricks.iter().chain(&self.open) {
            note_trick(&mut memory, judge, trick.leader, &trick.plays);
        }
        memory
    }

    /// What the viewer knows when it is to lead; `None` for an onlooker.
    pub fn knowledge(&self, judge: &Judge) -> Option<Knowledge> {
        let buried = match self.stage {
            Stage::Over => CardSet::EMPTY,
            _ => self.kitty.unwrap_or_default(),
        };
        let [hand, buried] = [self.hand, buried].map(|cards| judge.ranked(cards.faces()));
        let memory = self.memory(judge);
        Some(memory.knowledge(judge, self.viewer?, hand, buried))
    }

    /// Whether the viewer may play these cards now, as far as it can know: with
    /// `throw_mode = challenge` any throw may be tried.
    ///
    /// ```
    /// use tractor::{Deck, Event, RoundError, Round, Rules, Seed, Setup, View};
    /// let deck = Deck::of(&Seed::from_number(7), 1);
    /// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
    /// round.apply(Event::Deal { count: 100 })?;
    /// round.apply(Event::Close)?;
    /// let starter = round.starter();
    /// let cards = round.hand(starter).iter().take(8).collect();
    /// round.apply(Event::Bury { seat: starter, cards })?;
    /// let view = View::of(&round, Some(starter));
    /// let one = view.hand.iter().take(1).collect();
    /// assert_eq!(view.check(one), Ok(()));
    /// let idle = View::of(&round, Some(starter.next()));
    /// assert_eq!(idle.check(one), Err(RoundError::OutOfTurn { turn: starter }));
    /// # Ok::<_, RoundError>(())
    /// ```
    pub fn check(&self, cards: CardSet) -> Result<(), RoundError> {
        let turn = match (self.stage, self.turn) {
            (Stage::Playing, Some(turn)) => turn,
            (Stage::Over, _) => return Err(RoundError::Over),
            _ => return Err(RoundError::NotPlaying),
        };
        if self.viewer != Some(turn) {
            return Err(RoundError::OutOfTurn { turn });
        }
        if cards.is_empty() {
            return Err(RoundError::NoCards);
        }
        if let Some(card) = cards.iter().find(|&card| !self.hand.has(card)) {
            return Err(RoundError::NotHeld(card));
        }
        let judge = self.judge();
        let [hand, play] = [self.hand, cards].map(|cards| judge.ranked(cards.faces()));
        match (self.lead(&judge), self.knowledge(&judge)) {
            (Some(lead), _) => judge.follow(&lead, hand, play).map_err(RoundError::Follow),
            (None, Some(known)) => judge
                .check_lead(hand, play, &known)
                .map(drop)
                .map_err(RoundError::Lead),
            (None, None) => Err(RoundError::OutOfTurn { turn }),
        }
    }

    /// Whether a throw is tried against the real hands (Rule 3.2.12).
    pub fn is_challenge(&self) -> bool {
        self.rules.throw_mode == ThrowMode::Challenge
    }
}

#[cfg(test)]
mod tests;
