//! Why pieces make no stack.

use std::error::Error;
use std::fmt;

use crate::{Blueprint, Role, RoleSet, State, Table};

/// One reason why pieces make no stack (Rule 4.1).
///
/// `to_string` speaks of roles by number; [`Refusal::tell`] by name.
///
/// ```
/// use convoy_stack::COTULENH;
///
/// let blueprint = COTULENH.blueprint();
/// let set = blueprint.read_set("NTI").expect("three roles");
/// let reasons: Vec<String> = COTULENH
///     .attempts(set)
///     .flat_map(|attempt| attempt.refusals())
///     .map(|refusal| refusal.tell(blueprint))
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
pub enum Refusal {
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

impl Refusal {
    /// The reason in words, with the names of the blueprint.
    pub fn tell(self, blueprint: &Blueprint) -> String {
        Told(self, Some(blueprint)).to_string()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Told(*self, None).fmt(f)
    }
}

impl Error for Refusal {}

/// A refusal with the names of its roles, if they are known.
struct Told<'a>(Refusal, Option<&'a Blueprint>);

impl Told<'_> {
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

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Refusal::Empty => write!(f, "there is no piece"),
            Refusal::Unknown(place) => write!(f, "piece {} has no known role", place + 1),
            Refusal::Twice(role) => write!(f, "{} comes twice", self.names(role)),
            Refusal::TooMany => write!(f, "there are more than {} pieces", State::MAX),
            Refusal::NoCarrier(set) => write!(f, "none of {} carries another", self.names(set)),
            Refusal::NoSlot { carrier, role } => {
                write!(
                    f,
                    "{} has no slot for {}",
                    self.names(carrier),
                    self.names(role)
                )
            }
            Refusal::OneSlot { carrier, roles, .. } => {
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
    pub fn refusals(&self) -> impl Iterator<Item = Refusal> + use<> {
        let carrier = self.carrier;
        let left_over = self.left_over.iter();
        let no_slot = left_over.map(move |role| Refusal::NoSlot { carrier, role });
        let wanted = self.slots.into_iter().enumerate();
        let one_slot = wanted.filter(|(_, wanting)| wanting.len() > 1);
        no_slot.chain(one_slot.map(move |(slot, roles)| Refusal::OneSlot {
            carrier,
            slot,
            roles,
        }))
    }
}

impl Table {
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
    /// use convoy_stack::{COTULENH, Refusal};
    ///
    /// let commander_and_infantry = COTULENH.blueprint().read_set("CI").expect("two roles");
    /// let reasons = COTULENH.refusals(commander_and_infantry);
    /// assert_eq!(reasons, [Refusal::NoCarrier(commander_and_infantry)]);
    /// ```
    pub fn refusals(&self, set: RoleSet) -> Vec<Refusal> {
        if set.is_empty() {
            return vec![Refusal::Empty];
        }
        if self.is_lawful(set) {
            return Vec::new();
        }
        let mut refusals = Vec::new();
        if set.len() > State::MAX {
            refusals.push(Refusal::TooMany);
        }
        let before = refusals.len();
        refusals.extend(self.attempts(set).flat_map(|attempt| attempt.refusals()));
        if refusals.len() == before {
            refusals.push(Refusal::NoCarrier(set));
        }
        refusals
    }
}
