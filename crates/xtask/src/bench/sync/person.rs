//! Somebody with a clone and a home of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mem_tests::TestEnv;

use crate::bench::Bench;
use crate::run::{output_of, run, run_quietly};

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
        person.run(&["team", "setup", "--repo", "acme/app", "--remote", remote])?;
        // The files of the scenarios are written by hand, and would wait for a review.
        person.run(&["config", "set", "team.push", "auto"])?;
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
        let mut mem = self.bench.mem(self.env, &self.clone, args);
        mem.env("HOME", &self.home);
        mem
    }

    /// Runs it and throws away what it says.
    pub(super) fn run(&self, args: &[&str]) -> anyhow::Result<()> {
        run_quietly(&mut self.mem(args))
    }

    /// The folder of the team's files.
    pub(super) fn team(&self) -> anyhow::Result<PathBuf> {
        let folder = output_of(&mut self.mem(&["path", "--team"]))?;
        Ok(PathBuf::from(folder.trim_end()))
    }

    /// Listing all files, as `find` does it.
    pub(super) fn listing(&self, folder: &Path) -> Command {
        let mut find = self.env.command("find");
        find.arg(folder);
        find.args(["-type", "f", "-printf", "%p %s %T@ %C@ %i\\n"]);
        find
    }
}
