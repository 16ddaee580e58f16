//! `convoy serve`: the place to play.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use convoy_server::{App, Config, Log, LogFormat, LogLevel, Nats, ShuffleKey, Store, Tls};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::Sources;
use crate::storage::Installation;

/// Run the web server; `convoy` without a command does the same.
///
/// Every key of the configuration can be set in a TOML file, by an environment variable
/// (`CONVOY_LIMITS_TABLES_PER_SESSION` for `limits.tables-per-session`) and with --set; `convoy config`
/// prints all keys with their meaning. Flags override the environment, the environment overrides the file.
#[derive(Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy serve\n  convoy serve --listen 0.0.0.0:80 --data /var/lib/convoy\n  \
                  convoy serve --config /etc/convoy.toml --log-format json\n  \
                  convoy serve --database postgres://convoy@db.example/convoy\n  \
                  convoy serve --nats nats://node:password@nats.example\n  \
                  convoy serve --config /etc/convoy.toml --check"
)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Check every row of the storage before serving, which takes a while
    #[arg(long)]
    check_integrity: bool,
    /// Print the effective configuration, check the port, the certificate, NATS and the storage, and exit
    #[arg(long)]
    check: bool,
}

/// Serves until the process is told to stop.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let config = args.sources.load()?;
    start_log(config.log);
    convoy_server::raise_file_limit();
    let installation = Installation::new(&config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let ready = prepare(config, &installation, args.check_integrity).await?;
        if args.check {
            check(ready, &installation).await
        } else {
            serve(ready, &installation).await
        }
    })
}

/// Writes log messages to standard error from now on.
pub(crate) fn start_log(log: Log) {
    let level = match log.level {
        LogLevel::Error => tracing::Level::ERROR,
        LogLevel::Warn => tracing::Level::WARN,
        LogLevel::Info => tracing::Level::INFO,
        LogLevel::Debug => tracing::Level::DEBUG,
        LogLevel::Trace => tracing::Level::TRACE,
    };
    let log_to = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        // A log that cannot be written, on a full disk, must not end whoever tells it something: by
        // default the failure is printed to stderr, and failing at that panics.
        .log_internal_errors(false)
        .with_target(false)
        .with_max_level(level);
    // What becomes of the connection to NATS is told by the server, once and in its words.
    let own = filter_fn(|metadata| !metadata.target().starts_with("async_nats"))
        .with_max_level_hint(level);
    match log.format {
        LogFormat::Text => log_to.finish().with(own).init(),
        LogFormat::Json => log_to.json().flatten_event(true).finish().with(own).init(),
    }
}

/// All that a server needs before it begins.
struct Ready {
    listener: TcpListener,
    tls: Option<Tls>,
    nats: Option<Nats>,
    store: Arc<dyn Store>,
    config: Config,
}

async fn prepare(
    config: Config,
    installation: &Installation,
    check_integrity: bool,
) -> anyhow::Result<Ready> {
    // The port comes first: a second server must not touch the data of the first.
    let listen = config.listen;
    let listener = match TcpListener::bind(listen).await {
        Ok(listener) => listener,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            bail!("{listen} is in use by another program; choose a port with --listen")
        }
        Err(error) => return Err(error).with_context(|| format!("listening on {listen}")),
    };
    let tls = match (&config.tls.certificate, &config.tls.key) {
        (None, None) => None,
        (Some(certificate), Some(key)) => {
            let loaded = Tls::load(certificate, key);
            Some(loaded.context("tls.certificate and tls.key")?)
        }
        (Some(_), None) => bail!("tls.certificate is set and tls.key is not"),
        (None, Some(_)) => bail!("tls.key is set and tls.certificate is not"),
    };
    let nats = match &config.nats {
        None => None,
        Some(url) => {
            let nats = Nats::connect(url).await?;
            nats.check(config.database.is_some()).await?;
            Some(nats)
        }
    };
    let store = installation.open(check_integrity).await?;
    if convoy_server::is_import_unfinished(&*store).await? {
        bail!("an import into {installation} is not finished: run `convoy import` again");
    }
    let mut config = config;
    config.games.tractor.shuffle_key = shuffle_key(&installation.data, &*store).await?;
    Ok(Ready {
        listener,
        tls,
        nats,
        store,
        config,
    })
}

/// Tells that a server could begin.
async fn check(ready: Ready, installation: &Installation) -> anyhow::Result<()> {
    println!("{}", ready.config.commented());
    println!("# {} is free", ready.listener.local_addr()?);
    if ready.tls.is_some() {
        println!("# the TLS certificate and its key match");
    }
    if let Some(url) = &ready.config.nats {
        println!("# {url} accepts this user");
    }
    let schema = convoy_server::SCHEMA;
    println!("# {installation} is in order, at migration {schema}");
    ready.store.close().await?;
    Ok(())
}

async fn serve(ready: Ready, installation: &Installation) -> anyhow::Result<()> {
    let Ready {
        listener,
        tls,
        nats,
        store,
        config,
    } = ready;
    let public_url = config.public_url.clone();
    let app = match nats {
        None => App::new(store, config).await?,
        // Over a database that others reach too, it is one of several nodes.
        Some(nats) if config.database.is_some() => {
            let app = App::node(store, config, nats).await?;
            app.join().await?;
            app
        }
        Some(nats) => App::with_nats(store, config, nats).await?,
    };
    let stop = stopped()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    // Whoever started the server may have stopped reading what it says.
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "Convoy is at {scheme}://{}", listener.local_addr()?);
    if let Some(url) = public_url {
        let _ = writeln!(out, "Visitors reach it at {url}");
    }
    let _ = writeln!(out, "Games are kept in {installation}");
    drop(out);
    match tls {
        None => convoy_server::serve(listener, app, stop).await?,
        Some(tls) => convoy_server::serve_tls(listener, tls, app, stop).await?,
    }
    Ok(())
}

/// Waits until the process is told to stop.
pub(crate) fn stopped() -> io::Result<impl Future<Output = ()> + Send> {
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// The key of running shuffles. A storage belongs to one key: with another, its card tables could not
/// be read.
async fn shuffle_key(data: &Path, store: &dyn Store) -> anyhow::Result<ShuffleKey> {
    let path = data.join("shuffle.key");
    let key = ShuffleKey::load(&path).with_context(|| format!("the key {}", path.display()))?;
    let known = store
        .get_or_insert("shuffle-key", &key.fingerprint())
        .await?;
    if known != key.fingerprint() {
        bail!(
            "{} is not the key that this storage was written with; put the right file back",
            path.display()
        );
    }
    Ok(key)
}

/// The folder that was named, or the one for this user's data.
pub(crate) fn data_folder(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    named.map_or_else(user_data, |folder| Ok(folder.to_owned()))
}

/// The folder for this user's data, as the platform has it.
fn user_data() -> anyhow::Result<PathBuf> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let home = || from("HOME").map(PathBuf::from);
    let base = if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        from("XDG_DATA_HOME")
            .map(PathBuf::from)
            .or_else(|| home().map(|home| home.join(".local/share")))
    };
    match base {
        Some(base) => Ok(base.join("convoy")),
        None => bail!("no data directory is known for this user; name one with --data"),
    }
}

/// Makes the folder for this user's eyes alone.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}
