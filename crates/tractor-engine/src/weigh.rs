//! Two plays weighed against each other by play-outs on fresh worlds.

use tractor::{CardSet, View};

use crate::beliefs::Beliefs;
use crate::sample::Sampler;
use crate::weights::Weights;

/// What one play gains over another, for the viewer's team.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// Points, on average.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
    /// The share of rounds won that it gains.
    pub wins: f64,
}

/// Weighs `ours` against `theirs` in so many sampled worlds, each played out by the heuristic player from both plays;
/// `None` where the viewer has no card to play.
///
/// ```
/// # use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// # use tractor_engine::weigh;
/// # let deck = Deck::of(&Seed::from_number(7), 1);
/// # let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// # round.apply(Event::Deal { count: 100 })?;
/// # round.apply(Event::Close)?;
/// # let starter = round.starter();
/// # let cards = round.hand(starter).iter().take(8).collect();
/// # round.apply(Event::Bury { seat: starter, cards })?;
/// let view = View::of(&round, Some(starter));
/// let one = view.hand.iter().take(1).collect();
/// let gain = weigh(&view, one, one, 20, 1).expect("it is this seat's turn");
/// assert_eq!((gain.points, gain.wins), (0.0, 0.0));
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn weigh(view: &View, ours: CardSet, theirs: CardSet, worlds: u32, seed: u64) -> Option<Gain> {
    let beliefs = Beliefs::of(view, Weights::NORMAL)?;
    let tables = beliefs.tables();
    let judge = *tables.judge();
    let [ours, theirs] = [ours, theirs].map(|cards| judge.ranked(cards.faces()));
    let attacks = beliefs.seat().team() != view.defending;
    let mut sampler = Sampler::new(&beliefs, seed);
    let (mut sum, mut squares, mut wins) = (0.0, 0.0, 0.0);
    for _ in 0..worlds {
        let world = sampler.world();
        let [ours, theirs] = [ours, theirs].map(|cards| {
            let mut table = world;
            table.play(tables, cards);
            let points = table.play_out(tables);
            let (defended, _) = view.rules.scoring.rise(points);
            (points, defended != attacks)
        });
        let sign = if attacks { 1.0 } else { -1.0 };
        let gain = sign * f64::from(ours.0 - theirs.0);
        sum += gain;
        squares += gain * gain;
        wins += f64::from(i8::from(ours.1) - i8::from(theirs.1));
    }
    let number = f64::from(worlds.max(1));
    let mean: f64 = sum / number;
    Some(Gain {
        points: mean,
        error: ((squares / number - mean * mean).max(0.0) / number).sqrt(),
        wins: wins / number,
    })
}
