//! Rounds, views, house rules, legal plays and records of Tractor.

use pyo3::prelude::*;
use tractor::{CardSet, Event, Game, Phase, Rules, Seat, Seed, Setup, Stage, View};

use crate::errors::{IllegalEventError, bad_cards, bad_rules, illegal_event, invalid_text};

pub(crate) fn rules(text: &str) -> PyResult<Rules> {
    text.parse()
        .map_err(|why| bad_rules(format!("rules {text:?}: {why}")))
}

pub(crate) fn seat(index: usize) -> PyResult<Seat> {
    Seat::new(index).ok_or_else(|| invalid_text(format!("{index} is no seat: they are 0 to 3")))
}

/// Cards as a list of texts, `['TS0', 'sj1']`.
pub(crate) fn texts(cards: CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).collect()
}

fn read_cards(cards: &[String]) -> PyResult<CardSet> {
    CardSet::read(cards.iter().map(String::as_str)).map_err(bad_cards)
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Dealing => "dealing",
        Stage::Burying => "burying",
        Stage::Stealing => "stealing",
        Stage::Playing => "playing",
        Stage::Over => "over",
    }
}

/// The full text of house rules, as `Game` takes it: a preset ('default', 'ejfn', 'shengji') and switches, 'default throw_penalty=10'.
///
/// >>> from convoy_games import tractor
/// >>> tractor.parse_rules("default follow_policy=loose")
/// 'default'
#[pyfunction]
fn parse_rules(text: &str) -> PyResult<String> {
    rules(text).map(|rules| rules.to_string())
}

/// Every switch of the house rules: its name, its value in the given rules, and what it decides.
///
/// >>> from convoy_games import tractor
/// >>> tractor.switches("shengji")[0][:2]
/// ('throw_mode', 'challenge')
#[pyfunction]
#[pyo3(signature = (rules="default"))]
fn switches(rules: &str) -> PyResult<Vec<(String, String, String)>> {
    let rules = self::rules(rules)?;
    let rows = Rules::SWITCHES.iter();
    Ok(rows
        .map(|switch| {
            (
                switch.name.into(),
                switch.get(&rules),
                switch.doc().trim().into(),
            )
        })
        .collect())
}

/// A game of Tractor: rounds until the last level is defended. Every change is an event; one that the rules forbid is refused with an
/// `IllegalEventError` and changes nothing. Cards are texts: rank, suit and copy, 'TS0', 'sj1'.
///
/// >>> from convoy_games.tractor import Game
/// >>> game = Game(seed=7)
/// >>> game.deal()
/// >>> game.close()
/// >>> game.stage, game.turn
/// ('burying', 0)
/// >>> game.bury(game.hand(0)[:8])
/// >>> game.view(0).count_legal_plays() > 20
/// True
/// >>> game.play(game.view(0).legal_plays(1)[0])
/// >>> game.turn
/// 1
#[pyclass(name = "Game", module = "convoy_games.tractor", eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyTractorGame {
    game: Game,
}

impl PyTractorGame {
    fn apply_event(&mut self, event: Event) -> PyResult<()> {
        self.game.apply(event).map_err(illegal_event)
    }

    fn own_turn(&self) -> PyResult<Seat> {
        let turn = self.game.round().turn();
        turn.ok_or_else(|| IllegalEventError::new_err("it is no seat's own turn: give the seat"))
    }
}

#[pymethods]
impl PyTractorGame {
    /// A game before its first card. `seed` is a number, or 64 hexadecimal digits.
    #[new]
    #[pyo3(signature = (seed=None, rules="default"))]
    fn new(seed: Option<&Bound<'_, PyAny>>, rules: &str) -> PyResult<Self> {
        let seed = seed.map_or_else(|| Ok(Seed::from_number(0)), read_seed)?;
        Ok(Self {
            game: Game::begin(Setup::first(self::rules(rules)?), tractor::Deal::Seed(seed)),
        })
    }

    /// Reads the record that `record` wrote.
    #[staticmethod]
    fn from_record(text: &str) -> PyResult<Self> {
        let game = text.parse::<Game>();
        game.map(|game| Self { game }).map_err(invalid_text)
    }

    /// All rounds so far as text: seeds and events, enough to play them again.
    fn record(&self) -> String {
        self.game.to_string()
    }

