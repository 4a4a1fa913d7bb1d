//! Errors in words: causes included, no secret. What writes one to a log, a model or a terminal takes its text here.

use std::error::Error;
use std::iter;

use mem_agent::extraction::ExtractionError;
use mem_agent::session::selection::SessionError;
use mem_core::Diagnose as _;
use mem_core::config::ConfigError;
use mem_core::location::LocationError;
use mem_core::run::ProjectPlaceError;
use mem_team::error::TeamError;
use mem_team::masking;

use crate::CallError;

/// An error in words, without secrets.
#[derive(Clone, Debug)]
pub struct ErrorText {
    /// What went wrong, causes included.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ErrorText {
    /// An error as a model or a client reads it.
    pub fn from_call(error: &CallError) -> Self {
        Self {
            message: shown_message(error),
            hint: error.hint().map(|hint| masking::masked_quote(&hint)),
        }
    }
}

/// What is said of an error: causes included, no secret.
pub fn shown_message(error: &(dyn Error + 'static)) -> String {
    let mut message = error_message(error);
    let is_of_settings = |one: &(dyn Error + 'static)| {
        let place = one.downcast_ref::<ProjectPlaceError>();
        let location = one.downcast_ref::<LocationError>();
        let team = one.downcast_ref::<TeamError>();
        let extraction = one.downcast_ref::<ExtractionError>();
        let session = one.downcast_ref::<SessionError>();
        let call = one.downcast_ref::<CallError>();
        one.is::<ConfigError>()
            || team.is_some_and(TeamError::is_of_settings)
            || extraction.is_some_and(ExtractionError::is_of_settings)
            || session.is_some_and(SessionError::is_of_settings)
            || call.is_some_and(CallError::is_of_settings)
            || place.is_some_and(ProjectPlaceError::is_of_settings)
            || matches!(location, Some(LocationError::Config(_)))
    };
    if error_layers(error).any(is_of_settings) {
        // It quotes what somebody wrote into the settings.
        message = masking::masked_message(&message);
    }
    // It quotes what was asked for.
    masking::masked_quote(&message)
}

fn error_layers<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| error.source())
}

/// The layers of an error, outermost first; one that an outer layer quotes is not said twice.
fn error_message(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    for cause in error_layers(error).skip(1) {
        let cause = cause.to_string();
        let words = cause.split(" (os error").next().unwrap_or(&cause);
        if !message.to_lowercase().contains(&words.to_lowercase()) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_find::remote_recall::RemoteRecallError;

    #[test]
    fn an_error_of_settings_is_masked_in_whatever_it_is_wrapped() {
        // No rule knows it: only what is said about settings is searched for words that look like keys.
        let key = "5a".repeat(32);
        let settings = || {
            LocationError::from(ConfigError::Syntax {
                path: "/home/ann/config.toml".into(),
                line: 3,
                message: format!("unexpected `{key}`"),
            })
        };
        let wrapped = RemoteRecallError::from(settings());
        for error in [&settings() as &(dyn Error + 'static), &wrapped] {
            let shown = shown_message(error);
            assert!(shown.contains("line 3") && !shown.contains(&key), "{shown}");
        }
    }
}
