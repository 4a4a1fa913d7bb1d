//! One settings file: JSON, of which a few keys matter here.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::SettingsLevel;
use crate::limits::SETTINGS_BYTES_MAX;
use crate::regular_file;

/// What one file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSettingsFile {
    /// Whose it is.
    pub tier: SettingsLevel,
    /// Where it stands.
    pub path: PathBuf,
    /// `autoMemoryEnabled`.
    pub auto_memory_enabled: Option<bool>,
    /// `autoCompactEnabled`.
    pub auto_compact_enabled: Option<bool>,
    /// `autoDreamEnabled`.
    pub auto_dream_enabled: Option<bool>,
    /// `autoMemoryDirectory`, as written.
    pub auto_memory_directory: Option<String>,
    /// The names in `env`: variables that the host gives to all that it runs.
    pub variables: BTreeSet<String>,
}

/// Reads a file; `None` when there is none.
///
/// # Errors
/// A warning to show: what is wrong, with the file's name.
pub(super) fn read(tier: SettingsLevel, path: &Path) -> Result<Option<HostSettingsFile>, String> {
    let fault = |why: &dyn std::fmt::Display| format!("`{}` is not used: {why}", path.display());
    let bytes = match regular_file::read(path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(fault(&error)),
    };
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    let settings: Map<String, Value> =
        serde_json::from_slice(text).map_err(|error| fault(&error))?;
    let typed = |key: &str, fits: fn(&Value) -> bool| match settings.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) if fits(value) => Ok(Some(value)),
        Some(_) => Err(fault(&format!("`{key}` is of the wrong type"))),
    };
    Ok(Some(HostSettingsFile {
        tier,
        path: path.to_owned(),
        auto_memory_enabled: typed("autoMemoryEnabled", Value::is_boolean)?
            .and_then(Value::as_bool),
        // Of the wrong type, it is no reason not to use the file.
        auto_compact_enabled: settings.get("autoCompactEnabled").and_then(Value::as_bool),
        auto_dream_enabled: settings.get("autoDreamEnabled").and_then(Value::as_bool),
        auto_memory_directory: typed("autoMemoryDirectory", Value::is_string)?
            .and_then(Value::as_str)
            .map(str::to_owned),
        // Of the wrong type, it sets none.
        variables: settings
            .get("env")
            .and_then(Value::as_object)
            .map(|env| env.keys().cloned().collect())
            .unwrap_or_default(),
    }))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
