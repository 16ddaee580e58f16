//! A player: a level, a seed and a budget, and every decision of a round from a view.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use tractor::{CardSet, Deck, Event, Judge, RankedCards, Seat, Stage, View};

use crate::beliefs::Beliefs;
use crate::play_history::PlayHistory;
use crate::purpose::Purpose;
use crate::rng::{Rng, mix};
use crate::search::{self, Limits, SearchParams, Verdict};
use crate::trump_tables::TrumpTables;
use crate::weights::Weights;
use crate::{bury, declare, random, rollout_bids, scripted};

/// How strong a player is. `random` and `scripted` are opponents to measure against in arenas.
///
/// ```
/// # use tractor_engine::SkillLevel;
/// assert_eq!("strong".parse(), Ok(SkillLevel::Strong));
/// assert_eq!("3".parse(), Ok(SkillLevel::Strong));
/// assert_eq!(SkillLevel::Master.to_string(), "master");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkillLevel {
    /// Any legal play, each as likely.
    Random,
    /// Fixed rules of thumb, for comparison: weaker than the bot of ejfn/Tractor that they were written after.
    Scripted,
    /// The heuristic without a memory, and now and then without thought.
    Easy,
    /// The heuristic.
    Normal,
    /// The search, about 50 ms a decision.
    Strong,
    /// The search, about 500 ms a decision.
    Master,
}

impl SkillLevel {
    /// Every level, weakest first.
    pub const ALL: [Self; 6] = [
        Self::Random,
        Self::Scripted,
        Self::Easy,
        Self::Normal,
        Self::Strong,
        Self::Master,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Scripted => "scripted",
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Strong => "strong",
            Self::Master => "master",
        }
    }

    /// How long it thinks.
    pub fn limits(self) -> Limits {
        match self {
            Self::Strong => Limits::time(Duration::from_millis(50)),
            Self::Master => Limits::time(Duration::from_millis(500)),
            _ => Limits::default(),
        }
    }

    const fn searches(self) -> bool {
        matches!(self, Self::Strong | Self::Master)
    }
}

impl fmt::Display for SkillLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSkillLevelError;

impl fmt::Display for ParseSkillLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is easy, normal, strong or master (or 1 to 4)")
    }
}

impl std::error::Error for ParseSkillLevelError {}

impl FromStr for SkillLevel {
    type Err = ParseSkillLevelError;

    fn from_str(text: &str) -> Result<Self, ParseSkillLevelError> {
        match text {
            "1" => Ok(Self::Easy),
            "2" => Ok(Self::Normal),
            "3" => Ok(Self::Strong),
            "4" => Ok(Self::Master),
            name => Self::ALL
                .into_iter()
                .find(|level| level.name() == name)
                .ok_or(ParseSkillLevelError),
        }
    }
}

/// A computer player. It is handed views and nothing else, so it cannot peek; between two decisions it keeps nothing,
/// and with a fixed number of play-outs the same view and seed give the same answer.
///
/// ```
/// use tractor::{Deck, Event, Phase, Round, Rules, Seat, Seed, Setup, View};
/// use tractor_engine::{Player, SkillLevel};
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// let player = Player::new(SkillLevel::Normal, 1);
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// while !matches!(round.phase(), Phase::Over(_)) {
///     let view = View::of(&round, round.turn());
///     round.apply(player.act(&view).expect("it is this seat's turn"))?;
/// }
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Player {
    /// How strong.
    pub level: SkillLevel,
    /// What its chances are drawn from.
    pub seed: u64,
    /// How long it thinks, where its level thinks at all.
    pub limits: Limits,
    /// What its heuristic values.
    pub weights: Weights,
    /// How many standard errors a play must be ahead of the heuristic's choice on fresh worlds to be played instead.
    pub z_score: f64,
    /// How many candidates it looks at.
    pub width: usize,
    /// How strongly the play history weights sampled worlds, from 0 (not at all) up to 1: a world in which the heuristic
    /// would not have played what the others played is less likely.
    pub trust: f32,
    /// Takes any of its candidates instead of the best: for tests of whatever the search might choose.
    pub explore: bool,
}

impl Player {
    /// A player of a level, with the budget of that level.
    pub fn new(level: SkillLevel, seed: u64) -> Self {
        Self {
            level,
            seed,
            limits: level.limits(),
            weights: match level {
                SkillLevel::Easy => Weights::EASY,
                _ => Weights::NORMAL,
            },
            z_score: 0.5,
            width: if level == SkillLevel::Master { 24 } else { 14 },
            trust: if level == SkillLevel::Master {
                0.9
            } else {
                0.0
            },
            explore: false,
        }
    }

