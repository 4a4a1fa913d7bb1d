//! `cargo xtask test`: every test, after the set-up that it needs.

use crate::run::run as run_command;
use crate::workspace::{cargo, has_cargo_tool};

/// Arguments of `cargo xtask test`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Handed on to `cargo nextest run`, or to `cargo test` where nextest is not installed
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the binary under test, then runs the tests; the examples of the documentation too,
/// unless the arguments ask for something in particular.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let release = args.rest.iter().any(|word| word == "--release");
    run_command(cargo(["build", "--package", "mem"]).args(release.then_some("--release")))?;
    let mut tests = if has_cargo_tool("nextest") {
        cargo(["nextest", "run", "--workspace"])
    } else {
        cargo(["test", "--workspace", "--lib", "--bins", "--tests"])
    };
    run_command(tests.args(&args.rest))?;
    if args.rest.is_empty() {
        run_command(&mut cargo(["test", "--workspace", "--doc"]))?;
    }
    Ok(())
}
