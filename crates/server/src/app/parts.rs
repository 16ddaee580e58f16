//! What an application is made of, as its configuration says.

use std::sync::Arc;

use crate::client::PerClient;
use crate::cluster::Cluster;
use crate::config::Config;
use crate::lobby::LobbyConfig;
use crate::metric::Metrics;
use crate::nats::Nats;
use crate::pool::{self, Pool};
use crate::session::Key;
use crate::shared_limit::SharedLimits;
use crate::throttle::{Rate, Throttle};

/// The threads for bots and analyses, for questions about the rules, for pictures, and for passwords.
pub(super) fn pools(config: &Config, metrics: &Metrics) -> [Pool; 4] {
    let (thinking, passwords) = (&config.thinking, &config.passwords);
    [
        (
            "thinking",
            (thinking.threads, thinking.queue, thinking.engines),
            &metrics.thinking,
        ),
        (
            "answering",
            (thinking.threads, thinking.queue, 0),
            &metrics.answering,
        ),
        ("drawing", (1, thinking.queue, 0), &metrics.drawing),
        (
            "passwords",
            (passwords.threads, passwords.queue, 0),
            &metrics.passwords,
        ),
    ]
    .map(|(name, (threads, queue, cached), metrics)| {
        let size = pool::Size {
            threads,
            has_short_thread: name == "thinking",
            queue,
            cached,
        };
        Pool::new(name, size, Arc::clone(metrics))
    })
}

/// A budget for each session and one for each address.
pub(super) fn per_client(session: Rate, address: Rate) -> PerClient<Throttle> {
    PerClient {
        session: Throttle::new(session),
        address: Throttle::new(address),
    }
}

/// What the lobby allows and asks for.
pub(super) fn lobby_config(config: &Config, shared: SharedLimits) -> LobbyConfig {
    let (rates, limits) = (&config.rates, &config.limits);
    LobbyConfig {
        shared,
        hints: per_client(rates.hints, rates.hints_per_address),
        listed: PerClient {
            session: limits.listed_per_session,
            address: limits.listed_per_address,
        },
        presence: config.thinking.presence,
    }
}

/// Who else works for the installation.
#[derive(Debug)]
pub(super) enum Peers {
    None,
    Workers(Nats),
    Nodes(Nats),
}

impl Peers {
    /// The way to workers and other nodes, and this node among them.
    pub(super) fn connect(self, key: &Key) -> (Option<Nats>, Option<Cluster>) {
        if let Self::Workers(nats) | Self::Nodes(nats) = &self {
            let not_heard = nats.not_heard();
            tokio::spawn(async move { tracing::error!("{}", not_heard.await) });
        }
        match self {
            Self::None => (None, None),
            Self::Workers(nats) => (Some(nats), None),
            Self::Nodes(nats) => {
                let cluster = Cluster::new(nats.clone(), key.clone());
                (Some(nats), Some(cluster))
            }
        }
    }
}
