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
    #[diagnose(Invalid, hint = "docs/server.md lists the sections and their keys")]
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
        Self::parse(&text).map_err(|error| SettingsError::Invalid {
            path: path.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
    }

    fn parse(text: &str) -> Result<Self, toml_edit::de::Error> {
        toml_edit::de::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_section_is_an_error_that_names_its_line() {
        assert!(ServerSettings::parse("# nothing\n").is_ok());
        let error = ServerSettings::parse("\n[quotas]\nbytes = 1\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(error.to_string().contains("quotas"), "{error}");
    }
}
