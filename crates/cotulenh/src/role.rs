//! The eleven kinds of pieces.

use core::fmt;
use core::str::FromStr;

use convoy_stack::RoleSet;

/// What a piece is, whatever its colour. The order is that of the bits of a [`RoleSet`].
///
/// ```
/// use cotulenh::Role;
/// assert_eq!(Role::Tank.letter(), 'T');
/// assert_eq!(Role::from_letter('n'), Some(Role::Navy));
/// assert_eq!(Role::Headquarters.set().bits(), 1024);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Tư lệnh: its loss ends the game.
    Commander,
    /// Bộ binh.
    Infantry,
    /// Dân quân.
    Militia,
    /// Pháo binh.
    Artillery,
    /// Cao xạ, an anti-air gun.
    AntiAir,
    /// Tên lửa.
    Missile,
    /// Xe tăng.
    Tank,
    /// Không quân.
    AirForce,
    /// Công binh.
    Engineer,
    /// Hải quân.
    Navy,
    /// Sở chỉ huy.
    Headquarters,
}

impl Role {
    /// Every role, in the order of the mask bits.
    pub const ALL: [Self; 11] = [
        Self::Commander,
        Self::Infantry,
        Self::Militia,
        Self::Artillery,
        Self::AntiAir,
        Self::Missile,
        Self::Tank,
        Self::AirForce,
        Self::Engineer,
        Self::Navy,
        Self::Headquarters,
    ];

    const LETTERS: [u8; 11] = *b"CIMAGSTFENH";

    /// The position in [`Role::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The set of this role alone; its bits are the role's flag (Rule 4.2).
    #[inline]
    pub const fn set(self) -> RoleSet {
        RoleSet::from_bits(1 << self as u16)
    }

    /// The upper-case letter of the role.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize] as char
    }

    /// The role that a letter of either case names.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'C' => Some(Self::Commander),
            'I' => Some(Self::Infantry),
            'M' => Some(Self::Militia),
            'A' => Some(Self::Artillery),
            'G' => Some(Self::AntiAir),
            'S' => Some(Self::Missile),
            'T' => Some(Self::Tank),
            'F' => Some(Self::AirForce),
            'E' => Some(Self::Engineer),
            'N' => Some(Self::Navy),
            'H' => Some(Self::Headquarters),
            _ => None,
        }
    }

    /// The roles of a set, in the order of [`Role::ALL`].
    ///
    /// ```
    /// use cotulenh::Role;
    /// let set = Role::Tank.set() | Role::Commander.set();
    /// assert!(Role::of_set(set).eq([Role::Commander, Role::Tank]));
    /// ```
    pub fn of_set(set: RoleSet) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |role| !set.is_disjoint(role.set()))
    }

    /// The letters of a set of roles, in the order of [`Role::ALL`].
    pub(crate) fn letters(set: RoleSet) -> alloc::string::String {
        Self::of_set(set).map(Self::letter).collect()
    }

    /// The English name: `air force`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Commander => "commander",
            Self::Infantry => "infantry",
            Self::Militia => "militia",
            Self::Artillery => "artillery",
            Self::AntiAir => "anti-air gun",
            Self::Missile => "missile",
            Self::Tank => "tank",
            Self::AirForce => "air force",
            Self::Engineer => "engineer",
            Self::Navy => "navy",
            Self::Headquarters => "headquarters",
        }
    }

    /// Rule 1.2: artillery, anti-air guns and missiles cross the river on the bridges only.
    pub const fn is_heavy(self) -> bool {
        matches!(self, Self::Artillery | Self::AntiAir | Self::Missile)
    }

    /// Rule 3.1: whether it captures over other pieces.
    pub const fn shoots_over(self) -> bool {
        matches!(
            self,
            Self::Artillery | Self::Missile | Self::AirForce | Self::Navy
        )
    }

    /// Rule 7.2.1: how many squares away a carrier of this role keeps aircraft off; 0 for most.
    ///
    /// ```
    /// use cotulenh::Role;
    /// assert_eq!(Role::Missile.air_cover(true), 3);
    /// assert_eq!(Role::Tank.air_cover(false), 0);
    /// ```
    pub const fn air_cover(self, heroic: bool) -> u8 {
        match self {
            Self::AntiAir | Self::Navy => 1 + heroic as u8,
            Self::Missile => 2 + heroic as u8,
            _ => 0,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Role {
    type Err = ParseRoleError;

    /// Reads a letter of either case.
    fn from_str(text: &str) -> Result<Self, ParseRoleError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Self::from_letter(letter).ok_or(ParseRoleError),
            _ => Err(ParseRoleError),
        }
    }
}

/// The text is not the letter of a role.
///
/// ```
/// use cotulenh::{ParseRoleError, Role};
/// assert_eq!("t".parse(), Ok(Role::Tank));
/// assert_eq!("tank".parse::<Role>(), Err(ParseRoleError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseRoleError;

impl fmt::Display for ParseRoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a role: one letter of C I M A G S T F E N H")
    }
}

impl core::error::Error for ParseRoleError {}

impl From<Role> for RoleSet {
    fn from(role: Role) -> Self {
        role.set()
    }
}

impl From<Role> for convoy_stack::Role {
    /// The role of the built-in blueprint of `convoy-stack`.
    #[allow(
        clippy::missing_panics_doc,
        reason = "eleven roles are fewer than sixteen"
    )]
    fn from(role: Role) -> Self {
        Self::new(role as u8).expect("eleven roles fit a blueprint")
    }
}

impl TryFrom<convoy_stack::Role> for Role {
    type Error = ParseRoleError;

    /// The role of the game, for a role of the built-in blueprint of `convoy-stack`.
    fn try_from(role: convoy_stack::Role) -> Result<Self, ParseRoleError> {
        Self::ALL.get(role.index()).copied().ok_or(ParseRoleError)
    }
}
