//! Sea, land and what lies between.

use core::fmt;

use crate::{Role, Square, SquareSet};

/// What a square is made of (Rule 1.1).
///
/// ```
/// use cotulenh::{Role, Terrain};
/// let b3 = "b3".parse()?;
/// assert_eq!(Terrain::of(b3), Terrain::Sea);
/// assert!(Terrain::admits(Role::Navy, b3) && !Terrain::admits(Role::AirForce, b3));
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Terrain {
    /// Files a and b: ships only.
    Sea,
    /// The c-file and the mouth of the river: everybody.
    Mixed,
    /// The rest: everybody but ships.
    Land,
}

/// Where a ship may stand.
pub(crate) const NAVIGABLE: SquareSet = {
    // Bits 0 to 2 of every rank are files a, b and c.
    let mut set = SquareSet([0x0007_0007_0007_0007; 3]);
    let mouth = [(3, 5), (4, 5), (3, 6), (4, 6)];
    let mut index = 0;
    while index < mouth.len() {
        if let Some(square) = Square::at(mouth[index].0, mouth[index].1) {
            set = set.with(square);
        }
        index += 1;
    }
    set
};

/// Where everything but a ship may stand.
pub(crate) const LAND: SquareSet = SquareSet([0x07fc_07fc_07fc_07fc; 3]);

impl Terrain {
    /// The terrain of a square.
    pub const fn of(square: Square) -> Self {
        match (NAVIGABLE.contains(square), LAND.contains(square)) {
            (true, true) => Self::Mixed,
            (true, false) => Self::Sea,
            (false, _) => Self::Land,
        }
    }

    /// Rules 1.1 and 5: whether a stack that this role carries may stand there.
    #[inline]
    pub const fn admits(carrier: Role, square: Square) -> bool {
        Self::squares_for(carrier).contains(square)
    }

    /// Every square on which a stack that this role carries may stand.
    #[inline]
    pub const fn squares_for(carrier: Role) -> SquareSet {
        match carrier {
            Role::Navy => NAVIGABLE,
            _ => LAND,
        }
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sea => "sea",
            Self::Mixed => "mixed",
            Self::Land => "land",
        })
    }
}

/// Rule 3.5: whether a heavy piece on `from` may not move along a ray to `to`.
pub(crate) const fn river_closed(from: Square, to: Square) -> bool {
    let bridge = from.file() == to.file() && matches!(from.file(), 5 | 7);
    !bridge && (from.rank() < 6) != (to.rank() < 6)
}

/// Rule 3.6: whether a ship going diagonally from one square to the next cuts a closed corner.
pub(crate) const fn corner_closed(from: Square, to: Square) -> bool {
    let (coast, river) = if from.file() < to.file() {
        (from, to)
    } else {
        (to, from)
    };
    let pair = (coast.file(), coast.rank(), river.file(), river.rank());
    matches!(pair, (2, 4, 3, 5) | (2, 7, 3, 6))
}
