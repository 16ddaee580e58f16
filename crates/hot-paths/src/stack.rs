//! The speed of the stack table.

use std::hint::black_box;

use convoy_stack::{COTULENH, Role, RoleSet, Stack, Stacker, State, flatten};

use super::{Row, Unit};

/// A piece as a game might keep it: its role and more.
#[derive(Debug, Clone, Copy)]
struct Piece {
    role: u8,
    heroic: bool,
}

/// Each work does many calls, so that the clock is read seldom.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        row("look a set up", 5.0, 2.0, Box::new(look_up)),
        row("combine two stacks", 20.0, 10.0, combine_states()),
        row("combine three pieces", 20.0, 10.0, combine_pieces()),
        row("flatten three pieces", 200.0, 100.0, flatten_pieces()),
        row("remove one of three pieces", 40.0, 20.0, remove_pieces()),
        row("splits of three pieces", 5_000.0, 2_000.0, split_pieces()),
    ]
}

fn row(name: &'static str, gate: f64, target: f64, work: Box<dyn FnMut() -> u64>) -> Row {
    Row {
        group: "stack",
        name,
        unit: Unit::Nanoseconds,
        gate,
        target,
        work,
    }
}

/// All 2,048 sets.
fn look_up() -> u64 {
    for mask in 0..2048 {
        black_box(COTULENH.lookup(RoleSet::from_bits(black_box(mask))));
    }
    2048
}

/// All pairs of lawful stacks, whether they combine or not.
fn combine_states() -> Box<dyn FnMut() -> u64> {
    let lawful: Vec<State> = COTULENH.lawful().collect();
    Box::new(move || {
        for a in &lawful {
            for b in &lawful {
                black_box(COTULENH.combine(black_box(*a), black_box(*b)));
            }
        }
        (lawful.len() * lawful.len()) as u64
    })
}

/// The three pieces of each of the seven largest stacks, the carrier last or nearly so.
fn largest() -> Vec<[Piece; 3]> {
    let piece = |role: Role| Piece {
        role: u8::try_from(role.index()).expect("sixteen roles at most"),
        heroic: role.index() == 7,
    };
    let pieces = COTULENH
        .lawful()
        .map(|state| state.set().iter().map(piece).collect::<Vec<_>>());
    pieces.filter_map(|pieces| pieces.try_into().ok()).collect()
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "a stacker hands out references"
)]
fn role_of(piece: &Piece) -> Option<Role> {
    Role::new(piece.role)
}

/// Does the work for each item, a hundred times.
fn repeated<T: 'static>(
    items: Vec<T>,
    mut work: impl FnMut(&T) + 'static,
) -> Box<dyn FnMut() -> u64> {
    const ROUNDS: u64 = 100;
    Box::new(move || {
        for _ in 0..ROUNDS {
            for item in &items {
                work(black_box(item));
            }
        }
        ROUNDS * items.len() as u64
    })
}

fn combine_pieces() -> Box<dyn FnMut() -> u64> {
    let stacker = Stacker::new(&COTULENH, |piece: &Piece| Role::new(piece.role));
    repeated(largest(), move |pieces| {
        let stack = stacker.combine(pieces);
        black_box(stack.is_ok_and(|stack| stack.carrier().heroic));
    })
}

/// A carrier with two others aboard, as a tree.
fn flatten_pieces() -> Box<dyn FnMut() -> u64> {
    struct Unit(Piece, Vec<Unit>);
    let alone = |piece: Piece| Unit(piece, Vec::new());
    let trees = largest().into_iter();
    let trees = trees.map(|[a, b, c]| [Unit(c, vec![alone(a), alone(b)])]);
    repeated(trees.collect(), |tree| {
        let flat = flatten(tree, |unit| &unit.1);
        black_box(flat.iter().all(|unit| unit.0.heroic));
    })
}

/// The first of the cargo leaves.
fn remove_pieces() -> Box<dyn FnMut() -> u64> {
    let stacker = Stacker::new(&COTULENH, role_of);
    let stacks = largest().into_iter().filter_map(|pieces| {
        let stack = stacker.combine(&pieces).ok()?;
        let cargo = stack.cargo().next().and_then(role_of)?;
        Some((stack, cargo))
    });
    let stacks: Vec<(Stack<Piece>, Role)> = stacks.collect();
    repeated(stacks, move |(stack, cargo)| {
        black_box(stacker.remove(stack, cargo.set()).is_ok());
    })
}

fn split_pieces() -> Box<dyn FnMut() -> u64> {
    let stacker = Stacker::new(&COTULENH, role_of);
    repeated(largest(), move |pieces| {
        black_box(stacker.splits(pieces).count());
    })
}
