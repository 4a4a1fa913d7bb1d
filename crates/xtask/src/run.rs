//! One step of a chore: said, run, timed.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started, or it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs a named step and tells how long it took.
///
/// # Errors
/// The step fails; its name stands in the error.
pub(crate) fn step(name: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("== {name}");
    let start = Instant::now();
    work().with_context(|| format!("step `{name}` failed"))?;
    println!("== {name}: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
