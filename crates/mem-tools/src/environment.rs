//! What tools need of the program that serves them.

use mem_core::location::ProjectContext;
use mem_core::{Diagnose as _, RunContext};
use mem_daemon::background;
use mem_stores::attached::{CopyEnvironment, CopyError, EnvironmentError};
use mem_stores::client::{Blocking, Patience};
use mem_team::stores_server::{StoresServer, StoresServerError};

use crate::error_text::shown_message;

/// The arguments of a process of this program that syncs all copies of attached stores, and that nobody waits for.
pub const BACKGROUND_SYNC: [&str; 4] = ["attachments", "--sync", "--quiet", "--background"];

/// A run as what surrounds tools and offline copies: its servers of stores and its background processes.
#[derive(Clone, Debug)]
pub struct ToolEnvironment(RunContext);

impl ToolEnvironment {
    /// The surroundings of a run.
    pub fn new(run: RunContext) -> Self {
        Self(run)
    }

    /// Its run.
    pub fn run(&self) -> &RunContext {
        &self.0
    }

    /// The same at the present, for one call of a process that serves many.
    #[must_use]
    pub fn at_present(&self) -> Self {
        Self(self.0.at_present())
    }
}

impl CopyEnvironment for ToolEnvironment {
    fn run(&self) -> &RunContext {
        &self.0
    }

    fn open_client(
        &self,
        base_url: &str,
        place: &ProjectContext,
        patience: Patience,
    ) -> Result<Blocking, CopyError> {
        let server = StoresServer::from_stored(base_url);
        let client = server.and_then(|server| server.open_client(place, &self.0, patience));
        client.map_err(|error| match error {
            StoresServerError::Client(error) => error.into(),
            error => EnvironmentError {
                kind: error.kind(),
                hint: error.hint(),
                error: error.into(),
            }
            .into(),
        })
    }

    fn error_text(&self, error: &CopyError) -> String {
        shown_message(error)
    }

    fn warn_once(&self, text: &str) {
        self.0.warn_once(text);
    }

    fn sync_in_background(&self) {
        // Whatever keeps it from starting only costs time later.
        let _ = background::send_detached(BACKGROUND_SYNC, &self.0.cwd);
    }
}
