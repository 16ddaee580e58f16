//! Moves, and lists of them.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::{Role, Square};

/// What a move does to its target.
///
/// ```
/// use cotulenh::MoveKind;
/// assert!(MoveKind::Kamikaze.is_capture() && !MoveKind::Combine.is_capture());
/// assert_eq!(MoveKind::StayCapture.separator(), "_");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// Goes to an empty square.
    Quiet,
    /// Takes the stack on the target and stands in its place (`x`).
    Capture,
    /// Takes the stack on the target without moving (`_`).
    StayCapture,
    /// Takes the stack on the target and is lost with it (`@`).
    Kamikaze,
    /// Joins a friend (`&`).
    Combine,
    /// Ends an open deploy (`.`).
    Commit,
}

impl MoveKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Quiet,
        Self::Capture,
        Self::StayCapture,
        Self::Kamikaze,
        Self::Combine,
        Self::Commit,
    ];

    /// Whether it takes something.
    #[inline]
    pub const fn is_capture(self) -> bool {
        matches!(self, Self::Capture | Self::StayCapture | Self::Kamikaze)
    }

    /// The letter before the target square in SAN and LAN; empty for a plain move.
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Quiet => "",
            Self::Capture => "x",
            Self::StayCapture => "_",
            Self::Kamikaze => "@",
            Self::Combine => "&",
            Self::Commit => ".",
        }
    }
}

/// One move: of a whole stack, one step of a deploy, or the commit that ends it.
///
/// | bits  | meaning                                          |
/// |-------|--------------------------------------------------|
/// | 0–7   | index of the square of departure                 |
/// | 8–15  | index of the target                              |
/// | 16–19 | role: the carrier of the stack, or who steps     |
/// | 20–22 | kind                                             |
/// | 23    | a step of a deploy                               |
/// | 24    | joins a piece that was deployed earlier this turn |
///
/// ```
/// use cotulenh::{MoveKind, Position};
/// let start = Position::start();
/// let mv = start.legal_moves()[0];
/// assert_eq!((mv.to_string().as_str(), mv.kind()), ("Ic5c6", MoveKind::Quiet));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl Move {
    const STEP: u32 = 1 << 23;
    const RECOMBINE: u32 = 1 << 24;

    /// A move of the whole stack on `from`, whose carrier is `role`.
    #[inline]
    pub const fn whole(from: Square, to: Square, role: Role, kind: MoveKind) -> Self {
        let squares = from.byte() as u32 | (to.byte() as u32) << 8;
        Self(squares | (role as u32) << 16 | (kind as u32) << 20)
    }

    /// A deploy step of the piece `role` out of the stack on `from`.
    #[inline]
    pub const fn step(from: Square, to: Square, role: Role, kind: MoveKind) -> Self {
        Self(Self::whole(from, to, role, kind).0 | Self::STEP)
    }

    /// A deploy step that joins a piece deployed earlier in the same turn.
    #[inline]
    pub const fn recombine(from: Square, to: Square, role: Role) -> Self {
        Self(Self::step(from, to, role, MoveKind::Combine).0 | Self::RECOMBINE)
    }

    /// The end of the deploy of the stack whose carrier was `role` on `origin`.
    #[inline]
    pub const fn commit(origin: Square, role: Role) -> Self {
        Self::step(origin, origin, role, MoveKind::Commit)
    }

    /// Where it starts; for a commit, the origin of the deploy.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new_unchecked(self.0.to_le_bytes()[0])
    }

    /// The target, even if the mover does not go there; for a commit, the origin of the deploy.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new_unchecked(self.0.to_le_bytes()[1])
    }

    /// Who moves: the single piece of a deploy step, or the carrier of the whole stack.
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[(self.0 >> 16 & 15) as usize]
    }

    /// What it does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        MoveKind::ALL[(self.0 >> 20 & 7) as usize]
    }

    /// Whether it is a step of a deploy (a commit is one too).
    #[inline]
    pub const fn is_step(self) -> bool {
        self.0 & Self::STEP != 0
    }

    /// Whether it joins a piece that was deployed earlier this turn.
    #[inline]
    pub const fn is_recombine(self) -> bool {
        self.0 & Self::RECOMBINE != 0
    }

    /// Whether it ends a deploy and does nothing else.
    #[inline]
    pub const fn is_commit(self) -> bool {
        matches!(self.kind(), MoveKind::Commit)
    }

    /// Whether it takes something, in whatever way.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.kind().is_capture()
    }

    /// The 25 bits of the table above, for tables of other crates.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with these bits, or `None` if they are not those of any.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let [from, to, ..] = bits.to_le_bytes();
        let squares = Square::from_index(from as usize).is_some()
            && Square::from_index(to as usize).is_some();
        let fields = bits >> 25 == 0 && bits >> 16 & 15 < 11 && bits >> 20 & 7 < 6;
        if squares && fields {
            Some(Self(bits))
        } else {
            None
        }
    }
}

