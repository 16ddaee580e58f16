//! Requests read into views.

use tractor::{
    Bid, Card, CardSet, Deck, Declaration, Face, Faces, KITTY, Level, Offer, Seat, SeenThrow,
    SeenTrick, Stage, Suit, Team, Trick, Trump, View, offers,
};

use super::{Context, DeclareRequest, FailedThrow, KittyRequest, PlayRequest};
use crate::error::{Error, ErrorCode};
use crate::tractor::{CardName, Notation, PlayedCards, named_too_often};

/// Cards in the hand of the seat that buries.
const HELD: usize = Deck::HAND + KITTY;

/// What a request tells: a view, and whether it writes deck digits.
#[derive(Debug)]
pub struct Told {
    /// All that the seat knows.
    pub view: View,
    notation: Notation,
}

impl Told {
    /// Cards as the request writes them.
    pub fn cards(&self, cards: CardSet) -> Vec<CardName> {
        self.notation.show_all(cards)
    }
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Illegal, message)
}

/// Tells the copies of a face apart over a whole request.
#[derive(Debug, Default)]
struct Taken {
    notation: Notation,
    seen: CardSet,
}

impl Taken {
    /// Cards that no other list of the request holds.
    fn take(&mut self, list: &[CardName]) -> Result<CardSet, Error> {
        let mut set = CardSet::EMPTY;
        for named in list {
            self.notation.note(*named)?;
            let first = Card::new(named.face, false);
            let second = named.copy.unwrap_or_else(|| self.seen.has(first));
            let card = Card::new(named.face, second);
            if !self.seen.insert(card) {
                return Err(Error::new(ErrorCode::Cards, named_too_often(*named)));
            }
            set.insert(card);
        }
        Ok(set)
    }

    fn tell(self, view: View) -> Told {
        Told {
            view,
            notation: self.notation,
        }
    }
}

impl FailedThrow {
    fn read(&self) -> Result<SeenThrow, Error> {
        // The cards are in other lists as well: those led, and those that went back and were played later.
        let cards = Taken::default().take(&self.cards)?;
        Ok(SeenThrow { cards, by: self.by })
    }
}

impl Context<'_> {
    /// A view that knows the rules and the levels.
    fn blank(&self, viewer: Seat, trump: Trump) -> Result<View, Error> {
        let rules = self.rules.rules()?;
        let own = trump.rank().map_or(Level::NT, Level::from);
        let levels = self.levels.map_or([own; 2], |levels| [levels.a, levels.b]);
        Ok(View::blank(viewer, rules, trump, levels))
    }

    /// The card turned up, and who buried.
    fn tell(&self, view: &mut View) {
        view.revealed = self
            .revealed
            .map(|card| Card::new(card.face, card.copy.unwrap_or(false)));
        if self.buried_by.is_some() {
            view.buried_by = self.buried_by;
        }
    }

    fn declarations(&self, trump: Trump) -> Result<Vec<Declaration>, Error> {
        let mut list = Vec::new();
        for (seat, kind, suit, at) in self.declarations {
            let bid = read_bid(kind, suit.as_deref())?;
            let at = at.unwrap_or(Deck::DEALT).min(Deck::DEALT);
            list.push(declaration(*seat, bid, trump, at)?);
        }
        Ok(list)
    }
}

fn declaration(seat: Seat, bid: Bid, trump: Trump, at: u8) -> Result<Declaration, Error> {
    let face = bid
        .face(trump.rank())
        .ok_or_else(|| bad("a suit cannot be declared without a trump rank"))?;
    Ok(Declaration {
        seat,
        bid,
        cards: copies(face, bid.len()),
        at,
    })
}

fn copies(face: Face, number: usize) -> CardSet {
    [false, true]
        .into_iter()
        .take(number)
        .map(|second| Card::new(face, second))
        .collect()
}

fn read_bid(kind: &str, suit: Option<&str>) -> Result<Bid, Error> {
    let malformed = |message: String| Error::new(ErrorCode::Malformed, message);
    if let Some(joker) = Bid::from_word(kind, None) {
        return Ok(joker);
    }
    let letter = suit.ok_or_else(|| malformed("the declaration has no suit".into()))?;
    let suit: Suit = letter
        .parse()
        .map_err(|_| malformed(format!("{letter:?} is no suit to declare")))?;
    Bid::from_word(kind, Some(suit))
        .ok_or_else(|| malformed(format!("{kind:?} is no type of declaration")))
}

