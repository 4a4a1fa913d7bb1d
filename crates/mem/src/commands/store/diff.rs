//! `mem store diff`.

use anyhow::Result;
use mem_core::memory_path::escaped;
use mem_stores::client::edits::StoreEditError;
use mem_stores::wire::{ContentView, MemoryVersion};
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;
use mem_core::unified_diff::unified_diff;

/// Show how two versions differ
///
/// With one version: how it differs from what the memory is now. A deletion counts as nothing at all. With
/// --json: {"old":{version},"new":{version or memory},"diff"}.
///
/// Example: mem store diff "Release notes" memver_01A memver_01B
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The older version, by its id
    #[arg(value_name = "OLD")]
    old: String,
    /// The newer version, by its id; what the memory is now if it is not given
    #[arg(value_name = "NEW")]
    new: Option<String>,
}

/// One side.
struct DiffSide {
    path: Option<String>,
    content: Option<String>,
    json: serde_json::Value,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let (old, new) = desk.ask_server("asking for the versions", |client| async {
        let version = async |id: &str| client.version(&store.id, id, ContentView::Full).await;
        let old = version(&args.old).await?;
        let new = match &args.new {
            Some(new) => diff_side(version(new).await?)?,
            None => match client
                .memory(&store.id, &old.memory_id, ContentView::Full)
                .await
            {
                Ok(memory) => DiffSide {
                    json: json!(memory),
                    path: Some(memory.path),
                    content: memory.content,
                },
                Err(error) if error.is_not_found() => DiffSide {
                    path: None,
                    content: None,
                    json: serde_json::Value::Null,
                },
                Err(error) => return Err(error.into()),
            },
        };
        anyhow::Ok((diff_side(old)?, new))
    })?;
    let name = new.path.as_ref().or(old.path.as_ref());
    let name = name.map_or_else(String::new, |path| escaped(path));
    let name = name.trim_start_matches('/');
    let bytes = |side: &DiffSide| side.content.clone().map(String::into_bytes);
    let diff = unified_diff(name, bytes(&old).as_deref(), bytes(&new).as_deref());
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "old": old.json, "new": new.json, "diff": diff }))?;
    } else if diff.is_empty() {
        printer.say("they say the same");
    } else {
        printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}

/// A version as a side; one that was redacted is none.
fn diff_side(version: MemoryVersion) -> Result<DiffSide, StoreEditError> {
    if version.redacted_at.is_some() {
        return Err(StoreEditError::NoContent(version.id));
    }
    Ok(DiffSide {
        json: json!(version),
        path: version.path,
        content: version.content,
    })
}
