//! Baseline players to measure others by. They stay as they are.

use cotulenh::{Color, Move, MoveKind, Piece, Position, Role, SplitMix64, Stack};

use crate::turn::Turn;

/// Official points, the commander beyond all of them; heroic pieces count the same.
fn stack_points(stack: Stack) -> i32 {
    let points = |piece: Piece| match piece.role {
        Role::Commander => 1_000,
        Role::Infantry | Role::Militia | Role::Engineer | Role::AntiAir | Role::Headquarters => 10,
        Role::Tank | Role::Missile => 20,
        Role::Artillery => 30,
        Role::AirForce => 40,
        Role::Navy => 80,
    };
    stack.pieces().map(points).sum()
}

/// The official points of one side less those of the other.
///
/// ```
/// use cotulenh::{Color, Position};
/// assert_eq!(cotulenh_engine::points(&Position::start(), Color::Red), 0);
/// ```
pub fn points(position: &Position, color: Color) -> i32 {
    position.stacks().fold(0, |sum, (_, stack)| {
        if stack.color() == color {
            sum + stack_points(stack)
        } else {
            sum - stack_points(stack)
        }
    })
}

/// What a move wins in points.
///
/// ```
/// use cotulenh::Position;
/// let start = Position::start();
/// assert!(start.legal_moves().iter().all(|mv| cotulenh_engine::gain(&start, *mv) == 0));
/// ```
pub fn gain(position: &Position, mv: Move) -> i32 {
    let taken = position.captured(mv).map_or(0, stack_points);
    match mv.kind() {
        MoveKind::Kamikaze => taken - position.mover(mv).map_or(0, stack_points),
        _ => taken,
    }
}

/// Calls `found` for every finished turn of a position, in every order of its steps.
fn for_each_turn(
    position: &Position,
    path: &mut Vec<Move>,
    found: &mut impl FnMut(&[Move], &Position) -> bool,
) -> bool {
    let turn = position.turn();
    let mut moves = position.legal_moves().to_vec();
    // Captures of the most points first, which is all the move ordering there is.
    moves.sort_by_key(|mv| -gain(position, *mv));
    for mv in moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        path.push(mv);
        let go_on = if next.turn() == turn {
            for_each_turn(&next, path, found)
        } else {
            found(path, &next)
        };
        path.pop();
        if !go_on {
            return false;
        }
    }
    true
}

/// One-ply search by points; ties are broken at random.
///
/// ```
/// use cotulenh::Position;
/// let position: Position = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1".parse()?;
/// let turn = cotulenh_engine::one_ply(&position, 7).expect("the game is on");
/// assert!(turn[0].is_capture());
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
pub fn one_ply(position: &Position, seed: u64) -> Option<Turn> {
    let mut best: Option<((i32, u64), Turn)> = None;
    for_each_turn(position, &mut Vec::new(), &mut |path, next| {
        let rank = (
            points(next, position.turn()),
            SplitMix64::mix(seed ^ next.key()),
        );
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, Turn::new(path.to_vec())));
        }
        true
    });
    best.map(|(_, turn)| turn)
}

/// Plain alpha-beta search of `depth` turns by points; ties at the root are broken at random.
///
/// ```
/// use cotulenh::Position;
/// let turn = cotulenh_engine::alpha_beta(&Position::start(), 1, 7).expect("the game is on");
/// assert!(turn.play_from(&Position::start()).is_some());
/// ```
pub fn alpha_beta(position: &Position, depth: u32, seed: u64) -> Option<Turn> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut Vec::new(), &mut |path, next| {
        turns.push((path.to_vec(), next.clone()));
        true
    });
    turns.sort_by_key(|(path, next)| (!path[0].is_capture(), SplitMix64::mix(seed ^ next.key())));
    let mut best: Option<(i32, Vec<Move>)> = None;
    for (path, next) in turns {
        let alpha = best.as_ref().map_or(-BOUND, |(score, _)| *score);
        let score = -negamax(&next, depth.saturating_sub(1), -BOUND, -alpha);
        if score > alpha || best.is_none() {
            best = Some((score, path));
        }
    }
    best.map(|(_, path)| Turn::new(path))
}

const BOUND: i32 = 1_000_000;

fn negamax(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let turn = position.turn();
    if position.commander(turn).is_none() {
        return -100_000 - i32::try_from(depth).unwrap_or(0);
    }
    if depth == 0 {
        return points(position, turn);
    }
    if depth == 1 {
        return best_gain(position).map_or_else(
            || if position.in_check() { -100_001 } else { 0 },
            |gain| points(position, turn) + gain,
        );
    }
    let mut best = -BOUND;
    for_each_turn(position, &mut Vec::new(), &mut |_, next| {
        let score = -negamax(next, depth - 1, -beta, -alpha);
        best = best.max(score);
        alpha = alpha.max(score);
        alpha < beta
    });
    if best > -BOUND {
        best
    } else if position.in_check() {
        -100_000 - i32::try_from(depth).unwrap_or(0)
    } else {
        0
    }
}

/// The most points that one turn, or the rest of one, wins; `None` if there is no turn.
fn best_gain(position: &Position) -> Option<i32> {
    let mut best = None;
    for mv in &position.legal_moves() {
        let mut total = gain(position, *mv);
        if mv.is_step() && !mv.is_commit() {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            if next.turn() == position.turn() {
                // A step is only legal where the turn can be ended.
                total += best_gain(&next).unwrap_or(0);
            }
        }
        best = best.max(Some(total));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_add_up_to_points() {
        for fen in crate::BENCH_POSITIONS {
            let position: Position = fen.parse().expect("lawful");
            let turn = position.turn();
            let mut best = -BOUND;
            for_each_turn(&position, &mut Vec::new(), &mut |_, next| {
                best = best.max(points(next, turn));
                true
            });
            assert_eq!(best, negamax(&position, 1, -BOUND, BOUND), "{fen}");
        }
    }
}
