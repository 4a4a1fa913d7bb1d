//! From a write in the team directory to the server, and through a storm of writes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mem_tests::http::Ask;
use mem_tests::{Repo, TestEnv};

use super::process::memory;
use super::{json, settled, wait};
use crate::bench::Bench;
use crate::bench::list::write;
use crate::bench::process::ServerProcess;
use crate::bench::row::BenchRow;
use crate::bench::timing::median;

/// The quiet period, and what is added to it.
const GOAL_MS: f64 = 2_000.0 + 150.0;
const PUSHES: usize = 5;
const STORM_EVENTS: usize = 50_000;
const STORM_FILES: usize = 100;
const STORM: Duration = Duration::from_secs(10);
/// Before a push.
const QUIET: Duration = Duration::from_secs(2);

/// A server, a repository that shares there, and its daemon.
struct SharingBench<'e> {
    server: ServerProcess,
    repo: Repo<'e>,
    team: PathBuf,
    pid: u32,
}

impl<'e> SharingBench<'e> {
    fn new(bench: &Bench, env: &'e TestEnv) -> Result<Self> {
        let repo = env.repo("app");
        let server = ServerProcess::serve(bench, env, None)?;
        let url = format!("http://{}", server.address);
        let setup = ["team", "setup", "--repo", "acme/app", "--remote", &url];
        json(bench, env, repo.path(), &setup)?;
        let team = json(bench, env, repo.path(), &["path"])?["team_dir"].clone();
        let team = PathBuf::from(team.as_str().context("no folder")?);
        std::fs::create_dir_all(&team)?;
        json(bench, env, repo.path(), &["daemon", "start"])?;
        let pid = settled(bench, env, repo.path())?;
        Ok(Self {
            server,
            repo,
            team,
            pid,
        })
    }

    /// Whether the server has a text.
    fn has(&self, text: &str) -> Result<bool> {
        let answer = self.get("/api/claude_code/team_memory?repo=acme/app")?;
        Ok(answer.contains(text))
    }

    /// How many PUTs the server has answered.
    fn puts(&self) -> Result<u64> {
        let figures = self.get("/metrics")?;
        let lines = figures
            .lines()
            .filter(|line| line.starts_with("mem_answers_total") && line.contains("\"PUT\""));
        let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        Ok(counts.sum())
    }

    fn get(&self, path: &str) -> Result<String> {
        let answer = Ask::new(self.server.address, "GET", path).try_send();
        Ok(String::from_utf8(answer.context("no answer")?.body)?)
    }
}

/// A write, until the server has it.
pub(crate) fn measure_push(bench: &Bench) -> Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let shared = SharingBench::new(bench, &env)?;
    let mut times = Vec::new();
    for number in 0..PUSHES {
        let note = format!("---\nname: n{number}\ndescription: d\ntype: project\n---\nbody\n");
        write(&shared.team.join(format!("project_{number}.md")), &note)?;
        times.push(wait("the server has it", || {
            shared.has(&format!("project_{number}.md"))
        })?);
        settled(bench, &env, shared.repo.path())?;
    }
    let row = BenchRow::alone("a write in team/, on the server", median(times));
    Ok(vec![row.within(GOAL_MS)])
}

/// 50,000 events, and how soon it is quiet after them.
pub(crate) fn measure_storm(bench: &Bench) -> Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let shared = SharingBench::new(bench, &env)?;
    let (before, mut most) = (memory(shared.pid)?.anonymous, 0);
    let puts = shared.puts()?;
    let begun = Instant::now();
    // Each write is four events: made, opened, written, closed.
    for number in 0..STORM_EVENTS / 4 {
        let file = format!("project_{}.md", number % STORM_FILES);
        let note = format!("---\nname: n\ndescription: d\ntype: project\n---\n{number}\n");
        write(&shared.team.join(file), &note)?;
        if number % 100 == 0 {
            most = most.max(memory(shared.pid)?.anonymous);
            let due = STORM.mul_f64(number as f64 / (STORM_EVENTS / 4) as f64);
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
    }
    let (storm, last) = (begun.elapsed(), Instant::now());
    settled(bench, &env, shared.repo.path())?;
    let quiet = last.elapsed().saturating_sub(QUIET);
    let also = format!(
        "{:.0} s of storm, {} pushes (2), anonymous {before} kB before, {most} kB at most, {} kB after it",
        storm.as_secs_f64(),
        shared.puts()? - puts,
        memory(shared.pid)?.anonymous
    );
    let row = BenchRow::alone("50,000 events, until it is quiet, less 2 s", quiet);
    Ok(vec![row.within(2_000.0).also(also)])
}
