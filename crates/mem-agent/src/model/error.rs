//! What can go wrong with a model.

use std::io;
use std::process::ExitStatus;

use mem_core::Diagnose;

use super::{ANSWER_BYTES_MAX, ApiError};

const COMMAND_HINT: &str =
    "`mem config get model.command` shows it; it reads the prompt from stdin";

/// Why there is no answer.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ModelError {
    /// The shell cannot be started.
    #[error("cannot start the model's command")]
    #[diagnose(Io, hint = COMMAND_HINT)]
    Start(#[source] io::Error),
    /// It ended with a failure.
    #[error(
        "the model's command ended with {status}{}",
        quote_complaint(complaint)
    )]
    #[diagnose(Io, hint = COMMAND_HINT)]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The end of its standard error.
        complaint: String,
    },
    /// It was stopped.
    #[error("the model's command took more than {seconds} s")]
    #[diagnose(Io, hint = "`mem config set model.timeout SECONDS` gives it longer")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// It was stopped.
    #[error("the model's command answered with more than {ANSWER_BYTES_MAX} bytes")]
    #[diagnose(Invalid, hint = COMMAND_HINT)]
    TooLong,
    /// It said nothing.
    #[error("the model's command answered with nothing")]
    #[diagnose(Invalid, hint = COMMAND_HINT)]
    Empty,
    /// It said something else than text.
    #[error("the model's command did not answer in UTF-8")]
    #[diagnose(Invalid, hint = COMMAND_HINT)]
    NotText,
    /// The system said no while it ran.
    #[error("cannot talk to the model's command")]
    #[diagnose(Io, hint = COMMAND_HINT)]
    Io(#[source] io::Error),
    /// It is one behind the API.
    #[error(transparent)]
    Api(#[from] ApiError),
}

/// A complaint as the tail of a message.
fn quote_complaint(complaint: &str) -> String {
    match complaint.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => {
            let line: String = line.chars().filter(|c| !c.is_control()).collect();
            format!(": {}", line.trim())
        }
        None => String::new(),
    }
}
