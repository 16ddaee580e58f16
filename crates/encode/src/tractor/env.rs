//! One round, stepped by the numbers of actions.

use cotulenh::SplitMix64;
use tractor::{
    Bid, Card, CardSet, Deck, Faces, Judge, Level, Memory, Rank, RankedCards, RoundResult, Seat,
    Seed, Setup, Stage, Trick, Trump,
};

use super::actions::{Action, BIDS, END, FIRST_BID, PASS};
use super::legal::Legal;
use super::options::{Form, Options, Reward, Start};
use super::seen::Seen;
use crate::IllegalAction;

/// A round from its deal to its result. All cards are dealt before anybody declares; then every seat that can declare something is
/// asked in turn until all have passed.
///
/// ```
/// use convoy_encode::tractor::{Env, Options};
/// let mut env = Env::new(Options::default(), 7);
/// while env.result().is_none() {
///     env.step(0)?; // the first candidate
/// }
/// let result = env.result().expect("the round is over");
/// assert_eq!(env.reward(env.player()), if env.player().team() == result.winner { 1.0 } else { -1.0 });
/// # Ok::<_, convoy_encode::IllegalAction>(())
/// ```
#[derive(Debug, Clone)]
pub struct Env {
    pub(super) options: Options,
    seeds: SplitMix64,
    /// What `seeds` was before the round.
    seed: u64,
    deal: u64,
    pub(super) setup: Setup,
    pub(super) judge: Judge,
    pub(super) hands: [RankedCards; 4],
    /// What lies face down: the dealt kitty, then the buried one.
    pub(super) kitty: RankedCards,
    pub(super) first_of_kitty: Card,
    pub(super) stage: Stage,
    pub(super) asked: Seat,
    pub(super) passed: [bool; 4],
    pub(super) standing: Option<(Seat, Bid)>,
    pub(super) first_bidder: Option<Seat>,
    pub(super) revealed: Option<Card>,
    pub(super) buried_by: Option<Seat>,
    pub(super) laid: RankedCards,
    pub(super) memory: Memory,
    pub(super) played: [RankedCards; 4],
    pub(super) leader: Seat,
    pub(super) trick: Option<Trick>,
    pub(super) plays: [RankedCards; 4],
    pub(super) exposed: [RankedCards; 4],
    pub(super) taken: [u32; 2],
    pub(super) penalty: i32,
    pub(super) result: Option<RoundResult>,
    pub(super) legal: Legal,
}

impl Env {
    /// A round that has just been dealt. All deals are drawn from the seed.
    pub fn new(options: Options, seed: u64) -> Self {
        let setup = Setup::first(options.rules);
        let mut env = Self {
            options,
            seeds: SplitMix64::new(seed),
            seed,
            deal: 0,
            setup,
            judge: Judge::new(Trump::JOKERS, options.rules),
            hands: [RankedCards::EMPTY; 4],
            kitty: RankedCards::EMPTY,
            first_of_kitty: Card::new(tractor::Face::BIG_JOKER, true),
            stage: Stage::Dealing,
            asked: Seat::ALL[0],
            passed: [false; 4],
            standing: None,
            first_bidder: None,
            revealed: None,
            buried_by: None,
            laid: RankedCards::EMPTY,
            memory: Memory::default(),
            played: [RankedCards::EMPTY; 4],
            leader: Seat::ALL[0],
            trick: None,
            plays: [RankedCards::EMPTY; 4],
            exposed: [RankedCards::EMPTY; 4],
            taken: [0; 2],
            penalty: 0,
            result: None,
            legal: Legal::new(0),
        };
        env.reset();
        env
    }

    /// Deals the next round.
    pub fn reset(&mut self) {
        self.seed = self.seeds.seed();
        self.deal = self.seeds.next_u64();
        self.legal = Legal::new(self.deal);
        self.setup = match self.options.start {
            Start::First => Setup::first(self.options.rules),
            Start::Random => self.random_setup(),
        };
        let deck = Deck::of(&Seed::from_number(self.deal), self.setup.number);
        self.standing = None;
        self.first_bidder = None;
        self.revealed = None;
        self.judge = Judge::new(self.trump(), self.options.rules);
        let first = match self.setup.number {
            1 => Seat::ALL[0],
            _ => self.setup.start.starter,
        };
        let mut hands = [CardSet::EMPTY; 4];
        for (place, card) in deck.cards()[..usize::from(Deck::DEALT)].iter().enumerate() {
            hands[first.after(place).index()].insert(*card);
        }
        self.hands = hands.map(|hand| self.judge.ranked(hand.faces()));
        let kitty: CardSet = deck.kitty().iter().copied().collect();
        self.kitty = self.judge.ranked(kitty.faces());
        self.first_of_kitty = deck.kitty()[0];
        self.buried_by = None;
        self.laid = RankedCards::EMPTY;
        self.memory = Memory::default();
        self.played = [RankedCards::EMPTY; 4];
        self.plays = [RankedCards::EMPTY; 4];
        self.exposed = [RankedCards::EMPTY; 4];
        self.trick = None;
        self.taken = [0; 2];
        self.penalty = 0;
        self.result = None;
        self.stage = Stage::Dealing;
        self.passed = [false; 4];
        self.asked = first;
        self.ask();
        self.list();
    }

