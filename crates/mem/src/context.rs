//! What every command is given: the only place that reads the environment, the clock and HOME.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use mem_agent::session::source::writing_author;
use mem_core::store::ChangeMetadata;
use mem_core::{Diagnose, Dirs, Environment, Now, RunContext};
use mem_tools::ToolEnvironment;
use serde::Serialize;

use crate::exit::Exit;
use crate::globals::Globals;
use crate::printer::{OutputError, Printer};
use crate::untrusted_variables;

/// What a run is given, and how it prints.
#[derive(Debug)]
pub(crate) struct Context {
    /// The run, as what surrounds tools and attached stores.
    pub tools: ToolEnvironment,
    /// Where data and talk go.
    pub printer: Arc<Printer>,
}

impl Deref for Context {
    type Target = RunContext;

    fn deref(&self) -> &RunContext {
        self.tools.run()
    }
}

/// The world is not fit for a run.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum ContextError {
    /// `MEM_NOW` cannot be read.
    #[error("`MEM_NOW` is not a time: `{0}`")]
    #[diagnose(
        Invalid,
        hint = "unset it, or give a time such as 2026-01-31T12:00:00Z"
    )]
    BadNow(String),
    /// A `-C` that cannot be followed.
    #[error("cannot change to `{}`", .0.display())]
    #[diagnose(kind = _1.into(), hint = "name a directory that exists and may be entered")]
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
    #[diagnose(kind = _0.into(), hint = "change to a directory that exists")]
    Current(#[source] io::Error),
}

impl Context {
    /// An order of whoever runs this, at the present.
    pub(crate) fn change_metadata(&self, verb: &'static str) -> ChangeMetadata {
        ChangeMetadata::new(verb, writing_author(self), self.now)
    }

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
        let untrusted = untrusted_variables::untrusted_variables(&env, &globals.directory);
        if untrusted.names().next().is_some() {
            for (name, file) in &untrusted.set {
                printer.print_warning(format_args!(
                    "{name} counts as unset: the repository's `{}` names it",
                    file.display()
                ));
            }
            if let Some(file) = &untrusted.own_settings {
                printer.print_warning(format_args!(
                    "XDG_CONFIG_HOME counts as unset: an agent runs this, and `{}` has the settings",
                    file.display()
                ));
            }
            return Err(ContextError::Again(untrusted_variables::begin_again(
                &untrusted,
            )));
        }
        let dirs = crate::dirs::find_dirs(&env, untrusted.is_home).map(|dirs| Dirs {
            seals: mem_vault::master_key::state_keys(&dirs, &env),
            ..dirs
        });
        let now = read_clock(&env)?;
        let cwd = enter_directories(&globals.directory, &env)?;
        let printer = Arc::new(printer);
        let run = RunContext::new(env, now, cwd, dirs, printer.clone(), current_time);
        Ok(Self {
            tools: ToolEnvironment::new(run),
            printer,
        })
    }

    /// The same run, with its data going nowhere.
    pub(crate) fn without_output(&self) -> Self {
        let printer = Arc::new(self.printer.muted());
        Self {
            tools: ToolEnvironment::new(self.with_notices(printer.clone())),
            printer,
        }
    }

    /// One line of data: [`Printer::line`].
    pub(crate) fn line(&self, text: impl Display) -> Result<(), OutputError> {
        self.printer.line(text)
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

/// The same for a run that goes on: what it cannot read, it could not begin with either.
fn current_time(env: &Environment) -> Option<Now> {
    read_clock(env).ok()
}

/// The clock.
#[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
fn present_time() -> Timestamp {
    Timestamp::now()
}
