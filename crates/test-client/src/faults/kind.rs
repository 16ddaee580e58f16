//! The kinds of faults, one function each.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use super::play::{ready, until_writable};
use super::server::Server;
use super::shim::Asked;
use crate::client::Fault;

/// How long a busy machine may take for what is at hand.
const PATIENCE: Duration = Duration::from_mins(1);

/// What can be done to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Kill,
    FullDisk,
    WriteError,
    SyncError,
    Stop,
    ClockJump,
    TwoServers,
    SlowReaders,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Kill,
        Self::FullDisk,
        Self::WriteError,
        Self::SyncError,
        Self::Stop,
        Self::ClockJump,
        Self::TwoServers,
        Self::SlowReaders,
    ];

    /// The word for it on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::FullDisk => "full-disk",
            Self::WriteError => "write-error",
            Self::SyncError => "sync-error",
            Self::Stop => "stop",
            Self::ClockJump => "clock-jump",
            Self::TwoServers => "two-servers",
            Self::SlowReaders => "slow-readers",
        }
    }

    /// Whether it needs the shim.
    pub const fn needs_shim(self) -> bool {
        matches!(self, Self::WriteError | Self::SyncError | Self::ClockJump)
    }

    /// Whether nothing can be written while it lasts, which must be told.
    pub const fn stops_writing(self) -> bool {
        matches!(self, Self::FullDisk | Self::WriteError | Self::SyncError)
    }
}

/// What a fault did.
#[derive(Debug)]
pub struct Effect {
    /// From the end of the fault to the first thing that was written.
    pub resumed: Duration,
    pub note: String,
}

/// Does it to the server for so long, while others play on it.
pub async fn inflict(
    kind: Kind,
    server: &mut Server,
    run: usize,
    time: Duration,
) -> Result<Effect, Fault> {
    let asked = Asked::default();
    let note = match kind {
        Kind::Kill => kill(server, time).await?,
        Kind::FullDisk => full_disk(server, time).await?,
        // Every other time half of the bytes are written.
        Kind::WriteError if run.is_multiple_of(2) => {
            let asked = Asked {
                write_fails: true,
                ..asked
            };
            calls_fail(server, asked, time).await?
        }
        Kind::WriteError => {
            let asked = Asked {
                short_write: true,
                ..asked
            };
            calls_fail(server, asked, time).await?
        }
        Kind::SyncError => {
            let asked = Asked {
                sync_fails: true,
                ..asked
            };
            calls_fail(server, asked, time).await?
        }
        Kind::Stop => {
            server.signal(Signal::STOP)?;
            sleep(time).await;
            server.signal(Signal::CONT)?;
            String::new()
        }
        Kind::ClockJump => clock_jump(server, time).await?,
        Kind::TwoServers => two_servers(server, time).await?,
        Kind::SlowReaders => slow_readers(server).await?,
    };
    let resumed = until_writable(server.address).await;
    let resumed = resumed.ok_or("nothing could be written for a minute afterwards")?;
    if kind.stops_writing() && ready(server.address).await?.0 != 200 {
        return Err("it writes and does not say ready".into());
    }
    Ok(Effect { resumed, note })
}

/// A kill a second, at any moment.
async fn kill(server: &mut Server, time: Duration) -> Result<String, Fault> {
    let begun = Instant::now();
    let (mut kills, mut slowest) = (0_u32, Duration::ZERO);
    while begun.elapsed() < time || kills == 0 {
        sleep(Duration::from_millis(400 + u64::from(kills) * 137 % 600)).await;
        let restart = Instant::now();
        server.kill_and_restart()?;
        slowest = slowest.max(restart.elapsed());
        kills += 1;
    }
    Ok(format!(
        "{kills} kills, slowest restart {:.2} s",
        slowest.as_secs_f64()
    ))
}

/// `/readyz` must say so while nothing can be written.
async fn must_say_so(server: &Server) -> Result<String, Fault> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let (503, text) = ready(server.address).await? {
            return Ok(text.trim().trim_start_matches("not ready: ").to_owned());
        }
        sleep(Duration::from_millis(20)).await;
    }
    Err("it says ready though nothing can be written".into())
}

