//! What the games are played against.

use std::path::Path;

use convoy_test_client::client::Fault;
use convoy_test_client::drive::Nodes;
use convoy_test_client::installation::{Installation, Node, Size};
use convoy_test_client::process::{ServerProcess, UNLIMITED};

/// Where games are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Storage {
    /// One server over SQLite, with this durability.
    Sqlite(String),
    /// Nodes over PostgreSQL and NATS.
    Postgres { nodes: usize },
}

/// What is to be started.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) program: String,
    pub(crate) storage: Storage,
}

/// What was started; gone with the value.
pub(crate) enum Target {
    Alone(ServerProcess),
    Nodes(Box<Installation>),
}

impl Target {
    /// Starts it in a folder.
    pub(crate) async fn start(setup: &Setup, folder: &Path) -> Result<Self, Fault> {
        match &setup.storage {
            Storage::Postgres { nodes } => {
                let size = Size {
                    nodes: *nodes,
                    workers: 0,
                    can_be_cut: false,
                    is_durable: true,
                };
                let started = Installation::start(Path::new(&setup.program), folder, size);
                Ok(Self::Nodes(Box::new(started.await?)))
            }
            Storage::Sqlite(durability) => {
                let durability = format!("storage.durability={durability}");
                let args = [&UNLIMITED[..], &["--set", &durability]].concat();
                let started = ServerProcess::start(&setup.program, folder, &args);
                Ok(Self::Alone(started?))
            }
        }
    }

    pub(crate) fn nodes(&self) -> Nodes {
        Nodes(match self {
            Self::Alone(server) => vec![server.address],
            Self::Nodes(installation) => installation.addresses(),
        })
    }

    /// Its servers among the processes.
    pub(crate) fn ids(&self) -> Vec<u32> {
        match self {
            Self::Alone(server) => vec![server.id()],
            Self::Nodes(installation) => installation.nodes.iter().filter_map(Node::id).collect(),
        }
    }

    /// PostgreSQL and NATS among the processes.
    pub(crate) fn shared(&self) -> [Option<u32>; 2] {
        match self {
            Self::Alone(_) => [None, None],
            Self::Nodes(installation) => [installation.postgres.id(), installation.nats.id()],
        }
    }
}
