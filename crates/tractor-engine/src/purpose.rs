//! What a play is for, as seen from the trick that it is played to.

use tractor::{CardSet, Seat, Trick, View};

/// What a play does in its trick.
///
/// ```
/// use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
/// use tractor_engine::{Player, Purpose, SkillLevel};
/// let mut round = Round::new(Setup::first(Rules::DEFAULT), Deck::of(&Seed::from_number(7), 1));
/// round.apply(Event::Deal { count: 100 })?;
/// round.apply(Event::Close)?;
/// let player = Player::new(SkillLevel::Normal, 1);
/// let bury = player.act(&View::of(&round, round.turn()));
/// round.apply(bury.expect("somebody buries"))?;
/// let view = View::of(&round, round.turn());
/// assert_eq!(Purpose::of(&view, player.play(&view)), Purpose::Lead);
/// # Ok::<_, tractor::RoundError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// It leads.
    Lead,
    /// It goes ahead of the partner.
    Overtake,
    /// It goes ahead of an opponent.
    Win,
    /// It gives points to a partner who is ahead.
    Give,
    /// It gives nothing to a partner who is ahead.
    Keep,
    /// It loses points to an opponent.
    Lose,
    /// It loses no points to an opponent.
    Save,
}

impl Purpose {
    /// What these cards of the viewer's would do in the open trick.
    pub fn of(view: &View, cards: CardSet) -> Self {
        let judge = view.judge();
        let (Some(open), Some(lead)) = (&view.open, view.lead(&judge)) else {
            return Self::Lead;
        };
        let mut trick = Trick::new(lead, &judge);
        for play in open.plays.iter().skip(1) {
            trick.play(&judge, judge.ranked(play.faces()));
        }
        let ahead = open.ahead.last().map(|seat| seat.team());
        let is_partners = ahead == view.viewer.map(Seat::team);
        let has_points = cards.iter().any(|card| card.points() > 0);
        match trick.would_win(&judge, judge.ranked(cards.faces())) {
            true if is_partners => Self::Overtake,
            true => Self::Win,
            false if is_partners && has_points => Self::Give,
            false if is_partners => Self::Keep,
            false if has_points => Self::Lose,
            false => Self::Save,
        }
    }

    /// The word for pages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Overtake => "overtake",
            Self::Win => "win",
            Self::Give => "give",
            Self::Keep => "keep",
            Self::Lose => "must",
            Self::Save => "save",
        }
    }
}

#[cfg(test)]
mod tests {
    use tractor::{Deck, Event, Round, Rules, Seed, Setup};

    use super::*;
    use crate::{Player, SkillLevel};

    /// Whatever is played in some rounds: the purpose says what came of it in the trick.
    #[test]
    fn a_purpose_is_what_a_play_does_in_its_trick() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 1..=6 {
            let deck = Deck::of(&Seed::from_number(number), 1);
            let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
            round.apply(Event::Deal { count: 100 }).unwrap();
            round.apply(Event::Close).unwrap();
            while let Some(seat) = round.turn() {
                let view = View::of(&round, Some(seat));
                let event = Player::new(SkillLevel::Normal, number).act(&view).unwrap();
                let why = match &event {
                    Event::Play { cards, .. } => Some((Purpose::of(&view, *cards), *cards)),
                    _ => None,
                };
                let before = view
                    .open
                    .as_ref()
                    .and_then(|open| open.ahead.last().copied());
                round.apply(event).unwrap();
                let Some((why, cards)) = why else { continue };
                let after = View::of(&round, None);
                let trick = after.open.as_ref().or(after.tricks.last()).unwrap();
                let wins = trick.ahead.last() == Some(&seat);
                let is_partners = before.is_some_and(|before| before.team() == seat.team());
                let points = cards.iter().any(|card| card.points() > 0);
                let expected = match (before, wins, is_partners, points) {
                    (None, ..) => Purpose::Lead,
                    (_, true, true, _) => Purpose::Overtake,
                    (_, true, false, _) => Purpose::Win,
                    (_, false, true, true) => Purpose::Give,
                    (_, false, true, false) => Purpose::Keep,
                    (_, false, false, true) => Purpose::Lose,
                    (_, false, false, false) => Purpose::Save,
                };
                assert_eq!(why, expected, "{cards} in {trick:?}");
                seen.insert(why);
            }
        }
        assert_eq!(seen.len(), 7, "{seen:?}");
    }
}
