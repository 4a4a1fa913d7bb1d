//! What goes over the line: the system's `git`, with the user's settings of addresses and credentials and
//! with nothing else of any repository.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use git2::Oid;

use super::process::{GitOutput, GitProcess};
use super::store::LockedMirror;
use super::{GitOptions, GitRemoteError, address, verdict};
use crate::remote::RemoteError;

/// Settings that say how a remote is reached.
const SECTIONS: [&str; 5] = ["credential.", "http.", "url.", "ssh.", "protocol."];
const SETTINGS: [&str; 2] = ["core.sshcommand", "core.gitproxy"];
/// How ssh is run where the user does not say it: a question on the terminal would never be answered, and
/// a host that does not answer, or no more, is given up sooner than by the system.
const SSH: &str =
    "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4";
/// A remote that does not say in this time where its ref is, does not answer.
const LOOK: Duration = Duration::from_secs(60);
/// What one fetch may bring, and one of names alone.
const FETCHED_BYTES_MAX: u64 = 1024 * 1024 * 1024;
const NAMES_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// What a remote is called in a copy that does not stay: git remembers who owes it texts by a name, and a path is none.
const NAMED: &str = "there";
/// For every run: no hooks, nothing in the background, no submodules, nothing of a template.
const QUIET: [&str; 14] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "fetch.recurseSubmodules=false",
    "-c",
    "fetch.unpackLimit=1",
    "-c",
    "push.recurseSubmodules=no",
];

/// The way to one remote.
#[derive(Debug)]
pub(super) struct Network {
    options: GitOptions,
    /// Settings of the user's repository that the copy does not see by itself; read once.
    settings: Option<NetworkSettings>,
    /// Of a question in passing: all of it is over by then, and of the repository's own settings, which can
    /// name programs, it takes none.
    until: Option<Instant>,
}

#[derive(Clone, Debug, Default)]
struct NetworkSettings {
    extra: Vec<(String, String)>,
    /// Whether the user says how ssh is run.
    has_ssh_command: bool,
}

impl Network {
    pub(super) fn new(options: GitOptions) -> Self {
        Self {
            options,
            settings: None,
            until: None,
        }
    }

    /// The same for a question in passing.
    pub(super) fn in_passing(options: GitOptions, until: Instant) -> Self {
        Self {
            until: Some(until),
            ..Self::new(options)
        }
    }

    /// Where the remote's ref is.
    pub(super) fn remote_head(
        &mut self,
        store: &LockedMirror,
    ) -> Result<Option<Oid>, GitRemoteError> {
        let url = self.remote_url();
        let reference = self.options.reference.clone();
        let said = self
            .mirror_git(store.path(), &store.lock)?
            .args(["ls-remote", "--quiet", "--refs", "--", &url, &reference])
            .limit_time(LOOK)
            .run()?;
        let output = error_text(&self.check_output(said)?);
        let line = output.lines().find_map(|line| {
            let (id, name) = line.split_once('\t')?;
            (name == reference).then_some(id)
        });
        let Some(id) = line else {
            return Ok(None);
        };
        match id.len() {
            64 => Err(GitRemoteError::ObjectFormat),
            _ => Ok(Oid::from_str(id).ok()),
        }
    }

    /// Fetches the ref and what it reaches.
    pub(super) fn fetch_ref(&mut self, store: &LockedMirror) -> Result<(), GitRemoteError> {
        let url = self.remote_url();
        self.fetch_up_to(store, &[], &url, FETCHED_BYTES_MAX)
    }

    /// Fetches the ref's newest commit with its folders. Texts come along only where the remote knows no better.
    pub(super) fn fetch_names(&mut self, store: &LockedMirror) -> Result<(), GitRemoteError> {
        let newest = ["--depth=1", "--filter=blob:none"];
        self.fetch_up_to(store, &newest, NAMED, NAMES_BYTES_MAX)
    }

    fn fetch_up_to(
        &mut self,
        store: &LockedMirror,
        options: &[&str],
        from: &str,
        bytes_max: u64,
    ) -> Result<(), GitRemoteError> {
        let refspec = format!("+{0}:{0}", self.options.reference);
        let arguments = [
            "--quiet",
            "--force",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
        ];
        let git = self.mirror_git(store.path(), &store.lock)?;
        let git = git.args(["fetch"]).args(options).args(arguments);
        let packs = store.packs_folder();
        let git = git.args(["--", from, &refspec]);
        let said = git.limit_folder_size(&packs, bytes_max).run()?;
        self.check_output(said).map(drop)
    }

    /// Moves the remote's ref from one commit to another, if it still is where it was.
    pub(super) fn push_commit(
        &mut self,
        store: &LockedMirror,
        from: Option<Oid>,
        to: Oid,
    ) -> Result<(), GitRemoteError> {
        let url = self.remote_url();
        let reference = self.options.reference.clone();
        let from = from.map(|id| id.to_string()).unwrap_or_default();
        // Nothing after the colon: the remote may have no such ref yet.
        let lease = format!("--force-with-lease={reference}:{from}");
        let refspec = format!("{to}:{reference}");
        let arguments = [
            "push",
            "--porcelain",
            "--no-verify",
            "--no-follow-tags",
            "--no-signed",
            &lease,
            "--",
            &url,
            &refspec,
        ];
        let said = self
            .mirror_git(store.path(), &store.lock)?
            .args(arguments)
            .run()?;
        if said.status.success() {
            return Ok(());
        }
        let output = String::from_utf8_lossy(&said.output);
        let error = verdict::of_push(&output, &said.complaint, &reference);
        Err(self.or_away(error))
    }

