//! Several nodes and workers over PostgreSQL and NATS, what may happen to them while both games are
//! played, and whether all that was told is stored, once.

#![allow(clippy::print_stdout, reason = "a long run says how far it is")]

use std::path::Path;
use std::time::{Duration, Instant};

use convoy_server::PostgresStore;
use rustix::process::Signal;
use tokio::time::sleep;

use super::balancer::Balancer;
use super::play::{Players, Tables};
use super::run::until_told;
use super::told;
use super::visitors::Visitors;
use crate::boards::Played;
use crate::client::{self, Client, Fault};
use crate::installation::{Installation, Size};
use crate::random::below;

/// How many tables there are.
const TABLES: Tables = Tables {
    boards: 8,
    bots: 2,
    cards: 2,
};
/// How many events are told between one fault and the next.
const EVENTS: usize = 200;
/// How long a node may take to answer before the load balancer takes it for gone.
const ANSWERED: Duration = Duration::from_millis(800);
/// How many people look at pages.
const VISITORS: usize = 4;
/// How many workers there are.
const WORKERS: usize = 2;
/// Longer than a node may be silent before others take its tables over.
const LONG_SILENCE: Duration = Duration::from_secs(6);

/// What can be done to an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeFault {
    KillNode,
    KillWorker,
    RestartNats,
    RestartPostgres,
    StopNode,
    CutNode,
    RollingRestart,
}

impl NodeFault {
    pub const ALL: [Self; 7] = [
        Self::KillNode,
        Self::KillWorker,
        Self::RestartNats,
        Self::RestartPostgres,
        Self::StopNode,
        Self::CutNode,
        Self::RollingRestart,
    ];

    /// The words for it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::KillNode => "node killed",
            Self::KillWorker => "worker killed",
            Self::RestartNats => "NATS restarted",
            Self::RestartPostgres => "PostgreSQL crashed and restarted",
            Self::StopNode => "node stopped for 6 s (SIGSTOP)",
            Self::CutNode => "node cut off for 6 s",
            Self::RollingRestart => "all nodes restarted in turn (SIGTERM)",
        }
    }
}

/// One fault that happened.
#[derive(Debug, Clone, Copy)]
pub struct Happened {
    pub fault: NodeFault,
    begun: Instant,
    /// Refusals with another code than `stale` while it happened.
    pub refused: usize,
    /// Pages that were asked for while it happened, and answers that were not the page of whoever asked.
    pub pages: usize,
    pub wrong_pages: usize,
    /// The longest pause between two moves of a board that players noticed before the next fault.
    pub interruption: Duration,
}

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    pub happened: Vec<Happened>,
    pub told: usize,
    pub tables: usize,
    pub refused: Vec<(String, usize)>,
    /// How often somebody had to come again.
    pub again: usize,
    /// What is wrong.
    pub wrong: Vec<String>,
}

async fn inflict(
    installation: &mut Installation,
    fault: NodeFault,
    index: usize,
) -> Result<(), Fault> {
    match fault {
        NodeFault::KillNode => {
            installation.kill_node(index)?;
            // The others take over before it is there again.
            sleep(LONG_SILENCE).await;
            installation.start_node(index).await?;
        }
        NodeFault::KillWorker => installation.replace_worker(index)?,
        NodeFault::RestartNats => {
            installation.nats.stop()?;
            sleep(Duration::from_secs(1)).await;
            installation.nats.start_again()?;
        }
        NodeFault::RestartPostgres => {
            installation.postgres.crash()?;
            installation.postgres.start_again()?;
        }
        NodeFault::StopNode => {
            installation.signal(index, Signal::STOP)?;
            sleep(LONG_SILENCE).await;
            installation.signal(index, Signal::CONT)?;
        }
        NodeFault::CutNode => {
            installation.nodes[index].set_cut(true)?;
            sleep(LONG_SILENCE).await;
            installation.nodes[index].set_cut(false)?;
        }
        NodeFault::RollingRestart => {
            for index in 0..installation.nodes.len() {
                installation.restart(index).await?;
            }
        }
    }
    Ok(())
}

/// Compares what every node shows of a table, and plays it again by the rules.
async fn compare(installation: &Installation, table: &str) -> Result<(), Fault> {
    let mut first = None;
    for node in &installation.nodes {
        let view = Client::new(node.address).await?.view(table).await?;
        if view["game"] == "cotulenh" {
            Played::of(&view)?.check()?;
        }
        let shown = (view["seq"].clone(), view["turns"].clone());
        if *first.get_or_insert_with(|| shown.clone()) != shown {
            return Err(format!("{table}: two nodes show different tables").into());
        }
    }
    Ok(())
}

