//! Allowing a finding for good, in a file that is committed beside the code.

use std::io;
use std::path::{Path, PathBuf};

use mem_core::atomic::ReplaceError;
use mem_core::state_file::StateError;
use mem_core::{Dirs, Now, atomic};
use mem_secrets::{Config, Fingerprint};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TomlError, value};

use super::error::RulesError;
use super::sources::{OWN, read};
use super::{key, personal};

/// An allow cannot be added. The cause has the kind and the hint.
#[derive(Debug, thiserror::Error)]
pub enum AllowError {
    /// The fingerprint, the reason, or the files that are there.
    #[error("{0}")]
    Rules(#[from] RulesError),
    /// What the person allowed on this machine.
    #[error("{0}")]
    State(#[from] StateError),
    /// The configuration cannot be edited.
    #[error("{0}")]
    Edit(#[from] TomlError),
    /// Its allows have another form.
    #[error("`{OWN}` has an `allow` that is not written as `[[allow]]`")]
    NotArray,
    /// A file or its folder cannot be made.
    #[error("{0}")]
    Create(#[from] io::Error),
    /// A file cannot be replaced.
    #[error("{0}")]
    Replace(#[from] ReplaceError),
}

/// Adds an allow to a repository, and to what a person allowed in the one with the root `person` where a person does
/// it. Returns its file, and whether it is new.
///
/// # Errors
/// The fingerprint or the reason is none, the file is no configuration, or cannot be written.
pub fn add_allow(
    root: &Path,
    fingerprint: &str,
    reason: &str,
    person: Option<&Path>,
    dirs: &Dirs,
    now: Now,
) -> Result<(PathBuf, bool), AllowError> {
    let fingerprint: Fingerprint = fingerprint.trim().parse().map_err(RulesError::from)?;
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(RulesError::NoReason.into());
    }
    let path = root.join(OWN);
    let text = read(&path)?.unwrap_or_default();
    let config = Config::parse(&text).map_err(|cause| RulesError::Config {
        path: path.clone(),
        cause,
    })?;
    let known = key::read_key(root)?;
    let key = known.unwrap_or_else(|| key::pending_key(Some(dirs), Some(root)));
    if let Some(person) = person {
        personal::add_allow(dirs, person, &key, &fingerprint, reason, now)?;
    }
    if known.is_some() && config.allows().contains(&fingerprint) {
        return Ok((path, false));
    }
    let text = with_entry(&text, &fingerprint, reason, now)?;
    if known.is_none() {
        write_public(&key::key_path(root), key::encode_key(&key).as_bytes())?;
    }
    write_public(&path, text.as_bytes())?;
    Ok((path, true))
}

fn with_entry(
    text: &str,
    fingerprint: &Fingerprint,
    reason: &str,
    now: Now,
) -> Result<String, AllowError> {
    let mut document: DocumentMut = text.parse()?;
    let list = document
        .entry("allow")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(list) = list.as_array_of_tables_mut() else {
        return Err(AllowError::NotArray);
    };
    let mut entry = Table::new();
    entry["fingerprint"] = value(fingerprint.to_string());
    entry["reason"] = value(reason);
    entry["date"] = value(now.0.strftime("%Y-%m-%d").to_string());
    list.push(entry);
    Ok(document.to_string())
}

/// Writes a file that is meant to be committed: readable like any other of the checkout.
fn write_public(path: &Path, bytes: &[u8]) -> Result<(), AllowError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if !path.exists() {
        // An existing file keeps its mode when it is replaced, and a new one gets the umask's.
        std::fs::File::create_new(path)?;
    }
    Ok(atomic::replace_file(path, bytes)?)
}
