//! Pieces of a type of your own, stacked by the rules of Cờ Tư Lệnh: `cargo run -p convoy-stack --example own_pieces`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use convoy_stack::{COTULENH, Stacker};

#[derive(Debug, Clone)]
struct Piece {
    role: &'static str,
    number: u32,
}

fn main() {
    let blueprint = COTULENH.blueprint();
    let stacker = Stacker::new(&COTULENH, |piece: &Piece| blueprint.role(piece.role));
    let piece = |role, number| Piece { role, number };
    for pieces in [
        vec![piece("infantry", 1), piece("tank", 2)],
        vec![piece("tank", 2), piece("air force", 3), piece("navy", 4)],
        vec![piece("tank", 2), piece("tank", 5)],
    ] {
        match stacker.combine(&pieces) {
            Ok(stack) => {
                let carrier = stack.carrier();
                let cargo: Vec<_> = stack.cargo().map(|piece| piece.number).collect();
                println!("{} {} carries {cargo:?}", carrier.role, carrier.number);
            }
            Err(reason) => println!("no stack: {reason}"),
        }
    }
}

#[test]
fn it_runs() {
    main();
}
