//! The review of a round: each decision against the best that its seat could know of, and what was luck.

use convoy_lessons::{INACCURACY, MISTAKE};
use serde_json::{Value, json};
use tractor::{Record, Seat};
use tractor_engine::{Decision, RoundReview, RoundReviewer};

use crate::game::TimeSlice;
use crate::refusal::{NotNow, Refusal};
use crate::review::{Reviewer, Reviews};

/// From this loss on a decision is a blunder, in points.
const BLUNDER: f64 = 15.0;

pub(super) const REVIEWS: Reviews = Reviews {
    ending: "txt",
    after_the_end: false,
    rounds: |text| u32::try_from(records(text).len()).unwrap_or(u32::MAX),
    begin,
};

/// The records of all finished rounds, one after the other.
fn records(text: &str) -> Vec<&str> {
    let begins = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    let places = text.match_indices("tractor ").map(|(at, _)| at);
    let mut places: Vec<usize> = places.filter(begins).collect();
    places.push(text.len());
    let pairs = places.windows(2);
    pairs.map(|pair| &text[pair[0]..pair[1]]).collect()
}

fn begin(text: &str, round: u32) -> Result<Box<dyn Reviewer>, Refusal> {
    let place = usize::try_from(round)
        .ok()
        .and_then(|round| round.checked_sub(1));
    let record = place.and_then(|place| records(text).get(place).copied());
    let record = record.ok_or(Refusal::NotNow(NotNow::RoundNotOver))?;
    let record: Record = record.trim_end().parse().map_err(|_| Refusal::Storage)?;
    Ok(Box::new(CardReviewer {
        reviewer: RoundReviewer::new(record),
        is_over: false,
    }))
}

#[derive(Debug)]
struct CardReviewer {
    reviewer: RoundReviewer,
    is_over: bool,
}

impl Reviewer for CardReviewer {
    fn step(&mut self, _: &TimeSlice<'_>) -> bool {
        // A record that the rules refuse has no review.
        let goes_on = self.reviewer.step().unwrap_or(false);
        self.is_over = !goes_on;
        goes_on
    }

    fn progress(&self) -> (usize, usize) {
        self.reviewer.progress()
    }

    fn review(&self) -> Option<Value> {
        let review = self.is_over.then(|| self.reviewer.clone().finish());
        review.flatten().map(|review| told(&review))
    }
}

fn rounded(points: f64) -> f64 {
    (10.0 * points).round() / 10.0
}

fn judgement(loss: f64) -> &'static str {
    match loss {
        _ if loss < INACCURACY => "good",
        _ if loss < MISTAKE => "inaccuracy",
        _ if loss < BLUNDER => "mistake",
        _ => "blunder",
    }
}

fn decision(decision: &Decision) -> Value {
    json!({
        "seat": decision.seat,
        "step": decision.step,
        "played": decision.played,
        "best": decision.best,
        "loss": rounded(decision.loss),
        "error": rounded(decision.error),
        "judgement": judgement(decision.loss),
    })
}

fn told(review: &RoundReview) -> Value {
    let lost = |seat: &Seat| {
        let own = review.decisions.iter().filter(|one| one.seat == *seat);
        own.map(|one| one.loss).sum::<f64>()
    };
    let (skill, points) = (rounded(review.skill()), f64::from(review.points));
    json!({
        "version": 1,
        "needed": review.needed,
        "defending": review.defending.to_string(),
        "points": review.points,
        "deal": review.deal,
        "skill": skill,
        // What is told is rounded, and adds up all the same.
        "luck": rounded(points - f64::from(review.deal) - skill),
        "lost": Seat::ALL.each_ref().map(|seat| rounded(lost(seat))),
        "decisions": review.decisions.iter().map(decision).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use tractor::{Deck, Event, Round, Rules, Seed, Setup, View};
    use tractor_engine::{Player, SkillLevel};

    use super::*;
    use crate::game::Stop;
    use crate::pool::Cache;

    fn played(number: u64) -> String {
        let deck = Deck::of(&Seed::from_number(number), 1);
        let mut round = Round::new(Setup::first(Rules::DEFAULT), deck);
        round.apply(Event::Deal { count: 100 }).unwrap();
        round.apply(Event::Close).unwrap();
        while let Some(seat) = round.turn() {
            let view = View::of(&round, Some(seat));
            let level = if seat.index() == 1 {
                SkillLevel::Random
            } else {
                SkillLevel::Normal
            };
            round
                .apply(Player::new(level, 1).act(&view).unwrap())
                .unwrap();
        }
        Record::of(&round).to_string()
    }

    #[test]
    fn what_is_told_of_a_round_adds_up() {
        let text = [played(1), played(2)].join("\n");
        assert_eq!((REVIEWS.rounds)(&text), 2);
        assert_eq!((REVIEWS.rounds)(""), 0);
        assert!(begin(&text, 0).is_err() && begin(&text, 3).is_err());
        let mut reviewer = begin(&text, 2).unwrap();
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "");
        assert_eq!(reviewer.review(), None);
        while reviewer.step(&slice) {}
        let review = reviewer.review().unwrap();
        let number = |name: &str| review[name].as_f64().unwrap();
        let sum = number("deal") + number("skill") + number("luck");
        assert!((sum - number("points")).abs() < 1e-6, "{review}");
        let lost = review["lost"].as_array().unwrap();
        let worst = lost.iter().map(|one| one.as_f64().unwrap());
        let worst = worst
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        assert_eq!(worst.0, 1, "who plays at random loses most: {lost:?}");
        let judged = review["decisions"].as_array().unwrap();
        let is_bad = |one: &Value| matches!(one["judgement"].as_str(), Some("mistake" | "blunder"));
        assert!(judged.iter().any(is_bad), "{judged:?}");
        assert_eq!([0.0, BLUNDER].map(judgement), ["good", "blunder"]);
    }
}