    /// Makes an event of the record's notation happen, 'play 2 AS0 AS1'.
    fn apply(&mut self, event: &str) -> PyResult<()> {
        let event = event.parse::<Event>().map_err(invalid_text)?;
        self.apply_event(event)
    }

    /// Deals so many of the 100 cards.
    #[pyo3(signature = (count=100))]
    fn deal(&mut self, count: u8) -> PyResult<()> {
        self.apply_event(Event::Deal { count })
    }

    /// A seat declares with these cards.
    fn declare(&mut self, seat: usize, cards: Vec<String>) -> PyResult<()> {
        let (seat, cards) = (self::seat(seat)?, read_cards(&cards)?);
        self.apply_event(Event::Declare { seat, cards })
    }

    /// A seat declares nothing more.
    fn pass_(&mut self, seat: usize) -> PyResult<()> {
        let seat = self::seat(seat)?;
        self.apply_event(Event::Pass { seat })
    }

    /// The table ends the declaring.
    fn close(&mut self) -> PyResult<()> {
        self.apply_event(Event::Close)
    }

    /// Whose turn it is buries these eight cards.
    fn bury(&mut self, cards: Vec<String>) -> PyResult<()> {
        let (seat, cards) = (self.own_turn()?, read_cards(&cards)?);
        self.apply_event(Event::Bury { seat, cards })
    }

    /// Whose turn it is plays these cards.
    fn play(&mut self, cards: Vec<String>) -> PyResult<()> {
        let (seat, cards) = (self.own_turn()?, read_cards(&cards)?);
        self.apply_event(Event::Play { seat, cards })
    }

    /// Begins the next round once this one is over.
    fn next_round(&mut self, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seed = read_seed(seed)?;
        self.game.next_round(seed).map_err(illegal_event)
    }

    /// 'dealing', 'burying', 'stealing', 'playing' or 'over'.
    #[getter]
    fn stage(&self) -> &'static str {
        stage_name(View::of(self.game.round(), None).stage)
    }

    /// Whose turn it is, where it is one seat's, or None.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.game.round().turn().map(Seat::index)
    }

    /// Who starts the round, as it stands.
    #[getter]
    fn starter(&self) -> usize {
        self.game.round().starter().index()
    }

    /// The team that defends, 'A' or 'B'.
    #[getter]
    fn defending(&self) -> String {
        self.game.round().defending().to_string()
    }

    /// The trump as it stands, '2H', or '2N' without a suit.
    #[getter]
    fn trump(&self) -> String {
        self.game.round().trump().to_string()
    }

    /// The number of the round, from 1.
    #[getter]
    fn round_number(&self) -> u32 {
        self.game.round().setup().number
    }

    /// The levels of A and B.
    #[getter]
    fn levels(&self) -> (String, String) {
        let [a, b] = self.game.round().setup().start.levels;
        (a.to_string(), b.to_string())
    }

    /// The house rules.
    #[getter]
    fn rules(&self) -> String {
        self.game.round().setup().rules.to_string()
    }

    /// The cards of a seat: the table knows them all, players should be shown a `view`.
    fn hand(&self, seat: usize) -> PyResult<Vec<String>> {
        Ok(texts(self.game.round().hand(self::seat(seat)?)))
    }

    /// Everything that happened in the round, one text an event.
    fn events(&self) -> Vec<String> {
        self.game
            .round()
            .events()
            .iter()
            .map(Event::to_string)
            .collect()
    }

    /// The result of the round: winner, the attackers' points, levels gained; None before its end.
    fn result(&self) -> Option<(String, i32, u8)> {
        let Phase::Over(over) = self.game.round().phase() else {
            return None;
        };
        let result = over.result;
        Some((result.winner.to_string(), result.points, result.rise))
    }

    /// The team that has won the game, or None.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.game.winner().map(|team| team.to_string())
    }

    /// What a seat may know; without a seat, what an onlooker may.
    #[pyo3(signature = (seat=None))]
    fn view(&self, seat: Option<usize>) -> PyResult<PyView> {
        let viewer = seat.map(self::seat).transpose()?;
        Ok(PyView {
            view: View::of(self.game.round(), viewer),
        })
    }

    /// A copy with a course of its own.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.record()
    }

    fn __repr__(&self) -> String {
        format!("<Game: round {}, {}>", self.round_number(), self.stage())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let make = py.get_type::<Self>().getattr("from_record")?;
        Ok((make.unbind(), (self.record(),)))
    }
}

