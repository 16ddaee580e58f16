//! The chores of Convoy's development, as code: `cargo xtask test` is the gate for every change.
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod bench;
mod dist;
mod faults;
mod fuzz;
mod icon;
mod javascript;
mod length;
mod libraries;
mod mine;
mod names;
mod net;
mod openings;
mod package;
mod puzzles;
mod python;
mod reviews;
mod rules;
mod selfplay;
mod steps;
mod suite;
mod tactics;
mod tune_cards;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of Convoy's development.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    Test(steps::Args),
    Load(faults::Load),
    /// Start a PostgreSQL, run a command with its address in `CONVOY_TEST_DATABASE`, and stop it
    WithPostgres {
        /// The command with its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<std::ffi::OsString>,
    },
    Faults(faults::Faults),
    Reads(faults::Reads),
    /// Flood a server of its own and measure what another player notices; fails if a goal is missed
    Abuse {
        /// How long the floods last
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Give the server one core only
        #[arg(long)]
        one_core: bool,
    },
    /// Take pictures of the pages in a real browser
    Shots(web::Shots),
    /// Measure how soon the pages can be used on a slow phone, and how soon a dead connection recovers;
    /// fails if a goal is missed
    Vitals,
    /// Check that every numbered rule of the rules docs has a test that names it
    Rules,
    /// Check that no name of `xtask/renamed.txt` is defined again
    Names,
    /// Check that every library is ready to be published
    Libraries,
    /// Run every fuzz target for so many seconds
    Fuzz {
        /// Seconds for each target
        seconds: u32,
        /// Only this target
        #[arg(long)]
        only: Option<String>,
    },
    Bench(bench::Args),
    /// Make the WebAssembly files of the npm package anew; needs the target wasm32-unknown-unknown
    Wasm {
        /// Only the file of this module of bindings/js/lib/wasm
        module: Option<String>,
    },
    Dist(dist::Args),
    Openings(openings::Args),
    Selfplay(selfplay::Args),
    Net(net::Args),
    TuneCards(tune_cards::Args),
    Mine(mine::Args),
    Puzzles(puzzles::Args),
    Reviews(reviews::Args),
    Tactics(tactics::Args),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    match Args::parse().chore {
        Chore::Test(args) => steps::test(&args),
        Chore::Load(args) => faults::load(&args),
        Chore::WithPostgres { command } => suite::with_postgres(&command),
        Chore::Faults(args) => faults::faults(&args),
        Chore::Reads(args) => faults::reads(&args),
        Chore::Abuse { seconds, one_core } => steps::abuse(seconds, one_core),
        Chore::Shots(shots) => web::shots(shots),
        Chore::Vitals => web::vitals(),
        Chore::Rules => rules::check(),
        Chore::Names => names::check(),
        Chore::Libraries => libraries::check(),
        Chore::Fuzz { seconds, only } => fuzz::run(seconds, only.as_deref()),
        Chore::Bench(args) => bench::run(&args),
        Chore::Wasm { module } => javascript::wasm(module.as_deref()),
        Chore::Dist(args) => dist::dist(&args),
        Chore::Openings(args) => openings::run(&args),
        Chore::Selfplay(args) => selfplay::run(&args),
        Chore::Net(args) => net::run(&args),
        Chore::TuneCards(args) => tune_cards::run(&args),
        Chore::Mine(args) => mine::run(&args),
        Chore::Puzzles(args) => puzzles::run(&args),
        Chore::Reviews(args) => reviews::run(&args),
        Chore::Tactics(args) => tactics::run(&args),
    }
}
