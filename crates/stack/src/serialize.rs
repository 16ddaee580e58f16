//! Values as JSON and the like, both ways: sets and states as numbers, blueprints as their text.

use alloc::string::String;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Blueprint, Role, RoleSet, State};

impl Serialize for Role {
    /// Its number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        let wrong = || D::Error::invalid_value(Unexpected::Unsigned(index.into()), &"below 16");
        Self::new(index).ok_or_else(wrong)
    }
}

impl Serialize for RoleSet {
    /// The mask.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.bits())
    }
}

impl<'de> Deserialize<'de> for RoleSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u16::deserialize(deserializer).map(Self::from_bits)
    }
}

/// Only written: which states there are, a table must tell.
impl Serialize for State {
    /// The packed value in hexadecimal, `0x400200`: not every language has integers of 64 bits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:#x}"))
    }
}

impl Serialize for Blueprint {
    /// The text that reads back as the same.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Blueprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Blueprint, COTULENH, RoleSet, roles};

    #[test]
    fn values_survive_json() {
        let blueprint = *COTULENH.blueprint();
        let json = serde_json::to_string(&blueprint).unwrap();
        assert_eq!(serde_json::from_str::<Blueprint>(&json).unwrap(), blueprint);
        let set = roles::NAVY.set() | roles::TANK.set();
        assert_eq!(serde_json::to_string(&set).unwrap(), "576");
        assert_eq!(serde_json::from_str::<RoleSet>("576").unwrap(), set);
        let state = COTULENH.lookup(set).unwrap();
        assert_eq!(serde_json::to_string(&state).unwrap(), "\"0x400200\"");
        assert_eq!(
            serde_json::from_str::<crate::Role>("9").unwrap(),
            roles::NAVY
        );
        assert!(serde_json::from_str::<crate::Role>("16").is_err());
        assert!(serde_json::from_str::<Blueprint>("\"role\"").is_err());
    }
}
