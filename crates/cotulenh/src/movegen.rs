//! Legal actions.

mod trial;

use crate::movement::{Direction, at_slot, slot};
use crate::moves::lowest;
use crate::shield::{Shield, Walk, walk_to};
use crate::stack::table::{self, Info, Kind, NO_KIND, id_of};
use crate::targets::{Targets, View};
use crate::{Move, MoveKind, MoveList, Position, Role, Square, SquareSet, Stack, Terrain};

/// Where generated actions go.
trait Sink {
    /// All actions of one group, given as sets of targets.
    fn group(&mut self, group: Group, targets: &Targets);

    /// One action.
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

/// Looks for a first action.
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

impl Sink for MoveList {
    #[inline]
    fn group(&mut self, group: Group, targets: &Targets) {
        if group.role == Role::Commander {
            return list_slide(self, group, targets);
        }
        let bits = |set: SquareSet| {
            set.into_iter()
                .fold(0u64, |bits, to| bits | 1 << slot(group.from, to))
        };
        let quiet = bits(targets.quiet);
        let others = targets.takes() | targets.joins;
        if others.is_empty() {
            return self.push_each(quiet, |slot| {
                group.to(at_slot(group.from, slot), MoveKind::Quiet)
            });
        }
        let others = bits(others);
        let mut all = quiet | others;
        while all != 0 {
            let to = at_slot(group.from, lowest(all));
            if others & all & all.wrapping_neg() == 0 {
                self.push(group.to(to, MoveKind::Quiet));
            } else {
                list_target(self, group, targets, to);
            }
            all &= all - 1;
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// The actions against one square that is not empty, `x` before `_`.
fn list_target(list: &mut MoveList, group: Group, targets: &Targets, to: Square) {
    let kinds = [
        (targets.captures, MoveKind::Capture),
        (targets.stays, MoveKind::StayCapture),
        (targets.doomed, MoveKind::Kamikaze),
        (targets.joins, MoveKind::Combine),
    ];
    for (set, kind) in kinds {
        if set.contains(to) {
            list.push(group.to(to, kind));
        }
    }
}

/// A commander slides further than slots reach.
fn list_slide(list: &mut MoveList, group: Group, targets: &Targets) {
    let all = targets.all();
    for direction in Direction::ALL {
        let mut ray = all & direction.ray(group.from);
        while let Some(to) = direction.nearest(ray) {
            ray.remove(to);
            if targets.quiet.contains(to) {
                list.push(group.to(to, MoveKind::Quiet));
            } else {
                list_target(list, group, targets, to);
            }
        }
    }
}

impl Position {
    /// Adds every legal action to a list, in the order of Rule 3.9; commit comes last.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        self.generate(list);
    }

    /// How many legal actions there are.
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

    /// Whether there is no legal action: mate or stalemate between turns.
    pub fn has_no_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        !any.0
    }

    fn generate(&self, sink: &mut impl Sink) {
        if let Some(deploy) = &self.deploy {
            if self.can_commit() && sink.is_full() {
                return;
            }
            self.pseudo_moves(|mv| {
                if self.survives(mv) {
                    sink.one(mv);
                }
                !sink.is_full()
            });
            if self.can_commit() {
                sink.one(deploy.commit());
            }
            return;
        }
        if self.board.commander(self.turn).is_none() {
            return;
        }
        let shield = Shield::of(&self.board, self.turn);
        let view = View::new(&self.board, self.turn);
        for from in self.board.of(self.turn) {
            let info = table::info(self.board.id(from));
            if info.len > 1 {
                self.generate_steps(&view, from, info, shield.as_ref(), sink);
            }
            self.generate_whole(&view, from, info, shield.as_ref(), sink);
            if sink.is_full() {
                return;
            }
        }
    }

    #[inline]
    fn generate_whole(
        &self,
        view: &View<'_>,
        from: Square,
        info: &Info,
        shield: Option<&Shield>,
        sink: &mut impl Sink,
    ) {
        let kind = info.members[0];
        let group = Group {
            from,
            role: Role::ALL[(kind >> 1) as usize],
            step: false,
        };
        let mut targets = view.targets(from, kind, info.set, false);
        match shield {
            Some(shield) if !shield.squares.contains(from) => {
                self.retain_safe(group, &mut targets, shield);
            }
            Some(shield) if kind >> 1 == Role::Commander as Kind => {
                self.retain_walks(group, &mut targets, shield);
            }
            _ => self.retain_survivors(group, &mut targets, SquareSet::ALL),
        }
        sink.group(group, &targets);
    }

    /// First steps of a deploy, piece by piece.
    fn generate_steps(
        &self,
        view: &View<'_>,
        from: Square,
        info: &Info,
        shield: Option<&Shield>,
        sink: &mut impl Sink,
    ) {
        for kind in info.members {
            if kind == NO_KIND {
                break;
            }
            let role = Role::ALL[(kind >> 1) as usize];
            let group = Group {
                from,
                role,
                step: true,
            };
            let set = table::set_of(role.mask());
            let mut targets = view.targets(from, kind, set, true);
            let rest = id_of(info.roles & !role.mask(), info.heroic & !role.mask());
            let stands = Stack::from_id(rest, self.turn)
                .is_none_or(|rest| Terrain::admits(rest.carrier().role, from));
            match shield {
                Some(shield) if stands && !shield.squares.contains(from) => {
                    self.retain_safe(group, &mut targets, shield);
                }
                _ => self.retain_survivors(group, &mut targets, SquareSet::ALL),
            }
            sink.group(group, &targets);
        }
    }

    /// For a group that leaves no gap in the shield: tries only what goes for the shield itself.
    #[inline]
    fn retain_safe(&self, group: Group, targets: &mut Targets, shield: &Shield) {
        let mut doubtful = shield.squares;
        if shield.captures {
            doubtful |= targets.takes();
        }
        if targets.all().meets(doubtful) {
            self.retain_survivors(group, targets, doubtful);
        }
    }

    /// For a commander that walks alone.
    fn retain_walks(&self, group: Group, targets: &mut Targets, shield: &Shield) {
        let walks = if shield.captures {
            targets.quiet
        } else {
            targets.quiet | targets.captures
        };
        let mut doubtful = targets.all() - walks;
        for to in walks {
            match walk_to(&self.board, group.from, to, self.turn) {
                Walk::Safe => {}
                Walk::Lost => {
                    targets.quiet.remove(to);
                    targets.captures.remove(to);
                }
                Walk::Doubtful => doubtful.insert(to),
            }
        }
        self.retain_survivors(group, targets, doubtful);
    }

    /// Tries every action against one of these squares.
    fn retain_survivors(&self, group: Group, targets: &mut Targets, doubtful: SquareSet) {
        for (kind, set) in targets.by_kind() {
            for to in *set & doubtful {
                if !self.survives(group.to(to, kind)) {
                    set.remove(to);
                }
            }
        }
    }
}
