//! What a step with cards asks, and which answers are right: every one by the rules crate.

use serde::Deserialize;
use toml::Spanned;
use tractor::{
    Bid, CardSet, DeclareError, Faces, FollowError, Group, Kind, Rank, RoundError, Rules, Seat,
    Suit, may_declare,
};

use super::{CardMiss, Table};
use crate::course::Source;
use crate::error::LessonError;

/// How many cards are buried.
const KITTY: usize = 8;

/// What is asked.
#[derive(Debug, Clone)]
pub enum Question {
    /// Choose exactly these cards of the hand.
    Select(Selection),
    /// Play cards, as a lead or to the trick.
    Play(PlayGoal),
    /// Bury eight cards.
    Bury(BuryGoal),
    /// Show cards that declare over what stands.
    Declare(Option<Bid>),
    /// Who wins the trick?
    Winner,
    /// What do so many points of the attackers bring?
    Levels(i32),
    /// What does the kitty bring that has so many points, when these cards are led to the last trick?
    Kitty(i32, CardSet),
    /// How many cards of the group has the learner not seen?
    Unseen(Group),
}

/// Which cards are to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// All trumps.
    Trumps,
    /// All cards that count points.
    Points,
    /// These.
    Cards(Faces),
}

/// What a play must be besides legal; everything that is given.
#[derive(Debug, Clone, Default)]
pub struct PlayGoal {
    /// What it is made of.
    pub shape: Option<Shape>,
    /// Whether it is ahead of the plays before it.
    pub wins: Option<bool>,
    /// It has at least these points.
    pub points: u32,
    /// It has no points.
    pub no_points: bool,
    /// It is one of these.
    pub one_of: Vec<Faces>,
}

/// What a play is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One combination.
    One(Kind),
    /// Several.
    Throw,
}

