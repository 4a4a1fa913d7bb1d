//! Changing `config.toml` and nothing in it but the one key.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::error::ConfigError;
use super::key::SettingKey;
use super::value::SettingValue;
use super::{Config, file};
use crate::dirs::Dirs;
use crate::state_file;

/// Sets a key, in the repository's table if one is given. Comments, order and everything else in
/// the file stay; the file is created when there is none.
///
/// # Errors
/// An unknown key, a value it does not take, a combination that is excluded, a malformed file,
/// and I/O failures; the file is then as it was.
pub fn set(
    dirs: &Dirs,
    key: &str,
    text: &str,
    repository: Option<&Path>,
) -> Result<(), ConfigError> {
    let key = SettingKey::find(key)?;
    let value = key.parse(text, super::COMMAND_LINE)?;
    change(dirs, repository, |document| {
        let table = descend(document, &path_of(key, repository), true);
        let name = key.name.rsplit('.').next().unwrap_or(key.name);
        if let Some(table) = table {
            put(table, name, &value);
        }
        true
    })?;
    Ok(())
}

/// Takes a key out of the file, from the repository's table if one is given. Returns whether it
/// was there.
///
/// # Errors
/// As for [`set`].
pub fn unset(dirs: &Dirs, key: &str, repository: Option<&Path>) -> Result<bool, ConfigError> {
    let key = SettingKey::find(key)?;
    change(dirs, repository, |document| {
        let table = descend(document, &path_of(key, repository), false);
        let name = key.name.rsplit('.').next().unwrap_or(key.name);
        table.is_some_and(|table| table.remove(name).is_some())
    })
}

/// Whether [`unset`] would find the key.
///
/// # Errors
/// The file cannot be read, or is none of settings.
fn is_set(dirs: &Dirs, key: &str, repository: Option<&Path>) -> Result<bool, ConfigError> {
    let key = SettingKey::find(key)?;
    let path = dirs.config_file();
    let text = file::read(&path)?.unwrap_or_default();
    file::parse(&path, &text, None, None)?;
    let mut document: DocumentMut = text.parse().unwrap_or_default();
    let table = descend(&mut document, &path_of(key, repository), false);
    let name = key.name.rsplit('.').next().unwrap_or(key.name);
    Ok(table.is_some_and(|table| table.contains_key(name)))
}

/// Takes keys out of `config.toml`, or out of a repository's table in it; a dry run only looks. Returns whether one was
/// there.
///
/// # Errors
/// As [`unset`].
pub fn unset_all(
    dirs: &Dirs,
    keys: &[&str],
    repository: Option<&Path>,
    is_dry: bool,
) -> Result<bool, ConfigError> {
    let mut was_there = false;
    for key in keys {
        was_there |= match is_dry {
            true => is_set(dirs, key, repository)?,
            false => unset(dirs, key, repository)?,
        };
    }
    Ok(was_there)
}

/// Takes a repository's whole table out of the file. Returns whether there was one.
///
/// # Errors
/// As for [`set`].
pub fn forget_repository(dirs: &Dirs, repository: &Path) -> Result<bool, ConfigError> {
    if !dirs.config_file().exists() {
        return Ok(false);
    }
    change(dirs, None, |document| {
        let tables = document.get_mut(file::REPOSITORY);
        let Some(tables) = tables.and_then(Item::as_table_like_mut) else {
            return false;
        };
        let keys = tables.iter().map(|(name, _)| name.to_owned());
        let is_meant = |name: &String| file::names(name, repository, dirs.home.as_deref());
        let meant: Vec<String> = keys.filter(is_meant).collect();
        meant
            .iter()
            .filter(|name| tables.remove(name).is_some())
            .count()
            > 0
    })
}

/// Reads, changes, checks and writes the file under a lock; writes only what changed.
fn change(
    dirs: &Dirs,
    repository: Option<&Path>,
    edit: impl FnOnce(&mut DocumentMut) -> bool,
) -> Result<bool, ConfigError> {
    let path = dirs.config_file();
    let _lock = state_file::lock(&dirs.state.join("config.lock"))?;
    let text = file::read(&path)?.unwrap_or_default();
    file::parse(&path, &text, None, None)?;
    let mut document: DocumentMut = text.parse().unwrap_or_default();
    let changed = edit(&mut document);
    let new = document.to_string();
    if new != text {
        let loaded = file::parse(&path, &new, repository, dirs.home.as_deref())?;
        Config::default().with_settings(loaded.settings).check()?;
        // The file may be a link into somebody's collection of dotfiles: that file is replaced.
        let target = path.canonicalize().unwrap_or(path);
        state_file::write(&target, new.as_bytes())?;
    }
    Ok(changed)
}

/// The tables above a key.
fn path_of(key: &SettingKey, repository: Option<&Path>) -> Vec<String> {
    let mut path = Vec::new();
    if let Some(root) = repository {
        path.push(file::REPOSITORY.to_owned());
        path.push(root.display().to_string());
    }
    let mut parts: Vec<&str> = key.name.split('.').collect();
    parts.pop();
    path.extend(parts.into_iter().map(str::to_owned));
    path
}

/// Walks down the tables, creating what is missing if asked to.
fn descend<'a>(
    document: &'a mut DocumentMut,
    path: &[String],
    create: bool,
) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in path {
        if !table.contains_key(name) {
            if !create {
                return None;
            }
            let mut new = Table::new();
            new.set_implicit(true);
            table.insert(name, Item::Table(new));
        }
        table = table.get_mut(name)?.as_table_like_mut()?;
    }
    Some(table)
}

/// Puts a value in, keeping the spaces and the comment around an old one.
fn put(table: &mut dyn TableLike, name: &str, value: &SettingValue) {
    let mut new = value.to_toml();
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => {
            table.insert(name, Item::Value(new));
        }
    }
}
