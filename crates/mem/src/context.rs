//! What every command is given: the only place that reads the environment, the clock and HOME.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mem_core::{Diagnose, Dirs, Environment, ErrorKind, Now};
use serde::Serialize;

use crate::exit::Exit;
use crate::globals::Globals;
use crate::printer::{OutputError, Printer};
use crate::withheld::UntrustedVariables;

/// The world as one run sees it.
#[derive(Debug)]
pub(crate) struct Context {
    /// Every environment variable whose value is Unicode.
    pub env: Environment,
    /// The start of this run; `MEM_NOW` (RFC 3339) replaces it, for tests.
    pub now: Now,
    /// The current directory, after every `-C`. Relative paths of the command line start here.
    pub cwd: PathBuf,
    /// Where data and talk go.
    pub printer: Printer,
    dirs: Option<Dirs>,
}

/// The world is not fit for a run.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum ContextError {
    /// No HOME.
    #[error("there is no home directory")]
    #[diagnose(Invalid, hint = "set HOME to the directory that holds `.claude`")]
    NoHome,
    /// HOME is relative.
    #[error("HOME is `{0}`, which is not an absolute path")]
    #[diagnose(Invalid, hint = "set HOME to the directory that holds `.claude`")]
    RelativeHome(String),
    /// `MEM_NOW` cannot be read.
    #[error("`MEM_NOW` is not a time: `{0}`")]
    #[diagnose(
        Invalid,
        hint = "unset it, or give a time such as 2026-01-31T12:00:00Z"
    )]
    BadNow(String),
    /// A `-C` that cannot be followed.
    #[error("cannot change to `{}`", .0.display())]
    #[diagnose(kind = folder_kind(_1), hint = "name a directory that exists and may be entered")]
    Directory(PathBuf, #[source] io::Error),
    /// A repository has the host set variables, and the run cannot begin without them.
    #[error("cannot begin again without what a repository has the host set")]
    #[diagnose(
        Io,
        hint = "unset them, or take them out of the repository's `.claude/settings.json`"
    )]
    Again(#[source] io::Error),
    /// The current directory is gone or unreadable.
    #[error("cannot read the current directory")]
    #[diagnose(kind = folder_kind(_0), hint = "change to a directory that exists")]
    Current(#[source] io::Error),
}

fn folder_kind(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    }
}

impl Context {
    /// Looks at the world once.
    ///
    /// # Errors
    /// A `-C` or a current directory that is not there, an unreadable `MEM_NOW`, no beginning without what a
    /// repository has the host set.
    pub(crate) fn new(globals: &Globals, printer: Printer) -> Result<Self, ContextError> {
        let env: Environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        // Before the first `-C`: what is relative is relative to where the run began.
        let withheld = UntrustedVariables::look_around(&env, &globals.directory);
        if withheld.has_any() {
            for (name, file) in &withheld.set {
                printer.print_warning(format_args!(
                    "{name} counts as unset: the repository's `{}` names it",
                    file.display()
                ));
            }
            if let Some(file) = &withheld.own_settings {
                printer.print_warning(format_args!(
                    "XDG_CONFIG_HOME counts as unset: an agent runs this, and `{}` has the settings",
                    file.display()
                ));
            }
            return Err(ContextError::Again(withheld.begin_again()));
        }
        let dirs = crate::dirs::find_dirs(&env, withheld.is_home).map(|dirs| Dirs {
            seals: crate::master_key::state_keys(&dirs, &env),
            ..dirs
        });
        Ok(Self {
            now: read_clock(&env)?,
            cwd: enter_directories(&globals.directory, &env)?,
            env,
            printer,
            dirs,
        })
    }

    /// The present, for what runs long: [`Context::now`] is when the run began.
    pub(crate) fn current_time(&self) -> Now {
        read_clock(&self.env).unwrap_or(self.now)
    }

    /// The same world, with its data going nowhere.
    pub(crate) fn without_output(&self) -> Self {
        Self {
            env: self.env.clone(),
            now: self.now,
            cwd: self.cwd.clone(),
            printer: self.printer.muted(),
            dirs: self.dirs.clone(),
        }
    }

