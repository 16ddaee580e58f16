#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "fields of a packed word are cut out by casts, as `try_from` is not const"
)]

extern crate alloc;

mod blueprint;
mod combine_error;
mod conflict;
mod explain;
mod role;
pub mod roles;
#[cfg(feature = "serde")]
mod serialize;
mod split;
mod stack;
mod stacker;
mod state;
mod table;
mod tree;

pub use blueprint::{Blueprint, BlueprintError, ParseBlueprintError, Word};
pub use combine_error::{Attempt, CombineError, CombineErrorKind};
pub use conflict::Conflict;
pub use explain::Explanation;
pub use role::{Parts, Role, RoleSet, Roles};
pub use stack::{Stack, flatten};
pub use stacker::{RemoveError, Stacker};
pub use state::State;
pub use table::StackTable;
pub use tree::{Node, Tree};

/// The text of the built-in blueprint: Cờ Tư Lệnh, eleven roles and five carriers (Rule 4.1).
pub const COTULENH_BLUEPRINT: &str = include_str!("../blueprints/cotulenh.blueprint");

const BLUEPRINT: Blueprint = Blueprint::parse_or_panic(COTULENH_BLUEPRINT);

static STATES: [Option<State>; BLUEPRINT.sets()] = BLUEPRINT.states();

/// The table of the built-in blueprint, made by the compiler: 34 lawful stacks among 2,048 sets (Rule 4.2).
///
/// ```
/// use convoy_stack::{COTULENH, RoleSet};
///
/// let tank_and_infantry = COTULENH.lookup(RoleSet::from_bits(64 | 2));
/// assert_eq!(tank_and_infantry.map(|state| state.bits()), Some(0x0002_0040));
/// assert!(!COTULENH.is_lawful(RoleSet::from_bits(1 | 2)));
/// ```
pub static COTULENH: StackTable = StackTable::from_static(BLUEPRINT, &STATES);

#[doc = include_str!("../COOKBOOK.md")]
pub mod cookbook {}
