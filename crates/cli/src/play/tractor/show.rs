//! What the player sees: cards by suit, the trick, the score.

use std::fmt::Write as _;
use std::io::Write;

use tractor::{CardSet, Face, Group, Judge, Seat, SeenTrick, Stage, Suit, Team, Trump, View};

use super::Table;

/// How cards are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) unicode: bool,
    pub(super) color: bool,
}

impl Style {
    fn suit(self, suit: Suit) -> &'static str {
        match (suit, self.unicode) {
            (Suit::Spades, true) => "♠",
            (Suit::Hearts, true) => "♥",
            (Suit::Clubs, true) => "♣",
            (Suit::Diamonds, true) => "♦",
            (Suit::Spades, false) => "S",
            (Suit::Hearts, false) => "H",
            (Suit::Clubs, false) => "C",
            (Suit::Diamonds, false) => "D",
        }
    }

    fn face(self, face: Face) -> String {
        let text = match (face.rank(), face.suit()) {
            (Some(rank), Some(suit)) => format!("{rank}{}", self.suit(suit)),
            _ => face.to_string(),
        };
        let red =
            matches!(face.suit(), Some(Suit::Hearts | Suit::Diamonds)) || face == Face::BIG_JOKER;
        if self.color && red {
            format!("\u{1b}[31m{text}\u{1b}[0m")
        } else {
            text
        }
    }

    /// Cards in the order of their index.
    pub(super) fn cards(self, cards: CardSet) -> String {
        let faces: Vec<String> = cards.iter().map(|card| self.face(card.face())).collect();
        faces.join(" ")
    }

    /// `7♥`, `7 without a suit`, `jokers alone`.
    pub(super) fn trump(self, trump: Trump) -> String {
        match (trump.rank(), trump.suit()) {
            (Some(rank), Some(suit)) => format!("{rank}{}", self.suit(suit)),
            (Some(rank), None) => format!("{rank} without a suit"),
            (None, _) => "the jokers alone".into(),
        }
    }

    /// A hand, a line for each group, the strongest card first.
    fn hand(self, judge: &Judge, hand: CardSet) -> String {
        let laid = judge.ranked(hand.faces());
        let mut text = String::new();
        for group in Group::ALL {
            let mut slots: Vec<u32> = judge.of_group(laid, group).slots().collect();
            if slots.is_empty() {
                continue;
            }
            slots.reverse();
            let faces: Vec<String> = slots
                .iter()
                .map(|&slot| self.face(judge.face(slot)))
                .collect();
            let name = match group {
                Group::Plain(suit) => self.suit(suit),
                Group::Trump => "trump",
            };
            let _ = writeln!(text, "  {name:<6}{}", faces.join(" "));
        }
        text
    }

    fn trick(self, trick: &SeenTrick) -> String {
        let mut text = String::new();
        for (offset, play) in trick.plays.iter().enumerate() {
            let seat = trick.leader.after(offset);
            let ahead = trick.ahead.last() == Some(&seat);
            let mark = if ahead { "  <- ahead" } else { "" };
            let _ = writeln!(text, "  seat {seat}: {}{mark}", self.cards(*play));
        }
        text
    }
}

impl<W: Write> Table<W> {
    pub(super) fn show_hand(&mut self, view: &View) -> anyhow::Result<()> {
        let hand = self.style.hand(&view.judge(), view.hand);
        write!(self.output, "{hand}")?;
        Ok(())
    }

    pub(super) fn show_offers(&mut self, view: &View) -> anyhow::Result<()> {
        writeln!(
            self.output,
            "\n{} of 100 cards are dealt. Your cards:",
            view.dealt
        )?;
        self.show_hand(view)?;
        let offers: Vec<String> = view
            .offers
            .iter()
            .map(|offer| self.style.cards(offer.cards))
            .collect();
        writeln!(self.output, "You may declare {}.", offers.join(", or "))?;
        Ok(())
    }

    pub(super) fn show_turn(&mut self, view: &View) -> anyhow::Result<()> {
        if view.stage == Stage::Burying {
            let trump = self.style.trump(view.trump);
            writeln!(
                self.output,
                "\nYou take the kitty; trump is {trump}. Your cards:"
            )?;
        } else if view.tricks.is_empty() && view.open.is_none() {
            self.show_table(view)?;
        }
        self.show_hand(view)
    }

    pub(super) fn show_table(&mut self, view: &View) -> anyhow::Result<()> {
        let side = |team: Team| {
            if team == view.defending {
                "defends"
            } else {
                "attacks"
            }
        };
        writeln!(
            self.output,
            "Round {}: trump is {}. You ({}) {}, the attackers have {} points. Levels: A {}, B {}.",
            view.number,
            self.style.trump(view.trump),
            self.seat.team(),
            side(self.seat.team()),
            view.attackers,
            view.levels[0],
            view.levels[1],
        )?;
        let held: Vec<String> = Seat::ALL
            .iter()
            .map(|seat| format!("seat {seat} {}", view.held[seat.index()]))
            .collect();
        writeln!(self.output, "Cards in hand: {}.", held.join(", "))?;
        if let Some(open) = &view.open {
            write!(self.output, "{}", self.style.trick(open))?;
        }
        Ok(())
    }

    pub(super) fn show_last(&mut self, view: &View) -> anyhow::Result<()> {
        match view.tricks.last() {
            Some(trick) => write!(self.output, "{}", self.style.trick(trick))?,
            None => writeln!(self.output, "No trick has been played.")?,
        }
        Ok(())
    }

    /// The plays that are legal, as far as they fit on a screen.
    pub(super) fn show_legal(&mut self, view: &View) -> anyhow::Result<()> {
        const MOST: usize = 40;
        if view.stage != Stage::Playing || view.turn != Some(self.seat) {
            writeln!(self.output, "It is not your turn to play.")?;
            return Ok(());
        }
        let judge = view.judge();
        let hand = judge.ranked(view.hand.faces());
        let known = view.knowledge(&judge);
        let (count, plays): (u64, Vec<tractor::RankedCards>) = match (view.lead(&judge), known) {
            (Some(lead), _) => {
                let duty = judge.duty(&lead, hand);
                (duty.count(), duty.plays().take(MOST).collect())
            }
            (None, Some(known)) => (
                judge.count_leads(hand, &known),
                judge.leads(hand, &known).take(MOST).collect(),
            ),
            (None, None) => (0, Vec::new()),
        };
        let texts: Vec<String> = plays
            .iter()
            .map(|&play| {
                let faces: Vec<String> = judge
                    .faces(play)
                    .iter()
                    .map(|face| self.style.face(face))
                    .collect();
                faces.join(" ")
            })
            .collect();
        writeln!(self.output, "{count} legal: {}", texts.join(", "))?;
        Ok(())
    }

    pub(super) fn show_result(&mut self, view: &View) -> anyhow::Result<()> {
        let Some(result) = view.result else {
            return Ok(());
        };
        if let Some(bonus) = view.bonus {
            writeln!(
                self.output,
                "The kitty has {} points, multiplied by {}.",
                bonus.points, bonus.multiplier
            )?;
        }
        writeln!(
            self.output,
            "The attackers have {} points: team {} wins the round, level +{}.",
            result.points, result.winner, result.rise
        )?;
        if let Some(next) = result.next {
            writeln!(
                self.output,
                "Levels: A {}, B {}. Team {} defends next, seat {} starts.",
                next.levels[0], next.levels[1], next.defending, next.starter
            )?;
        }
        Ok(())
    }
}
