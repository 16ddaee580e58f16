//! `convoy worker`: thinks for the servers of an installation.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use convoy_server::{Nats, WorkerSize};

use crate::config::{Common, given, load};
use crate::serve::{start_log, stopped};

/// Run bots, hints and analyses for servers.
///
/// Servers find workers over NATS, and run the jobs themselves if none answers. A worker needs no data
/// folder and no database: it is sent what one seat may know, and nothing else.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy worker --nats nats://worker:password@nats.example\n  \
                  CONVOY_NATS=tls://worker:password@nats.example convoy worker --slots 4"
)]
pub(crate) struct Args {
    /// Read this configuration file; `CONVOY_CONFIG` does the same
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
    /// Concurrent searches [default: the number of cores less one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    slots: Option<u16>,
}

/// Works until the process is told to stop.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let slots = args.slots.map(|slots| slots.to_string());
    let mut flags = args.common.overrides()?;
    flags.extend(given([("thinking.threads", "--slots", slots.as_deref())]));
    let config = load(args.config.as_deref(), flags)?;
    start_log(config.log);
    let url = config.nats.as_ref();
    let url = url.context("a worker needs the address of a NATS server: --nats or CONVOY_NATS")?;
    let size = WorkerSize {
        slots: config.thinking.threads.max(1),
        engines: config.thinking.engines,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let nats = Nats::connect(url).await?;
        let stop = stopped()?;
        // Whoever started the worker may have stopped reading what it says.
        let mut out = io::stdout().lock();
        let _ = writeln!(
            out,
            "Working for the servers at {url}, {} searches at once",
            size.slots
        );
        drop(out);
        convoy_server::work(&nats, size, stop).await?;
        Ok(())
    })
}
