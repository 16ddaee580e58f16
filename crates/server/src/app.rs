//! The application: its state, its routes, its layers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::sync::{Semaphore, watch};
use tower_http::compression::CompressionLayer;
use tractor::Deck;

use crate::bot::Bots;
use crate::id::TableId;
use crate::lobby::Lobby;
use crate::metric::Metrics;
use crate::refusal::{Refusal, TooMany};
use crate::room::unix_now;
use crate::session::{self, Key, Sockets, Visitor};
use crate::store::{Retention, Store, StoreError};
use crate::table::Opening;
use crate::tally::{Place, Tally};
use crate::throttle::{Rate, Throttle};
use crate::tractor::{Pace, ShuffleKey};
use crate::{account, api, asset, draft, form, header, page, socket};

/// The largest body that a form or a call may bring.
const LARGEST_BODY: usize = 64 * 1024;

/// How the server behaves where a choice is left.
///
/// ```
/// use std::time::Duration;
/// use convoy_server::Config;
///
/// let brisk = Config { bot_pause: Duration::ZERO, ..Config::default() };
/// assert!(brisk.bots >= 1);
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    /// How many bots think at once.
    pub bots: usize,
    /// How long a bot takes at least, so that people can follow.
    pub bot_pause: Duration,
    /// How many analyses run at once.
    pub studies: usize,
    /// How many frames a socket may send.
    pub frames: Rate,
    /// How many tables a player may open.
    pub openings: Rate,
    /// How many questions about the rules a session may ask.
    pub questions: Rate,
    /// How many passwords may be tried for one name.
    pub logins: Rate,
    /// How many requests may come from one address; the machine itself is not counted.
    pub requests: Rate,
    /// How many analyses a session may begin.
    pub analyses: Rate,
    /// How many things may be held at once.
    pub limits: Limits,
    /// How fast things go at card tables.
    pub pace: Pace,
    /// Encrypts the secrets of running shuffles in the storage.
    pub shuffle_key: ShuffleKey,
    /// How long what nobody needs is kept.
    pub retention: Retention,
}

/// How many things may be held at once, and how long a request may take to arrive.
///
/// ```
/// use convoy_server::Limits;
///
/// let limits = Limits::default();
/// assert!(limits.sockets_of_session < limits.sockets_of_address);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Sockets of one session.
    pub sockets_of_session: usize,
    /// Sockets from one address; the machine itself is not counted.
    pub sockets_of_address: usize,
    /// Connections of any kind from one address; the machine itself is not counted.
    pub connections_of_address: usize,
    /// Tables in memory that a player has opened and that are not over.
    pub tables_of_player: usize,
    /// Analyses that a session waits for.
    pub analyses_of_session: usize,
    /// From the beginning of a connection, or from the last answer, to the end of a request's
    /// headers.
    pub header_time: Duration,
    /// From the end of the headers to the end of the body.
    pub body_time: Duration,
    /// How long a client may take nothing of what is sent to it.
    pub write_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets_of_session: 24,
            sockets_of_address: 400,
            connections_of_address: 600,
            tables_of_player: 40,
            analyses_of_session: 3,
            header_time: Duration::from_secs(20),
            body_time: Duration::from_secs(20),
            write_time: Duration::from_secs(20),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let rate = |burst, per_second| Rate { burst, per_second };
        Self {
            // One core is left to the sockets where there is more than one.
            bots: cores.saturating_sub(1).max(1),
            bot_pause: Duration::from_millis(350),
            studies: (cores / 2).max(1),
            frames: rate(40.0, 15.0),
            openings: rate(20.0, 0.5),
            questions: rate(200.0, 40.0),
            logins: rate(5.0, 0.1),
            requests: rate(600.0, 60.0),
            analyses: rate(60.0, 2.0),
            limits: Limits::default(),
            pace: Pace::CALM,
            shuffle_key: ShuffleKey::random(),
            retention: Retention::default(),
        }
    }
}

