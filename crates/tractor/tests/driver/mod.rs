//! Random house rules and random play, every choice from one number.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may be blunt, and uses its part"
)]

use tractor::{
    CardSet, Event, Group, Judge, Level, Phase, Rank, Round, Rules, Seat, Setup, Start, ThrowMode,
    View, offers,
};

/// Choices drawn from one number: the same number gives the same choices everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Dice(fastrand::Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    /// True once in `n`.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())].clone())
    }

    /// So many cards of a set.
    pub(crate) fn some(&mut self, of: CardSet, count: usize) -> CardSet {
        let mut cards: Vec<_> = of.iter().collect();
        for i in 0..count.min(cards.len()) {
            let j = i + self.below(cards.len() - i);
            cards.swap(i, j);
        }
        cards.into_iter().take(count).collect()
    }
}

/// Random house rules: a preset, and some switches thrown.
pub(crate) fn rules(dice: &mut Dice) -> Rules {
    let mut rules = Rules::preset(dice.pick(&Rules::PRESETS).unwrap()).unwrap();
    for switch in Rules::SWITCHES {
        if dice.once_in(3) {
            let value = dice.pick(switch.values.samples()).unwrap();
            switch.set(&mut rules, value).unwrap();
        }
    }
    rules
}

/// A random set-up: the first round, or a later one.
pub(crate) fn setup(dice: &mut Dice) -> Setup {
    let rules = rules(dice);
    if dice.once_in(3) {
        return Setup::first(rules);
    }
    let starter = Seat::ALL[dice.below(4)];
    let mut level = || match dice.below(14) {
        13 => rules.max_rank,
        rank => Level::from(Rank::ALL[rank]),
    };
    let levels = [level(), level()];
    Setup {
        rules,
        number: 2 + u32::try_from(dice.below(9)).unwrap(),
        start: Start {
            starter,
            defending: starter.team(),
            levels,
        },
        trump: None,
    }
}

/// A legal event, whatever the round waits for.
pub(crate) fn event(round: &Round, dice: &mut Dice) -> Option<Event> {
    let rules = round.setup().rules;
    match round.phase() {
        Phase::Dealing(dealing) => {
            let standing = round.standing();
            if let Some((seat, _)) = standing
                && rules.take_back
                && dice.once_in(9)
            {
                return Some(Event::Retract { seat });
            }
            let bid = if dice.once_in(3) {
                bid(round, dice)
            } else {
                None
            };
            bid.or_else(|| match 100 - dealing.dealt {
                0 => Some(pass(dealing.passed, dice)),
                left => {
                    let count = 1 + dice.below(usize::from(left).min(20));
                    let count = u8::try_from(count).unwrap();
                    Some(Event::Deal { count })
                }
            })
        }
        Phase::Burying(burying) => {
            let seat = burying.seat;
            let cards = dice.some(round.hand(seat), 8);
            Some(Event::Bury { seat, cards })
        }
        Phase::Stealing(stealing) => {
            let bid = if dice.once_in(2) {
                bid(round, dice)
            } else {
                None
            };
            bid.or_else(|| Some(pass(stealing.passed, dice)))
        }
        Phase::Playing(playing) => {
            let seat = playing.turn();
            if rules.end_early && playing.plays.is_empty() && dice.once_in(4) && round.is_decided()
            {
                return Some(Event::EndEarly { seat });
            }
            let open = playing.failed.is_none() || playing.plays.len() > 1;
            if rules.take_back && open && !playing.plays.is_empty() && dice.once_in(9) {
                return Some(Event::TakeBack {
                    seat: seat.after(3),
                });
            }
            Some(play(round, seat, dice))
        }
        Phase::Over(_) => None,
    }
}

fn pass(passed: [bool; 4], dice: &mut Dice) -> Event {
    let waiting: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| !passed[seat.index()])
        .collect();
    match dice.pick(&waiting) {
        Some(seat) if !dice.once_in(4) => Event::Pass { seat },
        _ => Event::Close,
    }
}

fn bid(round: &Round, dice: &mut Dice) -> Option<Event> {
    let seat = Seat::ALL[dice.below(4)];
    if round.buried_by() == Some(seat) {
        return None;
    }
    let setup = round.setup();
    let list = offers(
        &setup.rules,
        setup.level(),
        round.hand(seat),
        seat,
        round.standing(),
    );
    let (_, cards) = dice.pick(&list)?;
    Some(Event::Declare { seat, cards })
}

