//! [`TestEnv`]: a home directory, settings and a clock that are nobody's.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;

use crate::clock::Clock;
use crate::invocation::Invocation;
use crate::output::Output;
use crate::repo::Repo;

/// What survives of the machine's own environment.
const KEPT: [&str; 3] = ["PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"];

/// A throw-away place to run programs in. Everything in it goes when it is dropped.
#[derive(Debug)]
pub struct TestEnv {
    _temp: TempDir,
    root: PathBuf,
    clock: Clock,
}

impl TestEnv {
    /// A fresh environment: an empty home, a git identity, no other settings.
    #[expect(clippy::new_without_default, reason = "it makes files")]
    pub fn new() -> Self {
        let temp = TempDir::with_prefix("mem-test-").expect("a temporary directory");
        let root = fs::canonicalize(temp.path()).expect("it is there");
        for folder in ["home", "run", "tmp", "work"] {
            fs::create_dir(root.join(folder)).expect("a folder");
        }
        // As a login makes it: a socket's directory is nobody else's.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let run = fs::Permissions::from_mode(0o700);
            fs::set_permissions(root.join("run"), run).expect("it is there");
        }
        let identity = "[user]\n\tname = Tester\n\temail = tester@example.org\n\
                        [init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n";
        fs::write(root.join("gitconfig"), identity).expect("a git configuration");
        Self {
            _temp: temp,
            root,
            clock: Clock::default(),
        }
    }

    /// The top of the environment, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Claude Code's configuration directory in this home.
    pub fn base(&self) -> PathBuf {
        self.home().join(".claude")
    }

    /// The folder that repositories are made in, and that runs start in.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Moves the clock that later runs are told.
    pub fn advance(&self, seconds: u64) {
        self.clock.advance(seconds);
    }

    /// How far the clock has moved.
    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.clock.elapsed()
    }

    /// A new git repository `work/<name>` with one commit.
    pub fn repo(&self, name: &str) -> Repo<'_> {
        Repo::create(self, self.work().join(name))
    }

    /// Runs `mem` in [`TestEnv::work`].
    pub fn mem<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.invoke(args).run()
    }

    /// Prepares a run of `mem`.
    pub fn invoke<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Invocation<'_> {
        Invocation::new(self, args)
    }

    /// A command that sees this environment and nothing of the machine's.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let now = self.clock.rfc3339();
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(
                KEPT.into_iter()
                    .filter_map(|key| Some((key, env::var_os(key)?))),
            )
            .env("HOME", self.home())
            .env("USERPROFILE", self.home())
            .env("TMPDIR", self.root.join("tmp"))
            .env("XDG_RUNTIME_DIR", self.root.join("run"))
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.root.join("gitconfig"))
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_DATE", &now)
            .env("GIT_COMMITTER_DATE", &now)
            .env("MEM_NOW", now)
            // A child that outlives its test would find its home gone.
            .env("MEM_RECALL_BACKGROUND", "false")
            .env("MEM_DAEMON_AUTOSTART", "false")
            .current_dir(self.work());
        command
    }

    /// Replaces what differs from run to run: `[ENV]` for the root, `[SLUG]` for it in a slug.
    pub fn normalise(&self, text: &str) -> String {
        let root = self.root.to_string_lossy();
        let slug: String = root
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        text.replace(&*root, "[ENV]").replace(&slug, "[SLUG]")
    }

    /// Every file under a folder of the environment, as sorted relative paths with their bytes.
    ///
    /// Two of these compared show that nothing changed. Memory that the processes of a database share is left out: it
    /// changes when somebody reads.
    pub fn files_under(&self, folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        collect(folder, folder, &mut found);
        found.retain(|(name, _)| !name.ends_with(".db-shm"));
        found.sort();
        found
    }
}

impl Drop for TestEnv {
    /// Ends the daemons that were started in here: they would look after nothing.
    fn drop(&mut self) {
        let files = fs::read_dir(self.root.join("run/mem"));
        for file in files.into_iter().flatten().flatten() {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            let pid = text.lines().next().unwrap_or_default();
            let process = Path::new("/proc").join(pid);
            let world = fs::read(process.join("environ")).unwrap_or_default();
            let is_ours = String::from_utf8_lossy(&world).contains(&*self.root.to_string_lossy());
            if is_ours && pid.parse::<u32>().is_ok() {
                // It may have ended by itself.
                let _ = Command::new("kill").args(["-9", pid]).status();
            }
        }
    }
}

/// Adds the files of a folder; one that is not there has none.
fn collect(top: &Path, folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(top, &path, found);
        } else {
            let name = path.strip_prefix(top).unwrap_or(&path);
            let name = name.to_string_lossy().into_owned();
            found.push((name, fs::read(&path).unwrap_or_default()));
        }
    }
}
