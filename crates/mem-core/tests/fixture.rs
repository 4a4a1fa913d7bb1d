//! A throw-away home and the real `git`, for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use mem_core::{Dirs, Environment};

/// A temporary directory, free of symbolic links, with a home in it.
pub(crate) struct Fixture {
    root: PathBuf,
    _guard: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let root = guard.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("home/.claude/projects")).unwrap();
        Self {
            root,
            _guard: guard,
        }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Makes a directory and returns it.
    pub(crate) fn dir(&self, relative: &str) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// Writes a file, with its parents.
    pub(crate) fn file(&self, relative: &str, content: &str) -> PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A repository with one commit.
    pub(crate) fn repository(&self, relative: &str) -> PathBuf {
        let path = self.dir(relative);
        self.git(&path, &["init", "-q"]);
        self.git(&path, &["commit", "-q", "--allow-empty", "-m", "first"]);
        path
    }

    /// Runs git where it must succeed.
    pub(crate) fn git(&self, dir: &Path, arguments: &[&str]) -> String {
        self.git_with(dir, arguments, &[])
            .unwrap_or_else(|| panic!("git {arguments:?} failed in {}", dir.display()))
    }

    /// Runs git with variables; `None` when it fails.
    pub(crate) fn git_with(
        &self,
        dir: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Option<String> {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        let output = command
            .arg("-C")
            .arg(dir)
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args([
                "-c",
                "init.defaultBranch=main",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(arguments)
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.path("home/.gitconfig"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| text.trim_end().to_owned())
    }

    pub(crate) fn dirs(&self) -> Dirs {
        Dirs {
            home: Some(self.path("home")),
            base: self.path("home/.claude"),
            config: self.path("home/.config/mem"),
            state: self.path("home/.local/state/mem"),
            cache: self.path("home/.cache/mem"),
            managed: self.path("managed"),
            seals: mem_core::sealing::StateKeys::default(),
        }
    }
}

/// An environment of the given variables.
pub(crate) fn environment(variables: &[(&str, &str)]) -> Environment {
    variables.iter().copied().collect()
}
