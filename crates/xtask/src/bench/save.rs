//! Saving a note durably: beside a durable git commit of the same change.

use std::process::Command;

use mem_tests::{Repo, TestEnv};

use super::list::{note, write};
use super::row::Row;
use super::timing::interleave;
use super::{Bench, syncs};

/// Both sides in one environment.
struct Sides<'e> {
    bench: &'e Bench,
    env: &'e TestEnv,
    repo: Repo<'e>,
    plain: Repo<'e>,
}

/// `mem save`: a topic, its index line and its history, beside git keeping the same two files.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Row> {
    let env = TestEnv::new();
    let sides = Sides {
        bench,
        env: &env,
        repo: env.repo("app"),
        plain: env.repo("plain"),
    };
    let mut init = env.command(&bench.binary);
    init.args(["init", "--quiet"])
        .current_dir(sides.repo.path());
    crate::run::run(&mut init)?;
    let medians = interleave(
        bench.runs,
        |round| Ok(sides.save(round)),
        |round| sides.commit(round),
    )?;
    // Rounds that the timing did not use.
    let counted = (
        syncs::count(&sides.save(1_000_000), env.root()),
        syncs::count(&sides.commit(1_000_000)?, env.root()),
    );
    Ok(Row {
        subject: "mem save",
        beside: "git -c core.fsync=all add -A && git -c core.fsync=all commit",
        medians,
        goal: 1.0,
        syncs: counted.0.zip(counted.1),
    })
}

impl Sides<'_> {
    /// The save of a new note.
    fn save(&self, round: usize) -> Vec<Command> {
        let (name, file) = (format!("Note {round}"), format!("project_note_{round}.md"));
        let description = format!("what was decided in case {round}");
        let body = "What was decided, and why it holds. ".repeat(54);
        let mut mem = self.env.command(&self.bench.binary);
        mem.args(["save", "--quiet", "--type", "project", "--name", &name])
            .args([
                "--description",
                &description,
                "--file",
                &file,
                "--body",
                &body,
            ])
            .current_dir(self.repo.path());
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
        let mut git = self.env.command("git");
        git.args(["-c", "core.fsync=all"])
            .args(args)
            .current_dir(self.plain.path());
        git
    }
}
