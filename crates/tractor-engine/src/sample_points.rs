//! What several decisions come to in the same sampled worlds.

use tractor::{CardSet, Stage, View};

use crate::beliefs::Beliefs;
use crate::rollout_bids::sample_buries;
use crate::sample::Sampler;
use crate::search::Trial;
use crate::weights::Weights;

/// The attackers' points at the end of the round for each candidate (cards to bury, lead or follow with), world by
/// world: every candidate is played out in the same worlds, which are sampled from what the viewer knows. `None` where
/// the viewer has no such decision.
///
/// ```
/// # use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// # use tractor_engine::{Player, SkillLevel, sample_points};
/// # let deck = Deck::of(&Seed::from_number(7), 1);
/// # let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// # round.apply(Event::Deal { count: 100 })?;
/// # round.apply(Event::Close)?;
/// let view = View::of(&round, round.turn());
/// let ways = Player::new(SkillLevel::Strong, 1).candidates(&view);
/// let points = sample_points(&view, &ways, 10, 1).expect("the viewer buries");
/// assert_eq!((points.len(), points[0].len()), (10, ways.len()));
/// # Ok::<_, tractor::RoundError>(())
/// ```
pub fn sample_points(
    view: &View,
    candidates: &[CardSet],
    worlds: u32,
    seed: u64,
) -> Option<Vec<Vec<i32>>> {
    if view.turn != view.viewer {
        return None;
    }
    let judge = view.judge();
    let plays = candidates
        .iter()
        .map(|cards| judge.ranked(cards.faces()))
        .collect::<Vec<_>>();
    if view.stage == Stage::Burying {
        return sample_buries(view, &plays, worlds, seed);
    }
    let beliefs = Beliefs::of(view, Weights::NORMAL).filter(|_| view.stage == Stage::Playing)?;
    let trial = Trial::new(&beliefs);
    let mut sampler = Sampler::kitty_prior(&beliefs, seed);
    let world = |_| {
        let world = sampler.world();
        let points = plays.iter();
        points
            .map(|play| trial.outcome(&world, *play).points)
            .collect()
    };
    Some((0..worlds).map(world).collect())
}
