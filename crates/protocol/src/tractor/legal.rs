//! Legal plays: listed, counted, and one of them judged.

use serde::{Deserialize, Serialize};
use tractor::{CardSet, Deck, Faces, Judge, KITTY, Knowledge, Lead, LegalPlays, Seat, Trump};

use super::cards::{CardName, HouseRules, Notation, hand, judge};
use super::lead::{Table, first_seat, refusal};
use super::trick::read_lead;
use crate::error::{Error, ErrorCode};
use crate::operation::Operation;

/// The most plays that one answer lists.
const MOST_PLAYS: u16 = 10_000;

const fn some_plays() -> u64 {
    100
}

/// Op `leads`: the legal leads of a hand.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::tractor::LeadsRequest;
/// let request: LeadsRequest = serde_json::from_str(
///     r#"{"trump":{"rank":"2","suit":"H"},"hand":["AS","AS","KS","3D"],"limit":4}"#,
/// )?;
/// let answer = request.answer()?;
/// assert_eq!((answer.count, answer.plays.len(), answer.truncated), (6, 4, true));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeadsRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// The leader.
    #[serde(default = "first_seat")]
    pub seat: Seat,
    /// The leader's hand.
    pub hand: Vec<CardName>,
    /// What has been played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<CardName>,
    /// The suits that each seat has shown void, such as `"HS"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voids: Option<[String; 4]>,
    /// What the leader buried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitty: Option<Vec<CardName>>,
    /// How many plays to list at most: 100 unless told, 10,000 at most; 0 only counts.
    #[serde(default = "some_plays")]
    pub limit: u64,
}

/// The answer to `leads` and `follows`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaysAnswer {
    /// How many legal plays there are; two copies of a face count as one.
    pub count: u64,
    /// The first of them, as many as were asked for.
    pub plays: Vec<Vec<CardName>>,
    /// Whether some are left out.
    pub truncated: bool,
}

impl PlaysAnswer {
    fn new(notation: &Notation, held: CardSet, legal: &LegalPlays<Faces>) -> Self {
        let show = |faces: &Faces| notation.show_all(held.pick(*faces).unwrap_or_default());
        Self {
            count: legal.count,
            plays: legal.plays.iter().map(show).collect(),
            truncated: !legal.is_complete(),
        }
    }
}

fn read_limit(limit: u64) -> Result<usize, Error> {
    let small = u16::try_from(limit)
        .ok()
        .filter(|limit| *limit <= MOST_PLAYS);
    small.map(usize::from).ok_or_else(|| {
        let message = format!("limit is {limit}, and {MOST_PLAYS} at most");
        Error::new(ErrorCode::TooMuch, message)
    })
}

impl Operation for LeadsRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "leads";
    type Answer = PlaysAnswer;

    fn answer(&self) -> Result<PlaysAnswer, Error> {
        let limit = read_limit(self.limit)?;
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let table = Table {
            seat: self.seat,
            hand: &self.hand,
            played: &self.played,
            voids: self.voids.as_ref(),
            kitty: self.kitty.as_deref(),
        };
        let (held, known) = table.read(&judge, &mut notation)?;
        check_hand(held)?;
        let legal = judge.legal_plays(hand(&judge, held), None, &known, limit);
        Ok(PlaysAnswer::new(&notation, held, &legal))
    }
}

/// Op `follows`: the legal follows of a hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FollowsRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// What was led.
    pub lead: Vec<CardName>,
    /// The hand of the follower.
    pub hand: Vec<CardName>,
    /// How many plays to list at most: 100 unless told, 10,000 at most; 0 only counts.
    #[serde(default = "some_plays")]
    pub limit: u64,
}

impl Operation for FollowsRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "follows";
    type Answer = PlaysAnswer;

    fn answer(&self) -> Result<PlaysAnswer, Error> {
        let limit = read_limit(self.limit)?;
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let led = read_lead(&judge, notation.set(&self.lead)?)?;
        let held = notation.set(&self.hand)?;
        check_hand(held)?;
        enough(&led, held)?;
        let laid = hand(&judge, held);
        let known = Knowledge::at_start(&judge, laid);
        let legal = judge.legal_plays(laid, Some(&led), &known, limit);
        Ok(PlaysAnswer::new(&notation, held, &legal))
    }
}

