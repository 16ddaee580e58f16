//! One game at a time, by action indices: what the environments are built of.

use convoy_encode::tractor::{Action, Env as TractorEnv};
use convoy_encode::{cotulenh as ctl, tractor as cards};
use convoy_protocol::cotulenh::fen_error;
use cotulenh::Color;
use numpy::{PyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use tractor::{Event, Faces, Seat, Stage};

use crate::board::PyBoard;
use crate::cotulenh::{PyMove, PyOutcome};
use crate::errors::{BufferError, illegal_action, invalid_text, refused};
use crate::options::{options, words};

fn write(
    out: &mut PyReadwriteArray1<'_, u8>,
    len: usize,
    write: impl FnOnce(&mut [u8]),
) -> PyResult<()> {
    let bytes = out
        .as_slice_mut()
        .map_err(|why| BufferError::new_err(why.to_string()))?;
    if bytes.len() != len {
        return Err(BufferError::new_err(format!(
            "the buffer has {} bytes and needs {len}",
            bytes.len()
        )));
    }
    write(bytes);
    Ok(())
}

/// A game of Cờ Tư Lệnh by action indices; see docs/encodings.md.
#[pyclass(name = "CotulenhEnv", module = "convoy_games._native")]
#[derive(Clone)]
struct PyCotulenhEnv {
    env: ctl::Env,
}

#[pymethods]
impl PyCotulenhEnv {
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(board: Option<PyRef<'_, PyBoard>>) -> Self {
        let env = match board {
            None => ctl::Env::new(),
            Some(board) => ctl::Env::from_position(board.game.position().clone()),
        };
        Self { env }
    }

    fn reset(&mut self) {
        self.env.reset();
    }

    fn step(&mut self, action: i32) -> PyResult<Option<PyOutcome>> {
        let outcome = self.env.step(action).map_err(illegal_action)?;
        Ok(outcome.map(PyOutcome::new))
    }

    fn legal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        PyArray1::from_slice(py, self.env.legal())
    }

    fn is_legal(&self, action: i32) -> bool {
        self.env.is_legal(action)
    }

    fn move_of(&self, action: i32) -> Option<PyMove> {
        let number = usize::try_from(action).ok()?;
        ctl::decode(self.env.position(), number).map(PyMove)
    }

    fn index_of(&self, r#move: PyMove) -> Option<usize> {
        ctl::index(self.env.position(), r#move.0)
    }

    fn observe(&self, mut out: PyReadwriteArray1<'_, u8>) -> PyResult<()> {
        write(&mut out, ctl::OBSERVATION_LEN, |bytes| {
            self.env.observe(bytes);
        })
    }

    fn outcome(&self) -> Option<PyOutcome> {
        self.env.outcome().map(PyOutcome::new)
    }

    fn player(&self) -> usize {
        usize::from(self.env.position().turn() == Color::Blue)
    }

    fn fen(&self) -> String {
        self.env.position().to_string()
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __getstate__(&self) -> (String, Vec<u64>) {
        (self.fen(), self.env.keys().to_vec())
    }

    fn __setstate__(&mut self, state: (String, Vec<u64>)) -> PyResult<()> {
        let position = state.0.parse();
        let position = position.map_err(|why| refused(&fen_error(&why)))?;
        self.env = ctl::Env::resumed(position, &state.1);
        Ok(())
    }
}

/// A round of Tractor by action indices; see docs/encodings.md.
#[pyclass(name = "TractorEnv", module = "convoy_games._native")]
#[derive(Clone)]
struct PyTractorEnv {
    env: TractorEnv,
    /// The same round in the plain API, for views, records and rendering.
    plain: tractor::Round,
    laid: Faces,
    /// What has been done in the round.
    done: Vec<Done>,
}

/// An action, or a play that has no number, in the record's notation.
#[derive(Clone, FromPyObject, IntoPyObject)]
enum Done {
    Action(i32),
    Event(String),
}

impl PyTractorEnv {
    fn deal(&mut self) {
        self.done.clear();
        let setup = *self.env.setup();
        let seed = tractor::Seed::from_number(self.env.deal());
        self.plain = tractor::Round::new(setup, tractor::Deck::of(&seed, setup.number));
        self.laid = Faces::EMPTY;
        let dealt = self.plain.apply(Event::Deal { count: 100 });
        debug_assert!(dealt.is_ok(), "a fresh round can be dealt");
        self.pass_the_silent();
    }

    /// Seats that can declare nothing pass unasked.
    fn pass_the_silent(&mut self) {
        let declaring = matches!(self.env.stage(), Stage::Dealing | Stage::Stealing);
        for seat in Seat::ALL {
            if !declaring || self.env.passed()[seat.index()] {
                // Who has passed already is refused, and nothing changes.
                let _ = self.plain.apply(Event::Pass { seat });
            }
        }
    }

    /// What an action is in the plain API, once it is complete.
    fn event(&mut self, action: Action) -> Option<Event> {
        let seat = self.env.player();
        let hand = self.plain.hand(seat);
        match action {
            Action::Pass => Some(Event::Pass { seat }),
            Action::Declare(bid) => {
                let face = bid.face(self.plain.setup().level().rank())?;
                let cards = hand.pick(std::iter::repeat_n(face, bid.len()).collect())?;
                Some(Event::Declare { seat, cards })
            }
            Action::Play(faces) => Some(Event::Play {
                seat,
                cards: hand.pick(faces)?,
            }),
            Action::End => {
                let cards = hand.pick(std::mem::take(&mut self.laid))?;
                Some(Event::Play { seat, cards })
            }
            Action::Lay(face) => {
                self.laid = self.laid.with(face)?;
                let burying = self.env.stage() == Stage::Burying;
                let needed = if burying {
                    Some(tractor::KITTY)
                } else {
                    self.plain.lead().map(|lead| lead.len())
                };
                if needed != Some(self.laid.len()) {
                    return None;
                }
                let cards = hand.pick(std::mem::take(&mut self.laid))?;
                Some(if burying {
                    Event::Bury { seat, cards }
                } else {
                    Event::Play { seat, cards }
                })
            }
        }
    }
}

#[pymethods]
impl PyTractorEnv {
    #[new]
    #[pyo3(signature = (seed=0, rules="default", form="cards", start="first", reward="win"))]
    fn new(seed: u64, rules: &str, form: &str, start: &str, reward: &str) -> PyResult<Self> {
        let env = TractorEnv::new(options(rules, form, start, reward)?, seed);
        let seed = tractor::Seed::from_number(0);
        let mut env = Self {
            plain: tractor::Round::new(*env.setup(), tractor::Deck::of(&seed, 1)),
            laid: Faces::EMPTY,
            done: Vec::new(),
            env,
        };
        env.deal();
        Ok(env)
    }

    fn reset(&mut self) {
        self.env.reset();
        self.deal();
    }

    /// Steps, and answers whether the round is over.
    fn step(&mut self, action: i32) -> PyResult<bool> {
        if let Some(meant) = self.env.action(action)
            && let Some(event) = self.event(meant)
        {
            self.plain.apply(event).map_err(illegal_action)?;
        }
        let over = self.env.step(action).map_err(illegal_action)?.is_some();
        self.done.push(Done::Action(action));
        self.pass_the_silent();
        Ok(over)
    }

    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mask = self.env.mask();
        PyArray1::from_iter(
            py,
            (0..cards::ACTIONS).map(|number| u8::from(mask >> number & 1 == 1)),
        )
    }

    fn candidates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let words = self
            .env
            .candidates()
            .iter()
            .flat_map(|cards| [cards.any(), cards.pair()]);
        PyArray1::from_vec(py, words.collect())
    }

    fn count(&self) -> usize {
        self.env.legal_count()
    }

    fn is_legal(&self, action: i32) -> bool {
        self.env.is_legal(action)
    }

    /// What an action means, in words: 'pass', 'declare 2H 2H', 'lay TS', 'end', 'play AS AS'.
    fn describe(&self, action: i32) -> Option<String> {
        Some(match self.env.action(action)? {
            Action::Pass => "pass".into(),
            Action::End => "end".into(),
            Action::Lay(face) => format!("lay {face}"),
            Action::Play(faces) => format!("play {faces}"),
            Action::Declare(bid) => {
                let face = bid.face(self.plain.setup().level().rank())?;
                format!("declare {}", vec![face.to_string(); bid.len()].join(" "))
            }
        })
    }

    /// What the seat that is to act has laid out so far, 'TS TS KS'.
    fn laid(&self) -> String {
        self.laid.to_string()
    }

    /// The slot of a face under the trump as it stands.
    fn slot(&self, face: &str) -> PyResult<u32> {
        let face: tractor::Face = face.parse().map_err(invalid_text)?;
        Ok(self.env.judge().slot(face))
    }

    fn observe(&self, mut out: PyReadwriteArray1<'_, u8>) -> PyResult<()> {
        write(&mut out, cards::OBSERVATION_LEN, |bytes| {
            self.env.observe(bytes);
        })
    }

    /// What any seat sees, made from its view.
    fn observe_seat(&self, seat: usize, mut out: PyReadwriteArray1<'_, u8>) -> PyResult<()> {
        let seat = crate::tractor::seat(seat)?;
        let view = tractor::View::of(&self.plain, Some(seat));
        let judge = view.judge();
        let laid = if seat == self.env.player() {
            self.laid
        } else {
            Faces::EMPTY
        };
        let seen = cards::Seen::of(&view, &judge, laid);
        let seen = seen.ok_or_else(|| invalid_text("an onlooker has no observation"))?;
        write(&mut out, cards::OBSERVATION_LEN, |bytes| {
            cards::observe(&seen, bytes);
        })
    }

    fn player(&self) -> usize {
        self.env.player().index()
    }

    fn stage(&self) -> &'static str {
        match self.env.stage() {
            Stage::Dealing => "dealing",
            Stage::Burying => "burying",
            Stage::Stealing => "stealing",
            Stage::Playing => "playing",
            Stage::Over => "over",
        }
    }

    fn rewards(&self) -> Vec<f32> {
        Seat::ALL.map(|seat| self.env.reward(seat)).to_vec()
    }

    fn points(&self) -> Option<i32> {
        self.env.result().map(|result| result.points)
    }

    /// What a seat may know, for the players of `convoy_games.engine`.
    fn view(&self, seat: usize) -> PyResult<crate::tractor::PyView> {
        let seat = crate::tractor::seat(seat)?;
        Ok(crate::tractor::PyView {
            view: tractor::View::of(&self.plain, Some(seat)),
        })
    }

    /// The events of the round so far, in the record's notation.
    fn events(&self) -> Vec<String> {
        self.plain.events().iter().map(Event::to_string).collect()
    }

    /// Lets an event of a player of `convoy_games.engine` happen, and answers whether the round is over. A play need not be among the
    /// candidates, which leave some follows out.
    fn apply(&mut self, event: &str) -> PyResult<bool> {
        let parsed: Event = event.parse().map_err(invalid_text)?;
        let to_act = self.env.player();
        if parsed.seat() != Some(to_act) {
            return Err(illegal_action(format!(
                "`{event}` is not an event of seat {to_act}, which is to act"
            )));
        }
        if let Some(actions) = actions_of(&self.env, &parsed) {
            for action in actions {
                self.step(action)?;
            }
        } else {
            let Event::Play { cards, .. } = parsed else {
                return Err(illegal_action(format!("`{event}` is not legal here")));
            };
            let mut env = self.env.clone();
            env.play_cards(cards.faces()).map_err(illegal_action)?;
            self.plain.apply(parsed).map_err(illegal_action)?;
            self.env = env;
            self.done.push(Done::Event(event.to_owned()));
        }
        Ok(self.env.stage() == Stage::Over)
    }

    /// The actions that carry an event out in this form, or None if it cannot be.
    fn actions_of(&self, event: &str) -> PyResult<Option<Vec<i32>>> {
        let event: Event = event.parse().map_err(invalid_text)?;
        Ok(actions_of(&self.env, &event))
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __getnewargs__(&self) -> (u64, String, &str, &str, &str) {
        let options = self.env.options();
        let [form, start, reward] = words(options);
        let rules = options.rules.to_string();
        (self.env.seed(), rules, form, start, reward)
    }

    fn __getstate__(&self) -> (Vec<Done>,) {
        (self.done.clone(),)
    }

    fn __setstate__(&mut self, state: (Vec<Done>,)) -> PyResult<()> {
        for done in state.0 {
            match done {
                Done::Action(action) => self.step(action)?,
                Done::Event(event) => self.apply(&event)?,
            };
        }
        Ok(())
    }
}

