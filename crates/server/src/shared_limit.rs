//! Limits that protect the whole installation: what one client may do, or hold at once, at all nodes
//! together.
//!
//! Each count is kept at one node, its home: the one whose hash with the name is the largest. Where
//! that cannot be reached, every node allows its part.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::client::{Client, Network};
use crate::cluster::{Cluster, Counted};
use crate::config::{Limits, Rates};
use crate::refusal::{Refusal, TooMany};
use crate::session::Key;
use crate::throttle::Throttle;

/// How often a node tells the homes what it holds.
const RENEWED: Duration = Duration::from_secs(5);
/// What is not told again for so long is held no more: its node is gone.
const HELD: Duration = Duration::from_secs(20);
/// How much of it one message tells.
const TOLD: usize = 1000;

/// What is counted over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Budget {
    /// Passwords for a name from an address.
    LoginName,
    LoginAddress,
    /// From a device that has logged in before.
    LoginDevice,
    RegistrationAddress,
    OpeningSession,
    OpeningAddress,
    /// What is kept for good: analyses, and games of devices.
    SavingSession,
    SavingAddress,
    AnalysisSession,
    AnalysisAddress,
}

/// What is held for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Holding {
    TableSession,
    TableAddress,
    AnalysisSession,
    AnalysisAddress,
}

/// What somebody holds: the node that serves them, and its number for it.
type Holder = (String, u64);
/// What is held, and by which pseudonym.
type Held = (Holding, String);

/// What the home of a pseudonym is asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Count {
    Admit {
        budget: Budget,
        key: String,
    },
    Take {
        held: Held,
        holder: Holder,
    },
    /// This node still holds all this.
    Renew {
        node: String,
        held: Vec<(u64, Held)>,
    },
    Release {
        held: Held,
        holder: Holder,
    },
}

/// The limits. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct SharedLimits(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    cluster: Option<Cluster>,
    key: Key,
    limits: Limits,
    throttles: HashMap<Budget, Throttle>,
    /// What this node holds.
    own: Mutex<HashMap<u64, Held>>,
    last: AtomicU64,
    /// What is held at all nodes by those whose home is here, and until when if it is not told again.
    home: Mutex<HashMap<Held, HashMap<Holder, Option<Instant>>>>,
    /// What is given back is told from any thread.
    runtime: Handle,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}

impl SharedLimits {
    /// The limits of a node, or of a server that is alone.
    pub(crate) fn new(rates: &Rates, limits: &Limits, key: Key, cluster: Option<Cluster>) -> Self {
        let throttles = [
            (Budget::LoginName, rates.logins),
            (Budget::LoginAddress, rates.logins_per_address),
            (Budget::LoginDevice, rates.logins_per_device),
            (Budget::RegistrationAddress, rates.registrations_per_address),
            (Budget::OpeningSession, rates.openings),
            (Budget::OpeningAddress, rates.openings_per_address),
            (Budget::SavingSession, rates.savings),
            (Budget::SavingAddress, rates.savings_per_address),
            (Budget::AnalysisSession, rates.analyses),
            (Budget::AnalysisAddress, rates.analyses_per_address),
        ];
        let throttles = throttles.map(|(budget, rate)| (budget, Throttle::new(rate)));
        let shared = Self(Arc::new(Inner {
            cluster,
            key,
            limits: limits.clone(),
            throttles: throttles.into(),
            own: Mutex::default(),
            last: AtomicU64::new(0),
            home: Mutex::default(),
            runtime: Handle::current(),
        }));
        if let Some(cluster) = &shared.0.cluster {
            tokio::spawn(renew(Arc::downgrade(&shared.0), cluster.changes()));
        }
        shared
    }

    fn most(&self, holding: Holding) -> usize {
        let limits = &self.0.limits;
        match holding {
            Holding::TableSession => limits.tables_per_session,
            Holding::TableAddress => limits.tables_per_address,
            Holding::AnalysisSession => limits.analyses_per_session,
            Holding::AnalysisAddress => limits.analyses_per_address,
        }
    }