    /// The same world, seen from another folder.
    pub(crate) fn standing_in(&self, cwd: PathBuf) -> Self {
        Self {
            env: self.env.clone(),
            now: self.now,
            cwd,
            printer: self.printer.clone(),
            dirs: self.dirs.clone(),
        }
    }

    /// The same world as it is now, with its data going nowhere: for a process that serves many calls.
    pub(crate) fn at_present(&self) -> Self {
        let mut later = self.without_output();
        later.now = self.current_time();
        later
    }

    /// The world as somebody else sees it, with its data going nowhere.
    pub(crate) fn as_seen_by(&self, env: Environment, now: Now, cwd: PathBuf) -> Self {
        Self {
            env,
            now,
            cwd,
            ..self.without_output()
        }
    }

    /// One line of data: [`Printer::line`].
    pub(crate) fn line(&self, text: impl Display) -> Result<(), OutputError> {
        self.printer.line(text)
    }

    /// A remark: [`Printer::say`].
    pub(crate) fn say(&self, text: impl Display) {
        self.printer.say(text);
    }

    /// Something that went another way than the caller may think: [`Printer::print_warning`].
    pub(crate) fn print_warning(&self, text: impl Display) {
        self.printer.print_warning(text);
    }

    /// A value for programs: [`Printer::print_json`].
    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<(), OutputError> {
        self.printer.print_json(value)
    }

    /// What came of a command: [`Printer::print_answer`].
    pub(crate) fn print_answer(
        &self,
        value: &impl Serialize,
        line: impl Display,
    ) -> anyhow::Result<Exit> {
        Ok(self.printer.print_answer(value, line)?)
    }

    /// The same of a list: [`Printer::print_list`].
    pub(crate) fn print_list(
        &self,
        value: &impl Serialize,
        lines: impl ExactSizeIterator<Item = String>,
        none: &str,
    ) -> anyhow::Result<Exit> {
        Ok(self.printer.print_list(value, lines, none)?)
    }

    /// Tells what a write had to say.
    pub(crate) fn warn_all(&self, warnings: &[String]) {
        for warning in warnings {
            self.printer.print_warning(warning);
        }
    }

    /// The user's directories.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn dirs(&self) -> Result<&Dirs, ContextError> {
        self.dirs
            .as_ref()
            .ok_or_else(|| match self.env.get("HOME") {
                Some(home) if cfg!(unix) => ContextError::RelativeHome(home.to_owned()),
                _ => ContextError::NoHome,
            })
    }

    /// A path as a shell takes it that was started here: `~/x`, `$HOME/x`, and others from the current directory on.
    pub(crate) fn typed_path(&self, path: &Path) -> PathBuf {
        let below = ["~", "$HOME", "${HOME}"]
            .iter()
            .find_map(|home| path.strip_prefix(home).ok());
        let home = self.dirs.as_ref().and_then(|dirs| dirs.home.as_ref());
        match (below, home) {
            (Some(below), Some(home)) => home.join(below),
            _ => self.cwd.join(path),
        }
    }
}

/// Follows each `-C` in turn, as git does; an empty one changes nothing.
///
/// A current directory that was deleted goes by its name: commands that need none still work, and
/// the others say that it is gone.
fn enter_directories(directories: &[OsString], env: &Environment) -> Result<PathBuf, ContextError> {
    for directory in directories.iter().filter(|name| !name.is_empty()) {
        std::env::set_current_dir(directory)
            .map_err(|cause| ContextError::Directory(directory.into(), cause))?;
    }
    std::env::current_dir().or_else(|cause| {
        let name = env.get("PWD").map(PathBuf::from);
        name.filter(|path| path.is_absolute() && directories.is_empty())
            .ok_or(ContextError::Current(cause))
    })
}

/// The present, or what a test says it is.
fn read_clock(env: &Environment) -> Result<Now, ContextError> {
    match env.get("MEM_NOW") {
        Some(text) => text
            .parse()
            .map(Now)
            .map_err(|_| ContextError::BadNow(text.to_owned())),
        None => Ok(Now(present_time())),
    }
}

/// The clock.
#[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
fn present_time() -> Timestamp {
    Timestamp::now()
}
