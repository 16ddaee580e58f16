//! What a collection of pieces can be made into: single stacks, and whole divisions into stacks.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::{Role, Stack, StackTable, State};

/// Every stack that some of the pieces, given by number and role, make: the smallest first, then in rising
/// order of mask.
pub(crate) fn combinations(table: &StackTable, pieces: &[(usize, Role)]) -> Vec<Stack<usize>> {
    let present = pieces.iter().map(|(_, role)| *role).collect();
    let mut stacks = Vec::new();
    for state in table
        .lawful()
        .filter(|state| state.set().is_subset(present))
    {
        choose(state, 0, [None; State::MAX], pieces, &mut stacks);
    }
    stacks.sort_by_key(|stack| (stack.len(), stack.state().set()));
    stacks
}

/// Completes `chosen` from `place` on with every choice of pieces that have the roles of the state.
fn choose(
    state: State,
    place: usize,
    chosen: [Option<usize>; State::MAX],
    pieces: &[(usize, Role)],
    stacks: &mut Vec<Stack<usize>>,
) {
    let Some(wanted) = state.role(place) else {
        stacks.push(Stack::new(state, chosen));
        return;
    };
    for (number, _) in pieces.iter().filter(|(_, role)| *role == wanted) {
        let mut chosen = chosen;
        chosen[place] = Some(*number);
        choose(state, place + 1, chosen, pieces, stacks);
    }
}

/// Every way to divide pieces into stacks, those with the fewest stacks first.
///
/// Pieces are ranked by falling role. The first piece still free chooses its company, the largest first;
/// so each division is met once. One pass is made for each number of stacks.
#[derive(Debug)]
pub(crate) struct Splits {
    /// The numbers of the pieces by rank.
    numbers: Vec<usize>,
    /// For each rank the stacks, as ranks, in which it is the first.
    company: Vec<Vec<Stack<usize>>>,
    used: Vec<bool>,
    /// The stacks chosen: the rank that chose, and which of its stacks.
    path: Vec<(usize, usize)>,
    /// How many stacks this pass is to have.
    size: usize,
    /// How many pieces are still free.
    free: usize,
}

impl Splits {
    pub(crate) fn new(table: &StackTable, pieces: &[(usize, Role)]) -> Self {
        let mut pieces = pieces.to_vec();
        pieces.sort_by_key(|(_, role)| Reverse(*role));
        let ranked: Vec<(usize, Role)> = pieces.iter().map(|(_, role)| *role).enumerate().collect();
        let mut company = vec![Vec::new(); pieces.len()];
        for stack in combinations(table, &ranked) {
            if let Some(first) = stack.iter().min() {
                company[*first].push(stack);
            }
        }
        for stacks in &mut company {
            stacks.sort_by_key(|stack| Reverse((stack.len(), stack.state().set())));
        }
        Self {
            numbers: pieces.iter().map(|(number, _)| *number).collect(),
            company,
            used: vec![false; pieces.len()],
            path: Vec::new(),
            size: 0,
            free: pieces.len(),
        }
    }

    /// Whether `stack` is free, and what would then be left can still make the stacks that are lacking.
    fn fits(&self, stack: &Stack<usize>) -> bool {
        if stack.iter().any(|rank| self.used[*rank]) {
            return false;
        }
        let left = self.free - stack.len();
        let lacking = self.size - self.path.len() - 1;
        (lacking..=State::MAX * lacking).contains(&left)
    }

    fn choose(&mut self, rank: usize, option: usize) {
        self.path.push((rank, option));
        self.mark(rank, option, true);
    }

    fn mark(&mut self, rank: usize, option: usize, used: bool) {
        let stack = &self.company[rank][option];
        for member in stack {
            self.used[*member] = used;
        }
        if used {
            self.free -= stack.len();
        } else {
            self.free += stack.len();
        }
    }

    /// Takes the last choice back: the rank that made it and its next option.
    fn take_back(&mut self) -> Option<(usize, usize)> {
        let (rank, option) = self.path.pop()?;
        self.mark(rank, option, false);
        Some((rank, option + 1))
    }

    /// Goes on to the next division into `size` stacks, or back to none.
    fn advance(&mut self) -> bool {
        let mut next = self.take_back().or(Some((0, 0)));
        while let Some((rank, option)) = next {
            let options = &self.company[rank];
            let found = options[option..].iter().position(|stack| self.fits(stack));
            next = match found {
                None => self.take_back(),
                Some(further) => {
                    self.choose(rank, option + further);
                    let free = self.used.iter().position(|used| !used);
                    match free {
                        None => return true,
                        Some(rank) => Some((rank, 0)),
                    }
                }
            };
        }
        false
    }
}

impl Iterator for Splits {
    type Item = Vec<Stack<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // After the last division of a pass the path is empty and a larger size is due.
            if self.path.is_empty() {
                if self.size == self.numbers.len() {
                    return None;
                }
                self.size += 1;
            }
            if self.advance() {
                let stack = |(rank, option): &(usize, usize)| {
                    self.company[*rank][*option].map(|member| self.numbers[member])
                };
                return Some(self.path.iter().map(stack).collect());
            }
        }
    }
}
