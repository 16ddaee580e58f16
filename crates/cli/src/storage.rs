//! `convoy backup` and `convoy restore`: copies of what a server keeps.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::serve::{DATABASE, data_folder, make_private};

/// Copy everything that a server keeps to a new file, also while it runs
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convoy backup /var/backups/convoy-monday.db")]
pub(crate) struct Backup {
    /// The file to write; it must not exist
    file: PathBuf,
    /// The folder of the server [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Put a backup in the place of what a server keeps, while none runs; the previous state is kept aside
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convoy restore /var/backups/convoy-monday.db")]
pub(crate) struct Restore {
    /// The backup
    file: PathBuf,
    /// The folder of the server [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs one of the calls of the storage to its end.
fn wait<T>(work: impl Future<Output = Result<T, convoy_server::StoreError>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(work)?)
}

fn size(file: &Path) -> anyhow::Result<u64> {
    Ok(std::fs::metadata(file)?.len())
}

pub(crate) fn backup(args: &Backup) -> anyhow::Result<()> {
    let database = data_folder(args.data.as_deref())?.join(DATABASE);
    wait(convoy_server::back_up(&database, &args.file)).context("no backup was made")?;
    println!("{}: {} bytes", args.file.display(), size(&args.file)?);
    Ok(())
}

pub(crate) fn restore(args: &Restore) -> anyhow::Result<()> {
    let folder = data_folder(args.data.as_deref())?;
    make_private(&folder).with_context(|| format!("the data folder {}", folder.display()))?;
    let database = folder.join(DATABASE);
    let kept =
        wait(convoy_server::restore(&args.file, &database)).context("nothing was restored")?;
    println!("{}: {} bytes", database.display(), size(&database)?);
    if let Some(kept) = kept {
        println!("The previous state is kept in {}", kept.display());
    }
    Ok(())
}
