//! What stands where.

use crate::air::zone;
use crate::stack::table::Info;
use crate::terrain::{LAND, NAVIGABLE};
use crate::{Color, Role, RoleSet, Square, SquareSet, Stack, StackRules, zobrist};

/// The stacks on their squares, under some rules. It knows no turn, and holds any placement of lawful stacks, on whatever terrain.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Board<R: StackRules> {
    rules: R,
    placement: Placement<R::Id>,
}

/// What stands where, with all that is kept beside it so as not to be searched for: sets of squares, the commanders, air
/// cover, the key.
#[derive(Debug, Copy, PartialEq, Eq)]
struct Placement<Id> {
    ids: [Id; Square::INDEX_LEN],
    colors: [SquareSet; 2],
    /// Squares whose carrier is a ship.
    ships: SquareSet,
    /// Squares whose carrier keeps aircraft off (Rule 7.2.1).
    providers: SquareSet,
    /// What those of each side cover.
    cover: [SquareSet; 2],
    commanders: [Option<Square>; 2],
    /// How many squares each side holds.
    counts: [u8; 2],
    /// Whether the last guard of a side is promoted (Rule 8.2).
    last_guard: bool,
    key: u64,
}

impl<R: StackRules> Clone for Board<R> {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            placement: self.placement,
        }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.rules.clone_from(&other.rules);
        self.placement = other.placement;
    }
}

#[allow(
    clippy::expl_impl_clone_on_copy,
    reason = "derived for a generic type it clones field by field, in several copies, and perft clones for every move"
)]
impl<Id: Copy> Clone for Placement<Id> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

/// Roles that keep aircraft off (Rule 7.2.1).
pub(crate) const GUNS: RoleSet = Role::Navy
    .set()
    .union(Role::AntiAir.set())
    .union(Role::Missile.set());

/// Roles that are kept track of, beside where they stand.
const NOTED: RoleSet = GUNS.union(Role::Commander.set());

impl<R: StackRules> Board<R> {
    /// No stack at all.
    pub(crate) fn empty(rules: R) -> Self {
        let placement = Placement {
            ids: [R::Id::default(); Square::INDEX_LEN],
            colors: [SquareSet::EMPTY; 2],
            ships: SquareSet::EMPTY,
            providers: SquareSet::EMPTY,
            cover: [SquareSet::EMPTY; 2],
            commanders: [None; 2],
            counts: [0; 2],
            last_guard: true,
            key: 0,
        };
        Self { rules, placement }
    }

    /// A board with these stacks, each on a square of its own.
    pub(crate) fn new(rules: R, stacks: impl Iterator<Item = (Square, Stack)>) -> Self {
        let mut board = Self::empty(rules);
        stacks.for_each(|(square, stack)| {
            board.note(square, board.rules.id_of(stack), stack.color());
        });
        for color in Color::ALL {
            board.refresh_cover(color);
        }
        board
    }

    #[inline]
    fn id(&self, square: Square) -> R::Id {
        self.placement.ids[square.index()]
    }

    /// Who may stand together on it.
    #[inline]
    pub(crate) fn rules(&self) -> &R {
        &self.rules
    }

    /// Everything about the stack on a square but its colour.
    #[inline]
    pub(crate) fn info(&self, square: Square) -> &Info {
        self.rules.info(self.id(square))
    }

    /// The stack on a square in FEN notation in upper case, padded to eight bytes, and its length.
    #[inline]
    pub(crate) fn text(&self, square: Square) -> ([u8; 8], usize) {
        self.rules.text(self.id(square))
    }

    #[inline]
    pub(crate) const fn ids(&self) -> &[R::Id; Square::INDEX_LEN] {
        &self.placement.ids
    }

    #[inline]
    pub(crate) fn stack(&self, square: Square) -> Option<Stack> {
        Stack::from_packed(self.rules.packed(self.id(square)), self.color(square))
    }

