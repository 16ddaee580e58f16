//! The files of a storage: for their owner's eyes alone, used by one server at a time, and watched,
//! so that nothing is acknowledged that went into a file which is no longer there.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::StoreError;

/// Readable and writable by the owner.
const PRIVATE: u32 = 0o600;

/// The database file and what SQLite keeps beside it.
#[derive(Debug)]
pub(super) struct Files {
    path: PathBuf,
    /// Which files they were when they were opened: device and inode of each.
    known: Vec<(PathBuf, (u64, u64))>,
    lock: Lock,
}

impl Files {
    /// Makes the file where there is none, makes all of them private, and keeps other servers off.
    pub(super) fn claim(path: &Path) -> Result<Self, StoreError> {
        let lock = Lock::take(path)?;
        let make = || -> io::Result<()> {
            OpenOptions::new()
                .append(true)
                .create(true)
                .mode(PRIVATE)
                .open(path)?;
            // SQLite makes the others with the mode of the first.
            for file in family(path) {
                match std::fs::set_permissions(file, Permissions::from_mode(PRIVATE)) {
                    // A connection that closes takes the log and its index away, at any moment.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    done => done?,
                }
            }
            Ok(())
        };
        make().map_err(|error| StoreError::Database(format!("{}: {error}", path.display())))?;
        Ok(Self {
            path: path.to_owned(),
            known: Vec::new(),
            lock,
        })
    }

    /// Remembers which files these are; all of them are open now.
    pub(super) fn remember(&mut self) -> Result<(), StoreError> {
        let of = |file: PathBuf| {
            let id = identity(&file);
            let id = id.map_err(|error| gone(&file, &error.to_string()))?;
            Ok((file, id))
        };
        self.known = family(&self.path)
            .into_iter()
            .map(of)
            .collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Whether the files at their paths are those that were opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (file, known) in &self.known {
            match identity(file) {
                Ok(id) if id == *known => {}
                Ok(_) => return Err(gone(file, "another file is in its place")),
                Err(error) => return Err(gone(file, &error.to_string())),
            }
        }
        Ok(())
    }

    /// How large the write-ahead log is, in bytes.
    pub(super) fn log_size(&self) -> u64 {
        let [_, log, _] = family(&self.path);
        std::fs::metadata(log).map_or(0, |data| data.len())
    }

    /// Lets another server have the files.
    pub(super) fn release(&self) {
        self.lock.release();
    }
}

/// The database, its write-ahead log and the index of that.
pub(super) fn family(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    std::fs::metadata(path).map(|data| (data.dev(), data.ino()))
}

fn gone(file: &Path, why: &str) -> StoreError {
    let name = file.file_name().unwrap_or_default().display();
    StoreError::Database(format!(
        "the file {name} was removed or replaced ({why}): put it back, or stop the server"
    ))
}

/// A locked file beside the database. The system lets go of it with the process, however that ends.
#[derive(Debug)]
pub(super) struct Lock(Mutex<Option<File>>);

impl Lock {
    /// Locks the file beside a database, unless another process has.
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = database.with_extension("lock");
        let failed = |error: io::Error| {
            StoreError::Database(format!("the lock {}: {error}", path.display()))
        };
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(PRIVATE)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(Mutex::new(Some(file)))),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    fn release(&self) {
        drop(self.0.lock().expect("no holder of this lock panics").take());
    }
}
