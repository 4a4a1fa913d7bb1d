//! Opens the records of a project, or of one user of a host.

use anyhow::Result;
use mem_core::history::{Actor, Author};
use mem_core::inbox::Consent;
use mem_core::location::Place;
use mem_core::memory::Memory;
use mem_core::{Config, Scope};
use mem_records::effective::HALF_LIFE_DAYS;
use mem_records::files::Files;

use super::host::Binary;
use super::namespace::User;
use crate::context::Context;
use crate::gate::Gate;
use crate::opened::require_enabled;
use crate::person::ForAPerson;

/// What records are read from and written to.
pub(crate) struct Opened<'c> {
    pub(crate) context: &'c Context,
    pub(crate) place: Place,
    pub(crate) memory: Memory,
    pub(crate) gate: Gate,
    pub(crate) author: Author,
    /// What may be seen.
    scopes: Vec<Scope>,
    pub(super) is_namespace: bool,
}

impl<'c> Opened<'c> {
    /// The records of the project that the run stands in, or of a user.
    ///
    /// # Errors
    /// Memory is off here, or cannot be located.
    pub(crate) fn of(user: Option<&User>, context: &'c Context) -> Result<Self> {
        let place = context.place()?;
        require_enabled(&place)?;
        let dirs = context.dirs()?;
        let memory = match user {
            Some(user) => user.memory(dirs),
            None => Memory::new(&place.location, dirs),
        };
        let scopes = match user {
            Some(_) => vec![Scope::Private],
            None => Scope::ALL.to_vec(),
        };
        Ok(Self {
            gate: context.gate(&place),
            author: context.author(),
            is_namespace: user.is_some(),
            context,
            place,
            memory,
            scopes,
        })
    }

    /// The same for another author, who sees only some tiers.
    #[must_use]
    pub(crate) fn seen_by(self, author: Author, scopes: &[Scope]) -> Self {
        let mut kept = self.scopes;
        kept.retain(|scope| scopes.contains(scope));
        Self {
            author,
            scopes: kept,
            ..self
        }
    }

    /// The records; new ones go to `scope`, or to the first tier that may be seen.
    pub(crate) fn records(&self, scope: Option<Scope>) -> Files<'_, Binary<'_>> {
        let first = self.scopes.first().copied().unwrap_or(Scope::Private);
        // A namespace has one tier.
        let scope = scope.filter(|_| !self.is_namespace).unwrap_or(first);
        Files::new(&self.memory, scope, &self.scopes, Binary(self))
    }

    /// Refuses agents that do not write by themselves to write to a namespace: nobody looks after what
    /// would wait in its inbox.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub(crate) fn require_writable(&self) -> Result<(), ForAPerson> {
        let is_held =
            self.author.actor == Actor::Agent && Consent::of(&self.place.config) != Consent::Auto;
        match self.is_namespace && is_held {
            true => Err(ForAPerson::Namespaces),
            false => Ok(()),
        }
    }

    /// What follows every write to a tier.
    pub(crate) fn settle(&self, scope: Scope) {
        if !self.is_namespace {
            self.context.remember(&self.place);
        }
        crate::retention::pack_when_due(&self.place, self.memory.store(scope), self.context);
    }

    /// Days after which an unused record counts half.
    pub(crate) fn half_life_days(&self) -> f64 {
        half_life_days(&self.place.config)
    }
}

/// `records.half_life_days`; 0: nothing fades.
pub(crate) fn half_life_days(config: &Config) -> f64 {
    let set = config.number("records.half_life_days");
    set.filter(|days| *days >= 0.0).unwrap_or(HALF_LIFE_DAYS)
}
