//! Determinization: hidden hands consistent with everything public, sampled by a Metropolis random walk.

use tractor::{Card, RankedCards};

use crate::beliefs::{Beliefs, HOLDERS, KITTY};
use crate::play_history::PlayHistory;
use crate::rng::Rng;
use crate::trump_tables::one;

/// Deals out the hidden cards again and again, each time in agreement with all that the viewer has seen: how many
/// cards each seat holds, its voids, groups without a pair, cards it has shown, follows that a longer tractor
/// would have forbidden, throws that stood or fell.
///
/// It is a Markov chain: a step swaps two cards of two holders, or three of three, wherever the result still satisfies
/// every constraint. Proposals are symmetric, so the stationary distribution is uniform over all consistent worlds and
/// no sample is rejected from scratch. With [`Sampler::kitty_prior`] worlds with trumps or aces in the kitty are rarer.
///
/// ```
/// # use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// # use tractor_engine::{Sampler, Beliefs, Weights};
/// # let deck = Deck::of(&Seed::from_number(7), 1);
/// # let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
/// # round.apply(Event::Deal { count: 100 })?;
/// # round.apply(Event::Close)?;
/// # let starter = round.starter();
/// # let cards = round.hand(starter).iter().take(8).collect();
/// # round.apply(Event::Bury { seat: starter, cards })?;
/// let beliefs = Beliefs::of(&View::of(&round, Some(starter)), Weights::NORMAL).expect("a seat in play");
/// let mut sampler = Sampler::new(&beliefs, 42);
/// let table = sampler.world();
/// assert_eq!(table.hands.map(|hand| hand.len()), [25; 4]);
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sampler<'a> {
    beliefs: &'a Beliefs,
    rng: Rng,
    cards: Vec<Hidden>,
    owner: Vec<u8>,
    hands: [RankedCards; HOLDERS],
    /// Masks of slots of which a holder has no pair.
    single: [u64; HOLDERS],
    /// How likely a slot is to be buried, where burying is not taken to be blind.
    burial: Option<Box<[f32; 64]>>,
    steps: usize,
    /// The cards that may lie with more than one holder.
    movable: Vec<u16>,
    /// The slots of cards that constraints speak of.
    bound: u64,
    /// What the others have played, where worlds that explain it are to be likelier.
    evidence: Option<Evidence<'a>>,
}

/// The plays of the others, and how badly the world of now explains them.
#[derive(Debug, Clone)]
struct Evidence<'a> {
    history: &'a PlayHistory,
    /// How likely a play is that the heuristic would not have made, against one that it would.
    doubt: f32,
    /// How many such plays each of the others has made.
    unexplained: [u32; KITTY],
}

/// How much shorter the walk between two samples is where every step is weighted by the play history.
const SHORTER: usize = 4;

/// A hidden card: its slot, and the holders it may lie with, as bits.
#[derive(Debug, Clone, Copy)]
struct Hidden {
    slot: u32,
    holders: u8,
}

impl<'a> Sampler<'a> {
    /// A walk from a random world, with its first steps behind it. Every world is equally likely.
    pub fn new(beliefs: &'a Beliefs, seed: u64) -> Self {
        Self::begin(beliefs, seed, None)
    }

    /// The same with a prior for the kitty: those who bury are taken to spare trumps and strong cards.
    pub fn kitty_prior(beliefs: &'a Beliefs, seed: u64) -> Self {
        let tables = beliefs.tables();
        let mut burial = [1.0; 64];
        for (slot, chance) in (0..64).zip(&mut burial) {
            *chance = if tables.trumps() >> slot & 1 == 1 {
                0.03
            } else {
                match tables.above(slot).count_ones() {
                    0 => 0.15,
                    1 => 0.5,
                    _ => 1.0,
                }
            };
        }
        Self::begin(beliefs, seed, Some(Box::new(burial)))
    }

    fn begin(beliefs: &'a Beliefs, seed: u64, burial: Option<Box<[f32; 64]>>) -> Self {
        let mut sampler = Self {
            beliefs,
            rng: Rng::new(seed),
            cards: Vec::with_capacity(Card::COUNT),
            owner: Vec::new(),
            hands: [RankedCards::EMPTY; HOLDERS],
            single: [0; HOLDERS],
            burial,
            steps: 0,
            movable: Vec::new(),
            evidence: None,
            bound: beliefs
                .constraints
                .iter()
                .fold(0, |mask, constraint| mask | constraint.mask(beliefs)),
        };
        sampler.list_cards();
        sampler.deal();
        sampler.settle();
        let first = 8 * sampler.steps;
        for _ in 0..first {
            sampler.step();
        }
        sampler
    }

