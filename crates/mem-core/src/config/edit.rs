//! Changing `config.toml` and nothing in it but the one key.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::error::ConfigError;
use super::key::SettingKey;
use super::value::SettingValue;
use super::{Config, file};
use crate::dirs::Dirs;
use crate::state_file;

/// The settings that say where memories are shared: the section and the name of each.
const REMOTES: [(&str, &str); 2] = [("sync", "remote"), ("team", "remote")];

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

/// Takes a repository's whole table out of the file. A remote that the file sets for all repositories is set
/// to nothing for this one, so that no run takes back from there what is erased.
///
/// # Errors
/// As for [`set`].
pub fn forget_repository(dirs: &Dirs, repository: &Path) -> Result<(), ConfigError> {
    let path = dirs.config_file();
    if !path.exists() {
        return Ok(());
    }
    change(dirs, Some(repository), |document| {
        if let Some(tables) = repository_tables(document) {
            let keys = tables.iter().map(|(name, _)| name.to_owned());
            let is_meant = |name: &String| file::names(name, repository, dirs.home.as_deref());
            let meant: Vec<String> = keys.filter(is_meant).collect();
            for name in &meant {
                tables.remove(name);
            }
        }
        // `change` has read it already: there is no error.
        let set = file::parse(&path, &document.to_string(), None, None).unwrap_or_default();
        let is_set = |key: &str| {
            let setting = set.settings.get(key);
            setting.is_some_and(|setting| !setting.value.text().is_empty())
        };
        for (section, name) in REMOTES {
            if is_set(&format!("{section}.{name}")) {
                let root = repository.display().to_string();
                let above = [file::REPOSITORY.to_owned(), root, section.to_owned()];
                if let Some(table) = descend(document, &above, true) {
                    put(table, name, &SettingValue::Text(String::new()));
                }
            }
        }
        true
    })?;
    Ok(())
}

/// Takes the remotes out of the file, for all repositories and for each.
///
/// # Errors
/// As for [`set`].
pub fn forget_remotes(dirs: &Dirs) -> Result<(), ConfigError> {
    if !dirs.config_file().exists() {
        return Ok(());
    }
    change(dirs, None, |document| {
        remove_remotes(document.as_table_mut());
        if let Some(tables) = repository_tables(document) {
            for (_, table) in tables.iter_mut() {
                if let Some(table) = table.as_table_like_mut() {
                    remove_remotes(table);
                }
            }
        }
        true
    })?;
    Ok(())
}

/// Takes the [`REMOTES`] out of a table that has their sections.
fn remove_remotes(table: &mut dyn TableLike) {
    for (section, name) in REMOTES {
        let settings = table.get_mut(section).and_then(Item::as_table_like_mut);
        if let Some(settings) = settings {
            settings.remove(name);
        }
    }
}

/// The table of the tables of the repositories.
fn repository_tables(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    document.get_mut(file::REPOSITORY)?.as_table_like_mut()
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
