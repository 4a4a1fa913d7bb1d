//! Where the key of a model's API comes from: a variable, or a file that its owner alone may read.
//!
//! A key goes to whom it was given for: `ANTHROPIC_API_KEY` to the vendor, that of the file to an address that no
//! variable names. It is in no setting and in no argument.

use std::fmt;
use std::path::{Path, PathBuf};

use mem_core::RunContext;
/// The variable that goes before any file.
pub(super) use mem_core::environment::MODEL_KEY_VARIABLE as VARIABLE;
use mem_core::host_settings::{self, HostSettingsFile, SettingsLevel, is_tracked};
use mem_core::location::ProjectContext;
use mem_core::regular_file;
use mem_core::regular_file::if_there;
use mem_http::PlainHttp;
use secrecy::SecretString;

use super::ModelSettingError;

/// The vendor's key, as its SDKs read it.
pub(super) const VENDOR_VARIABLE: &str = "ANTHROPIC_API_KEY";
/// Whose it is.
const VENDOR: &str = "https://api.anthropic.com";
/// The file where none is named, beside the settings.
const FILE: &str = "model.key";
/// A file of a key is shorter.
const FILE_BYTES_MAX: u64 = 8 * 1024;

/// For whom a key is wanted, and where it may be.
pub(super) struct KeyRequest<'a> {
    /// The address.
    pub(super) base: &'a str,
    /// Whether a variable names the address.
    pub(super) is_named_by_variable: bool,
    /// The setting; empty where there is none.
    pub(super) file: &'a str,
}

/// Where a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyOrigin {
    Variable(&'static str),
    File(PathBuf),
}

impl fmt::Display for KeyOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File(path) => write!(f, "`{}`", path.display()),
        }
    }
}

/// The key for an address.
///
/// # Errors
/// There is none, others may read it, or the repository would choose it.
pub(super) fn find_key(
    asked: &KeyRequest<'_>,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(SecretString, KeyOrigin), ModelSettingError> {
    let variables = [
        Some(VARIABLE),
        is_vendor(asked.base).then_some(VENDOR_VARIABLE),
    ];
    for variable in variables.into_iter().flatten() {
        if let Some(key) = run.env.get(variable) {
            of_the_person(variable, place, run)?;
            let origin = KeyOrigin::Variable(variable);
            return Ok((SecretString::from(key.trim()), origin));
        }
    }
    if asked.is_named_by_variable {
        return Err(ModelSettingError::NoKey);
    }
    let path = key_file(asked.file, run)?;
    let key = read(&path)?;
    Ok((key, KeyOrigin::File(path)))
}

/// Refuses a variable that the repository has the host set.
fn of_the_person(
    variable: &'static str,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(), ModelSettingError> {
    let Ok(dirs) = run.dirs() else {
        return Ok(());
    };
    let files = host_settings::read(dirs, &place.project).files;
    let is_the_repositorys = |file: &HostSettingsFile| match file.tier {
        SettingsLevel::Project => true,
        SettingsLevel::Local => is_tracked(&place.project, &file.path),
        SettingsLevel::Managed | SettingsLevel::User => false,
    };
    let mut naming = files
        .into_iter()
        .filter(|file| file.variables.contains(variable));
    match naming.find(is_the_repositorys) {
        Some(file) => Err(ModelSettingError::ByRepository {
            variable,
            path: file.path,
        }),
        None => Ok(()),
    }
}

fn is_vendor(base: &str) -> bool {
    // What a reader of URLs would mend is not taken for what somebody meant.
    let would_be_mended = |c: char| c == '\\' || c.is_whitespace() || c.is_control();
    let url = mem_http::parse_address(base, PlainHttp::Anywhere);
    let is_plain = base.contains("://") && !base.trim().contains(would_be_mended);
    is_plain && url.is_ok_and(|url| url.origin().ascii_serialization() == VENDOR)
}

fn key_file(setting: &str, run: &RunContext) -> Result<PathBuf, ModelSettingError> {
    let dirs = run.dirs().map_err(|_| ModelSettingError::NoKey)?;
    let setting = setting.trim();
    let path = match (setting.strip_prefix("~/"), &dirs.home) {
        _ if setting.is_empty() => dirs.config.join(FILE),
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(setting),
    };
    match path.is_absolute() {
        true => Ok(path),
        false => Err(ModelSettingError::NoPath),
    }
}

fn read(path: &Path) -> Result<SecretString, ModelSettingError> {
    let unreadable = |why: String| ModelSettingError::Unreadable {
        path: path.to_owned(),
        why,
    };
    let read = if_there(regular_file::read(path, FILE_BYTES_MAX));
    let read = read.map_err(|error| unreadable(error.to_string()))?;
    let bytes = read.ok_or(ModelSettingError::NoKey)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let meta = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
        if meta.mode() & 0o077 != 0 {
            return Err(ModelSettingError::Open(path.to_owned()));
        }
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is no text".to_owned()))?;
    Ok(SecretString::from(text.trim()))
}
