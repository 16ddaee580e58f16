//! How far each piece goes, and the lines of the board.

mod slot;

pub(crate) use slot::{at_slot, line, slots};

use crate::terrain::{corner_closed, river_closed};
use crate::{PieceKind, Role, Square, SquareSet, Terrain};

/// How many squares a piece reaches along a line: see [`Role::movement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Along files and ranks.
    pub straight: u8,
    /// Along diagonals.
    pub diagonal: u8,
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
    pub const fn along(self, direction: Direction) -> u8 {
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

const COMMANDER: usize = PieceKind::new(Role::Commander, false).index();
const HEROIC_COMMANDER: usize = PieceKind::new(Role::Commander, true).index();

/// The index of a ship.
const fn ship(heroic: bool) -> usize {
    PieceKind::new(Role::Navy, heroic).index()
}

/// How far a kind of piece moves.
pub(crate) const MOVE_REACH: [Reach; PieceKind::COUNT] = {
    let mut table = [reach(0, 0); PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let piece = PieceKind::from_index(kind);
        let plain = REACH[piece.role().index()];
        table[kind] = if piece.is_heroic() {
            plain.heroic()
        } else {
            plain
        };
        kind += 1;
    }
    table[HEROIC_COMMANDER] = reach(FAR, FAR);
    table
};

/// How far a kind of piece captures: ships among themselves, everybody else anybody.
pub(crate) const SHIP_CAPTURE_REACH: [Reach; PieceKind::COUNT] = {
    let mut table = MOVE_REACH;
    // Rule 3.7: a commander strikes the next square only.
    table[COMMANDER] = reach(1, 0);
    table[HEROIC_COMMANDER] = reach(1, 1);
    table
};

/// How far a kind of piece captures what is not led by a ship: a ship reaches one square less.
pub(crate) const CAPTURE_REACH: [Reach; PieceKind::COUNT] = {
    let mut table = SHIP_CAPTURE_REACH;
    let (plain, heroic) = (ship(false), ship(true));
    table[plain] = table[plain].less(1);
    table[heroic] = table[heroic].less(1);
    table
};

/// How a piece moves and captures: Rule 3.1 for one role.
///
/// ```
/// use cotulenh::Role;
/// let tank = Role::Tank.movement(false);
/// assert_eq!((tank.moves.straight, tank.moves.diagonal), (2, 0));
/// let heroic = Role::Tank.movement(true);
/// assert_eq!((heroic.moves.straight, heroic.moves.diagonal), (3, 3));
/// assert!(Role::Artillery.movement(false).shoots_over && !tank.shoots_over);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Movement {
    /// How far it moves; a commander's reach is as long as the board.
    pub moves: Reach,
    /// How far it captures what is not led by a ship.
    pub captures: Reach,
    /// How far it captures what is led by a ship.
    pub captures_ships: Reach,
    /// Whether it captures over other pieces.
    pub shoots_over: bool,
}

impl Role {
    /// How a piece of this role moves and captures.
    pub const fn movement(self, heroic: bool) -> Movement {
        let kind = PieceKind::new(self, heroic).index();
        Movement {
            moves: MOVE_REACH[kind],
            captures: CAPTURE_REACH[kind],
            captures_ships: SHIP_CAPTURE_REACH[kind],
            shoots_over: self.shoots_over(),
        }
    }
}

/// One of the eight directions, in the order of Rule 3.2.
///
/// ```
/// use cotulenh::Direction;
/// assert_eq!(Direction::NorthWest.delta(), (-1, 1));
/// assert_eq!(Direction::STRAIGHT.len() + Direction::DIAGONAL.len(), Direction::ALL.len());
/// let between = Direction::between("e5".parse()?, "g3".parse()?);
/// assert_eq!(between, Some((Direction::SouthEast, 2)));
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Up a file.
    North,
    /// Towards the k-file.
    East,
    /// Down a file.
    South,
    /// Towards the sea.
    West,
    /// Up, towards the sea.
    NorthWest,
    /// Up, towards the k-file.
    NorthEast,
    /// Down, towards the k-file.
    SouthEast,
    /// Down, towards the sea.
    SouthWest,
}

