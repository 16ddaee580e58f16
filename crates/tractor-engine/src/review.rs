//! Finished rounds looked back on: what each decision has cost, and what was luck.

use tractor::{CardSet, Event, Phase, Record, Round, RoundError, Seat, Stage, Team, View};

use crate::player::{Player, SkillLevel};
use crate::sample_points::sample_points;
use crate::search::Limits;

/// How many play-outs the best decision is looked for with.
const ROLLOUTS: u32 = 400;
/// In how many worlds what was decided is weighed against it.
const WORLDS: u32 = 120;
/// A loss of fewer standard errors may be chance: it is none.
const SIGNIFICANT: f64 = 2.0;

/// A decision of a round against the best that its seat could know of.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Whose.
    pub seat: Seat,
    /// How many events of the round came before it.
    pub step: usize,
    /// What was buried, led or followed with.
    pub played: CardSet,
    /// What the engine would have put down.
    pub best: CardSet,
    /// What the seat's team is to be expected to lose by it, in points; 0 where that may be chance.
    pub loss: f64,
    /// The standard error of the loss.
    pub error: f64,
}

/// A round looked back on. The attackers' points are the sum of three parts: what the engine makes of the deal,
/// skill, and luck in the play.
///
/// ```
/// # use tractor::{Deck, Event, Phase, Record, Round, Rules, Seed, Setup, View};
/// # use tractor_engine::{Player, RoundReviewer, SkillLevel};
/// # let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// # round.apply(Event::Deal { count: 100 })?;
/// # round.apply(Event::Close)?;
/// # while let Some(seat) = round.turn() {
/// #     let view = View::of(&round, Some(seat));
/// #     round.apply(Player::new(SkillLevel::Normal, 1).act(&view).expect("its turn"))?;
/// # }
/// let mut reviewer = RoundReviewer::new(Record::of(&round));
/// while reviewer.step()? {}
/// let review = reviewer.finish().expect("the round is over");
/// let sum = f64::from(review.deal) + review.skill() + review.luck();
/// assert!((sum - f64::from(review.points)).abs() < 1e-9);
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RoundReview {
    /// With how many points the attackers win.
    pub needed: i32,
    /// Who defended.
    pub defending: Team,
    /// The attackers' points if the engine, without search, had played all four hands from the burying on.
    pub deal: i32,
    /// The attackers' points.
    pub points: i32,
    /// The decisions in their order, without those that the rules left no choice for.
    pub decisions: Vec<Decision>,
}

impl RoundReview {
    /// What a team's decisions have cost it, in points.
    pub fn lost(&self, team: Team) -> f64 {
        let own = self.decisions.iter();
        let own = own.filter(|decision| decision.seat.team() == team);
        own.map(|decision| decision.loss).sum()
    }

    /// What decisions have brought the attackers: the defenders' losses less their own.
    pub fn skill(&self) -> f64 {
        self.lost(self.defending) - self.lost(self.defending.other())
    }

    /// What neither the deal nor the decisions explain: how the cards that nobody could see lay.
    pub fn luck(&self) -> f64 {
        f64::from(self.points - self.deal) - self.skill()
    }
}

/// Looks back on a round, event by event: each takes some milliseconds.
#[derive(Debug, Clone)]
pub struct RoundReviewer {
    record: Record,
    round: Round,
    step: usize,
    deal: Option<i32>,
    decisions: Vec<Decision>,
}

impl RoundReviewer {
    /// Begins with the first event of a round.
    pub fn new(record: Record) -> Self {
        let deck = record.deal.deck(record.setup.number);
        Self {
            round: Round::new(record.setup, deck),
            record,
            step: 0,
            deal: None,
            decisions: Vec::new(),
        }
    }

