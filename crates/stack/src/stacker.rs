//! Stacks of the caller's own pieces.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;

use crate::split::Splits;
use crate::{
    Blueprint, CombineError, CombineErrorKind, Conflict, Explanation, Role, RoleSet, Stack,
    StackTable, State,
};

/// Combines pieces of any type `T`; all it needs to know of a piece is its role.
///
/// The order of the input never matters, and no piece given is changed: a stack holds clones, or
/// references where [`arrange`](Self::arrange) made it. Colours and the like are the caller's affair.
///
/// ```
/// use convoy_stack::{COTULENH, Stacker};
///
/// #[derive(Debug, Clone, PartialEq)]
/// struct Piece {
///     letter: &'static str,
///     heroic: bool,
/// }
///
/// let stacker = Stacker::new(&COTULENH, |piece: &Piece| COTULENH.blueprint().role(piece.letter));
/// let tank = Piece { letter: "T", heroic: true };
/// let navy = Piece { letter: "N", heroic: false };
///
/// let stack = stacker.combine(&[tank.clone(), navy.clone()])?;
/// assert_eq!(stack.carrier(), &navy);
/// assert_eq!(stacker.remove_named(&stack, "navy")?.map(|rest| *rest.carrier() == tank), Some(true));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
pub struct Stacker<'t, T, F> {
    table: &'t StackTable,
    role: F,
    pieces: PhantomData<fn(&T)>,
}

impl<'t, T, F: Fn(&T) -> Option<Role>> Stacker<'t, T, F> {
    /// A stacker under the rules of `table`. `role` tells the role of a piece, or `None` if it has none in
    /// the blueprint; such a piece is refused, never dropped.
    pub const fn new(table: &'t StackTable, role: F) -> Self {
        Self {
            table,
            role,
            pieces: PhantomData,
        }
    }