    /// The colour of the stack on an occupied square.
    #[inline]
    pub(crate) fn color(&self, square: Square) -> Color {
        if self.placement.colors[1].contains(square) {
            Color::Blue
        } else {
            Color::Red
        }
    }

    #[inline]
    pub(crate) fn of(&self, color: Color) -> SquareSet {
        self.placement.colors[color.index()]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet {
        self.placement.colors[0] | self.placement.colors[1]
    }

    #[inline]
    pub(crate) fn ships(&self) -> SquareSet {
        self.placement.ships
    }

    #[inline]
    pub(crate) fn commander(&self, color: Color) -> Option<Square> {
        self.placement.commanders[color.index()]
    }

    /// The squares that the air defence of a side covers.
    #[inline]
    pub(crate) fn cover(&self, color: Color) -> SquareSet {
        self.placement.cover[color.index()]
    }

    /// The squares whose carrier keeps aircraft of the other side off.
    #[inline]
    pub(crate) fn providers(&self, color: Color) -> SquareSet {
        self.placement.providers & self.of(color)
    }

    /// Where a side has a piece that keeps aircraft off once it is the carrier.
    pub(crate) fn with_guns(&self, color: Color) -> SquareSet {
        let own = self.of(color).into_iter();
        own.fold(SquareSet::EMPTY, |found, square| {
            if self.info(square).roles.is_disjoint(GUNS) {
                found
            } else {
                found.with(square)
            }
        })
    }

    /// The providers of a side that cover a square.
    pub(crate) fn providers_at(
        &self,
        square: Square,
        color: Color,
    ) -> impl Iterator<Item = Square> {
        let near = self.providers(color) & zone(3, square);
        near.into_iter()
            .filter(move |at| zone(self.info(*at).cover, *at).contains(square))
    }

    /// Whether what is left is a stack, or nothing, once the set of roles with this number has gone from a
    /// square.
    pub(crate) fn leaves_stack(&self, from: Square, set: u8) -> bool {
        let rest = self.info(from).roles - self.rules.roles_of(set);
        rest.is_empty() || self.rules.set_of(rest) != 0
    }

    /// The piece of a role in a stack, as a stack of its own.
    #[inline]
    pub(crate) fn single(&self, stack: Stack, role: Role) -> Option<Stack> {
        let kind = stack.kinds().find(|kind| kind.is(role))?;
        let single = self.rules.packed(self.rules.single(kind));
        Stack::from_packed(single, stack.color())
    }

    /// Rule 5: whether every carrier may stand where it stands.
    pub(crate) fn is_on_its_terrain(&self) -> bool {
        let aground = self.placement.ships - NAVIGABLE;
        let adrift = self.occupied() - self.placement.ships - LAND;
        (aground | adrift).is_empty()
    }

    /// How many squares a side holds.
    #[inline]
    pub(crate) fn count(&self, color: Color) -> u8 {
        self.placement.counts[color.index()]
    }

    /// Whether the last guard of a side is promoted (Rule 8.2).
    #[inline]
    pub(crate) fn promotes_last_guard(&self) -> bool {
        self.placement.last_guard
    }

    pub(crate) fn set_last_guard(&mut self, promoted: bool) {
        self.placement.last_guard = promoted;
    }

    /// The key of the placement alone.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.placement.key
    }

    /// Puts a stack on an empty square.
    #[inline]
    pub(crate) fn place(&mut self, square: Square, stack: Stack) {
        debug_assert!(self.id(square) == R::Id::default());
        self.set(square, self.rules.id_of(stack), stack.color());
    }

    /// Takes whatever stands there off the board.
    #[inline]
    pub(crate) fn lift(&mut self, square: Square) {
        let id = self.placement.ids[square.index()];
        if id == R::Id::default() {
            return;
        }
        let color = self.color(square);
        self.placement.ids[square.index()] = R::Id::default();
        self.placement.colors[color.index()].remove(square);
        self.placement.counts[color.index()] -= 1;
        self.placement.key ^= zobrist::stack(square, color.index(), self.rules.info(id));
        let gone = self.rules.info(id);
        if gone.roles.is_disjoint(NOTED) {
            return;
        }
        self.placement.ships.remove(square);
        if !gone.roles.is_disjoint(Role::Commander.set()) {
            self.placement.commanders[color.index()] = None;
        }
        if gone.cover != 0 {
            self.placement.providers.remove(square);
            self.refresh_cover(color);
        }
    }

