//! Legal moves.

mod quick;
mod trial;
mod visit;

use crate::board::GUNS;
use crate::deploy::Deploy;
use crate::legality::{Critical, Remedies, Safety, Walks};
use crate::movement::{Direction, at_slot, slots};
use crate::moves::lowest;
use crate::stack::table::Info;
use crate::targets::{SideView, Targets};
use crate::{
    Move, MoveKind, MoveList, PieceKind, Position, Role, Square, SquareSet, StackRules, Terrain,
};
pub use visit::MoveVisitor;

/// Where generated moves go.
trait Sink {
    /// Whether only what takes something is wanted.
    const TAKES: bool = false;

    /// All moves of one group, given as sets of targets.
    fn group(&mut self, group: Group, targets: &Targets);

    /// One move.
    fn one(&mut self, mv: Move);

    /// Whether nothing more is wanted.
    fn is_full(&self) -> bool {
        false
    }
}

/// Who moves: a whole stack, or one piece of it.
#[derive(Debug, Clone, Copy)]
struct Group {
    from: Square,
    role: Role,
    step: bool,
}

impl Group {
    #[inline]
    fn to(self, to: Square, kind: MoveKind) -> Move {
        if self.step {
            Move::step(self.from, to, self.role, kind)
        } else {
            Move::whole(self.from, to, self.role, kind)
        }
    }
}

/// Counts, and makes no list.
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn group(&mut self, _: Group, targets: &Targets) {
        self.0 += targets.len() as usize;
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Looks for a first move.
struct Any(bool);

impl Sink for Any {
    fn group(&mut self, _: Group, targets: &Targets) {
        self.0 |= !targets.all().is_empty();
    }

    fn one(&mut self, _: Move) {
        self.0 = true;
    }

    fn is_full(&self) -> bool {
        self.0
    }
}

/// Lists only what takes something.
struct Takes<'a>(&'a mut MoveList);

impl Sink for Takes<'_> {
    const TAKES: bool = true;

    #[inline]
    fn group(&mut self, group: Group, targets: &Targets) {
        if !targets.takes().is_empty() {
            self.0.group(group, targets);
        }
    }

    /// Joins and commits come one by one.
    fn one(&mut self, _: Move) {}
}

impl Sink for MoveList {
    #[inline]
    fn group(&mut self, group: Group, targets: &Targets) {
        if group.role == Role::Commander {
            return list_slide(|mv| self.push(mv), group, targets);
        }
        let quiet = slots(group.from, targets.quiet);
        let others = targets.takes() | targets.joins;
        if others.is_empty() {
            return self.push_each(quiet, |slot| {
                group.to(at_slot(group.from, slot), MoveKind::Quiet)
            });
        }
        let others = slots(group.from, others);
        let mut all = quiet | others;
        while all != 0 {
            let to = at_slot(group.from, lowest(all));
            if others & all & all.wrapping_neg() == 0 {
                self.push(group.to(to, MoveKind::Quiet));
            } else {
                list_target(|mv| self.push(mv), group, targets, to);
            }
            all &= all - 1;
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// The moves against one square that is not empty, `x` before `_`.
#[inline]
fn list_target(mut push: impl FnMut(Move), group: Group, targets: &Targets, to: Square) {
    let kinds = [
        (targets.captures, MoveKind::Capture),
        (targets.stay_captures, MoveKind::StayCapture),
        (targets.kamikazes, MoveKind::Kamikaze),
        (targets.joins, MoveKind::Combine),
    ];
    for (set, kind) in kinds {
        if set.contains(to) {
            push(group.to(to, kind));
        }
    }
}

/// A commander slides further than slots reach.
fn list_slide(mut push: impl FnMut(Move), group: Group, targets: &Targets) {
    let all = targets.all();
    for direction in Direction::ALL {
        let mut ray = all & direction.ray(group.from);
        while let Some(to) = direction.nearest(ray) {
            ray.remove(to);
            if targets.quiet.contains(to) {
                push(group.to(to, MoveKind::Quiet));
            } else {
                list_target(&mut push, group, targets, to);
            }
        }
    }
}

impl<R: StackRules> Position<R> {
    /// Adds every legal move to a list, in the order of Rule 3.9; commit comes last.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        self.generate(list);
    }

    /// Adds every legal move that takes something to a list, in the order of Rule 3.9.
    ///
    /// ```
    /// use cotulenh::{MoveList, Position};
    /// let position: Position = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1".parse()?;
    /// let mut list = MoveList::new();
    /// position.legal_captures_into(&mut list);
    /// assert_eq!(list[..], position.legal_moves()[..1]);
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn legal_captures_into(&self, list: &mut MoveList) {
        self.generate(&mut Takes(list));
    }

    /// How many legal moves there are.
    ///
    /// ```
    /// use cotulenh::Position;
    /// assert_eq!(Position::start().count_legal_moves(), 116);
    /// ```
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter(0);
        self.generate(&mut counter);
        counter.0
    }

    /// Whether there is a legal move; without one it is mate or stalemate between turns.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    fn generate<S: Sink>(&self, sink: &mut S) {
        let Some(commander) = self.board.commander(self.turn) else {
            return;
        };
        let safety = Safety::of(&self.board, commander, self.turn);
        let view = SideView::new(&self.board, self.turn);
        if let Some(deploy) = &self.deploy {
            return self.generate_open(deploy, &view, &safety, sink);
        }
        for from in self.board.of(self.turn) {
            let info = self.board.info(from);
            if info.len > 1 {
                for kind in info.members.into_iter().take(info.len as usize) {
                    let none = SquareSet::EMPTY;
                    self.generate_step(&view, from, info, kind, &safety, none, sink);
                }
            }
            self.generate_whole(&view, from, info, &safety, sink);
            if sink.is_full() {
                return;
            }
        }
    }

