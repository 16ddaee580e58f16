//! `cargo xtask puzzles`: the puzzles of both games are mined, selected, checked and tried; `docs/puzzles.md`
//! tells how.

mod cards;
mod check;
mod finds;
mod games;
mod judge;
mod mates;
mod mine;
mod select;
mod small;
mod solve;

/// Mine, select, check and try puzzles
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Mine(mine::Args),
    Select(select::Args),
    Check(check::Args),
    Solve(solve::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.task {
        Task::Mine(args) => mine::run(args),
        Task::Select(args) => select::run(args),
        Task::Check(args) => check::run(args),
        Task::Solve(args) => solve::run(args),
    }
}
