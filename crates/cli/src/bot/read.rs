//! Requests to the bot, read into views.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tractor::{
    Bid, Card, CardSet, Deck, Declaration, Face, Faces, KITTY, Offer, Seat, SeenThrow, SeenTrick,
    Stage, Suit, Team, Trick, Trump, View, offers,
};

use crate::query::Fault;
use crate::query::tractor::cards::{Named, RulesText, TrumpText, seat, team};

/// Cards in the hand of the seat that buries.
const HELD: usize = Deck::HAND + KITTY;

/// Reads the fields of a request.
pub(super) fn json<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

fn words(fault: Fault) -> String {
    fault.message
}

/// Tells the copies of a face apart over a whole request, and writes cards as it does.
#[derive(Debug, Default)]
pub(super) struct Notation {
    digits: Option<bool>,
    seen: CardSet,
}

impl Notation {
    /// Cards that no other list of the request holds.
    fn take(&mut self, list: &[Named]) -> Result<CardSet, String> {
        let mut set = CardSet::EMPTY;
        for named in list {
            let digit = named.copy.is_some();
            if *self.digits.get_or_insert(digit) != digit {
                return Err("give all cards of a request a deck digit, or none".into());
            }
            let first = Card::new(named.face, false);
            let second = named.copy.unwrap_or_else(|| self.seen.has(first));
            let card = Card::new(named.face, second);
            if !self.seen.insert(card) {
                return Err(match named.copy {
                    Some(_) => format!("the card {card} is named twice"),
                    None => format!("there are only two {} in the two decks", named.face),
                });
            }
            set.insert(card);
        }
        Ok(set)
    }

    /// Cards as the request writes them.
    pub(super) fn show(&self, cards: CardSet) -> Vec<String> {
        cards
            .iter()
            .map(|card| match self.digits {
                Some(false) => card.face().to_string(),
                _ => card.to_string(),
            })
            .collect()
    }
}

/// What every request may hold beside its own.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    #[serde(default)]
    rules: RulesText,
    levels: Option<LevelsText>,
    #[serde(default)]
    declarations: Vec<(usize, String, Option<String>, Option<u8>)>,
    /// The card of the kitty that was turned up (Rule 2.10.13).
    revealed: Option<Named>,
    /// Who buried the kitty, where that is not the starter (Rule 2.10.14).
    buried_by: Option<usize>,
}

/// A throw that failed at the head of a trick: the cards shown, and who stopped it where that is told.
#[derive(Debug, Deserialize)]
struct FailedText {
    cards: Vec<Named>,
    by: Option<usize>,
}

