//! The memory as one call finds it.

use crate::{CallError, ToolEnvironment};
use mem_core::config::MemoryMode;
use mem_core::history::{Author, AuthorKind};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;
use mem_core::{RunContext, Scope};

use super::ClientPermissions;

/// A name of a client that is longer is cut.
const CLIENT_CHARS_MAX: usize = 64;

/// What a call works on.
pub(super) struct McpCall {
    /// The world at the time of the call.
    pub environment: ToolEnvironment,
    /// The project.
    pub place: ProjectContext,
    /// Its memory.
    pub memory: ProjectMemory,
    /// What the client may do and see.
    pub terms: ClientPermissions,
    /// Who asks.
    client: Option<String>,
}

impl McpCall {
    /// The run, as of this call.
    pub(super) fn run(&self) -> &RunContext {
        self.environment.run()
    }

    /// Opens the memory of the directory that the server stands in.
    ///
    /// # Errors
    /// Memory is off or cannot be located.
    pub(super) fn open_memory(
        environment: &ToolEnvironment,
        terms: &ClientPermissions,
        client: Option<&str>,
    ) -> Result<Self, CallError> {
        let environment = environment.at_present();
        let run = environment.run();
        let place = run.enabled_place()?;
        let memory = ProjectMemory::new(&place.location, run.dirs()?);
        Ok(Self {
            environment,
            place,
            memory,
            terms: terms.clone(),
            client: client.map(|name| name.chars().take(CLIENT_CHARS_MAX).collect()),
        })
    }

    /// An order of the client: whoever it is, it is no person.
    pub(super) fn change_metadata(
        &self,
        verb: &'static str,
        reason: Option<String>,
    ) -> ChangeMetadata {
        let author = self.run().author();
        let host = match &self.client {
            Some(client) => format!("mcp:{client}"),
            None => "mcp".to_owned(),
        };
        let author = Author {
            actor: AuthorKind::Agent,
            host: Some(host),
            source: mem_agent::session::source::session_source(self.run()),
            ..author
        };
        let reason = reason.map(|reason| mem_secrets::redacted(&reason));
        ChangeMetadata::new(verb, author, self.run().now).because(reason)
    }

    /// Whether the index is kept.
    pub(super) fn keeps_index(&self) -> bool {
        self.place.config.values.memory.mode != MemoryMode::Log
    }

    /// What follows every write.
    pub(super) fn finish_write(&self, scope: Scope) {
        self.run().remember_project(&self.place);
        self.run()
            .clean_up_when_due(&self.place, self.memory.store(scope));
    }
}