    /// The table it asks.
    pub const fn table(&self) -> &'t StackTable {
        self.table
    }

    /// The role of a piece, if it has one in the blueprint.
    #[inline]
    pub fn role(&self, piece: &T) -> Option<Role> {
        (self.role)(piece).filter(|role| self.table.blueprint().all().contains(*role))
    }

    /// The stack of these pieces by reference: nothing is cloned, nothing allocated. The error is the
    /// first reason found; [`validate`](Self::validate) finds them all.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, CombineError, CombineErrorKind, Stacker};
    /// let stacker = Stacker::new(&COTULENH, |name: &String| COTULENH.blueprint().role(name));
    /// let names = ["infantry", "tank"].map(String::from);
    /// assert!(std::ptr::eq(*stacker.arrange(&names)?.carrier(), &names[1]));
    /// assert_eq!(stacker.arrange(&[]).unwrap_err().kind, CombineErrorKind::Empty);
    /// # Ok::<_, CombineError>(())
    /// ```
    #[inline]
    pub fn arrange<'p>(
        &self,
        pieces: impl IntoIterator<Item = &'p T>,
    ) -> Result<Stack<&'p T>, CombineError<'t>>
    where
        T: 'p,
    {
        self.build(pieces, |piece| piece)
    }

    /// The stack of what `keep` makes of these pieces.
    #[inline]
    fn build<'p, U>(
        &self,
        pieces: impl IntoIterator<Item = &'p T>,
        keep: impl Fn(&'p T) -> U,
    ) -> Result<Stack<U>, CombineError<'t>>
    where
        T: 'p,
    {
        let error = |kind| self.table.error(kind);
        let mut held = [None; State::MAX];
        let (mut set, mut order) = (RoleSet::EMPTY, Order::default());
        for (number, piece) in pieces.into_iter().enumerate() {
            let role = self
                .role(piece)
                .ok_or_else(|| error(CombineErrorKind::Unknown(number)))?;
            if set.contains(role) {
                return Err(error(CombineErrorKind::Twice(role)));
            }
            set |= role.set();
            *held
                .get_mut(number)
                .ok_or_else(|| error(CombineErrorKind::TooMany))? = Some(piece);
            order.push(number, role);
        }
        let Some(state) = self.table.lookup(set) else {
            return Err(self.blame(set));
        };
        let pieces = core::array::from_fn(|place| held[order.find(state.role(place)?)?].map(&keep));
        Ok(Stack::new(state, pieces))
    }

    /// The first reason why a set that the table refuses is no stack.
    #[cold]
    fn blame(&self, set: RoleSet) -> CombineError<'t> {
        let errors = self.table.errors(set);
        let first = errors.first().copied();
        first.unwrap_or(self.table.error(CombineErrorKind::NoCarrier(set)))
    }

    /// The stack of these pieces, whichever way they are ordered (Rule 4.3). To combine stacks give their
    /// pieces: `stacker.combine(a.iter().chain(b.iter()))`.
    ///
    /// It allocates nothing unless the clone of a piece does.
    #[inline]
    pub fn combine<'p>(
        &self,
        pieces: impl IntoIterator<Item = &'p T>,
    ) -> Result<Stack<T>, CombineError<'t>>
    where
        T: Clone + 'p,
    {
        self.build(pieces, T::clone)
    }

    /// Whether these pieces make a stack.
    pub fn can_combine<'p>(&self, pieces: impl IntoIterator<Item = &'p T>) -> bool
    where
        T: 'p,
    {
        self.arrange(pieces).is_ok()
    }

    /// The packed stack of these pieces, or every reason why they make none.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, Stacker};
    /// let stacker = Stacker::new(&COTULENH, |letter: &&str| COTULENH.blueprint().role(letter));
    /// let reasons = stacker.validate(&["T", "T", "A", "?"]).unwrap_err();
    /// let told: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    /// assert_eq!(
    ///     told,
    ///     ["piece 4 has no known role", "tank comes twice", "tank has no slot for artillery"]
    /// );
    /// ```
    pub fn validate<'p>(
        &self,
        pieces: impl IntoIterator<Item = &'p T>,
    ) -> Result<State, Vec<CombineError<'t>>>
    where
        T: 'p,
    {
        let roles: Vec<Option<Role>> = pieces.into_iter().map(|piece| self.role(piece)).collect();
        let Roll {
            set,
            unknown,
            twice,
        } = Roll::call(&roles);
        let unknown = unknown.into_iter().map(CombineErrorKind::Unknown);
        let twice = twice.iter().map(CombineErrorKind::Twice);
        let kinds = unknown.chain(twice);
        let mut errors: Vec<CombineError<'t>> = kinds.map(|kind| self.table.error(kind)).collect();
        if roles.len() > State::MAX && set.len() <= State::MAX {
            errors.push(self.table.error(CombineErrorKind::TooMany));
        }
        if !set.is_empty() || roles.is_empty() {
            errors.extend(self.table.errors(set));
        }
        match self.table.lookup(set) {
            Some(state) if errors.is_empty() => Ok(state),
            _ => Err(errors),
        }
    }

    /// Everything about why these pieces make a stack or not, ready to print.
    pub fn explain<'p>(&self, pieces: impl IntoIterator<Item = &'p T>) -> Explanation<'t>
    where
        T: 'p,
    {
        let pieces: Vec<&T> = pieces.into_iter().collect();
        let roles = pieces.iter().map(|piece| self.role(piece)).collect();
        let verdict = self.validate(pieces);
        Explanation::new(self.table, roles, verdict)
    }

    /// What stands in the way: roles that come twice, and the smallest groups of roles that no stack holds
    /// together, in rising order of mask.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, Conflict, Stacker};
    /// let blueprint = COTULENH.blueprint();
    /// let stacker = Stacker::new(&COTULENH, |letter: &&str| COTULENH.blueprint().role(letter));
    /// let apart = |letters| Conflict::Apart(blueprint.read_set(letters).unwrap());
    /// assert_eq!(stacker.conflicts(&["N", "T", "F", "I"]), [apart("NTI")]);
    /// assert_eq!(stacker.conflicts(&["N", "F", "A"]), [apart("AF"), apart("AN")]);
    /// assert_eq!(stacker.conflicts(&["N", "F", "T"]), []);
    /// ```
    pub fn conflicts<'p>(&self, pieces: impl IntoIterator<Item = &'p T>) -> Vec<Conflict>
    where
        T: 'p,
    {
        let roles: Vec<Option<Role>> = pieces.into_iter().map(|piece| self.role(piece)).collect();
        let Roll { set, twice, .. } = Roll::call(&roles);
        let twice = twice.iter().map(Conflict::Twice);
        let apart = self.table.conflicts(set);
        twice
            .chain(apart.into_iter().map(Conflict::Apart))
            .collect()
    }

    /// Every stack that some of the pieces make, lone pieces included, the smallest first, then in rising
    /// order of mask. Pieces without a role take no part.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, Stacker};
    /// let blueprint = COTULENH.blueprint();
    /// let stacker = Stacker::new(&COTULENH, |letter: &&str| blueprint.role(letter));
    /// let stacks = stacker.combinations(&["N", "T", "I"]);
    /// let shown: Vec<String> = stacks.iter().map(|stack| blueprint.show(stack.state())).collect();
    /// assert_eq!(shown, ["I", "T", "N", "T|I", "N|I", "N|T"]);
    /// ```
    pub fn combinations(&self, pieces: &[T]) -> Vec<Stack<T>>
    where
        T: Clone,
    {
        let stacks = crate::split::combinations(self.table, &self.known(pieces));
        let pick = |stack: Stack<usize>| stack.map(|index| pieces[index].clone());
        stacks.into_iter().map(pick).collect()
    }

    /// Every way to divide the pieces into stacks, those with the fewest stacks first. Pieces without a role
    /// take no part. They are made one at a time as they are asked for, since many pieces have very many.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, Stacker};
    /// let blueprint = COTULENH.blueprint();
    /// let stacker = Stacker::new(&COTULENH, |letter: &&str| blueprint.role(letter));
    /// let show = |split: Vec<convoy_stack::Stack<&str>>| {
    ///     split.iter().map(|stack| blueprint.show(stack.state())).collect::<Vec<_>>().join(" ")
    /// };
    /// let shown: Vec<String> = stacker.splits(&["T", "F", "N"]).map(show).collect();
    /// assert_eq!(shown, ["N|FT", "N|F T", "N|T F", "N F|T", "N F T"]);
    /// ```
    pub fn splits<'p>(&self, pieces: &'p [T]) -> impl Iterator<Item = Vec<Stack<T>>> + use<'p, T, F>
    where
        T: Clone,
    {
        let pick = |stack: Stack<usize>| stack.map(|index| pieces[index].clone());
        Splits::new(self.table, &self.known(pieces))
            .map(move |split| split.into_iter().map(pick).collect())
    }

    /// The pieces that have a role: their places and roles.
    fn known(&self, pieces: &[T]) -> Vec<(usize, Role)> {
        let roles = pieces.iter().map(|piece| self.role(piece)).enumerate();
        roles
            .filter_map(|(index, role)| Some((index, role?)))
            .collect()
    }

    /// What is left of a stack without the pieces of these roles: `None` if nothing is.
    ///
    /// ```
    /// # use convoy_stack::{COTULENH, Stacker};
    /// let blueprint = COTULENH.blueprint();
    /// let stacker = Stacker::new(&COTULENH, |letter: &&str| blueprint.role(letter));
    /// let stack = stacker.combine(&["N", "F", "T"])?;
    /// let navy = blueprint.role("N").expect("a role");
    /// let rest = stacker.remove(&stack, navy)?.expect("two are left");
    /// assert_eq!(blueprint.show(rest.state()), "F|T");
    /// assert_eq!(blueprint.show(stack.state()), "N|FT");
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn remove(
        &self,
        stack: &Stack<T>,
        roles: impl Into<RoleSet>,
    ) -> Result<Option<Stack<T>>, RemoveError<'t>>
    where
        T: Clone,
    {
        let (roles, all) = (roles.into(), stack.state().set());
        if let Some(role) = (roles - all).first() {
            let name = self.table.blueprint().name(role);
            return Err(RemoveError::Absent(name.unwrap_or("such role")));
        }
        let rest = all - roles;
        if rest.is_empty() {
            return Ok(None);
        }
        let state = self
            .table
            .lookup(rest)
            .ok_or_else(|| RemoveError::Rest(self.table.blueprint(), rest))?;
        let kept = |place| stack.piece(stack.state().place(state.role(place)?)?);
        let pieces = core::array::from_fn(|place| kept(place).cloned());
        Ok(Some(Stack::new(state, pieces)))
    }

    /// [`remove`](Self::remove) by the letter or name of a role, spelled as in [`Blueprint::role`].
    ///
    /// [`Blueprint::role`]: crate::Blueprint::role
    pub fn remove_named(
        &self,
        stack: &Stack<T>,
        name: &str,
    ) -> Result<Option<Stack<T>>, RemoveError<'t>>
    where
        T: Clone,
    {
        let role = self.table.blueprint().role(name);
        self.remove(stack, role.ok_or(RemoveError::UnknownName)?)
    }

    /// [`remove`](Self::remove) by a piece equal to the one to go.
    pub fn remove_piece(
        &self,
        stack: &Stack<T>,
        piece: &T,
    ) -> Result<Option<Stack<T>>, RemoveError<'t>>
    where
        T: Clone + PartialEq,
    {
        let mut members = stack.state().roles().zip(stack);
        let found = members.find(|(_, member)| *member == piece);
        let (role, _) = found.ok_or(RemoveError::AbsentPiece)?;
        self.remove(stack, role)
    }
}

