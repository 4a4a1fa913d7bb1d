//! Stores that are attached where a run stands: the run as what surrounds the offline copies of
//! [`mem_stores::attached`], and what agents read of the stores (`agent_text`).

pub(crate) mod agent_text;

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_find::chosen::RecallAnswer;
use mem_find::request::RecallRequest;
use mem_stores::attached::{AttachmentFile, CopyEnvironment, CopyError, EnvironmentError};
use mem_stores::client::{Blocking, Patience};
use mem_tools::{CallError, ErrorText, ToolEnvironment};

use crate::context::Context;
use crate::error::{call_error_text, diagnosed_error, shown_message};
use crate::question::answer_silently;
use crate::{detached, index_refresh};
use mem_team::stores_server::{StoresServer, StoresServerError};

/// The arguments of a sync with all servers that nobody waits for.
pub(crate) const BACKGROUND_SYNC: [&str; 4] = ["attachments", "--sync", "--quiet", "--background"];

impl Context {
    /// What is attached in a place.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn attachment_file(
        &self,
        place: &ProjectContext,
    ) -> Result<AttachmentFile, HomeError> {
        Ok(AttachmentFile::for_store(&self.tier_store(place, false)?))
    }
}

impl CopyEnvironment for Context {
    fn run(&self) -> &RunContext {
        self
    }

    fn open_client(
        &self,
        base_url: &str,
        place: &ProjectContext,
        patience: Patience,
    ) -> Result<Blocking, CopyError> {
        let server = StoresServer::from_stored(base_url);
        let client = server.and_then(|server| server.open_client(place, self, patience));
        client.map_err(|error| match error {
            StoresServerError::Client(error) => error.into(),
            error => diagnosed_error(error.into()).into(),
        })
    }

    fn error_text(&self, error: &CopyError) -> String {
        shown_message(error)
    }

    fn warn_once(&self, text: &str) {
        self.printer.warn_once(text);
    }

    fn sync_in_background(&self) {
        // Whatever keeps it from starting only costs time later.
        let _ = detached::send_detached(BACKGROUND_SYNC, &self.cwd);
    }
}

impl ToolEnvironment for Context {
    fn at_present(&self) -> Box<dyn ToolEnvironment> {
        Box::new(self.at_present())
    }

    fn describe_error(&self, error: &CallError) -> ErrorText {
        call_error_text(error)
    }

    fn answer_recall(
        &self,
        request: &RecallRequest,
        place: &ProjectContext,
    ) -> Result<RecallAnswer, EnvironmentError> {
        answer_silently(request, place, self).map_err(diagnosed_error)
    }

    fn refresh_index(&self) {
        if let Ok(dirs) = self.dirs() {
            index_refresh::send_refresh(dirs, &self.cwd);
        }
    }
}