/// More cards than any hand has could be played in more ways than anybody waits for.
fn check_hand(held: CardSet) -> Result<(), Error> {
    let most = Deck::HAND + KITTY;
    if held.len() <= most {
        return Ok(());
    }
    let message = format!("a hand has at most {most} cards, not {}", held.len());
    Err(Error::new(ErrorCode::Cards, message))
}

/// Whether a hand has as many cards as were led.
fn enough(led: &Lead, held: CardSet) -> Result<(), Error> {
    let (led, own) = (led.len(), held.len());
    if own >= led {
        return Ok(());
    }
    let message = format!("{led} cards were led, and the hand has {own}");
    Err(Error::new(ErrorCode::Cards, message))
}

/// Op `validate`: whether cards may be played, and why not, as a lead or to a lead.
///
/// ```
/// use convoy_protocol::Operation as _;
/// use convoy_protocol::tractor::ValidateRequest;
/// let request: ValidateRequest = serde_json::from_str(
///     r#"{"trump":{"rank":"2","suit":"H"},"lead":["KS"],"hand":["QS","3D"],"cards":["3D"]}"#,
/// )?;
/// let answer = request.answer()?;
/// assert_eq!((answer.valid, answer.code.as_deref()), (false, Some("group")));
/// assert_eq!(answer.reason.as_deref(), Some("you still hold spades: play them first (QS)"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ValidateRequest {
    /// The trump.
    #[serde(deserialize_with = "super::cards::trump")]
    #[cfg_attr(feature = "schema", schemars(with = "super::cards::TrumpField"))]
    pub trump: Trump,
    /// The house rules.
    #[serde(default, skip_serializing_if = "HouseRules::is_default")]
    pub rules: HouseRules,
    /// What was led; null or left out for the leader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Vec<CardName>>,
    /// The player.
    #[serde(default = "first_seat")]
    pub seat: Seat,
    /// The player's hand.
    pub hand: Vec<CardName>,
    /// What has been played; matters for throws.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<CardName>,
    /// The suits that each seat has shown void; matters for throws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voids: Option<[String; 4]>,
    /// What the player buried; matters for throws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitty: Option<Vec<CardName>>,
    /// What is to be played.
    pub cards: Vec<CardName>,
}

/// The answer to `validate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidateAnswer {
    /// Whether the cards may be played.
    pub valid: bool,
    /// Why not: a word for programs.
    pub code: Option<String>,
    /// Why not: a sentence for people.
    pub reason: Option<String>,
}

impl ValidateAnswer {
    fn new(refused: Option<(&str, String)>) -> Self {
        let (code, reason) = refused.unzip();
        Self {
            valid: code.is_none(),
            code: code.map(str::to_owned),
            reason,
        }
    }
}

impl Operation for ValidateRequest {
    const GAME: &'static str = "tractor";
    const OP: &'static str = "validate";
    type Answer = ValidateAnswer;

    fn answer(&self) -> Result<ValidateAnswer, Error> {
        let judge = judge(self.trump, &self.rules)?;
        let mut notation = Notation::default();
        let table = Table {
            seat: self.seat,
            hand: &self.hand,
            played: &self.played,
            voids: self.voids.as_ref(),
            kitty: self.kitty.as_deref(),
        };
        let (held, known) = table.read(&judge, &mut notation)?;
        let led = match &self.lead {
            Some(lead) => Some(read_lead(&judge, notation.set(lead)?)?),
            None => None,
        };
        let cards = match notation.try_set(&self.cards)? {
            Ok(cards) => notation.of_hand(held, cards),
            Err(reason) => return Ok(ValidateAnswer::new(Some(("held", reason)))),
        };
        let refused = match led {
            None => refusal(&judge, held, cards, &known)
                .map(|refusal| (refusal.code(), refusal.to_string())),
            Some(led) => follow_refusal(&judge, &led, held, cards),
        };
        Ok(ValidateAnswer::new(refused))
    }
}

/// Why `cards` of a hand may not follow.
fn follow_refusal(
    judge: &Judge,
    led: &Lead,
    held: CardSet,
    cards: CardSet,
) -> Option<(&'static str, String)> {
    let checked = judge.follow(led, hand(judge, held), hand(judge, cards));
    let refusal = checked.err();
    refusal.map(|refusal| (refusal.code(), refusal.to_string()))
}
