//! What is for a person to do, and not for an agent.

use mem_core::Diagnose;
use mem_core::config::WriteMode;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;

use crate::context::Context;

/// An agent runs what is for a person.
#[derive(Clone, Copy, Debug, thiserror::Error, Diagnose)]
pub(crate) enum PersonOnlyError {
    /// It would change settings, its own limits and the programs that a person starts among them.
    #[error("settings are for a person to change, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Settings,
    /// It would give access to a server, or take data of it away.
    #[error(
        "access to a server, and its data, are for a person to decide on, and an agent runs this"
    )]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Serving,
    /// It would take out what checks and records its own work.
    #[error("what mem installed is for a person to take out, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Guards,
    /// It would erase what nothing brings back, or what was never a memory.
    #[error("files and their history are erased by a person alone, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Purging,
    /// It would press the keys that a person decides with.
    #[cfg(feature = "browse")]
    #[error("`mem browse` is for a person, and an agent runs this")]
    #[diagnose(
        Refused,
        hint = "`mem list`, `mem show` and `mem search` are for agents too"
    )]
    Browsing,
    /// It would agree with itself.
    #[error("the inbox is for a person to decide on, and an agent runs this")]
    #[diagnose(Refused, hint = "run `mem inbox` in a terminal of your own")]
    Inbox,
    /// It would decide where a team's memory goes, or who sees one's own.
    #[error("what is shared, and with whom, is for a person to decide, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Sharing,
    /// It would decide who reads what is kept.
    #[error("encryption and its keys are for a person to decide on, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Encryption,
    /// It would show what it found to a server.
    #[error("found tokens are sent to their providers for a person alone, and an agent runs this")]
    #[diagnose(
        Refused,
        hint = "scan without `--validate`, or ask the person to run it in a terminal of their own"
    )]
    Validating,
    /// It would decide in a person's place.
    #[error("the console is for a person, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Console,
    /// It would let a repository move the memory.
    #[error("trust is for a person to give, and an agent runs this")]
    #[diagnose(Refused, hint = "run `mem trust` in a terminal of your own")]
    Trust,
    /// It would write to a store where it may not even write to memory.
    #[error("agents do not write to memory by themselves here, and not to stores either")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    Stores,
}

impl Context {
    /// Refuses agents.
    ///
    /// # Errors
    /// An agent runs this.
    pub(crate) fn require_person(&self, what: PersonOnlyError) -> Result<(), PersonOnlyError> {
        match self.author().actor {
            AuthorKind::Agent => Err(what),
            _ => Ok(()),
        }
    }

    /// Refuses agents that would write to a store, where they do not write by themselves: nothing there can
    /// wait in the inbox.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub(crate) fn require_person_to_store(
        &self,
        place: &ProjectContext,
    ) -> Result<(), PersonOnlyError> {
        match place.config.values.memory.write {
            WriteMode::Auto => Ok(()),
            WriteMode::Confirm | WriteMode::ReadOnly => {
                self.require_person(PersonOnlyError::Stores)
            }
        }
    }
}
