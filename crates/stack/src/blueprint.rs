//! The source of the rules: roles, carriers and their slots.

mod error;
mod parse;
#[cfg(test)]
mod tests;
mod word;
mod yaml;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

pub use error::{BlueprintError, ParseBlueprintError};
pub use word::Word;

use crate::{Role, RoleSet, State};

/// The roles of a game, and for each the slots in which it carries others.
///
/// A role is a letter and a name. A carrier has room for at most one role of each of its slots; slots
/// are optional and share no role, so a carrier holds a set of roles in one way or not at all. No two
/// roles carry each other, so a set has one carrier or none.
///
/// ```
/// use convoy_stack::Blueprint;
///
/// let blueprint: Blueprint = "
///     role T tank            # a letter and a name
///     role I infantry
///     role M militia
///     carrier tank [infantry militia]     # one slot, for one of the two
/// ".parse()?;
/// let tank = blueprint.role("Tank").expect("declared above");
/// assert_eq!(blueprint.letter(tank), Some('T'));
/// assert_eq!(blueprint.slots(tank).len(), 1);
/// # Ok::<_, convoy_stack::ParseBlueprintError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blueprint {
    /// Upper-case letters and names; the first `len` count.
    letters: [u8; Role::MAX],
    names: [Word; Role::MAX],
    /// The slots of each role, filled from the left; empty sets for a role that carries nobody.
    slots: [[RoleSet; Blueprint::MAX_SLOTS]; Role::MAX],
    len: usize,
}

impl Blueprint {
    /// The most slots of a carrier, as a [`State`] has room for three pieces of cargo.
    pub const MAX_SLOTS: usize = State::MAX - 1;

    const EMPTY: Self = Self {
        letters: [0; Role::MAX],
        names: [Word::EMPTY; Role::MAX],
        slots: [[RoleSet::EMPTY; Self::MAX_SLOTS]; Role::MAX],
        len: 0,
    };

    /// The same roles, none of which carries any other.
    #[must_use]
    pub const fn without_carriers(mut self) -> Self {
        self.slots = [[RoleSet::EMPTY; Self::MAX_SLOTS]; Role::MAX];
        self
    }

    /// How many roles there are.
    #[allow(clippy::len_without_is_empty, reason = "a blueprint has a role")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// How many sets of roles there are, lawful or not: the number of masks.
    pub const fn sets(&self) -> usize {
        1 << self.len
    }

    /// All roles.
    pub const fn all(&self) -> RoleSet {
        RoleSet::from_bits((self.sets() - 1) as u16)
    }

    /// Those roles that carry others.
    pub fn carriers(&self) -> RoleSet {
        let carries = |role: &Role| !self.slots(*role).is_empty();
        self.all().iter().filter(carries).collect()
    }

    /// The slots of a role, first to last; none if it carries nobody.
    pub fn slots(&self, role: Role) -> &[RoleSet] {
        let slots = &self.slots[role.index()];
        let used = slots.iter().take_while(|slot| !slot.is_empty()).count();
        &slots[..used]
    }

    pub(crate) const fn slots_at(&self, index: usize) -> [RoleSet; Self::MAX_SLOTS] {
        self.slots[index]
    }

    /// The letter of a role, in upper case, or `None` if the blueprint has no such role.
    pub fn letter(&self, role: Role) -> Option<char> {
        self.all()
            .contains(role)
            .then(|| char::from(self.letters[role.index()]))
    }

    /// The name of a role, or `None` if the blueprint has no such role.
    pub fn name(&self, role: Role) -> Option<&str> {
        self.all()
            .contains(role)
            .then(|| self.names[role.index()].as_str())
    }

    /// The role with this letter or name. Case does not matter, and in a name a space, a hyphen and an
    /// underscore are the same.
    ///
    /// ```
    /// # use convoy_stack::COTULENH;
    /// let blueprint = COTULENH.blueprint();
    /// let air_force = blueprint.role("air_force");
    /// assert!(air_force.is_some());
    /// assert_eq!(blueprint.role("F"), air_force);
    /// assert_eq!(blueprint.role("Air Force"), air_force);
    /// assert_eq!(blueprint.role("balloon"), None);
    /// ```
    pub const fn role(&self, word: &str) -> Option<Role> {
        self.role_of(word.as_bytes())
    }

    const fn role_of(&self, word: &[u8]) -> Option<Role> {
        let mut index = 0;
        if let [letter] = word {
            let letter = letter.to_ascii_uppercase();
            while index < self.len && letter != self.letters[index] {
                index += 1;
            }
        } else {
            while index < self.len && !self.names[index].is_spelled(word) {
                index += 1;
            }
        }
        if index < self.len {
            Role::new(index as u8)
        } else {
            None
        }
    }

    /// The set of the roles with these letters, or `None` if one of them is unknown or comes twice.
    pub fn read_set(&self, letters: &str) -> Option<RoleSet> {
        let mut set = RoleSet::EMPTY;
        for letter in letters.bytes() {
            let role = self.role_of(&[letter])?;
            if set.contains(role) {
                return None;
            }
            set |= role.set();
        }
        Some(set)
    }

    /// A set as letters in the order of the roles, `TFN`.
    pub fn show_set(&self, set: RoleSet) -> String {
        set.iter().filter_map(|role| self.letter(role)).collect()
    }

    /// The names of a set in words, `tank, air_force and navy`.
    pub fn names(&self, set: RoleSet) -> String {
        let mut names: Vec<&str> = set.iter().filter_map(|role| self.name(role)).collect();
        let last = names.pop().unwrap_or_default();
        if names.is_empty() {
            last.to_owned()
        } else {
            format!("{} and {last}", names.join(", "))
        }
    }

    /// A stack as letters, the carrier first, `N|FT`.
    pub fn show(&self, state: State) -> String {
        let mut text = String::with_capacity(State::MAX + 1);
        for (place, role) in state.roles().enumerate() {
            if place == 1 {
                text.push('|');
            }
            text.extend(self.letter(role));
        }
        text
    }
}

impl FromStr for Blueprint {
    type Err = ParseBlueprintError;

    /// Reads either format: YAML begins with `blueprints:`.
    fn from_str(text: &str) -> Result<Self, ParseBlueprintError> {
        if yaml::is_yaml(text) {
            return Self::parse_yaml(text);
        }
        Self::parse(text)
    }
}

/// The text of the blueprint, which reads back as the same.
impl fmt::Display for Blueprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.len {
            let letter = char::from(self.letters[index]);
            writeln!(f, "role {letter} {}", self.names[index])?;
        }
        for role in self.carriers() {
            write!(f, "carrier {}", self.names[role.index()])?;
            for slot in self.slots(role) {
                let names: Vec<&str> = slot.iter().filter_map(|role| self.name(role)).collect();
                write!(f, " [{}]", names.join(" "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
