//! Which tables the lists show.

use std::collections::HashMap;

use crate::client::{Network, PerClient};
use crate::id::PlayerId;
use crate::room::Listing;
use crate::store::{Phase, Summary};

/// How many tables a list shows.
const LISTED: usize = 50;

/// The tables of one phase, newest first.
pub(super) fn list(all: &[Listing], phase: Phase, most: &PerClient<usize>) -> Vec<Summary> {
    let picked = pick(all, phase, most).into_iter();
    picked
        .map(|listing| Summary::clone(&listing.summary))
        .collect()
}

/// The tables of one phase that a list has room for, newest first.
pub(super) fn pick<'a>(
    all: &'a [Listing],
    phase: Phase,
    most: &PerClient<usize>,
) -> Vec<&'a Listing> {
    let mut all: Vec<&Listing> = all.iter().collect();
    all.retain(|listing| listing.summary.phase == phase);
    all.sort_by_key(|listing| std::cmp::Reverse(listing.summary.changed));
    let mut sessions: HashMap<&PlayerId, usize> = HashMap::new();
    let mut networks: HashMap<Network, usize> = HashMap::new();
    let own = all.into_iter().filter(|listing| {
        let session = sessions.entry(&listing.client.session).or_default();
        *session += 1;
        let network = listing.client.network.map_or(0, |network| {
            let count = networks.entry(network).or_default();
            *count += usize::from(*session <= most.session);
            *count
        });
        *session <= most.session && network <= most.address
    });
    own.take(LISTED).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::client::Client;
    use crate::id::TableId;

    fn listing(session: &PlayerId, host: u8, changed: i64) -> Listing {
        let summary = Summary {
            id: TableId::random(),
            game: "cotulenh".to_owned(),
            phase: Phase::Waiting,
            public: true,
            seats: Vec::new(),
            clock: String::new(),
            result: serde_json::Value::Null,
            turns: 0,
            opened: 0,
            changed,
        };
        let ip = std::net::IpAddr::from([192, 0, 2, host]);
        Listing {
            client: Client {
                session: session.clone(),
                network: Some(ip.into()),
            },
            summary: Arc::new(summary),
        }
    }

    #[test]
    fn m2_one_client_cannot_fill_the_lists() {
        let most = PerClient {
            session: 2,
            address: 5,
        };
        let mut all = Vec::new();
        for session in 0..10 {
            let player = PlayerId::random();
            all.extend((0..40).map(|at| listing(&player, 1, 1000 + 40 * session + at)));
        }
        let ann = PlayerId::random();
        all.push(listing(&ann, 2, 1));
        let listed = list(&all, Phase::Waiting, &most);
        let changed: Vec<i64> = listed.iter().map(|row| row.changed).collect();
        assert_eq!(changed, [1399, 1398, 1359, 1358, 1319, 1]);
        assert!(list(&all, Phase::Playing, &most).is_empty());
    }
}
