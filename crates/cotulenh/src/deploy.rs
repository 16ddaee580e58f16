//! A turn in which pieces leave one stack, step by step (Rule 6).

use core::fmt;

use crate::attack::{in_danger, promote};
use crate::board::Board;
use crate::targets::SideView;
use crate::{
    Color, Move, MoveKind, Role, RoleSet, Square, SquareSet, Stack, StackRules, Standard, Terrain,
    zobrist,
};

/// One step of an open deploy: a group out of the stack, what it did, and where.
///
/// | bits  | meaning               |
/// |-------|-----------------------|
/// | 0–10  | the roles of the group |
/// | 16–23 | index of the target   |
/// | 24–26 | kind                  |
///
/// See [`Deploy`] for an example.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step(u32);

impl Step {
    pub(crate) const fn new(roles: RoleSet, to: Square, kind: MoveKind) -> Self {
        Self(roles.bits() as u32 | (to.byte() as u32) << 16 | (kind as u32) << 24)
    }

    /// The roles that went together: one, or more after a recombine.
    pub const fn roles(self) -> RoleSet {
        RoleSet::from_bits((self.0 & 0x7ff) as u16)
    }

    /// The target of the step.
    pub const fn to(self) -> Square {
        Square::new_unchecked(self.0.to_le_bytes()[2])
    }

    /// What the group did there.
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 24 {
            0 => MoveKind::Quiet,
            1 => MoveKind::Capture,
            2 => MoveKind::StayCapture,
            3 => MoveKind::Kamikaze,
            _ => MoveKind::Combine,
        }
    }

    /// Whether the group stands on the target, so that others may join it.
    const fn arrived(self) -> bool {
        matches!(
            self.kind(),
            MoveKind::Quiet | MoveKind::Capture | MoveKind::Combine
        )
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Step(")?;
        for role in Role::of_set(self.roles()) {
            write!(f, "{role}")?;
        }
        write!(f, ">{}{})", self.kind().separator(), self.to())
    }
}

/// An open deploy: where it began, what has been done, and the board as it was at the start of
/// the turn. The start and the steps determine everything else.
///
/// ```
/// use cotulenh::{Move, MoveKind, Position, Role};
/// let position: Position = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1".parse()?;
/// let step = Move::step("e4".parse()?, "e8".parse()?, Role::AirForce, MoveKind::Quiet);
/// let open = position.play(step)?;
/// let deploy = open.deploy().expect("two pieces remain");
/// assert_eq!(deploy.steps().len(), 1);
/// assert_eq!(deploy.remaining_roles(), Role::Tank.set() | Role::Infantry.set());
/// assert_eq!(open.turn_start(), position);
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deploy<R: StackRules = Standard> {
    origin: Square,
    original: Stack,
    steps: [Step; 3],
    len: u8,
    pub(crate) start: Board<R>,
}

impl<R: StackRules> Deploy<R> {
    /// A deploy of the stack on `origin` before its first step.
    pub(crate) fn open(start: &Board<R>, origin: Square, original: Stack) -> Self {
        Self {
            origin,
            original,
            steps: [Step(0); 3],
            len: 0,
            start: start.clone(),
        }
    }

    /// The square of the stack.
    pub const fn origin(&self) -> Square {
        self.origin
    }

    /// The stack as it was at the start of the turn.
    pub const fn original(&self) -> Stack {
        self.original
    }