    /// The same walk weighted to a posterior: the likelihood of a world is multiplied by `1 - trust` for every play of
    /// the others that the heuristic would not have made in it.
    pub(crate) fn posterior(mut self, history: &'a PlayHistory, trust: f32) -> Self {
        self.evidence = Some(Evidence {
            history,
            doubt: 1.0 - trust,
            unexplained: [0, 1, 2].map(|holder| self.unexplained(history, holder)),
        });
        let first = 6 * self.steps;
        for _ in 0..first {
            self.step();
        }
        self.steps = self.steps.div_ceil(SHORTER);
        self
    }

    /// How many plays of a holder the heuristic would not have made in the world of now.
    fn unexplained(&self, history: &PlayHistory, holder: usize) -> u32 {
        let seat = self.beliefs.seat.after(holder + 1);
        history.unexplained(self.beliefs, seat, self.hands[holder], self.hands[KITTY])
    }

    /// Whether the world of now is kept, in which these holders (as bits) have other cards than before.
    #[inline]
    fn is_explained(&mut self, changed: u8) -> bool {
        let Some(evidence) = &self.evidence else {
            return true;
        };
        let (history, doubt, before) = (evidence.history, evidence.doubt, evidence.unexplained);
        let burier = self.beliefs.burier().map(|seat| self.beliefs.holder(seat));
        let mut unexplained = before;
        for (holder, unexplained) in unexplained.iter_mut().enumerate() {
            let kitty = changed >> KITTY & 1 == 1 && burier == Some(holder);
            if changed >> holder & 1 == 1 || kitty {
                *unexplained = self.unexplained(history, holder);
            }
        }
        let [before, now] =
            [before, unexplained].map(|plays| plays.iter().sum::<u32>().cast_signed());
        let kept = now <= before || self.rng.share() < doubt.powi(now - before);
        if kept && let Some(evidence) = &mut self.evidence {
            evidence.unexplained = unexplained;
        }
        kept
    }

    /// Who may hold which card.
    fn list_cards(&mut self) {
        let beliefs = self.beliefs;
        let tables = beliefs.tables();
        // Where parts of a round are looked at alone, the cards of nobody lie there too.
        let kitty = if self.room()[KITTY] == 0 {
            0
        } else {
            1u8 << KITTY
        };
        for slot in beliefs.unseen.slots() {
            let mut holders = kitty;
            for holder in 0..KITTY {
                if beliefs.may_hold(holder, slot) {
                    holders |= 1 << holder;
                }
            }
            self.cards.push(Hidden { slot, holders });
        }
        for &(slot, count, holders) in &beliefs.known {
            let mut left = count;
            for card in self.cards.iter_mut().filter(|card| card.slot == slot) {
                let both = card.holders & holders;
                if left > 0 && both != 0 {
                    card.holders = both;
                    left -= 1;
                }
            }
        }
        for holder in 0..KITTY {
            for group in tractor::Group::ALL {
                if beliefs.is_pairless(holder, group) {
                    self.single[holder] |= tables.mask(group);
                }
            }
        }
    }

    /// How many hidden cards each holder has.
    fn room(&self) -> [usize; HOLDERS] {
        let beliefs = self.beliefs;
        let mut room = [0; HOLDERS];
        for (holder, room) in room.iter_mut().enumerate().take(KITTY) {
            *room = beliefs.held[beliefs.seat.after(holder + 1).index()] as usize;
        }
        let hands: usize = room.iter().sum();
        room[KITTY] = beliefs.unseen.len().saturating_sub(hands);
        room
    }

