//! Pieces that share a square.

mod parse;
pub(crate) mod rules;
pub(crate) mod table;
mod variant;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::num::NonZeroU32;

use alloc::vec::Vec;
use convoy_stack::RoleSet;

pub use parse::ParseStackError;
pub use rules::{StackRules, Standard};
pub use variant::{Variant, VariantError};

use crate::notation::stack_text;
use crate::{Color, Piece, PieceKind, Role};

/// The pieces of one colour on one square: a single piece, or a carrier with one or two others aboard.
///
/// Its constructors obey Rule 4.2; for another blueprint ask a [`Variant`]. Two stacks are equal if they
/// hold the same pieces in the same order, whichever rules made them.
///
/// | bits  | meaning                                                                     |
/// |-------|-----------------------------------------------------------------------------|
/// | 0–15  | number of the stack under its rules; no part of its value                   |
/// | 16–30 | the pieces, carrier first, five bits each: `2 * role + heroic + 2`, 0 for none |
/// | 31    | colour, set for blue                                                        |
///
/// ```
/// use cotulenh::{Color, Piece, Role, Stack};
/// let navy: Stack = "N".parse()?;
/// let tank: Stack = "+T".parse()?;
/// let both = navy.combine(tank).expect("a ship carries a tank");
/// assert_eq!(both.to_string(), "(N+T)");
/// assert_eq!(both.carrier().role, Role::Navy);
/// assert_eq!(both.without(Role::Navy), Some(tank));
/// assert_eq!(both.combine(navy), None);
/// # Ok::<_, cotulenh::ParseStackError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Stack(NonZeroU32);

const _: () = assert!(size_of::<Option<Stack>>() == 4);

impl Stack {
    const BLUE: u32 = 1 << 31;

    /// The most pieces of a stack.
    pub const MAX_PIECES: usize = 3;

    /// The stack with these pieces, or `None` if there are none or Rule 4.2 forbids it.
    pub fn new(pieces: impl IntoIterator<Item = Piece>) -> Option<Self> {
        Standard.stack_of(pieces)
    }

    /// A piece that is alone.
    #[inline]
    #[allow(clippy::missing_panics_doc, reason = "every single role is lawful")]
    pub fn single(piece: Piece) -> Self {
        let packed = table::packed(table::single(PieceKind::of(piece)));
        Self::from_packed(packed, piece.color).expect("every role may be alone")
    }

    /// The stack with these sets of roles, or `None` if Rule 4.2 forbids it.
    ///
    /// ```
    /// use cotulenh::{Color, Role, RoleSet, Stack};
    /// let roles = Role::Tank.set() | Role::Infantry.set();
    /// let stack = Stack::of(roles, Role::Tank, Color::Red).expect("a tank carries infantry");
    /// assert_eq!(stack.to_string(), "(+TI)");
    /// assert_eq!(Stack::of(RoleSet::EMPTY, RoleSet::EMPTY, Color::Red), None);
    /// ```
    #[inline]
    pub fn of(roles: impl Into<RoleSet>, heroic: impl Into<RoleSet>, color: Color) -> Option<Self> {
        Standard.stack(roles.into(), heroic.into(), color)
    }

    /// The value for a number and its pieces; the number 0 is for pieces that are no lawful stack.
    pub(crate) const fn pack(id: u16, members: [PieceKind; 3]) -> u32 {
        let (mut bits, mut place) = (id as u32, 0);
        while place < members.len() {
            if members[place].byte() != PieceKind::NONE.byte() {
                bits |= (members[place].byte() as u32 + 2) << (16 + 5 * place);
            }
            place += 1;
        }
        bits
    }

