//! `convoy play`: a game in the terminal.

mod tractor;

use std::io::{IsTerminal as _, stdin, stdout};

use anyhow::bail;

/// Play in the terminal, against random moves; `help` tells what to type.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy play tractor\n  convoy play tractor --seed 7 --rules shengji\n  \
                  printf 'quit\\n' | convoy play tractor --stdin"
)]
pub(crate) struct Args {
    /// The game
    #[arg(value_enum)]
    game: Game,
    /// Tractor: your seat, 0 to 3
    #[arg(long, default_value_t = 0)]
    seat: u8,
    /// Tractor: the house rules, a preset
    #[arg(long, default_value = "default")]
    rules: String,
    /// The seed of the cards and of the opponents' choices; default: a new one each time
    #[arg(long)]
    seed: Option<u64>,
    /// Draw in plain ASCII
    #[arg(long)]
    ascii: bool,
    /// Read from a pipe; without it a terminal is needed
    #[arg(long)]
    stdin: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    Tractor,
}

/// Plays until the game ends, the player leaves or the input does.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if !args.stdin && !stdin().is_terminal() {
        bail!("play needs a terminal; to read moves from a pipe, add --stdin");
    }
    match args.game {
        Game::Tractor => {
            let options = tractor::Options {
                seat: args.seat,
                rules: args.rules.clone(),
                seed: args.seed,
                ascii: args.ascii,
                color: !args.ascii && colors(),
            };
            tractor::run(&options, stdin().lock(), stdout().lock())
        }
    }
}

/// Whether the terminal takes colours.
fn colors() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
