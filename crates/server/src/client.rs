//! Where a request comes from: the client's address behind the proxies that are trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::{IpNet, Ipv6Net};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::config::Config;
use crate::id::PlayerId;
use crate::quota::{Permit, Quota};
use crate::refusal::{Refusal, TooMany};
use crate::session::Key;
use crate::throttle::Throttle;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// What limits per address count: one IPv4 address, or one IPv6 /64 network, of which a client may
/// choose any address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Network(IpNet);

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<IpAddr> for Network {
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            IpAddr::V4(ip) => Self(IpAddr::V4(ip).into()),
            IpAddr::V6(ip) => Self(IpNet::V6(Ipv6Net::new_assert(ip, 64).trunc())),
        }
    }
}

/// The address of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddr {
    ip: IpAddr,
    is_exempt: bool,
    /// Whether a trusted proxy passed the request on: only then are its other headers believed.
    pub(crate) is_proxied: bool,
    /// Whether the request says that it was passed on by somebody who is not trusted.
    pub(crate) is_dubious: bool,
}

impl ClientAddr {
    /// The client of a request from `peer` with these headers.
    pub(crate) fn new(config: &Config, peer: IpAddr, headers: &HeaderMap) -> Self {
        let peer = peer.to_canonical();
        let is_trusted = |ip: IpAddr| is_in(&config.trusted_proxies, ip);
        let is_proxied = is_trusted(peer);
        let mut ip = peer;
        if is_proxied {
            let lines = headers.get_all(FORWARDED_FOR).iter();
            let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or("")).collect();
            // Every proxy appends whom it speaks to, to the line or as a line of its own. What
            // stands left of the first address that is not trusted was written by that client.
            for told in lines.join(",").rsplit(',') {
                let Some(told) = read_address(told) else {
                    break;
                };
                ip = told;
                if !is_trusted(ip) {
                    break;
                }
            }
        }
        Self {
            ip,
            is_exempt: is_in(&config.limits.exempt, ip),
            is_proxied,
            is_dubious: !is_proxied && headers.contains_key(FORWARDED_FOR),
        }
    }

    pub(crate) fn of(config: &Config, request: &Request) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        // Without a connection the request was made by this very process.
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let peer = peer.map_or(local, |ConnectInfo(peer)| peer.ip());
        Self::new(config, peer, request.headers())
    }

    /// What limits per address count, unless none applies to this client.
    pub(crate) fn network(&self) -> Option<Network> {
        (!self.is_exempt).then(|| self.ip.into())
    }

    /// Whether the client may read `/metrics`.
    pub(crate) fn may_read_metrics(&self, config: &Config) -> bool {
        !self.is_dubious && is_in(&config.metrics.allow, self.ip)
    }
}

impl FromRequestParts<App> for ClientAddr {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Refusal> {
        let known = parts.extensions.get::<Self>().copied();
        // The outermost layer has put it there.
        known.ok_or(Refusal::NoSuchPage)
    }
}

/// Whom something is done for: what limits and the thinking pool count.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Client {
    /// The session, or the account that it belongs to.
    pub(crate) session: PlayerId,
    /// Where it comes from, unless no limit per address applies.
    pub(crate) network: Option<Network>,
}

impl Client {
    /// Somebody else for each client, and always the same one: whoever is not trusted can share
    /// fairly among clients and learns of none.
    pub(crate) fn pseudonym(&self, key: &Key) -> Self {
        let session = key.sign("pseudonym", self.session.as_str());
        let network = |network: Network| {
            let signature = key.sign("pseudonym", &network.to_string());
            let digits = u128::from_str_radix(&signature[..16], 16);
            let half = digits.expect("a signature is in hexadecimal digits");
            Network::from(IpAddr::V6(Ipv6Addr::from(half << 64)))
        };
        Self {
            session: PlayerId::derived(session.as_bytes()),
            network: self.network.map(network),
        }
    }
}

/// A limit for each session, and one for each address: whoever keeps no cookie is a new session with
/// every request, but comes from the same address.
#[derive(Debug)]
pub(crate) struct PerClient<T> {
    pub(crate) session: T,
    pub(crate) address: T,
}

impl PerClient<Throttle> {
    /// Counts one more, or says that it is one too many.
    pub(crate) fn admit(&self, client: &Client) -> Result<(), Refusal> {
        let network = client.network;
        let admitted = network.is_none_or(|network| self.address.admits(&network))
            && self.session.admits(client.session.as_str());
        admitted.then_some(()).ok_or(Refusal::TooFast)
    }
}

impl PerClient<Quota> {
    /// Permits for one more, or why there are none.
    pub(crate) fn take(&self, client: &Client, what: TooMany) -> Result<Vec<Permit>, Refusal> {
        let refused = || Refusal::TooMany(what);
        let own = self.session.take(client.session.as_str());
        let mut permits = vec![own.ok_or_else(refused)?];
        if let Some(network) = client.network {
            permits.push(self.address.take(&network).ok_or_else(refused)?);
        }
        Ok(permits)
    }
}

