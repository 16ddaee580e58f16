//! The player behind the bots and the hints. It is handed views and nothing else.

use serde_json::{Value, json};
use tractor::{CardSet, Event, Stage, View};
use tractor_engine::{Player, SkillLevel};

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
        0 | 1 => SkillLevel::Easy,
        2 => SkillLevel::Normal,
        3 => SkillLevel::Strong,
        _ => SkillLevel::Master,
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
            "why": hint.purpose.word(),
            "instead": other,
        });
    }
    let cards = match player.act(view) {
        Some(Event::Play { cards, .. } | Event::Bury { cards, .. }) => Some(cards),
        _ => None,
    };
    json!({ "cards": cards })
}