fn read_seed(seed: &Bound<'_, PyAny>) -> PyResult<Seed> {
    if let Ok(number) = seed.extract::<u64>() {
        return Ok(Seed::from_number(number));
    }
    let text: String = seed.extract()?;
    text.parse().map_err(invalid_text)
}

/// All that one seat, or an onlooker, may know of a round. It does not change if the cards that the viewer cannot see are exchanged.
///
/// >>> from convoy_games.tractor import Game
/// >>> game = Game(seed=7)
/// >>> game.deal()
/// >>> view = game.view(2)
/// >>> len(view.hand), view.held
/// (25, [25, 25, 25, 25])
/// >>> sorted(view.to_dict())[:3]
/// ['attackers', 'bonus', 'buriedBy']
#[pyclass(name = "View", module = "convoy_games.tractor", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyView {
    pub(crate) view: View,
}

#[pymethods]
impl PyView {
    /// Reads the JSON that `to_json` wrote, or that a server sends.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let view = serde_json::from_str(text).map_err(invalid_text)?;
        Ok(Self { view })
    }

    /// The whole view as JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.view).map_err(invalid_text)
    }

    /// The whole view as a dictionary.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let loads = py.import("json")?.getattr("loads")?;
        Ok(loads.call1((self.to_json()?,))?.unbind())
    }

    /// Whose view it is; None for an onlooker.
    #[getter]
    fn viewer(&self) -> Option<usize> {
        self.view.viewer.map(Seat::index)
    }

    /// 'dealing', 'burying', 'stealing', 'playing' or 'over'.
    #[getter]
    fn stage(&self) -> &'static str {
        stage_name(self.view.stage)
    }

    /// Whose turn it is, or None.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.view.turn.map(Seat::index)
    }

    /// The viewer's cards.
    #[getter]
    fn hand(&self) -> Vec<String> {
        texts(self.view.hand)
    }

    /// How many cards each seat holds.
    #[getter]
    fn held(&self) -> Vec<usize> {
        self.view.held.to_vec()
    }

    /// The trump as it stands.
    #[getter]
    fn trump(&self) -> String {
        self.view.trump.to_string()
    }

    /// The attackers' points so far, without a bonus.
    #[getter]
    fn attackers(&self) -> i32 {
        self.view.attackers
    }

    /// What the viewer may declare now: the cards to show, each in one list.
    fn offers(&self) -> Vec<Vec<String>> {
        self.view
            .offers
            .iter()
            .map(|offer| texts(offer.cards))
            .collect()
    }

    /// The viewer's legal plays, at most `limit` of them; an error where it is not its turn to play.
    #[pyo3(signature = (limit=1000))]
    fn legal_plays(&self, limit: usize) -> PyResult<Vec<Vec<String>>> {
        let legal = self.view.legal_plays(limit).map_err(illegal_event)?;
        Ok(legal.plays.into_iter().map(texts).collect())
    }

    /// How many legal plays there are; nothing is listed to count them.
    fn count_legal_plays(&self) -> PyResult<u64> {
        Ok(self.view.legal_plays(0).map_err(illegal_event)?.count)
    }

    /// Refuses cards that the viewer may not play now, with the reason.
    fn check(&self, cards: Vec<String>) -> PyResult<()> {
        let cards = read_cards(&cards)?;
        self.view.check(cards).map_err(illegal_event)
    }

    fn __repr__(&self) -> String {
        let viewer = self
            .view
            .viewer
            .map_or("an onlooker".into(), |seat| format!("seat {seat}"));
        format!("<View of {viewer}, {}>", self.stage())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let make = py.get_type::<Self>().getattr("from_json")?;
        Ok((make.unbind(), (self.to_json()?,)))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_rules, module)?)?;
    module.add_function(wrap_pyfunction!(switches, module)?)?;
    module.add("PRESETS", Rules::PRESETS)?;
    module.add("TractorGame", module.py().get_type::<PyTractorGame>())?;
    module.add_class::<PyView>()
}
