//! What the side to move sees, as planes of bytes.

use std::sync::LazyLock;

use cotulenh::{Color, Position, Role, Square, SquareSet, Stack, Terrain};

use super::seen_from;
use crate::bits::SPREAD;

const SQUARES: usize = Square::COUNT;
const FILES: usize = 11;

/// What a plane shows: its number is the value. Planes of pieces have one number a role, in the order of [`Role::ALL`].
///
/// ```
/// use convoy_encode::cotulenh::{PLANES, Plane};
/// use cotulenh::Role;
/// assert_eq!(Plane::Enemy as usize + Role::Navy.index(), 20);
/// assert_eq!(Plane::RedToMove as usize + 1, PLANES);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plane {
    /// 1 where an own piece of the role stands, alone or in a stack, 2 where it is heroic; eleven planes.
    Own = 0,
    /// The same of the enemy; eleven planes.
    Enemy = 11,
    /// 1 on squares that the own air defence covers.
    OwnAirCover = 22,
    /// 1 on squares that the enemy's air defence covers.
    EnemyAirCover = 23,
    /// 1 on sea squares; the same in every position.
    Sea = 24,
    /// 1 on mixed squares; the same in every position.
    Mixed = 25,
    /// While a deploy is open: 1 on its origin if the piece of this slot has not stepped yet; three planes, carrier first.
    Remaining = 26,
    /// While a deploy is open: 1 where pieces of this turn have arrived.
    Arrived = 29,
    /// Everywhere the half-move clock, 0 to 100.
    HalfmoveClock = 30,
    /// Everywhere how often the position at the start of the turn has occurred before, at most 2.
    Repetitions = 31,
    /// Everywhere 1 if Red is to move.
    RedToMove = 32,
}

/// How many planes there are.
pub const PLANES: usize = 33;

/// Planes, ranks from the far side, files from `a`.
pub const SHAPE: [usize; 3] = [PLANES, 12, 11];

/// The bytes of an observation.
pub const OBSERVATION_LEN: usize = PLANES * SQUARES;

/// The planes of the terrain, sea and mixed, which are the same in every position.
static TERRAIN: [u8; 2 * SQUARES] = terrain();

const fn terrain() -> [u8; 2 * SQUARES] {
    let mut bytes = [0; 2 * SQUARES];
    let mut index = 0;
    while index < Square::INDEX_LEN {
        if let Some(square) = Square::from_index(index) {
            match Terrain::of(square) {
                Terrain::Sea => bytes[square.dense()] = 1,
                Terrain::Mixed => bytes[SQUARES + square.dense()] = 1,
                Terrain::Land => {}
            }
        }
        index += 1;
    }
    bytes
}

/// For each [`Stack::index`], where the planes of its pieces begin among those of a side, and what they show; nothing where there is no
/// further piece.
static PIECES: LazyLock<[[(u16, u8); 3]; Stack::INDEX_LEN]> = LazyLock::new(|| {
    let mut table = [[(0, 0); 3]; Stack::INDEX_LEN];
    for stack in Stack::all(Color::Red) {
        let entries = &mut table[stack.index()];
        for (entry, piece) in entries.iter_mut().zip(stack.pieces()) {
            let plane = u16::try_from(piece.role.index() * SQUARES).unwrap_or(0);
            *entry = (plane, 1 + u8::from(piece.heroic));
        }
    }
    table
});

/// Writes what the side to move sees. `repetitions` is how often the position at the start of the turn has occurred before.
///
/// ```
/// use convoy_encode::cotulenh::{OBSERVATION_LEN, Plane, observe};
/// use cotulenh::{Position, Role};
/// let mut bytes = [0; OBSERVATION_LEN];
/// observe(&Position::start(), 0, &mut bytes);
/// let plane = Plane::Own as usize + Role::Commander.index();
/// let g1 = 11 * 11 + 6; // the last row, the seventh file
/// assert_eq!(bytes[plane * 132 + g1], 1);
/// ```
///
/// # Panics
///
/// If `out` does not hold [`OBSERVATION_LEN`] bytes.
pub fn observe(position: &Position, repetitions: usize, out: &mut [u8]) {
    assert_eq!(out.len(), OBSERVATION_LEN, "the bytes of an observation");
    out[Plane::Sea as usize * SQUARES..][..2 * SQUARES].copy_from_slice(&TERRAIN);
    out[Plane::Remaining as usize * SQUARES..Plane::HalfmoveClock as usize * SQUARES].fill(0);
    let turn = position.turn();
    let (pieces, stacks) = (&*PIECES, position.stack_indices());
    for (color, first) in [(turn, Plane::Own), (!turn, Plane::Enemy)] {
        out[first as usize * SQUARES..][..Role::ALL.len() * SQUARES].fill(0);
        for square in position.occupied_by(color) {
            let place = first as usize * SQUARES + seen_from(square, turn);
            for (plane, value) in pieces[usize::from(stacks[square.index()])] {
                if value == 0 {
                    break;
                }
                out[place + usize::from(plane)] = value;
            }
        }
    }
    mark(position.air_cover(turn), Plane::OwnAirCover, turn, out);
    mark(position.air_cover(!turn), Plane::EnemyAirCover, turn, out);
    show_deploy(position, out);
    let clock = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
    let repetitions = u8::try_from(repetitions.min(2)).unwrap_or(2);
    let red = u8::from(turn == Color::Red);
    for (plane, value) in [
        (Plane::HalfmoveClock, clock.min(100)),
        (Plane::Repetitions, repetitions),
        (Plane::RedToMove, red),
    ] {
        out[plane as usize * SQUARES..][..SQUARES].fill(value);
    }
}

/// Writes 1 on all squares of a set and 0 on the others.
fn mark(squares: SquareSet, plane: Plane, turn: Color, out: &mut [u8]) {
    let mut rows = squares.rows();
    if turn == Color::Blue {
        rows.reverse();
    }
    let out = &mut out[plane as usize * SQUARES..][..SQUARES];
    for (row, bytes) in rows.into_iter().zip(out.chunks_exact_mut(FILES)) {
        let [low, high] = row.to_le_bytes().map(|byte| &SPREAD[usize::from(byte)]);
        bytes[..8].copy_from_slice(low);
        bytes[8..].copy_from_slice(&high[..FILES - 8]);
    }
}

/// Writes into planes that are empty before.
fn show_deploy(position: &Position, out: &mut [u8]) {
    let Some(deploy) = position.deploy() else {
        return;
    };
    let turn = position.turn();
    let origin = seen_from(deploy.origin(), turn);
    let remaining = deploy.remaining_roles();
    for (slot, piece) in deploy.original().pieces().enumerate() {
        if !remaining.is_disjoint(Role::set(piece.role)) {
            out[(Plane::Remaining as usize + slot) * SQUARES + origin] = 1;
        }
    }
    for step in deploy.steps() {
        if deploy.deployed_to(step.to()) {
            out[Plane::Arrived as usize * SQUARES + seen_from(step.to(), turn)] = 1;
        }
    }
}
