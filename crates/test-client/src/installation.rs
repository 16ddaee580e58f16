//! Several nodes and workers over PostgreSQL and NATS, as processes of their own.

use std::fs::OpenOptions;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use convoy_test_nats::Server as Nats;
use convoy_test_postgres::Server as Postgres;
use rustix::process::{Pid, Signal, kill_process};

use crate::client::Fault;
use crate::faults::namespace::Namespace;
use crate::process::ServerProcess;
use crate::proxy::{Flow, Proxy};

/// All clients come from this machine: no limit counts them.
const NO_LIMITS: [&str; 2] = ["--set", "limits.exempt=127.0.0.1,198.18.0.0/15"];

/// How much of everything there is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub nodes: usize,
    pub workers: usize,
    /// Whether nodes can be cut off from the rest, which costs their messages a detour.
    pub can_be_cut: bool,
    /// Whether what PostgreSQL commits outlives a power cut.
    pub is_durable: bool,
}

/// A node.
pub struct Node {
    process: Option<ServerProcess>,
    pub address: SocketAddr,
    /// Where it finds NATS and PostgreSQL.
    shared: [SocketAddr; 2],
    /// The ways there, if it can be cut off.
    ways: Vec<Proxy>,
    /// Its own network, where that is permitted; otherwise its ways are closed to cut it off.
    network: Option<Namespace>,
}

impl Node {
    fn new(shared: [SocketAddr; 2]) -> Self {
        Self {
            process: None,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            shared,
            ways: Vec::new(),
            network: None,
        }
    }

    /// Leads all that it sends over ways that can be cut.
    async fn make_ways(&mut self, network: Option<Namespace>) -> Result<(), Fault> {
        let own = network.as_ref();
        let here = own.map_or(Ipv4Addr::LOCALHOST, |network| network.here);
        for server in &mut self.shared {
            let way = Proxy::at(here, *server).await?;
            *server = way.address;
            self.ways.push(way);
        }
        if let Some(network) = own {
            self.address = SocketAddr::from((network.there, 0));
        }
        self.network = network;
        Ok(())
    }

    /// Cuts it off from NATS and PostgreSQL, and from its clients if it has a network of its own; or
    /// joins it again.
    pub fn set_cut(&self, is_cut: bool) -> Result<(), Fault> {
        if let Some(network) = &self.network {
            return network.set_cut(is_cut);
        }
        let flow = if is_cut { Flow::Hold } else { Flow::Open };
        self.ways.iter().for_each(|way| way.set(flow));
        Ok(())
    }

    /// Its number among the processes, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(ServerProcess::id)
    }
}

/// All of it, gone with the value.
pub struct Installation {
    program: PathBuf,
    folder: PathBuf,
    pub postgres: Postgres,
    pub nats: Nats,
    pub nodes: Vec<Node>,
    workers: Vec<Child>,
    /// Why nodes have no networks of their own though they can be cut off.
    pub no_networks: Option<String>,
}

impl Drop for Installation {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            // It may be gone already.
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// Host and port in the address of a server.
fn host(url: &str) -> Result<SocketAddr, Fault> {
    let host = url.split(['@', '/']).nth(3);
    Ok(host.ok_or("the address has no host")?.parse()?)
}

impl Installation {
    /// Starts everything; nodes and workers log to files in a folder.
    pub async fn start(program: &Path, folder: &Path, size: Size) -> Result<Self, Fault> {
        let postgres = if size.is_durable {
            Postgres::start_durable()?
        } else {
            Postgres::start()?
        };
        let mut installation = Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            postgres,
            nats: Nats::start()?,
            nodes: Vec::new(),
            workers: Vec::new(),
            no_networks: None,
        };
        let urls = [installation.nats.node_url(), installation.postgres.url()];
        let shared = [host(&urls[0])?, host(&urls[1])?];
        for number in 0..size.nodes {
            let mut node = Node::new(shared);
            if size.can_be_cut {
                let network = Namespace::new(u8::try_from(number)?);
                installation.no_networks = network.as_ref().err().map(ToString::to_string);
                node.make_ways(network.ok()).await?;
            }
            installation.nodes.push(node);
        }
        for index in 0..size.nodes {
            installation.start_node(index).await?;
        }
        for _ in 0..size.workers {
            let worker = installation.worker()?;
            installation.workers.push(worker);
        }
        Ok(installation)
    }

    /// Where the nodes are.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    fn log(&self, name: &str) -> Result<std::fs::File, Fault> {
        let path = self.folder.join(format!("{name}.log"));
        Ok(OpenOptions::new().append(true).create(true).open(path)?)
    }

    /// Starts a node, at the address that it had.
    pub async fn start_node(&mut self, index: usize) -> Result<(), Fault> {
        let node = &self.nodes[index];
        let urls = [self.nats.node_url(), self.postgres.url()];
        let mut found = Vec::new();
        for (url, server) in urls.iter().zip(node.shared) {
            found.push(url.replace(&host(url)?.to_string(), &server.to_string()));
        }
        let own = node.network.as_ref();
        let mut command = own.map_or_else(
            || Command::new(&self.program),
            |network| network.command(&self.program),
        );
        command
            .env("CONVOY_NATS", &found[0])
            .env("CONVOY_DATABASE", &found[1])
            .stderr(self.log(&format!("node-{index}"))?);
        // All nodes have the key of running shuffles.
        let (listen, data) = (node.address, self.folder.join("data"));
        let started = tokio::task::spawn_blocking(move || {
            ServerProcess::spawn(&mut command, listen, &data, &NO_LIMITS)
        });
        let process = started.await??;
        let node = &mut self.nodes[index];
        node.address = process.address;
        node.process = Some(process);
        Ok(())
    }

    fn worker(&self) -> Result<Child, Fault> {
        let worker = Command::new(&self.program)
            .args(["worker", "--nats", &self.nats.worker_url()])
            .stdout(Stdio::null())
            .stderr(self.log("worker")?)
            .spawn()?;
        Ok(worker)
    }

    fn take_process(&mut self, index: usize) -> Result<ServerProcess, Fault> {
        let process = self.nodes[index].process.take();
        process.ok_or_else(|| "the node does not run".into())
    }

    pub fn signal(&self, index: usize, signal: Signal) -> Result<(), Fault> {
        let process = self.nodes[index].process.as_ref();
        let child = &process.ok_or("the node does not run")?.child;
        Ok(kill_process(Pid::from_child(child), signal)?)
    }

    pub fn kill_node(&mut self, index: usize) -> Result<(), Fault> {
        self.take_process(index)?.kill()
    }

    /// Tells a node to stop, and starts it again once it has.
    pub async fn restart(&mut self, index: usize) -> Result<(), Fault> {
        self.signal(index, Signal::TERM)?;
        let mut process = self.take_process(index)?;
        let ended = tokio::task::spawn_blocking(move || process.child.wait());
        let status = ended.await??;
        if !status.success() {
            return Err(format!("a node that was told to stop ended with {status}").into());
        }
        self.start_node(index).await
    }

    /// Kills a worker once another one is there.
    pub fn replace_worker(&mut self, number: usize) -> Result<(), Fault> {
        let worker = self.worker()?;
        let index = number % self.workers.len();
        let mut killed = std::mem::replace(&mut self.workers[index], worker);
        let sent = killed.kill();
        killed.wait()?;
        Ok(sent?)
    }
}
