//! A NATS server for tests, from Debian's package: users of its own, a free port, gone with the value.
//!
//! ```
//! use convoy_test_nats::Server;
//!
//! let server = Server::start()?;
//! assert!(server.node_url().starts_with("nats://node:"));
//! # Ok::<_, anyhow::Error>(())
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;

/// Where Debian keeps the program: not every user has that folder in `PATH`.
const PROGRAM: &str = "/usr/sbin/nats-server";
/// The settings that an installation is given: its users are those of the tests.
const SETTINGS: &str = include_str!("../../../deploy/nats.conf");
/// The password of every user.
pub const PASSWORD: &str = "a test's password";
/// The same as it stands in an address.
const PASSWORD_IN_URL: &str = "a%20test%27s%20password";
/// A server that has not begun by then never will.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A running server.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    /// The longest message, in bytes.
    max_payload: u32,
    /// Certificate and key, if it speaks TLS and nothing else.
    tls: Option<[PathBuf; 2]>,
    port: u16,
    process: Option<Child>,
}

impl Server {
    /// Starts a server on a free port.
    pub fn start() -> anyhow::Result<Self> {
        // As much as a server allows that nobody has told otherwise.
        Self::start_with(1 << 20, None)
    }

    /// The same with TLS, with a certificate and its key in PEM.
    pub fn start_with_tls(files: [PathBuf; 2]) -> anyhow::Result<Self> {
        Self::start_with(1 << 20, Some(files))
    }

    /// The same, where no message may be longer than so many bytes.
    pub fn start_with_max_payload(max_payload: u32) -> anyhow::Result<Self> {
        Self::start_with(max_payload, None)
    }

    fn start_with(max_payload: u32, tls: Option<[PathBuf; 2]>) -> anyhow::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convoy-nats-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut server = Self {
            folder,
            max_payload,
            tls,
            port: 0,
            process: None,
        };
        server.start_again()?;
        Ok(server)
    }

    /// The address for a node.
    pub fn node_url(&self) -> String {
        self.url("node", PASSWORD_IN_URL)
    }

    /// The address for a worker, who may only serve engine requests.
    pub fn worker_url(&self) -> String {
        self.url("worker", PASSWORD_IN_URL)
    }

    /// The address with this user and this password.
    pub fn url(&self, user: &str, password: &str) -> String {
        let scheme = if self.tls.is_some() { "tls" } else { "nats" };
        format!("{scheme}://{user}:{password}@{}", self.address())
    }

    /// Host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its number among the processes, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Ends the server at once.
    pub fn stop(&mut self) -> anyhow::Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }

    /// Starts the server again, on the same port where it had one.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        self.stop()?;
        let settings = self.folder.join("nats.conf");
        fs::write(&settings, self.settings())?;
        let log = fs::File::create(self.folder.join("log"))?;
        let child = Command::new(PROGRAM)
            .arg("--config")
            .arg(&settings)
            .envs(
                ["NODE_PASSWORD", "WORKER_PASSWORD"].map(|name| (name, format!("\"{PASSWORD}\""))),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let child = child.with_context(|| {
            format!("{PROGRAM} did not start: install the Debian package nats-server")
        })?;
        self.process = Some(child);
        self.port = self.wait_for_port()?;
        Ok(())
    }

    /// Those of an installation, but for the address.
    fn settings(&self) -> String {
        let port = match self.port {
            0 => "-1".to_owned(),
            port => port.to_string(),
        };
        let (folder, max_payload) = (self.folder.display(), self.max_payload);
        let mut settings = SETTINGS.replace("port: 4222", &format!("port: {port}"));
        let _ = writeln!(
            settings,
            "host: \"127.0.0.1\"\nmax_payload: {max_payload}\nports_file_dir: \"{folder}\""
        );
        if let Some([certificate, key]) = &self.tls {
            let _ = writeln!(
                settings,
                "tls {{ cert_file: \"{}\", key_file: \"{}\" }}",
                certificate.display(),
                key.display()
            );
        }
        settings
    }

    /// The server writes down where it listens once it does.
    fn wait_for_port(&mut self) -> anyhow::Result<u16> {
        let child = self.process.as_mut().context("no server runs")?;
        let ports = format!("nats-server_{}.ports", child.id());
        let (ports, begun) = (self.folder.join(ports), Instant::now());
        loop {
            let text = fs::read_to_string(&ports).unwrap_or_default();
            let told: Value = serde_json::from_str(&text).unwrap_or_default();
            let url = told["nats"][0].as_str();
            if let Some(port) = url.and_then(|url| url.rsplit(':').next()?.parse().ok()) {
                return Ok(port);
            }
            if child.try_wait()?.is_some() || begun.elapsed() > START_LIMIT {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                bail!("{PROGRAM} did not begin to listen: {}", log.trim());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been stopped already; the folder goes in any case.
        let _ = self.stop();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
