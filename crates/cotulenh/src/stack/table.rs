//! Every stack there can be, numbered: 34 lawful sets of roles, 142 with their heroic flags.

use convoy_stack::{COTULENH, RoleSet};

use crate::terrain::{LAND, NAVIGABLE};
use crate::{Role, Square};

/// Rule 4.1: the roles of a lawful set in canonical order, carrier first. Zero is nobody.
const fn members(set: u16) -> Option<[u16; 3]> {
    let Some(state) = COTULENH.lookup(RoleSet::from_bits(set)) else {
        return None;
    };
    let mut roles = [0; 3];
    let mut place = 0;
    while let Some(role) = state.role(place) {
        roles[place] = role.set().bits();
        place += 1;
    }
    Some(roles)
}

/// A piece without its colour: `2 * role + heroic`.
pub(crate) type Kind = u8;

/// No piece, in a list of kinds.
pub(crate) const NO_KIND: Kind = u8::MAX;

/// How many kinds there are.
pub(crate) const KINDS: usize = 22;

/// What is to be known of a stack but its colour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Info {
    /// The set of roles.
    pub(crate) roles: u16,
    /// Those of them that are heroic.
    pub(crate) heroic: u16,
    /// The pieces in canonical order, then `NO_KIND`.
    pub(crate) members: [Kind; 3],
    /// How many pieces.
    pub(crate) len: u8,
    /// The number of the set of roles, 1 to 34.
    pub(crate) set: u8,
    /// Rule 7.2: how far its carrier keeps aircraft off; 0 for most.
    pub(crate) cover: u8,
}

/// One more than the number of lawful sets; 0 is no set.
pub(crate) const SETS: usize = 35;

struct Tables {
    /// Mask of roles → number of the set, or 0.
    set_of: [u8; 2048],
    /// Number of the set → id of its stack without a heroic piece.
    base: [u8; SETS],
    /// Id → what is to be known. Ids run from 1; the length spares bounds checks.
    info: [Info; 256],
}

static TABLES: Tables = build();

const fn build() -> Tables {
    let nobody = Info {
        roles: 0,
        heroic: 0,
        members: [NO_KIND; 3],
        len: 0,
        set: 0,
        cover: 0,
    };
    let mut tables = Tables {
        set_of: [0; 2048],
        base: [0; SETS],
        info: [nobody; 256],
    };
    let (mut set, mut id) = (1, 1);
    let mut mask = 1;
    while mask < 2048 {
        if let Some(roles) = members(mask) {
            tables.set_of[mask as usize] = set;
            tables.base[set as usize] = id;
            let variants = 1 << mask.count_ones();
            let mut flags = 0;
            while flags < variants {
                tables.info[id as usize] = describe(mask, set, roles, flags);
                id += 1;
                flags += 1;
            }
            set += 1;
        }
        mask += 1;
    }
    assert!(set as usize == SETS && id == 143);
    tables
}

const fn describe(mask: u16, set: u8, roles: [u16; 3], flags: u8) -> Info {
    let mut info = Info {
        roles: mask,
        heroic: 0,
        members: [NO_KIND; 3],
        len: 0,
        set,
        cover: 0,
    };
    let mut index = 0;
    while index < 3 && roles[index] != 0 {
        let heroic = flags >> index & 1;
        if heroic == 1 {
            info.heroic |= roles[index];
        }
        #[allow(clippy::cast_possible_truncation, reason = "eleven roles")]
        let role = roles[index].trailing_zeros() as u8;
        info.members[index] = 2 * role + heroic;
        info.len += 1;
        index += 1;
    }
    info.cover = match info.members[0] >> 1 {
        4 | 9 => 1 + (info.members[0] & 1),
        5 => 2 + (info.members[0] & 1),
        _ => 0,
    };
    info
}

