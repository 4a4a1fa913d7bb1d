//! Which servers' databases this person's master keys wrap keys of, wherever they are: no master key ends while one of
//! them cannot be asked whether it needs it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_core::Diagnose;
use mem_core::memory_path::printable;
use mem_core::state_file;
use mem_server::storage::DatabaseAddress;
use mem_vault::KeyId;
use secrecy::ExposeSecret as _;

use super::server;
use crate::commands::server::place::Where;
use crate::context::Context;

/// Databases are remembered that cannot be looked at.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(
    Refused,
    hint = "name it (--data-dir, MEM_DATABASE_URL), or give --forget where it is gone for good"
)]
#[error("{} was encrypted with these keys and cannot be looked at: nothing was destroyed", .0.join(" and "))]
pub(crate) struct UnlistedDatabase(Vec<String>);

/// What the master keys are used for beside this machine's own state.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// The keys that are needed.
    pub(super) masters: Vec<KeyId>,
    /// What was looked at, in words.
    pub(super) looked: Vec<String>,
    /// What could not be looked at, as it is remembered.
    pub(super) unseen: Vec<String>,
}

impl Elsewhere {
    /// Refuses where something was not looked at.
    pub(super) fn require_seen(&self) -> Result<(), UnlistedDatabase> {
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
pub(super) fn remember_database(place: &Where, context: &Context) -> Result<()> {
    let name = name_of(&place.database_address(context)?);
    change_list(context, |names| names.insert(name))
}

/// Forgets databases that hold nothing sealed any more, or are gone.
///
/// # Errors
/// The state cannot be written.
pub(super) fn forget_databases(gone: &[String], context: &Context) -> Result<()> {
    change_list(context, |names| names.retain(|name| !gone.contains(name)))
}

/// Forgets the database of a place.
///
/// # Errors
/// The state cannot be written.
pub(super) fn forget_place(place: &Where, context: &Context) -> Result<()> {
    forget_databases(&[name_of(&place.database_address(context)?)], context)
}

/// Looks at all that are remembered but the one that is named, which is looked at anyway.
///
/// # Errors
/// One of them cannot be opened.
pub(super) fn check_others(named: &Where, context: &Context) -> Result<Elsewhere> {
    let mut found = Elsewhere::default();
    let named = named
        .database_address(context)
        .map(|place| name_of(&place))
        .ok();
    let Some(file) = list_file(context) else {
        return Ok(found);
    };
    let (names, damage) = state_file::read::<BTreeSet<String>>(&file);
    if let Some(damage) = damage {
        found.unseen.push(damage);
    }
    for name in names
        .into_iter()
        .filter(|name| Some(name) != named.as_ref())
    {
        let folder = Path::new(&name);
        let place = Where::of_directory(folder);
        if folder.is_absolute() && server::is_there(&place, context)? {
            found.masters.extend(server::master_keys(&place, context)?);
            found.looked.push(server::database_name(&place, context)?);
        } else {
            found.unseen.push(printable(&name));
        }
    }
    Ok(found)
}

fn change_list<T>(context: &Context, task: impl FnOnce(&mut BTreeSet<String>) -> T) -> Result<()> {
    // Who has no home has no key there either.
    let Some(file) = list_file(context) else {
        return Ok(());
    };
    let (_, warning) = state_file::update(&file, task)?;
    context.warn_all(warning.as_slice());
    Ok(())
}

fn list_file(context: &Context) -> Option<PathBuf> {
    let dirs = context.dirs().ok()?;
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
