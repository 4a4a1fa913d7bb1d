//! The flags by which a session is named.

use std::path::PathBuf;

use mem_agent::session::selection::{ChosenSession, SessionError, SessionQuery};

use crate::context::Context;

/// The flags by which a session is named.
#[derive(clap::Args, Debug)]
pub(crate) struct SessionArgs {
    /// The session's id; default: the newest session of this repository
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The session's transcript; default: found by the id
    #[arg(long, value_name = "FILE")]
    pub transcript: Option<PathBuf>,
}

impl SessionArgs {
    /// Finds the session: by its transcript, by its id, else the newest one.
    ///
    /// # Errors
    /// There is none, or what was named cannot be one.
    pub(crate) fn choose_session(&self, context: &Context) -> Result<ChosenSession, SessionError> {
        self.query().choose_session(context)
    }

    /// What the flags say.
    pub(crate) fn query(&self) -> SessionQuery {
        SessionQuery {
            session: self.session.clone(),
            transcript: self.transcript.clone(),
        }
    }
}
