//! `mem server workspace create`: make a workspace.

use anyhow::Result;
use mem_server::storage::{WorkspaceError, is_of_records};
use serde_json::json;

use super::super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Longer names would not fit a line.
const NAME_CHARS_MAX: usize = 100;

/// Make a workspace
///
/// Its id stands on standard output.
///
/// With --json: {"id","name","created_at"}.
///
/// Example: mem server workspace create research
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What it is called; no two have the same name
    name: String,
    #[command(flatten)]
    place: Where,
}

/// Makes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let name = args.name.trim();
    let fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
    if !fits || name.chars().any(char::is_control) {
        let hint = "write 1 to 100 characters, on one line";
        return Err(UsageError::new("the name of the workspace is not one", hint).into());
    }
    if is_of_records(name) {
        return Err(WorkspaceError::OfRecords(name.to_owned()).into());
    }
    let made = args.place.with_database(context, async |database| {
        let made = database.create_workspace(name, context.now.0).await?;
        let made = made.ok_or_else(|| WorkspaceError::Taken(name.to_owned()))?;
        let noted = database.note_administration("workspace.create", &made.id, context.now.0);
        noted.await?;
        anyhow::Ok(made)
    })?;
    let shown = json!({ "id": made.id, "name": made.name, "created_at": made.created_at });
    context.print_answer(&shown, made.id)
}
