//! Listing what happened: beside `git log` of a repository with the same files and changes.

use std::path::PathBuf;

use mem_tests::TestEnv;

use super::list::{memory_directory, note, write};
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program};
use crate::run::run_quietly;

/// Changes in the history.
const CHANGES: usize = 2_000;

/// `mem history` over 2,000 changes. `git log` prints no more than mem does: all of it.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = memory_directory(bench, &env, repo.path())?;
    for number in 0..CHANGES {
        write(
            &folder.join(format!("note_{}.md", number % 100)),
            &note(number),
        )?;
        // Records what was just written by hand.
        run_quietly(&mut bench.mem(&env, repo.path(), &["history", "--limit", "1"]))?;
    }
    let git = repository(&env)?;
    let medians = interleave(
        bench.runs,
        |_| {
            Ok(vec![bench.mem(
                &env,
                repo.path(),
                &["history", "--limit", "0"],
            )])
        },
        |_| {
            Ok(vec![program(
                &env,
                "git",
                &git,
                ["log", "--stat", "--format=fuller"],
            )])
        },
    )?;
    let row = BenchRow::new("mem history --limit 0", "git log", medians);
    Ok(vec![row.at_most(1.5)])
}

/// A repository with a commit for each change.
fn repository(env: &TestEnv) -> anyhow::Result<PathBuf> {
    let repo = env.repo("beside");
    for number in 0..CHANGES {
        let name = format!("note_{}.md", number % 100);
        write(&repo.path().join(&name), &note(number))?;
        repo.git(["add", &name]);
        repo.git(["commit", "--quiet", "-m", "a change"]);
    }
    Ok(repo.path().to_owned())
}