    /// Replaces what stands there, if anything.
    #[inline]
    pub(crate) fn replace(&mut self, square: Square, stack: Option<Stack>) {
        self.lift(square);
        if let Some(stack) = stack {
            self.place(square, stack);
        }
    }

    /// Moves a stack of `color` to an empty square.
    #[inline]
    pub(crate) fn shift(&mut self, from: Square, to: Square, color: Color) {
        let id = self.placement.ids[from.index()];
        self.placement.ids[from.index()] = R::Id::default();
        self.placement.ids[to.index()] = id;
        let squares = &mut self.placement.colors[color.index()];
        squares.remove(from);
        squares.insert(to);
        self.placement.key ^= zobrist::stack(from, color.index(), self.rules.info(id));
        self.placement.key ^= zobrist::stack(to, color.index(), self.rules.info(id));
        let info = self.rules.info(id);
        if info.roles.is_disjoint(NOTED) {
            return;
        }
        if self.placement.ships.contains(from) {
            self.placement.ships.remove(from);
            self.placement.ships.insert(to);
        }
        if !info.roles.is_disjoint(Role::Commander.set()) {
            self.placement.commanders[color.index()] = Some(to);
        }
        if info.cover != 0 {
            self.placement.providers.remove(from);
            self.placement.providers.insert(to);
            self.refresh_cover(color);
        }
    }

    #[inline]
    fn set(&mut self, square: Square, id: R::Id, color: Color) {
        self.note(square, id, color);
        if self.rules.info(id).cover != 0 {
            self.refresh_cover(color);
        }
    }

    /// Puts a stack on an empty square, and leaves the air cover to be refreshed.
    #[inline]
    fn note(&mut self, square: Square, id: R::Id, color: Color) {
        self.placement.ids[square.index()] = id;
        self.placement.colors[color.index()].insert(square);
        self.placement.counts[color.index()] += 1;
        self.placement.key ^= zobrist::stack(square, color.index(), self.rules.info(id));
        let new = self.rules.info(id);
        if new.roles.is_disjoint(NOTED) {
            return;
        }
        if new.members[0].is(Role::Navy) {
            self.placement.ships.insert(square);
        }
        if !new.roles.is_disjoint(Role::Commander.set()) {
            self.placement.commanders[color.index()] = Some(square);
        }
        if new.cover != 0 {
            self.placement.providers.insert(square);
        }
    }

    fn refresh_cover(&mut self, color: Color) {
        let providers = self.providers(color).into_iter();
        self.placement.cover[color.index()] = providers.fold(SquareSet::EMPTY, |cover, at| {
            cover | zone(self.info(at).cover, at)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn what_is_kept_is_what_would_be_found() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut inside = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Captures and steps are rare enough to be sought.
                let lively: Vec<_> = moves
                    .iter()
                    .filter(|mv| mv.is_capture() || mv.is_step())
                    .collect();
                let index = random.usize(..);
                let mv = match lively.len() {
                    0 => moves[index % moves.len()],
                    _ if !index.is_multiple_of(3) => moves[index % moves.len()],
                    len => *lively[index % len],
                };
                position.play_unchecked(mv);
                inside += usize::from(position.deploy().is_some());
                let board = &position.board;
                let stacks = board.occupied().into_iter();
                let fresh = Board::new(
                    crate::Standard,
                    stacks.map(|square| (square, board.stack(square).unwrap())),
                );
                assert_eq!(*board, fresh);
            }
        }
        assert!(inside > 20, "only {inside} positions inside a deploy");
    }
}
