//! What a sync needs of the program around it: its run, and a client with the key for a
//! server. Errors are shown and warnings printed there.

use std::error::Error;
use std::fmt;

use mem_core::location::ProjectContext;
use mem_core::{Diagnose, ErrorKind, RunContext};

use super::error::CopyError;
use crate::client::{Blocking, Patience};

/// The program around the offline copies.
pub trait CopyEnvironment: Sync {
    /// The present and the person's directories: their rules say what may leave.
    fn run(&self) -> &RunContext;

    /// A client for the server at an address that was stored, with the key that goes there. Nothing is sent yet.
    ///
    /// # Errors
    /// The address cannot be understood, or the key cannot be used.
    fn open_client(
        &self,
        base_url: &str,
        place: &ProjectContext,
        patience: Patience,
    ) -> Result<Blocking, CopyError>;

    /// An error as it is shown, and as the state of a copy has it.
    fn error_text(&self, error: &CopyError) -> String;

    /// Warns, once for each text.
    fn warn_once(&self, text: &str);

    /// Starts a process that nobody waits for, which syncs all copies.
    fn sync_in_background(&self);
}

/// An error of the program around, with what it says about itself.
#[derive(Debug)]
pub struct EnvironmentError {
    /// Its consequence.
    pub kind: ErrorKind,
    /// What to do about it.
    pub hint: Option<String>,
    /// The error.
    pub error: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for EnvironmentError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

impl Diagnose for EnvironmentError {
    fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}