/// Leaves no byte on the disk of the server.
async fn full_disk(server: &Server, time: Duration) -> Result<String, Fault> {
    let ballast = server.folder.with_file_name("ballast");
    let mut file = File::create(&ballast)?;
    let begun = Instant::now();
    let mut said = None;
    while begun.elapsed() < time || said.is_none() {
        // What the server gives back is taken as well.
        while file.write(&[0; 4096]).is_ok_and(|bytes| bytes > 0) {}
        if said.is_none()
            && let Ok((503, text)) = ready(server.address).await
        {
            said = Some(text);
        }
        if begun.elapsed() > time + PATIENCE {
            return Err("it says ready though the disk is full".into());
        }
        sleep(Duration::from_millis(20)).await;
    }
    drop(file);
    std::fs::remove_file(&ballast)?;
    Ok(said
        .unwrap_or_default()
        .trim()
        .trim_start_matches("not ready: ")
        .to_owned())
}

async fn calls_fail(server: &Server, asked: Asked, time: Duration) -> Result<String, Fault> {
    let shim = server.shim()?;
    let before = shim.failed()?;
    shim.ask(asked)?;
    let said = must_say_so(server).await;
    sleep(time).await;
    shim.ask(Asked::default())?;
    let calls = shim.failed()? - before;
    if calls == 0 {
        return Err("no call was made to fail: is the server linked statically?".into());
    }
    Ok(format!("{}; {calls} calls failed", said?))
}

/// An hour ahead, an hour back, a day ahead, a day back.
async fn clock_jump(server: &Server, time: Duration) -> Result<String, Fault> {
    let shim = server.shim()?;
    for clock_offset in [3600, -3600, 86_400, -86_400] {
        shim.ask(Asked {
            clock_offset,
            ..Asked::default()
        })?;
        let (before, begun) = (super::told::count(), Instant::now());
        sleep(time / 4).await;
        while super::told::count() == before {
            if begun.elapsed() > PATIENCE {
                return Err(format!("no move after a jump of {clock_offset} s").into());
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
    shim.ask(Asked::default())?;
    Ok("±1 h, ±1 day".to_owned())
}

async fn two_servers(server: &Server, time: Duration) -> Result<String, Fault> {
    let begun = Instant::now();
    let mut tried = 0;
    while begun.elapsed() < time || tried == 0 {
        let text = server.second()?;
        if !text.contains("another server") {
            return Err(format!("a second server says: {text}").into());
        }
        tried += 1;
        sleep(Duration::from_millis(100)).await;
    }
    Ok(format!("{tried} refused"))
}

/// Connections that ask for much and never read, until the server has dropped them all.
async fn slow_readers(server: &Server) -> Result<String, Fault> {
    const READERS: usize = 50;
    let before = server.open_files();
    let mut readers = Vec::new();
    for _ in 0..READERS {
        readers.push(slow_reader(server).await?);
    }
    let begun = Instant::now();
    // The server may hold some more for the players, who come and go; never as many as these.
    while server.open_files() > before + READERS / 2 {
        if begun.elapsed() > Duration::from_mins(2) {
            return Err("connections that never read are held for ever".into());
        }
        sleep(Duration::from_millis(100)).await;
    }
    let note = format!(
        "{READERS} dropped after {:.0} s",
        begun.elapsed().as_secs_f64()
    );
    drop(readers);
    Ok(note)
}

async fn slow_reader(server: &Server) -> Result<TcpStream, Fault> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    let mut stream = socket.connect(server.address).await?;
    let request = format!(
        "GET /openapi.json HTTP/1.1\r\nhost: {}\r\n\r\n",
        server.address
    );
    let many = request.repeat(400);
    // As much as goes: the server stops reading when nobody takes its answers.
    let _ = tokio::time::timeout(
        Duration::from_millis(200),
        stream.write_all(many.as_bytes()),
    )
    .await;
    Ok(stream)
}

/// A file system in memory, 64 MB large, taken away with the value. It needs the rights of root.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    pub fn mount(at: &Path) -> Result<Self, Fault> {
        std::fs::create_dir_all(at)?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"])
            .arg(at)
            .output()?;
        if mounted.status.success() {
            Ok(Self(at.to_owned()))
        } else {
            let why = String::from_utf8_lossy(&mounted.stderr);
            Err(format!(
                "a full disk needs root, to mount a small one: {}",
                why.trim()
            )
            .into())
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