    /// Whether a budget allows one more.
    pub(crate) async fn admits(&self, budget: Budget, name: &str) -> bool {
        let key = self.0.key.sign("limit", name);
        let Some(cluster) = &self.0.cluster else {
            return self.0.throttles[&budget].admits(&key);
        };
        let count = Count::Admit {
            budget,
            key: key.clone(),
        };
        match cluster.count_at_home(&key, count).await {
            Counted::Here => self.0.throttles[&budget].admits(&key),
            Counted::There(admitted) => admitted,
            Counted::Nowhere => self.0.throttles[&budget].admits_part(&key, cluster.nodes()),
        }
    }

    /// The same for an address, unless no limit per address applies.
    pub(crate) async fn admits_address(&self, budget: Budget, network: Option<Network>) -> bool {
        match network {
            None => true,
            Some(network) => self.admits(budget, &network.to_string()).await,
        }
    }

    /// Counts one more of an address and of a session, or says that it is one too many.
    pub(crate) async fn admit(
        &self,
        [address, session]: [Budget; 2],
        client: &Client,
    ) -> Result<(), Refusal> {
        let admitted = self.admits_address(address, client.network).await
            && self.admits(session, client.session.as_str()).await;
        admitted.then_some(()).ok_or(Refusal::TooFast)
    }

    /// Permits for one more of a session and of its address, or why there are none.
    pub(crate) async fn take(
        &self,
        [session, address]: [Holding; 2],
        client: &Client,
        what: TooMany,
    ) -> Result<Vec<SharedPermit>, Refusal> {
        let refused = || Refusal::TooMany(what);
        let own = self.take_one(session, client.session.as_str()).await;
        let mut permits = vec![own.ok_or_else(refused)?];
        if let Some(network) = client.network {
            let shared = self.take_one(address, &network.to_string()).await;
            permits.push(shared.ok_or_else(refused)?);
        }
        Ok(permits)
    }

    async fn take_one(&self, holding: Holding, name: &str) -> Option<SharedPermit> {
        let key = self.0.key.sign("limit", name);
        let (held, most) = ((holding, key), self.most(holding));
        let number = self.0.last.fetch_add(1, Ordering::Relaxed) + 1;
        let permit = SharedPermit {
            limits: self.clone(),
            number,
        };
        // Held from now on: if the answer is lost, the permit is given back all the same.
        lock(&self.0.own).insert(number, held.clone());
        let holder = self.holder(number);
        let granted = match &self.0.cluster {
            None => self.hold(&held, holder, most),
            Some(cluster) => {
                let count = Count::Take {
                    held: held.clone(),
                    holder: holder.clone(),
                };
                match cluster.count_at_home(&held.1, count).await {
                    Counted::Here => self.hold(&held, holder, most),
                    Counted::There(granted) => granted,
                    Counted::Nowhere => self.hold(&held, holder, most.div_ceil(cluster.nodes())),
                }
            }
        };
        granted.then_some(permit)
    }

    fn holder(&self, number: u64) -> Holder {
        let node = self.0.cluster.as_ref().map_or("", Cluster::id);
        (node.to_owned(), number)
    }

    /// When something that is held by a node is held no more; never by this one, which gives it back.
    fn expiry(&self, node: &str) -> Option<Instant> {
        let own = self.0.cluster.as_ref().map_or("", Cluster::id);
        (node != own).then(|| Instant::now() + HELD)
    }

    /// One more at this home, if there is room.
    fn hold(&self, held: &Held, holder: Holder, most: usize) -> bool {
        let now = Instant::now();
        let mut home = lock(&self.0.home);
        let holders = home.entry(held.clone()).or_default();
        holders.retain(|_, until| until.is_none_or(|until| until > now));
        let has_room = holders.len() < most;
        if has_room {
            let until = self.expiry(&holder.0);
            holders.insert(holder, until);
        } else if holders.is_empty() {
            home.remove(held);
        }
        has_room
    }

    fn release(&self, held: &Held, holder: &Holder) {
        let mut home = lock(&self.0.home);
        if let Some(holders) = home.get_mut(held) {
            holders.remove(holder);
            if holders.is_empty() {
                home.remove(held);
            }
        }
    }

