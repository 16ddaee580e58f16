//! A blueprint of one's own, and everything that its roles can make: `cargo run -p convoy-stack --example new_blueprint`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use convoy_stack::{Blueprint, ParseBlueprintError, StackTable};

const TEXT: &str = "
    role W wagon
    role D drone
    role X crate
    carrier wagon [drone] [crate]
";

fn main() -> Result<(), ParseBlueprintError> {
    let table = StackTable::new(Blueprint::parse(TEXT)?);
    print!("{}", table.tree(table.blueprint().all()));
    for stack in table.lawful() {
        println!("{:#06x}  {}", stack.bits(), table.blueprint().show(stack));
    }
    Ok(())
}

#[test]
fn it_runs() -> Result<(), ParseBlueprintError> {
    main()
}
