//! The server that is made to suffer.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::client::Fault;

/// A server process on a folder of its own, killed with the value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) folder: PathBuf,
    program: PathBuf,
    shim: Option<Shim>,
}

impl Server {
    /// Starts a server; it logs to a file beside its folder.
    pub(crate) fn start(program: &Path, folder: &Path, shim: Option<Shim>) -> Result<Self, Fault> {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let (child, address) = spawn(program, folder, any, shim.as_ref())?;
        Ok(Self {
            child,
            address,
            folder: folder.to_owned(),
            program: program.to_owned(),
            shim,
        })
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("convoy.db")
    }

    pub(crate) fn signal(&self, signal: Signal) -> Result<(), Fault> {
        Ok(kill_process(Pid::from_child(&self.child), signal)?)
    }

    /// Kills it and starts another one at the same address.
    pub(crate) fn kill_and_restart(&mut self) -> Result<(), Fault> {
        self.child.kill()?;
        self.child.wait()?;
        (self.child, self.address) = spawn(
            &self.program,
            &self.folder,
            self.address,
            self.shim.as_ref(),
        )?;
        Ok(())
    }

    /// Tells it to stop, and waits until it has.
    pub(crate) fn stop(&mut self) -> Result<(), Fault> {
        self.signal(Signal::TERM)?;
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }

    /// What a second server on the same folder says, which must not start.
    pub(crate) fn second(&self) -> Result<String, Fault> {
        let mut child = Command::new(&self.program)
            .args(["serve", "--set", "limits.exempt=127.0.0.1"])
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(&self.folder)
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
    pub(crate) fn open_files(&self) -> usize {
        let folder = format!("/proc/{}/fd", self.child.id());
        std::fs::read_dir(folder).map_or(0, Iterator::count)
    }

    pub(crate) fn shim(&self) -> Result<&Shim, Fault> {
        Ok(self
            .shim
            .as_ref()
            .ok_or("the server runs without the shim")?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(
    program: &Path,
    folder: &Path,
    listen: SocketAddr,
    shim: Option<&Shim>,
) -> Result<(Child, SocketAddr), Fault> {
    let log = folder.with_extension("log");
    let log = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(log)?;
    let mut command = Command::new(program);
    command
        .args(["serve", "--set", "limits.exempt=127.0.0.1"])
        .args(["--listen", &listen.to_string(), "--data"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(log);
    if let Some(shim) = shim {
        command.env("LD_PRELOAD", &shim.library);
        command.env("CONVOY_FAULTS", &shim.page);
    }
    let mut child = command.spawn()?;
    let mut first = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut first)?;
    let address = first.trim().rsplit('/').next().unwrap_or_default();
    let address = address
        .parse()
        .map_err(|_| format!("it did not start: {first:?}"))?;
    Ok((child, address))
}

/// A library that lets calls fail on request; `shim.c` tells how.
#[derive(Debug, Clone)]
pub(crate) struct Shim {
    library: PathBuf,
    page: PathBuf,
}

/// What the shim is asked for; the order is that of its page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    pub(crate) write_fails: bool,
    pub(crate) sync_fails: bool,
    pub(crate) short_write: bool,
    pub(crate) clock_offset: i64,
}

impl Shim {
    /// Builds the library with the system's compiler.
    pub(crate) fn build(folder: &Path) -> Result<Self, Fault> {
        let source = folder.join("shim.c");
        std::fs::write(&source, include_str!("shim.c"))?;
        let shim = Self {
            library: folder.join("shim.so"),
            page: folder.join("faults"),
        };
        let built = Command::new("cc")
            .args(["-O2", "-Wall", "-shared", "-fPIC", "-o"])
            .args([&shim.library, &source])
            .arg("-ldl")
            .status();
        match built {
            Ok(status) if status.success() => {}
            other => return Err(format!("the shim needs a C compiler called cc: {other:?}").into()),
        }
        shim.ask(Asked::default())?;
        Ok(shim)
    }

    /// From now on it happens so.
    pub(crate) fn ask(&self, asked: Asked) -> Result<(), Fault> {
        use std::os::unix::fs::FileExt as _;
        let mut page = [0; 16];
        page[0] = u8::from(asked.write_fails);
        page[1] = u8::from(asked.sync_fails);
        page[2] = u8::from(asked.short_write);
        page[8..].copy_from_slice(&asked.clock_offset.to_ne_bytes());
        let mut options = std::fs::OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.page)?;
        // The last eight bytes are the shim's own.
        if file.metadata()?.len() < 24 {
            file.set_len(24)?;
        }
        Ok(file.write_all_at(&page, 0)?)
    }

    /// How many calls were made to fail.
    pub(crate) fn failed(&self) -> Result<u64, Fault> {
        let page = std::fs::read(&self.page)?;
        let count = page.get(16..24).ok_or("no count")?;
        Ok(u64::from_ne_bytes(count.try_into()?))
    }
}