    /// Answers another node: whether there is one more.
    pub(crate) fn count(&self, count: Count) -> bool {
        match count {
            Count::Admit { budget, key } => self.0.throttles[&budget].admits(&key),
            Count::Take { held, holder } => self.hold(&held, holder, self.most(held.0)),
            Count::Renew { node, held } => {
                let mut home = lock(&self.0.home);
                let until = self.expiry(&node);
                for (number, held) in held {
                    let holders = home.entry(held).or_default();
                    holders.insert((node.clone(), number), until);
                }
                true
            }
            Count::Release { held, holder } => {
                self.release(&held, &holder);
                true
            }
        }
    }

    /// Tells the homes what this node holds, and forgets what others hold no more.
    async fn renew(&self, cluster: &Cluster) {
        let now = Instant::now();
        lock(&self.0.home).retain(|_, holders| {
            holders.retain(|_, until| until.is_none_or(|until| until > now));
            !holders.is_empty()
        });
        let mut by_home: HashMap<String, Vec<(u64, Held)>> = HashMap::new();
        for (number, held) in lock(&self.0.own).iter() {
            let home = by_home.entry(cluster.home(&held.1)).or_default();
            home.push((*number, held.clone()));
        }
        for (home, all) in by_home {
            for part in all.chunks(TOLD) {
                let (node, held) = (cluster.id().to_owned(), part.to_vec());
                let count = Count::Renew { node, held };
                if home == cluster.id() {
                    self.count(count);
                } else {
                    cluster.tell_count(&home, count).await;
                }
            }
        }
    }
}

/// Tells what is held now and then, and when the homes change.
async fn renew(limits: Weak<Inner>, mut changes: tokio::sync::watch::Receiver<u64>) {
    let mut tick = interval(RENEWED);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            told = changes.changed() => if told.is_err() {
                return;
            },
        }
        let Some(limits) = limits.upgrade().map(SharedLimits) else {
            return;
        };
        if let Some(cluster) = &limits.0.cluster {
            limits.renew(cluster).await;
        }
    }
}

/// One of what a client holds, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct SharedPermit {
    limits: SharedLimits,
    number: u64,
}

impl Drop for SharedPermit {
    fn drop(&mut self) {
        let limits = &self.limits;
        let Some(held) = lock(&limits.0.own).remove(&self.number) else {
            return;
        };
        let holder = limits.holder(self.number);
        limits.release(&held, &holder);
        if let Some(cluster) = &limits.0.cluster {
            let (cluster, home) = (cluster.clone(), cluster.home(&held.1));
            if home != cluster.id() {
                let count = Count::Release { held, holder };
                // If it is lost, it is not told again that this is held.
                let told = async move { cluster.tell_count(&home, count).await };
                limits.0.runtime.spawn(told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::id::PlayerId;

    #[tokio::test(start_paused = true)]
    async fn what_is_held_is_held_until_it_is_given_back_or_its_node_is_gone() {
        let mut config = Config::default();
        config.limits.analyses_per_session = 2;
        let key = Key::from_text(&Key::fresh_text());
        let limits = SharedLimits::new(&config.rates, &config.limits, key.clone(), None);
        let client = Client {
            session: PlayerId::random(),
            network: None,
        };
        let kinds = [Holding::AnalysisSession, Holding::AnalysisAddress];
        let take = || limits.take(kinds, &client, TooMany::Analyses);
        let first = take().await.unwrap();
        let held = (
            Holding::AnalysisSession,
            key.sign("limit", client.session.as_str()),
        );
        let other = |number| ("other".to_owned(), number);
        let holder = other(1);
        let asked = Count::Take {
            held: held.clone(),
            holder,
        };
        assert!(limits.count(asked.clone()));
        assert!(take().await.is_err());
        // Given back here, it can be taken there.
        drop(first);
        let holder = other(2);
        let second = Count::Take {
            held: held.clone(),
            holder,
        };
        assert!(limits.count(second));
        assert!(take().await.is_err());
        let renewed = Count::Renew {
            node: "other".to_owned(),
            held: vec![(1, held.clone())],
        };
        tokio::time::advance(HELD / 2).await;
        limits.count(renewed);
        tokio::time::advance(HELD / 2).await;
        // One of the two was not told again.
        let third = take().await.unwrap();
        assert!(take().await.is_err());
        let holder = other(1);
        limits.count(Count::Release { held, holder });
        drop((take().await.unwrap(), third));
        assert!(lock(&limits.0.home).is_empty() && lock(&limits.0.own).is_empty());
    }
}
