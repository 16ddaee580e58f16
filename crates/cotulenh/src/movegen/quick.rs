//! Trials for the fast generator: the answers of [`trial`](super::trial), the likeliest way first.

use crate::attack::in_danger;
use crate::deploy::act_whole;
use crate::legality::Safety;
use crate::targets::SideView;
use crate::{Move, Position, Role, RoleSet, Square, SquareSet, StackRules, Terrain};

impl<R: StackRules> Position<R> {
    /// Whether a pseudo-legal move is legal, by carrying it out: [`Position::survives`].
    pub(super) fn survives_quickly(&self, mv: Move) -> bool {
        if !mv.is_step() {
            let mut board = self.board.clone();
            act_whole(&mut board, mv.from(), self.turn, mv.to(), mv.kind());
            return !in_danger(&board, self.turn);
        }
        let mut after = self.clone();
        after.take_step(mv);
        let danger = in_danger(&after.board, self.turn);
        // Rule 6.6: the first step of a stack without the commander must leave it safe.
        let roles = self.board.info(mv.from()).roles;
        let free = self.deploy.is_some() || !roles.is_disjoint(Role::Commander.set());
        if danger && !free {
            return false;
        }
        !danger && after.stands_at(mv.from()) || after.can_end_later(danger)
    }

    /// Whether an open deploy can be ended, now or after further steps: [`Position::can_end`].
    pub(super) fn can_end_quickly(&self) -> bool {
        let danger = in_danger(&self.board, self.turn);
        let ready = self
            .deploy
            .as_ref()
            .is_some_and(|deploy| !deploy.steps().is_empty() && self.stands_at(deploy.origin()));
        !danger && ready || self.can_end_later(danger)
    }

    /// Whether what is left on a square may stand there.
    fn stands_at(&self, square: Square) -> bool {
        let rest = self.board.info(square);
        rest.len == 0 || Terrain::admits(rest.members[0].role(), square)
    }

    /// Whether an open deploy can be ended after further steps: plain ones are tried before joins, which must be replayed.
    /// `danger` is whether the commander is in danger now.
    fn can_end_later(&self, danger: bool) -> bool {
        let Some(deploy) = &self.deploy else {
            return false;
        };
        let (origin, remaining) = (deploy.origin(), deploy.remaining_roles());
        let info = self.board.info(origin);
        let kinds = info.members.into_iter().take(info.len as usize);
        let left = kinds.filter(|kind| !remaining.is_disjoint(kind.role().set()));
        let ends = |mv: Move| {
            let mut after = self.clone();
            after.take_step(mv);
            after.can_end_quickly()
        };
        let (view, arrivals) = (SideView::new(&self.board, self.turn), deploy.arrivals());
        let targets = |role: Role, kind| {
            view.targets(origin, kind, self.board.rules().set_of(role.set()), true)
        };
        let helps = if danger {
            self.last_step_helps(origin, remaining)
        } else {
            SquareSet::ALL
        };
        left.clone().any(|kind| {
            let role = kind.role();
            let mut found = targets(role, kind);
            found.joins = found.joins - arrivals;
            found.restrict(helps);
            found.by_kind().into_iter().any(|(what, set)| {
                let mut set = set.into_iter();
                set.any(|to| ends(Move::step(origin, to, role, what)))
            })
        }) || left.clone().any(|kind| {
            let role = kind.role();
            let joins = targets(role, kind).joins;
            arrivals.into_iter().any(|square| {
                let offered = joins.contains(square) || deploy.recombined(role, square).is_some();
                offered && ends(Move::recombine(origin, square, role))
            })
        })
    }

    /// Where a plain step must go to get the commander out of danger; all squares unless it is the last step that is left.
    fn last_step_helps(&self, origin: Square, remaining: RoleSet) -> SquareSet {
        if remaining.bits().count_ones() > 1 || remaining == Role::Commander.set() {
            return SquareSet::ALL;
        }
        let commander = self.board.commander(self.turn);
        match commander.map(|own| Safety::of(&self.board, own, self.turn)) {
            Some(Safety::Unclear(remedies)) if !remedies.guns.contains(origin) => {
                remedies.squares | remedies.guns
            }
            _ => SquareSet::ALL,
        }
    }
}
