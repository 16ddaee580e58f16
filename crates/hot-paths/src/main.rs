//! Does one hot path, for `cargo xtask bench` to count the instructions of:
//! `hot-path` lists the names, `hot-path NAME` does a path, `hot-path NAME --prepare` only prepares it.
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

use std::process::ExitCode;

use convoy_hot_paths::Counted;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (name, prepare) = match args[..] {
        [] => {
            for path in Counted::all() {
                println!("{}", path.name);
            }
            return ExitCode::SUCCESS;
        }
        [name] => (name, false),
        [name, "--prepare"] => (name, true),
        _ => {
            eprintln!("hot-path: usage: hot-path [NAME [--prepare]]");
            return ExitCode::FAILURE;
        }
    };
    let Some(path) = Counted::all().iter().find(|path| path.name == name) else {
        eprintln!("hot-path: there is no path {name:?}");
        return ExitCode::FAILURE;
    };
    println!("{}", path.run(if prepare { 0 } else { path.times }));
    ExitCode::SUCCESS
}
