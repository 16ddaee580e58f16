//! A verdict with everything that led to it.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::fmt;

use crate::{Attempt, CombineError, CombineErrorKind, Role, RoleSet, StackTable, State};

/// Why pieces make a stack or not: their masks, each carrier tried, what failed. Print it to read it.
///
/// ```
/// use convoy_stack::{COTULENH, Stacker};
///
/// let stacker = Stacker::new(&COTULENH, |letter: &&str| COTULENH.blueprint().role(letter));
/// let explanation = stacker.explain(&["F", "A"]);
/// assert!(explanation.state().is_none());
/// assert_eq!(
///     explanation.to_string(),
///     "\
/// A  artillery          8
/// F  air_force        128
/// mask 136 = 0b00010001000: no stack
///
/// air_force as the carrier:
///   slot 1 [tank]: empty
///   slot 2 [commander infantry militia]: empty
///   no: air_force has no slot for artillery
/// artillery carries nobody
///
/// no stack holds artillery and air_force together
/// "
/// );
/// ```
#[derive(Debug, Clone)]
pub struct Explanation<'t> {
    table: &'t StackTable,
    roles: Vec<Option<Role>>,
    verdict: Result<State, Vec<CombineError<'t>>>,
}

impl<'t> Explanation<'t> {
    /// The verdict must be that on pieces with these roles.
    pub(crate) const fn new(
        table: &'t StackTable,
        roles: Vec<Option<Role>>,
        verdict: Result<State, Vec<CombineError<'t>>>,
    ) -> Self {
        Self {
            table,
            roles,
            verdict,
        }
    }

    /// The roles of the pieces, in the order of the input; `None` for one without a role.
    pub fn roles(&self) -> &[Option<Role>] {
        &self.roles
    }

    /// The set of the roles, whose mask the table was asked for.
    pub fn set(&self) -> RoleSet {
        self.roles.iter().flatten().copied().collect()
    }

    /// The stack, if there is one.
    pub fn state(&self) -> Option<State> {
        self.verdict.as_ref().ok().copied()
    }

    /// Every error; none if there is a stack.
    pub fn errors(&self) -> &[CombineError<'t>] {
        self.verdict.as_ref().err().map_or(&[], Vec::as_slice)
    }

    /// Each carrier tried.
    pub fn attempts(&self) -> impl Iterator<Item = Attempt<'t>> + use<'t> {
        self.table.attempts(self.set())
    }

    fn attempt(&self, f: &mut fmt::Formatter<'_>, attempt: &Attempt<'_>) -> fmt::Result {
        let blueprint = self.table.blueprint();
        writeln!(
            f,
            "{} as the carrier:",
            blueprint.names(attempt.carrier.set())
        )?;
        let slots = blueprint.slots(attempt.carrier);
        for (number, (slot, wanting)) in slots.iter().zip(attempt.slots).enumerate() {
            let names: Vec<&str> = slot
                .iter()
                .filter_map(|role| blueprint.name(role))
                .collect();
            let filled = if wanting.is_empty() {
                "empty".to_owned()
            } else {
                blueprint.names(wanting)
            };
            writeln!(f, "  slot {} [{}]: {filled}", number + 1, names.join(" "))?;
        }
        for error in attempt.errors() {
            writeln!(f, "  no: {error}")?;
        }
        if attempt.fits() {
            writeln!(f, "  yes")?;
        }
        Ok(())
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blueprint, set) = (self.table.blueprint(), self.set());
        let mut known: Vec<Role> = self.roles.iter().flatten().copied().collect();
        known.sort();
        for role in known {
            let letter = blueprint.letter(role).unwrap_or('?');
            let name = blueprint.names(role.set());
            writeln!(f, "{letter}  {name:<14} {:>5}", role.set().bits())?;
        }
        let (mask, width) = (set.bits(), blueprint.len());
        write!(f, "mask {mask} = 0b{mask:0width$b}: ")?;
        match &self.verdict {
            Ok(state) => writeln!(f, "{}, state {state:#x}\n", blueprint.show(*state))?,
            Err(_) => writeln!(f, "no stack\n")?,
        }
        for error in self.errors() {
            // What is wrong with a carrier is told with that carrier below.
            if !matches!(
                error.kind,
                CombineErrorKind::NoSlot { .. } | CombineErrorKind::OneSlot { .. }
            ) {
                writeln!(f, "{error}")?;
            }
        }
        if set.len() > 1 {
            for attempt in self.attempts() {
                self.attempt(f, &attempt)?;
            }
        } else if self.state().is_some() {
            writeln!(f, "a lone piece needs no carrier")?;
        }
        let idle = set - blueprint.carriers();
        if !idle.is_empty() && idle != set {
            let verb = if idle.len() == 1 { "carries" } else { "carry" };
            writeln!(f, "{} {verb} nobody", blueprint.names(idle))?;
        }
        let conflicts = self.table.conflicts(set);
        if !conflicts.is_empty() {
            writeln!(f)?;
        }
        for conflict in conflicts {
            writeln!(
                f,
                "{}",
                crate::Conflict::Apart(conflict).describe(blueprint)
            )?;
        }
        Ok(())
    }
}
