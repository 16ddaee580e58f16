//! One run: idle sockets come, games are played, and what that takes is measured.

use std::time::{Duration, Instant};

use convoy_test_client::client::{Client, Fault};
use convoy_test_client::drive::{Nodes, Plan, Report, drive};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::task::JoinSet;

use crate::process::{family_time, kilobytes, processor_time};
use crate::target::{Setup, Target};

/// How many idle sockets are opened at once.
const AT_ONCE: usize = 64;
/// How long the idle sockets are alone: long enough for each to be asked whether it is still there.
const ALONE: Duration = Duration::from_secs(25);

/// What a server took.
#[derive(Debug)]
pub(crate) struct Server {
    /// Its memory at most.
    pub(crate) kilobytes: u64,
    /// Its processor time in all.
    pub(crate) processor: Duration,
}

/// Processor time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Processor {
    /// Of all servers together.
    pub(crate) servers: Duration,
    pub(crate) postgres: Duration,
    pub(crate) nats: Duration,
}

impl Processor {
    /// What is left of it where `idle` was taken in another time.
    fn without(self, idle: Self, times: f64) -> Self {
        let less = |all: Duration, idle: Duration| all.saturating_sub(idle.mul_f64(times));
        Self {
            servers: less(self.servers, idle.servers),
            postgres: less(self.postgres, idle.postgres),
            nats: less(self.nats, idle.nats),
        }
    }
}

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) report: Report,
    /// From when on everybody was there until the first left.
    pub(crate) steady: (Duration, Duration),
    /// The processor time meanwhile, without that of the idle sockets.
    pub(crate) processor: Processor,
    /// The processor time of all servers for an idle socket in a second.
    pub(crate) socket_processor: Duration,
    /// How many idle sockets were asked for, and how many of them were there at the end.
    pub(crate) idle: usize,
    pub(crate) held: usize,
    /// Memory of an idle socket, and of a game with the sockets of its players, of all servers together.
    pub(crate) socket_kilobytes: u64,
    pub(crate) game_kilobytes: u64,
    pub(crate) servers: Vec<Server>,
    pub(crate) took: Duration,
}

impl Measured {
    /// The first thing that was lost or wrong.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let lost = self.idle - self.held;
        let lost = (lost > 0).then(|| format!("{lost} idle sockets were closed"));
        let first = self.report.faults.first().cloned();
        first.or(lost).map(Fault::from)
    }
}

/// People who look at the lobby and do nothing.
struct Idle {
    tasks: JoinSet<()>,
}

impl Idle {
    /// Opens so many sockets; each is read as long as it stays open.
    async fn come(nodes: &Nodes, count: usize) -> Result<Self, Fault> {
        let open = stream::iter(0..count).map(|person| {
            let client = Client::stranger(nodes.address(person), "");
            async move { client.socket("/ws/lobby").await }
        });
        let mut tasks = JoinSet::new();
        let mut opened = open.buffer_unordered(AT_ONCE);
        while let Some(mut socket) = opened.try_next().await? {
            tasks.spawn(async move { while let Some(Ok(_)) = socket.stream.next().await {} });
        }
        Ok(Self { tasks })
    }

    /// How many sockets are still open.
    fn held(&mut self) -> usize {
        while self.tasks.try_join_next().is_some() {}
        self.tasks.len()
    }
}

fn memory(ids: &[u32]) -> u64 {
    ids.iter().map(|id| kilobytes(*id, "VmRSS:")).sum()
}

/// The processes whose processor time counts.
#[derive(Debug, Clone)]
struct Processes {
    servers: Vec<u32>,
    /// PostgreSQL and NATS.
    shared: [Option<u32>; 2],
}

impl Processes {
    fn times(&self) -> [Duration; 3] {
        let servers = self.servers.iter().map(|id| processor_time(*id)).sum();
        let [postgres, nats] = self.shared.map(|id| id.map_or(Duration::ZERO, family_time));
        [servers, postgres, nats]
    }

    /// The memory of the servers at the end of a part of a run, and the processor time in that part.
    async fn watch(self, (from, until): (Duration, Duration)) -> (u64, Processor) {
        tokio::time::sleep(from).await;
        let before = self.times();
        tokio::time::sleep(until.saturating_sub(from)).await;
        let now = self.times();
        let used = |index: usize| now[index].saturating_sub(before[index]);
        let processor = Processor {
            servers: used(0),
            postgres: used(1),
            nats: used(2),
        };
        (memory(&self.servers), processor)
    }
}

/// Starts servers of their own, plays against them, and ends them.
pub(crate) async fn measure(setup: &Setup, plan: Plan, idle: usize) -> Result<Measured, Fault> {
    let folder = std::env::temp_dir().join(format!("convoy-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let target = Target::start(setup, &folder).await?;
    let (nodes, ids) = (target.nodes(), target.ids());
    let begun = Instant::now();
    let empty = memory(&ids);
    let mut sockets = Idle::come(&nodes, idle).await?;
    let processes = Processes {
        servers: ids.clone(),
        shared: target.shared(),
    };
    let alone = if idle > 0 { ALONE } else { Duration::ZERO };
    let (before, still) = processes.clone().watch((Duration::ZERO, alone)).await;
    let plan = Plan {
        begun: Instant::now(),
        ..plan
    };
    let steady = (plan.all_come(), plan.time);
    let watched = tokio::spawn(processes.watch(steady));
    let report = drive(&nodes, plan).await;
    let held = sockets.held();
    let (with_games, processor) = watched.await?;
    let server = |id: &u32| Server {
        kilobytes: kilobytes(*id, "VmHWM:"),
        processor: processor_time(*id),
    };
    let measured = Measured {
        report,
        steady,
        processor: processor.without(
            still,
            steady.1.saturating_sub(steady.0).div_duration_f64(ALONE),
        ),
        socket_processor: still.servers.div_f64(ALONE.as_secs_f64()) / u32::try_from(idle.max(1))?,
        idle,
        held,
        socket_kilobytes: before.saturating_sub(empty) / idle.max(1) as u64,
        game_kilobytes: with_games.saturating_sub(before) / plan.games.max(1) as u64,
        servers: ids.iter().map(server).collect(),
        took: begun.elapsed(),
    };
    drop((sockets, target));
    std::fs::remove_dir_all(&folder)?;
    Ok(measured)
}
