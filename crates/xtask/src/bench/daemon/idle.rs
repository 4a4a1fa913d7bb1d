//! Memory and wake-ups of daemons that have nothing to do, and how long a start takes.

use anyhow::Result;
use mem_tests::{Repo, TestEnv};

use super::process::{memory, more, wake_ups};
use super::{json, settled};
use crate::bench::Bench;
use crate::bench::list::{note, write_notes};
use crate::bench::row::BenchRow;
use crate::bench::timing::interleave;

const NOTES: usize = 500;
const DAEMONS: usize = 20;
/// Threads of the first jobs end after ten seconds without another.
const THREADS_END: std::time::Duration = std::time::Duration::from_secs(11);
/// From nothing to a socket that answers, beside a start that does nothing.
const START_MS: f64 = 30.0;

fn repository<'e>(bench: &Bench, env: &'e TestEnv, name: &str) -> Result<Repo<'e>> {
    let repo = env.repo(name);
    write_notes(bench, env, repo.path(), NOTES, note)?;
    Ok(repo)
}

/// One daemon over 500 memories.
pub(crate) fn measure_one(bench: &Bench) -> Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = repository(bench, &env, "app")?;
    let runs = bench.runs.div_ceil(4);
    let medians = interleave(
        runs,
        |_| {
            json(bench, &env, repo.path(), &["daemon", "stop"])?;
            Ok(vec![bench.mem(&env, repo.path(), &["daemon", "start"])])
        },
        |_| Ok(vec![bench.mem(&env, repo.path(), &["--version"])]),
    )?;
    let pid = settled(bench, &env, repo.path())?;
    std::thread::sleep(THREADS_END);
    let before = wake_ups(pid);
    std::thread::sleep(bench.idle);
    let wake_ups = more(&before, &wake_ups(pid));
    let memory = memory(pid)?;
    let also = format!(
        "anonymous {} kB (4,000), PSS {} kB, {wake_ups} wake-ups in {} s (0)",
        memory.anonymous,
        memory.share,
        bench.idle.as_secs()
    );
    let row = BenchRow::new("mem daemon start", "mem --version", medians);
    Ok(vec![row.within(START_MS).also(also)])
}

/// Twenty of them.
pub(crate) fn measure_twenty(bench: &Bench) -> Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let mut pids = Vec::new();
    let mut repos = Vec::new();
    for number in 0..DAEMONS {
        let repo = repository(bench, &env, &format!("app{number}"))?;
        json(bench, &env, repo.path(), &["daemon", "start"])?;
        repos.push(repo);
    }
    for repo in &repos {
        pids.push(settled(bench, &env, repo.path())?);
    }
    let first = repos[0].path();
    let medians = interleave(
        bench.runs.div_ceil(4),
        |_| Ok(vec![bench.mem(&env, first, &["daemon", "status", "--all"])]),
        |_| Ok(vec![bench.mem(&env, first, &["--version"])]),
    )?;
    std::thread::sleep(THREADS_END);
    let all = pids.into_iter().map(memory).collect::<Result<Vec<_>>>()?;
    let worst =
        |of: fn(&super::process::ProcessMemory) -> u64| all.iter().map(of).max().unwrap_or(0);
    let also = format!(
        "each at most: anonymous {} kB (4,000), PSS {} kB (6,000)",
        worst(|memory| memory.anonymous),
        worst(|memory| memory.share)
    );
    let row = BenchRow::new("mem daemon status --all", "mem --version", medians);
    Ok(vec![row.also(also)])
}
