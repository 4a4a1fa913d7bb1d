//! Opens the records of a project, or of one user of a host.

use crate::CallError;
use mem_core::config::WriteMode;
use mem_core::history::{Author, AuthorKind};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::{Config, Diagnose, Dirs, RunContext, Scope};
use mem_records::files::FileRecords;
use mem_records::importance_decay::HALF_LIFE_DAYS;
use mem_records::qdrant::{Qdrant, QdrantOptions};
use mem_records::{Category, NewRecord, Records};
use mem_team::write_gates::ProjectGate;

use super::host::RecordsHost;
use super::qdrant;
use crate::ToolEnvironment;
use mem_core::host_user::HostUser;
use mem_core::plural::format_count;

/// So many odd files are told of one by one.
const ODDITIES_MAX: usize = 8;

/// An agent would write records where nobody looks after what waits.
#[derive(Clone, Copy, Debug, thiserror::Error, Diagnose)]
#[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
pub enum RecordAccessError {
    /// The records of a user of a host.
    #[error("agents do not write to memory by themselves here, and not for a user either")]
    OfUser,
    /// Records that are in no files.
    #[error("agents do not write to memory by themselves here, and not to stores either")]
    Elsewhere,
}

/// What records are read from and written to.
pub struct OpenRecords<'c> {
    /// The program around.
    pub(super) environment: &'c ToolEnvironment,
    pub(super) dirs: &'c Dirs,
    /// The project of the run's working directory.
    pub place: ProjectContext,
    /// The memory that has them.
    pub memory: ProjectMemory,
    /// What every write passes.
    pub gate: ProjectGate,
    pub(super) author: Author,
    /// What may be seen.
    scopes: Vec<Scope>,
    pub(super) is_namespace: bool,
    /// Where they are if not in files.
    elsewhere: Option<QdrantOptions>,
}

impl<'c> OpenRecords<'c> {
    /// The records of the project that the run stands in, or of a user.
    ///
    /// # Errors
    /// Memory is off here, or cannot be located.
    pub fn open_for(
        user: Option<&HostUser>,
        environment: &'c ToolEnvironment,
    ) -> Result<Self, CallError> {
        let context = environment.run();
        let place = context.enabled_place()?;
        let dirs = context.dirs()?;
        let memory = match user {
            Some(user) => user.user_memory(dirs),
            None => ProjectMemory::new(&place.location, dirs),
        };
        let scopes = match user {
            Some(_) => vec![Scope::Private],
            None => Scope::ALL.to_vec(),
        };
        let elsewhere = qdrant::qdrant_options(user, &memory, &place, context)?;
        Ok(Self {
            elsewhere,
            dirs,
            gate: ProjectGate::for_place(&place, context).of_user(user),
            author: mem_agent::session::source::writing_author(context),
            is_namespace: user.is_some(),
            environment,
            place,
            memory,
            scopes,
        })
    }

    /// The same for another author, who sees only some tiers.
    #[must_use]
    pub fn seen_by(self, author: Author, scopes: &[Scope]) -> Self {
        let mut kept = self.scopes;
        kept.retain(|scope| scopes.contains(scope));
        Self {
            author,
            scopes: kept,
            ..self
        }
    }

    pub(super) fn run(&self) -> &RunContext {
        self.environment.run()
    }

    /// Whether they are kept in files.
    pub fn is_in_files(&self) -> bool {
        self.elsewhere.is_none()
    }

    /// The records; in files new ones go to `scope`, or to the first tier that may be seen.
    ///
    /// # Errors
    /// They are elsewhere, by an address that is none.
    pub fn records_for(&self, scope: Option<Scope>) -> Result<Box<dyn Records + '_>, CallError> {
        if let Some(options) = &self.elsewhere {
            return Ok(Box::new(Qdrant::open(options)?));
        }
        let first = self.scopes.first().copied().unwrap_or(Scope::Private);
        // A namespace has one tier.
        let scope = scope.filter(|_| !self.is_namespace).unwrap_or(first);
        let files = FileRecords::new(&self.memory, scope, &self.scopes, RecordsHost(self));
        Ok(Box::new(files))
    }

    /// What is odd about the files that are records, or are none although they stand among them.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    pub fn oddities(&self) -> Result<Vec<String>, CallError> {
        if !self.is_in_files() {
            return Ok(Vec::new());
        }
        let notes = self.memory.list(&self.scopes)?.notes;
        let odd = notes.iter().filter_map(|note| {
            let told = match note.is_plain_text() {
                true => Category::unknown_category_notice(&note.topic)?,
                false => "no text, and so no record".to_owned(),
            };
            Some(format!("{}: {told}", note.label()))
        });
        let mut told: Vec<String> = odd.collect();
        let more = told.len().saturating_sub(ODDITIES_MAX);
        told.truncate(ODDITIES_MAX);
        if more > 0 {
            told.push(format!(
                "and {}",
                format_count(more, "more file", "more files")
            ));
        }
        Ok(told)
    }

    /// Refuses agents that do not write by themselves to write to a namespace, or elsewhere: nobody looks
    /// after what would wait in an inbox there.
    ///
    /// # Errors
    /// An agent runs this where `memory.write` is not `auto`.
    pub fn require_writable(&self) -> Result<(), RecordAccessError> {
        let is_held = self.author.actor == AuthorKind::Agent
            && self.place.config.values.memory.write != WriteMode::Auto;
        match (is_held, self.is_namespace, self.is_in_files()) {
            (true, true, _) => Err(RecordAccessError::OfUser),
            (true, false, false) => Err(RecordAccessError::Elsewhere),
            _ => Ok(()),
        }
    }

    /// The same for a record that is to be kept: elsewhere, without secrets.
    ///
    /// # Errors
    /// As [`OpenRecords::require_writable`]; it may not leave.
    pub fn require_storable(&self, new: &NewRecord) -> Result<(), CallError> {
        self.require_writable()?;
        match self.is_in_files() {
            true => Ok(()),
            false => qdrant::require_clean(new, &self.place, self.run()),
        }
    }

    /// What follows every write to a tier.
    pub fn finish_write(&self, scope: Scope) {
        if !self.is_in_files() {
            return;
        }
        if !self.is_namespace {
            self.run().remember_project(&self.place);
        }
        self.run()
            .clean_up_when_due(&self.place, self.memory.store(scope));
    }

    /// Days after which an unused record counts half.
    pub fn half_life_days(&self) -> f64 {
        half_life_days(&self.place.config)
    }
}

/// `records.half_life_days`; 0: nothing fades.
pub fn half_life_days(config: &Config) -> f64 {
    let days = config.values.records.half_life_days;
    if days >= 0.0 { days } else { HALF_LIFE_DAYS }
}
