//! What stands between the rules of movement and the rules of stacking.

use alloc::vec::Vec;
use core::fmt::Debug;

use convoy_stack::RoleSet;

use super::Stack;
use super::table::{self, Info};
use crate::notation::stack_text;
use crate::terrain::{LAND, NAVIGABLE};
use crate::{Color, Piece, PieceKind, Square};

/// Which sets of roles are stacks, and who carries them.
///
/// [`Standard`] is Rule 4 of Cờ Tư Lệnh, compiled in; a [`Variant`](crate::Variant) reads another
/// blueprint. A [`Position`](crate::Position) and a [`Game`](crate::Game) are played under either. No
/// other type can be one.
///
/// ```
/// use cotulenh::{Color, Role, StackRules, Standard};
/// let roles = Role::Navy.set() | Role::Engineer.set();
/// assert_eq!(Standard.stack(roles, roles, Color::Red), None);
/// ```
pub trait StackRules: Tables + Clone + Debug + PartialEq + Eq {
    /// The stack with these sets of roles, or `None` if the rules forbid it.
    #[inline]
    fn stack(&self, roles: RoleSet, heroic: RoleSet, color: Color) -> Option<Stack> {
        Stack::from_packed(self.packed(self.find(roles, heroic)), color)
    }

    /// The stack with these pieces, or `None` if there are none or the rules forbid it.
    fn stack_of(&self, pieces: impl IntoIterator<Item = Piece>) -> Option<Stack> {
        let (mut roles, mut heroic, mut color) = (RoleSet::EMPTY, RoleSet::EMPTY, None);
        for piece in pieces {
            let role = piece.role.set();
            if !roles.is_disjoint(role) || color.is_some_and(|color| color != piece.color) {
                return None;
            }
            color = Some(piece.color);
            roles |= role;
            if piece.heroic {
                heroic |= role;
            }
        }
        self.stack(roles, heroic, color?)
    }

    /// Both stacks as one, or `None` if the rules forbid it or the colours differ.
    #[inline]
    fn combine(&self, a: Stack, b: Stack) -> Option<Stack> {
        let ((roles, heroic), (more, promoted)) = (self.sets_of(a), self.sets_of(b));
        if a.color() != b.color() || !roles.is_disjoint(more) {
            return None;
        }
        self.stack(roles | more, heroic | promoted, a.color())
    }

    /// What is left once these roles have gone, or `None` if nothing is, or nothing lawful.
    #[inline]
    fn without(&self, stack: Stack, roles: RoleSet) -> Option<Stack> {
        let (all, heroic) = self.sets_of(stack);
        self.stack(all - roles, heroic - roles, stack.color())
    }

    /// The part of the stack with these roles, or `None` if none of them is present, or the part is no
    /// lawful stack.
    #[inline]
    fn only(&self, stack: Stack, roles: RoleSet) -> Option<Stack> {
        let (all, heroic) = self.sets_of(stack);
        self.stack(all & roles, heroic & roles, stack.color())
    }

    /// The part of the stack with these roles in its order, be it lawful or not; `None` if none of them is
    /// present.
    fn part(&self, stack: Stack, roles: RoleSet) -> Option<Stack> {
        if Self::CLOSED {
            return self.only(stack, roles);
        }
        self.only(stack, roles).or_else(|| stack.filtered(roles))
    }

    /// The same stack with these roles heroic (roles that are not present are ignored).
    #[inline]
    fn promoted(&self, stack: Stack, roles: RoleSet) -> Stack {
        let (all, heroic) = self.sets_of(stack);
        self.stack(all, heroic | roles & all, stack.color())
            .unwrap_or(stack)
    }

    /// Every way to split the stack into lawful stacks (Rule 4.3): the whole first, then by the part
    /// that holds the carrier, largest first.
    fn splits(&self, stack: Stack) -> Vec<Vec<Stack>> {
        let mut roles = stack.pieces().map(|piece| piece.role.set());
        let [a, b, c] = [(); 3].map(|()| roles.next().unwrap_or(RoleSet::EMPTY));
        let partitions: &[&[RoleSet]] = match stack.len() {
            1 => &[&[a]],
            2 => &[&[a | b], &[a, b]],
            _ => &[
                &[a | b | c],
                &[a | b, c],
                &[a | c, b],
                &[a, b | c],
                &[a, b, c],
            ],
        };
        partitions
            .iter()
            .filter_map(|parts| parts.iter().map(|roles| self.only(stack, *roles)).collect())
            .collect()
    }
}

/// The numbers of the stacks under some rules, and everything about them. It is public only because
/// [`StackRules`] builds on it; its module is not.
pub trait Tables {
    /// The number of a stack; the default is no stack.
    type Id: Copy + Debug + PartialEq + Eq + Default;

    /// Whether every part of a stack is a stack.
    const CLOSED: bool;

