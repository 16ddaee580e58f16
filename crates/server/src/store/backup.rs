//! Backups: taken while the server runs, put back while it does not.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::file::{Lock, family};
use super::sqlite::{check_integrity, failed, options};
use super::{StoreError, schema};

/// Writes a copy of a database, as it is at this moment, to a new file. A server may go on meanwhile.
///
/// ```
/// # async fn doc() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("convoy-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// use convoy_server::{SqliteStore, back_up, restore};
///
/// let (database, copy) = (folder.join("convoy.db"), folder.join("copy.db"));
/// let store = SqliteStore::open(&database).await?;
/// back_up(&database, &copy).await?;
/// assert!(restore(&copy, &database).await.is_err(), "the database is in use");
/// drop(store);
/// let kept = restore(&copy, &database).await?;
/// assert!(kept.is_some_and(|previous| previous.exists()));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(doc()).unwrap();
/// ```
pub async fn back_up(database: &Path, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(at(to, "there is such a file already"));
    }
    let part = with_end(to, ".part");
    let mut source = open(options(database), database).await?;
    let copied = copy(&mut source, &part).await;
    source.close().await.map_err(failed)?;
    let done = match copied {
        Ok(()) => settle(&part, to),
        Err(error) => Err(error),
    };
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

/// Puts a backup in the place of a database that no server uses, and answers where the previous
/// one is kept. The backup is checked first; where it is damaged or does not fit, nothing changes.
/// [`back_up`] has an example.
pub async fn restore(from: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let _lock = Lock::take(database)?;
    let part = with_end(database, ".restoring");
    let done = async {
        let mut source = open(options(from), from).await?;
        check_integrity(&mut source).await?;
        copy(&mut source, &part).await?;
        source.close().await.map_err(failed)?;
        let mut restored = open(options(&part), &part).await?;
        schema::prepare(&mut restored).await?;
        restored.close().await.map_err(failed)?;
        let previous = keep(database).await?;
        settle(&part, database)?;
        Ok(previous)
    };
    let done = done.await;
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

async fn open(options: SqliteConnectOptions, file: &Path) -> Result<SqliteConnection, StoreError> {
    let opened = SqliteConnection::connect_with(&options).await;
    opened.map_err(|error| at(file, failed(error)))
}

/// Copies a database as it is at one moment, for its owner's eyes alone, and checks the copy.
async fn copy(source: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    let name = to
        .to_str()
        .ok_or_else(|| at(to, "the name is not Unicode"))?;
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(to)
        .map_err(|error| at(to, error))?;
    let copied = sqlx::query("VACUUM INTO $1")
        .bind(name)
        .execute(source)
        .await;
    copied.map_err(|error| at(to, failed(error)))?;
    let mut copy = open(options(to), to).await?;
    check_integrity(&mut copy).await?;
    copy.close().await.map_err(failed)
}

/// Gives a finished file its name; both outlive a power cut.
pub(super) fn settle(part: &Path, to: &Path) -> Result<(), StoreError> {
    let settle = || -> io::Result<()> {
        File::open(part)?.sync_all()?;
        std::fs::rename(part, to)?;
        let folder = to.parent().filter(|folder| *folder != Path::new(""));
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    settle().map_err(|error| at(to, error))
}

/// Keeps a database under another name, and takes its log away from the old one. The old name stays
/// until another file takes it.
async fn keep(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !database.exists() {
        return Ok(None);
    }
    // Whoever closes it last checkpoints the log. A file that cannot be opened is kept as it lies.
    if let Ok(connection) = open(options(database), database).await {
        let _ = connection.close().await;
    }
    let name = |number: i64| with_end(database, &format!(".before-restore-{number}"));
    // Another restore may have taken the same moment.
    let mut number = crate::room::unix_now();
    while name(number).exists() {
        number += 1;
    }
    let previous = name(number);
    for (old, kept) in family(database).iter().zip(family(&previous)) {
        if old.exists() {
            std::fs::hard_link(old, &kept).map_err(|error| at(&kept, error))?;
        }
    }
    let [_, log, index] = family(database);
    for file in [log, index].iter().filter(|file| file.exists()) {
        std::fs::remove_file(file).map_err(|error| at(file, error))?;
    }
    Ok(Some(previous))
}

pub(super) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn at(file: &Path, why: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("{}: {why}", file.display()))
}
