//! From a blueprint to one look-up.

use crate::{Blueprint, Role, RoleSet, State};
use alloc::vec;
use alloc::vec::Vec;

/// Every set of roles of a blueprint with the stack it makes, if it makes one.
///
/// A look-up is one load from memory. The table of the built-in blueprint, [`COTULENH`](crate::COTULENH),
/// is made by the compiler; one for a variant is made at run time by [`StackTable::new`].
///
/// ```
/// use convoy_stack::{Blueprint, StackTable};
///
/// let variant = Blueprint::parse("
///     role W wagon
///     role D drone
///     carrier wagon [drone]
/// ")?;
/// let table = StackTable::new(variant);
/// let both = table.blueprint().read_set("WD").expect("two roles");
/// assert_eq!(table.lookup(both).map(|state| state.bits()), Some(0x0002_0001));
/// # Ok::<_, convoy_stack::ParseBlueprintError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StackTable {
    blueprint: Blueprint,
    states: States,
}

/// One entry a mask; the slice has [`Blueprint::sets`] of them.
#[derive(Debug, Clone)]
enum States {
    Static(&'static [Option<State>]),
    Owned(Vec<Option<State>>),
}

impl StackTable {
    /// The table of a blueprint. It takes 8 bytes for each set of roles: 16 KiB for eleven of them.
    pub fn new(blueprint: Blueprint) -> Self {
        let mut states = vec![None; blueprint.sets()];
        blueprint.fill(&mut states);
        Self {
            blueprint,
            states: States::Owned(states),
        }
    }

    /// A table made before the program runs, from the array that [`Blueprint::states`] computed.
    ///
    /// # Panics
    ///
    /// If the array is not that of the blueprint; in a `static` the compiler then refuses it.
    ///
    /// ```
    /// use convoy_stack::{Blueprint, State, StackTable};
    ///
    /// const TEXT: &str = "role W wagon\nrole D drone\ncarrier wagon [drone]";
    /// const BLUEPRINT: Blueprint = Blueprint::parse_or_panic(TEXT);
    /// static STATES: [Option<State>; BLUEPRINT.sets()] = BLUEPRINT.states();
    /// static VARIANT: StackTable = StackTable::from_static(BLUEPRINT, &STATES);
    ///
    /// assert_eq!(VARIANT.lawful().count(), 3);
    /// ```
    pub const fn from_static(blueprint: Blueprint, states: &'static [Option<State>]) -> Self {
        assert!(states.len() == blueprint.sets(), "one state for each set");
        let mut set = 0;
        let mut lawful = 0;
        while set < states.len() {
            if let Some(state) = states[set] {
                assert!(blueprint.holds(state), "a state of another blueprint");
                assert!(state.set().bits() as usize == set, "a state out of place");
                lawful += 1;
            }
            set += 1;
        }
        assert!(lawful == blueprint.lawful_sets(), "a lawful set is missing");
        Self {
            blueprint,
            states: States::Static(states),
        }
    }

    /// The blueprint that this is the table of.
    pub const fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// One entry for each mask.
    #[inline]
    const fn states(&self) -> &[Option<State>] {
        match &self.states {
            States::Static(states) => states,
            States::Owned(states) => states.as_slice(),
        }
    }

    /// The stack that exactly these roles make, or `None` if they make none (Rule 4.2).
    ///
    /// ```
    /// use convoy_stack::{COTULENH, RoleSet, State};
    ///
    /// // At compile time too.
    /// const NAVY_AND_TANK: Option<State> = COTULENH.lookup(RoleSet::from_bits(512 | 64));
    /// assert_eq!(NAVY_AND_TANK.map(State::bits), Some(0x40_0200));
    /// ```
    #[inline]
    pub const fn lookup(&self, set: RoleSet) -> Option<State> {
        let (states, index) = (self.states(), set.bits() as usize);
        if index < states.len() {
            states[index]
        } else {
            None
        }
    }

    /// The stack that pieces of these roles make, in any order, or `None` if they make none: also if there is no
    /// piece, if there are more than four, or if two have the same role.
    ///
    /// ```
    /// use convoy_stack::{COTULENH, roles};
    ///
    /// let tank_and_commander = COTULENH.lookup_roles([roles::TANK, roles::COMMANDER]);
    /// assert_eq!(tank_and_commander.map(|state| state.bits()), Some(0x1_0040));
    /// assert_eq!(COTULENH.lookup_roles([roles::TANK, roles::TANK]), None);
    /// ```
    pub fn lookup_roles(&self, roles: impl IntoIterator<Item = Role>) -> Option<State> {
        let mut set = RoleSet::EMPTY;
        for role in roles {
            if set.contains(role) {
                return None;
            }
            set |= role.set();
        }
        self.lookup(set)
    }

    /// Whether exactly these roles make a stack.
    #[inline]
    pub const fn is_lawful(&self, set: RoleSet) -> bool {
        self.lookup(set).is_some()
    }