/// A legal play of the seat whose turn it is: of each kind now and then.
pub(crate) fn play(round: &Round, seat: Seat, dice: &mut Dice) -> Event {
    let judge = round.judge();
    let held = round.hand(seat);
    let hand = judge.ranked(held.faces());
    let play = match round.lead() {
        Some(lead) => {
            let duty = judge.duty(&lead, hand);
            let count = duty.count();
            assert!(count > 0, "no legal play to {lead:?} from {}", held.faces());
            let place = dice.next() % count.min(40);
            duty.plays().nth(usize::try_from(place).unwrap()).unwrap()
        }
        None if dice.once_in(3) => return throw(round, &judge, seat, dice),
        None => {
            let leads: Vec<_> = judge.straight_leads(hand).collect();
            dice.pick(&leads).expect("a card can be led")
        }
    };
    let cards = held.pick(judge.faces(play)).unwrap();
    Event::Play { seat, cards }
}

/// A throw if one is legal, else a straight lead.
fn throw(round: &Round, judge: &Judge, seat: Seat, dice: &mut Dice) -> Event {
    let held = round.hand(seat);
    let hand = judge.ranked(held.faces());
    let known = round.knowledge(judge, seat);
    let group = Group::ALL[dice.below(5)];
    let suited: CardSet = held
        .iter()
        .filter(|card| judge.trump().group(card.face()) == group)
        .collect();
    let any = dice.some(suited, 2 + dice.clone().below(4));
    let tried = judge.ranked(any.faces());
    if !any.is_empty() && judge.check_lead(hand, tried, &known).is_ok() {
        if judge.rules().name_grouping && dice.once_in(2) {
            let mut left = any;
            let parts = judge.components(tried).map(|combo| {
                let part = left.pick(judge.faces(combo.cards)).unwrap();
                left = left.less(part).unwrap();
                part
            });
            return Event::Throw {
                seat,
                parts: parts.collect(),
            };
        }
        return Event::Play { seat, cards: any };
    }
    let place = dice.below(30);
    let certain = judge.rules().throw_mode == ThrowMode::Certain;
    let lead = if certain {
        judge.leads(hand, &known).take(60).nth(place)
    } else {
        None
    };
    let lead = lead.unwrap_or_else(|| judge.straight_leads(hand).next().unwrap());
    let cards = held.pick(judge.faces(lead)).unwrap();
    Event::Play { seat, cards }
}

/// Something that is probably not allowed.
pub(crate) fn nonsense(round: &Round, dice: &mut Dice) -> Event {
    let seat = Seat::ALL[dice.below(4)];
    let other = Seat::ALL[dice.below(4)];
    let count = 1 + dice.below(9);
    let cards = match dice.below(3) {
        0 => dice.some(CardSet::FULL, count),
        1 => dice.some(round.hand(other), count),
        _ => dice.some(round.hand(seat), count),
    };
    match dice.below(10) {
        0 => Event::Deal {
            count: u8::try_from(dice.below(120)).unwrap(),
        },
        1 => Event::Declare { seat, cards },
        2 => Event::Retract { seat },
        3 => Event::Pass { seat },
        4 => Event::Close,
        5 => Event::Bury { seat, cards },
        6 => Event::TakeBack { seat },
        7 => Event::EndEarly { seat },
        8 => Event::Throw {
            seat,
            parts: vec![cards, dice.some(round.hand(seat), 2)],
        },
        _ => Event::Play { seat, cards },
    }
}

/// Every card in its place: hands, kitty, tricks, the cards not yet dealt.
pub(crate) fn all_cards(round: &Round) -> Option<CardSet> {
    let undealt: CardSet = match round.phase() {
        Phase::Dealing(dealing) => round.deck().cards()[usize::from(dealing.dealt)..100]
            .iter()
            .copied()
            .collect(),
        _ => CardSet::EMPTY,
    };
    let open = match round.phase() {
        Phase::Playing(playing) => playing.plays.clone(),
        _ => Vec::new(),
    };
    let tricks = round.tricks().iter().flat_map(|trick| trick.plays);
    Seat::ALL
        .into_iter()
        .map(|seat| round.hand(seat))
        .chain([undealt, round.kitty()])
        .chain(tricks)
        .chain(open)
        .try_fold(CardSet::EMPTY, CardSet::plus)
}

/// Views of all four seats and of an onlooker.
pub(crate) fn views(round: &Round) -> Vec<View> {
    Seat::ALL
        .into_iter()
        .map(Some)
        .chain([None])
        .map(|viewer| View::of(round, viewer))
        .collect()
}
