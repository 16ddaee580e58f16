//! The end of a round: the kitty's bonus, the result, and ending early (Rules 2.7, 2.8, 2.10.15).

use alloc::vec::Vec;

use super::{KittyBonus, Over, Phase, PlayedTrick, Round, RoundError};
use crate::card::{Face, Rank};
use crate::judge::Judge;
use crate::rules::{Rules, ThrowMode};
use crate::score::{RoundEnd, RoundResult};
use crate::seat::Seat;
use crate::{Faces, RankedCards};

impl KittyBonus {
    /// How often the kitty counts after this last lead (Rules 2.7.1 and 2.10.4).
    ///
    /// ```
    /// use tractor::{Judge, KittyBonus, Rules};
    /// let judge = Judge::new("2C".parse()?, Rules::DEFAULT);
    /// let lead = |cards: &str| cards.parse().map(|cards| judge.ranked(cards));
    /// assert_eq!(KittyBonus::multiplier(&judge, lead("AS KS QS")?), 2);
    /// assert_eq!(KittyBonus::multiplier(&judge, lead("AS AS QS QS")?), 8);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn multiplier(judge: &Judge, lead: RankedCards) -> i32 {
        let largest = judge.components(lead).map(|combo| combo.kind.len()).max();
        judge
            .rules()
            .kitty_multiplier
            .factor(lead.pairs(), largest.unwrap_or(1))
    }

    /// The bonus that attackers score who win the last trick, or `None` if the kitty has no points.
    pub fn of(judge: &Judge, lead: RankedCards, kitty: Faces) -> Option<Self> {
        (kitty.points() > 0).then(|| Self {
            points: kitty.points(),
            multiplier: Self::multiplier(judge, lead),
        })
    }
}

impl Round {
    /// The cards are played out: `trick` was the last.
    pub(super) fn finish(
        &mut self,
        judge: &Judge,
        mut tricks: Vec<PlayedTrick>,
        trick: PlayedTrick,
    ) {
        let winner = trick.winner();
        let attacked = winner.team() != self.defending();
        let lead = judge.ranked(trick.plays[0].faces());
        let bonus = attacked
            .then(|| KittyBonus::of(judge, lead, self.kitty.faces()))
            .flatten();
        let winning = trick.plays[(4 + winner.index() - trick.leader.index()) % 4];
        let mut faces = winning.faces().iter();
        let jack = faces.next().and_then(Face::rank) == Some(Rank::Jack);
        let lone_jack = attacked && jack && faces.next().is_none();
        tricks.push(trick);
        let points = self.attackers_points() + bonus.map_or(0, |bonus| bonus.total());
        let result = self.result_with(points, lone_jack);
        self.phase = Phase::Over(Over {
            tricks,
            bonus,
            result,
            ended_by: None,
        });
    }

    /// What the attackers have so far, without a bonus.
    pub fn attackers_points(&self) -> i32 {
        self.points.of(self.defending().other())
    }

    fn result_with(&self, points: i32, lone_jack: bool) -> RoundResult {
        let end = RoundEnd {
            starter: self.starter(),
            defending: self.defending(),
            levels: self.setup.start.levels,
            points,
            lone_jack,
        };
        end.result(&self.setup.rules)
    }

    /// Whether no play of the unseen cards can change the winner or the levels (Rule 2.10.15).
    ///
    /// It looks at public knowledge alone, so that asking tells nothing.
    pub fn is_decided(&self) -> bool {
        let Phase::Playing(playing) = &self.phase else {
            return matches!(self.phase, Phase::Over(_));
        };
        let rules = &self.setup.rules;
        let jack = self.setup.start.levels[self.defending().index()].rank() == Some(Rank::Jack);
        if rules.jack_back_to_two && jack {
            return false;
        }
        let played: u32 = self.points.taken.iter().sum();
        let open: u32 = playing.plays.iter().map(|play| play.faces().points()).sum();
        let unseen = (200 - played).cast_signed();
        let held = Seat::ALL.map(|seat| self.hand(seat).len());
        let left = held.into_iter().max().unwrap_or(0).max(1);
        let penalties = match rules.throw_mode {
            ThrowMode::Challenge => i32::from(rules.throw_penalty) * most(left),
            ThrowMode::Certain => 0,
        };
        let hidden = unseen - open.cast_signed();
        let kitty = hidden.saturating_mul(greatest_multiplier(rules, left));
        let now = self.attackers_points();
        let least = self.result_with(now - penalties, false);
        let greatest = now
            .saturating_add(unseen)
            .saturating_add(kitty)
            .saturating_add(penalties);
        let greatest = self.result_with(greatest, false);
        (least.winner, least.rise, least.next) == (greatest.winner, greatest.rise, greatest.next)
    }

    pub(super) fn end_early(&mut self, seat: Seat) -> Result<(), RoundError> {
        let playing = self.check_end_early()?;
        self.phase = Phase::Over(Over {
            tricks: playing.tricks.clone(),
            bonus: None,
            result: self.result_with(self.attackers_points(), false),
            ended_by: Some(seat),
        });
        Ok(())
    }
}

fn most(cards: usize) -> i32 {
    i32::try_from(cards).unwrap_or(i32::MAX)
}

/// The largest factor that a last lead of at most so many cards can have.
fn greatest_multiplier(rules: &Rules, cards: usize) -> i32 {
    rules.kitty_multiplier.factor(cards / 2, cards)
}
