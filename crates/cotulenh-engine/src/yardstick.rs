//! Two simple players to measure others by. They stay as they are.

use cotulenh::{Color, Move, Position, Role};

use crate::level::mix;
use crate::turn::Turn;

/// Official points, a heroic piece half as much again.
fn points(position: &Position, color: Color) -> i32 {
    position.stacks().fold(0, |sum, (_, stack)| {
        let worth = |piece: cotulenh::Piece| {
            let points = match piece.role {
                Role::Commander => 1_000,
                Role::Infantry
                | Role::Militia
                | Role::Engineer
                | Role::AntiAir
                | Role::Headquarters => 10,
                Role::Tank | Role::Missile => 20,
                Role::Artillery => 30,
                Role::AirForce => 40,
                Role::Navy => 80,
            };
            if piece.heroic {
                points + points / 2
            } else {
                points
            }
        };
        let value: i32 = stack.pieces().map(worth).sum();
        if stack.color() == color {
            sum + value
        } else {
            sum - value
        }
    })
}

/// Every finished turn of a position, whatever the order of its steps.
fn for_each_turn(
    position: &Position,
    path: &mut Vec<Move>,
    found: &mut impl FnMut(&[Move], &Position) -> bool,
) -> bool {
    let turn = position.turn();
    let mut moves = position.legal_moves().to_vec();
    // Captures first, which is all the ordering there is.
    moves.sort_by_key(|mv| !mv.is_capture());
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

/// Looks one turn ahead and counts points; chance decides between equals.
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
        let rank = (points(next, position.turn()), mix(seed ^ next.key()));
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, Turn::new(path.to_vec())));
        }
        true
    });
    best.map(|(_, turn)| turn)
}

/// Plain alpha-beta that looks `depth` turns ahead and counts points; chance decides between
/// equals at the root.
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
    turns.sort_by_key(|(path, next)| (!path[0].is_capture(), mix(seed ^ next.key())));
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
