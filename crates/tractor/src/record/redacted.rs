//! What one seat, or an onlooker, may read of a round.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::write_setup;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::Deck;
use crate::event::{Event, ParseEventError, read_cards, read_seat};
use crate::round::{Phase, Round, Setup};
use crate::seat::Seat;

/// A round as one seat, or an onlooker, may read it: the text of a [`Record`](super::Record) with
/// holes. Cards dealt to others are `??`, a kitty that someone else buried is `??`, there is no seed.
///
/// ```
/// use tractor::{Deck, Event, Redacted, Round, Rules, Seat, Seed, Setup};
/// let deck = Deck::of(&Seed::from_number(7), 1);
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// round.apply(Event::Deal { count: 100 })?;
/// let redacted = Redacted::of(&round, Some(Seat::ALL[2]));
/// assert_eq!(redacted.deck.iter().flatten().count(), 25);
/// assert_eq!(redacted.to_string().parse(), Ok(redacted));
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Redacted {
    /// What the round began with.
    pub setup: Setup,
    /// Who reads it; an onlooker has no seat.
    pub viewer: Option<Seat>,
    /// The places of the deck, where the viewer knows them.
    pub deck: Vec<Option<Card>>,
    /// What happened, as the viewer saw it.
    pub events: Vec<Seen>,
}

/// An event as a viewer sees it.
///
/// ```
/// use tractor::Seen;
/// let seen: Seen = "bury 2 ??".parse()?;
/// assert!(matches!(seen, Seen::Bury { cards: None, .. }));
/// assert_eq!(seen.to_string(), "bury 2 ??");
/// # Ok::<_, tractor::ParseEventError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "kind", rename_all = "camelCase")
)]
pub enum Seen {
    /// So many more cards went out.
    Deal {
        /// How many.
        count: u8,
    },
    /// A seat declared with these cards.
    Declare {
        /// Who.
        seat: Seat,
        /// The cards shown.
        cards: CardSet,
    },
    /// A seat took its declaration back.
    Retract {
        /// Who.
        seat: Seat,
    },
    /// A seat passed.
    Pass {
        /// Who.
        seat: Seat,
    },
    /// The table closed the window.
    Close,
    /// A seat buried eight cards; only some may know which.
    Bury {
        /// Who.
        seat: Seat,
        /// The cards, for those who know them.
        cards: Option<CardSet>,
    },
    /// A seat played these cards.
    Play {
        /// Who.
        seat: Seat,
        /// The cards.
        cards: CardSet,
    },
    /// A seat threw these cards, and one part of them was led instead.
    Failed {
        /// Who.
        seat: Seat,
        /// The cards shown.
        cards: CardSet,
        /// The cards led.
        led: CardSet,
        /// Who stopped the throw, where that is told.
        by: Option<Seat>,
    },
    /// A seat took its play back.
    TakeBack {
        /// Who.
        seat: Seat,
    },
    /// A seat ended the decided round.
    EndEarly {
        /// Who.
        seat: Seat,
    },
}

impl Redacted {
    /// What `viewer` may read of a round.
    pub fn of(round: &Round, viewer: Option<Seat>) -> Self {
        let mut deck = vec![None; Card::COUNT];
        Self::own_cards(round, viewer, &mut deck);
        deck[usize::from(Deck::DEALT)] = round.revealed();
        if viewer.is_some() && viewer == round.took_first() {
            for (place, card) in round
                .deck()
                .cards()
                .iter()
                .enumerate()
                .skip(Deck::DEALT.into())
            {
                deck[place] = Some(*card);
            }
        }
        Self {
            setup: *round.setup(),
            viewer,
            deck,
            events: round.seen(viewer),
        }
    }

    fn own_cards(round: &Round, viewer: Option<Seat>, deck: &mut [Option<Card>]) {
        let dealt = match round.phase() {
            Phase::Dealing(dealing) => usize::from(dealing.dealt),
            _ => usize::from(Deck::DEALT),
        };
        let first = round.first_dealt();
        for (place, card) in round.deck().cards()[..dealt].iter().enumerate() {
            if viewer == Some(first.after(place)) {
                deck[place] = Some(*card);
            }
        }
    }
}

impl Round {
    /// Who took the kitty as it was dealt.
    fn took_first(&self) -> Option<Seat> {
        let first = self.events().iter().find_map(|event| match event {
            Event::Bury { seat, .. } => Some(*seat),
            _ => None,
        });
        first.or(self
            .turn()
            .filter(|_| matches!(self.phase(), Phase::Burying(_))))
    }

    /// The events as `viewer` saw them.
    pub fn seen(&self, viewer: Option<Seat>) -> Vec<Seen> {
        let over = matches!(self.phase(), Phase::Over(_));
        let is_bury = |event: &Event| matches!(event, Event::Bury { .. });
        let last_bury = self.events().iter().rposition(is_bury);
        let failed = self.failed_throws();
        let mut seen = Vec::with_capacity(self.events().len());
        for (place, event) in self.events().iter().enumerate() {
            seen.push(match *event {
                Event::Deal { count } => Seen::Deal { count },
                Event::Declare { seat, cards } => Seen::Declare { seat, cards },
                Event::Retract { seat } => Seen::Retract { seat },
                Event::Pass { seat } => Seen::Pass { seat },
                Event::Close => Seen::Close,
                Event::Bury { seat, cards } => {
                    let shown = over && Some(place) == last_bury;
                    let known =
                        viewer.is_some_and(|me| me == seat || self.thief(place) == Some(me));
                    Seen::Bury {
                        seat,
                        cards: (shown || known).then_some(cards),
                    }
                }
                Event::Play { seat, cards } => played(&failed, place, seat, cards, self),
                Event::Throw { seat, ref parts } => {
                    let cards = parts.iter().flat_map(|part| part.iter()).collect();
                    played(&failed, place, seat, cards, self)
                }
                Event::TakeBack { seat } => Seen::TakeBack { seat },
                Event::EndEarly { seat } => Seen::EndEarly { seat },
            });
        }
        seen
    }

