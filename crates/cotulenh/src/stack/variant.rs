//! Stacks by another blueprint than that of Rule 4.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use convoy_stack::{Blueprint, RoleSet, StackTable, Word};

use super::Stack;
use super::rules::{Site, StackRules, Tables};
use super::table::Info;
use crate::{PieceKind, Role};

/// A blueprint under which a game can be played: other carriers or other slots for the same eleven roles.
///
/// Everything else is as in the standard game, but slower. Where a deploy would leave pieces behind that make
/// no stack, the step is not legal: the piece must go later, or the others first.
///
/// ```
/// use cotulenh::{Game, Position, StackRules, Variant};
/// // The founding document's blueprint, with one rule changed: a ship also carries engineers.
/// let blueprint = "
/// blueprints:
///   NAVY:
///     - [AIR_FORCE]
///     - [COMMANDER, INFANTRY, MILITIA, TANK, ENGINEER]
///   TANK:
///     - [COMMANDER, INFANTRY, MILITIA]
/// ";
/// let variant = Variant::new(&blueprint.parse()?)?;
/// let fen = "6c4/9ii/11/11/11/11/11/11/2(NE)8/11/9II/5C5 r - - 0 1";
/// assert!(fen.parse::<Position>().is_err(), "no stack of the standard game");
/// let mut game = Game::new(Position::from_fen(&variant, fen)?);
/// game.play_text("(NE)c7")?;
/// assert_eq!(game.sans(), ["(NE)c7"]);
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Variant(Arc<VariantTables>);

struct VariantTables {
    blueprint: Blueprint,
    /// Mask of roles → number of the set, or 0.
    set_of: Vec<u8>,
    /// Number of the set → number of its stack without a heroic piece.
    base: Vec<u16>,
    info: Vec<Info>,
    /// For each two sets where they may stand as one.
    sites: Vec<Site>,
    closed: bool,
}

/// Why no game can be played under a blueprint.
///
/// ```
/// use cotulenh::{Variant, VariantError};
/// let blueprint = "role W wagon".parse()?;
/// let error = Variant::new(&blueprint).unwrap_err();
/// assert_eq!(error.to_string(), "the game has no role called wagon");
/// # Ok::<_, convoy_stack::ParseBlueprintError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariantError {
    /// A role that the game does not have.
    UnknownRole(Word),
    /// A carrier with three slots: a square holds three pieces at most.
    TooManyPieces(Role),
}

/// The numbers of a variant are told apart from those of the standard game by this bit.
const MARK: u16 = 1 << 15;

impl Variant {
    /// The variant of a blueprint. Its roles are found by name, in whatever order they are declared; a
    /// role that it leaves out stands alone.
    pub fn new(blueprint: &Blueprint) -> Result<Self, VariantError> {
        let roles = game_roles(blueprint)?;
        for carrier in blueprint.carriers() {
            if blueprint.slots(carrier).len() >= Stack::MAX_PIECES {
                return Err(VariantError::TooManyPieces(roles[carrier.index()]));
            }
        }
        let table = StackTable::new(*blueprint);
        let mut tables = VariantTables {
            blueprint: *blueprint,
            set_of: vec![0; 1 << Role::ALL.len()],
            base: vec![0],
            info: vec![Info::NOBODY],
            sites: Vec::new(),
            closed: table.broken_part().is_none(),
        };
        for state in table.lawful() {
            tables.add(state.roles().map(|role| roles[role.index()]));
        }
        for role in Role::ALL {
            if tables.set_of[usize::from(role.set().bits())] == 0 {
                tables.add([role].into_iter());
            }
        }
        tables.fill_sites();
        Ok(Self(Arc::new(tables)))
    }

    /// The blueprint.
    pub fn blueprint(&self) -> &Blueprint {
        &self.0.blueprint
    }

    /// Whether every part of every stack is a stack, as in the standard game.
    pub fn is_closed(&self) -> bool {
        self.0.closed
    }
}