    /// Both stacks as one, or `None` if they share a role or nobody can carry them all (Rule 4.3).
    ///
    /// ```
    /// # use convoy_stack::COTULENH;
    /// let [tank, navy, loaded] = ["T", "N", "NT"].map(|text| {
    ///     COTULENH.blueprint().read_set(text).and_then(|set| COTULENH.lookup(set)).unwrap()
    /// });
    /// assert_eq!(COTULENH.combine(tank, navy), Some(loaded));
    /// assert_eq!(COTULENH.combine(loaded, navy), None);
    /// ```
    #[inline]
    pub const fn combine(&self, a: State, b: State) -> Option<State> {
        let (a, b) = (a.set(), b.set());
        if a.is_disjoint(b) {
            self.lookup(a.union(b))
        } else {
            None
        }
    }

    /// What is left of a stack once `roles` have gone; `None` if nothing is, or if the rest is no
    /// stack. Under the built-in blueprint every rest is one (Rule 4.3).
    #[inline]
    pub const fn remove(&self, stack: State, roles: RoleSet) -> Option<State> {
        self.lookup(stack.set().without(roles))
    }

    /// The stack whose packed value is `bits`, or `None` if no lawful stack has that value.
    ///
    /// ```
    /// # use convoy_stack::COTULENH;
    /// assert!(COTULENH.read_state(0x40_0200).is_some_and(|state| state.len() == 2));
    /// assert_eq!(COTULENH.read_state(0x0200_0040), None);
    /// ```
    pub fn read_state(&self, bits: u64) -> Option<State> {
        let halves = bits | bits >> 32;
        let mask = (halves | halves >> 16) & 0xffff;
        let set = RoleSet::from_bits(u16::try_from(mask).ok()?);
        self.lookup(set).filter(|state| state.bits() == bits)
    }

    /// Every lawful stack, in rising order of mask.
    ///
    /// ```
    /// assert_eq!(convoy_stack::COTULENH.lawful().count(), 34);
    /// ```
    pub fn lawful(&self) -> impl Iterator<Item = State> + '_ {
        self.states().iter().filter_map(|state| *state)
    }

    /// A lawful stack with a part that is none, or `None` if every part of every stack is lawful.
    ///
    /// Where there is none, removing pieces never fails. The built-in blueprint has that property.
    pub fn broken_part(&self) -> Option<(State, RoleSet)> {
        self.lawful().find_map(|state| {
            let mut parts = state.set().parts().skip(1);
            Some((state, parts.find(|part| !self.is_lawful(*part))?))
        })
    }
}

impl Blueprint {
    /// The states of all sets of roles, indexed by mask. `N` must be [`sets`](Self::sets).
    ///
    /// # Panics
    ///
    /// If `N` is not the number of sets.
    pub const fn states<const N: usize>(&self) -> [Option<State>; N] {
        let mut states = [None; N];
        self.fill(&mut states);
        states
    }

    /// How many sets of roles make a stack.
    pub(crate) const fn lawful_sets(&self) -> usize {
        let mut lawful = 0;
        let mut index = 0;
        while index < self.len() {
            let [a, b, c] = self.slots_at(index);
            lawful += (1 + a.len()) * (1 + b.len()) * (1 + c.len());
            index += 1;
        }
        lawful
    }

    /// Whether this state is one of this blueprint.
    const fn holds(&self, state: State) -> bool {
        let slots = self.slots_at(state.carrier().index());
        let (mut slot, mut place) = (0, 1);
        while let Some(role) = state.role(place) {
            while slot < slots.len() && !slots[slot].contains(role) {
                slot += 1;
            }
            if slot == slots.len() {
                return false;
            }
            slot += 1;
            place += 1;
        }
        state.carrier().index() < self.len()
    }

    /// Enters every lawful stack: each carrier with each choice of at most one role a slot.
    const fn fill(&self, states: &mut [Option<State>]) {
        assert!(states.len() == self.sets(), "one state for each set");
        let mut index = 0;
        while index < self.len() {
            let [a, b, c] = self.slots_at(index);
            let lone = match Role::new(index as u8) {
                Some(role) => State::single(role),
                None => unreachable!(),
            };
            let mut first = Choice::of(a);
            while let Some(one) = first.load(lone) {
                let mut second = Choice::of(b);
                while let Some(two) = second.load(one) {
                    let mut third = Choice::of(c);
                    while let Some(three) = third.load(two) {
                        states[three.set().bits() as usize] = Some(three);
                    }
                }
            }
            index += 1;
        }
    }
}

/// What may lie in one slot: nothing, then each role in turn.
struct Choice {
    left: RoleSet,
    empty: bool,
}

impl Choice {
    const fn of(slot: RoleSet) -> Self {
        Self {
            left: slot,
            empty: true,
        }
    }

    /// The stack with the next choice loaded, or `None` after the last.
    const fn load(&mut self, stack: State) -> Option<State> {
        if self.empty {
            self.empty = false;
            return Some(stack);
        }
        match self.left.first() {
            Some(role) => {
                self.left = self.left.without(role.set());
                Some(stack.load(role))
            }
            None => None,
        }
    }
}