impl FailedText {
    fn read(&self) -> Result<SeenThrow, String> {
        let by = self.by.map(seat).transpose().map_err(words)?;
        // The cards are in other lists as well: those led, and those that went back and were played later.
        let cards = Notation::default().take(&self.cards)?;
        Ok(SeenThrow { cards, by })
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct LevelsText {
    #[serde(rename = "A")]
    a: tractor::Level,
    #[serde(rename = "B")]
    b: tractor::Level,
}

impl Context {
    fn levels(&self, trump: Trump) -> [tractor::Level; 2] {
        let own = trump
            .rank()
            .map_or(tractor::Level::NT, tractor::Level::from);
        self.levels.map_or([own; 2], |levels| [levels.a, levels.b])
    }

    /// The card turned up, and who buried.
    fn tell(&self, view: &mut View) -> Result<(), String> {
        view.revealed = self
            .revealed
            .map(|card| Card::new(card.face, card.copy.unwrap_or(false)));
        if let Some(who) = self.buried_by {
            view.buried_by = Some(seat(who).map_err(words)?);
        }
        Ok(())
    }

    fn declarations(&self, trump: Trump) -> Result<Vec<Declaration>, String> {
        let mut list = Vec::new();
        for (who, kind, suit, at) in &self.declarations {
            let bid = read_bid(kind, suit.as_deref())?;
            let face = bid
                .face(trump.rank())
                .ok_or("a suit cannot be declared without a trump rank")?;
            list.push(Declaration {
                seat: seat(*who).map_err(words)?,
                bid,
                cards: copies(face, bid.len()),
                at: at.unwrap_or(Deck::DEALT).min(Deck::DEALT),
            });
        }
        Ok(list)
    }
}

fn copies(face: Face, number: usize) -> CardSet {
    [false, true]
        .into_iter()
        .take(number)
        .map(|second| Card::new(face, second))
        .collect()
}

fn read_bid(kind: &str, suit: Option<&str>) -> Result<Bid, String> {
    let jokers = [
        Bid::SmallJoker,
        Bid::BigJoker,
        Bid::SmallJokers,
        Bid::BigJokers,
    ];
    if let Some(bid) = jokers.into_iter().find(|bid| bid.word() == kind) {
        return Ok(bid);
    }
    let letter = suit.ok_or("the declaration has no suit")?;
    let suit: Suit = letter
        .parse()
        .map_err(|_| format!("{letter:?} is no suit to declare"))?;
    Bid::from_word(kind, Some(suit)).ok_or_else(|| format!("{kind:?} is no type of declaration"))
}

/// A request to declare or not.
#[derive(Debug, Deserialize)]
pub(super) struct Declare {
    seat: usize,
    rank: tractor::Level,
    hand: Vec<Named>,
    dealt: u8,
    current: Option<Current>,
    seed: Option<u64>,
    #[serde(flatten)]
    context: Context,
}

#[derive(Debug, Deserialize)]
struct Current {
    seat: usize,
    #[serde(rename = "type")]
    kind: String,
    suit: Option<String>,
}

impl Declare {
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    pub(super) fn view(&self) -> Result<(View, Notation), String> {
        let rules = self.context.rules.read().map_err(words)?;
        let viewer = seat(self.seat).map_err(words)?;
        if !(1..=Deck::DEALT).contains(&self.dealt) {
            return Err("dealt is 1 to 100".into());
        }
        let mut notation = Notation::default();
        let hand = notation.take(&self.hand)?;
        let standing = match &self.current {
            None => None,
            Some(now) => Some((
                seat(now.seat).map_err(words)?,
                read_bid(&now.kind, now.suit.as_deref())?,
            )),
        };
        let suit = standing.and_then(|(_, bid)| bid.suit());
        let trump = self
            .rank
            .rank()
            .map_or(Trump::JOKERS, |rank| Trump::new(rank, suit));
        let mut view = View::blank(viewer, rules, trump, self.context.levels(trump));
        view.hand = hand;
        view.dealt = self.dealt;
        view.declarations = self.context.declarations(trump)?;
        if let Some((holder, bid)) = standing
            && view.declarations.last().map(|last| (last.seat, last.bid)) != Some((holder, bid))
        {
            let face = bid
                .face(trump.rank())
                .ok_or("a suit cannot be declared without a trump rank")?;
            view.declarations.push(Declaration {
                seat: holder,
                bid,
                cards: copies(face, bid.len()),
                at: self.dealt,
            });
        }
        view.offers = offers(&rules, self.rank, hand, viewer, standing)
            .into_iter()
            .map(|(bid, cards)| Offer { bid, cards })
            .collect();
        Ok((view, notation))
    }
}

/// A request to bury.
#[derive(Debug, Deserialize)]
pub(super) struct Kitty {
    seat: usize,
    trump: TrumpText,
    hand: Vec<Named>,
    #[serde(flatten)]
    context: Context,
}

impl Kitty {
    pub(super) fn view(&self) -> Result<(View, Notation), String> {
        let rules = self.context.rules.read().map_err(words)?;
        let viewer = seat(self.seat).map_err(words)?;
        let trump = self.trump.read().map_err(words)?;
        let mut notation = Notation::default();
        let hand = notation.take(&self.hand)?;
        if hand.len() != HELD {
            return Err(format!(
                "{HELD} cards are held when eight are buried, not {}",
                hand.len()
            ));
        }
        let mut view = View::blank(viewer, rules, trump, self.context.levels(trump));
        view.hand = hand;
        view.stage = Stage::Burying;
        view.turn = Some(viewer);
        view.held[viewer.index()] = HELD;
        self.context.tell(&mut view)?;
        view.declarations = self.context.declarations(trump)?;
        Ok((view, notation))
    }
}

/// A request to lead or to follow.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Play {
    seat: usize,
    trump: TrumpText,
    hand: Vec<Named>,
    starter: usize,
    defending: String,
    #[serde(default)]
    tricks: Vec<TrickText>,
    #[serde(default)]
    current: Vec<(usize, Vec<Named>)>,
    current_failed: Option<FailedText>,
    kitty: Option<Vec<Named>>,
    attacker_points: Option<i32>,
    hand_sizes: Option<[usize; 4]>,
    #[serde(flatten)]
    context: Context,
}

#[derive(Debug, Deserialize)]
struct TrickText {
    plays: Vec<(usize, Vec<Named>)>,
    winner: Option<usize>,
    failed: Option<FailedText>,
}

impl Play {
    pub(super) fn view(&self) -> Result<(View, Notation), String> {
        let rules = self.context.rules.read().map_err(words)?;
        let viewer = seat(self.seat).map_err(words)?;
        let trump = self.trump.read().map_err(words)?;
        let mut notation = Notation::default();
        let mut view = View::blank(viewer, rules, trump, self.context.levels(trump));
        view.stage = Stage::Playing;
        view.turn = Some(viewer);
        view.starter = seat(self.starter).map_err(words)?;
        view.defending = team(&self.defending).map_err(words)?;
        view.buried_by = Some(view.starter);
        self.context.tell(&mut view)?;
        view.declarations = self.context.declarations(trump)?;
        for trick in &self.tricks {
            let mut seen = read_trick(&view, &trick.plays, &mut notation)?;
            seen.failed = trick.failed.as_ref().map(FailedText::read).transpose()?;
            if seen.plays.len() != 4 {
                return Err("a finished trick has four plays".into());
            }
            if let Some(winner) = trick.winner {
                // Whoever kept the score may play by other rules: its word counts.
                seen.ahead[3] = seat(winner).map_err(words)?;
            }
            let winner = seen.ahead[3].team();
            view.taken[winner.index()] += seen.points;
            view.tricks.push(seen);
        }
        if !self.current.is_empty() {
            let mut open = read_trick(&view, &self.current, &mut notation)?;
            let failed = self.current_failed.as_ref();
            open.failed = failed.map(FailedText::read).transpose()?;
            if open.plays.len() > 3 || open.leader.after(open.plays.len()) != viewer {
                return Err(format!("it is not the turn of seat {viewer}"));
            }
            view.open = Some(open);
        }
        view.hand = notation.take(&self.hand)?;
        if view.hand.is_empty() {
            return Err("the hand is empty".into());
        }
        view.exposed = exposed(&view);
        let own = view.buried_by == Some(viewer);
        if let Some(kitty) = self.kitty.as_ref().filter(|_| own) {
            view.kitty = Some(notation.take(kitty)?);
        }
        let attackers = match view.defending {
            Team::A => Team::B,
            Team::B => Team::A,
        };
        let taken = view.taken[attackers.index()];
        view.attackers = self.attacker_points.unwrap_or(taken.cast_signed());
        view.held = self.held(&view)?;
        Ok((view, notation))
    }

