//! What whoever runs the server can choose, as typed values with defaults.
//!
//! A field here is a key of the configuration file, an environment variable and a row of
//! `docs/configuration.md`, and its doc comment is the help for all three. A new section is one
//! more struct and one more field of [`Config`].

mod bounds;
mod layer;
mod public_url;
mod schema;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::GameOptions;
use crate::nats::NatsUrl;
use crate::store::{DatabaseUrl, Durability, Retention};
use crate::throttle::Rate;

pub(crate) use bounds::{some_time, time};
pub use layer::{ConfigError, Override};
pub use public_url::PublicUrl;

/// Everything that can be configured.
///
/// ```
/// use std::time::Duration;
/// use convoy_server::{Config, Thinking};
///
/// let thinking = Thinking { bot_pause: Duration::ZERO, ..Thinking::default() };
/// let brisk = Config { thinking, ..Config::default() };
/// assert!(brisk.thinking.threads >= 1);
/// ```
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// Folder for games and accounts. If not set: the user's data directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// Address of a PostgreSQL database for games and accounts, such as
    /// `postgres://convoy@db.example/convoy?sslmode=verify-full`. If not set: a file of SQLite in
    /// `data`. A password may also stand in `PGPASSWORD` or `~/.pgpass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<DatabaseUrl>,
    /// Address of a NATS server that leads to workers and, with `database`, to other nodes, such as
    /// `nats://node:password@nats.example`, or `tls://…` with encryption. If not set: the server is
    /// alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nats: Option<NatsUrl>,
    /// Address under which visitors reach the server, such as `https://play.example`. Used for
    /// absolute links, for example to the preview picture of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<PublicUrl>,
    /// Reverse proxies whose `X-Forwarded-For` is believed, as addresses or networks. No address is
    /// trusted unless it is listed, loopback included.
    #[serde(with = "networks")]
    #[schemars(with = "Vec<String>")]
    pub trusted_proxies: Vec<IpNet>,
    /// How games and accounts are kept.
    pub storage: Storage,
    /// TLS without a proxy in front.
    pub tls: TlsFiles,
    /// How long what nobody needs is kept.
    pub retention: Retention,
    /// Log output.
    pub log: Log,
    /// Access to `/metrics`.
    pub metrics: MetricsAccess,
    /// How many things one visitor may hold at once, and how long requests may take.
    pub limits: Limits,
    /// How often one visitor may do something.
    pub rates: Rates,
    /// Bots, hints and analyses.
    pub thinking: Thinking,
    /// Password hashing.
    pub passwords: Passwords,
    /// What single games are played with; chosen by whoever builds the application.
    #[serde(skip)]
    #[schemars(skip)]
    pub games: GameOptions,
}

/// How games and accounts are kept.
///
/// ```
/// use convoy_server::{Durability, Storage};
///
/// assert_eq!(Storage::default().durability, Durability::Full);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Storage {
    /// Most connections to PostgreSQL at once.
    #[serde(deserialize_with = "bounds::connections")]
    pub connections: NonZeroU32,
    /// What an acknowledged move outlives: `full`, a power cut; `normal`, only the end of the process.
    pub durability: Durability,
}

/// TLS without a proxy in front. Both files or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TlsFiles {
    /// File of the certificate and those that sign it, in PEM. If set, the server speaks HTTPS and
    /// no HTTP. The files are read again when they change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<PathBuf>,
    /// File of the certificate's private key, in PEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<PathBuf>,
}

/// Log output, written to standard error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Log {
    /// Least severe level that is logged: `error`, `warn`, `info`, `debug` or `trace`. `debug` logs
    /// every request, without its path.
    pub level: LogLevel,
    /// `text`, or `json` with one object per line.
    pub format: LogFormat,
}

/// Severity of log messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}

