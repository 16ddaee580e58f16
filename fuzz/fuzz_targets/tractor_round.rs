//! A round driven by bytes: each picks an event, legal or not; cards are never lost and a refusal changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tractor::{Card, CardSet, Deck, Event, Phase, Record, Round, Rules, Seat, Seed, Setup};

/// Every card in its place.
fn all_cards(round: &Round) -> Option<CardSet> {
    let (dealt, open) = match round.phase() {
        Phase::Dealing(dealing) => (usize::from(dealing.dealt), &[][..]),
        Phase::Playing(playing) => (100, &playing.plays[..]),
        _ => (100, &[][..]),
    };
    let undealt = round.deck().cards()[dealt..100].iter().copied().collect();
    Seat::ALL
        .into_iter()
        .map(|seat| round.hand(seat))
        .chain([undealt, round.kitty()])
        .chain(round.tricks().iter().flat_map(|trick| trick.plays))
        .chain(open.iter().copied())
        .try_fold(CardSet::EMPTY, CardSet::plus)
}

fuzz_target!(|bytes: &[u8]| {
    let [preset, switch, seed, actions @ ..] = bytes else {
        return;
    };
    let mut rules = Rules::preset(Rules::PRESETS[usize::from(*preset) % 3]).expect("a preset");
    rules.kitty_theft = switch & 1 != 0;
    rules.take_back = switch & 2 != 0;
    rules.end_early = switch & 4 != 0;
    rules.throw_penalty = u16::from(switch & 8);
    let deck = Deck::of(&Seed::from_number(u64::from(*seed)), 1);
    let mut round = Round::new(Setup::first(rules), deck);
    for chunk in actions.chunks(3) {
        let [kind, who, which] = *chunk else { break };
        let seat = round
            .turn()
            .filter(|_| who & 4 == 0)
            .unwrap_or(Seat::ALL[usize::from(who) % 4]);
        let hand: Vec<Card> = round.hand(seat).iter().collect();
        let pick = |count: usize| -> CardSet {
            let first = usize::from(which) % hand.len().max(1);
            hand.iter()
                .cycle()
                .skip(first)
                .take(count.min(hand.len()))
                .copied()
                .collect()
        };
        let event = match kind % 10 {
            0 => Event::Deal { count: which % 101 },
            1 => Event::Declare {
                seat,
                cards: pick(1 + usize::from(which) % 2),
            },
            2 => Event::Close,
            3 => Event::Bury {
                seat,
                cards: pick(8),
            },
            4 => Event::TakeBack { seat },
            5 => Event::EndEarly { seat },
            6 => Event::Pass { seat },
            7 => Event::Retract { seat },
            _ => {
                let judge = round.judge();
                let held = judge.ranked(round.hand(seat).faces());
                let play = match round.lead() {
                    Some(lead) => judge.duty(&lead, held).plays().nth(usize::from(which) % 50),
                    None => judge.straight_leads(held).nth(usize::from(which) % 25),
                };
                let cards = play.and_then(|play| round.hand(seat).pick(judge.faces(play)));
                Event::Play {
                    seat,
                    cards: cards.unwrap_or_else(|| pick(1 + usize::from(which) % 5)),
                }
            }
        };
        let before = round.clone();
        if round.apply(event).is_err() {
            assert_eq!(round, before);
        }
        assert_eq!(all_cards(&round), Some(CardSet::FULL));
    }
    assert_eq!(Record::of(&round).round().as_ref(), Ok(&round));
});
