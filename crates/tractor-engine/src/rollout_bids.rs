//! Burying and declaring by play-outs: the cards not yet seen are dealt at random, and the round is played.

use tractor::{Deck, Face, Faces, Memory, RankedCards, Seat, Team, Trump, View};

use crate::bury::{buries, bury};
use crate::declare::{shows, trump_strength};
use crate::rng::{Rng, mix};
use crate::search::{self, Outcome, SearchParams, Verdict, finish};
use crate::trump_tables::TrumpTables;
use crate::weights::Weights;
use crate::world::World;

/// Deals the cards that a view does not show: declared ones to those who showed them, the rest blindly.
#[derive(Debug)]
struct Dealer {
    seat: Seat,
    own: Faces,
    shown: [Faces; 4],
    hidden: Vec<Face>,
    rng: Rng,
}

/// Four hands and what lies in the kitty.
#[derive(Debug, Clone, Copy)]
struct DealtHands {
    hands: [Faces; 4],
    kitty: Faces,
}

impl Dealer {
    fn new(view: &View, seed: u64) -> Option<Self> {
        let seat = view.viewer?;
        let own = view.hand.faces();
        let mut shown = [Faces::EMPTY; 4];
        for made in view.declarations.iter().filter(|made| made.seat != seat) {
            if let Some((face, number)) = shows(made.bid, view.trump.rank()) {
                let cards = &mut shown[made.seat.index()];
                let has = cards.iter().filter(|&other| other == face).count();
                for _ in has..number {
                    *cards = cards.with(face).unwrap_or(*cards);
                }
            }
        }
        let placed = shown.iter().try_fold(own, |sum, cards| sum.plus(*cards))?;
        let hidden = Faces::FULL.less(placed)?.iter().collect();
        Some(Self {
            seat,
            own,
            shown,
            hidden,
            rng: Rng::new(seed),
        })
    }

    fn world(&mut self) -> DealtHands {
        for at in (1..self.hidden.len()).rev() {
            let other = self.rng.below(at + 1);
            self.hidden.swap(at, other);
        }
        let mut rest = self.hidden.iter().copied();
        let mut hands = self.shown;
        hands[self.seat.index()] = self.own;
        for hand in &mut hands {
            while hand.len() < Deck::HAND {
                let Some(face) = rest.next() else { break };
                *hand = hand.with(face).unwrap_or(*hand);
            }
        }
        let kitty = rest.fold(Faces::EMPTY, |sum, face| sum.with(face).unwrap_or(sum));
        DealtHands { hands, kitty }
    }
}

/// A table before the first lead.
fn begin(hands: [RankedCards; 4], kitty: RankedCards, starter: Seat, defending: Team) -> World {
    World {
        hands,
        kitty,
        burier: Some(starter),
        defending,
        attackers: 0,
        memory: Memory::default(),
        leader: starter,
        trick: None,
        pot: 0,
    }
}

/// What to bury; `None` where the view is not that of someone who holds the kitty.
pub(crate) fn choose_bury(
    view: &View,
    weights: Weights,
    params: SearchParams,
    width: usize,
) -> Option<Verdict> {
    let seat = view.viewer?;
    let tables = TrumpTables::new(view.trump, view.rules).with_weights(weights);
    let hand = tables.judge().ranked(view.hand.faces());
    let list = buries(&tables, hand, width);
    let mut dealer = Dealer::new(view, mix(params.seed, 3))?;
    let attacks = seat.team() != view.defending;
    let mut outcome = |world: &DealtHands, kitty: RankedCards| {
        let points = bury_points(&tables, view, seat, (world, kitty));
        Outcome::of(&view.rules, points, attacks)
    };
    Some(search::sequential_halving(
        list.as_slice(),
        params,
        &mut || dealer.world(),
        &mut outcome,
    ))
}

/// The attackers' points where the viewer buries these cards in a world.
fn bury_points(
    tables: &TrumpTables,
    view: &View,
    seat: Seat,
    (world, kitty): (&DealtHands, RankedCards),
) -> i32 {
    let judge = tables.judge();
    let mut hands = world.hands.map(|cards| judge.ranked(cards));
    hands[seat.index()] = judge.ranked(view.hand.faces()).less_unchecked(kitty);
    let mut table = begin(hands, kitty, seat, view.defending);
    finish(tables, &mut table, 2, 2_000)
}