    /// The stack of a colour with a packed value, or `None` for 0.
    #[inline]
    pub(crate) const fn from_packed(packed: u32, color: Color) -> Option<Self> {
        let side = match color {
            Color::Red => 0,
            Color::Blue => Self::BLUE,
        };
        if packed == 0 {
            return None;
        }
        match NonZeroU32::new(packed | side) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The number under the rules that made it.
    #[inline]
    pub(crate) const fn id(self) -> u16 {
        (self.0.get() & 0xffff) as u16
    }

    /// Everything but the number.
    #[inline]
    const fn value(self) -> u32 {
        self.0.get() >> 16
    }

    /// The bits of the piece in a place: `2 * role + heroic + 2`, or 0.
    #[inline]
    const fn field(self, place: usize) -> u32 {
        self.0.get() >> (16 + 5 * place) & 31
    }

    /// Whose pieces they are.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & Self::BLUE == 0 {
            Color::Red
        } else {
            Color::Blue
        }
    }

    /// The roles present.
    #[inline]
    pub const fn roles(self) -> RoleSet {
        let (a, b, c) = (self.field(0) >> 1, self.field(1) >> 1, self.field(2) >> 1);
        // A missing piece sets bit 0, which is shifted out.
        let bits = (1 << a | 1 << b | 1 << c) >> 1;
        RoleSet::from_bits(bits)
    }

    /// The roles whose piece is heroic.
    #[inline]
    pub const fn heroic(self) -> RoleSet {
        let (a, b, c) = (self.field(0), self.field(1), self.field(2));
        let bits = ((a & 1) << (a >> 1) | (b & 1) << (b >> 1) | (c & 1) << (c >> 1)) >> 1;
        RoleSet::from_bits((bits & 0xffff) as u16)
    }

    /// How many pieces: one, two or three.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a stack is never empty")]
    pub const fn len(self) -> usize {
        1 + (self.field(1) != 0) as usize + (self.field(2) != 0) as usize
    }

    /// Whether the role is present.
    #[inline]
    pub const fn has(self, role: Role) -> bool {
        !self.roles().is_disjoint(role.set())
    }

    /// The piece of that role, if present.
    pub fn piece(self, role: Role) -> Option<Piece> {
        self.pieces().find(|piece| piece.role == role)
    }

    /// The piece that carries the others, or the only one. It decides how the stack moves.
    #[inline]
    pub fn carrier(self) -> Piece {
        self.piece_of(self.field(0))
    }

    #[inline]
    fn piece_of(self, field: u32) -> Piece {
        Piece {
            role: Role::ALL[(field >> 1) as usize - 1],
            color: self.color(),
            heroic: field & 1 == 1,
        }
    }

    /// The pieces in canonical order: carrier, then cargo in slot order.
    pub fn pieces(self) -> impl Iterator<Item = Piece> + Clone {
        (0..self.len()).map(move |place| self.piece_of(self.field(place)))
    }

    /// The pieces as kinds, in canonical order.
    #[inline]
    pub(crate) fn kinds(self) -> impl Iterator<Item = PieceKind> {
        let fields = [0, 1, 2].map(|place| self.field(place));
        let kinds = fields.into_iter().take_while(|field| *field != 0);
        kinds.map(|field| PieceKind::from_index(field as usize - 2))
    }

    /// The set of roles packed into 64 bits (Rule 4.2): the carrier's bit in the lowest sixteen,
    /// then the cargo, sixteen bits each.
    ///
    /// ```
    /// use cotulenh::Stack;
    /// let stack: Stack = "(NFT)".parse()?;
    /// assert_eq!(stack.state(), 0x40_0080_0200);
    /// # Ok::<_, cotulenh::ParseStackError>(())
    /// ```
    pub fn state(self) -> u64 {
        let roles = self
            .pieces()
            .map(|piece| u64::from(piece.role.set().bits()));
        (0..)
            .zip(roles)
            .fold(0, |state, (place, role)| state | role << (16 * place))
    }

    /// Both stacks as one, or `None` if Rule 4.2 forbids it or the colours differ.
    #[inline]
    #[must_use]
    pub fn combine(self, other: Self) -> Option<Self> {
        Standard.combine(self, other)
    }

    /// What is left once these roles have gone, or `None` if nothing is.
    #[inline]
    #[must_use]
    pub fn without(self, roles: impl Into<RoleSet>) -> Option<Self> {
        Standard.without(self, roles.into())
    }

    /// The part of the stack with these roles, or `None` if none of them is present.
    #[inline]
    #[must_use]
    pub fn only(self, roles: impl Into<RoleSet>) -> Option<Self> {
        Standard.only(self, roles.into())
    }

    /// The same stack with these roles heroic (roles that are not present are ignored).
    #[inline]
    #[must_use]
    pub fn promoted(self, roles: impl Into<RoleSet>) -> Self {
        Standard.promoted(self, roles.into())
    }

    /// The pieces of these roles in their order, which need be no lawful stack; `None` if there is none.
    pub(crate) fn filtered(self, roles: RoleSet) -> Option<Self> {
        let mut members = [PieceKind::NONE; 3];
        let kept = self
            .pieces()
            .filter(|piece| !roles.is_disjoint(piece.role.set()));
        for (place, piece) in members.iter_mut().zip(kept) {
            *place = PieceKind::of(piece);
        }
        Self::from_packed(Self::pack(0, members), self.color())
    }

    /// The same pieces of the other colour.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self(NonZeroU32::new(self.0.get() ^ Self::BLUE).unwrap_or(self.0))
    }

    /// Every way to split the stack into lawful stacks (Rule 4.3): the whole first, then by the
    /// part that holds the carrier, largest first.
    ///
    /// ```
    /// use cotulenh::Stack;
    /// let stack: Stack = "(NFT)".parse()?;
    /// let splits: Vec<String> = stack
    ///     .splits()
    ///     .map(|parts| parts.iter().map(Stack::to_string).collect::<Vec<_>>().join(" "))
    ///     .collect();
    /// assert_eq!(splits, ["(NFT)", "(NF) T", "(NT) F", "N (FT)", "N F T"]);
    /// # Ok::<_, cotulenh::ParseStackError>(())
    /// ```
    pub fn splits(self) -> impl Iterator<Item = Vec<Self>> {
        Standard.splits(self).into_iter()
    }
}

