//! Pieces that share a square.

pub(crate) mod table;

use std::fmt;
use std::num::NonZeroU16;

use crate::{Color, Piece, Role};

/// The pieces of one colour on one square, always a lawful stack (Rule 4.2): a single piece, or a
/// carrier with one or two others aboard.
///
/// | bits | meaning                                                           |
/// |------|-------------------------------------------------------------------|
/// | 0–7  | which of the 142 stacks (34 sets of roles with their heroic flags) |
/// | 8    | colour, set for blue                                              |
///
/// ```
/// use cotulenh::{Color, Piece, Role, Stack};
/// let navy: Stack = "N".parse()?;
/// let tank: Stack = "+T".parse()?;
/// let both = navy.combine(tank).expect("a ship carries a tank");
/// assert_eq!(both.to_string(), "(N+T)");
/// assert_eq!(both.carrier().role, Role::Navy);
/// assert_eq!(both.without(Role::Navy.mask()), Some(tank));
/// assert_eq!(both.combine(navy), None);
/// # Ok::<_, cotulenh::ParseStackError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack(NonZeroU16);

const _: () = assert!(size_of::<Option<Stack>>() == 2);

/// The text is no lawful stack in FEN notation.
///
/// ```
/// use cotulenh::{ParseStackError, Stack};
/// assert_eq!("(NTI)".parse::<Stack>(), Err(ParseStackError::Unlawful));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseStackError {
    /// The text is not a piece, nor pieces in parentheses.
    Malformed,
    /// A letter that names no role.
    Letter(char),
    /// Red and blue pieces in one stack.
    Colors,
    /// Rule 4.2: these pieces do not stack.
    Unlawful,
}

impl Stack {
    const BLUE: u16 = 1 << 8;

    /// The stack with these pieces, or `None` if there are none or Rule 4.2 forbids it.
    pub fn new(pieces: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let mut all: Option<Self> = None;
        let (mut roles, mut heroic, mut color) = (0, 0, None);
        for piece in pieces {
            if roles & piece.role.mask() != 0 || color.is_some_and(|color| color != piece.color) {
                return None;
            }
            color = Some(piece.color);
            roles |= piece.role.mask();
            if piece.heroic {
                heroic |= piece.role.mask();
            }
        }
        if let Some(color) = color {
            all = Self::of(roles, heroic, color);
        }
        all
    }

    /// A piece that is alone.
    #[inline]
    #[allow(clippy::missing_panics_doc, reason = "every single role is lawful")]
    pub fn single(piece: Piece) -> Self {
        let heroic = if piece.heroic { piece.role.mask() } else { 0 };
        Self::of(piece.role.mask(), heroic, piece.color).expect("every role may be alone")
    }

    /// The stack with these sets of roles, or `None` if Rule 4.2 forbids it.
    #[inline]
    pub fn of(roles: u16, heroic: u16, color: Color) -> Option<Self> {
        Self::from_id(table::id_of(roles, heroic), color)
    }

    /// The stack with an id, or `None` for 0.
    #[inline]
    pub(crate) fn from_id(id: u8, color: Color) -> Option<Self> {
        let side = match color {
            Color::Red => 0,
            Color::Blue => Self::BLUE,
        };
        if id == 0 {
            None
        } else {
            NonZeroU16::new(u16::from(id) | side).map(Self)
        }
    }

    /// One more than the greatest index: the length of a table with an entry a stack.
    pub const INDEX_LEN: usize = 143;

    /// Which of the 142 stacks, whatever the colour: 1 to 142.
    #[inline]
    pub const fn index(self) -> usize {
        self.id() as usize
    }

    /// Which of the 142 stacks.
    #[inline]
    pub(crate) const fn id(self) -> u8 {
        self.0.get().to_le_bytes()[0]
    }

    #[inline]
    pub(crate) fn info(self) -> &'static table::Info {
        table::info(self.id())
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

    /// The mask of the roles present (see [`Role::mask`]).
    #[inline]
    pub fn roles(self) -> u16 {
        self.info().roles
    }

    /// The mask of the roles whose piece is heroic.
    #[inline]
    pub fn heroic(self) -> u16 {
        self.info().heroic
    }

    /// How many pieces: one, two or three.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a stack is never empty")]
    pub fn len(self) -> usize {
        self.info().len as usize
    }

    /// Whether the role is present.
    #[inline]
    pub fn has(self, role: Role) -> bool {
        self.roles() & role.mask() != 0
    }

    /// The piece of that role, if present.
    pub fn piece(self, role: Role) -> Option<Piece> {
        self.has(role).then(|| self.member(role))
    }

