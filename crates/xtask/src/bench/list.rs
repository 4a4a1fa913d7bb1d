//! Reading many notes: beside `cat` of the same files.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::TestEnv;

use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program};
use crate::run::output_of;

/// `mem list --json` over a number of notes of 2 KB: linear, if the ratio is the same for any number.
pub(crate) fn measure(bench: &Bench, notes: usize, runs: usize) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let files = write_notes(bench, &env, repo.path(), notes, note)?;
    let medians = interleave(
        runs,
        |_| Ok(vec![bench.mem(&env, repo.path(), &["list", "--json"])]),
        |_| Ok(vec![program(&env, "cat", repo.path(), &files)]),
    )?;
    let row = BenchRow::new("mem list --json", "cat *.md", medians);
    Ok(vec![row.at_most(2.0)])
}

/// Writes a number of notes into the memory directory of a repository; their files.
pub(crate) fn write_notes(
    bench: &Bench,
    env: &TestEnv,
    repo: &Path,
    notes: usize,
    text: fn(usize) -> String,
) -> anyhow::Result<Vec<PathBuf>> {
    let folder = memory_directory(bench, env, repo)?;
    let write = |number| {
        let file = folder.join(format!("project_note_{number}.md"));
        write(&file, &text(number)).map(|()| file)
    };
    (0..notes).map(write).collect()
}

/// Asks for the memory directory of a repository and makes it.
pub(crate) fn memory_directory(
    bench: &Bench,
    env: &TestEnv,
    repo: &Path,
) -> anyhow::Result<PathBuf> {
    let folder = output_of(&mut bench.mem(env, repo, &["path"]))?;
    let folder = PathBuf::from(folder.trim_end());
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A note of about 2 KB.
pub(crate) fn note(number: usize) -> String {
    let body = "What was decided, and why it holds. ".repeat(54);
    format!(
        "---\nname: Note {number}\ndescription: what was decided in case {number}\n\
         type: project\n---\n{body}\n"
    )
}

/// Writes a file of a scenario.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(fs::write(path, text)?)
}