/// Form of log messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Who may read `/metrics`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MetricsAccess {
    /// Addresses or networks that may read `/metrics`; for all others the page does not exist. A
    /// request that came through a proxy that is not trusted is always refused.
    #[serde(with = "networks")]
    #[schemars(with = "Vec<String>")]
    pub allow: Vec<IpNet>,
}

/// How many things may be held at once, and how long a request may take to arrive. An address is
/// one IPv4 address or one IPv6 /64 network.
///
/// ```
/// use convoy_server::Limits;
///
/// let limits = Limits::default();
/// assert!(limits.sockets_per_session < limits.sockets_per_address);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Addresses or networks that no limit or rate per address applies to.
    #[serde(with = "networks")]
    #[schemars(with = "Vec<String>")]
    pub exempt: Vec<IpNet>,
    /// WebSocket connections of one session.
    pub sockets_per_session: usize,
    /// WebSocket connections of one address.
    pub sockets_per_address: usize,
    /// TCP connections of one address. Those of trusted proxies are not counted.
    pub connections_per_address: usize,
    /// Tables opened by one session that are in memory and not over.
    pub tables_per_session: usize,
    /// Tables opened from one address that are in memory and not over.
    pub tables_per_address: usize,
    /// Analyses of one session that wait or run.
    pub analyses_per_session: usize,
    /// Analyses of one address that wait or run.
    pub analyses_per_address: usize,
    /// Tables of one session in each list of the lobby.
    pub listed_per_session: usize,
    /// Tables of one address in each list of the lobby.
    pub listed_per_address: usize,
    /// Largest request body in bytes.
    pub body_bytes: usize,
    /// Time for the headers of a request, from the start of the connection or the last answer.
    #[serde(with = "some_time")]
    #[schemars(with = "String")]
    pub header_time: Duration,
    /// Time for the body of a request, from the end of its headers.
    #[serde(with = "some_time")]
    #[schemars(with = "String")]
    pub body_time: Duration,
    /// Time that a client may take nothing of what is sent to it.
    #[serde(with = "some_time")]
    #[schemars(with = "String")]
    pub write_time: Duration,
}

/// How often something may be done: `burst` times at once, and `per-second` more each second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rates {
    /// Frames of one WebSocket.
    pub frames: Rate,
    /// HTTP requests of one address.
    pub requests: Rate,
    /// Tables opened by one session.
    pub openings: Rate,
    /// Tables opened from one address.
    pub openings_per_address: Rate,
    /// Analyses saved, and games handed in from devices, by one session.
    pub savings: Rate,
    /// Analyses saved, and games handed in from devices, from one address.
    pub savings_per_address: Rate,
    /// Calls about the rules by one session.
    pub questions: Rate,
    /// Calls about the rules from one address.
    pub questions_per_address: Rate,
    /// Analyses started by one session.
    pub analyses: Rate,
    /// Analyses started from one address.
    pub analyses_per_address: Rate,
    /// Hints asked for by one session.
    pub hints: Rate,
    /// Hints asked for from one address.
    pub hints_per_address: Rate,
    /// Passwords tried for one account name from one address.
    pub logins: Rate,
    /// Passwords tried from one address, for any name.
    pub logins_per_address: Rate,
    /// Passwords tried for an account on a device that has logged in to it before.
    pub logins_per_device: Rate,
    /// Accounts registered from one address.
    pub registrations_per_address: Rate,
}

/// The pool of threads for bots, hints and analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Thinking {
    /// Threads that think, beside one for moves that take milliseconds. The default leaves one core to everything else.
    #[serde(deserialize_with = "bounds::threads")]
    pub threads: usize,
    /// Jobs that may wait for a thread. When the queue is full, a job of the address with the most
    /// waiting jobs is put off; a bot's move is tried again later.
    #[serde(deserialize_with = "bounds::waiting")]
    pub queue: usize,
    /// Engines whose transposition tables are kept between moves, 32 MiB each.
    pub engines: usize,
    /// How long a bot goes on thinking for somebody without a WebSocket after their last request.
    #[serde(with = "time")]
    #[schemars(with = "String")]
    pub presence: Duration,
    /// Shortest time a bot takes for a move, so that people can follow.
    #[serde(with = "time")]
    #[schemars(with = "String")]
    pub bot_pause: Duration,
}

