//! One address for several nodes, as a load balancer gives it: a new connection goes to the next node
//! that is ready, and connections to a node that answers no more are ended.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::client::Client;

/// How often a node is asked whether it is there.
const ASKED: Duration = Duration::from_millis(200);

/// What a node says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Ready,
    /// It answers, and nobody is to be sent there as long as another one is ready.
    NotReady,
    Gone,
}

#[derive(Debug)]
struct Node {
    address: SocketAddr,
    health: watch::Receiver<Health>,
    /// How many connections it was given.
    given: AtomicUsize,
}

/// The address; it leads nowhere once the runtime ends.
#[derive(Debug)]
pub struct Balancer {
    pub address: SocketAddr,
    nodes: Arc<[Node]>,
}

impl Balancer {
    /// Opens a port that leads to these nodes. One that does not answer for so long is gone.
    pub async fn over(nodes: &[SocketAddr], patience: Duration) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let node = |address: &SocketAddr| Node {
            address: *address,
            health: watch_node(*address, patience),
            given: AtomicUsize::new(0),
        };
        let nodes: Arc<[Node]> = nodes.iter().map(node).collect();
        let (all, mut next) = (Arc::clone(&nodes), 0);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                next += 1;
                let (all, first) = (Arc::clone(&all), next);
                tokio::spawn(async move { lead(client, &all, first, patience).await });
            }
        });
        Ok(Self { address, nodes })
    }

    /// How many connections each node was given so far.
    pub fn given(&self) -> Vec<usize> {
        let counts = self.nodes.iter().map(|node| &node.given);
        counts.map(|count| count.load(Ordering::Relaxed)).collect()
    }
}

/// Asks a node all the time whether it is there.
fn watch_node(node: SocketAddr, patience: Duration) -> watch::Receiver<Health> {
    let (health, told) = watch::channel(Health::Ready);
    tokio::spawn(async move {
        let nobody = Client::stranger(node, "127.0.0.1");
        while !health.is_closed() {
            let asked = nobody.request("GET", "/readyz", None);
            let now = match timeout(patience, asked).await {
                Ok(Ok(answer)) if answer.status == 200 => Health::Ready,
                Ok(Ok(_)) => Health::NotReady,
                _ => Health::Gone,
            };
            health.send_if_modified(|health| std::mem::replace(health, now) != now);
            sleep(ASKED).await;
        }
    });
    told
}

/// Leads a connection to the first node from this one on that is ready and takes it, or else to one that
/// answers at least.
async fn lead(mut client: TcpStream, nodes: &[Node], first: usize, patience: Duration) {
    for wanted in [Health::Ready, Health::NotReady] {
        for index in 0..nodes.len() {
            let node = &nodes[(first + index) % nodes.len()];
            if *node.health.borrow() != wanted {
                continue;
            }
            let connected = timeout(patience, TcpStream::connect(node.address)).await;
            let Ok(Ok(mut server)) = connected else {
                continue;
            };
            node.given.fetch_add(1, Ordering::Relaxed);
            let mut health = node.health.clone();
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                _ = health.wait_for(|health| *health == Health::Gone) => {}
            }
            return;
        }
    }
}
