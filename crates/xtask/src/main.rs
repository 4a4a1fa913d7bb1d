//! Repository chores: `cargo xtask test|ci|bench|demo|dist|start-order|upgrade`.
#![expect(
    clippy::disallowed_methods,
    reason = "a chore reads the files of its own checkout"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore tells what it does"
)]

mod bench;
mod ci;
mod demo;
mod dist;
mod eval;
mod run;
mod start_order;
mod test;
mod upgrade;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// Repository chores
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Run every test, after building what the tests need
    Test(test::Args),
    /// Do everything that continuous integration does
    Ci,
    /// Time whole processes beside git and cat, and count their syncs
    Bench(bench::Args),
    /// Measure how good the answers are, on labelled sets
    Eval(eval::Args),
    /// Make the pictures of the README and the docs: the tour as `docs/demo.svg`, the console in both colour schemes
    Demo,
    /// Make the packages of a release, their checksums and the list of what is in them
    Dist(dist::Args),
    /// Find the functions that every start runs, for the linker to lay side by side: `crates/mem/start.order`
    StartOrder,
    /// Run replicas of an earlier version and of this one over one database
    Upgrade(upgrade::Args),
}

fn main() -> ExitCode {
    match run_chore() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the chosen chore.
fn run_chore() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::Test(args) => test::run(&args),
        Chore::Ci => ci::run(),
        Chore::Bench(args) => bench::run(&args),
        Chore::Eval(args) => eval::run(&args),
        Chore::Demo => demo::run(),
        Chore::Dist(args) => dist::run(&args),
        Chore::StartOrder => start_order::write_order(),
        Chore::Upgrade(args) => upgrade::run_upgrade(&args),
    }
}