    /// What the environment was made with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The seed of the round and of all that follow it: an environment that is made with it begins with the same round.
    ///
    /// ```
    /// use convoy_encode::tractor::{Env, Options};
    /// let mut env = Env::new(Options::default(), 7);
    /// env.reset();
    /// let again = Env::new(Options::default(), env.seed());
    /// assert_eq!(again.deal(), env.deal());
    /// ```
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    fn random_setup(&mut self) -> Setup {
        let mut level = || Level::from(Rank::ALL[self.seeds.below(13)]);
        let levels = [level(), level()];
        let starter = Seat::ALL[self.seeds.below(4)];
        let start = tractor::Start {
            starter,
            defending: starter.team(),
            levels,
        };
        Setup {
            number: 2,
            start,
            ..Setup::first(self.options.rules)
        }
    }

    /// The number whose [`Seed::from_number`] dealt the round.
    pub const fn deal(&self) -> u64 {
        self.deal
    }

    /// What the round began with.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The judge of the trump as it stands.
    pub const fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Where the round stands.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Who is to act; once the round is over, who acted last.
    pub const fn player(&self) -> Seat {
        self.asked
    }

    /// What the seat that is to act has laid out so far.
    pub fn laid(&self) -> Faces {
        self.judge.faces(self.laid)
    }

    /// Who has passed since the last declaration; seats that can declare nothing pass unasked.
    pub const fn passed(&self) -> [bool; 4] {
        self.passed
    }

    /// The result, once the round is over.
    pub const fn result(&self) -> Option<RoundResult> {
        self.result
    }

    /// What the round was worth to a seat; 0 before its end.
    pub fn reward(&self, seat: Seat) -> f32 {
        let Some(result) = self.result else {
            return 0.0;
        };
        match self.options.reward {
            Reward::Win if seat.team() == result.winner => 1.0,
            Reward::Win => -1.0,
            Reward::Points => {
                let scoring = self.options.rules.scoring;
                let needed = f32::from(scoring.step) * f32::from(scoring.turnover);
                #[allow(clippy::cast_precision_loss, reason = "a few thousand points at most")]
                let over = (result.points as f32 - needed) / needed;
                if seat.team() == self.defending() {
                    -over
                } else {
                    over
                }
            }
        }
    }

    /// The candidates, in [`Form::Candidates`]: whole plays; while declaring, the cards to show, and no card for passing; while
    /// burying, the next card. All legal plays are there unless there are more than [`CANDIDATES`](super::CANDIDATES), see there.
    pub fn candidates(&self) -> &[RankedCards] {
        &self.legal.candidates
    }

    /// The legal numbers, in [`Form::CardByCard`]: bit `i` for number `i`.
    pub const fn mask(&self) -> u128 {
        self.legal.mask
    }

    /// How many actions can be given to [`Env::step`].
    pub fn legal_count(&self) -> usize {
        self.legal.count(self.options.form)
    }

    /// The legal action at a place below [`Env::legal_count`], in ascending order.
    ///
    /// ```
    /// use convoy_encode::tractor::{Env, Form, Options, PASS};
    /// let env = Env::new(Options { form: Form::CardByCard, ..Options::default() }, 7);
    /// assert_eq!(env.nth_legal(0), i32::try_from(PASS).ok());
    /// assert_eq!(env.nth_legal(env.legal_count()), None);
    /// ```
    #[inline]
    pub fn nth_legal(&self, place: usize) -> Option<i32> {
        if place >= self.legal_count() {
            return None;
        }
        let number = match self.options.form {
            Form::Candidates => place,
            Form::CardByCard => {
                let below = (0..place).fold(self.legal.mask, |left, _| left & (left - 1));
                below.trailing_zeros() as usize
            }
        };
        i32::try_from(number).ok()
    }

    /// Whether an action is legal now.
    #[inline]
    pub fn is_legal(&self, action: i32) -> bool {
        let Ok(number) = usize::try_from(action) else {
            return false;
        };
        match self.options.form {
            Form::Candidates => number < self.legal.candidates.len(),
            Form::CardByCard => number < 128 && self.legal.mask >> number & 1 == 1,
        }
    }

