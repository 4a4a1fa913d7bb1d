//! Somebody with a clone and a home of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::ensure;
use mem_tests::TestEnv;

use crate::bench::Bench;
use crate::run::run;

/// Who shares.
pub(super) struct Person<'b> {
    bench: &'b Bench,
    env: &'b TestEnv,
    clone: PathBuf,
    home: PathBuf,
}

impl<'b> Person<'b> {
    /// Clones a repository and says where its memory is shared.
    pub(super) fn new(
        bench: &'b Bench,
        env: &'b TestEnv,
        name: &str,
        remote: &str,
    ) -> anyhow::Result<Self> {
        let person = Self {
            bench,
            env,
            clone: env.work().join(name),
            home: env.root().join(format!("home-{name}")),
        };
        std::fs::create_dir_all(&person.home)?;
        let mut clone = env.command("git");
        clone.args(["clone", "--quiet", "origin.git", name]);
        run(clone.stderr(Stdio::null()))?;
        let mut setup = person.mem(&["team", "setup", "--repo", "acme/app", "--remote", remote]);
        run(setup.stdout(Stdio::null()).stderr(Stdio::null()))?;
        // The files of the scenarios are written by hand, and would wait for a review.
        let mut auto = person.mem(&["config", "set", "team.push", "auto"]);
        run(auto.stdout(Stdio::null()).stderr(Stdio::null()))?;
        Ok(person)
    }

    /// Removes the copies of git remotes, as if nothing had been fetched yet.
    pub(super) fn forget_copies(&self) -> anyhow::Result<()> {
        let stores = self.home.join(".local/state/mem/stores");
        for store in std::fs::read_dir(stores)? {
            for file in std::fs::read_dir(store?.path().join("team"))? {
                let file = file?.path();
                if file.extension().is_some_and(|end| end == "git") {
                    std::fs::remove_dir_all(file)?;
                }
            }
        }
        Ok(())
    }

    /// A run of `mem`.
    pub(super) fn mem(&self, args: &[&str]) -> Command {
        let mut mem = self.env.command(&self.bench.binary);
        mem.args(args).env("HOME", &self.home);
        mem.current_dir(&self.clone);
        mem
    }

    /// Runs it and throws away what it says.
    pub(super) fn run(&self, args: &[&str]) -> anyhow::Result<()> {
        run(self.mem(args).stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// The folder of the team's files.
    pub(super) fn team(&self) -> anyhow::Result<PathBuf> {
        let output = self.mem(&["path", "--team"]).output()?;
        ensure!(output.status.success(), "`mem path` fails");
        Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim_end()))
    }

    /// Listing all files, as `find` does it.
    pub(super) fn listing(&self, folder: &Path) -> Command {
        let mut find = self.env.command("find");
        find.arg(folder);
        find.args(["-type", "f", "-printf", "%p %s %T@ %C@ %i\\n"]);
        find
    }
}
