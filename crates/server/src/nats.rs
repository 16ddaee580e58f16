//! The connection to NATS, which carries messages between nodes and workers.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{ConnectErrorKind, ConnectOptions, Event, ServerError};
use futures_util::StreamExt as _;
use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::timeout;
use url::Url;

use crate::asset::hex;
use crate::id;

/// How much longer each try to connect again waits than the one before, and how long it waits at most.
const RECONNECT: Duration = Duration::from_millis(20);
const RECONNECT_MOST: Duration = Duration::from_millis(500);
/// How long a message takes at most that a connection sends to itself.
const ECHO: Duration = Duration::from_secs(3);
/// How NATS begins to say that a user may not hear something.
const NOT_HEARD: &str = "Permissions Violation for Subscription";

/// The address of a NATS server. It is printed without its password.
///
/// ```
/// use convoy_server::NatsUrl;
///
/// let url: NatsUrl = "nats://node:secret@nats.example".parse()?;
/// assert_eq!(url.to_string(), "nats://node@nats.example");
/// assert!("http://nats.example".parse::<NatsUrl>().is_err());
/// # Ok::<_, String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct NatsUrl(Url);

impl FromStr for NatsUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The address may hold a password: no message repeats it.
        let url = Url::parse(text).map_err(|error| format!("not an address: {error}"))?;
        let is_known = matches!(url.scheme(), "nats" | "tls");
        let is_bare = matches!(url.path(), "" | "/") && url.query().is_none();
        if !is_known || !is_bare || url.host().is_none() || url.fragment().is_some() {
            return Err("not of the form nats://user:password@host:port, or tls://…".to_owned());
        }
        Ok(Self(url))
    }
}

impl TryFrom<String> for NatsUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<NatsUrl> for String {
    fn from(url: NatsUrl) -> Self {
        url.0.into()
    }
}

impl fmt::Display for NatsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        // An address without a host has no password either.
        let _ = shown.set_password(None);
        f.write_str(shown.as_str())
    }
}

impl fmt::Debug for NatsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsUrl({self})")
    }
}

impl NatsUrl {
    fn options(&self) -> ConnectOptions {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let user = decoded(self.0.username());
        match self.0.password() {
            Some(password) => ConnectOptions::with_user_and_password(user, decoded(password)),
            None if user.is_empty() => ConnectOptions::new(),
            None => ConnectOptions::with_user_and_password(user, String::new()),
        }
    }
}

/// A connection to a NATS server. Clones share it. Once it stands it is taken up again whenever it is
/// lost.
///
/// ```no_run
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// use convoy_server::Nats;
///
/// let nats = Nats::connect(&"nats://node:secret@127.0.0.1".parse()?).await?;
/// assert!(nats.is_connected());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Nats {
    client: async_nats::Client,
    url: NatsUrl,
    told: Arc<Told>,
}

/// What became of a connection.
#[derive(Debug, Default)]
struct Told {
    /// Whether it was lost and does not stand again.
    is_lost: AtomicBool,
    /// What NATS said when this user wanted to hear what it may not.
    not_heard: watch::Sender<Option<String>>,
}

/// Why there is no connection to NATS.
///
/// ```
/// # async fn doc() {
/// use convoy_server::Nats;
///
/// // Nothing listens on that port.
/// let error = Nats::connect(&"nats://127.0.0.1:1".parse().unwrap()).await.unwrap_err();
/// assert!(error.to_string().starts_with("nats://127.0.0.1:1 "), "{error}");
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsError(String);

impl fmt::Display for NatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NatsError {}

impl NatsError {
    pub(crate) fn new(why: &str) -> Self {
        Self(why.to_owned())
    }
}