/// What belongs to the 142 stacks of Rule 4.2, for tables of other crates.
impl Stack {
    /// One more than the greatest index: the length of a table with an entry a stack.
    pub const INDEX_LEN: usize = table::STACKS;

    /// Every stack of Rule 4.2 in a colour, by index.
    ///
    /// ```
    /// use cotulenh::{Color, Stack};
    /// assert_eq!(Stack::all(Color::Red).count(), 142);
    /// ```
    pub fn all(color: Color) -> impl Iterator<Item = Self> {
        (1..=142).filter_map(move |id| Self::from_packed(table::packed(id), color))
    }

    /// Which of the 142 stacks of Rule 4.2, whatever the colour: 1 to 142. A stack that only a
    /// variant knows has the index 0.
    #[inline]
    pub const fn index(self) -> usize {
        let id = self.id() as usize;
        if id < Self::INDEX_LEN { id } else { 0 }
    }
}

impl PartialEq for Stack {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Eq for Stack {}

impl Hash for Stack {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value().hash(state);
    }
}

impl PartialOrd for Stack {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stack {
    /// Red before blue, then by the pieces from the last to the carrier.
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value())
    }
}

impl From<Piece> for Stack {
    fn from(piece: Piece) -> Self {
        Self::single(piece)
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut text, len) = stack_text(*self);
        if self.color() == Color::Blue {
            // The bit that tells cases apart; `(`, `)` and `+` have it anyway.
            text = text.map(|byte| byte | 0x20);
        }
        f.write_str(core::str::from_utf8(&text[..len]).unwrap_or_default())
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stack({self})")
    }
}
