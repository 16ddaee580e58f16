//! The application: its state, its routes, its layers.

mod parts;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;

use crate::bot::Bots;
use crate::client::{self, Client, ClientAddr, PerClient};
use crate::cluster::Cluster;
use crate::config::Config;
use crate::engines::Engines;
use crate::game::{self, GameOptions};
use crate::id::TableId;
use crate::lobby::Lobby;
use crate::metric::Metrics;
use crate::nats::{Nats, NatsError};
use crate::password::{self, Hasher};
use crate::pool::{Class, Pool};
use crate::quota::{Permit, Quota};
use crate::refusal::{Refusal, TooMany};
use crate::review::RunningReviews;
use crate::room::unix_now;
use crate::session::{self, Key, Sockets, Visitor};
use crate::shared_limit::{Budget, Holding, SharedLimits, SharedPermit};
use crate::store::{Store, StoreError};
use crate::throttle::Throttle;
use crate::worker::Workers;
use crate::{admin, api, asset, form, header, page, puzzle, review, socket};

use parts::{Peers, lobby_config, per_client, pools};

/// How long a node that is told to stop goes on beside others: load balancers that ask `/readyz` once a second have noticed by
/// then, and what they have sent here meanwhile is served.
const DRAIN: Duration = Duration::from_secs(2);

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
    engines: Engines,
    reviews: RunningReviews,
    nats: Option<Nats>,
    cluster: Option<Cluster>,
    hasher: Hasher,
    answering: Pool,
    drawing: Pool,
    dummy_hash: String,
    questions: PerClient<Throttle>,
    /// What all nodes count together.
    limits: SharedLimits,
    requests: Throttle,
    open_sockets: PerClient<Quota>,
    connections: Quota,
    warned_of_proxy: AtomicBool,
    /// Whether nobody new is to be sent here.
    draining: AtomicBool,
    closing: watch::Sender<bool>,
    games: Arc<GameOptions>,
}

impl App {
    /// An application over a storage.
    pub async fn new(store: Arc<dyn Store>, config: Config) -> Result<Self, StoreError> {
        Self::build(store, config, Peers::None).await
    }

    /// One of several nodes over the same storage. [`App::join`] makes it known to the others.
    pub async fn node(
        store: Arc<dyn Store>,
        config: Config,
        nats: Nats,
    ) -> Result<Self, StoreError> {
        Self::build(store, config, Peers::Nodes(nats)).await
    }

    /// Joins the other nodes, and learns which of them are there.
    pub async fn join(&self) -> Result<(), NatsError> {
        match &self.0.cluster {
            Some(cluster) => cluster.join(self).await,
            None => Ok(()),
        }
    }

    /// An application that lets workers think.
    pub async fn with_nats(
        store: Arc<dyn Store>,
        config: Config,
        nats: Nats,
    ) -> Result<Self, StoreError> {
        Self::build(store, config, Peers::Workers(nats)).await
    }

    async fn build(
        store: Arc<dyn Store>,
        config: Config,
        peers: Peers,
    ) -> Result<Self, StoreError> {
        let secret = store.get_or_insert("key", &Key::fresh_text()).await?;
        let now = unix_now().to_string();
        let since = store.get_or_insert(session::SINCE, &now).await?;
        let metrics = Arc::new(Metrics::default());
        let [thinking, answering, drawing, passwords] = pools(&config, &metrics);
        let hasher = Hasher(passwords);
        let games = Arc::new(config.games.clone());
        let key = Key::from_text(&secret);
        let (nats, cluster) = peers.connect(&key);
        let outcomes = &metrics.workers;
        let workers = nats.clone();
        let workers = workers.map(|nats| Workers::new(nats, key.clone(), Arc::clone(outcomes)));
        let engines = Engines::new(thinking, workers);
        let bots = Bots::new(engines.clone(), config.thinking.bot_pause);
        let (rates, limits) = (&config.rates, &config.limits);
        let shared = SharedLimits::new(rates, limits, key.clone(), cluster.clone());
        let lobby = Lobby::new(
            Arc::clone(&store),
            bots,
            Arc::clone(&metrics),
            lobby_config(&config, shared.clone()),
            Arc::clone(&games),
            cluster.clone(),
        );
        let app = Self(Arc::new(Inner {
            key,
            sessions_since: since.parse().unwrap_or(0),
            sockets: Sockets::new(cluster.clone()),
            lobby,
            store,
            metrics,
            engines,
            reviews: RunningReviews::default(),
            nats,
            cluster,
            hasher,
            answering,
            drawing,
            dummy_hash: password::dummy_hash(),
            questions: per_client(rates.questions, rates.questions_per_address),
            limits: shared,
            requests: Throttle::new(rates.requests),
            open_sockets: PerClient {
                session: Quota::new(limits.sockets_per_session),
                address: Quota::new(limits.sockets_per_address),
            },
            connections: Quota::new(limits.connections_per_address),
            warned_of_proxy: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            closing: watch::Sender::new(false),
            games,
            config,
        }));
        tokio::spawn(session::maintain(Arc::downgrade(&app.0)));
        tokio::spawn(admin::maintain(Arc::downgrade(&app.0)));
        Ok(app)
    }

