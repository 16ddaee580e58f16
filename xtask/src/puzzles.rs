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
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Prove every puzzle again: short for the task `check` without options
    #[arg(long)]
    check: bool,
    #[command(subcommand)]
    task: Option<Task>,
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
        None => check::run(&check::Args::default()),
        Some(Task::Mine(args)) => mine::run(args),
        Some(Task::Select(args)) => select::run(args),
        Some(Task::Check(args)) => check::run(args),
        Some(Task::Solve(args)) => solve::run(args),
    }
}
