//! Who attacks what, who sees whom, and what that promotes.

use crate::air::{Flight, FlightState};
use crate::board::Board;
use crate::movement::{CAPTURE_REACH, Direction, SHIP_CAPTURE_REACH, line, star};
use crate::{Color, PieceKind, Role, RoleSet, Square, SquareSet, StackRules};

/// The target of an attack, perhaps after a move that has not been made: its square, the role on top of it and
/// what else is occupied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) square: Square,
    pub(crate) top: Option<Role>,
    pub(crate) occupied: SquareSet,
}

impl Target {
    /// What stands on a square now.
    #[inline]
    pub(crate) fn now<R: StackRules>(board: &Board<R>, square: Square) -> Self {
        let top = board.info(square).members[0];
        Self {
            square,
            top: (top != PieceKind::NONE).then(|| top.role()),
            occupied: board.occupied(),
        }
    }
}

/// The squares strictly between two squares of one line, `direction` leading from the first to
/// the second.
#[inline]
pub(crate) fn between(direction: Direction, from: Square, to: Square) -> SquareSet {
    (direction.ray(from) - direction.ray(to)).without(to)
}

/// Rule 9.1: the roles on `from` that attack the target on their own, as a mask. It must lie in
/// the star of `from`.
#[inline]
pub(crate) fn attacking_roles<R: StackRules>(
    board: &Board<R>,
    from: Square,
    target: Target,
) -> RoleSet {
    let (direction, distance) = line(from, target.square);
    let mut roles = RoleSet::EMPTY;
    for kind in board.info(from).members {
        if kind == PieceKind::NONE {
            break;
        }
        if reaches(kind, direction, distance, target.top)
            && attacks(board, from, kind, direction, target)
        {
            roles |= kind.role().set();
        }
    }
    roles
}

/// Whether a kind of piece captures that far, whatever stands in the way.
#[inline]
pub(crate) fn reaches(
    kind: PieceKind,
    direction: Direction,
    distance: u8,
    top: Option<Role>,
) -> bool {
    let ship = top == Some(Role::Navy);
    let table = if ship {
        &SHIP_CAPTURE_REACH
    } else {
        &CAPTURE_REACH
    };
    // A heroic commander does not take the other one diagonally.
    let barred =
        kind.is(Role::Commander) && direction.is_diagonal() && top == Some(Role::Commander);
    distance <= table[kind.index()].along(direction) && !barred
}

/// Whether a piece that reaches the target finds its way there.
#[inline]
fn attacks<R: StackRules>(
    board: &Board<R>,
    from: Square,
    kind: PieceKind,
    direction: Direction,
    target: Target,
) -> bool {
    if kind.is_plain_aircraft() {
        return arrives(board, from, direction, target.square);
    }
    kind.role().shoots_over() || !between(direction, from, target.square).meets(target.occupied)
}

/// Rule 7.3: whether a plain aircraft gets to the square, alive or not.
pub(crate) fn arrives<R: StackRules>(
    board: &Board<R>,
    from: Square,
    direction: Direction,
    target: Square,
) -> bool {
    let enemy = !board.color(from);
    let path = direction.ray(from) - direction.ray(target);
    if !path.meets(board.cover(enemy)) {
        return true;
    }
    let (dx, dy) = direction.delta();
    let (mut ray, mut at) = (Flight::START, from);
    while at != target {
        let Some(next) = at.offset(dx, dy) else {
            return false;
        };
        at = next;
        if ray.enter(board, at, enemy) == FlightState::Destroyed {
            return false;
        }
    }
    true
}

/// Every square from which `by` attacks `target`, with the mask of the attacking roles there.
pub(crate) fn attackers<R: StackRules>(
    board: &Board<R>,
    target: Square,
    by: Color,
) -> impl Iterator<Item = (Square, RoleSet)> {
    attackers_of(board, Target::now(board, target), by)
}

