//! What is for a person to do, and not for an agent.

use mem_core::history::Actor;
use mem_core::inbox::Consent;
use mem_core::location::Place;
use mem_core::{Diagnose, ErrorKind};

use crate::context::Context;

/// An agent runs what is for a person.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ForAPerson {
    /// It would set its own limits.
    #[error(
        "`{SETTING}` says what agents may do: it is for a person to set, and an agent runs this"
    )]
    Setting,
    /// It would erase what it may not even change by itself.
    #[error("agents do not write to memory by themselves here, and do not erase it either")]
    Erasing,
}

/// The setting that holds agents back.
const SETTING: &str = "memory.write";

impl Diagnose for ForAPerson {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }

    fn hint(&self) -> Option<String> {
        Some("ask the person to run it in a terminal of their own".to_owned())
    }
}

impl Context {
    /// Refuses agents that would change what they may do.
    ///
    /// # Errors
    /// An agent runs this, and the key is that of the setting.
    pub(crate) fn require_person_to_set(&self, key: &str) -> Result<(), ForAPerson> {
        match key == SETTING && self.author().actor == Actor::Agent {
            true => Err(ForAPerson::Setting),
            false => Ok(()),
        }
    }

    /// Refuses agents that would erase, where they do not write by themselves.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub(crate) fn require_person_to_erase(&self, place: &Place) -> Result<(), ForAPerson> {
        let is_held = Consent::of(&place.config) != Consent::Auto;
        match is_held && self.author().actor == Actor::Agent {
            true => Err(ForAPerson::Erasing),
            false => Ok(()),
        }
    }
}
