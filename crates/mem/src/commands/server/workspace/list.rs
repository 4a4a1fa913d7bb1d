//! `mem server workspace list`: the workspaces, by name.

use anyhow::Result;
use mem_server::storage::{Database, Workspace};
use serde_json::{Value, json};

use super::super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// List the workspaces
///
/// With --json: a list of {"id","name","created_at"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let task = async |database: &Database| database.workspaces().await;
    let all = args.place.with_database(context, task)?;
    let object =
        |one: &Workspace| json!({ "id": one.id, "name": one.name, "created_at": one.created_at });
    let line = |one: &Workspace| format!("{}  {}", one.id, clean(&one.name));
    let shown: Vec<Value> = all.iter().map(object).collect();
    context.print_list(&shown, all.iter().map(line), "there is no workspace")
}
