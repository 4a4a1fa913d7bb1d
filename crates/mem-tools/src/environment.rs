//! What tools need of the program that serves them.

use mem_core::location::ProjectContext;
use mem_find::chosen::RecallAnswer;
use mem_find::request::RecallRequest;
use mem_stores::attached::{CopyEnvironment, EnvironmentError};

use crate::CallError;

/// The program around the tools: its run, its servers of stores, its daemon and its background processes.
pub trait ToolEnvironment: CopyEnvironment + Send {
    /// The same at the present, for one call of a process that serves many.
    fn at_present(&self) -> Box<dyn ToolEnvironment>;

    /// An error as a model or a client reads it.
    fn describe_error(&self, error: &CallError) -> ErrorText;

    /// Answers a question from the memory of a project, through a daemon where one runs.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    fn answer_recall(
        &self,
        request: &RecallRequest,
        place: &ProjectContext,
    ) -> Result<RecallAnswer, EnvironmentError>;

    /// Starts a process that nobody waits for, which refreshes the recall index.
    fn refresh_index(&self);
}

/// An error in words, without secrets.
#[derive(Clone, Debug)]
pub struct ErrorText {
    /// What went wrong, causes included.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}