    /// Who stole the kitty that the event at `bury` laid down.
    fn thief(&self, bury: usize) -> Option<Seat> {
        self.events()[bury + 1..]
            .iter()
            .find_map(|event| match event {
                Event::Declare { seat, .. } => Some(Some(*seat)),
                Event::Play { .. } | Event::Throw { .. } => Some(None),
                _ => None,
            })
            .flatten()
    }

    /// The failed throws: the place of the event, what was led, and who stopped it.
    fn failed_throws(&self) -> Vec<(usize, CardSet, Seat)> {
        let mut plays = Vec::new();
        for (place, event) in self.events().iter().enumerate() {
            match event {
                Event::Play { .. } | Event::Throw { .. } => plays.push(place),
                Event::TakeBack { .. } => drop(plays.pop()),
                _ => {}
            }
        }
        let finished = self
            .tricks()
            .iter()
            .map(|trick| (trick.failed, trick.plays[0]));
        let open = match self.phase() {
            Phase::Playing(playing) => playing.plays.first().map(|led| (playing.failed, *led)),
            _ => None,
        };
        finished
            .chain(open)
            .zip(plays.into_iter().step_by(4))
            .filter_map(|((failed, led), place)| Some((place, led, failed?.by)))
            .collect()
    }
}

/// A play as everyone saw it.
fn played(
    failed: &[(usize, CardSet, Seat)],
    place: usize,
    seat: Seat,
    cards: CardSet,
    round: &Round,
) -> Seen {
    match failed.iter().find(|(at, ..)| *at == place) {
        None => Seen::Play { seat, cards },
        Some(&(_, led, by)) => Seen::Failed {
            seat,
            cards,
            led,
            by: Some(by).filter(|_| round.setup().rules.announce_stopper),
        },
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_setup(f, &self.setup)?;
        match self.viewer {
            Some(seat) => writeln!(f, "viewer {seat}")?,
            None => f.write_str("viewer -\n")?,
        }
        f.write_str("deck")?;
        for card in &self.deck {
            match card {
                Some(card) => write!(f, " {card}")?,
                None => f.write_str(" ??")?,
            }
        }
        f.write_str("\n")?;
        self.events
            .iter()
            .try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Deal { count } => Event::Deal { count }.fmt(f),
            Self::Declare { seat, cards } => Event::Declare { seat, cards }.fmt(f),
            Self::Retract { seat } => Event::Retract { seat }.fmt(f),
            Self::Pass { seat } => Event::Pass { seat }.fmt(f),
            Self::Close => Event::Close.fmt(f),
            Self::Bury {
                seat,
                cards: Some(cards),
            } => Event::Bury { seat, cards }.fmt(f),
            Self::Bury { seat, cards: None } => write!(f, "bury {seat} ??"),
            Self::Play { seat, cards } => Event::Play { seat, cards }.fmt(f),
            Self::Failed {
                seat,
                cards,
                led,
                by,
            } => {
                write!(f, "play {seat} {cards} > {led}")?;
                by.map_or(Ok(()), |by| write!(f, " by {by}"))
            }
            Self::TakeBack { seat } => Event::TakeBack { seat }.fmt(f),
            Self::EndEarly { seat } => Event::EndEarly { seat }.fmt(f),
        }
    }
}

impl FromStr for Seen {
    type Err = ParseEventError;

    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        if let Some(seat) = line
            .strip_prefix("bury ")
            .and_then(|l| l.strip_suffix(" ??"))
        {
            let seat = read_seat(Some(seat))?;
            return Ok(Self::Bury { seat, cards: None });
        }
        if let Some((throw, rest)) = line.split_once(" > ") {
            let Event::Play { seat, cards } = throw.parse()? else {
                return Err(ParseEventError::Rest);
            };
            let (led, by) = match rest.split_once(" by ") {
                Some((led, by)) => (led, Some(read_seat(Some(by))?)),
                None => (rest, None),
            };
            let led = read_cards(led.split(' '))?;
            return Ok(Self::Failed {
                seat,
                cards,
                led,
                by,
            });
        }
        Ok(match line.parse()? {
            Event::Deal { count } => Self::Deal { count },
            Event::Declare { seat, cards } => Self::Declare { seat, cards },
            Event::Retract { seat } => Self::Retract { seat },
            Event::Pass { seat } => Self::Pass { seat },
            Event::Close => Self::Close,
            Event::Bury { seat, cards } => Self::Bury {
                seat,
                cards: Some(cards),
            },
            Event::Play { seat, cards } => Self::Play { seat, cards },
            Event::Throw { .. } => return Err(ParseEventError::Word),
            Event::TakeBack { seat } => Self::TakeBack { seat },
            Event::EndEarly { seat } => Self::EndEarly { seat },
        })
    }
}
