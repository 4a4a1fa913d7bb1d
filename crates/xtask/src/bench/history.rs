//! Listing what happened: beside `git log` of the very same history.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use mem_tests::TestEnv;

use super::Bench;
use super::list::{memory_directory, note, write};
use super::row::Row;
use super::timing::interleave;

/// Changes in the history.
const CHANGES: usize = 2_000;

/// `mem history` over 2,000 changes. `git log` prints no more than mem does: all of it.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Row>> {
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
    let history = history_of(&env)?;
    let medians = interleave(
        bench.runs,
        |_| {
            let mut mem = env.command(&bench.binary);
            mem.args(["history", "--limit", "0"])
                .current_dir(repo.path());
            Ok(vec![mem])
        },
        |_| {
            let mut git = env.command("git");
            git.arg("--git-dir").arg(&history).args(["log", "main"]);
            Ok(vec![git])
        },
    )?;
    Ok(vec![
        Row::new("mem history --limit 0", "git log", medians).at_most(1.5),
    ])
}

/// The repository of the one history in an environment.
fn history_of(env: &TestEnv) -> anyhow::Result<PathBuf> {
    let stores = env.home().join(".local/state/mem/stores");
    let mut found = fs::read_dir(&stores)?
        .flatten()
        .map(|entry| entry.path().join("history.git"));
    found
        .find(|path| path.exists())
        .context("there is no history")
}
