//! Where a server keeps what it keeps, and `convoy backup` and `convoy restore`: copies of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use convoy_server::{Config, PostgresStore, SqliteStore, Store};

use crate::config::Location;
use crate::serve::{data_folder, make_private};

/// The file in the data folder that holds everything.
const DATABASE: &str = "convoy.db";

/// The storage that a configuration names.
#[derive(Debug)]
pub(crate) struct Installation {
    config: Config,
    /// The data folder.
    pub(crate) data: PathBuf,
}

impl Installation {
    /// Finds the data folder, and makes it where there is none.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let data = data_folder(config.data.as_deref())?;
        make_private(&data).with_context(|| format!("the data folder {}", data.display()))?;
        let config = config.clone();
        Ok(Self { config, data })
    }

    /// Opens the storage, beside other nodes where there may be some, and brings its schema up to date.
    pub(crate) async fn open(&self, check_integrity: bool) -> anyhow::Result<Arc<dyn Store>> {
        let opened = match &self.config.database {
            None => self.open_sqlite(check_integrity).await,
            Some(_) if check_integrity => {
                bail!("--check-integrity reads a file of SQLite; for PostgreSQL use pg_amcheck")
            }
            Some(url) => open_postgres(url, &self.config, self.config.nats.is_some()).await,
        };
        opened.with_context(|| format!("opening the storage in {self}"))
    }

    /// The same while no server runs, one of several nodes or not, and keeps all of them off.
    pub(crate) async fn open_alone(&self) -> anyhow::Result<Arc<dyn Store>> {
        let opened = match &self.config.database {
            None => self.open_sqlite(false).await,
            Some(url) => open_postgres(url, &self.config, false).await,
        };
        opened.with_context(|| format!("opening the storage in {self}"))
    }

    /// Opens the storage beside a server that may be using it, for `convoy admin`.
    pub(crate) async fn open_beside(&self) -> anyhow::Result<Arc<dyn Store>> {
        let opened: Result<Arc<dyn Store>, _> = match &self.config.database {
            None => SqliteStore::open_beside(&self.data.join(DATABASE))
                .await
                .map(|store| Arc::new(store) as _),
            Some(url) => PostgresStore::open_beside(url, self.config.storage)
                .await
                .map(|store| Arc::new(store) as _),
        };
        opened.with_context(|| format!("opening the storage in {self}"))
    }

    async fn open_sqlite(&self, check_integrity: bool) -> anyhow::Result<Arc<dyn Store>> {
        let (file, durability) = (self.data.join(DATABASE), self.config.storage.durability);
        let store = SqliteStore::open_with(&file, durability).await?;
        if check_integrity {
            store.check_integrity().await?;
        }
        Ok(Arc::new(store))
    }

    /// The file of SQLite, for what is done with files alone.
    fn file(&self, instead: &str) -> anyhow::Result<PathBuf> {
        match &self.config.database {
            None => Ok(self.data.join(DATABASE)),
            Some(url) => bail!("{url} is a PostgreSQL database: use {instead}"),
        }
    }
}

async fn open_postgres(
    url: &convoy_server::DatabaseUrl,
    config: &Config,
    is_shared: bool,
) -> anyhow::Result<Arc<dyn Store>> {
    let store = if is_shared {
        PostgresStore::open_shared(url, config.storage).await?
    } else {
        PostgresStore::open(url, config.storage).await?
    };
    for risk in store.risks().await? {
        tracing::warn!("an acknowledged move may be lost in a power cut: {risk} in PostgreSQL");
    }
    Ok(Arc::new(store))
}

impl std::fmt::Display for Installation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.config.database {
            None => self.data.display().fmt(f),
            Some(url) => url.fmt(f),
        }
    }
}

/// Back up the storage to a new file, even while the server runs
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  convoy backup /var/backups/convoy-monday.db\n\n\
                        A PostgreSQL database is backed up by its own tools, such as pg_dump."
)]
pub(crate) struct Backup {
    /// The file to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    location: Location,
}

/// Restore a backup while no server runs; the previous state is kept in another file
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convoy restore /var/backups/convoy-monday.db")]
pub(crate) struct Restore {
    /// The backup
    file: PathBuf,
    #[command(flatten)]
    location: Location,
}

/// Runs one of the calls of the storage to its end.
pub(crate) fn wait<T, E>(work: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(work)?)
}

fn size(file: &Path) -> anyhow::Result<u64> {
    Ok(std::fs::metadata(file)?.len())
}

pub(crate) fn backup(args: &Backup) -> anyhow::Result<()> {
    let database = Installation::new(&args.location.load()?)?.file("pg_dump")?;
    wait(convoy_server::back_up(&database, &args.file)).context("no backup was made")?;
    println!("{}: {} bytes", args.file.display(), size(&args.file)?);
    Ok(())
}

pub(crate) fn restore(args: &Restore) -> anyhow::Result<()> {
    let database = Installation::new(&args.location.load()?)?.file("pg_restore")?;
    let kept =
        wait(convoy_server::restore(&args.file, &database)).context("nothing was restored")?;
    println!("{}: {} bytes", database.display(), size(&database)?);
    if let Some(kept) = kept {
        println!("The previous state is kept in {}", kept.display());
    }
    Ok(())
}
