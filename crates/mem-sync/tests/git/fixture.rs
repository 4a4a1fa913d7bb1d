//! A bare repository, and people who share through it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use mem_sync::key::EntryKey;
use mem_sync::remote::git::{GitOptions, GitRemote, TEAM_REF};
use mem_sync::remote::{Fetched, Remote, StateQuery};
use mem_sync::repository::Repository;
use mem_sync::wire::{ETag, PutBody, RejectedKey, StateAnswer};

pub(crate) struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Self { folder };
        fixture.git(fixture.path(), &["init", "-q", "--bare", "o.git"]);
        fixture
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn bare(&self) -> PathBuf {
        self.path().join("o.git")
    }

    /// Runs git and returns what it prints.
    pub(super) fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(folder)
            .env_clear()
            .envs(self.environment())
            .args(arguments);
        let output = git.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {complaint}");
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        #[expect(
            clippy::disallowed_methods,
            reason = "a test finds git as everybody does"
        )]
        let path = std::env::var_os("PATH").unwrap();
        let author = [("NAME", "Somebody"), ("EMAIL", "somebody@example.com")];
        let mut all = vec![
            ("PATH".into(), path),
            ("HOME".into(), self.path().into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ];
        for role in ["AUTHOR", "COMMITTER"] {
            all.extend(
                author.map(|(name, value)| (format!("GIT_{role}_{name}").into(), value.into())),
            );
        }
        all
    }

    /// The options of a person, who has a repository of their own.
    pub(super) fn options(&self, name: &str, url: &str) -> GitOptions {
        let work = self.path().join(format!("work-{name}"));
        if !work.exists() {
            self.git(self.path(), &["init", "-q", work.to_str().unwrap()]);
        }
        GitOptions {
            store: self.path().join(format!("state-{name}")).join("team.git"),
            url: url.to_owned(),
            reference: TEAM_REF.to_owned(),
            work,
            repository: Repository::of_name("acme/app").unwrap(),
            actor: format!("{name} <{name}@example.com>"),
            git: "git".into(),
            environment: self.environment(),
            now: Arc::new(|| "2026-11-22T09:00:00.5Z".parse().unwrap()),
            deadline: Duration::from_secs(60),
            allow_public: false,
        }
    }

    /// A person at the bare repository, by its path.
    pub(crate) fn person(&self, name: &str) -> GitRemote {
        GitRemote::open(self.options(name, self.bare().to_str().unwrap())).unwrap()
    }
}

pub(super) fn key(text: &str) -> EntryKey {
    EntryKey::parse(text).unwrap()
}

pub(super) fn body(entries: &[(&str, &str)]) -> PutBody {
    let entries = entries
        .iter()
        .map(|(name, text)| (key(name), (*text).to_owned()));
    PutBody {
        entries: entries.collect(),
        ..PutBody::default()
    }
}

pub(super) fn all(remote: &mut impl Remote) -> (ETag, StateAnswer, Vec<RejectedKey>) {
    match remote.get_state(&StateQuery::default(), None).unwrap() {
        Fetched::Found {
            etag,
            answer,
            rejected,
        } => (etag, answer, rejected),
        Fetched::NotModified => panic!("there was no condition"),
    }
}
