//! `convoy serve` as a process of its own.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may fail, and uses its part"
)]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use convoy_test_client::process::ServerProcess;

/// A folder that goes with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("convoy-cli-{name}-{}", std::process::id()));
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server over a folder.
pub(crate) fn start(data: &Path) -> ServerProcess {
    spawn(&mut Command::new(env!("CARGO_BIN_EXE_convoy")), data)
}

/// A server that is not killed when its files may grow no further: its writes fail.
pub(crate) fn start_ignoring_file_size(data: &Path) -> ServerProcess {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    spawn(shell.arg(env!("CARGO_BIN_EXE_convoy")), data)
}

/// A server over a PostgreSQL database.
pub(crate) fn start_over(database: &str, data: &Path) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    spawn(command.env("CONVOY_DATABASE", database), data)
}

fn spawn(command: &mut Command, data: &Path) -> ServerProcess {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    ServerProcess::spawn(command.stderr(Stdio::null()), any, data, &[]).unwrap()
}
