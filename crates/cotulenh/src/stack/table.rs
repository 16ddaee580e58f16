//! Every stack there can be, numbered: 34 lawful sets of roles, 142 with their heroic flags.

use convoy_stack::{COTULENH, RoleSet, State};

use super::Stack;
use super::rules::Site;
use crate::{PieceKind, Role};

/// Everything about a stack but its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// The set of roles.
    pub(crate) roles: RoleSet,
    /// Those of them that are heroic.
    pub(crate) heroic: RoleSet,
    /// The pieces in canonical order, then [`PieceKind::NONE`].
    pub(crate) members: [PieceKind; 3],
    /// How many pieces.
    pub(crate) len: u8,
    /// The number of the set of roles, from 1.
    pub(crate) set: u8,
    /// Rule 7.2: how far its carrier keeps aircraft off; 0 for most.
    pub(crate) cover: u8,
}

impl Info {
    /// Where there is no stack.
    pub(crate) const NOBODY: Self = Self {
        roles: RoleSet::EMPTY,
        heroic: RoleSet::EMPTY,
        members: [PieceKind::NONE; 3],
        len: 0,
        set: 0,
        cover: 0,
    };

    /// The stack with these roles, given as a set and carrier first, whose set has this number; bit *n* of `flags` makes
    /// piece *n* heroic.
    pub(crate) const fn new(all: RoleSet, roles: [Option<Role>; 3], set: u8, flags: u8) -> Self {
        let mut info = Self {
            roles: all,
            set,
            ..Self::NOBODY
        };
        let mut place = 0;
        while place < roles.len()
            && let Some(role) = roles[place]
        {
            let heroic = flags >> place & 1 == 1;
            if heroic {
                info.heroic = info.heroic.union(role.set());
            }
            info.members[place] = PieceKind::new(role, heroic);
            info.len += 1;
            place += 1;
        }
        if let Some(carrier) = roles[0] {
            info.cover = carrier.air_cover(info.members[0].is_heroic());
        }
        info
    }
}

/// One more than the number of lawful sets; 0 is no set.
pub(crate) const SETS: usize = 35;

/// One more than the number of stacks; 0 is no stack.
pub(crate) const STACKS: usize = 143;

struct Tables {
    /// Mask of roles → number of the set, or 0.
    set_of: [u8; 2048],
    /// Number of the set → id of its stack without a heroic piece.
    base: [u8; SETS],
    /// Id → everything about the stack. Ids run from 1; the length spares bounds checks.
    info: [Info; 256],
}

static TABLES: Tables = build();

const fn build() -> Tables {
    let mut tables = Tables {
        set_of: [0; 2048],
        base: [0; SETS],
        info: [Info::NOBODY; 256],
    };
    let (mut set, mut id) = (1, 1);
    let mut mask = 1;
    while mask < 2048 {
        if let Some(state) = COTULENH.lookup(RoleSet::from_bits(mask)) {
            tables.set_of[mask as usize] = set;
            tables.base[set as usize] = id;
            let mut flags = 0;
            while flags < 1 << state.len() {
                tables.info[id as usize] = Info::new(state.set(), roles_of(state), set, flags);
                id += 1;
                flags += 1;
            }
            set += 1;
        }
        mask += 1;
    }
    assert!(set as usize == SETS && id as usize == STACKS);
    tables
}

/// Rule 4.1: the roles of a stack in canonical order, carrier first.
const fn roles_of(state: State) -> [Option<Role>; 3] {
    let mut roles = [None; 3];
    let mut place = 0;
    while place < roles.len()
        && let Some(role) = state.role(place)
    {
        // The roles of the blueprint are those of the game, in the same order.
        roles[place] = Some(Role::ALL[role.index()]);
        place += 1;
    }
    roles
}

/// Id → the value of the red [`Stack`].
static PACKED: [u32; 256] = {
    let mut table = [0; 256];
    let mut id = 1;
    while id < STACKS {
        #[allow(clippy::cast_possible_truncation, reason = "at most 142")]
        let number = id as u16;
        table[id] = Stack::pack(number, TABLES.info[id].members);
        id += 1;
    }
    table
};