    /// The same player with another budget.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What the viewer does now: declare or pass, bury, play. `None` where there is nothing for it to do.
    pub fn act(&self, view: &View) -> Option<Event> {
        let seat = view.viewer?;
        match view.stage {
            Stage::Dealing => match self.declare(view) {
                Some(cards) => Some(Event::Declare { seat, cards }),
                None => (view.dealt == Deck::DEALT && !view.passed[seat.index()])
                    .then_some(Event::Pass { seat }),
            },
            Stage::Stealing => match self.declare(view) {
                Some(cards) => Some(Event::Declare { seat, cards }),
                None => (!view.passed[seat.index()]).then_some(Event::Pass { seat }),
            },
            Stage::Burying => (view.turn == Some(seat)).then(|| Event::Bury {
                seat,
                cards: self.bury(view),
            }),
            Stage::Playing => (view.turn == Some(seat)).then(|| Event::Play {
                seat,
                cards: self.play(view),
            }),
            Stage::Over => None,
        }
    }

    /// The cards it declares with, if it does.
    pub fn declare(&self, view: &View) -> Option<CardSet> {
        let place = match self.level {
            SkillLevel::Random => random::declare(view, &mut self.rng(view)),
            SkillLevel::Scripted => scripted::declare(view, &mut self.rng(view)),
            _ if self.explore => random::declare(view, &mut self.rng(view)),
            _ => {
                let own = declare::declare(view);
                let asked = own.is_some() || view.dealt == Deck::DEALT && !view.offers.is_empty();
                if self.level.searches() && asked {
                    rollout_bids::choose_declare(view, self.weights, self.params(view), own)
                } else {
                    own
                }
            }
        }?;
        Some(view.offers.get(place)?.cards)
    }

    /// The eight cards it buries.
    pub fn bury(&self, view: &View) -> CardSet {
        let tables = TrumpTables::new(view.trump, view.rules).with_weights(self.weights);
        let hand = tables.judge().ranked(view.hand.faces());
        let cards = match self.level {
            SkillLevel::Random => return random::bury(view, &mut self.rng(view)),
            SkillLevel::Scripted => scripted::bury(&tables, hand),
            _ if self.explore => {
                let ways = bury::buries(&tables, hand, self.width);
                random::one_of(ways.as_slice(), &mut self.rng(view))
            }
            _ if self.level.searches() => {
                rollout_bids::choose_bury(view, self.weights, self.params(view), self.width)
                    .map_or_else(|| bury::bury(&tables, hand), |verdict| verdict.choice)
            }
            _ => bury::bury(&tables, hand),
        };
        view.hand
            .pick(tables.judge().faces(cards))
            .unwrap_or_else(|| random::bury(view, &mut self.rng(view)))
    }

    /// The cards it leads or follows with: always legal.
    pub fn play(&self, view: &View) -> CardSet {
        let Some(beliefs) = Beliefs::of(view, self.weights) else {
            return CardSet::EMPTY;
        };
        let choice = self.think(&beliefs, view).choice;
        let cards = |hand: RankedCards| view.hand.pick(beliefs.tables().judge().faces(hand));
        let chosen = cards(choice).filter(|&set| view.check(set).is_ok());
        // Whatever goes wrong above, a legal card is played: the first there is.
        chosen
            .or_else(|| cards(beliefs.state().choose()).filter(|&set| view.check(set).is_ok()))
            .or_else(|| cards(random::play(&beliefs, &mut self.rng(view))))
            .unwrap_or_default()
    }

    /// What it thinks of its plays.
    fn think(&self, beliefs: &Beliefs, view: &View) -> Verdict {
        let state = beliefs.state();
        let plain = |choice: RankedCards| Verdict {
            choice,
            candidates: Vec::new(),
            rollouts: 0,
        };
        match self.level {
            SkillLevel::Random => plain(random::play(beliefs, &mut self.rng(view))),
            SkillLevel::Scripted => plain(state.scripted()),
            SkillLevel::Easy => {
                let mut rng = self.rng(view);
                if rng.below(6) == 0 {
                    plain(random::one_of(&search::candidates(beliefs, 6), &mut rng))
                } else {
                    plain(state.choose())
                }
            }
            _ if !self.level.searches() => plain(state.choose()),
            _ => {
                let plays = search::candidates(beliefs, self.width);
                if self.explore || plays.len() < 2 {
                    return plain(random::one_of(&plays, &mut self.rng(view)));
                }
                search::choose(
                    beliefs,
                    &PlayHistory::read(beliefs, view),
                    &plays,
                    self.params(view),
                )
            }
        }
    }