    /// The steps made so far, as they are now written: a recombine rewrites an earlier one.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.len as usize]
    }

    /// The roles that have taken no step yet.
    pub fn remaining_roles(&self) -> RoleSet {
        self.steps()
            .iter()
            .fold(self.original.roles(), |left, step| left - step.roles())
    }

    /// The move that ends it.
    pub fn commit(&self) -> Move {
        Move::commit(self.origin, self.original.carrier().role)
    }

    /// Whether anything was captured in this turn (Rule 9.6).
    pub fn has_captured(&self) -> bool {
        self.steps().iter().any(|step| step.kind().is_capture())
    }

    /// Whether a piece that was deployed this turn stands on the square.
    pub fn deployed_to(&self, square: Square) -> bool {
        self.steps()
            .iter()
            .any(|step| step.arrived() && step.to() == square)
    }

    /// The share of the deploy in the key of the position.
    pub(crate) fn key(&self) -> u64 {
        let origin = zobrist::step(0, u32::from(self.origin.byte()) << 16);
        self.steps()
            .iter()
            .fold(origin, |key, step| zobrist::step(key, step.0))
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.steps[self.len as usize] = step;
        self.len += 1;
    }

    /// Where pieces that were deployed this turn stand.
    pub(crate) fn arrivals(&self) -> SquareSet {
        let arrived = self.steps().iter().filter(|step| step.arrived());
        arrived.map(|step| step.to()).collect()
    }

    /// Rule 6.4: the steps and the board once `role` has joined what was deployed to `square`, by
    /// rewriting the earliest step for which the turn can be replayed.
    pub(crate) fn recombined(&self, role: Role, square: Square) -> Option<([Step; 3], Board<R>)> {
        if self.original.carrier().role == role {
            return None;
        }
        (0..self.steps().len()).find_map(|index| {
            let step = self.steps[index];
            let roles = step.roles() | role.set();
            if !step.arrived() || step.to() != square {
                return None;
            }
            let group = self.start.rules().only(self.original, roles)?;
            if !Terrain::admits(group.carrier().role, square) {
                return None;
            }
            let mut steps = self.steps;
            steps[index] = Step::new(roles, square, step.kind());
            let board = self.replay(&steps[..self.len as usize])?;
            Some((steps, board))
        })
    }

    /// Replaces the steps with rewritten ones.
    pub(crate) fn rewrite(&mut self, steps: [Step; 3]) {
        self.steps = steps;
    }

    /// The board after all steps from the start of the turn, each of which must be open to its
    /// group when its time comes.
    fn replay(&self, steps: &[Step]) -> Option<Board<R>> {
        let color = self.original.color();
        let mut board = self.start.clone();
        for (index, step) in steps.iter().enumerate() {
            let rules = board.rules();
            let group = rules.only(board.stack(self.origin)?, step.roles())?;
            let info = rules.info(rules.id_of(group));
            let view = SideView::new(&board, color);
            let targets = view.targets(self.origin, info.members[0], info.set, true);
            if !targets.of(step.kind()).contains(step.to()) {
                return None;
            }
            act(&mut board, self.origin, group, step.to(), step.kind());
            // Rule 6.6 holds for the first step of the rewritten turn as well. A side that began the turn
            // without a commander, which only pseudo-legal play allows, has none to keep safe.
            let free = index > 0
                || self.original.has(Role::Commander)
                || self.start.commander(color).is_none();
            if !free && in_danger(&board, color) {
                return None;
            }
        }
        Some(board)
    }
}

/// Carries out a move of the whole stack on `from`; then promotes.
#[inline]
pub(crate) fn act_whole<R: StackRules>(
    board: &mut Board<R>,
    from: Square,
    color: Color,
    to: Square,
    kind: MoveKind,
) {
    match kind {
        MoveKind::Quiet => board.shift(from, to, color),
        MoveKind::Capture => {
            board.lift(to);
            board.shift(from, to, color);
        }
        MoveKind::StayCapture => board.lift(to),
        MoveKind::Kamikaze => {
            board.lift(from);
            board.lift(to);
        }
        MoveKind::Combine => {
            let both = board
                .stack(from)
                .and_then(|group| board.rules().combine(board.stack(to)?, group));
            board.lift(from);
            board.replace(to, both);
        }
        MoveKind::Commit => return,
    }
    promote(board, color);
}

/// Carries out a move of `group`, part of the stack on `from`; then promotes.
pub(crate) fn act<R: StackRules>(
    board: &mut Board<R>,
    from: Square,
    group: Stack,
    to: Square,
    kind: MoveKind,
) {
    let rest = board
        .stack(from)
        .and_then(|stack| board.rules().without(stack, group.roles()));
    if rest.is_none() || kind == MoveKind::StayCapture {
        return act_whole(board, from, group.color(), to, kind);
    }
    board.replace(from, rest);
    match kind {
        MoveKind::Quiet => board.place(to, group),
        MoveKind::Capture => board.replace(to, Some(group)),
        MoveKind::Kamikaze => board.lift(to),
        MoveKind::Combine => {
            let both = board
                .stack(to)
                .and_then(|other| board.rules().combine(other, group));
            board.replace(to, both);
        }
        MoveKind::StayCapture | MoveKind::Commit => {}
    }
    promote(board, group.color());
}
