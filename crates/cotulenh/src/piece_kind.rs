//! Kinds of piece: a role, plain or heroic.

use convoy_stack::RoleSet;

use crate::{Piece, Role};

/// A piece without its colour: a role, plain or heroic. Tables of movement, of hash keys or of an
/// evaluation are indexed by it.
///
/// ```
/// use cotulenh::{PieceKind, Role};
/// let tank = PieceKind::new(Role::Tank, true);
/// assert_eq!((tank.role(), tank.is_heroic()), (Role::Tank, true));
/// assert_eq!(PieceKind::all().nth(tank.index()), Some(tank));
/// assert_eq!(PieceKind::all().count(), PieceKind::COUNT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceKind(u8);

impl PieceKind {
    /// How many there are.
    pub const COUNT: usize = 2 * Role::ALL.len();

    /// No piece, in a list of fixed length. It has no role.
    pub(crate) const NONE: Self = Self(u8::MAX);

    /// The kind of a role.
    #[inline]
    pub const fn new(role: Role, heroic: bool) -> Self {
        Self(2 * role as u8 + heroic as u8)
    }

    /// The kind of a piece.
    #[inline]
    pub const fn of(piece: Piece) -> Self {
        Self::new(piece.role, piece.heroic)
    }

    /// The kind with an index; the caller knows that there is one.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "22 kinds")]
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(index as u8)
    }

    /// Every kind, in the order of the indices.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::from_index)
    }

    /// Twice the index of the role, one more if heroic. Files of networks depend on it.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index in one byte.
    #[inline]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    /// What the piece is.
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[(self.0 >> 1) as usize]
    }

    /// Whether the piece is of a role; true of no role where there is no piece.
    #[inline]
    pub(crate) const fn is(self, role: Role) -> bool {
        self.0 >> 1 == role as u8
    }

    /// Whether its role is in a set.
    #[inline]
    pub(crate) const fn is_in(self, roles: RoleSet) -> bool {
        roles.bits() >> (self.0 >> 1) & 1 == 1
    }

    /// Rule 8: whether the piece is heroic.
    #[inline]
    pub const fn is_heroic(self) -> bool {
        self.0 & 1 == 1
    }

    /// Rule 7.3: a plain aircraft, which air defence stops.
    #[inline]
    pub(crate) const fn is_plain_aircraft(self) -> bool {
        self.0 == Self::new(Role::AirForce, false).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_tells_role_and_heroism() {
        for (index, kind) in PieceKind::all().enumerate() {
            assert_eq!(kind.index(), index);
            assert_eq!(PieceKind::new(kind.role(), kind.is_heroic()), kind);
            assert!(kind.is(kind.role()) && kind.is_in(kind.role().set()));
        }
    }

    #[test]
    fn no_piece_is_of_no_role() {
        assert!(Role::ALL.into_iter().all(|role| !PieceKind::NONE.is(role)));
        assert!(!PieceKind::NONE.is_plain_aircraft());
    }
}
