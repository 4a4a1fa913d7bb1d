//! `mem store rollback`.

use anyhow::Result;
use mem_stores::StorePath;
use mem_stores::client::ClientError;
use mem_stores::wire::{ContentView, CreateMemory, FailureKind, UpdateMemory};
use serde_json::json;

use super::StoreArgs;
use super::put::write_precondition;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::error::StoreCommandError;
use crate::stores::{reserved, shape};

/// Write an old version anew
///
/// The memory gets the content of the version, as a new version: only if nobody changes it meanwhile. One that
/// was deleted is made again at the path of the version. With --json: {"memory":{as the server shows it},
/// "created"}.
///
/// Example: mem store rollback "Release notes" memver_01A
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
}

/// Looks at the version and at the memory, and writes on that condition.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.of.at.open_to_write(context)?;
    let screen = desk.outbound_scanner()?;
    let store = desk.open_store(&args.of.store)?;
    let (memory, created) = desk.ask_server("writing the memory", |client| async {
        let version = client
            .version(&store.id, &args.version, ContentView::Full)
            .await?;
        let none = || StoreCommandError::NoContent(args.version.clone());
        let content = version.content.ok_or_else(none)?;
        let path = version.path.ok_or_else(none)?;
        // What was written when the rules were others is not written again unseen.
        screen.require(&path, &content)?;
        let id = &version.memory_id;
        let there = match client.memory(&store.id, id, ContentView::Basic).await {
            Ok(there) => there,
            Err(error) if error.is_not_found() => {
                let at = StorePath::parse(&path)?;
                reserved::require_free(&at)?;
                let new = CreateMemory {
                    path: at,
                    content,
                    precondition: None,
                };
                let made = client.create_memory(&store.id, &new).await;
                let memory = made.map_err(|error| in_its_way(error, &path, &args.version))?;
                return anyhow::Ok((memory, true));
            }
            Err(error) => return Err(error.into()),
        };
        // It may stand elsewhere by now.
        if let Ok(at) = StorePath::parse(&there.path) {
            reserved::require_free(&at)?;
        }
        let change = UpdateMemory {
            content: Some(content),
            path: None,
            precondition: Some(write_precondition(None, &there)?),
        };
        let memory = client.update_memory(&store.id, id, &change).await?;
        Ok((memory, false))
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}

/// What to do where another memory has the path is not what a write at a chosen path is told.
fn in_its_way(error: ClientError, path: &str, version: &str) -> anyhow::Error {
    let refusal = error.refusal();
    let conflict = refusal.filter(|one| one.kind == Some(FailureKind::MemoryPathConflict));
    match conflict.and_then(|one| one.conflicting_path.clone()) {
        None => error.into(),
        Some(other) => StoreCommandError::InItsWay {
            path: path.to_owned(),
            other,
            version: version.to_owned(),
        }
        .into(),
    }
}