impl fmt::Display for MoveKind {
    /// In words: `stay capture`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quiet => "quiet move",
            Self::Capture => "capture",
            Self::StayCapture => "stay capture",
            Self::Kamikaze => "kamikaze",
            Self::Combine => "combination",
            Self::Commit => "commit",
        })
    }
}

impl fmt::Display for Move {
    /// The LAN as far as the move alone tells it: without cargo and heroic marks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_commit() {
            return f.write_str(".");
        }
        let step = if self.is_step() { ">" } else { "" };
        let separator = self.kind().separator();
        write!(
            f,
            "{}{}{step}{separator}{}",
            self.role(),
            self.from(),
            self.to()
        )
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

/// A list of moves that needs no allocation in any game; positions with hundreds of
/// pieces, which only a FEN can make, spill over to the heap.
///
/// ```
/// use cotulenh::Position;
/// let moves = Position::start().legal_moves();
/// assert_eq!(moves.len(), 116);
/// assert_eq!(moves.iter().filter(|mv| mv.is_capture()).count(), 0);
/// let mut next = Vec::new();
/// for mv in Position::start().legal_moves() {
///     next.push(Position::start().play(mv)?);
/// }
/// assert_eq!(next.len(), 116);
/// # Ok::<_, cotulenh::IllegalMoveError>(())
/// ```
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    inline: [Move; Self::INLINE],
    spilled: Vec<Move>,
}

impl MoveList {
    const INLINE: usize = 510;

    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self {
            len: 0,
            inline: [Move(0); Self::INLINE],
            spilled: Vec::new(),
        }
    }

    /// Adds a move at the end.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.inline.get_mut(self.len) {
            *slot = mv;
        } else {
            self.spill(mv);
        }
        self.len += 1;
    }

    /// Adds one move for each bit that is set, lowest first.
    #[inline]
    pub(crate) fn push_each(&mut self, mut bits: u64, mv: impl Fn(u8) -> Move) {
        let Some(room) = self
            .inline
            .get_mut(self.len..)
            .and_then(<[Move]>::first_chunk_mut::<64>)
        else {
            while bits != 0 {
                self.push(mv(lowest(bits)));
                bits &= bits - 1;
            }
            return;
        };
        let mut len = 0;
        while bits != 0 {
            room[len & 63] = mv(lowest(bits));
            bits &= bits - 1;
            len += 1;
        }
        self.len += len;
    }

    #[cold]
    fn spill(&mut self, mv: Move) {
        if self.spilled.is_empty() {
            self.spilled.extend_from_slice(&self.inline);
        }
        self.spilled.push(mv);
    }

    /// Empties the list, to be used again.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
        self.spilled.clear();
    }

    /// Keeps the moves for which `keep` returns true, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = Self::new();
        for mv in self.iter().copied().filter(|mv| keep(*mv)) {
            kept.push(mv);
        }
        *self = kept;
    }
}

/// The number of the lowest bit that is set.
#[inline]
pub(crate) fn lowest(bits: u64) -> u8 {
    #[allow(clippy::cast_possible_truncation, reason = "at most 64")]
    let lowest = bits.trailing_zeros() as u8;
    lowest
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        if self.spilled.is_empty() {
            &self.inline[..self.len]
        } else {
            &self.spilled
        }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    fn into_iter(self) -> MoveListIter {
        MoveListIter {
            list: self,
            next: 0,
        }
    }
}

/// The moves of a list, by value. Made by [`MoveList::into_iter`].
#[derive(Debug, Clone)]
pub struct MoveListIter {
    list: MoveList,
    next: usize,
}

impl Iterator for MoveListIter {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let mv = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MoveListIter {}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let mut list = Self::new();
        list.extend(moves);
        list
    }
}

impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        for mv in moves {
            self.push(mv);
        }
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
