//! The eleven kinds of pieces.

use std::fmt;

/// What a piece is, whatever its colour. The order is that of the bits of a role mask.
///
/// ```
/// use cotulenh::Role;
/// assert_eq!(Role::Tank.letter(), 'T');
/// assert_eq!(Role::from_letter('n'), Some(Role::Navy));
/// assert_eq!(Role::Headquarters.mask(), 1024);
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

    /// The role's bit in a set of roles (Rule 4.2).
    #[inline]
    pub const fn mask(self) -> u16 {
        1 << self as u16
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

    /// The roles of a mask, in the order of the bits.
    pub fn of_mask(mask: u16) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |role| role.mask() & mask != 0)
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
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
