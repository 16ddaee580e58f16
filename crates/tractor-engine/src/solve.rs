//! Exact play of the last tricks of a world, the kitty's multiplier included.

use tractor::RankedCards;

use crate::trump_tables::TrumpTables;
use crate::world::World;

/// More points than a round can bring.
const INFINITE: i32 = i32::MAX;

/// Minimax over the rest of one world, every card known: the attackers want points, the defenders don't.
#[derive(Debug)]
pub(crate) struct Solver<'a> {
    tables: &'a TrumpTables,
    /// Plays that may still be tried.
    budget: u32,
}

impl<'a> Solver<'a> {
    pub(crate) const fn new(tables: &'a TrumpTables, budget: u32) -> Self {
        Self { tables, budget }
    }

    /// The attackers' points at the end with best play by all, or `None` if the budget is spent before.
    pub(crate) fn solve(&mut self, table: &World) -> Option<i32> {
        self.search(table, -INFINITE, INFINITE)
    }

    fn search(&mut self, table: &World, low: i32, high: i32) -> Option<i32> {
        if table.is_over() {
            return Some(table.attackers);
        }
        let judge = self.tables.judge();
        let hand = table.hands[table.turn().index()];
        let mut node = Node {
            low,
            high,
            best: None,
            attacks: table.turn().team() != table.defending,
        };
        if let Some(trick) = &table.trick {
            let duty = judge.duty(trick.lead(), hand);
            // What the heuristic would do is a good first guess, and a good first guess cuts most.
            for play in duty.plays() {
                if self.try_play(table, play, &mut node)? {
                    break;
                }
            }
        } else {
            let known = table.knowledge(self.tables);
            for play in judge.leads(hand, &known) {
                if self.try_play(table, play, &mut node)? {
                    break;
                }
            }
        }
        node.best
    }

    /// Looks at one play; whether the others need not be looked at.
    fn try_play(&mut self, table: &World, play: RankedCards, node: &mut Node) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        let mut next = *table;
        next.play(self.tables, play);
        let value = self.search(&next, node.low, node.high)?;
        let better = node.best.is_none_or(|best| {
            if node.attacks {
                value > best
            } else {
                value < best
            }
        });
        if better {
            node.best = Some(value);
            if node.attacks {
                node.low = node.low.max(value);
            } else {
                node.high = node.high.min(value);
            }
        }
        Some(node.low >= node.high)
    }
}

#[derive(Debug)]
struct Node {
    low: i32,
    high: i32,
    best: Option<i32>,
    attacks: bool,
}

#[cfg(test)]
mod tests {
    use tractor::{Memory, Rules, Seat, Team};

    use super::*;

    fn table(tables: &TrumpTables, hands: [&str; 4], kitty: &str) -> World {
        let lay = |text: &str| tables.judge().ranked(text.parse().unwrap());
        World {
            hands: hands.map(lay),
            kitty: lay(kitty),
            burier: Some(Seat::ALL[0]),
            defending: Team::A,
            attackers: 60,
            memory: Memory::default(),
            leader: Seat::ALL[0],
            trick: None,
            pot: 0,
        }
    }

    #[test]
    fn the_last_trick_is_kept_for_the_kitty() {
        let tables = TrumpTables::new("2H".parse().unwrap(), Rules::DEFAULT);
        // The starter holds the last trump and a losing club: led first, the trump leaves the kitty to the attackers.
        let world = table(
            &tables,
            ["3H 4C", "AC 5S", "6C 7S", "8C 8S"],
            "KS KD TD 5D 3S 3D 4S 4D",
        );
        assert_eq!(Solver::new(&tables, 100_000).solve(&world), Some(60));
        let mut wasted = world;
        wasted.play(&tables, tables.judge().ranked("3H".parse().unwrap()));
        let lost = Solver::new(&tables, 100_000).solve(&wasted);
        assert!(lost > Some(60 + 2 * 30), "{lost:?}");
    }

    #[test]
    fn a_spent_budget_is_no_answer() {
        let tables = TrumpTables::new("2H".parse().unwrap(), Rules::DEFAULT);
        let world = table(&tables, ["3H 4C", "AC 5S", "6C 7S", "8C 8S"], "KS");
        assert_eq!(Solver::new(&tables, 3).solve(&world), None);
    }
}
