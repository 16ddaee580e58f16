//! `convoy uci`: the engine protocol on the standard streams.

use std::io::{self, BufReader};
use std::sync::{Arc, Mutex};

/// Run the engine under UCI, for GUIs and match tools; a turn is one token, its LAN.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy uci\n  printf 'position startpos\\ngo nodes 50000\\n' | convoy uci"
)]
pub(crate) struct Args {}

/// Serves until `quit` or the end of the input.
pub(crate) fn run() {
    let output = Arc::new(Mutex::new(io::stdout()));
    cotulenh_engine::serve_uci(BufReader::new(io::stdin()), output);
}
