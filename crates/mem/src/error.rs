//! From any error to what a caller sees of it: a kind word, a message, a hint, an exit code.

use std::error::Error;
use std::io;

use mem_core::Diagnose;
use mem_team::masking;
use mem_tools::error_text::shown_message;
use serde_json::json;

use crate::context::ContextError;
use crate::exit::Exit;
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
    crate::body::NotText,
    crate::commands::config::SecretSetting,
    crate::commands::erase::local::SharedErasure,
    crate::commands::scan::MissingPath,
    crate::editor::EditorError,
    crate::person::PersonOnlyError,
    crate::printer::OutputError,
    mem_admin::encryption::LocalEncryptionError,
    mem_admin::redaction::RedactError,
    mem_admin::status::StatusError,
    mem_agent::distillation::DistillationError,
    mem_agent::dream::DreamError,
    mem_agent::extraction::ExtractionError,
    mem_agent::model::ModelError,
    mem_agent::model::ModelSettingError,
    mem_agent::session::selection::SessionError,
    mem_agent::session::place::InvalidId,
    mem_agent::session::update::NotesUpdateError,
    mem_agent::transcript::TranscriptError,
    mem_agent::use_figures::MeasureError,
    mem_core::adopt::AdoptError,
    mem_core::erasure::ErasureError,
    mem_core::atomic::ReplaceError,
    mem_core::config::ConfigError,
    mem_core::export::ExportError,
    mem_core::history::HistoryError,
    mem_core::import::ImportError,
    mem_core::inbox::InboxError,
    mem_core::location::LocationError,
    mem_core::memory::MemoryError,
    mem_core::memory::RoutingError,
    mem_core::memory::ShareError,
    mem_core::memory_path::InvalidPath,
    mem_core::name_resolution::NameError,
    mem_core::host_user::UserRecordsError,
    mem_core::plain::PlainError,
    mem_core::project::ProjectError,
    mem_core::run::Disabled,
    mem_core::run::HomeError,
    mem_core::run::ProjectPlaceError,
    mem_core::sealing::SealError,
    mem_core::state_file::StateError,
    mem_core::store::RestoreError,
    mem_core::store::RevisionError,
    mem_core::store::StoreError,
    mem_core::store::UndoError,
    mem_daemon::error::DaemonError,
    mem_daemon::place::PlaceError,
    mem_daemon::event_loop::RunError,
    mem_drift::DriftError,
    mem_find::by_file::OutsideCheckout,
    mem_find::encoder::ModelFault,
    mem_find::near_duplicates::DuplicateRefused,
    mem_find::recall::RecallError,
    mem_find::request::PromptTooLarge,
    mem_hosts::HostFault,
    mem_hosts::git_hooks::HookError,
    mem_records::InvalidRecord,
    mem_records::RecordError,
    mem_scan::git::GitObjectError,
    mem_scan::git::HookScanError,
    mem_scan::memory::MemoryScanError,
    mem_scan::outbound::OutboundSecret,
    mem_scan::rules::RulesError,
    mem_scan::validity::ValidityError,
    mem_stores::Invalid,
    mem_stores::attached::AttachError,
    mem_stores::client::edits::StoreEditError,
    mem_stores::client::name_lookup::NamedError,
    mem_stores::folder::FolderError,
    mem_stores::attached::CopyError,
    mem_stores::client::ClientError,
    mem_stores::tools::ToolError,
    mem_stores::dialect::BothDialects,
    mem_stores::path::InvalidStorePath,
    mem_sync::remote::git::GitRemoteError,
    mem_sync::remote::http::HttpError,
    mem_sync::client::StopReason,
    mem_sync::key::InvalidKey,
    mem_sync::remote::RemoteError,
    mem_sync::repository::InvalidRepository,
    mem_team::address::InvalidAddress,
    mem_team::deletion::DeletionFailure,
    mem_team::erase::ForgetError,
    mem_team::error::TeamError,
    mem_team::identity::LoginError,
    mem_team::stores_server::StoresServerError,
    mem_team::tokens::TokenError,
    mem_tools::CallError,
    mem_tools::mcp::McpServeError,
    mem_tools::records::RecordAccessError,
    mem_tools::records::RecordSettingError,
    crate::commands::encrypt::rotate::NotEncrypted,
    #[cfg(feature = "server")]
    mem_server::known_databases::UnlistedDatabase,
    #[cfg(feature = "server")]
    crate::commands::server::restore::RestoreRefused,
    #[cfg(feature = "server")]
    crate::commands::server::token::NoToken,
    #[cfg(feature = "server")]
    mem_server::storage::WorkspaceError,
    #[cfg(feature = "server")]
    mem_server::access::grant::InvalidGrant,
    #[cfg(feature = "server")]
    mem_server::erasure::SubjectError,
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
    mem_vault::master_key::KeySourceError,
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
                hint: Some(masking::masked_quote(&usage.hint)),
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
            hint: hint.map(|hint| masking::masked_quote(&hint)),
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
