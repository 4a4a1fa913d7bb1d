//! What a command cost besides time: processor seconds and memory, as GNU `time` tells them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::wrapped;

/// Runs of which the median is taken.
const RUNS: usize = 3;

/// The cost of one command.
#[derive(Clone, Copy)]
pub(crate) struct CommandUsage {
    /// Seconds of all processors, for the program and the system.
    pub cpu: f64,
    /// Most memory in use, in megabytes.
    pub peak: f64,
}

/// The medians of a few runs; nothing where there is no GNU `time`.
pub(crate) fn of(command: &Command, scratch: &Path) -> Option<CommandUsage> {
    let runs: Option<Vec<CommandUsage>> = (0..RUNS).map(|_| of_one(command, scratch)).collect();
    let runs = runs?;
    let median = |figure: fn(&CommandUsage) -> f64| {
        let mut all: Vec<f64> = runs.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or_default()
    };
    Some(CommandUsage {
        cpu: median(|usage| usage.cpu),
        peak: median(|usage| usage.peak),
    })
}

/// The most memory of a command, in words with its goal; nothing where there is no GNU `time`.
pub(crate) fn peak_words(command: &Command, scratch: &Path, goal: &str) -> String {
    let usage = of(command, scratch);
    usage.map_or_else(String::new, |usage| {
        format!("peak MB {:.0}{goal}", usage.peak)
    })
}

fn of_one(command: &Command, scratch: &Path) -> Option<CommandUsage> {
    let log = scratch.join("usage.log");
    let mut time = Command::new("/usr/bin/time");
    time.args(["--quiet", "--format", "%U %S %M", "--output"]);
    time.arg(&log);
    wrapped(time, command).status().ok()?.code()?;
    let log = fs::read_to_string(log).ok()?;
    let figures: Result<Vec<f64>, _> = log.split_whitespace().map(str::parse).collect();
    let [user, system, kilobytes] = figures.ok()?[..] else {
        return None;
    };
    Some(CommandUsage {
        cpu: user + system,
        peak: kilobytes * 1024.0 / 1e6,
    })
}
