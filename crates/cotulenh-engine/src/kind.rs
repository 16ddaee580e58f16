//! Piece kinds: a role, plain or heroic, of either colour.

use cotulenh::{Piece, Role};

/// A role, plain or heroic: what an evaluation or an attack table needs to know of a piece.
///
/// The index is `2 * role + heroic`; files of networks depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kind(u8);

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = 2 * Role::ALL.len();

    #[inline]
    pub(crate) const fn new(role: Role, heroic: bool) -> Self {
        Self(2 * role.index() as u8 + heroic as u8)
    }

    #[inline]
    pub(crate) const fn of(piece: Piece) -> Self {
        Self::new(piece.role, piece.heroic)
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every kind, in the order of the indices.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let both = |role: Role| [Self::new(role, false), Self::new(role, true)];
        Role::ALL.into_iter().flat_map(both)
    }

    pub(crate) const fn role(self) -> Role {
        Role::ALL[self.index() / 2]
    }

    pub(crate) const fn is_heroic(self) -> bool {
        !self.0.is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_tells_role_and_heroism() {
        assert_eq!(Kind::all().count(), Kind::COUNT);
        for (index, kind) in Kind::all().enumerate() {
            assert_eq!(kind.index(), index);
            assert_eq!(Kind::new(kind.role(), kind.is_heroic()), kind);
        }
    }
}
