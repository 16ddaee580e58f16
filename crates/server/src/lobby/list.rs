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

/// The tables of one phase that a list has room for, newest first. Where there are more, everybody's
/// newest comes before anybody's second: a few addresses cannot fill a list between them.
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
    let number = |listing: &'a Listing| {
        let session = sessions.entry(&listing.client.session).or_default();
        *session += 1;
        if *session > most.session {
            return None;
        }
        let Some(network) = listing.client.network else {
            return Some((*session, listing));
        };
        let count = networks.entry(network).or_default();
        *count += 1;
        (*count <= most.address).then_some((*count, listing))
    };
    let mut own: Vec<_> = all.into_iter().filter_map(number).collect();
    // Of equal numbers the newest stays first.
    own.sort_by_key(|(number, _)| *number);
    let mut picked: Vec<&Listing> = own.into_iter().take(LISTED).map(|(_, of)| of).collect();
    picked.sort_by_key(|listing| std::cmp::Reverse(listing.summary.changed));
    picked
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

    #[test]
    fn m2_some_clients_cannot_fill_a_list_between_them() {
        let most = PerClient {
            session: 3,
            address: 12,
        };
        let mut all = Vec::new();
        for host in 2..12 {
            let player = PlayerId::random();
            all.extend((0..3).map(|at| listing(&player, host, i64::from(host) * 100 + at)));
            let other = PlayerId::random();
            all.extend((0..3).map(|at| listing(&other, host, i64::from(host) * 100 + 50 + at)));
        }
        let ann = PlayerId::random();
        all.push(listing(&ann, 1, 1));
        let listed = list(&all, Phase::Waiting, &most);
        assert_eq!(listed.len(), LISTED);
        let changed: Vec<i64> = listed.iter().map(|row| row.changed).collect();
        assert!(
            changed.is_sorted_by(|a, b| a > b),
            "newest first: {changed:?}"
        );
        assert_eq!(
            changed.last(),
            Some(&1),
            "the oldest table of all is listed"
        );
    }
}
