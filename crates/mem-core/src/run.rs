//! What one run of a program is given: its variables, its time, where it stands, and whom it tells of warnings.
//!
//! A feature takes a [`RunContext`] and opens with it what it works on. It prints nothing: what went another way than
//! the caller may think goes to [`Notices`], which the program prints as it sees fit.

use std::fmt::{self, Debug, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::HistoryRetention;
use crate::history::{Author, AuthorKind, History};
use crate::host_user::HostUser;
use crate::location::{self, ProjectContext};
use crate::store::{LocalStore, LockedStore, StoreError, Tiers};
use crate::{Diagnose, Dirs, Environment, ErrorKind, Now, hosts};

/// What a run has to say beside its result.
pub trait Notices: Debug + Send + Sync {
    /// Something that went another way than the caller may think.
    fn warn(&self, text: &str);

    /// What is odd about the place of a memory; a program that opens it for every request says it once, and one whose
    /// output is JSON has it there.
    fn warn_of_place(&self, text: &str);

    /// A warning that a process which opens a memory for every request has to say only once.
    fn warn_once(&self, text: &str);

    /// A remark.
    fn say(&self, text: &str);

    /// A remark that only a person who looks for a fault wants; it is not worded for others.
    fn detail(&self, text: fmt::Arguments<'_>);
}

/// The environment, the time and the directories of a run.
#[derive(Clone, Debug)]
pub struct RunContext {
    /// Every environment variable whose value is Unicode.
    pub env: Environment,
    /// The start of the run.
    pub now: Now,
    /// The current directory; relative paths of a person start here.
    pub cwd: PathBuf,
    dirs: Option<Dirs>,
    notices: Arc<dyn Notices>,
    clock: Clock,
}

/// Tells the present by the variables of a run, which may say it for a test; `None` where nobody can.
pub type Clock = fn(&Environment) -> Option<Now>;

/// There is no home directory to find anything in.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum HomeError {
    /// It is not set.
    #[error("there is no home directory")]
    #[diagnose(Invalid, hint = "set HOME to the directory that holds `.claude`")]
    Missing,
    /// It is no absolute path.
    #[error("HOME is `{0}`, which is not an absolute path")]
    #[diagnose(Invalid, hint = "set HOME to the directory that holds `.claude`")]
    Relative(String),
}

/// Memory is switched off, and the command would write.
#[derive(Debug, thiserror::Error)]
#[error("memory is off here: {by}")]
pub struct Disabled {
    /// A variable's name, or a key and its file.
    by: String,
}

impl Diagnose for Disabled {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Disabled
    }

    fn hint(&self) -> Option<String> {
        Some(remedy_text(&self.by))
    }
}

