//! Why pieces make no stack.

use std::error::Error;
use std::fmt;

use crate::{Blueprint, Role, RoleSet, StackTable, State};

/// One reason why pieces make no stack (Rule 4.1).
///
/// `to_string` speaks of roles by number; [`CombineError::describe`] by name.
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let blueprint = COTULENH.blueprint();
/// let set = blueprint.read_set("NTI").expect("three roles");
/// let reasons: Vec<String> = COTULENH
///     .attempts(set)
///     .flat_map(|attempt| attempt.errors())
///     .map(|error| error.describe(blueprint))
///     .collect();
/// assert_eq!(
///     reasons,
///     [
///         "tank has no slot for navy",
///         "navy has one slot for infantry and tank",
///     ]
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CombineError {
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

impl CombineError {
    /// The reason in words, with the names of the blueprint.
    pub fn describe(self, blueprint: &Blueprint) -> String {
        Described(self, Some(blueprint)).to_string()
    }
}

impl fmt::Display for CombineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Described(*self, None).fmt(f)
    }
}

impl Error for CombineError {}

/// A error with the names of its roles, if they are known.
struct Described<'a>(CombineError, Option<&'a Blueprint>);

impl Described<'_> {
    fn names(&self, roles: impl Into<RoleSet>) -> String {
        names(self.1, roles.into())
    }
}

/// Roles as a list in words: by name where the blueprint has one, else by number.
pub(crate) fn names(blueprint: Option<&Blueprint>, roles: RoleSet) -> String {
    let name = |role: Role| {
        let name = blueprint.and_then(|blueprint| blueprint.name(role));
        name.map_or_else(|| format!("role {}", role.index()), str::to_owned)
    };
    let mut names: Vec<String> = roles.iter().map(name).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CombineError::Empty => write!(f, "there is no piece"),
            CombineError::Unknown(place) => write!(f, "piece {} has no known role", place + 1),
            CombineError::Twice(role) => write!(f, "{} comes twice", self.names(role)),
            CombineError::TooMany => write!(f, "there are more than {} pieces", State::MAX),
            CombineError::NoCarrier(set) => {
                write!(f, "none of {} carries another", self.names(set))
            }
            CombineError::NoSlot { carrier, role } => {
                write!(
                    f,
                    "{} has no slot for {}",
                    self.names(carrier),
                    self.names(role)
                )
            }
            CombineError::OneSlot { carrier, roles, .. } => {
                write!(
                    f,
                    "{} has one slot for {}",
                    self.names(carrier),
                    self.names(roles)
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
pub struct Attempt {
    /// The role tried.
    pub carrier: Role,
    /// For each of its slots those of the others that want it.
    pub slots: [RoleSet; Blueprint::MAX_SLOTS],
    /// Those of the others that no slot is for.
    pub left_over: RoleSet,
}

impl Attempt {
    /// Whether the role can carry all others.
    pub fn fits(&self) -> bool {
        self.left_over.is_empty() && self.slots.iter().all(|wanting| wanting.len() < 2)
    }

    /// Every reason why it can't; none if it fits.
    pub fn errors(&self) -> impl Iterator<Item = CombineError> + use<> {
        let carrier = self.carrier;
        let left_over = self.left_over.iter();
        let no_slot = left_over.map(move |role| CombineError::NoSlot { carrier, role });
        let wanted = self.slots.into_iter().enumerate();
        let one_slot = wanted.filter(|(_, wanting)| wanting.len() > 1);
        no_slot.chain(one_slot.map(move |(slot, roles)| CombineError::OneSlot {
            carrier,
            slot,
            roles,
        }))
    }
}

impl StackTable {
    /// Each carrier among the roles tried on the others, in the order of the roles. A lone role is tried
    /// whether it can carry or not.
    pub fn attempts(&self, set: RoleSet) -> impl Iterator<Item = Attempt> + use<> {
        let blueprint = *self.blueprint();
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
                carrier,
                slots: slots.map(|slot| slot & others),
                left_over: others - room,
            }
        })
    }

    /// Every reason why these roles make no stack; none if they make one.
    ///
    /// ```
    /// use convoy_stack::{COTULENH, CombineError};
    ///
    /// let commander_and_infantry = COTULENH.blueprint().read_set("CI").expect("two roles");
    /// let reasons = COTULENH.errors(commander_and_infantry);
    /// assert_eq!(reasons, [CombineError::NoCarrier(commander_and_infantry)]);
    /// ```
    pub fn errors(&self, set: RoleSet) -> Vec<CombineError> {
        if set.is_empty() {
            return vec![CombineError::Empty];
        }
        if self.is_lawful(set) {
            return Vec::new();
        }
        let mut errors = Vec::new();
        if set.len() > State::MAX {
            errors.push(CombineError::TooMany);
        }
        let before = errors.len();
        errors.extend(self.attempts(set).flat_map(|attempt| attempt.errors()));
        if errors.len() == before {
            errors.push(CombineError::NoCarrier(set));
        }
        errors
    }
}