    /// How many events it has looked at, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.step, self.record.events.len())
    }

    /// Looks at the next event; `false` if there is none, an error if the rules refuse it.
    pub fn step(&mut self) -> Result<bool, RoundError> {
        let Some(event) = self.record.events.get(self.step).cloned() else {
            return Ok(false);
        };
        if self.deal.is_none() && self.round.turn().is_some() {
            self.deal = Some(played_out(&self.round));
        }
        match &event {
            Event::Bury { seat, cards } | Event::Play { seat, cards } => self.judge(*seat, *cards),
            Event::Throw { seat, parts } => {
                let whole = parts.iter().flat_map(|part| part.iter()).collect();
                self.judge(*seat, whole);
            }
            Event::TakeBack { seat } => {
                let last = self.decisions.iter().rposition(|one| one.seat == *seat);
                let is_last = last.is_some_and(|at| self.decisions[at].step + 1 == self.step);
                if let Some(at) = last.filter(|_| is_last) {
                    self.decisions.remove(at);
                }
            }
            _ => {}
        }
        self.round.apply(event)?;
        self.step += 1;
        Ok(true)
    }

    /// Weighs a decision against the best.
    fn judge(&mut self, seat: Seat, played: CardSet) {
        let view = View::of(&self.round, Some(seat));
        let engine = Player::new(SkillLevel::Strong, 1).with_limits(Limits::rollouts(ROLLOUTS));
        let ways = engine.candidates(&view);
        let is_same = |cards: &CardSet| cards.faces() == played.faces();
        if ways.len() < 2 && ways.first().is_none_or(is_same) {
            return;
        }
        let best = match view.stage {
            Stage::Burying => engine.bury(&view),
            _ => engine.play(&view),
        };
        let (loss, error) = if is_same(&best) {
            (0.0, 0.0)
        } else {
            weigh(&view, [played, best])
        };
        self.decisions.push(Decision {
            seat,
            step: self.step,
            played,
            best,
            loss: if loss < SIGNIFICANT * error {
                0.0
            } else {
                loss.max(0.0)
            },
            error,
        });
    }

    /// The review; `None` unless the round is over and every event was looked at.
    pub fn finish(self) -> Option<RoundReview> {
        let Phase::Over(over) = self.round.phase() else {
            return None;
        };
        let scoring = &self.record.setup.rules.scoring;
        Some(RoundReview {
            needed: i32::from(scoring.step) * i32::from(scoring.turnover),
            defending: self.round.defending(),
            deal: self.deal?,
            points: over.result.points,
            decisions: self.decisions,
        })
    }
}

/// What the first of two decisions costs its team against the second, and the standard error of that.
fn weigh(view: &View, ways: [CardSet; 2]) -> (f64, f64) {
    let attacks = view.viewer.map(Seat::team) != Some(view.defending);
    let sign = if attacks { 1.0 } else { -1.0 };
    let worlds = sample_points(view, &ways, WORLDS, 1).unwrap_or_default();
    let costs = worlds
        .iter()
        .map(|points| sign * f64::from(points[1] - points[0]));
    let number = f64::from(WORLDS);
    let (sum, squares) = costs.fold((0.0, 0.0), |(sum, squares), cost| {
        (sum + cost, squares + cost * cost)
    });
    let mean: f64 = sum / number;
    (
        mean,
        ((squares / number - mean * mean).max(0.0) / number).sqrt(),
    )
}

/// The attackers' points if the engine plays all four hands on without search.
fn played_out(round: &Round) -> i32 {
    let player = Player::new(SkillLevel::Normal, 1);
    let mut round = round.clone();
    loop {
        let event = match (round.phase(), round.turn()) {
            (Phase::Over(over), _) => return over.result.points,
            // Nobody steals the kitty.
            (Phase::Stealing(_), _) => Some(Event::Close),
            (_, turn) => player.act(&View::of(&round, turn)),
        };
        let applied = event.map(|event| round.apply(event));
        if !matches!(applied, Some(Ok(()))) {
            return round.attackers_points();
        }
    }
}

