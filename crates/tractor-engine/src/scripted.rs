//! A scripted opponent to measure against: rules of thumb written from a description of the bot of ejfn/Tractor. It is
//! weaker than that bot, so results against it must not be read as results against the original.
//!
//! It is meant to be beaten. Its known weaknesses are kept where they are known: it plays its highest winner, feeds a
//! partner by unseen cards even in the last seat, takes one copy seen for both, throws without a thought of ruffs.

use tractor::{Bid, Deck, Duty, Group, Kind, Lead, RankedCards, Trick, View};

use crate::cheapest_follow::cheapest_follow;
use crate::follow::PlayList;
use crate::rng::Rng;
use crate::seat_state::SeatState;
use crate::trump_tables::{TrumpTables, bits, both, count, one};

/// Which cards are cheap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Points are kept.
    Strategic,
    /// Points are given.
    Contribute,
}

impl SeatState<'_> {
    /// What the script plays.
    pub(crate) fn scripted(&self) -> RankedCards {
        let Some(trick) = self.trick else {
            return self.scripted_lead();
        };
        let duty = self.tables.judge().duty(trick.lead(), self.hand);
        let play = self.scripted_follow(trick, &duty);
        if duty.allows(play) {
            play
        } else {
            self.lowest(trick.lead(), &duty, Mode::Strategic)
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "values are small")]
    fn value(&self, slot: u32) -> f32 {
        let judge = self.tables.judge();
        judge.value(judge.face(slot)) as f32
    }

    fn lowest(&self, lead: &Lead, duty: &Duty<'_>, mode: Mode) -> RankedCards {
        let key = |slot: u32| {
            let points = f32::from(self.tables.points_at(slot));
            let paired = self.hand.pair() >> slot & 1 == 1;
            let whole = if paired { 30.0 } else { 0.0 };
            self.value(slot)
                + whole
                + match mode {
                    Mode::Strategic => 10.0 * points,
                    Mode::Contribute => -10.0 * points - if points > 9.0 { 1.0 } else { 0.0 },
                }
        };
        cheapest_follow(self.tables.judge(), lead, duty, key, |_| 30.0)
    }

    /// Whether no unseen face beats the top of these cards, both copies of a face being taken for gone once one is.
    fn believed_highest(&self, cards: RankedCards) -> bool {
        let top = (cards.any() | 1).ilog2();
        self.unseen.pair() & self.tables.above(top) == 0
    }

    fn scripted_follow(&self, trick: &Trick, duty: &Duty<'_>) -> RankedCards {
        let tables = self.tables;
        let lead = trick.lead();
        let group = lead.group();
        let played = trick.played();
        let leader = self.seat.after(4 - played);
        let partner_wins = leader.after(trick.winner()) == self.seat.partner();
        let next_void = played < 3 && self.shown(self.seat.next()).is_void(group);
        let trumped = trick.best().any() & tables.trumps() != 0;
        let last = played == 3;
        let contribute = partner_wins
            && if group.is_trump() {
                last || next_void || self.believed_highest(trick.best())
            } else {
                (trumped || self.believed_highest(trick.best())) && (last || !next_void)
            };
        let own = count(self.hand, tables.mask(group));
        if lead.is_throw() {
            return self.answer_throw(trick, duty, partner_wins, next_void, own);
        }
        if contribute {
            return self.lowest(lead, duty, Mode::Contribute);
        }
        if own == 0 && !group.is_trump() {
            return self.maybe_ruff(trick, duty, partner_wins, next_void);
        }
        let mut found = PlayList::default();
        self.winners(trick, &mut found);
        let winners = found.as_slice();
        let strength = |play: &RankedCards| self.value((play.any() | 1).ilog2());
        let cheap = winners
            .iter()
            .min_by(|a, b| strength(a).total_cmp(&strength(b)));
        let high = winners
            .iter()
            .max_by(|a, b| strength(a).total_cmp(&strength(b)));
        if !group.is_trump() {
            return match high {
                Some(&play) if !partner_wins => play,
                _ => self.lowest(lead, duty, Mode::Strategic),
            };
        }
        let best = strength(&trick.best());
        let raise = match played {
            1 => cheap.filter(|play| best < 110.0 && strength(play) <= 150.0),
            2 if self.pot >= 5 => winners.iter().find(|play| strength(play) > 110.0).or(cheap),
            2 if !partner_wins || best < 110.0 => cheap.filter(|play| strength(play) <= 150.0),
            2 => None,
            _ => cheap.filter(|_| !partner_wins),
        };
        raise
            .copied()
            .unwrap_or_else(|| self.lowest(lead, duty, Mode::Strategic))
    }

    fn maybe_ruff(
        &self,
        trick: &Trick,
        duty: &Duty<'_>,
        partner_wins: bool,
        next_void: bool,
    ) -> RankedCards {
        let lead = trick.lead();
        let mut list = PlayList::default();
        self.winners(trick, &mut list);
        let strength = |play: &RankedCards| self.value((play.any() | 1).ilog2());
        let worthless = self.pot == 0 || partner_wins;
        let least = match (next_void, self.pot) {
            (true, 10..) => 150.0,
            (true, _) => 100.0,
            (false, _) => 0.0,
        };
        let tractor = lead.len() > 2;
        let allowed = !tractor || self.pot >= 10 || trick.played() == 1;
        let play = list
            .as_slice()
            .iter()
            .filter(|play| strength(play) > least && (!worthless || strength(play) <= 150.0))
            .min_by(|a, b| strength(a).total_cmp(&strength(b)));
        match play {
            Some(&play) if allowed => play,
            _ => self.lowest(lead, duty, Mode::Strategic),
        }
    }

    fn answer_throw(
        &self,
        trick: &Trick,
        duty: &Duty<'_>,
        partner_wins: bool,
        next_void: bool,
        own: u32,
    ) -> RankedCards {
        let lead = trick.lead();
        let give = partner_wins && !next_void;
        let mode = if give {
            Mode::Contribute
        } else {
            Mode::Strategic
        };
        let trumps = count(self.hand, self.tables.trumps()) as usize;
        let spare = self.hand.len() > trumps;
        if own == 0 && trumps >= lead.len() && !(give && spare) {
            let mut list = PlayList::default();
            self.winners(trick, &mut list);
            let plays = list.as_slice();
            let play = if trick.played() == 3 {
                plays.first()
            } else {
                plays.last()
            };
            if let Some(&play) = play {
                return play;
            }
        }
        self.lowest(lead, duty, mode)
    }

    fn scripted_lead(&self) -> RankedCards {
        let tables = self.tables;
        let judge = tables.judge();
        let mut plain = (f32::NEG_INFINITY, RankedCards::EMPTY);
        let mut trump = (f32::NEG_INFINITY, RankedCards::EMPTY);
        let mut consider = |cards: RankedCards| {
            let Ok(lead) = judge.lead(cards) else {
                return;
            };
            let (score, best) = if lead.group().is_trump() {
                (self.trump_score(&lead), &mut trump)
            } else {
                (self.plain_score(&lead), &mut plain)
            };
            if score > best.0 {
                *best = (score, cards);
            }
        };
        for group in Group::ALL.into_iter().take(4) {
            let own = judge.of_group(self.hand, group);
            let mut sure = RankedCards::EMPTY;
            for slot in bits(own.any()) {
                if own.pair() >> slot & 1 == 1 && self.is_boss_pair(slot) {
                    sure = sure.plus_unchecked(both(slot));
                } else if self.is_boss(slot) {
                    sure = sure.plus_unchecked(one(slot));
                }
            }
            if sure.len() > 1
                && judge
                    .lead(sure)
                    .is_ok_and(|lead| judge.is_unbeatable(&lead, self.unseen))
            {
                consider(sure);
            }
        }
        judge.straight_leads(self.hand).for_each(&mut consider);
        if plain.1.is_empty() || plain.0 <= 15.0 && trump.0 > -10.0 {
            trump.1
        } else {
            plain.1
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of cards")]
    fn plain_score(&self, lead: &Lead) -> f32 {
        let cards = lead.cards();
        let group = lead.group();
        let opponents = [self.seat.next(), self.seat.after(3)];
        let mut score: f32 = cards.slots().map(|slot| self.value(slot)).sum();
        score += 20.0 * lead.shape().pairs() as f32;
        let top = self.tables.mask(group).ilog2();
        if cards.any() >> top & 1 == 1 {
            score += 50.0;
        }
        if self.tables.judge().is_unbeatable(lead, self.unseen) {
            score += 50.0;
        }
        let defends = self.seat.team() == self.defending;
        if lead.is_throw() {
            if score < 80.0 {
                score -= 50.0;
            }
            if defends && self.attackers >= 56 {
                score -= 50.0;
            }
        }
        let points = self.points(cards);
        if points >= 10.0 {
            score -= points;
        }
        if lead.shape().pairs() < 2 {
            if opponents
                .iter()
                .all(|&seat| self.shown(seat).is_void(group))
            {
                score -= 25.0;
            }
            if self.shown(self.seat.partner()).is_void(group) {
                score += 35.0;
            }
        }
        score
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of cards")]
    fn trump_score(&self, lead: &Lead) -> f32 {
        let tables = self.tables;
        let cards = lead.cards();
        let gone = count(tables.full(), tables.trumps())
            - count(self.unseen, tables.trumps())
            - count(self.hand, tables.trumps());
        let mut score = 0.0;
        let mut honours = false;
        for slot in cards.slots() {
            let points = f32::from(tables.points_at(slot));
            let value = self.value(slot);
            let ranked = (170.0..200.0).contains(&value);
            honours |= value >= 170.0;
            score += match value {
                1000.0.. => -20.0,
                999.0.. => -19.0,
                180.0.. => -16.0,
                170.0.. => -15.0,
                _ if points > 0.0 => -(20.0 + points),
                _ => -(value - 100.0),
            };
            if (13..=24).contains(&gone) && ranked {
                score += 5.0;
            } else if gone > 24 && value >= 170.0 {
                score += 10.0;
            }
        }
        let pairs = lead.shape().pairs() as f32;
        let own_pairs = (self.hand.pair() & tables.trumps()).count_ones();
        score += 40.0 * pairs;
        if own_pairs >= 3 && honours {
            score += 20.0 * pairs;
        }
        score
    }
}

/// What the script declares: by suit length and chance, never jokers.
#[allow(clippy::cast_precision_loss, reason = "counts of cards")]
pub(crate) fn declare(view: &View, rng: &mut Rng) -> Option<usize> {
    let cards = view.hand.faces();
    let rank = view.trump.rank();
    let seat = view.viewer?;
    let standing = view.declarations.last().map(|last| (last.seat, last.bid));
    if standing.is_some_and(|(holder, _)| holder == seat) {
        return None;
    }
    let strength = |suit: tractor::Suit| {
        let own: Vec<_> = cards
            .iter()
            .filter(|face| face.suit() == Some(suit) && face.rank() != rank)
            .collect();
        let pairs = own.windows(2).filter(|two| two[0] == two[1]).count();
        (
            own.len() as f32,
            10.0 * own.len() as f32 + 8.0 * pairs as f32,
        )
    };
    let mut best: Option<(f32, usize)> = None;
    for (place, offer) in view.offers.iter().enumerate() {
        let (Bid::Single(suit) | Bid::Pair(suit)) = offer.bid else {
            continue;
        };
        let (len, worth) = strength(suit);
        if len < 3.0 {
            continue;
        }
        if let Some(now) = standing.and_then(|(_, bid)| bid.suit())
            && worth <= strength(now).1 + 16.0
        {
            continue;
        }
        let dealt = f32::from(view.dealt) / f32::from(Deck::DEALT);
        let chance = (len / 6.0).powf(1.5).min(1.0)
            * (0.2 + 0.8 * dealt)
            * (1.0 + ((worth - 10.0 * len) / 40.0).min(0.5))
            + 0.4 * rng.share()
            - 0.2;
        if rng.share() < chance && best.is_none_or(|(least, _)| worth > least) {
            best = Some((worth, place));
        }
    }
    best.map(|(_, place)| place)
}

/// What the script buries: whole short suits without strong cards, then the cheapest.
#[allow(clippy::cast_precision_loss, reason = "counts of cards")]
pub(crate) fn bury(tables: &TrumpTables, hand: RankedCards) -> RankedCards {
    let judge = tables.judge();
    let trumps = count(hand, tables.trumps());
    let value = |slot: u32| judge.value(judge.face(slot)) as f32;
    let tractors = judge
        .components(hand)
        .filter(|combo| matches!(combo.kind, Kind::Tractor { .. }))
        .fold(0, |mask, combo| mask | combo.cards.any());
    let spared = |slot: u32| {
        let paired = hand.pair() >> slot & 1 == 1;
        let strong = value(slot) >= 13.0;
        tables.trumps() >> slot & 1 == 1
            || strong
            || tractors >> slot & 1 == 1
            || paired && value(slot) >= 5.0
    };
    let mut kitty = RankedCards::EMPTY;
    let mut suits: Vec<(f32, RankedCards)> = Vec::new();
    for group in Group::ALL.into_iter().take(4) {
        let own = judge.of_group(hand, group);
        if own.is_empty() || own.len() > 6 || bits(own.any()).any(&spared) {
            continue;
        }
        let strong = match trumps {
            13.. => 10.0,
            10.. => 25.0,
            _ => 60.0,
        };
        let points = judge.points(own) > 0;
        let score = 10.0 * (7.0 - own.len() as f32) + if points { -strong } else { 30.0 };
        suits.push((score, own));
    }
    suits.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (score, own) in suits {
        if score > 0.0 && kitty.len() + own.len() <= 8 {
            kitty = kitty.plus_unchecked(own);
        }
    }
    while kitty.len() < 8 {
        let rest = hand.less_unchecked(kitty);
        let price = |slot: u32| {
            value(slot)
                + 10.0 * f32::from(tables.points_at(slot))
                + if spared(slot) { 1000.0 } else { 0.0 }
        };
        let Some(slot) = bits(rest.any()).min_by(|&a, &b| price(a).total_cmp(&price(b))) else {
            break;
        };
        kitty = kitty.plus_unchecked(one(slot));
    }
    kitty
}
