//! What commands open: the place they stand in, its stores, and who is asking.

use mem_core::history::{Author, AuthorKind, History};
use mem_core::hosts;
use mem_core::location::{self, ProjectContext};
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::{ChangeMetadata, LocalStore, LockedStore, StoreError, Tiers};
use mem_core::{Diagnose, ErrorKind};

use crate::context::{Context, ContextError};
use crate::recall::session;

/// Memory is switched off, and the command would write.
#[derive(Debug, thiserror::Error)]
#[error("memory is off here: {by}")]
pub(crate) struct Disabled {
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

/// How memory is switched on again, by what switched it off.
pub(crate) fn remedy_text(by: &str) -> String {
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
pub(crate) fn require_enabled(place: &ProjectContext) -> Result<(), Disabled> {
    match &place.location.disabled_by {
        Some(by) => Err(Disabled { by: by.clone() }),
        None => Ok(()),
    }
}

impl Context {
    /// The project that the run stands in. Its warnings go to stderr, unless data and errors are
    /// JSON: then they are part of what `path` and `status` print.
    ///
    /// # Errors
    /// There is no home directory, the directory is gone, the settings are broken.
    pub(crate) fn place(&self) -> anyhow::Result<ProjectContext> {
        let place = location::open(&self.cwd, self.dirs()?, &self.env, &[])?;
        if !self.printer.json {
            for warning in &place.location.warnings {
                self.printer.warn_once(warning);
            }
        }
        let location = &place.location;
        self.printer.detail(format_args!(
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
    /// As [`Context::place`]; memory is off, and the error says by what.
    pub(crate) fn enabled_place(&self) -> anyhow::Result<ProjectContext> {
        let place = self.place()?;
        require_enabled(&place)?;
        Ok(place)
    }

    /// The store of the project's own tiers, or of the global one.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn tier_store(
        &self,
        place: &ProjectContext,
        global: bool,
    ) -> Result<LocalStore, ContextError> {
        let dirs = self.dirs()?;
        Ok(if global {
            LocalStore::new(&place.location.global_dir, Tiers::Global, dirs)
        } else {
            LocalStore::new(&place.location.memory_dir, Tiers::Project, dirs)
        })
    }

    /// Takes the lock, finishes what a crash interrupted and records what others changed; says
    /// what happened to a damaged history.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub(crate) fn record_external<'s>(
        &self,
        store: &'s LocalStore,
    ) -> Result<Option<LockedStore<'s>>, StoreError> {
        let locked = store.observe(self.now)?;
        if let Some(mended) = locked.as_ref().and_then(LockedStore::mended) {
            self.printer.print_warning(mended);
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
    pub(crate) fn open_history(
        &self,
        place: &ProjectContext,
        store: &LocalStore,
    ) -> anyhow::Result<Option<History>> {
        if place.location.enabled {
            match self.record_external(store) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Io => {
                    self.printer
                        .print_warning(format_args!("foreign edits are not recorded: {error}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(store.open_history()?)
    }

    /// Remembers that a memory was read in a host's session: it need not be recalled there again, and
    /// where it was recalled before, that counts for it. Outside of sessions nothing is written.
    pub(crate) fn note_read(&self, memory: &ProjectMemory, note: &Note) {
        if let Some(session) = self.author().session
            && let Err(error) = session::read(memory, &session, note, self.now)
        {
            let text = format_args!("that this session read it is not remembered: {error}");
            self.printer.detail(text);
        }
    }

    /// An order of whoever runs this, at the present.
    pub(crate) fn change_metadata(&self, verb: &'static str) -> ChangeMetadata {
        ChangeMetadata::new(verb, self.writing_author(), self.now)
    }

    /// Who writes, with the least trusted source of the turn in which an agent does.
    pub(crate) fn writing_author(&self) -> Author {
        Author {
            source: self.turn_source(),
            ..self.author()
        }
    }

    /// Who runs this: an agent where a host of agents says so, else a person.
    pub(crate) fn author(&self) -> Author {
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