/// The same for a target that need not stand there.
pub(crate) fn attackers_of<R: StackRules>(
    board: &Board<R>,
    target: Target,
    by: Color,
) -> impl Iterator<Item = (Square, RoleSet)> {
    let near = star(target.square) & board.of(by);
    near.into_iter()
        .map(move |from| (from, attacking_roles(board, from, target)))
        .filter(|(_, roles)| !roles.is_empty())
}

/// Rule 9.2: the side has no commander, or it is attacked.
#[inline]
pub(crate) fn in_check<R: StackRules>(board: &Board<R>, color: Color) -> bool {
    match board.commander(color) {
        None => true,
        Some(square) => attackers(board, square, !color).next().is_some(),
    }
}

/// Rule 9.2: in check, or seen by the other commander.
#[inline]
pub(crate) fn in_danger<R: StackRules>(board: &Board<R>, color: Color) -> bool {
    in_check(board, color) || exposed(board, color)
}

/// Rule 3.8: whether the commander of `color` stands in the sight of the other.
#[inline]
pub(crate) fn exposed<R: StackRules>(board: &Board<R>, color: Color) -> bool {
    match (board.commander(color), board.commander(!color)) {
        (Some(own), Some(enemy)) if own.file() == enemy.file() || own.rank() == enemy.rank() => {
            sight(board, color).contains(own)
        }
        _ => false,
    }
}

/// Rule 3.8: the squares that the other commander sees when it looks for that of `color`.
pub(crate) fn sight<R: StackRules>(board: &Board<R>, color: Color) -> SquareSet {
    let (Some(own), Some(enemy)) = (board.commander(color), board.commander(!color)) else {
        return SquareSet::EMPTY;
    };
    let occupied = board.occupied().without(own);
    let look = |direction: Direction| {
        let ray = direction.ray(enemy);
        match direction.nearest(ray & occupied) {
            Some(first) => ray - direction.ray(first).with(first),
            None => ray,
        }
    };
    let vertical = if enemy.rank() < own.rank() {
        Direction::North
    } else {
        Direction::South
    };
    let seen = look(vertical);
    match own.file().cmp(&enemy.file()) {
        core::cmp::Ordering::Less => seen | look(Direction::West),
        core::cmp::Ordering::Equal => seen,
        core::cmp::Ordering::Greater => seen | look(Direction::East),
    }
}

/// Rule 8: promotes what `mover` has earned by its move, and the last guard of either side.
///
/// No promotion makes or unmakes another's attack, so each is done as it is found.
#[inline]
pub(crate) fn promote<R: StackRules>(board: &mut Board<R>, mover: Color) {
    if let Some(square) = board.commander(!mover) {
        let near = star(square) & board.of(mover);
        if !near.is_empty() {
            promote_attackers(board, near, square);
        }
    }
    for color in Color::ALL {
        if board.count(color) <= 2 {
            promote_last_guard(board, color);
        }
    }
}

fn promote_attackers<R: StackRules>(board: &mut Board<R>, near: SquareSet, square: Square) {
    let target = Target::now(board, square);
    for from in near {
        let earned = attacking_roles(board, from, target);
        if !earned.is_subset(board.info(from).heroic)
            && let Some(stack) = board.stack(from)
        {
            board.replace(from, Some(board.rules().promoted(stack, earned)));
        }
    }
}

#[cold]
fn promote_last_guard<R: StackRules>(board: &mut Board<R>, color: Color) {
    if !board.promotes_last_guard() {
        return;
    }
    let mut guards = board.of(color);
    if let Some(square) = board.commander(color)
        && board.info(square).len == 1
    {
        guards.remove(square);
    }
    if guards.len() == 1
        && let Some(square) = guards.first()
        && let Some(stack) = board.stack(square)
        && stack.len() == 1
        && stack.heroic().is_empty()
    {
        board.replace(square, Some(board.rules().promoted(stack, stack.roles())));
    }
}