impl Direction {
    /// All eight, the straight ones first.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// Along files and ranks.
    pub const STRAIGHT: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Along diagonals.
    pub const DIAGONAL: [Self; 4] = [
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// The direction from one square to another in line with it, and how many squares away that is.
    pub fn between(from: Square, to: Square) -> Option<(Self, u8)> {
        let direction = Self::ALL
            .into_iter()
            .find(|direction| direction.ray(from).contains(to))?;
        let files = from.file().abs_diff(to.file());
        Some((direction, files.max(from.rank().abs_diff(to.rank()))))
    }

    /// Whether it runs along a diagonal.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// Files right and ranks up for one square.
    pub const fn delta(self) -> (i8, i8) {
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
    pub fn ray(self, square: Square) -> SquareSet {
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
        if let Some(square) = Square::from_index(index) {
            table[index] = lines(square, reach(NEAR, NEAR));
        }
        index += 1;
    }
    table
};

/// The squares on the eight lines through a square, up to five away: from where it can be attacked.
#[inline]
pub(crate) fn star(square: Square) -> SquareSet {
    STARS[square.index()]
}

/// What a kind of piece reaches from a square of an empty board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// Where it may go: within reach, and not behind terrain that it cannot pass. For aircraft, whose
    /// way is never barred, also where they may not land.
    pub(crate) moves: SquareSet,
    /// What it may strike; a ship, what is not led by a ship.
    pub(crate) strikes: SquareSet,
    /// Where something in its way leaves squares within reach behind it.
    pub(crate) inner: SquareSet,
}

static FIELDS: [[Field; Square::INDEX_LEN]; PieceKind::COUNT] = {
    let none = Field {
        moves: SquareSet::EMPTY,
        strikes: SquareSet::EMPTY,
        inner: SquareSet::EMPTY,
    };
    let mut table = [[none; Square::INDEX_LEN]; PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut index = 0;
        while index < Square::INDEX_LEN {
            if let Some(square) = Square::from_index(index) {
                table[kind][index] = field(PieceKind::from_index(kind), square);
            }
            index += 1;
        }
        kind += 1;
    }
    table
};

const fn field(kind: PieceKind, from: Square) -> Field {
    let (role, kind) = (kind.role(), kind.index());
    let mut field = Field {
        moves: SquareSet::EMPTY,
        strikes: SquareSet::EMPTY,
        inner: SquareSet::EMPTY,
    };
    if matches!(role, Role::Commander) {
        // A commander's slide is generated without a table.
        field.strikes = lines(from, CAPTURE_REACH[kind]);
        return field;
    }
    let mut index = 0;
    while index < 8 {
        let direction = Direction::ALL[index];
        let (dx, dy) = direction.delta();
        let reach = MOVE_REACH[kind].along(direction);
        let captures = CAPTURE_REACH[kind].along(direction);
        let (mut distance, mut latch, mut before) = (1, false, from);
        while distance <= reach
            && let Some(at) = before.offset(dx, dy)
        {
            latch = latch || is_barred(role, from, before, at);
            if !latch {
                field.moves = field.moves.with(at);
            }
            if distance <= captures {
                field.strikes = field.strikes.with(at);
            }
            if distance < reach {
                field.inner = field.inner.with(at);
            }
            before = at;
            distance += 1;
        }
        index += 1;
    }
    field
}

/// Rule 3.4: whether terrain ends the movement of a piece of this role on its way from `from`.
pub(crate) const fn is_barred(role: Role, from: Square, before: Square, at: Square) -> bool {
    match role {
        Role::AirForce => false,
        Role::Navy => !Terrain::admits(role, at) || corner_closed(before, at),
        _ => !Terrain::admits(role, at) || role.is_heavy() && river_closed(from, at),
    }
}

/// What a kind of piece reaches from a square of an empty board; of a commander only what it
/// strikes.
#[inline]
pub(crate) fn field_of(kind: PieceKind, from: Square) -> &'static Field {
    &FIELDS[kind.index()][from.index()]
}

/// What a ship of a kind may strike that is led by a ship: one square further than anything else.
static SHIP_CAPTURES: [[SquareSet; Square::INDEX_LEN]; 2] = {
    let mut table = [[SquareSet::EMPTY; Square::INDEX_LEN]; 2];
    let mut heroic = 0;
    while heroic < 2 {
        let reach = SHIP_CAPTURE_REACH[ship(heroic == 1)];
        let mut index = 0;
        while index < Square::INDEX_LEN {
            if let Some(square) = Square::from_index(index) {
                table[heroic][index] = lines(square, reach);
            }
            index += 1;
        }
        heroic += 1;
    }
    table
};

/// The squares within reach of a square.
const fn lines(from: Square, reach: Reach) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let mut index = 0;
    while index < 8 {
        let (dx, dy) = Direction::ALL[index].delta();
        let (mut distance, mut at) = (0, Some(from));
        while let Some(square) = at
            && distance < reach.along(Direction::ALL[index])
        {
            at = square.offset(dx, dy);
            if let Some(next) = at {
                set = set.with(next);
            }
            distance += 1;
        }
        index += 1;
    }
    set
}

/// What a ship of this kind may strike that is led by a ship.
#[inline]
pub(crate) fn ship_captures(kind: PieceKind, from: Square) -> SquareSet {
    SHIP_CAPTURES[usize::from(kind.is_heroic())][from.index()]
}
