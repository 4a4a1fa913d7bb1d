//! Commits: a history of 2,000, and a push of 20, beside git printing the same changes.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use mem_tests::{Repo, TestEnv};

use crate::bench::Bench;
use crate::bench::row::BenchRow;
use crate::bench::timing::interleave;

const COMMITS: usize = 2_000;
const PUSHED: usize = 20;
const FILES: usize = 100;

/// `mem scan --history` over 2,000 commits.
pub(crate) fn measure_history(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = history(&env)?;
    let medians = interleave(
        bench.runs.div_ceil(4),
        |_| {
            let mut mem = env.command(&bench.binary);
            mem.args(["scan", "--history"]).current_dir(repo.path());
            Ok(vec![mem])
        },
        |_| Ok(vec![git_log(&env, &repo, "--all")]),
    )?;
    let row = BenchRow::new("mem scan --history", "git log -p -U0 --all", medians);
    Ok(vec![row.at_most(1.5)])
}

/// The hook over 20 commits that it never saw.
pub(crate) fn measure_push(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    push(bench, false)
}

/// The hook over 20 commits that it saw before.
pub(crate) fn measure_push_again(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    push(bench, true)
}

fn push(bench: &Bench, again: bool) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = history(&env)?;
    let old = repo.git(["rev-parse", &format!("main~{PUSHED}")]);
    let update = format!(
        "refs/heads/main {} refs/heads/main {old}\n",
        repo.git(["rev-parse", "main"])
    );
    let range = format!("{old}..main");
    let cache = env.home().join(".cache/mem");
    let medians = interleave(
        bench.runs,
        |_| {
            if !again && cache.exists() {
                std::fs::remove_dir_all(&cache)?;
            }
            let mut shell = env.command("sh");
            let hook = "printf '%s' \"$1\" | \"$0\" hook pre-push origin url";
            shell
                .arg("-c")
                .arg(hook)
                .arg(&bench.binary)
                .arg(&update)
                .current_dir(repo.path());
            Ok(vec![shell])
        },
        |_| Ok(vec![git_log(&env, &repo, &range)]),
    )?;
    let (subject, goal) = match again {
        true => ("mem hook pre-push (again)", 15.0),
        false => ("mem hook pre-push", 50.0),
    };
    Ok(vec![
        BenchRow::new(subject, "git log -p -U0 RANGE", medians).within(goal),
    ])
}

fn git_log(env: &TestEnv, repo: &Repo<'_>, range: &str) -> Command {
    let mut git = env.command("git");
    git.args(["log", "-p", "-U0", range])
        .current_dir(repo.path());
    git
}

/// A repository of 2,000 commits, each of which changes three of a hundred files.
fn history(env: &TestEnv) -> anyhow::Result<Repo<'_>> {
    let repo = env.repo("app");
    let mut stream = String::new();
    let mut texts = vec![String::new(); FILES];
    for commit in 0..COMMITS {
        writeln!(
            stream,
            "commit refs/heads/main\ncommitter T <t@example.org> {} +0000",
            1_700_000_000 + commit
        )?;
        writeln!(stream, "data 7\nchange\n")?;
        if commit == 0 {
            writeln!(stream, "from refs/heads/main^0")?;
        }
        for step in 0..3 {
            let file = (commit * 7 + step * 31) % FILES;
            for line in 0..20 {
                writeln!(
                    texts[file],
                    "    let value_{commit}_{line} = compute(input, {step}); // of {file}"
                )?;
            }
            let text = &texts[file];
            writeln!(
                stream,
                "M 100644 inline src/file_{file}.rs\ndata {}\n{text}",
                text.len()
            )?;
        }
    }
    let mut import = env.command("git");
    import
        .args(["fast-import", "--quiet", "--force"])
        .current_dir(repo.path())
        .stdin(Stdio::piped());
    let mut child = import.spawn()?;
    let mut stdin = child.stdin.take().context("stdin is a pipe")?;
    std::io::Write::write_all(&mut stdin, stream.as_bytes())?;
    drop(stdin);
    ensure!(child.wait()?.success(), "git fast-import fails");
    repo.git(["gc", "--quiet"]);
    Ok(repo)
}
