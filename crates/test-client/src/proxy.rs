//! A way to a server that can be made to lead nowhere, as networks do: bytes stop or vanish, and nobody
//! is told.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What becomes of bytes, and of the ends of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// They arrive.
    Open,
    /// They wait until the way is open again, as what TCP sends again does.
    Hold,
    /// They are lost, and so is the connection that they were part of: it stays open and silent.
    Swallow,
}

/// A port that leads to a server.
pub struct Proxy {
    pub address: SocketAddr,
    flow: watch::Sender<Flow>,
    swallowed: Arc<AtomicU64>,
}

impl Proxy {
    /// Opens a port that leads to `server`.
    pub async fn to(server: SocketAddr) -> std::io::Result<Self> {
        Self::at(Ipv4Addr::LOCALHOST, server).await
    }

    /// Opens a port of this address of the machine that leads to `server`.
    pub async fn at(host: Ipv4Addr, server: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind((host, 0)).await?;
        let address = listener.local_addr()?;
        let (flow, state) = watch::channel(Flow::Open);
        let swallowed = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&swallowed);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(join(client, server, state.clone(), Arc::clone(&count)));
            }
        });
        Ok(Self {
            address,
            flow,
            swallowed,
        })
    }

    /// Says what becomes of bytes from now on.
    pub fn set(&self, flow: Flow) {
        self.flow.send_replace(flow);
    }

    /// How many bytes were lost so far.
    pub fn swallowed(&self) -> u64 {
        self.swallowed.load(Ordering::Relaxed)
    }
}

/// Leads one connection to the server until both sides have ended it.
async fn join(
    client: TcpStream,
    server: SocketAddr,
    flow: watch::Receiver<Flow>,
    swallowed: Arc<AtomicU64>,
) {
    let Ok(server) = TcpStream::connect(server).await else {
        return;
    };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // What is lost one way is lost the other way too.
    let lost = watch::Sender::new(false);
    tokio::join!(
        forward(from_client, to_server, flow.clone(), &lost, &swallowed),
        forward(from_server, to_client, flow, &lost, &swallowed),
    );
}

async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut flow: watch::Receiver<Flow>,
    lost: &watch::Sender<bool>,
    swallowed: &AtomicU64,
) {
    let mut bytes = [0; 4096];
    loop {
        let count = from.read(&mut bytes).await.unwrap_or(0);
        if *flow.borrow() == Flow::Swallow {
            lost.send_replace(true);
        }
        if *lost.borrow() && count > 0 {
            swallowed.fetch_add(count as u64, Ordering::Relaxed);
            continue;
        }
        // An end is told when the way is open, and no sooner.
        let is_open = flow.wait_for(|flow| *flow == Flow::Open).await.is_ok();
        if !is_open || count == 0 || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Only a hang takes this long.
    const LONG: Duration = Duration::from_mins(1);

    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (mut from, mut to) = stream.into_split();
                tokio::spawn(async move { tokio::io::copy(&mut from, &mut to).await });
            }
        });
        address
    }

    async fn said(stream: &mut TcpStream, text: &str) {
        let mut heard = vec![0; text.len()];
        let reading = stream.read_exact(&mut heard);
        tokio::time::timeout(LONG, reading).await.unwrap().unwrap();
        assert_eq!(heard, text.as_bytes());
    }

    #[tokio::test]
    async fn bytes_wait_or_vanish() {
        let proxy = Proxy::to(echo().await).await.unwrap();
        let mut first = TcpStream::connect(proxy.address).await.unwrap();
        first.write_all(b"one").await.unwrap();
        said(&mut first, "one").await;
        proxy.set(Flow::Hold);
        first.write_all(b"two").await.unwrap();
        proxy.set(Flow::Open);
        said(&mut first, "two").await;
        assert_eq!(proxy.swallowed(), 0);
        proxy.set(Flow::Swallow);
        first.write_all(b"three").await.unwrap();
        while proxy.swallowed() < 5 {
            tokio::task::yield_now().await;
        }
        proxy.set(Flow::Open);
        first.write_all(b"four").await.unwrap();
        while proxy.swallowed() < 9 {
            tokio::task::yield_now().await;
        }
        // Whoever comes anew gets through.
        let mut second = TcpStream::connect(proxy.address).await.unwrap();
        second.write_all(b"five").await.unwrap();
        said(&mut second, "five").await;
    }
}
