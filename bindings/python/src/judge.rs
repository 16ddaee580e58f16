//! The judge of one trump and one set of house rules.

use pyo3::prelude::*;
use tractor::{Faces, Judge, Knowledge, RankedCards, Trick, Trump};

use crate::errors::{bad_cards, bad_lead, illegal_event, invalid_text};

/// Answers every question of play under one trump and one set of house rules. Cards are faces here, 'AS AS KS'.
///
/// >>> from convoy_games.tractor import Judge
/// >>> judge = Judge("2H")
/// >>> judge.components("AS AS KS KS JS")
/// [('tractor of 2 pairs', 'KS KS AS AS'), ('single', 'JS')]
/// >>> judge.winner(["KS QS", "3H 4H", "AH AH", "5C 6C"])
/// 2
/// >>> judge.check_follow("3S 3S", hand="7S 7S 9S", play="7S 9S")
/// Traceback (most recent call last):
/// ...
/// convoy_games.IllegalEventError: one pair is owed: 7S 7S
#[pyclass(name = "Judge", module = "convoy_games.tractor", frozen)]
struct PyJudge {
    judge: Judge,
}

impl PyJudge {
    fn read(&self, cards: &str) -> PyResult<RankedCards> {
        let faces: Faces = cards.parse().map_err(bad_cards)?;
        Ok(self.judge.ranked(faces))
    }

    fn show(&self, cards: RankedCards) -> String {
        self.judge.faces(cards).to_string()
    }
}

#[pymethods]
impl PyJudge {
    /// The judge of a trump, '2H', or '2N' without a suit.
    #[new]
    #[pyo3(signature = (trump, rules="default"))]
    fn new(trump: &str, rules: &str) -> PyResult<Self> {
        let trump: Trump = trump.parse().map_err(invalid_text)?;
        Ok(Self {
            judge: Judge::new(trump, crate::tractor::rules(rules)?),
        })
    }

    /// The components of cards: what each is, and its cards.
    fn components(&self, cards: &str) -> PyResult<Vec<(String, String)>> {
        let components = self.judge.components(self.read(cards)?);
        Ok(components
            .map(|combo| (combo.kind.to_string(), self.show(combo.cards)))
            .collect())
    }

    /// Refuses a follow that a hand may not play to a lead, with the reason.
    fn check_follow(&self, lead: &str, hand: &str, play: &str) -> PyResult<()> {
        let lead = self.judge.lead(self.read(lead)?).map_err(bad_lead)?;
        let [hand, play] = [self.read(hand)?, self.read(play)?];
        self.judge.follow(&lead, hand, play).map_err(illegal_event)
    }

    /// Every follow that a hand may play to a lead, at most `limit` of them.
    #[pyo3(signature = (lead, hand, limit=1000))]
    fn follows(&self, lead: &str, hand: &str, limit: usize) -> PyResult<Vec<String>> {
        let lead = self.judge.lead(self.read(lead)?).map_err(bad_lead)?;
        let duty = self.judge.duty(&lead, self.read(hand)?);
        Ok(duty
            .plays()
            .take(limit)
            .map(|play| self.show(play))
            .collect())
    }

    /// Refuses a lead, with the reason: `unseen` are the cards that could beat a throw; without them, all but the hand.
    #[pyo3(signature = (hand, lead, unseen=None))]
    fn check_lead(&self, hand: &str, lead: &str, unseen: Option<&str>) -> PyResult<()> {
        let hand = self.read(hand)?;
        let mut known = Knowledge::at_start(&self.judge, hand);
        if let Some(unseen) = unseen {
            known.unseen = self.read(unseen)?;
        }
        let lead = self.judge.check_lead(hand, self.read(lead)?, &known);
        lead.map(drop).map_err(illegal_event)
    }

    /// Which of the plays of a trick wins, the lead first: 0 is the lead.
    fn winner(&self, plays: Vec<String>) -> PyResult<usize> {
        let mut plays = plays.iter();
        let lead = plays
            .next()
            .ok_or_else(|| illegal_event("a trick has a lead"))?;
        let lead = self.judge.lead(self.read(lead)?).map_err(bad_lead)?;
        let mut trick = Trick::new(lead, &self.judge);
        for play in plays {
            trick.play(&self.judge, self.read(play)?);
        }
        Ok(trick.winner())
    }

    /// The points that cards hold.
    fn points(&self, cards: &str) -> PyResult<u32> {
        Ok(self.judge.points(self.read(cards)?))
    }

    fn __getnewargs__(&self) -> (String, String) {
        (
            self.judge.trump().to_string(),
            self.judge.rules().to_string(),
        )
    }

    fn __repr__(&self) -> String {
        format!("Judge('{}', '{}')", self.judge.trump(), self.judge.rules())
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyJudge>()
}