    fn member(self, role: Role) -> Piece {
        let heroic = self.heroic() & role.mask() != 0;
        Piece {
            role,
            color: self.color(),
            heroic,
        }
    }

    /// The piece that carries the others, or the only one. It decides how the stack moves.
    #[inline]
    pub fn carrier(self) -> Piece {
        self.member(Role::ALL[(self.info().members[0] >> 1) as usize])
    }

    /// The pieces in canonical order: carrier, then cargo in slot order.
    pub fn pieces(self) -> impl Iterator<Item = Piece> + Clone {
        let members = self.info().members.into_iter().take(self.len());
        members.map(move |kind| self.member(Role::ALL[(kind >> 1) as usize]))
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
        let roles = self.pieces().map(|piece| u64::from(piece.role.mask()));
        (0..)
            .zip(roles)
            .fold(0, |state, (place, role)| state | role << (16 * place))
    }

    /// Both stacks as one, or `None` if Rule 4.2 forbids it or the colours differ.
    #[inline]
    #[must_use]
    pub fn combine(self, other: Self) -> Option<Self> {
        let (a, b) = (self.info(), other.info());
        if self.color() != other.color() || a.roles & b.roles != 0 {
            return None;
        }
        Self::of(a.roles | b.roles, a.heroic | b.heroic, self.color())
    }

    /// What is left once these roles have gone, or `None` if nothing is.
    #[inline]
    #[must_use]
    pub fn without(self, roles: u16) -> Option<Self> {
        let info = self.info();
        Self::of(info.roles & !roles, info.heroic & !roles, self.color())
    }

    /// The part of the stack with these roles, or `None` if none of them is present.
    #[inline]
    #[must_use]
    pub fn only(self, roles: u16) -> Option<Self> {
        self.without(!roles)
    }

    /// The same stack with these roles heroic (roles that are not present are ignored).
    #[inline]
    #[must_use]
    pub fn promoted(self, roles: u16) -> Self {
        let info = self.info();
        Self::of(info.roles, info.heroic | roles & info.roles, self.color()).unwrap_or(self)
    }

    /// The same pieces of the other colour.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self(NonZeroU16::new(self.0.get() ^ Self::BLUE).unwrap_or(self.0))
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
        let mut roles = self.pieces().map(|piece| piece.role.mask());
        let [a, b, c] = [(); 3].map(|()| roles.next().unwrap_or(0));
        let partitions: &[&[u16]] = match (b, c) {
            (0, _) => &[&[a]],
            (_, 0) => &[&[a | b], &[a, b]],
            _ => &[
                &[a | b | c],
                &[a | b, c],
                &[a | c, b],
                &[a, b | c],
                &[a, b, c],
            ],
        };
        let splits: Vec<Vec<Self>> = partitions
            .iter()
            .filter_map(|parts| parts.iter().map(|roles| self.only(*roles)).collect())
            .collect();
        splits.into_iter()
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len() == 1 {
            return self.carrier().fmt(f);
        }
        f.write_str("(")?;
        for piece in self.pieces() {
            piece.fmt(f)?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stack({self})")
    }
}

impl std::str::FromStr for Stack {
    type Err = ParseStackError;

    /// Reads `T`, `+t`, `(N+FT)` or `NFT`, in any order of the pieces.
    fn from_str(s: &str) -> Result<Self, ParseStackError> {
        let inner = match s.strip_prefix('(') {
            Some(rest) => rest.strip_suffix(')').ok_or(ParseStackError::Malformed)?,
            None => s,
        };
        let (mut pieces, mut heroic) = (Vec::new(), false);
        for letter in inner.chars() {
            if letter == '+' {
                if heroic {
                    return Err(ParseStackError::Malformed);
                }
                heroic = true;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(ParseStackError::Letter(letter))?;
            pieces.push(Piece { heroic, ..piece });
            heroic = false;
        }
        match pieces.first() {
            Some(first) if !heroic => {
                if pieces.iter().any(|piece| piece.color != first.color) {
                    return Err(ParseStackError::Colors);
                }
            }
            _ => return Err(ParseStackError::Malformed),
        }
        Self::new(pieces).ok_or(ParseStackError::Unlawful)
    }
}

impl fmt::Display for ParseStackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("not a piece, nor pieces in parentheses"),
            Self::Letter(letter) => write!(f, "{letter:?} names no piece"),
            Self::Colors => f.write_str("red and blue pieces cannot share a square"),
            Self::Unlawful => f.write_str("these pieces do not stack"),
        }
    }
}

impl std::error::Error for ParseStackError {}