    /// All routes, ready to be served or asked with `oneshot`.
    pub fn router(&self) -> Router {
        Router::new()
            .merge(pages())
            .merge(calls())
            .merge(game::routes())
            .merge(puzzle::routes())
            .fallback(async || Refusal::NoSuchPage)
            .method_not_allowed_fallback(async || Refusal::WrongMethod)
            .layer(DefaultBodyLimit::max(self.0.config.limits.body_bytes))
            .layer(from_fn(header::same_origin))
            .layer(from_fn(page::reword))
            .layer(from_fn_with_state(self.clone(), session::recognise))
            .route("/assets/{fingerprint}/{*path}", get(asset::serve))
            .route("/favicon.ico", get(asset::favicon))
            .route("/service-worker.js", get(asset::service_worker))
            .route("/openapi.json", get(api::description))
            .layer(CompressionLayer::new())
            .route("/readyz", get(api::ready))
            .route("/metrics", get(api::metrics))
            .layer(from_fn_with_state(self.clone(), throttle))
            .route("/healthz", get(api::healthy))
            .method_not_allowed_fallback(async || Refusal::WrongMethod)
            .layer(from_fn_with_state(self.clone(), header::protect))
            .with_state(self.clone())
    }

    /// Lets what a table waits for come at once: the next cards, the end of a window, the fall of a
    /// flag. For tests, which so need no clock; nothing that a running program reads leads here.
    pub async fn fire_deadline(&self, table: &TableId) -> Result<(), Refusal> {
        let request = |reply| crate::room::Request::FireDeadline { reply };
        self.0.lobby.ask(table, request).await
    }

    /// Deletes what nobody needs, and answers how many tables that were. A served application does
    /// this by itself.
    pub async fn purge(&self) -> Result<usize, StoreError> {
        self.0.lobby.purge(&self.0.config.retention).await
    }