    /// Everything about the stack with a number but its colour.
    fn info(&self, id: Self::Id) -> &Info;

    /// The number of the stack with these roles, or that of no stack.
    fn find(&self, roles: RoleSet, heroic: RoleSet) -> Self::Id;

    /// The number of the stack of one piece.
    fn single(&self, kind: PieceKind) -> Self::Id;

    /// The number of a set of roles, or 0 if it is no stack.
    fn set_of(&self, roles: RoleSet) -> u8;

    /// The set of roles with a number.
    fn roles_of(&self, set: u8) -> RoleSet;

    /// For the numbers of two sets of roles, where they may stand as one stack.
    fn site(&self, a: u8, b: u8) -> Site;

    /// The value of the red [`Stack`] with a number, 0 for none.
    fn packed(&self, id: Self::Id) -> u32;

    /// The number of a stack that these rules made.
    fn id_of(&self, stack: Stack) -> Self::Id;

    /// The same stack as these rules number it, with its roles; `None` if they do not make it.
    #[inline]
    fn adopt(&self, stack: Stack) -> Option<(Stack, RoleSet)> {
        let id = self.find(stack.roles(), stack.heroic());
        let own = Stack::from_packed(self.packed(id), stack.color());
        own.filter(|own| *own == stack)
            .map(|own| (own, self.info(id).roles))
    }

    /// The stack with a number in FEN notation in upper case, padded to eight bytes, and its length.
    #[inline]
    fn text(&self, id: Self::Id) -> ([u8; 8], usize) {
        let stack = Stack::from_packed(self.packed(id), Color::Red);
        stack.map_or(([0; 8], 0), stack_text)
    }

    /// The roles of a stack, and those of them that are heroic.
    #[inline]
    fn sets_of(&self, stack: Stack) -> (RoleSet, RoleSet) {
        (stack.roles(), stack.heroic())
    }

    /// Whether two sets of roles may stand on a square as one stack (Rules 4.4 and 5).
    #[inline]
    fn may_join(&self, a: u8, b: u8, square: Square) -> bool {
        match self.site(a, b) {
            Site::Nowhere => false,
            Site::Land => LAND.contains(square),
            Site::Water => NAVIGABLE.contains(square),
        }
    }
}

/// Where a stack may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// It is no stack.
    Nowhere,
    /// On land: its carrier is no ship.
    Land,
    /// Where a ship may be.
    Water,
}

/// Rule 4 of Cờ Tư Lệnh: 34 sets of roles, compiled in.
///
/// ```
/// use cotulenh::{StackRules, Standard};
/// let stack = "(NFT)".parse()?;
/// assert_eq!(Standard.splits(stack).len(), 5);
/// # Ok::<_, cotulenh::ParseStackError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Standard;

impl StackRules for Standard {}

impl Tables for Standard {
    type Id = u8;

    const CLOSED: bool = true;

    #[inline]
    fn info(&self, id: u8) -> &Info {
        table::info(id)
    }

    #[inline]
    fn find(&self, roles: RoleSet, heroic: RoleSet) -> u8 {
        table::id_of(roles, heroic)
    }

    #[inline]
    fn single(&self, kind: PieceKind) -> u8 {
        table::single(kind)
    }

    #[inline]
    fn set_of(&self, roles: RoleSet) -> u8 {
        table::set_of(roles)
    }

    fn roles_of(&self, set: u8) -> RoleSet {
        table::info(table::base(set)).roles
    }

    #[inline]
    fn site(&self, a: u8, b: u8) -> Site {
        table::site(a, b)
    }

    #[inline]
    fn packed(&self, id: u8) -> u32 {
        table::packed(id)
    }

    #[inline]
    fn adopt(&self, stack: Stack) -> Option<(Stack, RoleSet)> {
        let id = match u8::try_from(stack.id()) {
            Ok(id) if usize::from(id) < Stack::INDEX_LEN => {
                return Some((stack, table::info(id).roles));
            }
            // A variant has numbered it.
            _ => table::id_of(stack.roles(), stack.heroic()),
        };
        let own = Stack::from_packed(table::packed(id), stack.color());
        own.filter(|own| *own == stack)
            .map(|own| (own, table::info(id).roles))
    }

    #[inline]
    fn text(&self, id: u8) -> ([u8; 8], usize) {
        let (text, len) = table::text(id);
        (*text, len)
    }

    /// A load is faster than taking the value apart; only a variant's stack has no index here.
    #[inline]
    fn sets_of(&self, stack: Stack) -> (RoleSet, RoleSet) {
        match u8::try_from(stack.index()) {
            Ok(id @ 1..) => (table::info(id).roles, table::info(id).heroic),
            _ => (stack.roles(), stack.heroic()),
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "at most 142")]
    fn id_of(&self, stack: Stack) -> u8 {
        stack.id() as u8
    }
}