    /// How many cards each seat holds: as told, or as the viewer's hand implies.
    fn held(&self, view: &View) -> Result<[usize; 4], String> {
        let viewer = view.viewer.unwrap_or(Seat::ALL[0]);
        let own = view.hand.len();
        let led = view.open.as_ref().map_or(0, |open| open.plays[0].len());
        if led > own {
            return Err(format!("{led} cards were led, and the hand has {own}"));
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
            None => Err("the hands and the cards played are more than two decks".into()),
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
fn read_trick(
    view: &View,
    plays: &[(usize, Vec<Named>)],
    notation: &mut Notation,
) -> Result<SeenTrick, String> {
    let judge = view.judge();
    let (first, _) = plays.first().ok_or("a trick has no plays")?;
    let leader = seat(*first).map_err(words)?;
    let mut seen = SeenTrick {
        leader,
        plays: Vec::new(),
        ahead: Vec::new(),
        points: 0,
        parts: None,
        failed: None,
    };
    let mut trick: Option<Trick> = None;
    for (place, (who, cards)) in plays.iter().enumerate() {
        if seat(*who).map_err(words)? != leader.after(place) || place > 3 {
            return Err("the seats of a trick play in turn order".into());
        }
        let cards = notation.take(cards)?;
        let hand = judge.ranked(cards.faces());
        match &mut trick {
            None => {
                let lead = judge.lead(hand).map_err(|refusal| refusal.to_string())?;
                trick = Some(Trick::new(lead, &judge));
            }
            Some(trick) => {
                if hand.len() != trick.lead().len() {
                    return Err("all play as many cards as were led".into());
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
