//! `convoy play`: a game in the terminal.

mod cotulenh;
mod tractor;

use std::io::{IsTerminal as _, stdin, stdout};

use ::cotulenh::VictoryRules;
use anyhow::bail;

/// Play in the terminal; type `help` for the commands.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convoy play cotulenh\n  convoy play cotulenh --level 6 --side blue\n  \
                  convoy play cotulenh --victory marine --victory air\n  \
                  convoy play tractor --seed 7 --rules shengji\n  \
                  convoy play tractor --level strong\n  \
                  printf 'Ic6\\nquit\\n' | convoy play cotulenh --stdin"
)]
pub(crate) struct Args {
    /// The game
    #[arg(value_enum, default_value = "cotulenh")]
    game: Game,
    /// Cờ Tư Lệnh: your side
    #[arg(long, value_enum, default_value = "red")]
    side: Side,
    /// Cờ Tư Lệnh: the position to start from
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Cờ Tư Lệnh: an optional victory condition; repeatable
    #[arg(long, value_enum, value_name = "VICTORY")]
    victory: Vec<Victory>,
    /// Level of the bots. Cờ Tư Lệnh: 1 to 10, default 4; Tractor: easy, normal (the default), strong,
    /// master, or 1 to 4. With `random` they play random moves
    #[arg(long)]
    level: Option<String>,
    /// Tractor: your seat, 0 to 3
    #[arg(long, default_value_t = 0)]
    seat: u8,
    /// Tractor: a preset of house rules
    #[arg(long, default_value = "default")]
    rules: String,
    /// Seed of the deals and of the bots' choices [default: a random one]
    #[arg(long)]
    seed: Option<u64>,
    /// Draw in plain ASCII
    #[arg(long)]
    ascii: bool,
    /// Read moves from a pipe instead of a terminal
    #[arg(long)]
    stdin: bool,
}

impl Default for Args {
    /// A game of Cờ Tư Lệnh with red.
    fn default() -> Self {
        Self {
            game: Game::Cotulenh,
            side: Side::Red,
            fen: None,
            victory: Vec::new(),
            level: None,
            seat: 0,
            rules: "default".to_owned(),
            seed: None,
            ascii: false,
            stdin: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    Cotulenh,
    Tractor,
}

/// An optional victory (Rule 9.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Victory {
    /// By the capture of all ships
    Marine,
    /// By the capture of all aircraft
    Air,
    /// By the capture of all tanks, infantry and artillery
    Land,
}

impl Args {
    /// The optional victories that were asked for.
    fn victories(&self) -> VictoryRules {
        let has = |victory| self.victory.contains(&victory);
        VictoryRules {
            marine: has(Victory::Marine),
            air: has(Victory::Air),
            land: has(Victory::Land),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    Red,
    Blue,
    /// Both: for two people at one terminal
    Both,
}

/// Plays until the game ends, the player leaves or the input does.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if !args.stdin && !stdin().is_terminal() {
        bail!("play needs a terminal; to read moves from a pipe, add --stdin");
    }
    match args.game {
        Game::Cotulenh => cotulenh::run(args, stdin().lock(), stdout().lock()),
        Game::Tractor => {
            let options = tractor::Options {
                seat: args.seat,
                level: args.level.as_deref().unwrap_or("normal").parse()?,
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