    /// What an action means; `None` if it is not legal.
    pub fn action(&self, action: i32) -> Option<Action> {
        if !self.is_legal(action) {
            return None;
        }
        let number = usize::try_from(action).ok()?;
        match self.options.form {
            Form::Candidates => {
                let cards = self.judge.faces(self.legal.candidates[number]);
                Some(match self.stage {
                    Stage::Burying => Action::Lay(cards.iter().next()?),
                    Stage::Playing => Action::Play(cards),
                    _ => Bid::of(cards, self.judge.trump().rank())
                        .map_or(Action::Pass, Action::Declare),
                })
            }
            Form::CardByCard => Some(match number {
                END => Action::End,
                PASS => Action::Pass,
                bid if bid >= FIRST_BID => Action::Declare(BIDS[bid - FIRST_BID]),
                slot => Action::Lay(self.judge.face(u32::try_from(slot).ok()?)),
            }),
        }
    }

    /// Carries out an action; tells the result if it ended the round. An illegal one changes nothing.
    pub fn step(&mut self, action: i32) -> Result<Option<RoundResult>, IllegalAction> {
        let legal = self.legal_count();
        let meant = self.meant(action).ok_or(IllegalAction { action, legal })?;
        match meant {
            Meant::Pass => self.pass(),
            Meant::Declare(bid) => self.declare(bid),
            Meant::Play(cards) => self.play(cards),
            Meant::Lay(card) => self.lay(card),
        }
        self.list();
        Ok(self.result)
    }

    /// The same as [`Env::action`] without a detour over faces: the hot path of whole plays.
    fn meant(&self, action: i32) -> Option<Meant> {
        if !self.is_legal(action) {
            return None;
        }
        let number = usize::try_from(action).ok()?;
        if self.options.form == Form::Candidates && self.stage == Stage::Playing {
            return Some(Meant::Play(self.legal.candidates[number]));
        }
        Some(match self.action(action)? {
            Action::Pass => Meant::Pass,
            Action::Declare(bid) => Meant::Declare(bid),
            Action::End => Meant::Play(self.laid),
            Action::Play(faces) => Meant::Play(self.judge.ranked(faces)),
            Action::Lay(face) => Meant::Lay(self.judge.ranked(Faces::from_iter([face]))),
        })
    }

    /// Lays one more card out, and buries or plays once there are enough.
    fn lay(&mut self, card: RankedCards) {
        self.laid = self.laid.plus_unchecked(card);
        match (self.stage, &self.trick) {
            (Stage::Burying, _) if self.laid.len() == tractor::KITTY => self.bury(),
            (Stage::Playing, Some(trick)) if self.laid.len() == trick.lead().len() => {
                self.play(self.laid);
            }
            _ => {}
        }
    }

    fn bury(&mut self) {
        let seat = self.asked;
        let hand = &mut self.hands[seat.index()];
        *hand = hand.less_unchecked(self.laid);
        self.kitty = self.laid;
        self.laid = RankedCards::EMPTY;
        self.buried_by = Some(seat);
        if self.options.rules.kitty_theft {
            self.stage = Stage::Stealing;
            self.passed[seat.index()] = true;
            self.asked = seat.next();
            self.ask();
        } else {
            self.begin_play();
        }
    }

    pub(super) fn begin_play(&mut self) {
        self.stage = Stage::Playing;
        self.passed = [false; 4];
        self.leader = self.starter();
        self.asked = self.leader;
    }

    /// What the seat that is to act knows.
    pub fn seen(&self) -> Seen<'_> {
        let viewer = self.asked;
        let knows_kitty = self.stage == Stage::Over || self.buried_by == Some(viewer);
        Seen {
            judge: &self.judge,
            viewer,
            stage: self.stage,
            turn: matches!(self.stage, Stage::Burying | Stage::Playing).then_some(viewer),
            starter: self.starter(),
            defending: self.defending(),
            levels: self.setup.start.levels,
            first_round: self.setup.number == 1,
            standing: self.standing,
            passed: self.passed,
            revealed: self.revealed.map(|card| self.judge.slot(card.face())),
            hand: self.hands[viewer.index()],
            laid: self.laid,
            kitty: if knows_kitty {
                self.kitty
            } else {
                RankedCards::EMPTY
            },
            held: self.hands.map(RankedCards::len),
            played: self.played,
            exposed: self.exposed,
            open: self
                .trick
                .map(|trick| (self.leader, self.leader.after(trick.winner()))),
            plays: self.plays,
            memory: self.memory,
            taken: self.taken,
            attackers: self.attackers(),
        }
    }

    /// Writes what the seat that is to act sees, see [`observe`](super::observe).
    pub fn observe(&self, out: &mut [u8]) {
        super::observe(&self.seen(), out);
    }
}

/// An action that was found legal.
enum Meant {
    Pass,
    Declare(Bid),
    Lay(RankedCards),
    Play(RankedCards),
}
