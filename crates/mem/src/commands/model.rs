//! `mem model`: the encoder of recall, embedded or installed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use mem_core::plural::format_count;
use mem_core::{Dirs, atomic, regular_file};
use mem_find::current_index::stored_index;
use mem_find::encoder::{ChosenEncoder, MODEL_BYTES_MAX, ModelFault, check_model, installed_model};
use mem_find::refresh_process;
use mem_recall::encoder::{Encoder, TOKENS_MAX};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

crate::commands::verbs! {
    "Commands" {
        status(StatusArgs) => "Show which encoder ranks memories",
        install(InstallArgs) => "Install a larger encoder from a file",
        remove(RemoveArgs) => "Remove the installed encoder",
    }
}

/// Install a larger encoder for recall, or show which one is used
///
/// Recall compares a prompt with memories by sentence vectors. The encoder that makes them is part of mem; a larger one
/// finds more of what is said in other words, and takes about six times as long. Nothing is downloaded: `install` takes
/// a file. It stays beside mem's state, for all repositories of this user. Each memory is encoded again in the
/// background; until then it is found by its words. Without a command this is `mem model status`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => status(&StatusArgs {}, context),
    }
}

/// Show which encoder ranks memories
///
/// Reads all of an installed model, and compares its checksum. Exits with 1 where it is damaged.
///
/// With --json: {"encoder","bytes","sha256","notes","pending"}; encoder is embedded, installed or none, and pending
/// counts memories of this repository that are not encoded by it yet.
#[derive(clap::Args, Debug)]
struct StatusArgs {}

/// Shows.
fn status(_: &StatusArgs, context: &Context) -> Result<Exit> {
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
struct InstallArgs {
    /// The model file
    file: PathBuf,
    /// The SHA-256 that the file must have, as 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// Installs.
fn install(args: &InstallArgs, context: &Context) -> Result<Exit> {
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
fn pending_text(pending: usize, seconds: Option<u64>) -> String {
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
fn begin_again(dirs: &Dirs, encoder: Option<&'static Encoder>, context: &Context) -> Result<usize> {
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

/// Remove the installed encoder
///
/// Memories are encoded by the embedded one again, in the background.
///
/// With --json: {"removed","pending"}.
#[derive(clap::Args, Debug)]
struct RemoveArgs {}

/// Removes the file; that there is none is no failure.
fn remove(_: &RemoveArgs, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let path = dirs.recall_model();
    let removed = regular_file::if_there(std::fs::remove_file(&path));
    let removed = removed.map_err(|source| ModelFault::Unreadable { path, source })?;
    let encoder = ChosenEncoder::choose(dirs).encoder;
    let pending = begin_again(dirs, encoder, context)?;
    let text = match removed {
        Some(()) => format!(
            "the installed encoder is removed{}",
            pending_text(pending, None)
        ),
        None => "no encoder is installed".to_owned(),
    };
    context.print_answer(
        &json!({ "removed": removed.is_some(), "pending": pending }),
        text,
    )
}