/// The application. Clones share one state. The crate's own page has an example.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    store: Arc<dyn Store>,
    key: Key,
    /// Since when cookies are as they are now, in milliseconds of Unix time.
    sessions_since: i64,
    sockets: Sockets,
    lobby: Lobby,
    metrics: Arc<Metrics>,
    config: Config,
    studies: Arc<Semaphore>,
    hashing: Semaphore,
    drawing: Semaphore,
    decoy: String,
    openings: Throttle,
    questions: Throttle,
    logins: Throttle,
    requests: Throttle,
    analyses: Throttle,
    session_sockets: Tally,
    address_sockets: Tally,
    connections: Tally,
    session_analyses: Tally,
    closing: watch::Sender<bool>,
    /// Deals chosen by whoever built the application, for tests.
    decks: Vec<Deck>,
}

impl App {
    /// An application over a storage.
    pub async fn new(store: impl Store + 'static, config: Config) -> Result<Self, StoreError> {
        Self::with_decks(store, config, Vec::new()).await
    }

    /// An application whose Tractor tables deal these decks, one a round, before they shuffle. For
    /// tests: such a round does not pass [`verify`](crate::verify), and nothing that a running
    /// program reads leads here.
    pub async fn with_decks(
        store: impl Store + 'static,
        config: Config,
        decks: Vec<Deck>,
    ) -> Result<Self, StoreError> {
        let store: Arc<dyn Store> = Arc::new(store);
        let secret = store.settle("key", &Key::fresh_text()).await?;
        let now = unix_now().to_string();
        let since = store.settle(session::SINCE, &now).await?;
        let metrics = Arc::new(Metrics::default());
        let bots = Bots::new(config.bots, config.bot_pause);
        let app = Self(Arc::new(Inner {
            key: Key::from_text(&secret),
            sessions_since: since.parse().unwrap_or(0),
            sockets: Sockets::default(),
            lobby: Lobby::new(
                Arc::clone(&store),
                bots,
                Arc::clone(&metrics),
                config.limits.tables_of_player,
                config.shuffle_key.clone(),
            ),
            store,
            metrics,
            studies: Arc::new(Semaphore::new(config.studies.max(1))),
            hashing: Semaphore::new(4),
            drawing: Semaphore::new(1),
            decoy: account::decoy(),
            openings: Throttle::new(config.openings),
            questions: Throttle::new(config.questions),
            logins: Throttle::new(config.logins),
            requests: Throttle::new(config.requests),
            analyses: Throttle::new(config.analyses),
            session_sockets: Tally::new(config.limits.sockets_of_session),
            address_sockets: Tally::new(config.limits.sockets_of_address),
            connections: Tally::new(config.limits.connections_of_address),
            session_analyses: Tally::new(config.limits.analyses_of_session),
            closing: watch::Sender::new(false),
            decks,
            config,
        }));
        tokio::spawn(session::maintain(Arc::downgrade(&app.0)));
        Ok(app)
    }

    /// All routes, ready to be served or asked with `oneshot`.
    pub fn router(&self) -> Router {
        Router::new()
            .merge(pages())
            .merge(calls())
            .fallback(async || Refusal::NoSuchPage)
            .method_not_allowed_fallback(async || Refusal::WrongMethod)
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .layer(from_fn(header::same_origin))
            .layer(from_fn(page::reword))
            .layer(from_fn_with_state(self.clone(), session::recognise))
            .route("/assets/{fingerprint}/{*path}", get(asset::serve))
            .route("/favicon.ico", get(asset::favicon))
            .route("/openapi.json", get(api::description))
            .layer(CompressionLayer::new())
            .layer(from_fn_with_state(self.clone(), throttle))
            .route("/healthz", get(api::healthy))
            .route("/readyz", get(api::ready))
            .route("/metrics", get(api::metrics))
            .layer(from_fn_with_state(self.clone(), header::protect))
            .with_state(self.clone())
    }

