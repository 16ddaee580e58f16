//! The server that is made to suffer.

use std::io::Read as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::shim::Shim;
use crate::client::Fault;
use crate::process::{ServerProcess, UNLIMITED, serve};

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// A server process on a folder of its own, killed with the value.
pub struct Server {
    process: ServerProcess,
    pub address: SocketAddr,
    pub folder: PathBuf,
    program: PathBuf,
    shim: Option<Shim>,
}

impl Server {
    /// Starts a server; it logs to a file beside its folder.
    pub fn start(program: &Path, folder: &Path, shim: Option<Shim>) -> Result<Self, Fault> {
        let process = spawn(program, folder, ANY, shim.as_ref())?;
        Ok(Self {
            address: process.address,
            process,
            folder: folder.to_owned(),
            program: program.to_owned(),
            shim,
        })
    }

    pub fn database(&self) -> PathBuf {
        self.folder.join("convoy.db")
    }

    pub fn signal(&self, signal: Signal) -> Result<(), Fault> {
        Ok(kill_process(Pid::from_child(&self.process.child), signal)?)
    }

    /// Kills it and starts another one at the same address.
    pub fn kill_and_restart(&mut self) -> Result<(), Fault> {
        self.process.child.kill()?;
        self.process.child.wait()?;
        let shim = self.shim.as_ref();
        self.process = spawn(&self.program, &self.folder, self.address, shim)?;
        Ok(())
    }

    /// Tells it to stop, and waits until it has.
    pub fn stop(&mut self) -> Result<(), Fault> {
        self.signal(Signal::TERM)?;
        let status = self.process.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }

    /// What a second server on the same folder says, which must not start.
    pub fn second(&self) -> Result<String, Fault> {
        let mut command = Command::new(&self.program);
        let mut child = serve(&mut command, ANY, &self.folder, &UNLIMITED)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let status = child.wait()?;
        let mut text = String::new();
        child
            .stderr
            .take()
            .ok_or("no output")?
            .read_to_string(&mut text)?;
        if status.success() || text.lines().count() != 1 {
            return Err(format!("a second server: {status}: {text}").into());
        }
        Ok(text)
    }

    /// How many files and sockets it holds open.
    pub fn open_files(&self) -> usize {
        let folder = format!("/proc/{}/fd", self.process.id());
        std::fs::read_dir(folder).map_or(0, Iterator::count)
    }

    pub fn shim(&self) -> Result<&Shim, Fault> {
        Ok(self
            .shim
            .as_ref()
            .ok_or("the server runs without the shim")?)
    }
}

fn spawn(
    program: &Path,
    folder: &Path,
    listen: SocketAddr,
    shim: Option<&Shim>,
) -> Result<ServerProcess, Fault> {
    let log = folder.with_extension("log");
    let log = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(log)?;
    let mut command = Command::new(program);
    command.stderr(log);
    if let Some(shim) = shim {
        command.env("LD_PRELOAD", &shim.library);
        command.env("CONVOY_FAULTS", &shim.page);
    }
    ServerProcess::spawn(&mut command, listen, folder, &UNLIMITED)
}
