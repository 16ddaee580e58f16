//! The first field of a FEN, read for the eye: what stands where, lawful or not.

/// One piece of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DrawnPiece {
    /// The role's letter, lower case.
    pub(super) role: char,
    /// Red rather than blue.
    pub(super) red: bool,
    /// Promoted.
    pub(super) heroic: bool,
}

/// Stacks by file and rank from zero, rank 12 first, carriers first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) stacks: Vec<((u8, u8), Vec<DrawnPiece>)>,
}

impl Placement {
    /// Reads a FEN's placement, or `None` if it is no board of 11 by 12.
    pub(super) fn read(fen: &str) -> Option<Self> {
        let field = fen.split_ascii_whitespace().next()?;
        let rows: Vec<&str> = field.split('/').collect();
        if rows.len() != 12 {
            return None;
        }
        let mut stacks = Vec::new();
        for (rank, row) in (0..12u8).rev().zip(rows) {
            let mut file = 0u8;
            let mut rest = row;
            while let Some(first) = rest.chars().next() {
                if first.is_ascii_digit() {
                    let ten = rest.starts_with("10") || rest.starts_with("11");
                    let (count, tail) = rest.split_at(if ten { 2 } else { 1 });
                    file = file.checked_add(count.parse().ok().filter(|n| *n > 0)?)?;
                    rest = tail;
                    continue;
                }
                let (stack, tail) = stack(rest)?;
                stacks.push(((file, rank), stack));
                file += 1;
                rest = tail;
            }
            if file != 11 {
                return None;
            }
        }
        Some(Self { stacks })
    }
}

/// One stack from the front of a row, and what follows it.
fn stack(text: &str) -> Option<(Vec<DrawnPiece>, &str)> {
    let Some(inside) = text.strip_prefix('(') else {
        let (piece, tail) = drawn_piece(text)?;
        return Some((vec![piece], tail));
    };
    let (mut inside, tail) = inside.split_once(')')?;
    let mut stack = Vec::new();
    while !inside.is_empty() {
        let (piece, rest) = drawn_piece(inside)?;
        stack.push(piece);
        inside = rest;
    }
    (1..=3).contains(&stack.len()).then_some((stack, tail))
}

fn drawn_piece(text: &str) -> Option<(DrawnPiece, &str)> {
    let plain = text.strip_prefix('+').unwrap_or(text);
    let letter = plain.chars().next().filter(char::is_ascii_alphabetic)?;
    let role = letter.to_ascii_lowercase();
    let piece = DrawnPiece {
        role,
        red: letter.is_ascii_uppercase(),
        heroic: plain.len() < text.len(),
    };
    "citmeagsfnh".contains(role).then_some((piece, &plain[1..]))
}
