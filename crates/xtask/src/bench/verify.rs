//! Checking memories against a large checkout: beside git listing and searching the same files.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use mem_tests::{Repo, TestEnv};

use super::Bench;
use super::list::{memory_directory, write};
use super::row::BenchRow;
use super::timing::{Medians, interleave};

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
enum Round {
    /// Nothing is remembered.
    First,
    /// Some files were edited since the last run.
    Edited,
    /// Nothing happened.
    Again,
}

/// The first run.
pub(crate) fn measure_first(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let medians = measure(bench, Round::First)?;
    Ok(vec![
        BenchRow::new("mem verify, 50,000 files", BESIDE, medians).at_most(2.0),
    ])
}

/// A run after an edit of a few files.
pub(crate) fn measure_edited(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let medians = measure(bench, Round::Edited)?;
    Ok(vec![BenchRow::new(
        "mem verify after an edit",
        BESIDE,
        medians,
    )])
}

/// A second run.
pub(crate) fn measure_again(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let medians = measure(bench, Round::Again)?;
    Ok(vec![
        BenchRow::new("mem verify again", BESIDE, medians).within(100.0),
    ])
}

/// `mem verify` of 200 memories in a repository of 50,000 files.
fn measure(bench: &Bench, round: Round) -> anyhow::Result<Medians> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    fill(&repo)?;
    let folder = memory_directory(bench, &env, repo.path())?;
    for number in 0..NOTES {
        write(
            &folder.join(format!("project_note_{number}.md")),
            &note(number),
        )?;
    }
    let mem = || -> Command {
        let mut mem = env.command(&bench.binary);
        mem.args(["verify", "--json"]).current_dir(repo.path());
        mem
    };
    interleave(
        bench.runs.div_ceil(4),
        |turn| {
            match round {
                Round::First => drop(fs::remove_dir_all(env.home().join(".cache"))),
                Round::Edited => edit(&repo, turn)?,
                Round::Again => {}
            }
            Ok(vec![mem()])
        },
        |_| {
            Ok(vec![
                git(&env, &repo, "ls-files", &[]),
                git(&env, &repo, "grep", &["-c", "load_7"]),
            ])
        },
    )
}

fn git(env: &TestEnv, repo: &Repo<'_>, verb: &str, args: &[&str]) -> Command {
    let mut git = env.command("git");
    git.arg(verb).args(args).current_dir(repo.path());
    git
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
