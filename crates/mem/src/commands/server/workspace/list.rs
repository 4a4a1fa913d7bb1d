//! `mem server workspace list`: the workspaces, by name.

use anyhow::Result;
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
    let task = async |database: &mem_server::storage::Database| database.workspaces().await;
    let all = args.place.with_database(context, task)?;
    if context.printer.json {
        let all: Vec<Value> = all
            .iter()
            .map(|one| json!({ "id": one.id, "name": one.name, "created_at": one.created_at }))
            .collect();
        context.printer.print_json(&all)?;
        return Ok(Exit::Ok);
    }
    for one in &all {
        let line = format_args!("{}  {}", one.id, clean(&one.name));
        context.printer.line(line)?;
    }
    Ok(Exit::Ok)
}
