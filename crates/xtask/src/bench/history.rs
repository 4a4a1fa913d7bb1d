//! Listing what happened: beside `git log` of a repository with the same files and changes.

use std::path::PathBuf;

use mem_tests::TestEnv;

use super::Bench;
use super::list::{memory_directory, note, write};
use super::row::BenchRow;
use super::timing::interleave;

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
        let mut mem = env.command(&bench.binary);
        mem.args(["history", "--limit", "1"])
            .current_dir(repo.path());
        crate::run::run(
            mem.stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null()),
        )?;
    }
    let git = repository(&env)?;
    let medians = interleave(
        bench.runs,
        |_| {
            let mut mem = env.command(&bench.binary);
            mem.args(["history", "--limit", "0"])
                .current_dir(repo.path());
            Ok(vec![mem])
        },
        |_| {
            let mut log = env.command("git");
            log.arg("-C")
                .arg(&git)
                .args(["log", "--stat", "--format=fuller"]);
            Ok(vec![log])
        },
    )?;
    Ok(vec![
        BenchRow::new("mem history --limit 0", "git log", medians).at_most(1.5),
    ])
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
