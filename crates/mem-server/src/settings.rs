//! What an administrator writes for a server: one TOML file, read once at its start.
//!
//! Each section belongs to the module that does what it says; an unknown section or key is an error, because a
//! misspelled limit would be none.

use std::io;
use std::path::{Path, PathBuf};

use mem_core::{Diagnose, regular_file};
use serde::Deserialize;

use crate::audit::AuditSettings;
use crate::events::EventSettings;
use crate::identity::settings::{AccessSettings, ForgeSettings, IdentitySettings, ScimSettings};
use crate::quota::QuotaSettings;
use crate::telemetry::TelemetrySettings;

/// The settings of a server. Every section may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The provider that people sign in with.
    pub identity: Option<IdentitySettings>,
    /// What they may do.
    #[serde(default)]
    pub access: Vec<AccessSettings>,
    /// Who may tell of users.
    pub scim: Option<ScimSettings>,
    /// The judge of who may read a repository.
    pub forge: Option<ForgeSettings>,
    /// How much a workspace and a user may have and ask for.
    #[serde(default)]
    pub quota: QuotaSettings,
    /// Where events may be delivered.
    #[serde(default)]
    pub events: EventSettings,
    /// Where the audit log is written.
    pub audit: Option<AuditSettings>,
    /// Where traces and figures are sent.
    pub telemetry: Option<TelemetrySettings>,
}

/// The settings cannot be used.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    #[diagnose(Io)]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file says what no setting is.
    #[error("`{}` holds no settings of a server: {message}", path.display())]
    #[diagnose(
        Invalid,
        hint = "docs/server.md, docs/identity.md and docs/events.md list the sections and their keys"
    )]
    Invalid {
        /// Which.
        path: PathBuf,
        /// What is wrong with it, with its line.
        message: String,
    },
}

impl ServerSettings {
    /// Reads a file of settings.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = regular_file::read_text(path).map_err(|source| SettingsError::File {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text).map_err(|message| SettingsError::Invalid {
            path: path.to_owned(),
            message,
        })
    }

    /// The error has the line's number and not the line: it may hold a secret.
    fn parse(text: &str) -> Result<Self, String> {
        toml_edit::de::from_str(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or_default();
            let message = without_value(message);
            let before = error.span().and_then(|span| text.get(..span.start));
            match before {
                Some(before) => format!("line {}: {message}", before.split('\n').count()),
                None => message,
            }
        })
    }
}

/// What serde says of a text that is of another type, without the text: it may be a key in the wrong place.
fn without_value(message: &str) -> String {
    let quoted = message.split_once("string \"");
    let quoted =
        quoted.and_then(|(start, rest)| Some((start, rest.rsplit_once("\", expected ")?.1)));
    match quoted {
        Some((start, expected)) => format!("{start}a text, expected {expected}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_section_is_an_error_that_names_its_line() {
        assert!(ServerSettings::parse("# nothing\n").is_ok());
        let error = ServerSettings::parse("\n[quotas]\nbytes = 1\n").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
        assert!(error.contains("quotas"), "{error}");
    }

    #[test]
    fn an_error_quotes_no_line() {
        let value = ["hunter", "2"].concat();
        for text in [
            format!("[telemetry]\nendpoint = \"http://a\"\nheaders = \"{value}\"\n"),
            format!(
                "[telemetry]\nendpoint = \"http://a\"\nheaders = {{ x = \"{value}\", y = 5 }}\n"
            ),
            format!("[quota.user]\nbytes = {value}\n"),
        ] {
            let error = ServerSettings::parse(&text).unwrap_err();
            assert!(error.starts_with("line "), "{error}");
            assert!(!error.contains(&value), "{error}");
        }
    }
}
