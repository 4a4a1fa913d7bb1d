//! Commits: a history of 2,000, and a push of 20, beside git printing the same changes.

use std::fmt::Write as _;
use std::process::Command;

use mem_tests::{Repo, TestEnv};

use crate::bench::row::BenchRow;
use crate::bench::timing::interleave;
use crate::bench::{Bench, program};
use crate::run::output_for;

const COMMITS: usize = 2_000;
const PUSHED: usize = 20;
const FILES: usize = 100;

/// `mem scan --history` over 2,000 commits.
pub(crate) fn measure_history(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = history(&env)?;
    let medians = interleave(
        bench.runs.div_ceil(4),
        |_| Ok(vec![bench.mem(&env, repo.path(), &["scan", "--history"])]),
        |_| Ok(vec![git_log(&env, &repo, "--all")]),
    )?;
    let row = BenchRow::new("mem scan --history", "git log -p -U0 --all", medians);
    Ok(vec![row.at_most(1.5)])
}

/// The hook over 20 commits, that it never saw or, `again`, saw before.
pub(crate) fn measure_push(bench: &Bench, again: bool) -> anyhow::Result<Vec<BenchRow>> {
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
            let hook = "printf '%s' \"$1\" | \"$0\" hook pre-push origin url";
            let mut shell = program(&env, "sh", repo.path(), ["-c", hook]);
            shell.arg(&bench.binary).arg(&update);
            Ok(vec![shell])
        },
        |_| Ok(vec![git_log(&env, &repo, &range)]),
    )?;
    let (subject, goal) = match again {
        true => ("mem hook pre-push (again)", 15.0),
        false => ("mem hook pre-push", 50.0),
    };
    let row = BenchRow::new(subject, "git log -p -U0 RANGE", medians);
    Ok(vec![row.within(goal)])
}

fn git_log(env: &TestEnv, repo: &Repo<'_>, range: &str) -> Command {
    program(env, "git", repo.path(), ["log", "-p", "-U0", range])
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
    let import = ["fast-import", "--quiet", "--force"];
    output_for(&mut program(env, "git", repo.path(), import), &stream)?;
    // `git fast-import` makes deltas between different files, and `git gc` would keep them.
    repo.git(["repack", "-adfq"]);
    Ok(repo)
}
