//! Which servers' databases this person's master keys wrap keys of, wherever they are: no master key ends while one of
//! them cannot be asked whether it needs it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mem_core::memory_path::printable;
use mem_core::state_file::{self, StateError};
use mem_core::{Diagnose, RunContext};
use mem_vault::{KeyId, VaultError};
use secrecy::ExposeSecret as _;

use crate::storage::{Database, DatabaseAddress, OpenOptions, Purpose, StorageError};

/// Databases are remembered that cannot be looked at.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(
    Refused,
    hint = "name it (--data-dir, MEM_DATABASE_URL), or give --forget where it is gone for good"
)]
#[error("{} was encrypted with these keys and cannot be looked at: nothing was destroyed", .0.join(" and "))]
pub struct UnlistedDatabase(Vec<String>);

/// What the master keys are used for beside this machine's own state.
#[derive(Debug, Default)]
pub struct OtherDatabases {
    /// The keys that are needed.
    pub masters: Vec<KeyId>,
    /// What was looked at, in words.
    pub looked: Vec<String>,
    /// What could not be looked at, as it is remembered.
    pub unseen: Vec<String>,
}

impl OtherDatabases {
    /// Refuses where something was not looked at.
    ///
    /// # Errors
    /// Something was not.
    pub fn require_seen(&self) -> Result<(), UnlistedDatabase> {
        match self.unseen.is_empty() {
            true => Ok(()),
            false => Err(UnlistedDatabase(self.unseen.clone())),
        }
    }
}

/// Remembers a database before its first key is wrapped.
///
/// # Errors
/// The state cannot be written.
pub fn remember_database(place: &DatabaseAddress, run: &RunContext) -> Result<(), StateError> {
    let name = name_of(place);
    change_list(run, |names| names.insert(name))
}

/// Forgets databases that hold nothing sealed any more, or are gone.
///
/// # Errors
/// The state cannot be written.
pub fn forget_databases(gone: &[String], run: &RunContext) -> Result<(), StateError> {
    change_list(run, |names| names.retain(|name| !gone.contains(name)))
}

/// Forgets the database of a place.
///
/// # Errors
/// The state cannot be written.
pub fn forget_database(place: &DatabaseAddress, run: &RunContext) -> Result<(), StateError> {
    forget_databases(&[name_of(place)], run)
}

/// Looks at all that are remembered but the one that is named, which is looked at anyway.
///
/// # Errors
/// One of them cannot be opened.
pub async fn check_others(
    named: Option<&DatabaseAddress>,
    run: &RunContext,
) -> Result<OtherDatabases, StorageError> {
    let mut found = OtherDatabases::default();
    let Some(file) = list_file(run) else {
        return Ok(found);
    };
    let (mut names, damage) = state_file::read::<BTreeSet<String>>(&file);
    found.unseen.extend(damage);
    if let Some(named) = named {
        names.remove(&name_of(named));
    }
    for name in names {
        let folder = Path::new(&name);
        let place = DatabaseAddress::Directory(folder.to_owned());
        if folder.is_absolute() && !place.is_new() {
            found.masters.extend(master_keys(&place, run).await?);
            found.looked.push(place.describe());
        } else {
            found.unseen.push(printable(&name));
        }
    }
    Ok(found)
}

/// The master keys that wrap keys of a database.
///
/// # Errors
/// It cannot be opened, or names no keys.
pub async fn master_keys(
    place: &DatabaseAddress,
    run: &RunContext,
) -> Result<Vec<KeyId>, StorageError> {
    let options = OpenOptions {
        purpose: Purpose::Administer,
        ..OpenOptions::for_run(run)
    };
    let database = Database::open(place, &options).await?;
    let found = database.encryption().await;
    database.close().await;
    let parse = |name: &String| KeyId::parse(name).ok_or(VaultError::Form("the name of a key"));
    Ok(found?.masters.iter().map(parse).collect::<Result<_, _>>()?)
}

fn change_list<T>(
    run: &RunContext,
    task: impl FnOnce(&mut BTreeSet<String>) -> T,
) -> Result<(), StateError> {
    // Who has no home has no key there either.
    let Some(file) = list_file(run) else {
        return Ok(());
    };
    let (_, warning) = state_file::update(&file, task)?;
    run.warn_all(warning.as_slice());
    Ok(())
}

fn list_file(run: &RunContext) -> Option<PathBuf> {
    let dirs = run.dirs().ok()?;
    Some(dirs.state.join("encrypted-databases.json"))
}

/// The directory, or the address without who may enter.
fn name_of(place: &DatabaseAddress) -> String {
    match place {
        DatabaseAddress::Directory(folder) => {
            let whole = folder.canonicalize();
            whole
                .unwrap_or_else(|_| folder.clone())
                .display()
                .to_string()
        }
        DatabaseAddress::Url(url) => without_password(url.expose_secret()),
    }
}

fn without_password(url: &str) -> String {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = bare.split_once("://").unwrap_or(("", bare));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    format!("{scheme}://{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_remembered_without_who_may_enter() {
        let names = [
            "postgres://me:p@ss@db:5432/mem?sslmode=require&password=x",
            "postgres://db:5432/mem",
        ];
        assert_eq!(names.map(without_password), ["postgres://db:5432/mem"; 2]);
    }
}
