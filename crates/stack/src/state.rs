//! The packed form of a lawful stack.

use core::fmt;
use core::num::NonZeroU64;

use crate::{Role, RoleSet};

/// A lawful stack in 64 bits: who carries, and whom, in the order of the carrier's slots.
///
/// | bits  | meaning                                |
/// |-------|----------------------------------------|
/// | 0–15  | the carrier, as a mask of one role     |
/// | 16–31 | the first piece of cargo, 0 if none    |
/// | 32–47 | the second                             |
/// | 48–63 | the third                              |
///
/// Empty slots leave no gap (Rule 4.2). A state is only ever made by a [`StackTable`](crate::StackTable), so it
/// is lawful under the blueprint of that table. An `Option<State>` takes no more room than a state.
///
/// ```
/// use convoy_stack::{COTULENH, RoleSet};
///
/// let state = COTULENH.lookup(RoleSet::from_bits(512 | 128 | 64)).expect("a lawful stack");
/// assert_eq!(state.bits(), 0x0000_0040_0080_0200);
/// assert_eq!(state.carrier().index(), 9);
/// assert_eq!(state.cargo().map(|role| role.index()).collect::<Vec<_>>(), [7, 6]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(NonZeroU64);

const _: () = assert!(size_of::<Option<State>>() == 8);

impl State {
    /// The most pieces in a stack: a carrier and three of cargo.
    pub const MAX: usize = 4;

    /// A lone piece.
    pub(crate) const fn single(role: Role) -> Self {
        match NonZeroU64::new(role.set().bits() as u64) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The same stack with one more piece of cargo; there must be room for it.
    pub(crate) const fn load(self, role: Role) -> Self {
        let shift = 16 * self.len() as u32;
        match self.0.checked_add((role.set().bits() as u64) << shift) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The packed value.
    pub const fn bits(self) -> u64 {
        self.0.get()
    }

    /// How many pieces there are, carrier included: 1 to 4.
    #[allow(clippy::len_without_is_empty, reason = "a stack is never empty")]
    pub const fn len(self) -> usize {
        self.bits().count_ones() as usize
    }

    /// The role that carries the others, or stands alone.
    pub const fn carrier(self) -> Role {
        match RoleSet::from_bits(self.bits() as u16).first() {
            Some(role) => role,
            None => unreachable!(),
        }
    }

    /// The role in place `index`: 0 is the carrier, 1 to 3 are cargo.
    pub const fn role(self, index: usize) -> Option<Role> {
        if index < Self::MAX {
            RoleSet::from_bits((self.bits() >> (16 * index)) as u16).first()
        } else {
            None
        }
    }

    /// The place of `role`, 0 for the carrier, or `None` if it is not in the stack.
    #[inline]
    pub const fn place(self, role: Role) -> Option<usize> {
        field(self.bits(), role)
    }

    /// The roles present.
    #[inline]
    pub const fn set(self) -> RoleSet {
        let halves = self.bits() | self.bits() >> 32;
        RoleSet::from_bits((halves | halves >> 16) as u16)
    }

    /// The roles carried, in slot order.
    pub fn cargo(self) -> impl DoubleEndedIterator<Item = Role> + Clone {
        (1..self.len()).filter_map(move |index| self.role(index))
    }

    /// All roles, the carrier first and the cargo in slot order.
    pub fn roles(self) -> impl DoubleEndedIterator<Item = Role> + Clone {
        (0..self.len()).filter_map(move |index| self.role(index))
    }
}

/// Which of four 16-bit fields holds `role`, where at most one does.
#[inline]
pub(crate) const fn field(fields: u64, role: Role) -> Option<usize> {
    let everywhere = 0x0001_0001_0001_0001 << role.index();
    let found = fields & everywhere;
    if found == 0 {
        None
    } else {
        Some(found.trailing_zeros() as usize / 16)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({:#x})", self.bits())
    }
}

impl fmt::LowerHex for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.bits(), f)
    }
}
