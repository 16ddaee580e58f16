//! Legality by trial: every move that the rays offer is carried out to see what becomes of it.
//!
//! This defines what is legal. The fast generator falls back on it where much is at stake, and is
//! tested against it.

use crate::attack::in_danger;
use crate::board::Board;
use crate::deploy::{Deploy, act_whole};
use crate::reference_moves::walk;
use crate::{Move, MoveKind, MoveList, Position, Role, Square, SquareSet, Stack, StackRules};

impl<R: StackRules> Position<R> {
    /// Every legal move, found the slow and simple way; the order of [`Position::legal_moves`].
    #[doc(hidden)]
    pub fn legal_moves_by_trial(&self) -> MoveList {
        let mut list = MoveList::new();
        if self.board.commander(self.turn).is_none() {
            return list;
        }
        self.each_pseudo_legal_move(|mv| {
            if self.survives(mv) {
                list.push(mv);
            }
            true
        });
        if let Some(deploy) = &self.deploy
            && self.can_commit()
        {
            list.push(deploy.commit());
        }
        list
    }

    /// Every move that rays and recombines offer, whatever becomes of the commander, until
    /// `found` answers false; answers whether it never did.
    pub(crate) fn each_pseudo_legal_move(&self, mut found: impl FnMut(Move) -> bool) -> bool {
        match &self.deploy {
            Some(deploy) => self.pseudo_steps(deploy, found),
            None => self.board.of(self.turn).into_iter().all(|from| {
                let Some(stack) = self.board.stack(from) else {
                    return true;
                };
                let steps = stack.len() == 1
                    || single_pieces(self.board.rules(), stack).all(|(role, piece)| {
                        walk(&self.board, from, piece, true, |to, kind| {
                            found(Move::step(from, to, role, kind))
                        })
                    });
                steps
                    && walk(&self.board, from, stack, false, |to, kind| {
                        found(Move::whole(from, to, stack.carrier().role, kind))
                    })
            }),
        }
    }

    /// The further steps of an open deploy.
    fn pseudo_steps(&self, deploy: &Deploy<R>, mut found: impl FnMut(Move) -> bool) -> bool {
        let origin = deploy.origin();
        let Some(remaining) = self.remaining() else {
            return true;
        };
        single_pieces(self.board.rules(), remaining).all(|(role, piece)| {
            // Joins onto what was deployed before come last, in the order of the squares.
            let mut joins = SquareSet::EMPTY;
            for square in deploy.arrivals() {
                if deploy.recombined(role, square).is_some() {
                    joins.insert(square);
                }
            }
            walk(&self.board, origin, piece, true, |to, kind| {
                if kind == MoveKind::Combine && deploy.deployed_to(to) {
                    joins.insert(to);
                    return true;
                }
                found(Move::step(origin, to, role, kind))
            }) && joins
                .into_iter()
                .all(|square| found(Move::recombine(origin, square, role)))
        })
    }

    /// Whether rays and recombines offer the move, be it legal or not.
    pub(crate) fn pseudo_legal(&self, mv: Move) -> bool {
        !self.each_pseudo_legal_move(|offered| offered != mv)
    }

    /// Whether a pseudo-legal move is legal, by carrying it out.
    pub(crate) fn survives(&self, mv: Move) -> bool {
        if !mv.is_step() {
            let mut board = self.board.clone();
            act_whole(&mut board, mv.from(), self.turn, mv.to(), mv.kind());
            return !in_danger(&board, self.turn);
        }
        let mut after = self.clone();
        after.take_step(mv);
        // Rule 6.6: the first step of a stack without the commander must leave it safe.
        let free = self.deploy.is_some() || holds_commander(&self.board, mv.from());
        (free || !in_danger(&after.board, self.turn)) && after.can_end()
    }

    /// Whether an open deploy can be ended, now or after further steps.
    pub(super) fn can_end(&self) -> bool {
        self.can_commit()
            || !self.each_pseudo_legal_move(|mv| {
                let mut after = self.clone();
                after.take_step(mv);
                !after.can_end()
            })
    }
}

fn holds_commander<R: StackRules>(board: &Board<R>, square: Square) -> bool {
    !board.info(square).roles.is_disjoint(Role::Commander.set())
}

/// The pieces of a stack, each as a stack of its own.
fn single_pieces<R: StackRules>(rules: &R, stack: Stack) -> impl Iterator<Item = (Role, Stack)> {
    stack.kinds().filter_map(move |kind| {
        let single = rules.packed(rules.single(kind));
        Some((kind.role(), Stack::from_packed(single, stack.color())?))
    })
}