impl DeclareRequest {
    /// What it tells.
    pub fn view(&self) -> Result<Told, Error> {
        if !(1..=Deck::DEALT).contains(&self.dealt) {
            return Err(Error::new(ErrorCode::Malformed, "dealt is 1 to 100"));
        }
        let mut taken = Taken::default();
        let hand = taken.take(&self.hand)?;
        let standing = match &self.current {
            None => None,
            Some(now) => Some((now.seat, read_bid(&now.r#type, now.suit.as_deref())?)),
        };
        let suit = standing.and_then(|(_, bid)| bid.suit());
        let trump = self
            .rank
            .rank()
            .map_or(Trump::JOKERS, |rank| Trump::new(rank, suit));
        let mut view = self.context().blank(self.seat, trump)?;
        view.hand = hand;
        view.dealt = self.dealt;
        view.declarations = self.context().declarations(trump)?;
        if let Some((holder, bid)) = standing
            && view.declarations.last().map(|last| (last.seat, last.bid)) != Some((holder, bid))
        {
            let made = declaration(holder, bid, trump, self.dealt)?;
            view.declarations.push(made);
        }
        view.offers = offers(&view.rules, self.rank, hand, self.seat, standing)
            .into_iter()
            .map(|(bid, cards)| Offer { bid, cards })
            .collect();
        Ok(taken.tell(view))
    }
}

impl KittyRequest {
    /// What it tells.
    pub fn view(&self) -> Result<Told, Error> {
        let mut taken = Taken::default();
        let hand = taken.take(&self.hand)?;
        if hand.len() != HELD {
            let held = hand.len();
            return Err(bad(format!(
                "{HELD} cards are held when eight are buried, not {held}"
            )));
        }
        let mut view = self.context().blank(self.seat, self.trump)?;
        view.hand = hand;
        view.stage = Stage::Burying;
        view.turn = Some(self.seat);
        view.held[self.seat.index()] = HELD;
        self.context().tell(&mut view);
        view.declarations = self.context().declarations(self.trump)?;
        Ok(taken.tell(view))
    }
}

impl PlayRequest {
    /// What it tells.
    pub fn view(&self) -> Result<Told, Error> {
        let mut taken = Taken::default();
        let mut view = self.context().blank(self.seat, self.trump)?;
        view.stage = Stage::Playing;
        view.turn = Some(self.seat);
        view.starter = self.starter;
        view.defending = self.defending;
        view.buried_by = Some(view.starter);
        self.context().tell(&mut view);
        view.declarations = self.context().declarations(self.trump)?;
        self.tell_tricks(&mut view, &mut taken)?;
        view.hand = taken.take(&self.hand)?;
        if view.hand.is_empty() {
            return Err(bad("the hand is empty"));
        }
        view.exposed = exposed(&view);
        let own = view.buried_by == Some(self.seat);
        if let Some(kitty) = self.kitty.as_ref().filter(|_| own) {
            view.kitty = Some(taken.take(kitty)?);
        }
        let attackers = match view.defending {
            Team::A => Team::B,
            Team::B => Team::A,
        };
        let points = view.taken[attackers.index()];
        view.attackers = self.attacker_points.unwrap_or(points.cast_signed());
        view.held = self.held(&view)?;
        Ok(taken.tell(view))
    }

    fn tell_tricks(&self, view: &mut View, taken: &mut Taken) -> Result<(), Error> {
        for trick in &self.tricks {
            let mut seen = read_trick(view, &trick.plays, taken)?;
            seen.failed = trick.failed.as_ref().map(FailedThrow::read).transpose()?;
            if seen.plays.len() != 4 {
                return Err(bad("a finished trick has four plays"));
            }
            if let Some(winner) = trick.winner {
                // Whoever kept the score may play by other rules: its word counts.
                seen.ahead[3] = winner;
            }
            let winner = seen.ahead[3].team();
            view.taken[winner.index()] += seen.points;
            view.tricks.push(seen);
        }
        if !self.current.is_empty() {
            let mut open = read_trick(view, &self.current, taken)?;
            let failed = self.current_failed.as_ref();
            open.failed = failed.map(FailedThrow::read).transpose()?;
            if open.plays.len() > 3 || open.leader.after(open.plays.len()) != self.seat {
                return Err(bad(format!("it is not the turn of seat {}", self.seat)));
            }
            view.open = Some(open);
        }
        Ok(())
    }

    /// How many cards each seat holds: as told, or as the viewer's hand implies.
    fn held(&self, view: &View) -> Result<[usize; 4], Error> {
        let viewer = self.seat;
        let own = view.hand.len();
        let led = view.open.as_ref().map_or(0, |open| open.plays[0].len());
        if led > own {
            return Err(bad(format!("{led} cards were led, and the hand has {own}")));
        }
        let mut held = [own; 4];
        if let Some(open) = &view.open {
            for place in 0..open.plays.len() {
                held[open.leader.after(place).index()] -= led;
            }
        }
        let hidden = Card::COUNT - seen(view);
        let fits = |held: &[usize; 4]| {
            let others: usize = (1..4)
                .map(|steps| held[viewer.after(steps).index()].min(Card::COUNT))
                .sum();
            others <= hidden
        };
        match self.hand_sizes.filter(fits) {
            Some(told) => Ok(told),
            None if fits(&held) => Ok(held),
            None => Err(bad(
                "the hands and the cards played are more than two decks",
            )),
        }
    }
}

/// Cards of failed throws that went back to the hand and have not been played since.
fn exposed(view: &View) -> [CardSet; 4] {
    let mut exposed = [Faces::EMPTY; 4];
    for trick in view.tricks.iter().chain(&view.open) {
        if let Some(failed) = trick.failed {
            let shown = &mut exposed[trick.leader.index()];
            // A card may have been shown before: it is still one card.
            *shown = failed.cards.faces().iter().fold(*shown, |sum, face| {
                let held = failed.cards.faces().count(face);
                if sum.count(face) < held {
                    sum.with(face).unwrap_or(sum)
                } else {
                    sum
                }
            });
        }
        for (place, play) in trick.plays.iter().enumerate() {
            let shown = &mut exposed[trick.leader.after(place).index()];
            *shown = shown.iter().fold(Faces::EMPTY, |left, face| {
                let kept = shown.count(face).saturating_sub(play.faces().count(face));
                if left.count(face) < kept {
                    left.with(face).unwrap_or(left)
                } else {
                    left
                }
            });
        }
    }
    exposed.map(|faces| CardSet::FULL.pick(faces).unwrap_or_default())
}

/// How many cards the viewer has seen.
fn seen(view: &View) -> usize {
    let tricks = view.tricks.iter().chain(&view.open);
    let played: usize = tricks
        .flat_map(|trick| &trick.plays)
        .map(|play| play.len())
        .sum();
    played + view.hand.len() + view.kitty.map_or(0, CardSet::len)
}

/// A trick, finished or open: seats in turn order, each with as many cards as were led.
fn read_trick(view: &View, plays: &[PlayedCards], taken: &mut Taken) -> Result<SeenTrick, Error> {
    let judge = view.judge();
    let (leader, _) = plays.first().ok_or_else(|| bad("a trick has no plays"))?;
    let mut seen = SeenTrick {
        leader: *leader,
        plays: Vec::new(),
        ahead: Vec::new(),
        points: 0,
        parts: None,
        failed: None,
    };
    let mut trick: Option<Trick> = None;
    for (place, (who, cards)) in plays.iter().enumerate() {
        if *who != leader.after(place) || place > 3 {
            return Err(bad("the seats of a trick play in turn order"));
        }
        let cards = taken.take(cards)?;
        let hand = judge.ranked(cards.faces());
        match &mut trick {
            None => {
                let lead = judge
                    .lead(hand)
                    .map_err(|refusal| bad(refusal.to_string()))?;
                trick = Some(Trick::new(lead, &judge));
            }
            Some(trick) => {
                if hand.len() != trick.lead().len() {
                    return Err(bad("all play as many cards as were led"));
                }
                trick.play(&judge, hand);
            }
        }
        seen.points += cards.faces().points();
        seen.plays.push(cards);
        let winner = trick.as_ref().map_or(0, Trick::winner);
        seen.ahead.push(leader.after(winner));
    }
    Ok(seen)
}
