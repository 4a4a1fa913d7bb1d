//! `mem model status`: which encoder ranks memories, and how far they are encoded by it.

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use mem_find::current_index::stored_index;
use mem_find::encoder::{ChosenEncoder, installed_model};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_core::plural::format_count;

/// Show which encoder ranks memories
///
/// Reads all of an installed model, and compares its checksum. Exits with 1 where it is damaged.
///
/// With --json: {"encoder","bytes","sha256","notes","pending"}; encoder is embedded, installed or none, and pending
/// counts memories of this repository that are not encoded by it yet.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Args {}

/// Shows.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let installed = installed_model(dirs)?;
    let encoder = ChosenEncoder::choose(dirs).encoder;
    let place = context.place()?;
    let index = stored_index(&ProjectMemory::new(&place.location, dirs))?;
    let pending = index.pending_keys(encoder).count();
    let name = match (&installed, encoder) {
        (Some(_), _) => "installed",
        (None, Some(_)) => "embedded",
        (None, None) => "none",
    };
    let (bytes, checksum) = installed.unzip();
    let which = match &checksum {
        Some(checksum) => format!(
            "installed, {} bytes, SHA-256 {checksum}",
            bytes.unwrap_or(0)
        ),
        None => name.to_owned(),
    };
    context.print_answer(
        &json!({ "encoder": name, "bytes": bytes, "sha256": checksum, "notes": index.len(), "pending": pending }),
        format_args!(
            "encoder: {which}; {}, {pending} not encoded by it yet",
            format_count(index.len(), "memory", "memories")
        ),
    )
}