/// The attackers' points for each way to bury, world by world.
pub(crate) fn sample_buries(
    view: &View,
    kitties: &[RankedCards],
    worlds: u32,
    seed: u64,
) -> Option<Vec<Vec<i32>>> {
    let seat = view.viewer?;
    let tables = TrumpTables::new(view.trump, view.rules);
    let mut dealer = Dealer::new(view, seed)?;
    let world = |_| {
        let world = dealer.world();
        let points = kitties.iter();
        points
            .map(|kitty| bury_points(&tables, view, seat, (&world, *kitty)))
            .collect()
    };
    Some((0..worlds).map(world).collect())
}

/// What becomes of the trump: who starts, who defends, what is trump.
#[derive(Debug, Clone, Copy)]
struct Fate {
    starter: Seat,
    defending: Team,
    trump: Trump,
}

/// What to declare: the place of an offer, or `None`. `own` is the heuristic's choice, which stands unless another is
/// better beyond doubt.
pub(crate) fn choose_declare(
    view: &View,
    weights: Weights,
    params: SearchParams,
    own: Option<usize>,
) -> Option<usize> {
    let mut dealer = Dealer::new(view, mix(params.seed, 4))?;
    let mut ways = vec![own];
    if own.is_some() {
        ways.push(None);
    }
    // For the same suit the stronger show and the weaker one play alike: one offer a suit will do.
    for (place, offer) in view.offers.iter().enumerate() {
        let same = |way: &Option<usize>| {
            way.is_some_and(|at| view.offers[at].bid.suit() == offer.bid.suit())
        };
        if !ways.iter().any(same) {
            ways.push(Some(place));
        }
    }
    if ways.len() < 2 {
        return own;
    }
    let seat = view.viewer?;
    let trumps = [None]
        .into_iter()
        .chain(tractor::Suit::ALL.map(Some))
        .map(|suit| match view.trump.rank() {
            Some(rank) => Trump::new(rank, suit),
            None => Trump::JOKERS,
        });
    let all_tables: Vec<TrumpTables> = trumps
        .map(|trump| TrumpTables::new(trump, view.rules).with_weights(weights))
        .collect();
    // The search chooses among hands: a marker stands for each way.
    let marks: Vec<RankedCards> = (0..ways.len())
        .filter_map(|at| RankedCards::from_planes(1 << at, 0))
        .collect();
    let mut outcome = |world: &DealtHands, mark: RankedCards| {
        let way = ways[mark.any().trailing_zeros() as usize];
        let fate = fate(view, world, way, seat);
        let place = fate.trump.suit().map_or(0, |suit| suit as usize + 1);
        let tables = &all_tables[place];
        let judge = tables.judge();
        let mut hands = world.hands.map(|cards| judge.ranked(cards));
        let full = hands[fate.starter.index()].plus_unchecked(judge.ranked(world.kitty));
        let kitty = bury(tables, full);
        hands[fate.starter.index()] = full.less_unchecked(kitty);
        let mut table = begin(hands, kitty, fate.starter, fate.defending);
        let points = finish(tables, &mut table, 2, 2_000);
        Outcome::of(&view.rules, points, seat.team() != fate.defending)
    };
    let verdict = search::sequential_halving(&marks, params, &mut || dealer.world(), &mut outcome);
    ways[verdict.choice.any().trailing_zeros() as usize]
}

/// The trump of a world where the viewer declares, or lets it be: then the best declarer of that world does.
fn fate(view: &View, world: &DealtHands, way: Option<usize>, seat: Seat) -> Fate {
    let first = view.number == 1;
    let rank = view.trump.rank();
    let suit_trump = |suit| rank.map_or(Trump::JOKERS, |rank| Trump::new(rank, suit));
    let stays = |starter: Seat, defending: Team, suit| Fate {
        starter,
        defending,
        trump: suit_trump(suit),
    };
    let by = |who: Seat, suit| {
        if first {
            stays(who, who.team(), suit)
        } else {
            stays(view.starter, view.defending, suit)
        }
    };
    if let Some(place) = way {
        return by(seat, view.offers[place].bid.suit());
    }
    if let Some(made) = view.declarations.last() {
        return by(made.seat, made.bid.suit());
    }
    let mut best: Option<(f32, Seat, tractor::Suit)> = None;
    for other in Seat::ALL.into_iter().filter(|&other| other != seat) {
        let cards = world.hands[other.index()];
        for suit in tractor::Suit::ALL {
            let holds =
                rank.is_some_and(|rank| cards.iter().any(|face| face == Face::new(suit, rank)));
            if holds {
                let worth = trump_strength(cards, suit_trump(Some(suit)));
                if best.is_none_or(|(most, ..)| worth > most) {
                    best = Some((worth, other, suit));
                }
            }
        }
    }
    match best {
        Some((_, who, suit)) => by(who, Some(suit)),
        None => stays(view.starter, view.defending, None),
    }
}
