//! The daemon: what it costs while nothing happens, and how soon it does what it is for.

pub(crate) mod idle;
mod process;
pub(crate) mod sharing;
#[cfg(unix)]
mod socket_recall;

#[cfg(unix)]
pub(crate) use socket_recall::measure as measure_recall;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mem_tests::TestEnv;
use serde_json::Value;

use super::Bench;
use crate::run::output_of;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(120);
/// Between two looks.
const LOOK_PERIOD: Duration = Duration::from_millis(2);

/// There is no daemon to ask.
#[cfg(not(unix))]
pub(crate) fn measure_recall(_bench: &Bench) -> Result<Vec<super::BenchRow>> {
    anyhow::bail!("there are no daemons on this system")
}

/// Runs `mem` in a folder and reads its JSON.
fn json(bench: &Bench, env: &TestEnv, folder: &Path, args: &[&str]) -> Result<Value> {
    let mut mem = bench.mem(env, folder, args);
    let printed = output_of(mem.arg("--json").stderr(Stdio::inherit()))?;
    Ok(serde_json::from_str(&printed)?)
}

/// Waits until something is so, and says how long that took.
fn wait(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<Duration> {
    let begun = Instant::now();
    while !is_so()? {
        ensure!(begun.elapsed() < LONG, "in vain: {what}");
        std::thread::sleep(LOOK_PERIOD);
    }
    Ok(begun.elapsed())
}

/// Waits until the daemon of a folder has nothing to do; its process.
fn settled(bench: &Bench, env: &TestEnv, folder: &Path) -> Result<u32> {
    let mut pid = None;
    wait("the daemon is idle", || {
        let status = json(bench, env, folder, &["daemon", "status"])?;
        pid = status["pid"].as_u64();
        let is_free = status["state"] == "watching" && status["pending"] == false;
        Ok(is_free && process::children(pid.unwrap_or_default()) == 0)
    })?;
    let pid = pid.context("no daemon runs")?;
    Ok(u32::try_from(pid)?)
}
