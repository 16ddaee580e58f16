//! How far each piece goes, and the lines of the board.

use crate::stack::table::{KINDS, Kind};
use crate::{Role, Square, SquareSet};

/// How many squares a piece reaches along a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Along files and ranks.
    pub(crate) straight: u8,
    /// Along diagonals.
    pub(crate) diagonal: u8,
}

const fn reach(straight: u8, diagonal: u8) -> Reach {
    Reach { straight, diagonal }
}

/// Further than any ray of the board.
pub(crate) const FAR: u8 = 12;

impl Reach {
    /// One square further, and now diagonally too.
    const fn heroic(self) -> Self {
        let straight = self.straight + 1;
        let diagonal = if self.diagonal == 0 {
            straight
        } else {
            self.diagonal + 1
        };
        Self { straight, diagonal }
    }

    /// The reach in a direction.
    #[inline]
    pub(crate) const fn along(self, direction: Direction) -> u8 {
        if direction.is_diagonal() {
            self.diagonal
        } else {
            self.straight
        }
    }

    const fn less(self, by: u8) -> Self {
        Self {
            straight: self.straight.saturating_sub(by),
            diagonal: self.diagonal.saturating_sub(by),
        }
    }
}

/// Rule 3.1, in the order of the role bits.
#[rustfmt::skip]
const REACH: [Reach; 11] = [
    reach(FAR, 0), // commander
    reach(1, 0),   // infantry
    reach(1, 1),   // militia
    reach(3, 3),   // artillery
    reach(1, 0),   // anti-air
    reach(2, 1),   // missile
    reach(2, 0),   // tank
    reach(4, 4),   // air force
    reach(1, 0),   // engineer
    reach(4, 4),   // navy
    reach(0, 0),   // headquarters
];

/// How far a kind of piece moves.
pub(crate) const MOVE_REACH: [Reach; KINDS] = {
    let mut table = [reach(0, 0); KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let plain = REACH[kind / 2];
        table[kind] = if kind % 2 == 0 { plain } else { plain.heroic() };
        kind += 1;
    }
    table[1] = reach(FAR, FAR);
    table
};

/// How far a kind of piece captures: ships among themselves, everybody else anybody.
pub(crate) const TORPEDO_REACH: [Reach; KINDS] = {
    let mut table = MOVE_REACH;
    // Rule 3.7: a commander strikes the next square only.
    table[0] = reach(1, 0);
    table[1] = reach(1, 1);
    table
};

/// How far a kind of piece captures what is not led by a ship: a ship's guns fall one short.
pub(crate) const GUN_REACH: [Reach; KINDS] = {
    let mut table = TORPEDO_REACH;
    let navy = 2 * Role::Navy.index();
    table[navy] = table[navy].less(1);
    table[navy + 1] = table[navy + 1].less(1);
    table
};

/// One of the eight directions, in the order of Rule 3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Direction {
    North,
    East,
    South,
    West,
    NorthWest,
    NorthEast,
    SouthEast,
    SouthWest,
}

impl Direction {
    pub(crate) const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
    ];

    #[inline]
    pub(crate) const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// Files right and ranks up.
    pub(crate) const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, 1),
            Self::NorthEast => (1, 1),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
        }
    }

    /// Whether indices grow along the direction.
    #[inline]
    const fn ascends(self) -> bool {
        matches!(
            self,
            Self::East | Self::South | Self::SouthEast | Self::SouthWest
        )
    }

    /// The member of a set of squares on a ray in this direction that comes first.
    #[inline]
    pub(crate) const fn nearest(self, on_ray: SquareSet) -> Option<Square> {
        if self.ascends() {
            on_ray.first()
        } else {
            on_ray.last()
        }
    }

    /// All squares from `square` (exclusive) to the edge of the board.
    #[inline]
    pub(crate) fn ray(self, square: Square) -> SquareSet {
        RAYS[self as usize][square.index()]
    }
}

static RAYS: [[SquareSet; Square::INDEX_LEN]; 8] = {
    let mut table = [[SquareSet::EMPTY; Square::INDEX_LEN]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        let mut index = 0;
        while index < Square::INDEX_LEN {
            let mut at = Square::from_index(index);
            while let Some(square) = at {
                at = square.offset(dx, dy);
                if let Some(next) = at {
                    table[direction][index] = table[direction][index].with(next);
                }
            }
            index += 1;
        }
        direction += 1;
    }
    table
};

/// The longest reach of any piece but a commander's slide.
const NEAR: u8 = 5;

/// The squares on the eight lines through a square, up to five away.
static STARS: [SquareSet; Square::INDEX_LEN] = {
    let mut table = [SquareSet::EMPTY; Square::INDEX_LEN];
    let mut index = 0;
    while index < Square::INDEX_LEN {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = Direction::ALL[direction].delta();
            let (mut at, mut step) = (Square::from_index(index), 0);
            while let Some(square) = at
                && step < NEAR
            {
                at = square.offset(dx, dy);
                if let Some(next) = at {
                    table[index] = table[index].with(next);
                }
                step += 1;
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// The squares on the eight lines through a square, up to five away: whence it can be attacked.
#[inline]
pub(crate) fn star(square: Square) -> SquareSet {
    STARS[square.index()]
}

const LINE_MIDDLE: usize = 17 * NEAR as usize;

/// Difference of two indices → `8 * distance + direction`. No two differences within five squares
/// look alike, because a rank is sixteen wide.
static LINES: [u8; 2 * LINE_MIDDLE + 1] = {
    let mut table = [0; 2 * LINE_MIDDLE + 1];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        let mut step = 1;
        while step <= NEAR {
            let delta = (dx as isize - 16 * dy as isize) * step as isize;
            table[LINE_MIDDLE.wrapping_add_signed(delta)] =
                8 * step + Direction::ALL[direction] as u8;
            step += 1;
        }
        direction += 1;
    }
    table
};

/// The direction and distance from one square to another of its [`star`].
#[inline]
pub(crate) fn line(from: Square, to: Square) -> (Direction, u8) {
    let packed = LINES[LINE_MIDDLE + to.index() - from.index()];
    (Direction::ALL[(packed & 7) as usize], packed >> 3)
}

/// The role of a kind.
#[inline]
pub(crate) const fn role_of(kind: Kind) -> Role {
    Role::ALL[(kind >> 1) as usize]
}
