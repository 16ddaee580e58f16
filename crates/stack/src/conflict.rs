//! Groups of roles that no stack holds together.

use crate::{Blueprint, Role, RoleSet, StackTable};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Something that keeps pieces from making one stack.
///
/// ```
/// use convoy_stack::{COTULENH, Conflict};
///
/// let blueprint = COTULENH.blueprint();
/// let apart = Conflict::Apart(blueprint.read_set("IM").expect("two roles"));
/// assert_eq!(apart.describe(blueprint), "no stack holds infantry and militia together");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// Two pieces have this role.
    Twice(Role),
    /// No stack holds these roles together, though one holds any of them without the rest.
    Apart(RoleSet),
}

impl Conflict {
    /// The conflict in words, with the names of the blueprint.
    pub fn describe(self, blueprint: &Blueprint) -> String {
        match self {
            Self::Twice(role) => format!("{} comes twice", blueprint.names(role.set())),
            Self::Apart(set) => format!("no stack holds {} together", blueprint.names(set)),
        }
    }
}

impl StackTable {
    /// The smallest groups among these roles that no stack holds together, in rising order of mask. A set
    /// that is part of a stack has none.
    ///
    /// ```
    /// use convoy_stack::COTULENH;
    ///
    /// let blueprint = COTULENH.blueprint();
    /// let set = blueprint.read_set("FIM").expect("three roles");
    /// let conflicts = COTULENH.conflicts(set);
    /// assert_eq!(conflicts.iter().map(|set| blueprint.show_set(*set)).collect::<Vec<_>>(), ["IM"]);
    /// ```
    pub fn conflicts(&self, set: RoleSet) -> Vec<RoleSet> {
        let set = set & self.blueprint().all();
        let mut together = vec![false; self.blueprint().sets()];
        for part in self.lawful().flat_map(|state| state.set().parts()) {
            together[usize::from(part.bits())] = true;
        }
        let meet = |part: RoleSet| together[usize::from(part.bits())];
        set.parts()
            .filter(|part| !meet(*part))
            .filter(|part| part.iter().all(|role| meet(*part - role.set())))
            .collect()
    }
}
