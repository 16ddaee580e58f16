//! The eleven roles of Cờ Tư Lệnh as constants.
//!
//! ```
//! use convoy_stack::{COTULENH, roles};
//!
//! assert_eq!(roles::NAVY.set().bits(), 512);
//! let stack = COTULENH.lookup_roles([roles::NAVY, roles::AIR_FORCE, roles::TANK]);
//! assert_eq!(stack.map(|state| state.bits()), Some(0x40_0080_0200));
//! ```

use crate::{BLUEPRINT, Role};

const fn named(name: &str) -> Role {
    BLUEPRINT
        .role(name)
        .expect("a role of the built-in blueprint")
}

/// Flag 1.
pub const COMMANDER: Role = named("COMMANDER");
/// Flag 2.
pub const INFANTRY: Role = named("INFANTRY");
/// Flag 4.
pub const MILITIA: Role = named("MILITIA");
/// Flag 8.
pub const ARTILLERY: Role = named("ARTILLERY");
/// Flag 16.
pub const ANTI_AIR: Role = named("ANTI_AIR");
/// Flag 32.
pub const MISSILE: Role = named("MISSILE");
/// Flag 64.
pub const TANK: Role = named("TANK");
/// Flag 128.
pub const AIR_FORCE: Role = named("AIR_FORCE");
/// Flag 256.
pub const ENGINEER: Role = named("ENGINEER");
/// Flag 512.
pub const NAVY: Role = named("NAVY");
/// Flag 1024.
pub const HEADQUARTER: Role = named("HEADQUARTER");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_founding_document() {
        let all = [
            COMMANDER,
            INFANTRY,
            MILITIA,
            ARTILLERY,
            ANTI_AIR,
            MISSILE,
            TANK,
            AIR_FORCE,
            ENGINEER,
            NAVY,
            HEADQUARTER,
        ];
        for (index, role) in all.into_iter().enumerate() {
            assert_eq!(role.set().bits(), 1 << index);
        }
        assert_eq!(all.len(), BLUEPRINT.len());
    }
}