/// The value of the red stack with an id, 0 for none.
#[inline]
pub(crate) const fn packed(id: u8) -> u32 {
    PACKED[id as usize]
}

/// Id → the red stack in FEN notation, and its length.
static TEXTS: [([u8; 8], u8); 256] = {
    let mut table = [([0; 8], 0); 256];
    let mut id = 1;
    while id < STACKS {
        let info = &TABLES.info[id];
        let (mut text, mut len) = ([0; 8], 0);
        if info.len > 1 {
            text[0] = b'(';
            len = 1;
        }
        let mut index = 0;
        while index < info.len as usize {
            let kind = info.members[index];
            if kind.is_heroic() {
                text[len] = b'+';
                len += 1;
            }
            text[len] = kind.role().letter() as u8;
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

/// For two sets of roles, where they may stand as one stack.
static SITES: [[Site; 64]; SETS] = {
    let mut masks = [0; SETS];
    let mut mask = 1;
    while mask < 2048 {
        masks[TABLES.set_of[mask] as usize] = mask;
        mask += 1;
    }
    let mut table = [[Site::Nowhere; 64]; SETS];
    let mut a = 1;
    while a < SETS {
        let mut b = 1;
        while b < SETS {
            let both = masks[a] | masks[b];
            if masks[a] & masks[b] == 0 && TABLES.set_of[both] != 0 {
                table[a][b] = if both & Role::Navy.set().bits() as usize == 0 {
                    Site::Land
                } else {
                    Site::Water
                };
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// Where two sets of roles may stand as one stack.
#[inline]
pub(crate) fn site(a: u8, b: u8) -> Site {
    SITES[a as usize][b as usize & 63]
}

/// Everything about the stack with an id but its colour.
#[inline]
pub(crate) const fn info(id: u8) -> &'static Info {
    &TABLES.info[id as usize]
}

/// The number of a set of roles, 1 to 34, or 0 if they are no lawful stack (Rule 4.2).
#[inline]
pub(crate) fn set_of(roles: RoleSet) -> u8 {
    TABLES.set_of[roles.bits() as usize & 2047]
}

/// The id of the stack of a set of roles without a heroic piece.
pub(crate) fn base(set: u8) -> u8 {
    TABLES.base[set as usize]
}

/// Kind → the id of the stack of one such piece.
static SINGLES: [u8; PieceKind::COUNT] = {
    let mut table = [0; PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let set = TABLES.set_of[1 << (kind / 2)];
        #[allow(clippy::cast_possible_truncation, reason = "0 or 1")]
        let heroic = (kind % 2) as u8;
        table[kind] = TABLES.base[set as usize] + heroic;
        kind += 1;
    }
    table
};

/// The id of the stack of one piece.
#[inline]
pub(crate) fn single(kind: PieceKind) -> u8 {
    SINGLES[kind.index()]
}

/// The id of a stack, or 0 if the roles are no lawful set.
#[inline]
pub(crate) fn id_of(roles: RoleSet, heroic: RoleSet) -> u8 {
    let base = TABLES.base[set_of(roles) as usize];
    let plain = info(base);
    let flag = |index: usize| {
        let kind = plain.members[index];
        u8::from(kind != PieceKind::NONE && kind.is_in(heroic)) << index
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
            assert_eq!(theirs, role.into());
        }
    }

    #[test]
    fn every_part_of_a_lawful_stack_is_lawful() {
        for set in (1..2048)
            .map(RoleSet::from_bits)
            .filter(|set| set_of(*set) != 0)
        {
            assert!(set.parts().skip(1).all(|part| set_of(part) != 0));
        }
    }

    #[test]
    fn ids_read_back() {
        for id in 1..=142 {
            assert_eq!(id_of(info(id).roles, info(id).heroic), id);
        }
    }
}