    fn check_output(&self, said: GitOutput) -> Result<GitOutput, GitRemoteError> {
        require_success(said).map_err(|error| self.or_away(error))
    }

    /// A path where nothing is says no to nobody: it is not there for now.
    fn or_away(&self, error: GitRemoteError) -> GitRemoteError {
        match error {
            GitRemoteError::Denied(_) if address::is_away(&self.remote_url()) => {
                RemoteError::Unreachable("nothing is at its path".to_owned()).into()
            }
            error => error,
        }
    }

    /// Makes one pack of what the ref reaches, and removes the rest for good.
    pub(super) fn repack_mirror(&mut self, store: &LockedMirror) -> Result<(), GitRemoteError> {
        let said = self
            .mirror_git(store.path(), &store.lock)?
            .args(["gc", "--quiet", "--prune=now"])
            .run()?;
        require_success(said).map(drop)
    }

    /// The address after `url.*.insteadOf`.
    pub(super) fn resolve_url(&self) -> Result<String, GitRemoteError> {
        let url = self.remote_url();
        let arguments = ["ls-remote", "--get-url", "--", &url];
        let said = GitProcess::new(&self.options, &self.options.work)
            .args(arguments)
            .run()?;
        Ok(error_text(&require_success(said)?).trim_end().to_owned())
    }

    /// What of the user's settings a question without credentials takes along: proxies and authorities.
    pub(super) fn harmless_settings(&self) -> Result<Vec<(String, String)>, GitRemoteError> {
        let harmless = ["proxy", "sslcainfo", "sslcapath"];
        let all = about_remotes(GitProcess::new(&self.options, &self.options.work))?;
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let kept = all.into_iter().filter(|(name, _)| {
            name.starts_with("http.") && harmless.contains(&last(name).as_str())
        });
        Ok(kept.collect())
    }

    fn remote_url(&self) -> String {
        address::from_elsewhere(&self.options.url, &self.options.work)
    }

    /// A git in the copy, which keeps the lock as long as it lives.
    fn mirror_git<'a>(
        &mut self,
        folder: &Path,
        lock: &File,
    ) -> Result<GitProcess<'a>, GitRemoteError> {
        let settings = match self.settings.take() {
            Some(settings) => settings,
            None => self.read_settings()?,
        };
        let git = self.timed_git(folder).args(QUIET).env("GIT_DIR", folder);
        let git = with_settings(git.hold_lock(lock), &settings.extra);
        let is_given = |name: &str| self.options.environment.iter().any(|(one, _)| one == name);
        let says_how =
            settings.has_ssh_command || is_given("GIT_SSH_COMMAND") || is_given("GIT_SSH");
        self.settings = Some(settings);
        Ok(match says_how {
            true => git,
            false => git.env("GIT_SSH_COMMAND", SSH),
        })
    }

    /// A git that is over in time.
    fn timed_git<'a>(&self, folder: &Path) -> GitProcess<'a> {
        let git = GitProcess::new(&self.options, folder);
        match self.until {
            Some(until) => git.limit_time(until.saturating_duration_since(Instant::now())),
            None => git,
        }
    }

    /// Reads what the user's repository says and the copy would not see: it has settings of its own, and
    /// settings that apply by its place.
    fn read_settings(&self) -> Result<NetworkSettings, GitRemoteError> {
        let store = &self.options.store;
        let mut seen = about_remotes(self.timed_git(store).env("GIT_DIR", store))?;
        let mut settings = NetworkSettings::default();
        if self.until.is_some() {
            settings.has_ssh_command = seen.iter().any(|(name, _)| name == "core.sshcommand");
            let url = (format!("remote.{NAMED}.url"), self.remote_url());
            settings.extra.push(url);
            return Ok(settings);
        }
        for pair in about_remotes(GitProcess::new(&self.options, &self.options.work))? {
            settings.has_ssh_command |= pair.0 == "core.sshcommand";
            match seen.iter().position(|one| *one == pair) {
                Some(at) => drop(seen.swap_remove(at)),
                None => settings.extra.push(pair),
            }
        }
        Ok(settings)
    }
}

/// Gives settings through the environment: on the command line others could read them.
pub(super) fn with_settings<'a>(
    git: GitProcess<'a>,
    settings: &[(String, String)],
) -> GitProcess<'a> {
    let mut git = git.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (at, (name, value)) in settings.iter().enumerate() {
        git = git.env(format!("GIT_CONFIG_KEY_{at}"), name);
        git = git.env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    git
}

/// The settings about remotes that apply where this git would run, as git reads them.
fn about_remotes(git: GitProcess<'_>) -> Result<Vec<(String, String)>, GitRemoteError> {
    let said = git.args(["config", "--list", "--null"]).run()?;
    if !said.status.success() {
        return Err(GitRemoteError::Run(verdict::last_line(&said.complaint)));
    }
    let output = error_text(&said);
    let pairs = output.split('\0').filter_map(|pair| pair.split_once('\n'));
    let about_remotes = pairs.filter(|(name, _)| {
        SETTINGS.contains(name) || SECTIONS.iter().any(|section| name.starts_with(section))
    });
    Ok(about_remotes
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}

fn require_success(said: GitOutput) -> Result<GitOutput, GitRemoteError> {
    match said.status.success() {
        true => Ok(said),
        false => Err(verdict::classify_failure(&said.complaint)),
    }
}

fn error_text(said: &GitOutput) -> String {
    String::from_utf8_lossy(&said.output).into_owned()
}
