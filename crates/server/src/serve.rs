//! Serving the application on a listening socket.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;

use crate::app::App;
use crate::header::Https;
use crate::tls::Tls;

/// How long requests under way may take once the server is told to stop.
const LONGEST_GOODBYE: Duration = Duration::from_secs(5);

/// How long whoever has just connected may take to ask for something once the server is told to stop.
const FIRST_REQUEST: Duration = Duration::from_secs(1);

/// From the start to the first purge.
const FIRST_PURGE: Duration = Duration::from_mins(1);

/// Serves until `stop` is done; then lets what goes on come to its end.
///
/// ```
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
///
/// use convoy_server::{App, Config, SqliteStore, serve};
///
/// let store = Arc::new(SqliteStore::in_memory().await?);
/// let app = App::new(store, Config::default()).await?;
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// serve(listener, app, std::future::ready(())).await?;
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
pub async fn serve(
    listener: TcpListener,
    app: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    run(listener, None, app, stop).await
}

/// Serves over TLS, otherwise as [`serve`] does.
pub async fn serve_tls(
    listener: TcpListener,
    tls: Tls,
    app: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    run(listener, Some(tls), app, stop).await
}

async fn run(
    listener: TcpListener,
    tls: Option<Tls>,
    app: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let closing = app.clone();
    let stop = async move {
        stop.await;
        tracing::info!("closing");
        closing.drain().await;
        closing.close().await;
    };
    let mut ended = app.closing();
    // A connection that never finishes its request must not keep the process alive.
    let impatient = async move {
        // The sender lives as long as the application.
        let _ = ended.wait_for(|closing| *closing).await;
        tokio::time::sleep(LONGEST_GOODBYE).await;
    };
    let router = app.router();
    // Every connection holds a copy of `alive`: `last` tells when the last one is gone.
    let (alive, mut last) = mpsc::channel::<()>(1);
    let accept = async {
        loop {
            match listener.accept().await {
                Ok((stream, from)) => {
                    let acceptor = tls.as_ref().map(Tls::acceptor);
                    attend(&app, &router, &alive, acceptor, stream, from);
                }
                // The peer has gone already, or all files are open: others may still come.
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
        () = purge(&app) => {}
    }
    drop((listener, alive));
    tokio::select! {
        _ = last.recv() => {}
        () = impatient => {}
    }
    if let Err(error) = app.store().close().await {
        tracing::error!(%error, "the storage was not closed in good order");
    }
    Ok(())
}

/// Deletes what nobody needs, for the first time when the first visitors are served.
async fn purge(app: &App) {
    let mut tick = interval_at(Instant::now() + FIRST_PURGE, app.config().retention.every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        match app.purge().await {
            Ok(0) => {}
            Ok(tables) => tracing::info!(tables, "unused tables were deleted"),
            Err(error) => tracing::warn!(%error, "unused tables were not deleted"),
        }
    }
}

/// Serves one connection in a task of its own; one too many from an address is closed at once.
fn attend(
    app: &App,
    router: &Router,
    alive: &mpsc::Sender<()>,
    acceptor: Option<TlsAcceptor>,
    stream: TcpStream,
    from: SocketAddr,
) {
    let Ok(permit) = app.admit_connection(from) else {
        return;
    };
    // Frames are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(app.config().limits.write_time));
    let stream = Box::pin(stream);
    let (app, router, alive) = (app.clone(), router.clone(), alive.clone());
    tokio::spawn(async move {
        match acceptor {
            None => talk(&app, router, stream, from, false).await,
            Some(acceptor) => {
                let handshake = acceptor.accept(stream);
                let limit = app.config().limits.header_time;
                // Whoever does not speak TLS, or not in time, is not answered.
                if let Ok(Ok(stream)) = tokio::time::timeout(limit, handshake).await {
                    talk(&app, router, stream, from, true).await;
                }
            }
        }
        drop((permit, alive));
    });
}

/// Serves one connection until it ends, or until the server does.
async fn talk(
    app: &App,
    router: Router,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    from: SocketAddr,
    is_encrypted: bool,
) {
    let router = TowerToHyperService::new(router);
    let asked = Arc::new(Notify::new());
    let asks = Arc::clone(&asked);
    let service = service_fn(move |mut request| {
        asks.notify_one();
        request.extensions_mut().insert(ConnectInfo(from));
        if is_encrypted {
            request.extensions_mut().insert(Https);
        }
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config().limits.header_time)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut closing = app.closing();
    let closed = async move { drop(closing.wait_for(|closing| *closing).await) };
    // Whatever a connection ends with concerns nobody else.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = closed => {
            // Told to end before the first request, a connection is closed without an answer.
            let first = timeout(FIRST_REQUEST, asked.notified());
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = first => {}
            }
            connection.as_mut().graceful_shutdown();
            drop(connection.await);
        }
    }
}

/// Lets the process hold as many sockets as it is ever allowed, and answers how many files.
///
/// ```
/// assert!(convoy_server::raise_file_limit() > 0);
/// ```
pub fn raise_file_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    // Without the right to raise it the server still serves, only fewer.
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    now.unwrap_or(u64::MAX)
}
