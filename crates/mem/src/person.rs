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
    /// It would agree with itself.
    #[error("the inbox is for a person to decide on, and an agent runs this")]
    Inbox,
    /// It would decide where a team's memory goes, or who sees one's own.
    #[error("what is shared, and with whom, is for a person to decide, and an agent runs this")]
    Sharing,
    /// It would decide who reads what is kept.
    #[error("encryption and its keys are for a person to decide on, and an agent runs this")]
    Encryption,
    /// It would decide who reads what is said.
    #[error(
        "which model is asked, and with which key, is for a person to decide, and an agent runs this"
    )]
    Model,
    /// It would decide what is kept of sessions.
    #[error("what is kept of sessions is for a person to decide, and an agent runs this")]
    Extracting,
    /// It would let a repository move the memory.
    #[error("trust is for a person to give, and an agent runs this")]
    Trust,
    /// It would write to a store where it may not even write to memory.
    #[error("agents do not write to memory by themselves here, and not to stores either")]
    Stores,
    /// It would write for a user where it may not even write to memory.
    #[error("agents do not write to memory by themselves here, and not for a user either")]
    Namespaces,
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
        let hint = match self {
            Self::Inbox => "run `mem inbox` in a terminal of your own",
            Self::Trust => "run `mem trust` in a terminal of your own",
            Self::Setting
            | Self::Erasing
            | Self::Sharing
            | Self::Stores
            | Self::Model
            | Self::Extracting
            | Self::Namespaces
            | Self::Encryption => "ask the person to run it in a terminal of their own",
        };
        Some(hint.to_owned())
    }
}

impl Context {
    /// Refuses agents.
    ///
    /// # Errors
    /// An agent runs this.
    pub(crate) fn require_person(&self, what: ForAPerson) -> Result<(), ForAPerson> {
        match self.author().actor {
            Actor::Agent => Err(what),
            _ => Ok(()),
        }
    }

    /// Refuses agents that would change what they may do.
    ///
    /// # Errors
    /// An agent runs this, and the key is that of the setting.
    pub(crate) fn require_person_to_set(&self, key: &str) -> Result<(), ForAPerson> {
        match key {
            SETTING => self.require_person(ForAPerson::Setting),
            "model.command" | "model.api" | "model.name" | "model.key_file" => {
                self.require_person(ForAPerson::Model)
            }
            key if key.starts_with("extract.") => self.require_person(ForAPerson::Extracting),
            "records.backend" | "records.qdrant_url" => self.require_person(ForAPerson::Sharing),
            key if key.starts_with("encryption.") => self.require_person(ForAPerson::Encryption),
            key if ["team.", "sync.", "stores."]
                .iter()
                .any(|table| key.starts_with(table)) =>
            {
                self.require_person(ForAPerson::Sharing)
            }
            _ => Ok(()),
        }
    }

    /// Refuses agents that would write to a store, where they do not write by themselves: nothing there can
    /// wait in the inbox.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub(crate) fn require_person_to_store(&self, place: &Place) -> Result<(), ForAPerson> {
        match Consent::of(&place.config) {
            Consent::Auto => Ok(()),
            Consent::Confirm | Consent::ReadOnly => self.require_person(ForAPerson::Stores),
        }
    }

    /// Refuses agents that would erase, where they do not write by themselves.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub(crate) fn require_person_to_erase(&self, place: &Place) -> Result<(), ForAPerson> {
        match Consent::of(&place.config) {
            Consent::Auto => Ok(()),
            Consent::Confirm | Consent::ReadOnly => self.require_person(ForAPerson::Erasing),
        }
    }
}