/// What limits per address count for a connection; those of proxies carry many clients.
pub(crate) fn peer_network(config: &Config, peer: SocketAddr) -> Option<Network> {
    let peer = peer.ip().to_canonical();
    let free = is_in(&config.trusted_proxies, peer) || is_in(&config.limits.exempt, peer);
    (!free).then(|| peer.into())
}

fn is_in(nets: &[IpNet], ip: IpAddr) -> bool {
    // A network that is written as IPv4-mapped IPv6 is the IPv4 network.
    nets.iter().any(|net| match (net, ip) {
        (IpNet::V6(net), IpAddr::V4(ip)) => net.contains(&ip.to_ipv6_mapped()),
        (net, ip) => net.contains(&ip),
    })
}

/// An address as proxies write it, with or without a port.
fn read_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = || {
        text.trim_start_matches('[')
            .trim_end_matches(']')
            .parse()
            .ok()
    };
    let with_port = || text.parse::<SocketAddr>().ok().map(|at| at.ip());
    with_port()
        .or_else(bare)
        .map(|ip: IpAddr| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &[&str], peer: &str, lines: &[&str]) -> ClientAddr {
        let config = Config {
            trusted_proxies: trusted.iter().map(|net| net.parse().unwrap()).collect(),
            ..Config::default()
        };
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, line.parse().unwrap());
        }
        ClientAddr::new(&config, peer.parse().unwrap(), &headers)
    }

    fn ip(trusted: &[&str], peer: &str, lines: &[&str]) -> String {
        client(trusted, peer, lines).ip.to_string()
    }

    /// M5: all lines count, from the right, and only past proxies that are configured.
    #[test]
    fn m5_a_client_cannot_choose_its_address() {
        let one = &["127.0.0.0/8"];
        assert_eq!(ip(one, "127.0.0.1", &["192.0.2.1"]), "192.0.2.1");
        assert_eq!(ip(one, "127.0.0.1", &["6.6.6.6, 192.0.2.1"]), "192.0.2.1");
        assert_eq!(ip(one, "127.0.0.1", &["6.6.6.6", "192.0.2.1"]), "192.0.2.1");
        let two = &["127.0.0.1/32", "10.0.0.0/8"];
        assert_eq!(
            ip(two, "127.0.0.1", &["6.6.6.6, 192.0.2.1", "10.0.0.7"]),
            "192.0.2.1"
        );
        // Whoever is not trusted speaks for nobody, loopback included.
        for peer in ["198.51.100.7", "127.0.0.1"] {
            let from = client(&[], peer, &["192.0.2.1"]);
            assert_eq!(from.ip.to_string(), peer);
            assert!(from.is_dubious && !from.is_proxied);
        }
        // What cannot be read counts for the proxy that passed it on.
        assert_eq!(ip(two, "127.0.0.1", &["nonsense, 10.0.0.7"]), "10.0.0.7");
        assert_eq!(ip(one, "127.0.0.1", &["192.0.2.1, "]), "127.0.0.1");
        assert_eq!(ip(one, "127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(ip(one, "127.0.0.1", &["192.0.2.1:4711"]), "192.0.2.1");
        assert_eq!(ip(one, "127.0.0.1", &["[2001:db8::1]:4711"]), "2001:db8::1");
    }

    /// M5: an IPv6 client has a whole /64 to choose from.
    #[test]
    fn m5_ipv6_is_counted_by_its_64() {
        let network = |ip: &str| Network::from(ip.parse::<IpAddr>().unwrap());
        assert_eq!(network("2001:db8:0:1::1"), network("2001:db8:0:1:ffff::9"));
        assert_ne!(network("2001:db8:0:1::1"), network("2001:db8:0:2::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }

    /// M6: a listener for both families sees IPv4 peers as IPv4-mapped IPv6.
    #[test]
    fn m6_a_mapped_peer_is_its_ipv4_address() {
        let one = &["127.0.0.0/8"];
        assert_eq!(ip(one, "::ffff:127.0.0.1", &["192.0.2.1"]), "192.0.2.1");
        assert_eq!(ip(one, "127.0.0.1", &["::ffff:192.0.2.1"]), "192.0.2.1");
        let mapped = &["::ffff:127.0.0.1/128"];
        assert_eq!(ip(mapped, "127.0.0.1", &["192.0.2.1"]), "192.0.2.1");
        let config = Config::default();
        let from = |text: &str| peer_network(&config, text.parse().unwrap());
        assert_eq!(from("[::ffff:192.0.2.1]:1"), from("192.0.2.1:2"));
        assert!(from("127.0.0.1:1").is_some(), "loopback is nothing special");
    }

    #[test]
    fn metrics_are_for_this_machine_alone_unless_configured() {
        let config = Config::default();
        let reads = |peer: &str, lines: &[&str]| {
            client(&["127.0.0.1/32"], peer, lines).may_read_metrics(&config)
        };
        assert!(reads("127.0.0.1", &[]));
        assert!(reads("::1", &[]));
        assert!(!reads("127.0.0.1", &["192.0.2.1"]));
        assert!(!reads("192.0.2.1", &[]));
        // A local proxy that nobody configured must not open them to the world.
        assert!(!client(&[], "127.0.0.1", &["192.0.2.1"]).may_read_metrics(&config));
    }
}
