//! `mem model install`: a larger encoder, from a file.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use mem_core::{Dirs, atomic, regular_file};
use mem_find::current_index::stored_index;
use mem_find::encoder::{ChosenEncoder, MODEL_BYTES_MAX, ModelFault, check_model};
use mem_recall::encoder::{Encoder, TOKENS_MAX};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_core::plural::format_count;
use mem_find::refresh_process;

/// Texts of [`TOKENS_MAX`] tokens that encoding a memory of some kilobytes amounts to.
const TEXTS_A_MEMORY: u32 = 2;

/// Install a larger encoder from a file
///
/// The file is checked, copied beside mem's state and used from then on. Its checksum is compared with the one that
/// it has inside, and with --sha256, which is that of the whole file. A file that is damaged, or is no model,
/// changes nothing.
///
/// With --json: {"bytes","sha256","pending","seconds"}; seconds is about how long encoding the memories of this
/// repository takes on one core.
///
/// Example: mem model install all-mpnet-base-v2.model
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The model file
    file: PathBuf,
    /// The SHA-256 that the file must have, as 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// Installs.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let path = context.cwd.join(&args.file);
    let bytes =
        regular_file::read(&path, MODEL_BYTES_MAX).map_err(|source| ModelFault::Unreadable {
            path: path.clone(),
            source,
        })?;
    let checksum = check_model(&bytes, &path, args.sha256.as_deref())?;
    atomic::replace_file(&dirs.recall_model(), &bytes)?;
    let chosen = ChosenEncoder::choose(dirs);
    if let Some(fault) = chosen.fault {
        return Err(fault.into());
    }
    let pending = begin_again(dirs, chosen.encoder, context)?;
    let seconds = chosen.encoder.map_or(0, |encoder| {
        (text_time(encoder) * TEXTS_A_MEMORY * u32::try_from(pending).unwrap_or(u32::MAX)).as_secs()
    });
    context.print_answer(
        &json!({ "bytes": bytes.len(), "sha256": checksum, "pending": pending, "seconds": seconds }),
        format_args!(
            "installed, SHA-256 {checksum}{}",
            pending_text(pending, Some(seconds.max(1)))
        ),
    )
}

/// What follows for the memories of this repository; nothing where none is affected.
pub(super) fn pending_text(pending: usize, seconds: Option<u64>) -> String {
    if pending == 0 {
        return String::new();
    }
    let time = seconds.map_or_else(String::new, |seconds| format!(", about {seconds} s"));
    let memories = format_count(pending, "memory", "memories");
    format!("; {memories} of this repository will be encoded again in the background{time}")
}

/// Has memories encoded by another encoder than before; how many wait for it here.
///
/// # Errors
/// A memory directory cannot be listed.
pub(super) fn begin_again(
    dirs: &Dirs,
    encoder: Option<&'static Encoder>,
    context: &Context,
) -> Result<usize> {
    let place = context.place()?;
    let index = stored_index(&ProjectMemory::new(&place.location, dirs))?;
    let pending = index.pending_keys(encoder).count();
    if pending > 0 && place.config.values.recall.background {
        refresh_process::send_refresh(dirs, &context.cwd);
    }
    Ok(pending)
}

fn text_time(encoder: &Encoder) -> Duration {
    let begun = Instant::now();
    encoder.encode_tokens(&[2000; TOKENS_MAX - 2]);
    begun.elapsed()
}
