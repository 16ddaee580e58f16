//! Roles and sets of them.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A kind of piece, as the number of its line in the blueprint: 0 to 15.
///
/// ```
/// use convoy_stack::Role;
///
/// let tank = Role::new(6).expect("below sixteen");
/// assert_eq!(tank.index(), 6);
/// assert_eq!(tank.set().bits(), 64);
/// assert_eq!(Role::new(16), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(u8);

impl Role {
    /// The most roles that a blueprint has room for.
    pub const MAX: usize = 16;

    /// The role with this number, or `None` from sixteen on.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < Self::MAX {
            Some(Self(index))
        } else {
            None
        }
    }

    /// Its number, which is also its bit in a [`RoleSet`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this role alone.
    pub const fn set(self) -> RoleSet {
        RoleSet(1 << self.0)
    }
}

/// A set of roles: bit *n* stands for role *n*.
///
/// ```
/// use convoy_stack::RoleSet;
///
/// let navy_and_tank = RoleSet::from_bits(512 | 64);
/// assert_eq!(navy_and_tank.len(), 2);
/// let indices: Vec<usize> = navy_and_tank.iter().map(|role| role.index()).collect();
/// assert_eq!(indices, [6, 9]);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleSet(u16);

impl RoleSet {
    /// No role at all.
    pub const EMPTY: Self = Self(0);

    /// The set whose mask is `bits`.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The mask.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// How many roles there are in it.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `role` is one of them.
    pub const fn contains(self, role: Role) -> bool {
        self.0 & role.set().0 != 0
    }

    /// Whether the two have no role in common.
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether all of these are in `other` too.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The roles of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These roles less those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The role with the lowest number, or `None` if there is none.
    pub const fn first(self) -> Option<Role> {
        if self.0 == 0 {
            None
        } else {
            Some(Role(self.0.trailing_zeros() as u8))
        }
    }

    /// The roles, lowest number first.
    pub const fn iter(self) -> Roles {
        Roles(self)
    }

    /// All parts of this set, the empty one and the whole included, in rising order of mask.
    ///
    /// ```
    /// # use convoy_stack::RoleSet;
    /// let parts: Vec<u16> = RoleSet::from_bits(0b101).parts().map(RoleSet::bits).collect();
    /// assert_eq!(parts, [0b000, 0b001, 0b100, 0b101]);
    /// ```
    pub const fn parts(self) -> Parts {
        Parts {
            whole: self.0,
            next: Some(0),
        }
    }
}

impl fmt::Binary for RoleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Binary::fmt(&self.0, f)
    }
}

impl BitOr for RoleSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for RoleSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl BitAnd for RoleSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for RoleSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.without(other)
    }
}

impl From<Role> for RoleSet {
    fn from(role: Role) -> Self {
        role.set()
    }
}

impl FromIterator<Role> for RoleSet {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        roles
            .into_iter()
            .fold(Self::EMPTY, |all, role| all | role.set())
    }
}

impl IntoIterator for RoleSet {
    type Item = Role;
    type IntoIter = Roles;

    fn into_iter(self) -> Roles {
        self.iter()
    }
}

/// The roles of a set, lowest number first. Made by [`RoleSet::iter`].
#[derive(Debug, Clone)]
pub struct Roles(RoleSet);

impl Iterator for Roles {
    type Item = Role;

    fn next(&mut self) -> Option<Role> {
        let first = self.0.first()?;
        self.0 = self.0.without(first.set());
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Roles {}

impl DoubleEndedIterator for Roles {
    fn next_back(&mut self) -> Option<Role> {
        let last = Role(self.0.0.checked_ilog2()? as u8);
        self.0 = self.0.without(last.set());
        Some(last)
    }
}

/// The parts of a set. Made by [`RoleSet::parts`].
#[derive(Debug, Clone)]
pub struct Parts {
    whole: u16,
    next: Option<u16>,
}

impl Iterator for Parts {
    type Item = RoleSet;

    fn next(&mut self) -> Option<RoleSet> {
        let part = self.next?;
        // Counting in the bits of `whole` alone: those outside carry the one along.
        self.next = (part != self.whole).then(|| (part | !self.whole).wrapping_add(1) & self.whole);
        Some(RoleSet(part))
    }
}
