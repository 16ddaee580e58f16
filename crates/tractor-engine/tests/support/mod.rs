//! Positions written as text, for tests.
#![allow(
    clippy::unwrap_used,
    reason = "what a test writes down must be readable"
)]
#![allow(dead_code, reason = "each test file uses a part of it")]

use tractor::{
    Bid, Card, CardSet, Declaration, Face, Faces, Level, Offer, Rules, Seat, SeenTrick, Stage,
    Team, Trick, Trump, View, offers,
};
use tractor_engine::{Player, SkillLevel};

/// A view in the making: seat 0 looks, the others are what the text says.
pub(crate) struct Position {
    view: View,
    used: CardSet,
}

impl Position {
    /// Seat 0 holds `hand`, is to lead, and attacks; seat 1 buried.
    pub(crate) fn new(trump: &str, hand: &str) -> Self {
        let trump: Trump = trump.parse().unwrap();
        let level = trump.rank().map_or(Level::NT, Level::from);
        let mut view = View::blank(Seat::ALL[0], Rules::DEFAULT, trump, [level; 2]);
        view.stage = Stage::Playing;
        view.turn = view.viewer;
        view.starter = Seat::ALL[1];
        view.defending = Team::B;
        view.buried_by = Some(view.starter);
        let mut position = Self {
            view,
            used: CardSet::EMPTY,
        };
        position.view.hand = position.take(hand);
        position.view.held = [position.view.hand.len(); 4];
        position
    }

    fn take(&mut self, text: &str) -> CardSet {
        let faces: Faces = text.parse().unwrap();
        let mut set = CardSet::EMPTY;
        for face in faces.iter() {
            let first = Card::new(face, false);
            let card = Card::new(face, self.used.has(first));
            assert!(self.used.insert(card), "a third {face}");
            set.insert(card);
        }
        set
    }

    fn trick(&mut self, leader: usize, plays: &[&str]) -> SeenTrick {
        let judge = self.view.judge();
        let leader = Seat::ALL[leader];
        let plays: Vec<CardSet> = plays.iter().map(|play| self.take(play)).collect();
        let lay = |cards: &CardSet| judge.ranked(cards.faces());
        let mut trick = Trick::new(judge.lead(lay(&plays[0])).unwrap(), &judge);
        let mut ahead = vec![leader];
        for play in &plays[1..] {
            trick.play(&judge, lay(play));
            ahead.push(leader.after(trick.winner()));
        }
        SeenTrick {
            leader,
            points: plays.iter().map(|play| play.faces().points()).sum(),
            plays,
            ahead,
            parts: None,
            failed: None,
        }
    }

    /// A finished trick.
    pub(crate) fn after(mut self, leader: usize, plays: [&str; 4]) -> Self {
        let trick = self.trick(leader, &plays);
        self.view.tricks.push(trick);
        self
    }

    /// The open trick; the last play is that of the seat before seat 0.
    pub(crate) fn on(mut self, plays: &[&str]) -> Self {
        let leader = (4 - plays.len()) % 4;
        let trick = self.trick(leader, plays);
        let len = trick.plays[0].len();
        for place in 0..plays.len() {
            self.view.held[trick.leader.after(place).index()] -= len;
        }
        self.view.open = Some(trick);
        self
    }

    /// Seat 0 defends, and buried these cards.
    pub(crate) fn burying(mut self, kitty: &str) -> Self {
        self.view.defending = Team::A;
        self.view.starter = Seat::ALL[0];
        self.view.buried_by = Some(Seat::ALL[0]);
        self.view.kitty = Some(self.take(kitty));
        self
    }

    pub(crate) fn attackers(mut self, points: i32) -> Self {
        self.view.attackers = points;
        self
    }

    pub(crate) fn rules(mut self, rules: Rules) -> Self {
        self.view.rules = rules;
        self
    }

    pub(crate) fn view(self) -> View {
        self.view
    }

    /// What the heuristic player plays.
    pub(crate) fn normal(self) -> String {
        self.play(&Player::new(SkillLevel::Normal, 1))
    }

    pub(crate) fn play(self, player: &Player) -> String {
        let cards = player.play(&self.view);
        assert_eq!(self.view.check(cards), Ok(()), "{cards}");
        cards.faces().to_string()
    }
}

/// What seat 0 declares with these cards while `standing` stands.
pub(crate) fn declare(
    rank: &str,
    hand: &str,
    dealt: u8,
    standing: Option<(usize, Bid)>,
) -> Option<Bid> {
    let level: Level = rank.parse().unwrap();
    let suit = standing.and_then(|(_, bid)| bid.suit());
    let trump = Trump::new(level.rank().unwrap(), suit);
    let mut view = Position::new(&trump.to_string(), hand).view();
    view.stage = Stage::Dealing;
    view.turn = None;
    view.dealt = dealt;
    view.levels = [level; 2];
    if let Some((seat, bid)) = standing {
        let face: Face = bid.face(level.rank()).unwrap();
        let cards = [true, false]
            .into_iter()
            .take(bid.len())
            .map(|second| Card::new(face, second))
            .collect();
        view.declarations.push(Declaration {
            seat: Seat::ALL[seat],
            bid,
            cards,
            at: 4,
        });
    }
    let standing = standing.map(|(seat, bid)| (Seat::ALL[seat], bid));
    view.offers = offers(&view.rules, level, view.hand, Seat::ALL[0], standing)
        .into_iter()
        .map(|(bid, cards)| Offer { bid, cards })
        .collect();
    let made = Player::new(SkillLevel::Normal, 1).declare(&view)?;
    let offer = view.offers.iter().find(|offer| offer.cards == made);
    Some(offer.unwrap().bid)
}
