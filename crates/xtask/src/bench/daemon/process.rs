//! What the system says of a process.

use std::fs;

use anyhow::{Context, Result};

/// The memory of a process, in kilobytes.
pub(super) struct ProcessMemory {
    /// What no file is behind.
    pub(super) anonymous: u64,
    /// Its share of what several have.
    pub(super) share: u64,
}

/// Reads `/proc/PID/smaps_rollup`.
///
/// # Errors
/// The process is gone, or the system has no such file.
pub(super) fn memory(pid: u32) -> Result<ProcessMemory> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next());
        let number = number.and_then(|number| number.parse().ok());
        number.with_context(|| format!("no {name}"))
    };
    Ok(ProcessMemory {
        anonymous: field("Pss_Anon:")?,
        share: field("Pss:")?,
    })
}

/// How often the threads of a process went to sleep by themselves, of those that live.
pub(super) fn wake_ups(pid: u32) -> Vec<(String, u64)> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let counts = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.path().join("status")).ok()?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
        let name = task.file_name().to_string_lossy().into_owned();
        Some((name, line.trim().parse().ok()?))
    });
    counts.collect()
}

/// How many more there were, of threads that lived before.
pub(super) fn more(before: &[(String, u64)], after: &[(String, u64)]) -> u64 {
    let more = after.iter().map(|(name, count)| {
        let earlier = before.iter().find(|(other, _)| other == name);
        count - earlier.map_or(0, |(_, count)| *count)
    });
    more.sum()
}

/// Processes that a process has begun and that have not ended.
pub(super) fn children(pid: u64) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    children.map(|text| text.split_whitespace().count()).sum()
}
