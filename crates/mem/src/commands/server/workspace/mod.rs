//! `mem server workspace`: what keeps the stores of some from the tokens of others.

mod create;
mod list;

use anyhow::Result;
use mem_core::Diagnose;
use mem_server::storage::{Database, Workspace};

crate::table::noun! {
    /// Make and list workspaces
    ///
    /// Every memory store and every token belongs to one workspace, and a token sees nothing of another.
    /// The one called `default` is always there; the memory of repositories is in it.
    struct Args;
    "Commands" {
        create => "Make a workspace",
        list => "List the workspaces",
    }
}

/// A workspace that is not there, or is there already.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum WorkspaceError {
    /// None has the name.
    #[error("there is no workspace `{}`", mem_core::memory_path::printable(.0))]
    #[diagnose(
        NotFound,
        hint = "`mem server workspace list` has the names, `mem server workspace create` makes one"
    )]
    Unknown(String),
    /// One has the name.
    #[error("there is a workspace `{}` already", mem_core::memory_path::printable(.0))]
    #[diagnose(
        Conflict,
        hint = "make a token for it with `mem server token create --workspace`"
    )]
    Taken(String),
    /// It has the records of every user of another one.
    #[error("`{}` is for records, which each user reaches with a token of their own workspace", mem_core::memory_path::printable(.0))]
    #[diagnose(
        Refused,
        hint = "a token with `--grant records:write` reads and writes the records of its own name"
    )]
    OfRecords(String),
}

/// The workspace of this name or id.
///
/// # Errors
/// There is none; the database.
pub(crate) async fn find_workspace(database: &Database, name: &str) -> Result<Workspace> {
    let mut all = database.workspaces().await?.into_iter();
    let found = all.find(|one| one.name == name || one.id == name);
    Ok(found.ok_or_else(|| WorkspaceError::Unknown(name.to_owned()))?)
}
