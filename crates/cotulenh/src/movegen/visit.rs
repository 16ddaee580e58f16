//! Legal moves without a list of them: whoever numbers moves need not build them first.

use super::{Group, Sink, list_slide, list_target};
use crate::movement::{at_slot, slots};
use crate::moves::lowest;
use crate::targets::{SideView, Targets};
use crate::{Move, MoveKind, Position, Role, Square, StackRules};

/// Is shown the legal moves of a position in the order of Rule 3.9: see [`Position::visit_legal_moves`].
pub trait MoveVisitor {
    /// The moves that follow, until the next call, are all of the stack on `from` with this carrier, or, where `step` is set, steps of
    /// this one of its pieces.
    fn group(&mut self, from: Square, role: Role, step: bool);

    /// Moves of the group to empty squares up to five away, one for each bit that is set, the lowest first: bit `8 * d + n` for the
    /// square `n` away in the direction `d` as [`Direction`](crate::Direction) numbers them.
    fn quiet(&mut self, slots: u64);

    /// Any other move of the group, or a commit.
    fn one(&mut self, mv: Move);
}

/// Hands generated moves on to a visitor.
struct Visit<'a, V>(&'a mut V);

impl<V: MoveVisitor> Sink for Visit<'_, V> {
    #[inline]
    fn group(&mut self, group: Group, targets: &Targets) {
        let others = targets.takes() | targets.joins;
        if (others | targets.quiet).is_empty() {
            return;
        }
        self.0.group(group.from, group.role, group.step);
        if group.role == Role::Commander {
            return list_slide(|mv| self.0.one(mv), group, targets);
        }
        let mut quiet = slots(group.from, targets.quiet);
        if !others.is_empty() {
            // Others come in between: what is before each goes first.
            let mut left = slots(group.from, others);
            while left != 0 {
                let before = left ^ (left - 1);
                if quiet & before != 0 {
                    self.0.quiet(quiet & before);
                    quiet &= !before;
                }
                let to = at_slot(group.from, lowest(left));
                list_target(|mv| self.0.one(mv), group, targets, to);
                left &= left - 1;
            }
        }
        if quiet != 0 {
            self.0.quiet(quiet);
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.0.group(mv.from(), mv.role(), mv.is_step());
        self.0.one(mv);
    }
}

impl<R: StackRules> Position<R> {
    /// Shows a visitor every legal move, in the order of [`Position::legal_moves`].
    ///
    /// ```
    /// use cotulenh::{Move, MoveVisitor, Position, Role, Square};
    ///
    /// #[derive(Default)]
    /// struct Count(u32);
    ///
    /// impl MoveVisitor for Count {
    ///     fn group(&mut self, _: Square, _: Role, _: bool) {}
    ///     fn quiet(&mut self, slots: u64) {
    ///         self.0 += slots.count_ones();
    ///     }
    ///     fn one(&mut self, _: Move) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let mut count = Count::default();
    /// Position::start().visit_legal_moves(&mut count);
    /// assert_eq!(count.0, 116);
    /// ```
    pub fn visit_legal_moves(&self, visitor: &mut impl MoveVisitor) {
        self.generate(&mut Visit(visitor));
    }

    /// The move of the stack on `from`, or with `step` of its piece `role`, against a square: what it does there follows from
    /// the position, but for an aircraft, which may stay where it is (`stay_capture`) or not. `None` if rays and
    /// recombines offer nothing; whether it is legal is not asked.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let position: Position = "6c4/9ii/11/11/11/11/4i6/4F6/11/11/9II/5C5 r - - 0 1".parse()?;
    /// for mv in position.legal_moves() {
    ///     let stay_capture = mv.kind() == cotulenh::MoveKind::StayCapture;
    ///     let found = position.move_against(mv.from(), mv.to(), mv.role(), mv.is_step(), stay_capture);
    ///     assert_eq!(found, Some(mv));
    /// }
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn move_against(
        &self,
        from: Square,
        to: Square,
        role: Role,
        step: bool,
        stay_capture: bool,
    ) -> Option<Move> {
        let info = self.board.info(from);
        let members = &info.members[..info.len as usize];
        let kind = members.iter().find(|kind| kind.is(role))?;
        if step
            && let Some(deploy) = &self.deploy
            && deploy.recombined(role, to).is_some()
        {
            return Some(Move::recombine(from, to, role));
        }
        let set = if step {
            self.board.rules().set_of(role.set())
        } else {
            info.set
        };
        let mut targets = SideView::new(&self.board, self.turn).targets(from, *kind, set, step);
        let kinds = targets.by_kind().into_iter();
        let mut offered = kinds.filter(|(_, set)| set.contains(to));
        // Only an aircraft with all aboard has the choice.
        let (what, _) =
            offered.find(|(what, _)| step || stay_capture == (*what == MoveKind::StayCapture))?;
        let joins = what == MoveKind::Combine;
        Some(match &self.deploy {
            Some(deploy) if joins && deploy.deployed_to(to) => Move::recombine(from, to, role),
            _ => Group { from, role, step }.to(to, what),
        })
    }
}
