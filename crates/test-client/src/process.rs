//! `convoy serve` as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::client::Fault;

/// All clients come from this machine: no limit counts them.
pub const UNLIMITED: [&str; 2] = ["--set", "limits.exempt=127.0.0.1"];

/// A server, killed with the value if it still lives.
#[derive(Debug)]
pub struct ServerProcess {
    pub child: Child,
    pub address: SocketAddr,
}

impl ServerProcess {
    /// Starts a server over a folder, at any address, with further arguments.
    pub fn start(program: &str, data: &Path, args: &[&str]) -> Result<Self, Fault> {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self::spawn(&mut Command::new(program), any, data, args)
    }

    /// Starts the server that a command is.
    pub fn spawn(
        command: &mut Command,
        listen: SocketAddr,
        data: &Path,
        args: &[&str],
    ) -> Result<Self, Fault> {
        let mut child = serve(command, listen, data, args)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let server = |address| Self { child, address };
        let mut lines = BufReader::new(output).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let address = first.rsplit('/').next().and_then(|text| text.parse().ok());
        let server = server(address.ok_or_else(|| format!("it did not start: {first:?}"))?);
        let second = lines.next().transpose()?.unwrap_or_default();
        if second.starts_with("Games are kept in ") {
            Ok(server)
        } else {
            Err(format!("it does not say where its data are: {second:?}").into())
        }
    }

    /// Its number among the processes.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The end that no process can prepare for.
    pub fn kill(mut self) -> Result<(), Fault> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The arguments of a server.
pub fn serve<'a>(
    command: &'a mut Command,
    listen: SocketAddr,
    data: &Path,
    args: &[&str],
) -> &'a mut Command {
    command
        .args(["serve", "--listen", &listen.to_string(), "--data"])
        .arg(data)
        .args(args)
}