/// Hashing of passwords, which takes 19 MiB of memory at a time by design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Passwords {
    /// Threads that hash passwords; each keeps 19 MiB once it is used.
    #[serde(deserialize_with = "bounds::threads")]
    pub threads: usize,
    /// Passwords that may wait to be hashed. When the queue is full, one of the address with the most
    /// waiting ones, or of one that has tried more, is refused as `busy`; known devices come first.
    #[serde(deserialize_with = "bounds::waiting")]
    pub queue: usize,
}

fn loopback() -> Vec<IpNet> {
    let v4 = Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8);
    let v6 = Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128);
    vec![v4.into(), v6.into()]
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: None,
            database: None,
            nats: None,
            public_url: None,
            trusted_proxies: Vec::new(),
            storage: Storage::default(),
            tls: TlsFiles::default(),
            retention: Retention::default(),
            log: Log::default(),
            metrics: MetricsAccess::default(),
            limits: Limits::default(),
            rates: Rates::default(),
            thinking: Thinking::default(),
            passwords: Passwords::default(),
            games: GameOptions::default(),
        }
    }
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            connections: NonZeroU32::new(10).expect("it is above zero"),
            durability: Durability::default(),
        }
    }
}

impl Default for MetricsAccess {
    fn default() -> Self {
        Self { allow: loopback() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            exempt: Vec::new(),
            sockets_per_session: 24,
            sockets_per_address: 400,
            connections_per_address: 600,
            tables_per_session: 40,
            tables_per_address: 200,
            analyses_per_session: 3,
            analyses_per_address: 12,
            listed_per_session: 3,
            listed_per_address: 12,
            body_bytes: 64 * 1024,
            header_time: Duration::from_secs(20),
            body_time: Duration::from_secs(20),
            write_time: Duration::from_secs(20),
        }
    }
}

impl Default for Rates {
    fn default() -> Self {
        let rate = |burst, per_second| Rate { burst, per_second };
        Self {
            frames: rate(40.0, 15.0),
            requests: rate(600.0, 60.0),
            openings: rate(20.0, 0.5),
            openings_per_address: rate(60.0, 1.5),
            savings: rate(30.0, 0.02),
            savings_per_address: rate(100.0, 0.02),
            questions: rate(200.0, 40.0),
            questions_per_address: rate(600.0, 120.0),
            analyses: rate(60.0, 2.0),
            analyses_per_address: rate(180.0, 6.0),
            hints: rate(10.0, 0.5),
            hints_per_address: rate(40.0, 2.0),
            logins: rate(5.0, 0.1),
            logins_per_address: rate(20.0, 0.2),
            logins_per_device: rate(10.0, 0.2),
            registrations_per_address: rate(20.0, 0.05),
        }
    }
}

impl Default for Thinking {
    fn default() -> Self {
        Self {
            threads: cores().saturating_sub(1).max(1),
            queue: 256,
            engines: 3,
            presence: Duration::from_secs(90),
            bot_pause: Duration::from_millis(350),
        }
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            threads: 2,
            queue: 256,
        }
    }
}

/// Networks in files: a bare address is the network of that address alone.
mod networks {
    use std::net::IpAddr;

    use ipnet::IpNet;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(nets: &[IpNet], to: S) -> Result<S::Ok, S::Error> {
        nets.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<IpNet>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| read(text)).collect()
    }

    fn read<E: serde::de::Error>(text: &str) -> Result<IpNet, E> {
        let net = text.parse::<IpNet>().ok();
        let one = || text.parse::<IpAddr>().ok().map(IpNet::from);
        let wrong = || E::custom(format!("{text:?} is neither an address nor a network"));
        net.or_else(one).ok_or_else(wrong)
    }
}
