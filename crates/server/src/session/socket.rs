//! Which sockets belong to which session, so that they end with it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use crate::cluster::Cluster;

#[derive(Debug)]
struct Entry {
    sockets: usize,
    ended: watch::Sender<bool>,
}

/// The sessions that have sockets. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sockets {
    all: Arc<Mutex<HashMap<String, Entry>>>,
    /// The other nodes, if there may be some.
    cluster: Option<Cluster>,
}

impl Sockets {
    pub(crate) fn new(cluster: Option<Cluster>) -> Self {
        Self {
            all: Arc::default(),
            cluster,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.all.lock().expect("no holder of this lock panics")
    }

    /// One more socket of a session, until it is dropped.
    pub(crate) fn join(&self, session: &str) -> SessionSocket {
        let mut all = self.lock();
        let entry = all.entry(session.to_owned()).or_insert_with(|| Entry {
            sockets: 0,
            ended: watch::Sender::new(false),
        });
        entry.sockets += 1;
        SessionSocket {
            session: session.to_owned(),
            ended: entry.ended.subscribe(),
            all: self.clone(),
        }
    }

    /// Ends all sockets of a session.
    pub(crate) fn end(&self, session: &str) {
        self.end_here(session);
        if let Some(cluster) = &self.cluster {
            cluster.end_session(session);
        }
    }

    /// Ends the sockets of a session at this node.
    pub(crate) fn end_here(&self, session: &str) {
        if let Some(entry) = self.lock().get(session) {
            entry.ended.send_replace(true);
        }
    }
}

/// A socket of a session.
#[derive(Debug)]
pub(crate) struct SessionSocket {
    all: Sockets,
    session: String,
    ended: watch::Receiver<bool>,
}

impl SessionSocket {
    /// Done when the session has ended.
    pub(crate) async fn ended(&mut self) {
        // The sender stays in the map for as long as this does.
        let _ = self.ended.wait_for(|ended| *ended).await;
    }
}

impl Drop for SessionSocket {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(entry) = all.get_mut(&self.session) {
            entry.sockets -= 1;
            if entry.sockets == 0 {
                all.remove(&self.session);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn sockets_end_with_their_session_and_with_no_other() {
        let all = Sockets::default();
        let (mut one, mut two, mut other) = (all.join("a"), all.join("a"), all.join("b"));
        all.end("a");
        one.ended().await;
        two.ended().await;
        let waiting = std::future::poll_fn(|cx| {
            let poll = std::pin::pin!(other.ended()).poll(cx);
            std::task::Poll::Ready(poll.is_pending())
        });
        assert!(waiting.await, "another session goes on");
        drop((one, two, other));
        assert!(all.lock().is_empty(), "nothing is kept of what is gone");
    }
}
