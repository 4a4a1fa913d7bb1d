//! Saving a note durably: beside a durable git commit of the same change.

use std::fmt::Write as _;
use std::process::Command;

use mem_tests::{Repo, TestEnv};

use super::list::{memory_directory, note, write};
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program, syncs};

/// Changes that both histories hold before the clock starts.
const CHANGES: usize = 300;
/// Rounds that the timing does not use: one for counting syncs.
const COUNTED_ROUND: usize = 2_000_000;
/// The first round that only builds the history up.
const FIRST_UNTIMED_ROUND: usize = 1_000_000;

/// Both sides in one environment.
struct SaveSides<'e> {
    bench: &'e Bench,
    env: &'e TestEnv,
    repo: Repo<'e>,
    plain: Repo<'e>,
}

/// `mem save` into a directory of a number of notes: a topic, its index line and its history, beside git
/// keeping the same two files.
/// Both begin with as many notes and as many changes.
pub(crate) fn measure(bench: &Bench, notes: usize) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let sides = SaveSides {
        bench,
        env: &env,
        repo: env.repo("app"),
        plain: env.repo("plain"),
    };
    sides.fill(notes)?;
    let medians = interleave(
        bench.runs,
        |round| Ok(sides.save(round)),
        |round| sides.commit(round),
    )?;
    let ours = syncs::count(&sides.save(COUNTED_ROUND), env.root());
    let beside = syncs::count(&sides.commit(COUNTED_ROUND)?, env.root());
    let syncs = ours.zip(beside).map_or_else(String::new, |(ours, beside)| {
        format!("syncs {ours} / {beside}")
    });
    let beside = "git -c core.fsync=all add -A && git -c core.fsync=all commit";
    let row = BenchRow::new("mem save", beside, medians);
    Ok(vec![row.at_most(1.0).also(syncs)])
}

impl SaveSides<'_> {
    /// Notes and changes that are there already.
    fn fill(&self, notes: usize) -> anyhow::Result<()> {
        let memory = memory_directory(self.bench, self.env, self.repo.path())?;
        for folder in [memory.as_path(), self.plain.path()] {
            let mut index = String::new();
            for number in 0..notes.saturating_sub(CHANGES) {
                let file = format!("project_old_{number}.md");
                write(&folder.join(&file), &note(number))?;
                writeln!(index, "- [Old {number}]({file}) — what was decided")?;
            }
            write(&folder.join("MEMORY.md"), &index)?;
        }
        for round in FIRST_UNTIMED_ROUND..FIRST_UNTIMED_ROUND + CHANGES {
            for command in self.save(round).iter_mut().chain(&mut self.commit(round)?) {
                crate::run::run(command.stdout(std::process::Stdio::null()))?;
            }
        }
        Ok(())
    }

    /// The save of a new note.
    fn save(&self, round: usize) -> Vec<Command> {
        let (name, file) = (format!("Note {round}"), format!("project_note_{round}.md"));
        let description = format!("what was decided in case {round}");
        let body = "What was decided, and why it holds. ".repeat(54);
        let command = ["save", "--quiet", "--type", "project", "--name", &name];
        let mut mem = self.bench.mem(self.env, self.repo.path(), &command);
        mem.args(["--description", &description]);
        mem.args(["--file", &file, "--body", &body]);
        vec![mem]
    }

    /// The commit of the same change, already written: git's time is that of git alone.
    fn commit(&self, round: usize) -> anyhow::Result<Vec<Command>> {
        let folder = self.plain.path();
        let file = format!("project_note_{round}.md");
        write(&folder.join(&file), &note(round))?;
        let index = folder.join("MEMORY.md");
        let before = std::fs::read_to_string(&index).unwrap_or_default();
        let line = format!("- [Note {round}]({file}) — what was decided in case {round}\n");
        write(&index, &(before + &line))?;
        Ok(vec![
            self.git(&["add", "-A"]),
            self.git(&["commit", "-qm", "save"]),
        ])
    }

    /// git, told to make everything durable as `mem` does.
    fn git(&self, args: &[&str]) -> Command {
        let args = [&["-c", "core.fsync=all"], args].concat();
        program(self.env, "git", self.plain.path(), args)
    }
}
