//! A position that may be illegal, and what makes it so.

use core::error::Error;
use core::fmt;

use crate::board::Board;
use crate::{Color, Position, Role, Square, SquareSet, Stack, StackRules, Standard, Terrain};

/// Stacks on squares, a side to move, clocks: anything one can put on a board.
///
/// ```
/// use cotulenh::{Position, Setup, SetupError};
/// let mut setup = Setup::from(&Position::start());
/// let (a1, g1) = ("a1".parse()?, "g1".parse()?);
/// setup.set(a1, setup.get(g1));
/// assert!(matches!(Position::try_from(&setup), Err(SetupError::Terrain(..))));
/// setup.set(a1, None);
/// assert_eq!(Position::try_from(&setup), Ok(Position::start()));
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    stacks: [Option<Stack>; Square::INDEX_LEN],
    occupied: SquareSet,
    /// The side to move.
    pub turn: Color,
    /// Turns since the last capture.
    pub halfmove_clock: u32,
    /// The number of the move, from 1.
    pub move_number: u32,
}

/// What makes a set-up no position.
///
/// ```
/// use cotulenh::{Position, Setup};
/// let adrift: Setup = "6c4/11/11/11/11/11/11/11/11/11/11/T4C5 r - - 0 1".parse()?;
/// let error = Position::try_from(&adrift).unwrap_err();
/// assert_eq!(error.to_string(), "T may not stand on a1");
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupError {
    /// Rule 4: these pieces make no stack under the rules, or another piece would carry them.
    Unlawful(Stack, Square),
    /// Rule 5: a carrier on terrain that does not bear it.
    Terrain(Stack, Square),
    /// A second commander of a colour.
    Commanders(Color, Square),
    /// The move number is 0.
    MoveNumber,
}

impl Setup {
    /// An empty board, red to move.
    pub const fn new() -> Self {
        Self {
            stacks: [None; Square::INDEX_LEN],
            occupied: SquareSet::EMPTY,
            turn: Color::Red,
            halfmove_clock: 0,
            move_number: 1,
        }
    }

    /// What stands on a square.
    pub const fn get(&self, square: Square) -> Option<Stack> {
        self.stacks[square.index()]
    }

    /// Puts a stack on a square, or clears it.
    pub const fn set(&mut self, square: Square, stack: Option<Stack>) {
        self.stacks[square.index()] = stack;
        match stack {
            Some(_) => self.occupied.insert(square),
            None => self.occupied.remove(square),
        }
    }

    /// Every occupied square with its stack, `a12` side first.
    pub fn stacks(&self) -> impl Iterator<Item = (Square, Stack)> {
        let occupied = self.occupied.into_iter();
        occupied.filter_map(|square| self.get(square).map(|stack| (square, stack)))
    }

    /// The same position with ranks and colours swapped: the rules do not tell them apart.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = Self {
            turn: !self.turn,
            ..Self::new()
        };
        flipped.halfmove_clock = self.halfmove_clock;
        flipped.move_number = self.move_number;
        for (square, stack) in self.stacks() {
            flipped.set(square.flipped(), Some(stack.swapped()));
        }
        flipped
    }

    /// Everything that keeps this from being a position, square by square.
    pub fn faults(&self) -> impl Iterator<Item = SetupError> {
        let mut commanders = [false; 2];
        let number = (self.move_number == 0).then_some(SetupError::MoveNumber);
        let squares = self.stacks().flat_map(move |(square, stack)| {
            let terrain = (!Terrain::admits(stack.carrier().role, square))
                .then_some(SetupError::Terrain(stack, square));
            let mut second = None;
            if stack.has(Role::Commander) {
                let seen = &mut commanders[stack.color().index()];
                second = seen.then_some(SetupError::Commanders(stack.color(), square));
                *seen = true;
            }
            [terrain, second].into_iter().flatten()
        });
        squares.chain(number)
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: StackRules> From<&Position<R>> for Setup {
    /// The position as it stands; of an open deploy only the board is kept.
    fn from(position: &Position<R>) -> Self {
        let mut setup = Self {
            turn: position.turn(),
            halfmove_clock: position.halfmove_clock(),
            move_number: position.move_number(),
            ..Self::new()
        };
        for (square, stack) in position.stacks() {
            setup.set(square, Some(stack));
        }
        setup
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupError;

    /// The position, or the first fault.
    fn try_from(setup: &Setup) -> Result<Self, SetupError> {
        Self::from_setup(&Standard, setup)
    }
}

impl<R: StackRules> Position<R> {
    /// The position of a set-up under these rules, or the first fault.
    pub fn from_setup(rules: &R, setup: &Setup) -> Result<Self, SetupError> {
        let mut commanders = [0; 2];
        let mut unlawful = None;
        let stacks = setup.stacks().filter_map(|(square, stack)| {
            let Some((stack, present)) = rules.adopt(stack) else {
                unlawful = unlawful.or(Some(SetupError::Unlawful(stack, square)));
                return None;
            };
            commanders[stack.color().index()] += (present & Role::Commander.set()).bits();
            Some((square, stack))
        });
        let board = Board::new(rules.clone(), stacks);
        if let Some(fault) = unlawful {
            return Err(fault);
        }
        // The sets of the board tell at once whether there is a fault to be looked for.
        let lawful = board.is_on_its_terrain() && commanders.iter().all(|count| *count <= 1);
        if (!lawful || setup.move_number == 0)
            && let Some(fault) = setup.faults().next()
        {
            return Err(fault);
        }
        Ok(Self {
            board,
            turn: setup.turn,
            halfmove_clock: setup.halfmove_clock,
            move_number: setup.move_number,
            deploy: None,
        })
    }
}

impl fmt::Display for Setup {
    /// The FEN; an unlawful set-up has one too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..12).rev() {
            let mut empty = 0;
            for stack in (0..11).map(|file| Square::at(file, rank).and_then(|at| self.get(at))) {
                match stack {
                    None => empty += 1,
                    Some(stack) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        stack.fmt(f)?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        let (turn, clock, number) = (self.turn, self.halfmove_clock, self.move_number);
        write!(f, "{turn} - - {clock} {number}")
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlawful(stack, square) => write!(f, "{stack} on {square} is no lawful stack"),
            Self::Terrain(stack, square) => write!(f, "{stack} may not stand on {square}"),
            Self::Commanders(Color::Red, square) => write!(f, "a second red commander on {square}"),
            Self::Commanders(Color::Blue, square) => {
                write!(f, "a second blue commander on {square}")
            }
            Self::MoveNumber => f.write_str("the move number must be at least 1"),
        }
    }
}

impl Error for SetupError {}