#[cfg(test)]
mod tests {
    use tractor::{Deck, Rules, Seed, Setup};

    use super::*;

    /// A round in which this player sits at seat 0 and the heuristic at the others.
    fn round(number: u64, player: Player) -> Round {
        let deck = Deck::of(&Seed::from_number(number), 1);
        let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
        round.apply(Event::Deal { count: 100 }).unwrap();
        round.apply(Event::Close).unwrap();
        while let Some(seat) = round.turn() {
            let view = View::of(&round, Some(seat));
            let own = if seat == Seat::ALL[0] {
                player
            } else {
                Player::new(SkillLevel::Normal, 1)
            };
            round.apply(own.act(&view).unwrap()).unwrap();
        }
        round
    }

    fn review(round: &Round) -> RoundReview {
        let mut reviewer = RoundReviewer::new(Record::of(round));
        assert_eq!(reviewer.clone().finish(), None, "nothing was looked at");
        while reviewer.step().unwrap() {}
        let (done, all) = reviewer.progress();
        assert_eq!(done, all);
        reviewer.finish().unwrap()
    }

    fn lost_by(review: &RoundReview, seat: Seat) -> f64 {
        let own = review.decisions.iter().filter(|one| one.seat == seat);
        own.map(|one| one.loss).sum()
    }

    /// Deal, skill and luck are the result, for every team and every player.
    #[test]
    fn deal_skill_and_luck_add_up_to_the_result() {
        for (number, level) in [(1, SkillLevel::Normal), (2, SkillLevel::Random)] {
            let finished = round(number, Player::new(level, number));
            let review = review(&finished);
            let Phase::Over(over) = finished.phase() else {
                panic!("the round is over");
            };
            assert_eq!((review.points, review.needed), (over.result.points, 80));
            let sum = f64::from(review.deal) + review.skill() + review.luck();
            assert!((sum - f64::from(review.points)).abs() < 1e-9, "{review:?}");
            let by_seat: f64 = Seat::ALL.iter().map(|&seat| lost_by(&review, seat)).sum();
            let by_team = review.lost(Team::A) + review.lost(Team::B);
            assert!((by_seat - by_team).abs() < 1e-9);
            if level == SkillLevel::Normal {
                // The engine has played the very round that measures the deal: no luck but its own mistakes.
                assert_eq!(review.deal, review.points);
                assert!((review.luck() + review.skill()).abs() < 1e-9);
            } else {
                // Whoever plays at random loses more than the others together.
                let own = lost_by(&review, Seat::ALL[0]);
                assert!(own > 20.0 && own > by_seat - own, "{own} of {by_seat}");
            }
        }
    }

    #[test]
    fn a_play_that_is_taken_back_is_no_decision() {
        let rules = Rules {
            take_back: true,
            ..Rules::DEFAULT
        };
        let deck = Deck::of(&Seed::from_number(3), 1);
        let mut round = Round::new(Setup::first(rules), deck);
        round.apply(Event::Deal { count: 100 }).unwrap();
        round.apply(Event::Close).unwrap();
        let player = Player::new(SkillLevel::Normal, 1);
        let mut is_back = false;
        while let Some(seat) = round.turn() {
            let event = player.act(&View::of(&round, Some(seat))).unwrap();
            let is_lead = matches!(round.phase(), Phase::Playing(_)) && round.tricks().is_empty();
            round.apply(event.clone()).unwrap();
            if is_lead && !is_back && round.may_take_back(seat) {
                is_back = true;
                round.apply(Event::TakeBack { seat }).unwrap();
            }
        }
        assert!(is_back);
        let steps: Vec<usize> = review(&round)
            .decisions
            .iter()
            .map(|one| one.step)
            .collect();
        let taken = round
            .events()
            .iter()
            .position(|event| matches!(event, Event::TakeBack { .. }));
        assert!(!steps.contains(&(taken.unwrap() - 1)), "{steps:?}");
    }
}
