//! Serving the application on a listening socket.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;

use crate::app::App;

/// How long requests under way may take once the server is told to stop.
const LONGEST_GOODBYE: Duration = Duration::from_secs(5);

/// Serves until `stop` is done; then lets what goes on come to its end.
///
/// ```
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// use convoy_server::{App, Config, SqliteStore, serve};
///
/// let app = App::new(SqliteStore::in_memory().await?, Config::default()).await?;
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
    let closing = app.clone();
    let stop = async move {
        stop.await;
        tracing::info!("closing");
        closing.close().await;
    };
    let mut ended = app.closing();
    // A connection that never finishes its request must not keep the process alive.
    let impatient = async move {
        // The sender lives as long as the application.
        let _ = ended.wait_for(|closing| *closing).await;
        tokio::time::sleep(LONGEST_GOODBYE).await;
    };
    let service = app
        .router()
        .into_make_service_with_connect_info::<SocketAddr>();
    let server = axum::serve(listener, service).with_graceful_shutdown(stop);
    tokio::select! {
        done = server.into_future() => done,
        () = impatient => Ok(()),
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
