//! Reading many notes: beside `cat` of the same files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use mem_tests::TestEnv;

use super::Bench;
use super::row::BenchRow;
use super::timing::interleave;

/// 1,000 notes of 2 KB.
pub(crate) fn measure_1000(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    measure(bench, 1_000, bench.runs)
}

/// 10,000 notes of 2 KB: linear, if the ratio is that of 1,000.
pub(crate) fn measure_10000(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    measure(bench, 10_000, bench.runs.div_ceil(4))
}

/// `mem list --json` over so many notes.
fn measure(bench: &Bench, notes: usize, runs: usize) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = memory_directory(bench, &env, repo.path())?;
    let files: Vec<PathBuf> = (0..notes)
        .map(|number| folder.join(format!("project_note_{number}.md")))
        .collect();
    for (number, file) in files.iter().enumerate() {
        write(file, &note(number))?;
    }
    let medians = interleave(
        runs,
        |_| {
            let mut mem = env.command(&bench.binary);
            mem.args(["list", "--json"]).current_dir(repo.path());
            Ok(vec![mem])
        },
        |_| {
            let mut cat = env.command("cat");
            cat.args(&files);
            Ok(vec![cat])
        },
    )?;
    Ok(vec![
        BenchRow::new("mem list --json", "cat *.md", medians).at_most(2.0),
    ])
}

/// Asks for the memory directory of a repository and makes it.
pub(crate) fn memory_directory(
    bench: &Bench,
    env: &TestEnv,
    repo: &Path,
) -> anyhow::Result<PathBuf> {
    let mut mem = env.command(&bench.binary);
    let output = mem.arg("path").current_dir(repo).output()?;
    ensure!(output.status.success(), "`mem path` fails");
    let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim_end());
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
