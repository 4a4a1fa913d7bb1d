//! One step of a chore: said, run, timed.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

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

/// Runs a command to its end and throws away what it says.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_quietly(command: &mut Command) -> anyhow::Result<()> {
    run(command.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// What a command prints.
///
/// # Errors
/// As [`run`], or it prints no text.
pub(crate) fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output()?;
    ensure!(
        output.status.success(),
        "{command:?} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// What a command prints that reads a text.
///
/// # Errors
/// As [`output_of`].
pub(crate) fn output_for(command: &mut Command, input: &str) -> anyhow::Result<String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn()?;
    let mut stdin = child.stdin.take().context("stdin is a pipe")?;
    stdin.write_all(input.as_bytes())?;
    drop(stdin);
    let output = child.wait_with_output()?;
    ensure!(
        output.status.success(),
        "{command:?} ended with {}",
        output.status
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// Another program, with a command behind it: in the folder and the environment of the command.
pub(crate) fn wrapped(mut wrapper: Command, command: &Command) -> Command {
    wrapper
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        wrapper.current_dir(folder);
    }
    let set = command.get_envs();
    wrapper.envs(set.filter_map(|(name, value)| Some((name, value?))));
    wrapper
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
