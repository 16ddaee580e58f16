//! A lawful stack of a caller's pieces.

use alloc::vec::Vec;
use core::array;
use core::iter::Flatten;

use crate::State;

/// Pieces that make a lawful stack: the carrier, then the cargo in slot order.
///
/// It is made by a [`Stacker`](crate::Stacker), keeps its pieces inside itself without allocating, and
/// gives them back through [`IntoIterator`].
///
/// ```
/// use convoy_stack::{COTULENH, Stacker};
///
/// let stacker = Stacker::new(&COTULENH, |piece: &&str| COTULENH.blueprint().role(piece));
/// let stack = stacker.combine(&["infantry", "tank"])?;
/// assert_eq!(stack.carrier(), &"tank");
/// assert_eq!(stack.cargo().collect::<Vec<_>>(), [&"infantry"]);
/// assert_eq!(stack.into_iter().collect::<Vec<_>>(), ["tank", "infantry"]);
/// # Ok::<_, convoy_stack::CombineError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack<T> {
    state: State,
    /// Filled from the left, as many as the state has roles.
    pieces: [Option<T>; State::MAX],
}

impl<T> Stack<T> {
    /// The caller sees to it that the pieces are those of the state, in its order.
    pub(crate) const fn new(state: State, pieces: [Option<T>; State::MAX]) -> Self {
        Self { state, pieces }
    }

    /// The roles of the pieces in packed form.
    pub const fn state(&self) -> State {
        self.state
    }

    /// How many pieces there are, carrier included: 1 to 4.
    #[allow(clippy::len_without_is_empty, reason = "a stack is never empty")]
    pub const fn len(&self) -> usize {
        self.state.len()
    }

    /// The piece that carries the others, or stands alone.
    ///
    /// # Panics
    ///
    /// Never: a stack has a carrier.
    pub const fn carrier(&self) -> &T {
        self.pieces[0].as_ref().expect("a stack has a carrier")
    }

    /// The piece in place `index`: 0 is the carrier, 1 to 3 are cargo.
    pub fn piece(&self, index: usize) -> Option<&T> {
        self.pieces.get(index)?.as_ref()
    }

    /// The pieces carried, in slot order.
    pub fn cargo(&self) -> impl Iterator<Item = &T> {
        self.iter().skip(1)
    }

    /// All pieces, the carrier first.
    pub fn iter(&self) -> Flatten<core::slice::Iter<'_, Option<T>>> {
        self.pieces.iter().flatten()
    }

    /// The same stack with each piece replaced by what `f` makes of it.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Stack<U> {
        Stack {
            state: self.state,
            pieces: self.pieces.map(|piece| piece.map(&mut f)),
        }
    }
}

impl<T: Clone> Stack<&T> {
    /// A stack of clones.
    pub fn cloned(self) -> Stack<T> {
        self.map(T::clone)
    }
}

impl<T> IntoIterator for Stack<T> {
    type Item = T;
    type IntoIter = Flatten<array::IntoIter<Option<T>, { State::MAX }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.pieces.into_iter().flatten()
    }
}

impl<'a, T> IntoIterator for &'a Stack<T> {
    type Item = &'a T;
    type IntoIter = Flatten<core::slice::Iter<'a, Option<T>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.pieces.iter().flatten()
    }
}

/// The pieces of a caller's own tree, each before those it carries, however deep; `cargo` tells what a
/// piece carries. The tree stays as it is.
///
/// ```
/// struct Unit {
///     name: &'static str,
///     carrying: Vec<Unit>,
/// }
/// # let unit = |name, carrying| Unit { name, carrying };
/// let convoy = [unit("navy", vec![unit("air_force", vec![unit("tank", vec![])])])];
/// let flat = convoy_stack::flatten(&convoy, |unit| &unit.carrying);
/// let names: Vec<&str> = flat.iter().map(|unit| unit.name).collect();
/// assert_eq!(names, ["navy", "air_force", "tank"]);
/// ```
pub fn flatten<'a, T>(pieces: &'a [T], cargo: impl Fn(&'a T) -> &'a [T]) -> Vec<&'a T> {
    let mut flat = Vec::new();
    let mut ahead: Vec<&T> = pieces.iter().rev().collect();
    while let Some(piece) = ahead.pop() {
        flat.push(piece);
        ahead.extend(cargo(piece).iter().rev());
    }
    flat
}