    /// The further steps of an open deploy, and its end.
    fn generate_open<S: Sink>(
        &self,
        deploy: &Deploy<R>,
        view: &SideView<'_, R>,
        safety: &Safety,
        sink: &mut S,
    ) {
        let origin = deploy.origin();
        let info = self.board.info(origin);
        let remaining = deploy.remaining_roles();
        let arrivals = deploy.arrivals();
        for kind in info.members.into_iter().take(info.len as usize) {
            let role = kind.role();
            if remaining.is_disjoint(role.set()) {
                continue;
            }
            let joins = self.generate_step(view, origin, info, kind, safety, arrivals, sink);
            if S::TAKES {
                continue;
            }
            for square in arrivals {
                let mv = Move::recombine(origin, square, role);
                let mut after = None;
                if let Some((steps, board)) = deploy.recombined(role, square) {
                    let mut rewritten = deploy.clone();
                    rewritten.rewrite(steps);
                    after = Some(Self {
                        board,
                        deploy: Some(rewritten),
                        move_number: self.move_number,
                        halfmove_clock: self.halfmove_clock,
                        turn: self.turn,
                    });
                } else if joins.contains(square) {
                    let mut joined = self.clone();
                    joined.take_step(mv);
                    after = Some(joined);
                }
                if after.is_some_and(|after| after.can_end_quickly()) {
                    sink.one(mv);
                }
            }
        }
        if !S::TAKES && self.can_commit() {
            sink.one(deploy.commit());
        }
    }

    /// Rule 6.2: whether rays and recombines offer the open deploy any further step.
    pub(crate) fn offers_step(&self) -> bool {
        let Some(deploy) = &self.deploy else {
            return false;
        };
        let (origin, remaining) = (deploy.origin(), deploy.remaining_roles());
        let info = self.board.info(origin);
        let view = SideView::new(&self.board, self.turn);
        let kinds = info.members.into_iter().take(info.len as usize);
        let mut left = kinds.filter(|kind| !remaining.is_disjoint(kind.role().set()));
        let moves = |kind: PieceKind| {
            let set = self.board.rules().set_of(kind.role().set());
            !view.targets(origin, kind, set, true).all().is_empty()
        };
        let joins = |kind: PieceKind| {
            let role = kind.role();
            let mut arrivals = deploy.arrivals().into_iter();
            arrivals.any(|square| deploy.recombined(role, square).is_some())
        };
        left.clone().any(moves) || left.any(joins)
    }

    #[inline]
    fn generate_whole<S: Sink>(
        &self,
        view: &SideView<'_, R>,
        from: Square,
        info: &Info,
        safety: &Safety,
        sink: &mut S,
    ) {
        let kind = info.members[0];
        let group = Group {
            from,
            role: kind.role(),
            step: false,
        };
        let mut targets = if S::TAKES {
            view.takes(from, kind, info.set, false)
        } else {
            view.targets(from, kind, info.set, false)
        };
        match safety {
            Safety::Safe(critical) if !critical.squares.contains(from) => {
                self.retain_safe(group, &mut targets, critical);
            }
            Safety::Unclear(remedies) if info.roles.is_disjoint(Role::Commander.set()) => {
                self.retain_remedies(group, &mut targets, remedies);
            }
            _ if safety.judges_walks() && walks_with_commander(info) => {
                let occupied = self.board.occupied().without(from);
                self.retain_walks(group, &mut targets, safety, occupied);
            }
            _ => self.retain_survivors(group, &mut targets, SquareSet::ALL),
        }
        sink.group(group, &targets);
    }