impl<T, F> fmt::Debug for Stacker<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stacker")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

/// Why nothing was removed; the stack is as it was.
///
/// ```
/// use convoy_stack::{COTULENH, RemoveError, Stacker};
///
/// let stacker = Stacker::new(&COTULENH, |name: &&str| COTULENH.blueprint().role(name));
/// let stack = stacker.combine(&["tank", "infantry"])?;
/// assert_eq!(stacker.remove_piece(&stack, &"navy"), Err(RemoveError::AbsentPiece));
/// assert_eq!(stacker.remove_named(&stack, "balloon"), Err(RemoveError::UnknownName));
/// # Ok::<_, convoy_stack::CombineError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoveError<'t> {
    /// The stack has no piece of the role with this name.
    Absent(&'t str),
    /// The stack has no such piece.
    AbsentPiece,
    /// The blueprint has no role of that name.
    UnknownName,
    /// What would be left is no stack. The built-in blueprint never comes to this (Rule 4.3).
    Rest(&'t Blueprint, RoleSet),
}

impl fmt::Display for RemoveError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(name) => write!(f, "the stack has no {name}"),
            Self::AbsentPiece => write!(f, "the stack has no such piece"),
            Self::UnknownName => write!(f, "the blueprint has no role of that name"),
            Self::Rest(blueprint, set) => {
                write!(f, "what is left is no stack: {}", blueprint.names(*set))
            }
        }
    }
}