    /// A first world: cards with the fewest places first, others make room where none is left.
    fn deal(&mut self) {
        let mut room = self.room();
        let len = self.cards.len();
        for i in (1..len).rev() {
            let other = self.rng.below(i + 1);
            self.cards.swap(i, other);
        }
        self.cards.sort_by_key(|card| card.holders.count_ones());
        self.owner = vec![u8::MAX; len];
        for index in 0..len {
            let holders = self.cards[index].holders;
            // By the room that is left, so that large hands fill as fast as small ones.
            let total: usize = (0..HOLDERS)
                .filter(|&holder| holders >> holder & 1 == 1)
                .map(|holder| room[holder])
                .sum();
            if total == 0 {
                self.make_room(index, &mut room);
                continue;
            }
            let mut number = self.rng.below(total);
            for (holder, room) in room.iter_mut().enumerate() {
                if holders >> holder & 1 == 0 {
                    continue;
                }
                if number < *room {
                    self.owner[index] = small(holder);
                    *room -= 1;
                    break;
                }
                number -= *room;
            }
        }
        self.hands = [RankedCards::EMPTY; HOLDERS];
        for index in 0..len {
            let hand = &mut self.hands[usize::from(self.owner[index])];
            *hand = hand.plus_unchecked(one(self.cards[index].slot));
        }
        self.movable = (0..len)
            .filter(|&index| self.cards[index].holders.count_ones() > 1)
            .map(narrow)
            .collect();
        self.steps = 2 * self.movable.len();
    }

    /// Places a card none of whose holders has room: cards move on along a chain of holders that ends at one that
    /// has. Where there is no such chain, what was seen is at odds with itself, and the card goes anywhere.
    fn make_room(&mut self, index: usize, room: &mut [usize; HOLDERS]) {
        let wanted = self.cards[index].holders;
        // How each holder is reached: which card leaves which holder for it.
        let mut from: [Option<(usize, usize)>; HOLDERS] = [None; HOLDERS];
        let mut reached = wanted;
        let mut queue: Vec<usize> = (0..HOLDERS).filter(|&h| wanted >> h & 1 == 1).collect();
        let mut next = 0;
        while let Some(&holder) = queue.get(next) {
            next += 1;
            if room[holder] > 0 {
                room[holder] -= 1;
                let mut place = holder;
                while let Some((card, before)) = from[place] {
                    self.owner[card] = small(place);
                    place = before;
                }
                self.owner[index] = small(place);
                return;
            }
            for card in (0..index).filter(|&card| usize::from(self.owner[card]) == holder) {
                for (target, way) in from.iter_mut().enumerate() {
                    if self.cards[card].holders & !reached & 1 << target != 0 {
                        reached |= 1 << target;
                        *way = Some((card, holder));
                        queue.push(target);
                    }
                }
            }
        }
        let holder = (0..HOLDERS).find(|&holder| room[holder] > 0).unwrap_or(0);
        self.cards[index].holders |= 1 << holder;
        self.owner[index] = small(holder);
        room[holder] = room[holder].saturating_sub(1);
    }

    /// Walks until groups without a pair and constraints are respected.
    fn settle(&mut self) {
        let most = 400 * self.movable.len().max(1);
        let mut faults = self.faults();
        for _ in 0..most {
            if faults == 0 {
                return;
            }
            let Some((a, b)) = self.draw_two() else {
                break;
            };
            if !self.may_swap(a, b, false) {
                continue;
            }
            self.swap(a, b);
            let now = self.faults();
            if now <= faults || self.rng.below(50) == 0 {
                faults = now;
            } else {
                self.swap(a, b);
            }
        }
        if self.faults() > 0 {
            // What was seen is at odds with itself: forget what cannot be met.
            self.single = [0; HOLDERS];
        }
    }

    fn faults(&self) -> u32 {
        let pairs: u32 = (0..HOLDERS)
            .map(|holder| (self.hands[holder].pair() & self.single[holder]).count_ones())
            .sum();
        pairs + u32::from(!self.beliefs.is_bound(&self.hands))
    }

    /// The next world.
    pub fn world(&mut self) -> crate::World {
        for _ in 0..self.steps {
            self.step();
        }
        let [a, b, c, kitty] = self.hands;
        self.beliefs.table([a, b, c], kitty)
    }

    fn draw_two(&mut self) -> Option<(usize, usize)> {
        let len = self.movable.len();
        if len < 2 {
            return None;
        }
        let a = usize::from(self.movable[self.rng.below(len)]);
        let b = usize::from(self.movable[self.rng.below(len)]);
        Some((a, b))
    }

