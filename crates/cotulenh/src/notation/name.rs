//! The texts of squares and groups, made by the compiler so that writing one is a copy.

use alloc::string::String;
use core::fmt;

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

/// Stack → its name in upper case, for the stacks of Rule 4.
static GROUPS: [&str; table::STACKS] = {
    let mut names = [""; table::STACKS];
    let mut id = 1;
    while id < table::STACKS {
        #[allow(clippy::cast_possible_truncation, reason = "below 143")]
        let (bytes, len) = table::text(id as u8);
        names[id] = match core::str::from_utf8(bytes.split_at(len).0) {
            Ok(name) => name,
            Err(_) => panic!("letters are ASCII"),
        };
        id += 1;
    }
    names
};

/// Appends the letters of a stack as moves write them: upper case for both sides.
#[inline]
pub(crate) fn push_stack(stack: Stack, out: &mut String) {
    match stack.index() {
        0 => push_spelled(stack, out),
        index => out.push_str(GROUPS[index]),
    }
}

/// The same for a stack that only a variant knows.
#[cold]
fn push_spelled(stack: Stack, out: &mut String) {
    let (text, len) = spell(stack);
    out.extend(text[..len].iter().copied().map(char::from));
}

/// A stack in FEN notation in upper case, padded to eight bytes, and its length.
#[inline]
pub(crate) fn stack_text(stack: Stack) -> ([u8; 8], usize) {
    match u8::try_from(stack.index()) {
        Ok(id @ 1..) => {
            let (text, len) = table::text(id);
            (*text, len)
        }
        _ => spell(stack),
    }
}

/// The text of a stack that only a variant knows.
#[cold]
fn spell(stack: Stack) -> ([u8; 8], usize) {
    let (mut text, mut len) = ([0; 8], 0);
    let mut push = |byte: u8| {
        text[len] = byte;
        len += 1;
    };
    if stack.len() > 1 {
        push(b'(');
    }
    for piece in stack.pieces() {
        if piece.heroic {
            push(b'+');
        }
        push(piece.role.letter() as u8);
    }
    if stack.len() > 1 {
        push(b')');
    }
    (text, len)
}

/// A stack as moves write it.
pub(crate) struct Letters(pub(crate) Stack);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, len) = stack_text(self.0);
        f.write_str(core::str::from_utf8(&text[..len]).unwrap_or_default())
    }
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
            assert_eq!(Letters(stack).to_string(), text);
            assert_eq!(Letters(stack.swapped()).to_string(), text);
            assert_eq!(spell(stack), stack_text(stack));
        }
    }
}