/// The project of the current directory cannot be opened.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ProjectPlaceError {
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The directory is gone, or the settings are broken.
    #[error(transparent)]
    Location(#[from] location::LocationError),
    /// Memory is off, and the command would write.
    #[error(transparent)]
    Disabled(#[from] Disabled),
}

impl ProjectPlaceError {
    /// Whether the settings cannot be read: nobody knows what they allow.
    pub fn is_of_settings(&self) -> bool {
        matches!(self, Self::Location(location::LocationError::Config(_)))
    }
}

/// How memory is switched on again, by what switched it off.
pub fn remedy_text(by: &str) -> String {
    if by.starts_with("autoMemoryEnabled") {
        "`mem config set memory.enabled true` switches it on for mem alone".to_owned()
    } else if by.contains("MEM_MEMORY_ENABLED") {
        "unset MEM_MEMORY_ENABLED to switch it on".to_owned()
    } else if by.starts_with("memory.enabled") {
        // This repository's table goes before the rest of the file.
        "`mem config set --repository memory.enabled true` switches it on here".to_owned()
    } else {
        format!("unset {by} to switch it on")
    }
}

/// Refuses where memory is switched off: for commands that write.
///
/// # Errors
/// It is off; the error says by what.
pub fn require_enabled(place: &ProjectContext) -> Result<(), Disabled> {
    match &place.location.disabled_by {
        Some(by) => Err(Disabled { by: by.clone() }),
        None => Ok(()),
    }
}

impl RunContext {
    /// A run of which all is known; `dirs` are `None` without a home directory.
    pub fn new(
        env: Environment,
        now: Now,
        cwd: PathBuf,
        dirs: Option<Dirs>,
        notices: Arc<dyn Notices>,
        clock: Clock,
    ) -> Self {
        Self {
            env,
            now,
            cwd,
            dirs,
            notices,
            clock,
        }
    }

    /// The present, for what runs long: [`RunContext::now`] is when the run began.
    pub fn current_time(&self) -> Now {
        (self.clock)(&self.env).unwrap_or(self.now)
    }

    /// The same run with other notices.
    #[must_use]
    pub fn with_notices(&self, notices: Arc<dyn Notices>) -> Self {
        Self {
            notices,
            ..self.clone()
        }
    }

    /// The same run, seen from another folder.
    #[must_use]
    pub fn standing_in(&self, cwd: PathBuf) -> Self {
        Self {
            cwd,
            ..self.clone()
        }
    }

    /// The same run as it is now: for a process that serves many calls.
    #[must_use]
    pub fn at_present(&self) -> Self {
        Self {
            now: self.current_time(),
            ..self.clone()
        }
    }

    /// The user's directories.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn dirs(&self) -> Result<&Dirs, HomeError> {
        self.dirs
            .as_ref()
            .ok_or_else(|| match self.env.get("HOME") {
                Some(home) if cfg!(unix) => HomeError::Relative(home.to_owned()),
                _ => HomeError::Missing,
            })
    }

    /// A path as a shell takes it that was started here: `~/x`, `$HOME/x`, and others from the current directory on.
    pub fn typed_path(&self, path: &Path) -> PathBuf {
        let below = ["~", "$HOME", "${HOME}"]
            .iter()
            .find_map(|home| path.strip_prefix(home).ok());
        let home = self.dirs.as_ref().and_then(|dirs| dirs.home.as_ref());
        match (below, home) {
            (Some(below), Some(home)) => home.join(below),
            _ => self.cwd.join(path),
        }
    }

    /// Tells what went another way than the caller may think: [`Notices::warn`].
    pub fn print_warning(&self, text: impl Display) {
        self.notices.warn(&text.to_string());
    }

    /// Tells each warning of a list.
    pub fn warn_all(&self, warnings: &[String]) {
        for warning in warnings {
            self.notices.warn(warning);
        }
    }

    /// Tells a warning the first time that it comes up: [`Notices::warn_once`].
    pub fn warn_once(&self, text: &str) {
        self.notices.warn_once(text);
    }

    /// Makes a remark: [`Notices::say`].
    pub fn say(&self, text: impl Display) {
        self.notices.say(&text.to_string());
    }

    /// Makes a remark that helps to find a fault: [`Notices::detail`].
    pub fn detail(&self, text: impl Display) {
        self.notices.detail(format_args!("{text}"));
    }

    /// The project of the current directory; what is odd about it goes to [`Notices::warn_of_place`].
    ///
    /// # Errors
    /// There is no home directory, the directory is gone, the settings are broken.
    pub fn place(&self) -> Result<ProjectContext, ProjectPlaceError> {
        let place = location::open(&self.cwd, self.dirs()?, &self.env, &[])?;
        let location = &place.location;
        for warning in &location.warnings {
            self.notices.warn_of_place(warning);
        }
        self.detail(format_args!(
            "memory of `{}` is in `{}` ({})",
            location.project_root.display(),
            location.memory_dir.display(),
            location.source.as_str()
        ));
        Ok(place)
    }

    /// The same for a command that writes.
    ///
    /// # Errors
    /// As [`RunContext::place`]; memory is off, and the error says by what.
    pub fn enabled_place(&self) -> Result<ProjectContext, ProjectPlaceError> {
        let place = self.place()?;
        require_enabled(&place)?;
        Ok(place)
    }

    /// The store of the project's own tiers, or of the global one.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn tier_store(
        &self,
        place: &ProjectContext,
        global: bool,
    ) -> Result<LocalStore, HomeError> {
        let dirs = self.dirs()?;
        Ok(if global {
            LocalStore::new(&place.location.global_dir, Tiers::Global, dirs)
        } else {
            LocalStore::new(&place.location.memory_dir, Tiers::Project, dirs)
        })
    }

    /// The store of a user's records, or else as [`RunContext::tier_store`].
    ///
    /// # Errors
    /// There is no home directory.
    pub fn store_of(
        &self,
        user: Option<&HostUser>,
        place: &ProjectContext,
        global: bool,
    ) -> Result<LocalStore, HomeError> {
        match user {
            Some(user) => Ok(user.user_store(self.dirs()?)),
            None => self.tier_store(place, global),
        }
    }

    /// Takes the lock, finishes what a crash interrupted and records what others changed; says
    /// what happened to a damaged history.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub fn record_external<'s>(
        &self,
        store: &'s LocalStore,
    ) -> Result<Option<LockedStore<'s>>, StoreError> {
        let locked = store.observe(self.now)?;
        if let Some(mended) = locked.as_ref().and_then(LockedStore::mended) {
            self.print_warning(mended);
        }
        Ok(locked)
    }

    /// Records what others changed and opens the history; `None` where nothing was ever written.
    ///
    /// The lock is free again when this returns. Where memory is off, or its state cannot be
    /// written, the history is shown as it is.
    ///
    /// # Errors
    /// The history is damaged or unreadable.
    pub fn open_history(
        &self,
        place: &ProjectContext,
        store: &LocalStore,
    ) -> Result<Option<History>, StoreError> {
        if place.location.enabled {
            match self.record_external(store) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Io => {
                    self.print_warning(format_args!("foreign edits are not recorded: {error}"));
                }
                Err(error) => return Err(error),
            }
        }
        store.open_history()
    }

    /// After a write: drops what the history is not to keep, when it has grown. The write has happened; what goes wrong
    /// here is a warning.
    pub fn clean_up_when_due(&self, place: &ProjectContext, store: &LocalStore) {
        if let Err(error) = self.try_clean_up(place, store) {
            self.print_warning(format_args!(
                "the history was not cut to `history.keep`: {error}"
            ));
        }
    }

    fn try_clean_up(&self, place: &ProjectContext, store: &LocalStore) -> Result<(), StoreError> {
        let retention = place.config.values.history.keep;
        let is_all_kept = matches!(retention, HistoryRetention::Everything);
        if is_all_kept || !History::is_due_for_cleanup(&store.places().history()) {
            return Ok(());
        }
        let cleanup = store.collect_garbage(retention, self.now)?;
        if let Some(repair) = &cleanup.repair {
            self.print_warning(repair);
        }
        Ok(())
    }

    /// Who runs this: an agent where a host of agents says so, else a person.
    pub fn author(&self) -> Author {
        // A repository can set variables of a host's sessions: none of them makes a person of an agent.
        let host = hosts::of_agent(&self.env);
        let actor = match (host, self.env.get("MEM_ACTOR")) {
            (Some(_), _) | (None, Some("agent")) => AuthorKind::Agent,
            (None, _) => AuthorKind::Person,
        };
        let first = |names: [&str; 2]| {
            let found = names.into_iter().find_map(|name| self.env.get(name));
            found.map(str::to_owned)
        };
        Author {
            actor,
            name: first(["USER", "LOGNAME"]),
            session: first(["MEM_SESSION", "CLAUDE_CODE_SESSION_ID"]),
            host: match self.env.get("MEM_HOST") {
                Some(host) => Some(host.to_owned()),
                None => host.map(|host| host.name.to_owned()),
            },
            source: None,
        }
    }
}