/// The role of the game for each role of the blueprint.
fn game_roles(blueprint: &Blueprint) -> Result<Vec<Role>, VariantError> {
    let standard = convoy_stack::COTULENH.blueprint();
    blueprint
        .all()
        .iter()
        .map(|role| {
            let name = blueprint.name(role).unwrap_or_default();
            let known = standard
                .role(name)
                .and_then(|role| Role::try_from(role).ok());
            known.ok_or_else(|| VariantError::UnknownRole(Word::from(name)))
        })
        .collect()
}

impl VariantTables {
    /// Enters the stacks of a set of roles, carrier first, with all their heroic flags.
    fn add(&mut self, roles: impl Iterator<Item = Role>) {
        let mut members = [None; 3];
        for (place, role) in members.iter_mut().zip(roles) {
            *place = Some(role);
        }
        let mask = members.iter().flatten().map(|role| role.set());
        let mask = mask.fold(RoleSet::EMPTY, |all, role| all | role);
        let number = u8::try_from(self.base.len()).unwrap_or(u8::MAX);
        self.set_of[usize::from(mask.bits())] = number;
        self.base
            .push(u16::try_from(self.info.len()).unwrap_or(u16::MAX));
        for flags in 0..1 << mask.len() {
            self.info.push(Info::new(mask, members, number, flags));
        }
    }

    fn fill_sites(&mut self) {
        let sets = self.base.len();
        self.sites = vec![Site::Nowhere; sets * sets];
        let of = |number: usize| &self.info[usize::from(self.base[number])];
        let mut sites = Vec::new();
        for a in 1..sets {
            for b in 1..sets {
                let (one, other) = (of(a).roles, of(b).roles);
                let both = self.set_of[usize::from((one | other).bits())];
                if one.is_disjoint(other) && both != 0 {
                    let ship = of(usize::from(both)).members[0].is(Role::Navy);
                    let site = if ship { Site::Water } else { Site::Land };
                    sites.push((a * sets + b, site));
                }
            }
        }
        for (index, site) in sites {
            self.sites[index] = site;
        }
    }
}

impl StackRules for Variant {}

impl Tables for Variant {
    type Id = u16;

    const CLOSED: bool = false;

    fn info(&self, id: u16) -> &Info {
        &self.0.info[usize::from(id)]
    }

    fn find(&self, roles: RoleSet, heroic: RoleSet) -> u16 {
        let base = self.0.base[usize::from(self.set_of(roles))];
        let members = self.info(base).members;
        (0..members.len()).fold(base, |id, place| {
            let kind = members[place];
            let heroic = kind != PieceKind::NONE && kind.is_in(heroic);
            id + (u16::from(heroic) << place)
        })
    }

    fn single(&self, kind: PieceKind) -> u16 {
        let role = kind.role().set();
        self.find(
            role,
            if kind.is_heroic() {
                role
            } else {
                RoleSet::EMPTY
            },
        )
    }

    fn set_of(&self, roles: RoleSet) -> u8 {
        let set = self.0.set_of.get(usize::from(roles.bits()));
        set.copied().unwrap_or_default()
    }

    fn roles_of(&self, set: u8) -> RoleSet {
        self.info(self.0.base[usize::from(set)]).roles
    }

    fn site(&self, a: u8, b: u8) -> Site {
        self.0.sites[usize::from(a) * self.0.base.len() + usize::from(b)]
    }

    fn packed(&self, id: u16) -> u32 {
        match id {
            0 => 0,
            _ => Stack::pack(id | MARK, self.info(id).members),
        }
    }

    fn id_of(&self, stack: Stack) -> u16 {
        stack.id() & !MARK
    }
}

/// Two variants are equal if their blueprints are.
impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.blueprint() == other.blueprint()
    }
}

impl Eq for Variant {}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Variant")
            .field(&format_args!("{} stacks", self.0.base.len() - 1))
            .finish()
    }
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRole(name) => write!(f, "the game has no role called {name}"),
            Self::TooManyPieces(role) => write!(
                f,
                "{} has three slots: a square holds {} pieces at most",
                role.name(),
                Stack::MAX_PIECES
            ),
        }
    }
}

impl Error for VariantError {}