impl Nats {
    /// Connects, or says why that is impossible.
    pub async fn connect(url: &NatsUrl) -> Result<Self, NatsError> {
        let told = Arc::<Told>::default();
        let hearing = Arc::clone(&told);
        let options = url.options().name("convoy").event_callback(move |event| {
            hearing.note(event);
            std::future::ready(())
        });
        let options = options.reconnect_delay_callback(|attempts| {
            // Others wait for this node; there are not so many that their coming back is a burden.
            RECONNECT
                .saturating_mul(u32::try_from(attempts).unwrap_or(u32::MAX))
                .min(RECONNECT_MOST)
        });
        let mut bare = url.0.clone();
        // User and password are among the options.
        let _ = bare.set_username("");
        let _ = bare.set_password(None);
        let connected = options.connect(bare.as_str()).await;
        let connected = connected.map(|client| Self {
            client,
            url: url.clone(),
            told,
        });
        connected.map_err(|error| {
            NatsError(match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    format!("{url} refuses this user with this password")
                }
                _ => format!("{url} cannot be reached: {error}"),
            })
        })
    }

    /// Looks whether this user may hear and say what a server must: answers of workers, and other nodes where
    /// there may be some.
    pub async fn check(&self, is_node: bool) -> Result<(), NatsError> {
        let own = hex(&id::random::<8>());
        let nodes = ["node", "edge"].map(|kind| format!("{kind}.check.{own}"));
        let nodes = nodes.into_iter().filter(|_| is_node);
        for subject in [self.client.new_inbox()].into_iter().chain(nodes) {
            let failed = |why: &dyn fmt::Display| {
                NatsError(format!("{} cannot be used by this user: {why}", self.url))
            };
            let mut heard =
                (self.client.subscribe(subject.clone()).await).map_err(|error| failed(&error))?;
            let said = self.client.publish(subject.clone(), "".into()).await;
            said.map_err(|error| failed(&error))?;
            let echo = tokio::select! {
                why = self.not_heard() => return Err(why),
                echo = timeout(ECHO, heard.next()) => echo,
            };
            if !matches!(echo, Ok(Some(_))) {
                let (kind, _) = subject.split_once('.').unwrap_or_default();
                return Err(failed(&format!(
                    "what it sends to {kind}.> does not come back"
                )));
            }
        }
        Ok(())
    }

    /// Done once NATS has said that this user may not hear something that it must.
    pub(crate) fn not_heard(&self) -> impl Future<Output = NatsError> + Send + use<> {
        // Whoever waits does not keep the connection.
        let (mut told, url) = (self.told.not_heard.subscribe(), self.url.clone());
        async move {
            let why = told.wait_for(Option::is_some).await;
            let Some(why) = why.ok().and_then(|why| why.clone()) else {
                // Nothing more will be said.
                return std::future::pending().await;
            };
            NatsError(format!("{url} cannot be used by this user: {why}"))
        }
    }

    /// Whether the connection stands now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    pub(crate) fn client(&self) -> &async_nats::Client {
        &self.client
    }
}

impl Told {
    /// Takes note of what the log is told, but for how it began: that is told by whoever connects.
    fn note(&self, event: Event) {
        match event {
            Event::Connected if self.is_lost.swap(false, Ordering::Relaxed) => {
                tracing::info!("connected to NATS again");
            }
            // Nobody but this program closes a connection for good, and it says itself why.
            Event::Connected | Event::Closed => {}
            Event::Disconnected => {
                self.is_lost.store(true, Ordering::Relaxed);
                tracing::warn!("the connection to NATS is lost");
            }
            Event::ServerError(ServerError::Other(why)) if why.starts_with(NOT_HEARD) => {
                self.not_heard.send_replace(Some(why));
            }
            other => tracing::warn!(event = %other, "NATS"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let url: NatsUrl = "tls://ann:hidden@nats.example:4222".parse().unwrap();
        assert!(!format!("{url} {url:?}").contains("hidden"), "{url}");
        assert!(String::from(url).contains("hidden"), "it is kept");
        let refused = "https://ann:hidden@nats".parse::<NatsUrl>().unwrap_err();
        assert!(!refused.contains("hidden"), "{refused}");
    }

    #[test]
    fn slips_of_the_pen_are_refused() {
        for text in ["nats.example", "nats://", "nats://h/x", "nats://h?tls=1"] {
            assert!(text.parse::<NatsUrl>().is_err(), "{text}");
        }
    }
}
