//! The command line of the programs.

/// The value behind `--name`.
pub fn option(name: &str, default: &str) -> String {
    let mut args = std::env::args();
    let found = args.find(|arg| arg == name).and_then(|_| args.next());
    found.unwrap_or_else(|| default.to_owned())
}

/// The server that a program is run against: `--server`, or the one that was built last.
pub fn server_program() -> String {
    option("--server", "target/release/convoy")
}