    /// Says in `/readyz` that nobody is to be sent here any more. Where other nodes can serve instead, it waits until load
    /// balancers have heard that; meanwhile everything goes on.
    pub(crate) async fn drain(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
        if self.cluster().is_some_and(Cluster::has_others) {
            tokio::time::sleep(DRAIN).await;
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// Tells every socket that the server is about to end, and waits until they are gone or a
    /// little time has passed. All that was acknowledged is stored already.
    pub async fn close(&self) {
        if let Some(cluster) = &self.0.cluster {
            cluster.leave().await;
        }
        self.0.closing.send_replace(true);
        for _ in 0..100 {
            if self.0.metrics.sockets.get() == 0 {
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

    pub(crate) fn games(&self) -> &GameOptions {
        &self.0.games
    }

    /// The other nodes, if there may be some.
    pub(crate) fn cluster(&self) -> Option<&Cluster> {
        self.0.cluster.as_ref()
    }

    /// How many sockets all nodes have.
    pub(crate) fn players(&self) -> u64 {
        let others = self.cluster().map_or(0, Cluster::sockets);
        self.0.metrics.sockets.get() + others
    }

    pub(crate) fn downgrade(&self) -> Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    /// Where bots, hints and analyses think.
    pub(crate) fn engines(&self) -> &Engines {
        &self.0.engines
    }

    /// The reviews that wait or run.
    pub(crate) fn reviews(&self) -> &RunningReviews {
        &self.0.reviews
    }

    /// Whether the connection to NATS stands, where there is one.
    pub(crate) fn is_nats_up(&self) -> Option<bool> {
        self.0.nats.as_ref().map(Nats::is_connected)
    }

    /// One more analysis, or why it must wait.
    pub(crate) async fn admit_analysis(
        &self,
        visitor: &Visitor,
    ) -> Result<Vec<SharedPermit>, Refusal> {
        let (client, limits) = (visitor.client(), &self.0.limits);
        let budgets = [Budget::AnalysisAddress, Budget::AnalysisSession];
        limits.admit(budgets, &client).await?;
        let holdings = [Holding::AnalysisSession, Holding::AnalysisAddress];
        limits.take(holdings, &client, TooMany::Analyses).await
    }

    /// One more socket, or why there is none.
    pub(crate) fn admit_socket(&self, visitor: &Visitor) -> Result<Vec<Permit>, Refusal> {
        self.0
            .open_sockets
            .take(&visitor.client(), TooMany::Sockets)
    }

    /// Whether a visitor may open one more table.
    pub(crate) async fn admit_opening(&self, visitor: &Visitor) -> Result<(), Refusal> {
        let budgets = [Budget::OpeningAddress, Budget::OpeningSession];
        self.0.limits.admit(budgets, &visitor.client()).await
    }

    /// Whether a visitor may save one more thing that is kept for good.
    pub(crate) async fn admit_saving(&self, visitor: &Visitor) -> Result<(), Refusal> {
        let budgets = [Budget::SavingAddress, Budget::SavingSession];
        self.0.limits.admit(budgets, &visitor.client()).await
    }

    /// Whether a visitor may ask once more about the rules.
    pub(crate) fn admit_question(&self, visitor: &Visitor) -> Result<(), Refusal> {
        self.0.questions.admit(&visitor.client())
    }

    /// One more connection from an address, or why there is none.
    pub(crate) fn admit_connection(&self, from: SocketAddr) -> Result<Option<Permit>, Refusal> {
        let Some(network) = client::peer_network(&self.0.config, from) else {
            return Ok(None);
        };
        let permit = self.0.connections.take(&network);
        permit.map(Some).ok_or(Refusal::TooMany(TooMany::Sockets))
    }

    pub(crate) fn hasher(&self) -> &Hasher {
        &self.0.hasher
    }

    /// Does something short for somebody that would hold up the sockets.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.0.answering.run(client, Class::Short, work).await
    }

    /// Draws a picture for somebody, which takes longer: one at a time.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.0.drawing.run(client, Class::Short, work).await
    }

    pub(crate) fn dummy_hash(&self) -> &str {
        &self.0.dummy_hash
    }

    pub(crate) fn limits(&self) -> &SharedLimits {
        &self.0.limits
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
        .route("/game/{id}/review", get(review::page))
        .route("/rules/{game}", get(page::rules))
        .route("/learn", get(page::learn))
        .route("/learn/{game}/{chapter}", get(page::lesson))
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
        .route("/offline", get(page::offline))
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
        .route("/api/v1/tables/{id}", get(api::view))
        .route("/api/v1/tables/{id}/sit", post(api::sit))
        .route("/api/v1/tables/{id}/act", post(api::act))
        .route(
            "/api/v1/tables/{id}/review",
            get(review::get).post(review::begin),
        )
        .route("/api/v1/query", post(api::query))
        .route("/api/v1/learn/{game}/{chapter}/{step}", post(api::attempt))
        .route(
            "/api/v1/learn/progress",
            get(api::progress).post(api::keep_progress),
        )
        .route("/ws/table/{id}", get(socket::table))
        .route("/ws/lobby", get(socket::lobby))
}

/// Counts requests, and refuses those of an address that sends too many.
async fn throttle(State(app): State<App>, mut request: Request, next: Next) -> Response {
    app.metrics().requests.inc();
    let client = ClientAddr::of(app.config(), &request);
    if client.is_dubious && !app.0.warned_of_proxy.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "X-Forwarded-For came from an address that is not among trusted-proxies and was ignored"
        );
    }
    let network = client.network();
    if network.is_some_and(|network| !app.0.requests.admits(&network)) {
        return Refusal::TooFast.into_response();
    }
    request.extensions_mut().insert(client);
    let (method, begun) = (request.method().clone(), std::time::Instant::now());
    let response = next.run(request).await;
    let status = response.status();
    // Neither path nor query: an address may be all that guards a table for friends.
    tracing::debug!(%method, status = status.as_u16(), took = ?begun.elapsed(), "request");
    if let Some(refusal) = response.extensions().get::<Refusal>() {
        app.metrics().http_refusals.inc(refusal.code());
    }
    if status.is_server_error() {
        tracing::warn!(%method, status = status.as_u16(), "a request failed");
        app.metrics().failures.inc();
    }
    response
}
