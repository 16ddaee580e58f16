//! `convoy`: Cờ Tư Lệnh and Tractor on the command line.
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod bench;
mod play;
mod query;
mod stack;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Cờ Tư Lệnh and Tractor: rules, players and a place to play.
#[derive(Debug, Parser)]
#[command(name = "convoy", version, arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play in the terminal
    Play(play::Args),
    /// Answer questions about the rules, one JSON object a line
    Query(query::Args),
    /// Measure the speed of the hot paths
    Bench(bench::Args),
    Stack(stack::Args),
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Play(args) => play::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Stack(args) => stack::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("convoy: {error:#}");
            ExitCode::FAILURE
        }
    }
}
