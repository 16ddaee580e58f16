//! `convoy`: Cờ Tư Lệnh and Tractor on the command line.
#![allow(clippy::print_stdout, reason = "a command-line tool speaks on stdout")]

mod admin;
mod arena;
mod bench;
mod bot;
mod child;
mod config;
mod contest;
mod dump;
mod line;
mod perft;
mod play;
mod query;
mod random_games;
mod serve;
mod stack;
mod storage;
mod uci;
mod verify;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Cờ Tư Lệnh and Tractor: rules engines, bots and a server to play on.
#[derive(Debug, Parser)]
#[command(
    name = "convoy",
    version,
    after_help = "Without a command, convoy runs the web server.\n\nExamples:\n  \
                  convoy serve\n  convoy play cotulenh\n  convoy perft 3 --divide\n  convoy query < requests.jsonl"
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Args),
    Worker(worker::Args),
    Config(config::Args),
    /// Play in the terminal
    Play(play::Args),
    /// Count the leaf nodes of the legal move tree of a position
    Perft(perft::Args),
    /// Answer queries about the rules, one JSON object per line
    Query(query::Args),
    TractorBot(bot::Args),
    Arena(arena::Args),
    /// Measure the speed of the hot paths
    Bench(bench::Args),
    Stack(stack::Args),
    /// Play random games and check every position and move
    RandomGames(random_games::Args),
    Uci(uci::Args),
    Match(Box<contest::Args>),
    Ladder(contest::ladder::Args),
    Verify(verify::Args),
    Backup(storage::Backup),
    Restore(storage::Restore),
    Admin(admin::Args),
    Migrate(dump::Migrate),
    Export(dump::Export),
    Import(dump::Import),
}

fn main() -> ExitCode {
    let alone = || Command::Serve(serve::Args::default());
    let result = match Args::parse().command.unwrap_or_else(alone) {
        Command::Serve(args) => serve::run(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Query(args) => query::run(&args),
        Command::TractorBot(args) => bot::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Stack(args) => stack::run(&args),
        Command::RandomGames(args) => random_games::run(&args),
        Command::Uci(_) => {
            uci::run();
            Ok(())
        }
        Command::Match(args) => contest::run(&args),
        Command::Ladder(args) => contest::ladder::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Backup(args) => storage::backup(&args),
        Command::Restore(args) => storage::restore(&args),
        Command::Admin(args) => admin::run(&args),
        Command::Migrate(args) => dump::migrate(&args),
        Command::Export(args) => dump::export(&args),
        Command::Import(args) => dump::import(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("convoy: {error:#}");
            ExitCode::FAILURE
        }
    }
}