    /// Lets what a table waits for come at once: the next cards, the end of a window, the fall of a
    /// flag. For tests, which so need no clock; nothing that a running program reads leads here.
    pub async fn hurry(&self, table: &TableId) -> Result<(), Refusal> {
        let request = |reply| crate::room::Request::Hurry { reply };
        self.0.lobby.ask(table, request).await
    }

    /// Deletes what nobody needs, and answers how many tables that were. A served application does
    /// this by itself.
    pub async fn purge(&self) -> Result<usize, StoreError> {
        self.0.lobby.purge(&self.0.config.retention).await
    }

    /// Tells every socket that the server is about to end, and waits until they are gone or a
    /// little time has passed. All that was acknowledged is stored already.
    pub async fn close(&self) {
        self.0.closing.send_replace(true);
        for _ in 0..100 {
            if self.0.metrics.sockets.now() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The storage.
    pub fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    pub(crate) fn key(&self) -> &Key {
        &self.0.key
    }

    pub(crate) fn sessions_since(&self) -> i64 {
        self.0.sessions_since
    }

    pub(crate) fn sockets(&self) -> &Sockets {
        &self.0.sockets
    }

    pub(crate) fn lobby(&self) -> &Lobby {
        &self.0.lobby
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    /// Sets the pace of a table that is about to be opened, and its deals where they are chosen.
    pub(crate) fn adjust(&self, opening: &mut Opening) {
        crate::tractor::adjust(opening, self.0.config.pace, &self.0.decks);
    }

    pub(crate) fn studies(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.studies)
    }

    /// One more analysis of a session, or why it must wait.
    pub(crate) fn admit_analysis(&self, visitor: &Visitor) -> Result<Place, Refusal> {
        let name = visitor.player().as_str();
        if !self.0.analyses.admits(name) {
            return Err(Refusal::TooFast);
        }
        let place = self.0.session_analyses.take(name);
        place.ok_or(Refusal::TooMany(TooMany::Analyses))
    }

    /// One more socket of a session and of an address, or why there is none.
    pub(crate) fn admit_socket(
        &self,
        visitor: Option<&Visitor>,
        far: &Far,
    ) -> Result<Vec<Place>, Refusal> {
        let mut places = Vec::new();
        let mut take = |tally: &Tally, name: Option<&str>| -> Result<(), Refusal> {
            let Some(name) = name else { return Ok(()) };
            let place = tally.take(name);
            places.push(place.ok_or(Refusal::TooMany(TooMany::Sockets))?);
            Ok(())
        };
        take(
            &self.0.session_sockets,
            visitor.map(|of| of.player().as_str()),
        )?;
        take(&self.0.address_sockets, far.0.as_deref())?;
        Ok(places)
    }

    /// One more connection from an address, or why there is none. This machine holds no place.
    pub(crate) fn admit_connection(&self, from: SocketAddr) -> Result<Option<Place>, Refusal> {
        if from.ip().is_loopback() {
            return Ok(None);
        }
        let place = self.0.connections.take(&from.ip().to_string());
        place.map(Some).ok_or(Refusal::TooMany(TooMany::Sockets))
    }

    pub(crate) fn hashing(&self) -> &Semaphore {
        &self.0.hashing
    }

    pub(crate) fn drawing(&self) -> &Semaphore {
        &self.0.drawing
    }

    pub(crate) fn decoy(&self) -> &str {
        &self.0.decoy
    }

    pub(crate) fn openings(&self) -> &Throttle {
        &self.0.openings
    }

    pub(crate) fn questions(&self) -> &Throttle {
        &self.0.questions
    }

    pub(crate) fn logins(&self) -> &Throttle {
        &self.0.logins
    }

    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }
}

impl From<Arc<Inner>> for App {
    fn from(inner: Arc<Inner>) -> Self {
        Self(inner)
    }
}

/// What people open and send.
fn pages() -> Router<App> {
    Router::new()
        .route("/", get(page::home))
        .route("/game/{id}", get(page::game))
        .route("/game/{id}/sit", post(form::sit))
        .route("/analysis", get(page::analysis))
        .route("/editor", get(page::editor))
        .route("/rules/{game}", get(page::rules))
        .route("/verify", get(page::verify))
        .route("/account", get(page::account))
        .route("/account/register", post(form::register))
        .route("/account/login", post(form::log_in))
        .route("/account/logout", post(form::log_out))
        .route("/account/sessions/revoke", post(form::revoke_session))
        .route(
            "/account/sessions/revoke-others",
            post(form::revoke_other_sessions),
        )
        .route("/account/password", post(form::change_password))
        .route("/account/delete", post(form::delete_account))
        .route("/archive", get(page::own_archive))
        .route("/archive/{player}", get(page::archive))
        .route("/language", post(form::language))
        .route("/play", post(form::play))
}

/// What scripts and programs call.
fn calls() -> Router<App> {
    Router::new()
        .route("/api/v1/me", get(api::me))
        .route("/api/v1/sessions", get(api::sessions))
        .route(
            "/api/v1/sessions/revoke-others",
            post(api::revoke_other_sessions),
        )
        .route("/api/v1/sessions/{id}/revoke", post(api::revoke_session))
        .route("/api/v1/account/password", post(api::change_password))
        .route("/api/v1/account/delete", post(api::delete_account))
        .route("/api/v1/archive", get(api::archive))
        .route("/api/v1/tables", get(api::list).post(api::open))
        .route("/api/v1/tables/{id}", get(api::look))
        .route("/api/v1/tables/{id}/sit", post(api::sit))
        .route("/api/v1/tables/{id}/act", post(api::act))
        .route("/api/v1/cotulenh/board.svg", get(api::board))
        .route("/api/v1/cotulenh/draft", post(draft::ask_draft))
        .route("/api/v1/cotulenh/steps", post(draft::ask_steps))
        .route("/api/v1/cotulenh/{op}", post(api::rules))
        .route("/api/v1/tractor/judge", post(api::judge))
        .route("/api/v1/tractor/verify", post(api::verify))
        .route("/ws/table/{id}", get(socket::table))
        .route("/ws/lobby", get(socket::lobby))
        .route("/ws/analysis", get(socket::analysis))
}

/// The address that a request comes from, if it is not this machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Far(Option<String>);

impl Far {
    fn of(request: &Request) -> Self {
        let from = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = from.map(|ConnectInfo(address)| address.ip());
        Self(match peer {
            Some(ip) if !ip.is_loopback() => Some(ip.to_string()),
            // A proxy on this machine tells whom it speaks for, last of all those it was told.
            _ => {
                let told = request.headers().get("x-forwarded-for");
                let last = told.and_then(|told| told.to_str().ok()?.rsplit(',').next());
                last.map(|ip| ip.trim().to_owned())
            }
        })
    }
}

/// Counts requests, and refuses those of an address that sends too many.
async fn throttle(State(app): State<App>, mut request: Request, next: Next) -> Response {
    app.metrics().requests.up();
    let far = Far::of(&request);
    if far.0.as_ref().is_some_and(|ip| !app.0.requests.admits(ip)) {
        return Refusal::TooFast.into_response();
    }
    request.extensions_mut().insert(far);
    let (method, begun) = (request.method().clone(), std::time::Instant::now());
    let response = next.run(request).await;
    let status = response.status();
    // Neither path nor query: an address may be all that guards a table for friends.
    tracing::debug!(%method, status = status.as_u16(), took = ?begun.elapsed(), "request");
    if status.is_server_error() {
        tracing::warn!(%method, status = status.as_u16(), "a request failed");
        app.metrics().failures.up();
    }
    response
}
