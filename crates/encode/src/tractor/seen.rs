//! What one seat knows, ranked by the judge: all that an observation is made of.

use tractor::{Bid, CardSet, Judge, Level, Memory, RankedCards, Seat, Stage, Team, View};

/// What one seat knows of a round. It is made of a [`View`], or by an [`Env`](super::Env) that keeps the same things ready; the
/// tests hold the two against each other.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub(crate) judge: &'a Judge,
    pub(crate) viewer: Seat,
    pub(crate) stage: Stage,
    pub(crate) turn: Option<Seat>,
    pub(crate) starter: Seat,
    pub(crate) defending: Team,
    pub(crate) levels: [Level; 2],
    pub(crate) first_round: bool,
    pub(crate) standing: Option<(Seat, Bid)>,
    pub(crate) passed: [bool; 4],
    pub(crate) revealed: Option<u32>,
    pub(crate) hand: RankedCards,
    pub(crate) laid: RankedCards,
    pub(crate) kitty: RankedCards,
    pub(crate) held: [usize; 4],
    pub(crate) played: [RankedCards; 4],
    pub(crate) exposed: [RankedCards; 4],
    /// The leader of the open trick and who is ahead in it.
    pub(crate) open: Option<(Seat, Seat)>,
    pub(crate) plays: [RankedCards; 4],
    pub(crate) memory: Memory,
    pub(crate) taken: [u32; 2],
    pub(crate) attackers: i32,
}

impl<'a> Seen<'a> {
    /// What the viewer of a view knows; `None` for an onlooker. `judge` is the view's own, and `laid` the cards that the viewer has
    /// laid out for its play or for the kitty but not yet played.
    ///
    /// ```
    /// use convoy_encode::tractor::{OBSERVATION_LEN, Seen, observe};
    /// use tractor::{Deck, Event, Faces, Round, Rules, Seat, Seed, Setup, View};
    /// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
    /// round.apply(Event::Deal { count: 100 })?;
    /// let view = View::of(&round, Some(Seat::ALL[2]));
    /// let judge = view.judge();
    /// let mut bytes = vec![0; OBSERVATION_LEN];
    /// observe(&Seen::of(&view, &judge, Faces::EMPTY).expect("a seat"), &mut bytes);
    /// assert_eq!(bytes[..128].iter().map(|byte| usize::from(*byte)).sum::<usize>(), 25);
    /// # Ok::<_, tractor::RoundError>(())
    /// ```
    pub fn of(view: &View, judge: &'a Judge, laid: tractor::Faces) -> Option<Self> {
        let ranked = |cards: CardSet| judge.ranked(cards.faces());
        let mut played = [RankedCards::EMPTY; 4];
        let mut plays = [RankedCards::EMPTY; 4];
        for trick in view.tricks.iter().chain(&view.open) {
            for (steps, play) in trick.plays.iter().enumerate() {
                let seat = trick.leader.after(steps).index();
                played[seat] = played[seat].plus_unchecked(ranked(*play));
            }
        }
        if let Some(open) = &view.open {
            for (steps, play) in open.plays.iter().enumerate() {
                plays[open.leader.after(steps).index()] = ranked(*play);
            }
        }
        let ahead = |trick: &tractor::SeenTrick| Some((trick.leader, *trick.ahead.last()?));
        Some(Self {
            judge,
            viewer: view.viewer?,
            stage: view.stage,
            turn: view.turn,
            starter: view.starter,
            defending: view.defending,
            levels: view.levels,
            first_round: view.number == 1,
            standing: view.declarations.last().map(|last| (last.seat, last.bid)),
            passed: view.passed,
            revealed: view.revealed.map(|card| judge.slot(card.face())),
            hand: ranked(view.hand),
            laid: judge.ranked(laid),
            kitty: view.kitty.map_or(RankedCards::EMPTY, ranked),
            held: view.held,
            played,
            exposed: view.exposed.map(ranked),
            open: view.open.as_ref().and_then(ahead),
            plays,
            memory: view.memory(judge),
            taken: view.taken,
            attackers: view.attackers,
        })
    }
}
