//! What an administrator writes for a server: one TOML file, read once at its start.
//!
//! Each section belongs to the module that does what it says; an unknown section or key is an error, because a
//! misspelled limit would be none.

use std::io;
use std::path::{Path, PathBuf};

use mem_core::{Diagnose, regular_file};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::audit::AuditSettings;
use crate::events::EventSettings;
use crate::identity::settings::{AccessSettings, ForgeSettings, IdentitySettings, ScimSettings};
use crate::quota::QuotaSettings;
use crate::telemetry::TelemetrySettings;

/// Of a file of settings.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

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
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    #[diagnose(Io)]
    File(PathBuf, #[source] io::Error),
    /// The file says what no setting is: what is wrong with it, with its line.
    #[error("`{}` holds no settings of a server: {}", .0.display(), .1)]
    #[diagnose(
        Invalid,
        hint = "docs/server.md, docs/identity.md and docs/events.md list the sections and their keys"
    )]
    Invalid(PathBuf, String),
}

impl ServerSettings {
    /// Reads a file of settings.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let file = |source| SettingsError::File(path.to_owned(), source);
        let text = regular_file::read(path, FILE_BYTES_MAX).map_err(file)?;
        let no_text = |error| file(io::Error::new(io::ErrorKind::InvalidData, error));
        let text = String::from_utf8(text).map_err(no_text)?;
        Self::parse(&text).map_err(|message| SettingsError::Invalid(path.to_owned(), message))
    }

    /// The error has the line's number and not the line: it may hold a secret.
    fn parse(text: &str) -> Result<Self, String> {
        toml_edit::de::from_str(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or_default();
            let message = without_value(message);
            let before = error.span().and_then(|span| text.get(..span.start));
            match before {
                Some(before) => {
                    let (line, key) = (before.split('\n').count(), key_before(before));
                    format!("line {line}{key}: {message}")
                }
                None => message,
            }
        })
    }
}

/// The key whose value comes behind a text, as an error names it; nothing where no key stands there.
fn key_before(text: &str) -> String {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let key = line.trim().strip_suffix('=').unwrap_or_default().trim();
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    match !key.is_empty() && key.chars().all(is_key) {
        true => format!(", `{key}`"),
        false => String::new(),
    }
}

/// A number from 1 to `MAX`.
pub(crate) fn number_up_to<'de, D: Deserializer<'de>, const MAX: u32>(
    from: D,
) -> Result<u32, D::Error> {
    let number = u32::deserialize(from)?;
    match (1..=MAX).contains(&number) {
        true => Ok(number),
        false => Err(D::Error::custom(format!(
            "it is {number}, expected 1 to {MAX}"
        ))),
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
    fn an_error_about_a_value_names_its_key() {
        let error = ServerSettings::parse("[events]\ntimeout_seconds = 21\n").unwrap_err();
        assert_eq!(
            error,
            "line 2, `timeout_seconds`: it is 21, expected 1 to 20"
        );
    }

    #[test]
    fn a_file_of_more_than_a_mebibyte_is_an_error() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("server.toml");
        let write = |length: usize| {
            let text = format!("# {}\n", "x".repeat(length - 3));
            mem_core::atomic::replace_file(&path, text.as_bytes()).unwrap();
            ServerSettings::read(&path)
        };
        assert!(write(1024 * 1024).is_ok());
        let error = write(1024 * 1024 + 1).unwrap_err();
        assert!(matches!(error, SettingsError::File(..)), "{error}");
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