/// What the database and the nodes say otherwise than players were told.
async fn differences(installation: &Installation) -> Result<Vec<String>, Fault> {
    let url = installation.postgres.url().parse()?;
    let store = PostgresStore::open_beside(&url, convoy_server::Storage::default()).await?;
    let mut wrong = told::missing_in(&store).await?;
    for table in told::tables() {
        if let Err(fault) = compare(installation, &table).await {
            wrong.push(fault.to_string());
        }
    }
    Ok(wrong)
}

/// Lets faults happen at random for so long, and each at least once; then compares.
pub async fn suffer(
    program: &Path,
    folder: &Path,
    nodes: usize,
    time: Duration,
) -> Result<Outcome, Fault> {
    let _ = client::LISTENER.set(told::note);
    std::fs::create_dir_all(folder)?;
    let size = Size {
        nodes,
        workers: WORKERS,
        can_be_cut: true,
        is_durable: false,
    };
    let mut installation = Installation::start(program, folder, size).await?;
    if let Some(why) = &installation.no_networks {
        println!("nodes are cut off by proxies, not by networks of their own: {why}");
    }
    let balancer = Balancer::over(&installation.addresses(), ANSWERED).await?;
    told::forget();
    let players = Players::start(balancer.address, TABLES);
    until_told(EVENTS).await?;
    let visitors = Visitors::come(balancer.address, VISITORS).await?;
    let (mut happened, mut seed, begun) = (Vec::new(), 1, Instant::now());
    while begun.elapsed() < time || happened.len() < NodeFault::ALL.len() {
        let number = match happened.len() {
            first if first < NodeFault::ALL.len() => first,
            _ => below(&mut seed, NodeFault::ALL.len()),
        };
        let fault = NodeFault::ALL[number];
        let index = below(&mut seed, nodes);
        let now = observe(&mut installation, (fault, index), &balancer, &visitors).await?;
        progress(begun, index, &now);
        happened.push(now);
    }
    // Every game goes on without anybody doing anything.
    let stuck = players.until_all_played().await;
    let again = players.stop().await;
    // A pause may have ended during the next fault.
    let mut until = Instant::now();
    for one in happened.iter_mut().rev() {
        one.interruption = told::longest_pause(one.begun, until);
        until = one.begun;
    }
    drop(visitors);
    let mut wrong = told::wrong();
    wrong.extend(stuck);
    wrong.extend(differences(&installation).await?);
    Ok(Outcome {
        happened,
        told: told::count(),
        tables: told::tables().len(),
        refused: told::all_refused(),
        again,
        wrong,
    })
}

/// Lets one fault happen, and takes note of what players and visitors see of it.
async fn observe(
    installation: &mut Installation,
    (fault, index): (NodeFault, usize),
    balancer: &Balancer,
    visitors: &Visitors,
) -> Result<Happened, Fault> {
    let (begun, refused) = (Instant::now(), told::refused_but("stale"));
    let (pages, given) = (visitors.pages(), balancer.given());
    inflict(installation, fault, index).await?;
    until_told(told::count() + EVENTS).await?;
    let wrong_pages = visitors.wrong(begun);
    let now = Happened {
        fault,
        begun,
        refused: told::refused_but("stale") - refused,
        pages: visitors.pages() - pages,
        wrong_pages: wrong_pages.len(),
        interruption: told::longest_pause(begun, Instant::now()),
    };
    if fault == NodeFault::RollingRestart {
        // Nobody notices more of it than that the connection comes again.
        let wrong = wrong_pages.iter();
        told::note_wrong(wrong.map(|page| format!("{}: {page}", fault.words())));
        if now.refused > 0 {
            let refused = told::all_refused();
            let text = format!("{}: {} refused: {refused:?}", fault.words(), now.refused);
            told::note_wrong([text]);
        }
        let mut counts = balancer.given().into_iter().zip(given);
        if counts.any(|(now, before)| now == before) {
            let text = format!("{}: nobody came to one of them", fault.words());
            told::note_wrong([text]);
        }
    }
    Ok(now)
}

/// Says what has just happened.
fn progress(begun: Instant, index: usize, now: &Happened) {
    println!(
        "{:4} s  {} ({index}); {} events told so far, {} of {} pages wrong, longest interruption {:.1} s",
        begun.elapsed().as_secs(),
        now.fault.words(),
        told::count(),
        now.wrong_pages,
        now.pages,
        now.interruption.as_secs_f64(),
    );
}