fn actions_of(env: &TractorEnv, event: &Event) -> Option<Vec<i32>> {
    let find = |wanted: Action| (0..128).find(|number| env.action(*number) == Some(wanted));
    match event {
        Event::Pass { .. } => Some(vec![find(Action::Pass)?]),
        Event::Declare { cards, .. } => {
            let bid = tractor::Bid::of(cards.faces(), env.judge().trump().rank())?;
            Some(vec![find(Action::Declare(bid))?])
        }
        Event::Play { cards, .. } if env.candidates().is_empty() => {
            // Card by card; the last of them shows whether a lead has to be ended.
            let (mut copy, mut actions) = (env.clone(), Vec::new());
            for face in cards.faces().iter() {
                let action = i32::try_from(copy.judge().slot(face)).ok()?;
                copy.step(action).ok()?;
                actions.push(action);
            }
            let end = i32::try_from(cards::END).ok()?;
            let open = copy.player() == env.player() && copy.result().is_none();
            if open && copy.is_legal(end) && copy.stage() == Stage::Playing {
                actions.push(end);
            }
            Some(actions)
        }
        Event::Play { cards, .. } => Some(vec![find(Action::Play(cards.faces()))?]),
        Event::Bury { cards, .. } => {
            let (mut copy, mut actions) = (env.clone(), Vec::new());
            for face in cards.faces().iter() {
                let action =
                    (0..128).find(|number| copy.action(*number) == Some(Action::Lay(face)))?;
                copy.step(action).ok()?;
                actions.push(action);
            }
            Some(actions)
        }
        _ => None,
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("COTULENH_VERSION", ctl::VERSION)?;
    module.add("COTULENH_ACTIONS", ctl::ACTIONS)?;
    module.add("COTULENH_SHAPE", ctl::SHAPE)?;
    module.add("TRACTOR_VERSION", cards::VERSION)?;
    module.add("TRACTOR_ACTIONS", cards::ACTIONS)?;
    module.add("TRACTOR_OBSERVATION", cards::OBSERVATION_LEN)?;
    module.add("TRACTOR_CANDIDATES", cards::CANDIDATES)?;
    module.add_class::<PyCotulenhEnv>()?;
    module.add_class::<PyTractorEnv>()
}