impl Error for RemoveError<'_> {}

/// The roles of up to four pieces in the order of the input, packed as in a [`State`]: so they are
/// sorted in a register, and no piece is stored before its place is known.
#[derive(Clone, Copy, Default)]
struct Order(u64);

impl Order {
    /// Notes the role of the piece with this number.
    #[inline]
    const fn push(&mut self, number: usize, role: Role) {
        self.0 |= (role.set().bits() as u64) << (16 * number);
    }

    /// The number of the piece with this role.
    #[inline]
    const fn find(self, role: Role) -> Option<usize> {
        crate::state::field(self.0, role)
    }
}

/// Who is there.
struct Roll {
    set: RoleSet,
    /// The places of the pieces without a role.
    unknown: Vec<usize>,
    twice: RoleSet,
}

impl Roll {
    fn call(roles: &[Option<Role>]) -> Self {
        let (mut set, mut twice) = (RoleSet::EMPTY, RoleSet::EMPTY);
        let mut unknown = Vec::new();
        for (place, role) in roles.iter().enumerate() {
            match role {
                None => unknown.push(place),
                Some(role) if set.contains(*role) => twice |= role.set(),
                Some(role) => set |= role.set(),
            }
        }
        Self {
            set,
            unknown,
            twice,
        }
    }
}
