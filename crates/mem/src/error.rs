//! From any error to what a caller sees of it: a kind word, a message, a hint, an exit code.

use std::error::Error;
use std::{io, iter};

use mem_agent::extraction::ExtractionError;
use mem_agent::session::choice::SessionError;
use mem_core::config::ConfigError;
use mem_core::location::LocationError;
use mem_core::run::ProjectPlaceError;
use mem_core::{Diagnose, ErrorKind};
use mem_stores::attached::{CopyError, EnvironmentError};
use mem_stores::client::ClientError;
use mem_team::error::TeamError;
use mem_tools::{CallError, ErrorText};
use serde_json::json;

use crate::context::ContextError;
use crate::exit::Exit;
use crate::masked;
use crate::printer::Printer;
use crate::sanitize::escape_json;
use crate::usage::UsageError;

/// What is told about an error. With `--json`: `{"error":{"kind","message","hint"}}` on stderr.
#[derive(Debug)]
pub(crate) struct ErrorShape {
    /// A stable word.
    pub kind: &'static str,
    /// What went wrong, causes included.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// How the process ends.
    pub exit: Exit,
}

/// The error types that can say what they mean. A library's new one takes one line here.
macro_rules! known_errors {
    ($($(#[$attribute:meta])* $error:ty,)+) => {
        /// Finds what an error says about itself.
        fn find_diagnosis<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a dyn Diagnose> {
            $($(#[$attribute])*
            if let Some(error) = error.downcast_ref::<$error>() {
                return Some(error);
            })+
            None
        }
    };
}

known_errors! {
    ContextError,
    crate::commands::adopt::NoChoice,
    crate::body::NotText,
    crate::commands::config::SecretSetting,
    crate::commands::erase::local::SharedErasure,
    crate::commands::inbox::NotFound,
    crate::editor::EditorError,
    crate::person::PersonOnlyError,
    crate::of_user::OfUser,
    crate::stores::error::StoreCommandError,
    mem_agent::distillation::DistillationError,
    mem_agent::dream::DreamError,
    ExtractionError,
    mem_agent::model::ModelError,
    mem_agent::model::ModelSettingError,
    SessionError,
    mem_agent::session::place::InvalidId,
    mem_agent::session::update::NotesUpdateError,
    mem_agent::transcript::TranscriptError,
    mem_agent::use_figures::MeasureError,
    mem_core::adopt::AdoptError,
    mem_core::erasure::ErasureError,
    mem_core::atomic::ReplaceError,
    ConfigError,
    mem_core::export::ExportError,
    mem_core::history::HistoryError,
    mem_core::import::ImportError,
    mem_core::inbox::InboxError,
    LocationError,
    mem_core::memory::MemoryError,
    mem_core::memory::RoutingError,
    mem_core::memory::ShareError,
    mem_core::memory_path::InvalidPath,
    mem_core::plain::PlainError,
    mem_core::project::ProjectError,
    mem_core::run::Disabled,
    mem_core::run::HomeError,
    ProjectPlaceError,
    mem_core::sealing::SealError,
    mem_core::state_file::StateError,
    mem_core::store::RestoreError,
    mem_core::store::RevisionError,
    mem_core::store::StoreError,
    mem_core::store::UndoError,
    mem_daemon::error::DaemonError,
    mem_daemon::place::PlaceError,
    mem_daemon::shell::RunError,
    mem_drift::DriftError,
    mem_find::by_file::OutsideCheckout,
    mem_find::encoder::ModelFault,
    mem_find::near_duplicates::DuplicateRefused,
    crate::named::Ambiguous,
    mem_find::request::PromptTooLarge,
    mem_hosts::HostFault,
    mem_hosts::git_hooks::HookError,
    mem_records::InvalidRecord,
    mem_records::RecordError,
    mem_scan::git::GitObjectError,
    mem_scan::outbound::OutboundSecret,
    mem_scan::rules::RulesError,
    mem_scan::validity::ValidityError,
    mem_stores::Invalid,
    mem_stores::attached::AttachError,
    mem_stores::client::named::NamedError,
    mem_stores::folder::FolderError,
    CopyError,
    ClientError,
    mem_stores::tools::ToolError,
    mem_stores::dialect::BothDialects,
    mem_stores::path::InvalidStorePath,
    mem_sync::remote::git::GitRemoteError,
    mem_sync::remote::http::HttpError,
    mem_sync::client::Trouble,
    mem_sync::key::InvalidKey,
    mem_sync::remote::RemoteError,
    mem_sync::repository::InvalidRepository,
    mem_team::address::InvalidAddress,
    mem_team::deleting::DeletionFailure,
    mem_team::erase::ForgetError,
    TeamError,
    mem_team::identity::LoginError,
    mem_team::stores_server::StoresServerError,
    mem_team::tokens::TokenError,
    CallError,
    mem_tools::mcp::McpServeError,
    mem_tools::records::RecordAccessError,
    mem_tools::records::RecordSettingError,
    crate::commands::encrypt::rotate::NotEncrypted,
    #[cfg(feature = "server")]
    crate::commands::encrypt::databases::UnlistedDatabase,
    #[cfg(feature = "server")]
    crate::commands::server::restore::RestoreRefused,
    #[cfg(feature = "server")]
    crate::commands::server::token::NoToken,
    #[cfg(feature = "server")]
    crate::commands::server::workspace::WorkspaceError,
    #[cfg(feature = "server")]
    mem_server::access::grant::InvalidGrant,
    #[cfg(feature = "server")]
    mem_server::ServeError,
    #[cfg(feature = "server")]
    mem_server::settings::SettingsError,
    #[cfg(feature = "server")]
    mem_server::storage::StorageError,
    #[cfg(feature = "server")]
    mem_server::storage::WebhookError,
    #[cfg(feature = "server")]
    mem_server::events::address::WebhookUrlError,
    mem_vault::VaultError,
}

impl ErrorShape {
    /// Reads an error, its outermost layer that can say what it means first.
    pub(crate) fn from_error(error: &anyhow::Error) -> Self {
        if let Some(error) = error.downcast_ref::<clap::Error>() {
            return crate::usage::usage_shape(error);
        }
        let message = shown_message(error.as_ref());
        if let Some(usage) = error.downcast_ref::<UsageError>() {
            return Self {
                kind: "usage",
                message,
                hint: Some(masked::masked_quote(&usage.hint)),
                exit: Exit::Usage,
            };
        }
        let (kind, hint, exit) = match error.chain().find_map(find_diagnosis) {
            Some(known) => {
                let kind = known.kind();
                (kind.as_str(), known.hint(), Exit::from(kind))
            }
            None if error.chain().any(<dyn Error>::is::<io::Error>) => ("io", None, Exit::Failure),
            None => ("failed", None, Exit::Failure),
        };
        Self {
            kind,
            message,
            hint: hint.map(|hint| masked::masked_quote(&hint)),
            exit,
        }
    }

    /// Tells it on stderr.
    pub(crate) fn print_error(&self, printer: &Printer) {
        if printer.json {
            let error = json!({
                "kind": self.kind,
                "message": self.message,
                "hint": self.hint,
            });
            let told = json!({ "error": error }).to_string();
            printer.write_stderr(&escape_json(told));
        } else {
            printer.print_error(&self.message, self.hint.as_deref());
        }
    }
}

/// An error of this program, for a library that asked it.
pub(crate) fn diagnosed_error(error: anyhow::Error) -> EnvironmentError {
    let known = error.chain().find_map(find_diagnosis);
    EnvironmentError {
        kind: known.map_or(ErrorKind::Io, Diagnose::kind),
        hint: known.and_then(Diagnose::hint),
        error: error.into(),
    }
}

/// What a tool says of an error: the message and the hint.
pub(crate) fn call_error_text(error: &CallError) -> ErrorText {
    ErrorText {
        message: shown_message(error),
        hint: error.hint().map(|hint| masked::masked_quote(&hint)),
    }
}

/// What is said of an error: causes included, no secret.
pub(crate) fn shown_message(error: &(dyn Error + 'static)) -> String {
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
        message = masked::masked_message(&message);
    }
    // It quotes what was asked for.
    masked::masked_quote(&message)
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
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_known_error_is_found_under_its_context() {
        let path = mem_core::MemoryPath::parse("../x");
        let error = path.context("cannot save").unwrap_err();
        let diagnosis = ErrorShape::from_error(&error);
        assert_eq!((diagnosis.kind, diagnosis.exit), ("invalid", Exit::Failure));
        assert!(diagnosis.message.starts_with("cannot save: `../x`"));
        assert!(diagnosis.hint.is_some());
    }

    #[test]
    fn unknown_errors_are_told_apart_by_cause() {
        let io = anyhow::Error::new(io::Error::other("full")).context("cannot write");
        assert_eq!(ErrorShape::from_error(&io).kind, "io");
        assert_eq!(ErrorShape::from_error(&io).message, "cannot write: full");
        let layers = anyhow::anyhow!("Full (os error 28)").context("cannot write `x`: full");
        assert_eq!(
            ErrorShape::from_error(&layers).message,
            "cannot write `x`: full"
        );
        assert_eq!(
            ErrorShape::from_error(&anyhow::anyhow!("odd")).kind,
            "failed"
        );
        let usage = anyhow::Error::new(UsageError::new("no body", "give --body"));
        assert_eq!(ErrorShape::from_error(&usage).exit, Exit::Usage);
    }
}
