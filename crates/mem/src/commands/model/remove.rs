//! `mem model remove`: back to the embedded encoder.

use anyhow::Result;
use mem_core::regular_file;
use mem_find::encoder::{ChosenEncoder, ModelFault};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Remove the installed encoder
///
/// Memories are encoded by the embedded one again, in the background.
///
/// With --json: {"removed","pending"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Removes the file; that there is none is no failure.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let path = dirs.recall_model();
    let removed = regular_file::if_there(std::fs::remove_file(&path));
    let removed = removed.map_err(|source| ModelFault::Unreadable { path, source })?;
    let encoder = ChosenEncoder::choose(dirs).encoder;
    let pending = super::install::begin_again(dirs, encoder, context)?;
    let text = match removed {
        Some(()) => format!(
            "the installed encoder is removed{}",
            super::install::pending_text(pending, None)
        ),
        None => "no encoder is installed".to_owned(),
    };
    context.print_answer(
        &json!({ "removed": removed.is_some(), "pending": pending }),
        text,
    )
}
