//! Why pieces make no stack.

use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::{Blueprint, Role, RoleSet, StackTable, State};

/// One reason why pieces make no stack (Rule 4.1), in the words of the blueprint when printed.
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let set = COTULENH.blueprint().read_set("NTI").expect("three roles");
/// let reasons: Vec<String> = COTULENH.errors(set).iter().map(ToString::to_string).collect();
/// assert_eq!(
///     reasons,
///     [
///         "tank has no slot for navy",
///         "navy has one slot for infantry and tank",
///     ]
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CombineError<'t> {
    /// What is wrong.
    pub kind: CombineErrorKind,
    /// The blueprint that says so, which has the names.
    pub blueprint: &'t Blueprint,
}

/// What keeps pieces from making a stack.
///
/// ```
/// use convoy_stack::{COTULENH, CombineErrorKind, Stacker};
///
/// let stacker = Stacker::new(&COTULENH, |name: &&str| COTULENH.blueprint().role(name));
/// let error = stacker.combine(&["tank", "balloon"]).unwrap_err();
/// assert_eq!(error.kind, CombineErrorKind::Unknown(1));
/// assert_eq!(error.to_string(), "piece 2 has no known role");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CombineErrorKind {
    /// There is no piece.
    Empty,
    /// The piece at this place of the input, from 0 on, has no role of the blueprint.
    Unknown(usize),
    /// Two pieces have this role.
    Twice(Role),
    /// There are more than [`State::MAX`] pieces.
    TooMany,
    /// None of these roles carries any other role.
    NoCarrier(RoleSet),
    /// The carrier has no slot for the role.
    NoSlot {
        /// The role tried as a carrier.
        carrier: Role,
        /// The role left over.
        role: Role,
    },
    /// The carrier has one slot for several of the roles.
    OneSlot {
        /// The role tried as a carrier.
        carrier: Role,
        /// The number of the slot, from 0 on.
        slot: usize,
        /// Those that want it.
        roles: RoleSet,
    },
}

impl Error for CombineError<'_> {}

impl fmt::Display for CombineError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use CombineErrorKind as Kind;
        let names = |roles: RoleSet| self.blueprint.names(roles);
        match self.kind {
            Kind::Empty => write!(f, "there is no piece"),
            Kind::Unknown(place) => write!(f, "piece {} has no known role", place + 1),
            Kind::Twice(role) => write!(f, "{} comes twice", names(role.set())),
            Kind::TooMany => write!(f, "there are more than {} pieces", State::MAX),
            Kind::NoCarrier(set) => write!(f, "none of {} carries another", names(set)),
            Kind::NoSlot { carrier, role } => {
                let (carrier, role) = (names(carrier.set()), names(role.set()));
                write!(f, "{carrier} has no slot for {role}")
            }
            Kind::OneSlot { carrier, roles, .. } => {
                write!(
                    f,
                    "{} has one slot for {}",
                    names(carrier.set()),
                    names(roles)
                )
            }
        }
    }
}

/// One role of a set tried as the carrier of the others.
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let blueprint = COTULENH.blueprint();
/// let set = blueprint.read_set("FT").expect("two roles");
/// let attempts: Vec<_> = COTULENH.attempts(set).collect();
/// assert_eq!(attempts.len(), 2);
/// assert!(!attempts[0].fits(), "a tank carries no air force");
/// assert!(attempts[1].fits());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt<'t> {
    blueprint: &'t Blueprint,
    /// The role tried.
    pub carrier: Role,
    /// For each of its slots those of the others that want it.
    pub slots: [RoleSet; Blueprint::MAX_SLOTS],
    /// Those of the others that no slot is for.
    pub left_over: RoleSet,
}

impl<'t> Attempt<'t> {
    /// Whether the role can carry all others.
    pub fn fits(&self) -> bool {
        self.left_over.is_empty() && self.slots.iter().all(|wanting| wanting.len() < 2)
    }

    /// Every reason why it can't; none if it fits.
    pub fn errors(&self) -> impl Iterator<Item = CombineError<'t>> + use<'t> {
        let (carrier, blueprint) = (self.carrier, self.blueprint);
        let left_over = self.left_over.iter();
        let no_slot = left_over.map(move |role| CombineErrorKind::NoSlot { carrier, role });
        let wanted = self.slots.into_iter().enumerate();
        let one_slot = wanted.filter(|(_, wanting)| wanting.len() > 1);
        let one_slot = one_slot.map(move |(slot, roles)| CombineErrorKind::OneSlot {
            carrier,
            slot,
            roles,
        });
        no_slot
            .chain(one_slot)
            .map(move |kind| CombineError { kind, blueprint })
    }
}

impl StackTable {
    /// Each carrier among the roles tried on the others, in the order of the roles. A lone role is tried
    /// whether it can carry or not.
    pub fn attempts(&self, set: RoleSet) -> impl Iterator<Item = Attempt<'_>> + use<'_> {
        let blueprint = self.blueprint();
        let tried = if set.len() == 1 {
            set & blueprint.all()
        } else {
            set & blueprint.carriers()
        };
        tried.iter().map(move |carrier| {
            let others = set - carrier.set();
            let slots = blueprint.slots_at(carrier.index());
            let room = slots.iter().fold(RoleSet::EMPTY, |all, slot| all | *slot);
            Attempt {
                blueprint,
                carrier,
                slots: slots.map(|slot| slot & others),
                left_over: others - room,
            }
        })
    }

    /// Every reason why these roles make no stack; none if they make one.
    ///
    /// ```
    /// use convoy_stack::{COTULENH, CombineErrorKind};
    ///
    /// let commander_and_infantry = COTULENH.blueprint().read_set("CI").expect("two roles");
    /// let reasons = COTULENH.errors(commander_and_infantry);
    /// assert_eq!(reasons[0].kind, CombineErrorKind::NoCarrier(commander_and_infantry));
    /// ```
    pub fn errors(&self, set: RoleSet) -> Vec<CombineError<'_>> {
        let error = |kind| self.error(kind);
        if set.is_empty() {
            return vec![error(CombineErrorKind::Empty)];
        }
        if self.is_lawful(set) {
            return Vec::new();
        }
        let mut errors = Vec::new();
        if set.len() > State::MAX {
            errors.push(error(CombineErrorKind::TooMany));
        }
        let before = errors.len();
        errors.extend(self.attempts(set).flat_map(|attempt| attempt.errors()));
        if errors.len() == before {
            errors.push(error(CombineErrorKind::NoCarrier(set)));
        }
        errors
    }

    /// An error in the words of the blueprint.
    #[cold]
    pub(crate) const fn error(&self, kind: CombineErrorKind) -> CombineError<'_> {
        CombineError {
            kind,
            blueprint: self.blueprint(),
        }
    }
}