/// What must be so after burying.
#[derive(Debug, Clone, Default)]
pub struct BuryGoal {
    /// These stay in the hand.
    pub keep: Faces,
    /// No card of this suit is left that is no trump.
    pub void: Option<Suit>,
    /// At most these points are buried.
    pub points: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawQuestion {
    select: Option<Spanned<String>>,
    play: Option<RawPlay>,
    bury: Option<RawBury>,
    declare: Option<Spanned<String>>,
    winner: Option<bool>,
    levels: Option<i32>,
    kitty: Option<RawKitty>,
    unseen: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlay {
    shape: Option<Spanned<String>>,
    wins: Option<bool>,
    #[serde(default)]
    points: u32,
    #[serde(default)]
    no_points: bool,
    #[serde(default)]
    one_of: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBury {
    keep: Option<Spanned<String>>,
    void: Option<Spanned<String>>,
    points: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawKitty {
    points: i32,
    lead: Spanned<String>,
}

impl Question {
    pub(super) fn read(
        source: &Source<'_>,
        raw: &Spanned<RawQuestion>,
        table: &Table,
    ) -> Result<Self, LessonError> {
        let at = raw.span();
        let raw = raw.get_ref();
        let mut found = Vec::new();
        if let Some(text) = &raw.select {
            found.push(Self::Select(source.parse(text, read_selection)?));
        }
        if let Some(play) = &raw.play {
            found.push(Self::Play(play.read(source)?));
        }
        if let Some(bury) = &raw.bury {
            found.push(Self::Bury(bury.read(source)?));
        }
        if let Some(text) = &raw.declare {
            let rank = table.trump.rank();
            found.push(Self::Declare(
                source.parse(text, |text| read_bid(text, rank))?,
            ));
        }
        if raw.winner == Some(true) {
            found.push(Self::Winner);
        }
        found.extend(raw.levels.map(Self::Levels));
        if let Some(kitty) = &raw.kitty {
            let lead = source.parse(&kitty.lead, str::parse)?;
            found.push(Self::Kitty(kitty.points, lead));
        }
        if let Some(text) = &raw.unseen {
            found.push(Self::Unseen(source.parse(text, read_group)?));
        }
        match (found.pop(), found.is_empty()) {
            (Some(question), true) => Ok(question),
            _ => Err(source.error(at, "a goal asks exactly one question")),
        }
    }

    /// What there is to choose from: as the author says, or what the question allows.
    pub(super) fn choices(&self, given: Vec<String>) -> Vec<String> {
        let fixed: &[&str] = match self {
            Self::Select(_) | Self::Play(_) | Self::Bury(_) | Self::Declare(_) => {
                return Vec::new();
            }
            Self::Kitty(..) | Self::Unseen(_) => return given,
            Self::Winner => &["1", "2", "3", "4"],
            Self::Levels(_) => &["d3", "d2", "d1", "a0", "a1", "a2", "a3"],
        };
        fixed.iter().map(|&choice| choice.to_owned()).collect()
    }

    pub(super) fn check_choice(&self, table: &Table, choice: &str) -> Result<(), CardMiss> {
        let right = match self {
            Self::Winner => table
                .open_trick()
                .map(|trick| (trick.winner() + 1).to_string()),
            Self::Levels(points) => {
                let (defended, levels) = Rules::DEFAULT.scoring.rise(*points);
                Some(format!("{}{levels}", if defended { 'd' } else { 'a' }))
            }
            Self::Kitty(points, lead) => {
                let shape = table.judge().shape(table.ranked(lead.faces()));
                let largest = shape.map_or(0, |shape| shape.longest() * 2);
                let pairs = shape.map_or(0, |shape| shape.pairs());
                let factor = Rules::DEFAULT.kitty_multiplier.factor(pairs, largest);
                Some((points * factor).to_string())
            }
            Self::Unseen(group) => {
                let unseen = table.knowledge().unseen;
                Some(table.judge().of_group(unseen, *group).len().to_string())
            }
            Self::Select(_) | Self::Play(_) | Self::Bury(_) | Self::Declare(_) => None,
        };
        if right.as_deref() == Some(choice) {
            Ok(())
        } else {
            Err(CardMiss::Choice)
        }
    }

    pub(super) fn check_cards(&self, table: &Table, cards: Faces) -> Result<(), CardMiss> {
        let hand = table.hand.faces();
        if let Some(face) = cards
            .iter()
            .find(|face| hand.count(*face) < cards.count(*face))
        {
            let not_held = FollowError::NotHeld(face);
            return Err(CardMiss::Rules(RoundError::Follow(not_held)));
        }
        match self {
            Self::Select(selection) => selection.check(table, cards),
            Self::Play(goal) => goal.check(table, cards),
            Self::Bury(goal) => goal.check(table, cards),
            Self::Declare(standing) => declare(table, *standing, cards),
            Self::Winner | Self::Levels(_) | Self::Kitty(..) | Self::Unseen(_) => {
                Err(CardMiss::Choice)
            }
        }
    }
}

fn declare(table: &Table, standing: Option<Bid>, cards: Faces) -> Result<(), CardMiss> {
    let refused = |error| CardMiss::Rules(RoundError::Declare(error));
    let bid = Bid::of(cards, table.trump.rank()).ok_or(refused(DeclareError::NoBid))?;
    // The standing declaration is another seat's.
    let [own, other, ..] = Seat::ALL;
    let standing = standing.map(|bid| (other, bid));
    may_declare(&Rules::DEFAULT, standing, own, bid).map_err(refused)
}

impl Selection {
    fn check(self, table: &Table, cards: Faces) -> Result<(), CardMiss> {
        let belongs = |face: &tractor::Face| match self {
            Self::Trumps => table.trump.group(*face).is_trump(),
            Self::Points => face.points() > 0,
            Self::Cards(_) => true,
        };
        let wanted = match self {
            Self::Cards(wanted) => wanted,
            _ => table.hand.faces().iter().filter(belongs).collect(),
        };
        let more = |a: Faces, b: Faces| -> Faces {
            let mut seen = Faces::EMPTY;
            let rest = a.iter().filter(|face| {
                seen = seen.with(*face).unwrap_or(seen);
                seen.count(*face) > b.count(*face)
            });
            rest.collect()
        };
        let (missing, extra) = (more(wanted, cards), more(cards, wanted));
        if !extra.is_empty() {
            return Err(CardMiss::Extra(extra));
        }
        if !missing.is_empty() {
            return Err(CardMiss::Missing(missing));
        }
        Ok(())
    }
}

impl PlayGoal {
    fn check(&self, table: &Table, cards: Faces) -> Result<(), CardMiss> {
        let judge = table.judge();
        let (hand, play) = (table.ranked(table.hand.faces()), table.ranked(cards));
        if play.is_empty() {
            return Err(CardMiss::Rules(RoundError::NoCards));
        }
        let trick = table.open_trick();
        if let Some(trick) = &trick {
            let followed = judge.follow(trick.lead(), hand, play);
            followed.map_err(|error| CardMiss::Rules(RoundError::Follow(error)))?;
        } else {
            let led = judge.check_lead(hand, play, &table.knowledge());
            led.map_err(|error| CardMiss::Rules(RoundError::Lead(error)))?;
        }
        if let Some(shape) = self.shape
            && !shape.fits(table, cards)
        {
            return Err(CardMiss::Shape(shape));
        }
        let wins = trick.is_none_or(|trick| trick.would_win(judge, play));
        match self.wins {
            Some(true) if !wins => return Err(CardMiss::Loses),
            Some(false) if wins => return Err(CardMiss::Wins),
            _ => {}
        }
        if cards.points() < self.points {
            return Err(CardMiss::TooFewPoints(self.points));
        }
        if self.no_points && cards.points() > 0 {
            return Err(CardMiss::Points(cards.points()));
        }
        if !self.one_of.is_empty() && !self.one_of.contains(&cards) {
            return Err(CardMiss::Better);
        }
        Ok(())
    }
}

impl Shape {
    fn fits(self, table: &Table, cards: Faces) -> bool {
        let shape = table.judge().shape(table.ranked(cards));
        shape.is_some_and(|shape| match self {
            Self::One(kind) => shape.kind() == Some(kind),
            Self::Throw => shape.components() > 1,
        })
    }
}

impl BuryGoal {
    fn check(&self, table: &Table, cards: Faces) -> Result<(), CardMiss> {
        if cards.len() != KITTY {
            let given = cards.len();
            return Err(CardMiss::Rules(RoundError::BuryCount { given }));
        }
        let rest = table.hand.faces().less(cards).unwrap_or_default();
        let missing = |face: &tractor::Face| rest.count(*face) < self.keep.count(*face);
        let lost: Faces = self.keep.iter().filter(missing).collect();
        if !lost.is_empty() {
            return Err(CardMiss::Keep(lost));
        }
        if let Some(most) = self.points
            && cards.points() > most
        {
            return Err(CardMiss::Points(cards.points()));
        }
        if let Some(suit) = self.void
            && rest
                .iter()
                .any(|face| table.trump.group(face) == Group::Plain(suit))
        {
            return Err(CardMiss::NotVoid(suit));
        }
        Ok(())
    }
}

impl RawPlay {
    fn read(&self, source: &Source<'_>) -> Result<PlayGoal, LessonError> {
        let shape = self
            .shape
            .as_ref()
            .map(|text| source.parse(text, read_shape));
        let one_of = self
            .one_of
            .iter()
            .map(|text| source.parse(text, str::parse));
        Ok(PlayGoal {
            shape: shape.transpose()?,
            wins: self.wins,
            points: self.points,
            no_points: self.no_points,
            one_of: one_of.collect::<Result<_, _>>()?,
        })
    }
}

impl RawBury {
    fn read(&self, source: &Source<'_>) -> Result<BuryGoal, LessonError> {
        let keep = self
            .keep
            .as_ref()
            .map(|text| source.parse(text, str::parse));
        let void = self.void.as_ref().map(|text| source.parse(text, read_suit));
        Ok(BuryGoal {
            keep: keep.transpose()?.unwrap_or_default(),
            void: void.transpose()?,
            points: self.points,
        })
    }
}

fn read_selection(text: &str) -> Result<Selection, String> {
    match text {
        "trumps" => Ok(Selection::Trumps),
        "points" => Ok(Selection::Points),
        _ => match text.parse() {
            Ok(cards) => Ok(Selection::Cards(cards)),
            Err(error) => Err(format!("trumps, points or cards: {error}")),
        },
    }
}

fn read_shape(text: &str) -> Result<Shape, &'static str> {
    match text {
        "single" => Ok(Shape::One(Kind::Single)),
        "pair" => Ok(Shape::One(Kind::Pair)),
        "tractor" => Ok(Shape::One(Kind::Tractor { pairs: 2 })),
        "tractor of 3" => Ok(Shape::One(Kind::Tractor { pairs: 3 })),
        "throw" => Ok(Shape::Throw),
        _ => Err("single, pair, tractor, tractor of 3 or throw"),
    }
}

fn read_suit(text: &str) -> Result<Suit, &'static str> {
    let mut letters = text.chars();
    let suit = letters.next().and_then(Suit::from_letter);
    suit.filter(|_| letters.next().is_none())
        .ok_or("a suit is S, H, C or D")
}

fn read_group(text: &str) -> Result<Group, &'static str> {
    match text {
        "trump" => Ok(Group::Trump),
        _ => read_suit(text).map(Group::Plain),
    }
}

/// `none`, or the cards of the declaration that stands.
fn read_bid(text: &str, rank: Option<Rank>) -> Result<Option<Bid>, String> {
    if text == "none" {
        return Ok(None);
    }
    let cards: Faces = text.parse().map_err(|error| format!("{error}"))?;
    match Bid::of(cards, rank) {
        Some(bid) => Ok(Some(bid)),
        None => Err("these cards declare nothing".to_owned()),
    }
}
