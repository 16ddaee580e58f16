//! The player behind the bots and the hints. It is handed views and nothing else.

use serde_json::{Value, json};
use tractor::{CardSet, Event, Seat, Stage, Trick, View};
use tractor_engine::{Level, Player};

use crate::game::Stop;
use crate::id;

/// The strongest level that decides without a search.
const QUICK: u8 = 2;

/// Whether a bot of that level decides without a search.
pub(super) const fn is_quick(level: u8) -> bool {
    level <= QUICK
}

/// The player of one of the four levels that a table offers.
fn player(level: u8) -> Player {
    let level = match level {
        0 | 1 => Level::Easy,
        2 => Level::Normal,
        3 => Level::Strong,
        _ => Level::Master,
    };
    Player::new(level, u64::from_le_bytes(id::random()))
}

/// What a bot of that level does with this view; `None` where there is nothing for it to do.
pub(super) fn act(view: &View, level: u8, stop: &Stop) -> Option<Event> {
    if stop.is_stopped() {
        return None;
    }
    player(level).act(view)
}

/// The cards a bot declares with between two cards of the deal, if it does. The table itself asks, so
/// nothing is searched here; a strong bot thinks when all cards are out.
pub(super) fn declare(view: &View, level: u8) -> Option<CardSet> {
    // Most cards offer nothing new: that is seen before anything is weighed.
    if view.offers.is_empty() {
        return None;
    }
    player(level.min(QUICK)).declare(view)
}

/// What is decided without a search, such as for somebody whose time is up.
pub(super) fn quick(view: &View) -> Option<Event> {
    player(QUICK).act(view)
}

/// What a play does in the trick: the word for it that pages know.
fn reason(view: &View, cards: CardSet) -> &'static str {
    let judge = view.judge();
    let (Some(open), Some(lead)) = (&view.open, view.lead(&judge)) else {
        return "lead";
    };
    let mut trick = Trick::new(lead, &judge);
    for play in open.plays.iter().skip(1) {
        trick.play(&judge, judge.ranked(play.faces()));
    }
    let ahead = open.ahead.last().map(|seat| seat.team());
    let is_partners = ahead == view.viewer.map(Seat::team);
    let has_points = cards.iter().any(|card| card.points() > 0);
    match trick.would_win(&judge, judge.ranked(cards.faces())) {
        true if is_partners => "overtake",
        true => "win",
        false if is_partners && has_points => "give",
        false if is_partners => "keep",
        false if has_points => "must",
        false => "save",
    }
}

/// Advice to a player, in cards and words.
pub(super) fn hint(view: &View, stop: &Stop) -> Value {
    if stop.is_stopped() {
        return json!({ "cards": null });
    }
    let player = player(3);
    if view.stage == Stage::Playing
        && let Some(hint) = player.hint(view)
    {
        let other = hint.alternatives.first();
        let other = other.map(|(cards, points)| json!({ "cards": cards, "points": points }));
        return json!({
            "cards": hint.cards,
            "words": hint.words,
            "points": hint.points,
            "why": reason(view, hint.cards),
            "instead": other,
        });
    }
    let cards = match player.act(view) {
        Some(Event::Play { cards, .. } | Event::Bury { cards, .. }) => Some(cards),
        _ => None,
    };
    json!({ "cards": cards })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tractor::{Deck, Round, Rules, Seed, Setup};

    /// Whatever is played in some rounds: the reason says what came of it in the trick.
    #[test]
    fn a_reason_says_what_a_play_does_in_its_trick() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 1..=6 {
            let deck = Deck::of(&Seed::from_number(number), 1);
            let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
            round.apply(Event::Deal { count: 100 }).unwrap();
            round.apply(Event::Close).unwrap();
            while let Some(seat) = round.turn() {
                let view = View::of(&round, Some(seat));
                let event = quick(&view).unwrap();
                let why = match &event {
                    Event::Play { cards, .. } => Some((reason(&view, *cards), *cards)),
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
                    (None, ..) => "lead",
                    (_, true, true, _) => "overtake",
                    (_, true, false, _) => "win",
                    (_, false, true, true) => "give",
                    (_, false, true, false) => "keep",
                    (_, false, false, true) => "must",
                    (_, false, false, false) => "save",
                };
                assert_eq!(why, expected, "{cards} in {trick:?}");
                seen.insert(why);
            }
        }
        assert_eq!(seen.len(), 7, "{seen:?}");
    }
}
