//! Tables set by hand: a judge in one line, and rounds with the cards one wants.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may be blunt, and uses its part"
)]

use tractor::{
    Card, CardSet, Deck, Event, Faces, Group, Judge, Kind, Knowledge, Phase, Round, RoundError,
    Rules, Seat, Setup, Suit, Trick,
};

pub(crate) const RULES: Rules = Rules::DEFAULT;

pub(crate) fn judge(trump: &str, rules: Rules) -> Judge {
    Judge::new(trump.parse().unwrap(), rules)
}

pub(crate) fn cards(text: &str) -> Faces {
    text.parse().unwrap()
}

pub(crate) fn set(text: &str) -> CardSet {
    CardSet::read(text.split_whitespace()).unwrap()
}

pub(crate) fn seat(index: usize) -> Seat {
    Seat::new(index).unwrap()
}

/// The components of cards as one text: `T3 P S` is a tractor of three pairs, a pair and a single.
pub(crate) fn shape(trump: &str, rules: Rules, text: &str) -> String {
    let judge = judge(trump, rules);
    let words: Vec<String> = judge
        .components(judge.ranked(cards(text)))
        .map(|combo| match combo.kind {
            Kind::Single => "S".into(),
            Kind::Pair => "P".into(),
            Kind::Tractor { pairs } => format!("T{pairs}"),
        })
        .collect();
    words.join(" ")
}

/// Who wins these plays: 1 is the leader.
pub(crate) fn winner(trump: &str, rules: Rules, plays: &[&str]) -> usize {
    let judge = judge(trump, rules);
    let hand = |text: &str| judge.ranked(cards(text));
    let mut trick = Trick::new(judge.lead(hand(plays[0])).unwrap(), &judge);
    for play in &plays[1..] {
        trick.play(&judge, hand(play));
    }
    trick.winner() + 1
}

/// Whether `play` from `hand` follows `lead`.
pub(crate) fn follows(trump: &str, rules: Rules, lead: &str, hand: &str, play: &str) -> bool {
    let judge = judge(trump, rules);
    let lay_out = |text: &str| judge.ranked(cards(text));
    let lead = judge.lead(lay_out(lead)).unwrap();
    judge.follow(&lead, lay_out(hand), lay_out(play)).is_ok()
}

/// What a leader of `play` from `hand` is told, with these cards seen besides, and these voids of
/// the three others shown in `suit`.
pub(crate) fn leads(
    (trump, rules): (&str, Rules),
    hand: &str,
    play: &str,
    seen: &str,
    voids: [bool; 3],
) -> Result<(), String> {
    let judge = judge(trump, rules);
    let seen = cards(hand).plus(cards(seen)).unwrap();
    let play = judge.ranked(cards(play));
    let group = judge.group(play).unwrap_or(Group::Trump).index();
    let known = Knowledge {
        unseen: judge.ranked(Faces::FULL.less(seen).unwrap()),
        voids: voids.map(|void| u8::from(void) << group),
    };
    judge
        .check_lead(judge.ranked(cards(hand)), play, &known)
        .map(drop)
        .map_err(|refusal| refusal.to_string())
}

/// A deck that deals these cards to the seats, whoever is dealt first, and this kitty; the rest is
/// filled up in order.
pub(crate) fn deck(first: Seat, hands: [&str; 4], kitty: &str) -> Deck {
    let mut left = CardSet::FULL;
    let mut piles: Vec<Vec<Card>> = hands
        .into_iter()
        .chain([kitty])
        .map(|text| set(text).iter().collect())
        .collect();
    for card in piles.iter().flatten() {
        assert!(left.remove(*card), "{card} is dealt twice");
    }
    let mut rest = left.iter();
    for (pile, cards) in piles.iter_mut().enumerate() {
        let size = if pile == 4 { 8 } else { 25 };
        while cards.len() < size {
            cards.push(rest.next().unwrap());
        }
    }
    let dealt = (0..100).map(|place| piles[first.after(place).index()][place / 4]);
    let order: Vec<Card> = dealt.chain(piles[4].iter().copied()).collect();
    Deck::new(&order).unwrap()
}

/// The first round with these cards dealt.
pub(crate) fn dealt(rules: Rules, hands: [&str; 4], kitty: &str) -> Round {
    let mut round = Round::new(Setup::first(rules), deck(seat(0), hands, kitty));
    round.apply(Event::Deal { count: 100 }).unwrap();
    round
}

/// A deck in which each seat has one suit and its rank cards: 0 spades, 1 hearts, 2 clubs, 3
/// diamonds; the rest is the jokers and the fours.
pub(crate) const SUITS: [&str; 4] = [
    "2S0 2S1 3S0 3S1 5S0 5S1 6S0 6S1 7S0 7S1 8S0 8S1 9S0 9S1 TS0 TS1 JS0 JS1 QS0 QS1 KS0 KS1 AS0 AS1",
    "2H0 2H1 3H0 3H1 5H0 5H1 6H0 6H1 7H0 7H1 8H0 8H1 9H0 9H1 TH0 TH1 JH0 JH1 QH0 QH1 KH0 KH1 AH0 AH1",
    "2C0 2C1 3C0 3C1 5C0 5C1 6C0 6C1 7C0 7C1 8C0 8C1 9C0 9C1 TC0 TC1 JC0 JC1 QC0 QC1 KC0 KC1 AC0 AC1",
    "2D0 2D1 3D0 3D1 5D0 5D1 6D0 6D1 7D0 7D1 8D0 8D1 9D0 9D1 TD0 TD1 JD0 JD1 QD0 QD1 KD0 KD1 AD0 AD1",
];

pub(crate) fn declare(round: &mut Round, by: usize, text: &str) -> Result<(), RoundError> {
    round.apply(Event::Declare {
        seat: seat(by),
        cards: set(text),
    })
}

pub(crate) fn play(round: &mut Round, by: usize, text: &str) -> Result<(), RoundError> {
    round.apply(Event::Play {
        seat: seat(by),
        cards: set(text),
    })
}

pub(crate) fn bury(round: &mut Round, by: usize, text: &str) -> Result<(), RoundError> {
    round.apply(Event::Bury {
        seat: seat(by),
        cards: set(text),
    })
}

/// Closes the declaring and buries the first eight cards of the starter's hand.
pub(crate) fn to_play(round: &mut Round) {
    if let Phase::Dealing(_) = round.phase() {
        round.apply(Event::Close).unwrap();
    }
    let by = round.turn().unwrap();
    let cards = round.hand(by).iter().take(8).collect();
    round.apply(Event::Bury { seat: by, cards }).unwrap();
}

/// The first legal play, the longest straight lead first if `long`.
pub(crate) fn any_play(round: &Round, long: bool) -> Event {
    let judge = round.judge();
    let seat = round.turn().unwrap();
    let held = round.hand(seat);
    let hand = judge.ranked(held.faces());
    let play = if let Some(lead) = round.lead() {
        judge.duty(&lead, hand).plays().next().unwrap()
    } else {
        let key = |lead: &tractor::RankedCards| if long { lead.len() } else { 25 - lead.len() };
        judge.straight_leads(hand).max_by_key(key).unwrap()
    };
    let cards = held.pick(judge.faces(play)).unwrap();
    Event::Play { seat, cards }
}

/// Plays on with the first legal plays until the round is over.
pub(crate) fn play_out(round: &mut Round) {
    while !matches!(round.phase(), Phase::Over(_)) {
        round.apply(any_play(round, false)).unwrap();
    }
}

pub(crate) fn suit(letter: char) -> Option<Suit> {
    Suit::from_letter(letter)
}
