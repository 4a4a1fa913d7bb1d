//! Checking memories against a large checkout: beside git listing and searching the same files.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use mem_tests::{Repo, TestEnv};

use super::list::{write, write_notes};
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program};

/// What it is compared with.
const BESIDE: &str = "git ls-files; git grep -c load_7";
/// Tracked files.
const FILES: usize = 50_000;
/// Files in a folder.
const FOLDER_FILES: usize = 50;
/// Memories, with ten citations each.
const NOTES: usize = 200;
/// Two of its lines cite what was never there.
const NOTES_WITH_LOSS: usize = 4;
/// Files that are edited in one round.
const EDITED_FILES: usize = 3;

/// How the repository is before each round.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Round {
    /// Nothing is remembered.
    First,
    /// Some files were edited since the last run.
    Edited,
    /// Nothing happened.
    Again,
}

/// `mem verify` of 200 memories in a repository of 50,000 files.
pub(crate) fn measure(bench: &Bench, round: Round) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    fill(&repo)?;
    write_notes(bench, &env, repo.path(), NOTES, note)?;
    let git = |args: &[&str]| program(&env, "git", repo.path(), args);
    let medians = interleave(
        bench.runs.div_ceil(4),
        |turn| {
            match round {
                Round::First => drop(fs::remove_dir_all(env.home().join(".cache"))),
                Round::Edited => edit(&repo, turn)?,
                Round::Again => {}
            }
            Ok(vec![bench.mem(&env, repo.path(), &["verify", "--json"])])
        },
        |_| Ok(vec![git(&["ls-files"]), git(&["grep", "-c", "load_7"])]),
    )?;
    let row = |subject| BenchRow::new(subject, BESIDE, medians);
    Ok(vec![match round {
        Round::First => row("mem verify, 50,000 files").at_most(2.0),
        Round::Edited => row("mem verify after an edit"),
        Round::Again => row("mem verify again").within(100.0),
    }])
}

/// Makes the files and commits them.
fn fill(repo: &Repo<'_>) -> anyhow::Result<()> {
    for number in 0..FILES {
        let file = repo.path().join(path(number));
        if let Some(folder) = file
            .parent()
            .filter(|_| number.is_multiple_of(FOLDER_FILES))
        {
            fs::create_dir_all(folder)?;
        }
        write(&file, &source(number))?;
    }
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "code"]);
    Ok(())
}

fn path(number: usize) -> PathBuf {
    let folder = number / FOLDER_FILES;
    PathBuf::from(format!("pkg{}/mod{folder}/file{number}.rs", folder / 20))
}

/// A file of about 1 KB.
fn source(number: usize) -> String {
    let mut text = format!("//! Part {number}.\n\n");
    for at in 0..12 {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "fn load_{number}_{at}(order: u32) -> u32 {{\n    let price = order + {at};\n    price\n}}\n"
        );
    }
    text
}

/// Five lines with two citations each.
fn note(number: usize) -> String {
    let head = format!("name: Note {number}\ndescription: how part {number} works\ntype: project");
    let mut text = format!("---\n{head}\n---\n\nHow it works.\n\n");
    for at in 0..5 {
        let file = (number * 241 + at * 9_973) % FILES;
        let lost = if number.is_multiple_of(NOTES_WITH_LOSS) && at == 0 {
            "_old"
        } else {
            ""
        };
        let path = path(file);
        let _ = writeln!(
            text,
            "The check is in `{}` and calls `load_{file}_{at}{lost}()`.",
            path.display()
        );
    }
    text
}

/// Edits a few files.
fn edit(repo: &Repo<'_>, turn: usize) -> anyhow::Result<()> {
    for number in 0..EDITED_FILES {
        let file = (turn * 31 + number * 17) % FILES;
        let text = format!("{}// turn {turn}\n", source(file));
        write(&repo.path().join(path(file)), &text)?;
    }
    Ok(())
}