    fn params(&self, view: &View) -> SearchParams {
        SearchParams {
            limits: self.limits,
            seed: self.number(view),
            z_score: self.z_score,
            trust: self.trust,
        }
    }

    /// A number for this decision, from what the viewer can see of when it is made.
    fn number(&self, view: &View) -> u64 {
        let plays: usize = view.tricks.iter().map(|trick| trick.plays.len()).sum();
        let open = view.open.as_ref().map_or(0, |open| open.plays.len());
        let seat = view.viewer.map_or(4, Seat::index);
        let when = (plays + open) as u64 * 8 + seat as u64;
        mix(
            self.seed,
            when << 16 | u64::from(view.dealt) << 8 | u64::from(view.number),
        )
    }

    fn rng(&self, view: &View) -> Rng {
        Rng::new(self.number(view))
    }

    /// The ways to decide that it would look at, its heuristic's own first: what to bury, lead or follow with. Empty
    /// where the viewer has no cards to put down.
    pub fn candidates(&self, view: &View) -> Vec<CardSet> {
        let tables = TrumpTables::new(view.trump, view.rules).with_weights(self.weights);
        let judge = *tables.judge();
        let hand = judge.ranked(view.hand.faces());
        let ways = match view.stage {
            _ if view.turn != view.viewer => Vec::new(),
            Stage::Burying => bury::buries(&tables, hand, self.width).as_slice().to_vec(),
            Stage::Playing => Beliefs::of(view, self.weights)
                .map_or_else(Vec::new, |beliefs| search::candidates(&beliefs, self.width)),
            _ => Vec::new(),
        };
        let pick = |cards: RankedCards| view.hand.pick(judge.faces(cards));
        ways.into_iter().filter_map(pick).collect()
    }

    /// What it would play and why, in words; `None` where the viewer has no card to play.
    pub fn hint(&self, view: &View) -> Option<Hint> {
        if view.stage != Stage::Playing || view.turn != view.viewer {
            return None;
        }
        let beliefs = Beliefs::of(view, self.weights)?;
        let plays = search::candidates(&beliefs, self.width);
        let history = PlayHistory::read(&beliefs, view);
        let verdict = search::choose(&beliefs, &history, &plays, self.params(view));
        let judge = *beliefs.tables().judge();
        let cards = view.hand.pick(judge.faces(verdict.choice))?;
        let attacks = beliefs.seat().team() != view.defending;
        let words = in_words(&judge, &verdict, attacks);
        let alternatives = verdict
            .candidates
            .iter()
            .skip(1)
            .filter_map(|other| Some((view.hand.pick(judge.faces(other.cards))?, other.points)))
            .collect();
        Some(Hint {
            cards,
            points: verdict.candidates.first().map_or(0.0, |best| best.points),
            alternatives,
            purpose: Purpose::of(view, cards),
            words,
        })
    }
}

/// Advice to a player.
#[derive(Debug, Clone, PartialEq)]
pub struct Hint {
    /// What to play.
    pub cards: CardSet,
    /// The attackers' points that are to be expected then.
    pub points: f64,
    /// Other plays and the attackers' points after them, the most promising first.
    pub alternatives: Vec<(CardSet, f64)>,
    /// What it does in the trick.
    pub purpose: Purpose,
    /// All this in words.
    pub words: String,
}

fn in_words(judge: &Judge, verdict: &Verdict, attacks: bool) -> String {
    let Some(best) = verdict.candidates.first() else {
        return String::new();
    };
    let side = if attacks {
        "you take"
    } else {
        "the attackers take"
    };
    let mut words = format!(
        "play {}: {side} about {:.0} points, and you win {:.0} % of such rounds",
        judge.faces(best.cards),
        best.points,
        100.0 * best.wins
    );
    if let Some(other) = verdict.candidates.get(1) {
        let cards = judge.faces(other.cards);
        let gain = if attacks {
            best.points - other.points
        } else {
            other.points - best.points
        };
        let verb = if gain >= 1.0 || best.wins > other.wins + 0.01 {
            "comes to"
        } else {
            "is about as good, with"
        };
        let _ = write!(
            words,
            "; {cards} instead {verb} about {:.0} points and {:.0} %",
            other.points,
            100.0 * other.wins
        );
    }
    words
}
