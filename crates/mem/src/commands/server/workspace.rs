//! `mem server workspace`: what keeps the stores of some from the tokens of others.

use anyhow::Result;
use mem_server::storage::{Database, Workspace, WorkspaceError, is_of_records};
use serde_json::{Value, json};

use super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// Make and list workspaces
    ///
    /// Every memory store and every token belongs to one workspace, and a token sees nothing of another.
    /// The one called `default` is always there; the memory of repositories is in it.
    struct Args;
    "Commands" {
        create(CreateArgs) => "Make a workspace",
        list(ListArgs) => "List the workspaces",
    }
}

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
struct CreateArgs {
    /// What it is called; no two have the same name
    name: String,
    #[command(flatten)]
    place: Where,
}

/// Makes it.
fn create(args: &CreateArgs, context: &Context) -> Result<Exit> {
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

/// List the workspaces
///
/// With --json: a list of {"id","name","created_at"}.
#[derive(clap::Args, Debug)]
struct ListArgs {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
    let task = async |database: &Database| database.workspaces().await;
    let all = args.place.with_database(context, task)?;
    let object =
        |one: &Workspace| json!({ "id": one.id, "name": one.name, "created_at": one.created_at });
    let line = |one: &Workspace| format!("{}  {}", one.id, clean(&one.name));
    let shown: Vec<Value> = all.iter().map(object).collect();
    context.print_list(&shown, all.iter().map(line), "there is no workspace")
}