    /// Whether two cards may change places; `pairs` says whether groups without a pair are respected.
    #[inline]
    fn may_swap(&self, a: usize, b: usize, pairs: bool) -> bool {
        let (x, y) = (self.owner[a] as usize, self.owner[b] as usize);
        let (card, other) = (self.cards[a], self.cards[b]);
        if x == y || card.slot == other.slot {
            return false;
        }
        if card.holders >> y & 1 == 0 || other.holders >> x & 1 == 0 {
            return false;
        }
        !pairs || self.fits(x, other.slot) && self.fits(y, card.slot)
    }

    /// Whether a holder may take a card without making a pair it cannot have.
    #[inline]
    fn fits(&self, holder: usize, takes: u32) -> bool {
        (self.single[holder] & self.hands[holder].any()) >> takes & 1 == 0
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        let (x, y) = (self.owner[a] as usize, self.owner[b] as usize);
        self.owner.swap(a, b);
        let (give, take) = (one(self.cards[a].slot), one(self.cards[b].slot));
        self.hands[x] = self.hands[x].less_unchecked(give).plus_unchecked(take);
        self.hands[y] = self.hands[y].less_unchecked(take).plus_unchecked(give);
    }

    /// One step of the walk.
    #[inline]
    fn step(&mut self) {
        let Some((a, b)) = self.draw_two() else {
            return;
        };
        if self.rng.below(8) == 0 {
            self.turn_three(a, b);
        } else if self.may_swap(a, b, true) && self.is_likely(a, b) {
            self.swap(a, b);
            let slots = 1 << self.cards[a].slot | 1 << self.cards[b].slot;
            let bound = self.bound & slots == 0 || self.beliefs.is_bound(&self.hands);
            if !bound || !self.is_explained(1 << self.owner[a] | 1 << self.owner[b]) {
                self.swap(a, b);
            }
        }
    }

    /// Whether a swap is taken, by what those who bury are thought to bury.
    #[inline]
    fn is_likely(&mut self, a: usize, b: usize) -> bool {
        let Some(burial) = &self.burial else {
            return true;
        };
        let kitty = small(KITTY);
        let ratio = match (self.owner[a] == kitty, self.owner[b] == kitty) {
            (true, false) => {
                burial[self.cards[b].slot as usize] / burial[self.cards[a].slot as usize]
            }
            (false, true) => {
                burial[self.cards[a].slot as usize] / burial[self.cards[b].slot as usize]
            }
            _ => 1.0,
        };
        ratio >= 1.0 || self.rng.share() < ratio
    }

    /// Three cards of three holders move on by one: what two-card swaps alone might never reach.
    fn turn_three(&mut self, first: usize, second: usize) {
        let third = usize::from(self.movable[self.rng.below(self.movable.len())]);
        let cards = [first, second, third];
        let owners = cards.map(|card| usize::from(self.owner[card]));
        if owners[0] == owners[1] || owners[1] == owners[2] || owners[0] == owners[2] {
            return;
        }
        // Each card goes to the owner of the next.
        let targets = [owners[1], owners[2], owners[0]];
        let may = |(&card, &to): (&usize, &usize)| self.cards[card].holders >> to & 1 == 1;
        let buried = self.burial.is_some() && owners.contains(&KITTY);
        if buried || !cards.iter().zip(&targets).all(may) {
            return;
        }
        let before = self.hands;
        for (card, owner) in cards.into_iter().zip(owners) {
            self.hands[owner] = self.hands[owner].less_unchecked(one(self.cards[card].slot));
        }
        for (card, to) in cards.into_iter().zip(targets) {
            self.owner[card] = small(to);
            self.hands[to] = self.hands[to].plus_unchecked(one(self.cards[card].slot));
        }
        let paired = owners
            .iter()
            .any(|&holder| self.hands[holder].pair() & self.single[holder] != 0);
        let bound = self.bound == 0 || self.beliefs.is_bound(&self.hands);
        let changed = owners.iter().fold(0, |mask, &owner| mask | 1 << owner);
        if paired || !bound || !self.is_explained(changed) {
            self.hands = before;
            for (card, owner) in cards.into_iter().zip(owners) {
                self.owner[card] = small(owner);
            }
        }
    }
}

fn narrow(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

fn small(holder: usize) -> u8 {
    u8::try_from(holder).unwrap_or(0)
}

#[cfg(test)]
mod tests;
