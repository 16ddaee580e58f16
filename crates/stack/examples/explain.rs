//! Why pieces make a stack or not.
//!
//! `cargo run -p convoy-stack --example explain -- navy tank infantry`

use convoy_stack::{COTULENH, Stacker};

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["navy", "tank", "infantry"].map(String::from).to_vec();
    }
    print!("{}", explain(&names));
}

fn explain(names: &[String]) -> String {
    let stacker = Stacker::new(&COTULENH, |name: &String| COTULENH.blueprint().role(name));
    stacker.explain(names).to_string()
}

#[test]
fn a_second_slot_is_missing() {
    let words = explain(&["navy", "tank", "infantry"].map(String::from));
    assert!(words.contains("one slot for"), "{words}");
}