/// Id → the red stack in FEN notation, and its length.
static TEXTS: [([u8; 8], u8); 256] = {
    let mut table = [([0; 8], 0); 256];
    let mut id = 1;
    while id < 143 {
        let info = &TABLES.info[id];
        let (mut text, mut len) = ([0; 8], 0);
        if info.len > 1 {
            text[0] = b'(';
            len = 1;
        }
        let mut index = 0;
        while index < info.len as usize {
            let kind = info.members[index];
            if kind & 1 == 1 {
                text[len] = b'+';
                len += 1;
            }
            text[len] = Role::ALL[(kind >> 1) as usize].letter() as u8;
            len += 1;
            index += 1;
        }
        if info.len > 1 {
            text[len] = b')';
            len += 1;
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most eight")]
        let len = len as u8;
        table[id] = (text, len);
        id += 1;
    }
    table
};

/// The stack with an id in FEN notation, in upper case, padded to eight bytes, and its length.
#[inline]
pub(crate) const fn text(id: u8) -> (&'static [u8; 8], usize) {
    let (text, len) = &TEXTS[id as usize];
    (text, *len as usize)
}

/// For two sets of roles, where they may stand as one stack: 0 nowhere, 1 on land, 2 at sea.
static JOINS: [[u8; 64]; SETS] = {
    let mut masks = [0; SETS];
    let mut mask = 1;
    while mask < 2048 {
        masks[TABLES.set_of[mask] as usize] = mask;
        mask += 1;
    }
    let mut table = [[0; 64]; SETS];
    let mut a = 1;
    while a < SETS {
        let mut b = 1;
        while b < SETS {
            let both = masks[a] | masks[b];
            if masks[a] & masks[b] == 0 && TABLES.set_of[both] != 0 {
                table[a][b] = if both & Role::Navy.mask() as usize == 0 {
                    1
                } else {
                    2
                };
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// Whether two sets of roles may stand on a square as one stack (Rules 4.4 and 5).
#[inline]
pub(crate) fn may_join(a: u8, b: u8, square: Square) -> bool {
    match JOINS[a as usize][b as usize & 63] {
        0 => false,
        1 => LAND.contains(square),
        _ => NAVIGABLE.contains(square),
    }
}

/// What is to be known of the stack with an id.
#[inline]
pub(crate) const fn info(id: u8) -> &'static Info {
    &TABLES.info[id as usize]
}

/// The number of a set of roles, 1 to 34, or 0 if they are no lawful stack (Rule 4.2).
#[inline]
pub(crate) fn set_of(roles: u16) -> u8 {
    TABLES.set_of[roles as usize & 2047]
}

/// The id of a stack, or 0 if the roles are no lawful set.
#[inline]
pub(crate) fn id_of(roles: u16, heroic: u16) -> u8 {
    let base = TABLES.base[set_of(roles) as usize];
    let plain = info(base);
    let flag = |index: usize| {
        let kind = plain.members[index];
        // A missing member has a kind beyond the sixteen bits of the mask.
        u8::from(kind != NO_KIND && heroic >> (kind >> 1) & 1 != 0) << index
    };
    base + (flag(0) | flag(1) | flag(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_those_of_the_blueprint() {
        let blueprint = COTULENH.blueprint();
        assert_eq!(blueprint.len(), Role::ALL.len());
        for role in Role::ALL {
            let theirs = blueprint.role(&role.letter().to_string()).unwrap();
            assert_eq!(theirs.set().bits(), role.mask());
        }
    }

    #[test]
    fn every_part_of_a_lawful_stack_is_lawful() {
        for set in (1..2048u16).filter(|set| set_of(*set) != 0) {
            let parts = (1..=set).filter(|part| part & set == *part);
            assert!(parts.into_iter().all(|part| set_of(part) != 0));
        }
    }

    #[test]
    fn ids_read_back() {
        for id in 1..143 {
            assert_eq!(id_of(info(id).roles, info(id).heroic), id);
        }
    }
}