    /// The steps of one piece of a stack, but for those onto friends on `apart`, which it answers.
    #[allow(clippy::too_many_arguments, reason = "the state of one generation")]
    fn generate_step<S: Sink>(
        &self,
        view: &SideView<'_, R>,
        from: Square,
        info: &Info,
        kind: PieceKind,
        safety: &Safety,
        apart: SquareSet,
        sink: &mut S,
    ) -> SquareSet {
        let role = kind.role();
        let step = true;
        let group = Group { from, role, step };
        let set = self.board.rules().set_of(role.set());
        let mut targets = if S::TAKES {
            view.takes(from, kind, set, true)
        } else {
            view.targets(from, kind, set, true)
        };
        let joins = targets.joins & apart;
        targets.joins = targets.joins - apart;
        let rules = self.board.rules();
        let rest = rules.info(rules.find(info.roles - role.set(), info.heroic - role.set()));
        let stands = |info: &Info| info.len == 0 || Terrain::admits(info.members[0].role(), from);
        // After a step the deploy may end as it is, if what is left may stand there; a stay
        // capture leaves all of it.
        let ends = stands(rest) && (targets.stay_captures.is_empty() || stands(info));
        let aboard = !info.roles.is_disjoint(Role::Commander.set());
        match safety {
            Safety::Safe(critical) if ends && !critical.squares.contains(from) => {
                self.retain_safe(group, &mut targets, critical);
            }
            Safety::Safe(critical)
                if ends && critical.leaves && aboard && role != Role::Commander =>
            {
                self.retain_safe(group, &mut targets, critical);
            }
            // Rule 6.6: only the first step must put things right by itself.
            Safety::Unclear(remedies) if self.deploy.is_none() && !aboard => {
                self.retain_remedies(group, &mut targets, remedies);
            }
            Safety::Safe(_)
                if ends && role == Role::Commander && rest.members[0] == info.members[0] =>
            {
                self.retain_walks(group, &mut targets, safety, self.board.occupied());
            }
            _ => self.retain_survivors(group, &mut targets, SquareSet::ALL),
        }
        sink.group(group, &targets);
        joins
    }

    /// For a group that stands on no critical square: tries only what goes for one.
    #[inline]
    fn retain_safe(&self, group: Group, targets: &mut Targets, critical: &Critical) {
        let mut doubtful = critical.squares;
        if critical.captures {
            doubtful |= targets.takes();
        }
        if targets.all().meets(doubtful) {
            self.retain_survivors(group, targets, doubtful);
        }
    }

    /// For a group with the commander in it that keeps no aircraft off; `occupied` is what stays where it is.
    fn retain_walks(
        &self,
        group: Group,
        targets: &mut Targets,
        safety: &Safety,
        occupied: SquareSet,
    ) {
        let mut walks = targets.quiet;
        if !matches!(safety, Safety::Safe(critical) if critical.captures) {
            walks |= targets.captures;
        }
        let mut found = Walks::of(&self.board, walks, group.role, occupied, self.turn);
        if group.step {
            // Further steps may put it right.
            found.doubtful |= found.lost;
        } else {
            targets.quiet = targets.quiet - found.lost;
            targets.captures = targets.captures - (found.lost & walks);
        }
        // What takes a square without going there must be tried even where walking there is safe.
        let mut tried = *targets;
        tried.quiet &= found.doubtful;
        tried.captures &= found.doubtful | !walks;
        self.retain_survivors_of(group, targets, &mut tried);
    }

    /// For a group without the commander, which is in danger: tries only what may help.
    fn retain_remedies(&self, group: Group, targets: &mut Targets, remedies: &Remedies) {
        if !remedies.guns.contains(group.from) {
            targets.restrict(remedies.squares | remedies.guns);
        }
        self.retain_survivors(group, targets, SquareSet::ALL);
    }

    /// Tries every move against one of these squares.
    fn retain_survivors(&self, group: Group, targets: &mut Targets, doubtful: SquareSet) {
        let mut tried = *targets;
        tried.restrict(doubtful);
        self.retain_survivors_of(group, targets, &mut tried);
    }

    /// Tries some of the moves.
    fn retain_survivors_of(&self, group: Group, targets: &mut Targets, tried: &mut Targets) {
        for ((kind, set), (_, tried)) in targets.by_kind().into_iter().zip(tried.by_kind()) {
            for to in *tried {
                if !self.survives_quickly(group.to(to, kind)) {
                    set.remove(to);
                }
            }
        }
    }
}

/// Whether a stack holds the commander and nothing that keeps aircraft off.
fn walks_with_commander(info: &Info) -> bool {
    !info.roles.is_disjoint(Role::Commander.set()) && info.roles.is_disjoint(GUNS)
}
