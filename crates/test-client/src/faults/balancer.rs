//! One address for several nodes, as a load balancer gives it: a new connection goes to the next node
//! that answers, and connections to a node that answers no more are ended.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::client::Client;

/// How often a node is asked whether it is there, and how long it may take to answer.
const ASKED: Duration = Duration::from_millis(200);
const ANSWERED: Duration = Duration::from_millis(800);

/// The address; it leads nowhere once the runtime ends.
#[derive(Debug)]
pub struct Balancer {
    pub address: SocketAddr,
}

impl Balancer {
    /// Opens a port that leads to these nodes.
    pub async fn over(nodes: &[SocketAddr]) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let nodes: Vec<_> = nodes
            .iter()
            .map(|node| (*node, watch_node(*node)))
            .collect();
        let (nodes, last) = (Arc::new(nodes), Arc::new(AtomicUsize::new(0)));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (nodes, last) = (Arc::clone(&nodes), Arc::clone(&last));
                tokio::spawn(async move {
                    for _ in 0..nodes.len() {
                        let next = last.fetch_add(1, Ordering::Relaxed) % nodes.len();
                        let (node, up) = &nodes[next];
                        if *up.borrow() {
                            return join(client, *node, up.clone()).await;
                        }
                    }
                });
            }
        });
        Ok(Self { address })
    }
}

/// Asks a node all the time whether it is there.
fn watch_node(node: SocketAddr) -> watch::Receiver<bool> {
    let (up, told) = watch::channel(true);
    tokio::spawn(async move {
        let nobody = Client::stranger(node, "127.0.0.1");
        while !up.is_closed() {
            let asked = nobody.request("GET", "/healthz", None);
            let answer = timeout(ANSWERED, asked).await;
            let is_up = matches!(answer, Ok(Ok(answer)) if answer.status == 200);
            up.send_if_modified(|up| std::mem::replace(up, is_up) != is_up);
            sleep(ASKED).await;
        }
    });
    told
}

/// Leads one connection to a node until one of them ends it or the node is gone.
async fn join(mut client: TcpStream, node: SocketAddr, mut up: watch::Receiver<bool>) {
    let Ok(mut node) = TcpStream::connect(node).await else {
        return;
    };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut client, &mut node) => {}
        _ = up.wait_for(|up| !up) => {}
    }
}
