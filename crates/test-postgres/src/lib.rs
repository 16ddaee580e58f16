//! A PostgreSQL server for tests, from Debian's packages: its own data folder, a free port, gone
//! with the value.
//!
//! ```
//! use convoy_test_postgres::Server;
//!
//! let server = Server::start()?;
//! assert!(server.url().starts_with("postgres://"));
//! # Ok::<_, anyhow::Error>(())
//! ```

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, bail};

/// Where Debian keeps the programs of each version.
const VERSIONS: &str = "/usr/lib/postgresql";
/// The user that its package creates: PostgreSQL refuses to run as root.
const USER: &str = "postgres";
/// The superuser of the database, who needs no password from this machine.
const OWNER: &str = "convoy";
/// A user who needs one.
const GUARDED: &str = "guarded";

/// A running server.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    user: Option<(u32, u32)>,
    port: u16,
    is_durable: bool,
}

impl Server {
    /// Makes a database and starts a server over it. It does not wait for its disk, which tests have no use for.
    pub fn start() -> anyhow::Result<Self> {
        Self::start_with(false)
    }

    /// The same with a server whose commits outlive a power cut, as those of every other one do.
    pub fn start_durable() -> anyhow::Result<Self> {
        Self::start_with(true)
    }

    fn start_with(is_durable: bool) -> anyhow::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convoy-postgres-{}-{number}", std::process::id());
        // Not below `target`: the user that the server runs as may be unable to reach it.
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut server = Self {
            programs: programs()?,
            user: other_user(&folder)?,
            folder,
            port: 0,
            is_durable,
        };
        if let Some((user, group)) = server.user {
            chown(&server.folder, Some(user), Some(group))?;
        }
        let data = server.data();
        server.run("initdb", |initdb| {
            initdb.args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
            initdb.args(["--username", OWNER, "--pgdata"]).arg(&data);
        })?;
        let guarded = format!("host all {GUARDED} 127.0.0.1/32 scram-sha-256\n");
        let access = data.join("pg_hba.conf");
        let others = fs::read_to_string(&access)?;
        fs::write(&access, guarded + &others)?;
        server.start_again()?;
        Ok(server)
    }

    /// The address of its database for a user without a password.
    pub fn url(&self) -> String {
        format!("postgres://{OWNER}@127.0.0.1:{}/postgres", self.port)
    }

    /// The address for a user who needs a password, with this one.
    pub fn url_with_password(&self, password: &str) -> String {
        let port = self.port;
        format!("postgres://{GUARDED}:{password}@127.0.0.1:{port}/postgres")
    }

    /// The number of its first process, whose children serve connections, while it runs.
    pub fn id(&self) -> Option<u32> {
        let text = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// Ends the server as a crash would, without a checkpoint.
    pub fn crash(&mut self) -> anyhow::Result<()> {
        self.stop("immediate")
    }

    /// Starts the server again, on the same port where it had one.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let (data, log) = (self.data(), self.folder.join("log"));
        let mut tries = 0;
        loop {
            if self.port == 0 || tries > 0 {
                self.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            }
            let fsync = if self.is_durable { "on" } else { "off" };
            let options = format!(
                "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync={fsync} \
                 -c max_connections=400 -c shared_buffers=64MB -c max_locks_per_transaction=256",
                self.port
            );
            let started = self.run("pg_ctl", |ctl| {
                ctl.args(["start", "--wait", "--silent", "--pgdata"])
                    .arg(&data);
                ctl.arg("--log").arg(&log).args(["--options", &options]);
            });
            tries += 1;
            match started {
                Ok(()) => return Ok(()),
                // Another program may have taken the port meanwhile.
                Err(_) if tries < 5 => {}
                Err(error) => {
                    let log = fs::read_to_string(&log).unwrap_or_default();
                    return Err(error.context(log));
                }
            }
        }
    }

    /// Starts the server again with a certificate and its key, both in PEM: it speaks TLS then to whoever asks
    /// for it.
    pub fn use_tls(&mut self, certificate: &str, key: &str) -> anyhow::Result<()> {
        let data = self.data();
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let path = data.join(name);
            fs::write(&path, text)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
            if let Some((user, group)) = self.user {
                chown(&path, Some(user), Some(group))?;
            }
        }
        let settings = data.join("postgresql.conf");
        let others = fs::read_to_string(&settings)?;
        fs::write(&settings, others + "\nssl = on\n")?;
        self.stop("immediate")?;
        self.start_again()
    }

    fn stop(&self, mode: &str) -> anyhow::Result<()> {
        let data = self.data();
        self.run("pg_ctl", |ctl| {
            ctl.args(["stop", "--wait", "--silent", "--mode", mode]);
            ctl.arg("--pgdata").arg(&data);
        })
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn run(&self, program: &str, args: impl FnOnce(&mut Command)) -> anyhow::Result<()> {
        let mut command = Command::new(self.programs.join(program));
        args(&mut command);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        // The server inherits the output of `pg_ctl`: a pipe would be open as long as it runs.
        let output = command
            .current_dir(&self.folder)
            .env_remove("PGPASSWORD")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(self.folder.join("errors"))?)
            .output();
        let Output { status, .. } = output.with_context(|| format!("{program} did not start"))?;
        if !status.success() {
            let why = fs::read_to_string(self.folder.join("errors"))?;
            bail!("{program} failed ({status}): {}", why.trim());
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been stopped already; the folder goes in any case.
        let _ = self.stop("immediate");
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The programs of the newest version that is installed.
fn programs() -> anyhow::Result<PathBuf> {
    let missing = || format!("{VERSIONS}: install the Debian package postgresql");
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let folders = fs::read_dir(VERSIONS).with_context(missing)?;
    let folders = folders.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let newest = folders.max_by_key(|path| version(path));
    Ok(newest.with_context(missing)?.join("bin"))
}

/// Whom the server must run as where this process is root.
fn other_user(folder: &Path) -> anyhow::Result<Option<(u32, u32)>> {
    if fs::metadata(folder)?.uid() != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let ids = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(USER)).then_some(())?;
        let mut number = |skipped: usize| fields.nth(skipped)?.parse().ok();
        Some((number(1)?, number(0)?))
    });
    let ids = ids.with_context(|| format!("there is no user {USER}: install postgresql"))?;
    Ok(Some(ids))
}
