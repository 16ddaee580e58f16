//! The texts of squares and groups, made by the compiler so that writing one is a copy.

use crate::stack::table;
use crate::{Square, Stack};

macro_rules! rank {
    ($rank:literal) => {
        rank!($rank, "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k")
    };
    ($rank:literal, $($file:literal)*) => {
        [$(concat!($file, $rank)),*]
    };
}

/// In the order of the squares: rank 12 first.
static SQUARES: [[&str; 11]; 12] = [
    rank!("12"),
    rank!("11"),
    rank!("10"),
    rank!("9"),
    rank!("8"),
    rank!("7"),
    rank!("6"),
    rank!("5"),
    rank!("4"),
    rank!("3"),
    rank!("2"),
    rank!("1"),
];

/// The name of a square.
#[inline]
pub(crate) fn of_square(square: Square) -> &'static str {
    SQUARES[square.index() >> 4][square.index() & 15]
}

const STACKS: usize = 143;

static GROUPS: [&str; STACKS] = {
    let mut names = [""; STACKS];
    let mut id = 1;
    while id < STACKS {
        #[allow(clippy::cast_possible_truncation, reason = "below 143")]
        let (bytes, len) = table::text(id as u8);
        names[id] = match std::str::from_utf8(bytes.split_at(len).0) {
            Ok(name) => name,
            Err(_) => panic!("letters are ASCII"),
        };
        id += 1;
    }
    names
};

/// The letters of a stack as moves write them: upper case for both sides.
#[inline]
pub(crate) fn of_stack(stack: Stack) -> &'static str {
    GROUPS[stack.id() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_types() {
        for square in Square::all() {
            assert_eq!(of_square(square), square.to_string());
        }
        for text in ["(+NF+T)", "(TI)", "+C", "H", "(E+S)"] {
            let stack: Stack = text.parse().unwrap();
            assert_eq!(of_stack(stack), text);
            assert_eq!(of_stack(stack.swapped()), text);
        }
    }
}
