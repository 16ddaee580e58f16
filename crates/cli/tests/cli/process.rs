//! `convoy serve` as a process of its own.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may fail, and uses its part"
)]

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

/// A server process, killed at the end if it still lives.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        Self::spawn(&mut Command::new(env!("CARGO_BIN_EXE_convoy")), data)
    }

    /// A server that is not killed when its files may grow no further: its writes fail.
    pub(crate) fn start_ignoring_file_size(data: &Path) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        Self::spawn(shell.arg(env!("CARGO_BIN_EXE_convoy")), data)
    }

    fn spawn(command: &mut Command, data: &Path) -> Self {
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let second = lines.next().unwrap().unwrap();
        assert!(second.ends_with(&*data.to_string_lossy()), "{second}");
        let address = first.rsplit('/').next().unwrap().parse().unwrap();
        Self { child, address }
    }

    /// The end that no process can prepare for.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
