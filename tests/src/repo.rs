//! [`Repo`]: a real git repository in a test environment.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::env::TestEnv;
use crate::invocation::Invocation;
use crate::output::Output;

/// A checkout: of a repository of its own, or a linked worktree of another's.
#[derive(Clone, Debug)]
pub struct Repo<'e> {
    env: &'e TestEnv,
    path: PathBuf,
}

impl<'e> Repo<'e> {
    /// A repository with one commit.
    pub(crate) fn create(env: &'e TestEnv, path: PathBuf) -> Self {
        fs::create_dir_all(&path).expect("a folder");
        let repo = Self { env, path };
        repo.git(["init", "--quiet"]);
        repo.commit("README", "start\n", "first");
        repo
    }

    /// A folder that is taken as a checkout, whoever made it.
    pub fn at(env: &'e TestEnv, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { env, path }
    }

    /// The environment it stands in.
    pub(crate) fn env(&self) -> &'e TestEnv {
        self.env
    }

    /// Its top folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs git in it and returns what it printed, without the final newline.
    #[track_caller]
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let mut command = self.env.command("git");
        command.args(args).current_dir(&self.path);
        let output = command.output().expect("git runs");
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}\n{talk}");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim_end_matches('\n').to_owned()
    }

    /// Writes a file, its folders included.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(file);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    /// Writes a file and commits it.
    #[track_caller]
    pub fn commit(&self, file: &str, content: &str, message: &str) {
        self.write(file, content);
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--message", message]);
    }

    /// Adds a linked worktree beside the repository, on a branch of the same name.
    pub fn worktree(&self, name: &str) -> Self {
        let path = self.env.work().join(name);
        self.git([
            OsStr::new("worktree"),
            "add".as_ref(),
            "-q".as_ref(),
            path.as_ref(),
        ]);
        Self::at(self.env, path)
    }

    /// Runs `mem` in it.
    pub fn mem<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.invoke(args).run()
    }

    /// Prepares a run of `mem` in it.
    pub fn invoke<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Invocation<'e> {
        self.env.invoke(args).in_dir(&self.path)
    }
}
