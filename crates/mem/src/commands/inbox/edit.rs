//! `mem inbox edit`: change what waits, then write it, or let it wait on.

use anyhow::Result;
use mem_core::inbox::{EditOutcome, ScopedEntry};
use mem_core::location::ProjectContext;
use mem_core::{Diagnose as _, ErrorKind, MemoryPath};
use mem_team::acceptance;
use serde_json::json;

use super::accept::accept_entry;
use super::{memory_of, summary_line};
use crate::body;
use crate::context::Context;
use crate::editor::{self, EditedText};
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Change what waits in your editor, then write it
///
/// Opens what the agent wants to write in $VISUAL or $EDITOR; what you save is written. Where the
/// file was changed since, what stands there now is opened with it, between marks. An empty text,
/// one that you left as it was, and one that still has such marks write nothing, and the entry stays.
/// With --keep your text goes into the entry, which waits on. With --content no editor is opened, and
/// with --if-match nothing is written where another text than the one that was read would be offered.
///
/// With --json: {"accepted":[..]}, and {"waiting":ID} of an entry that stays.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entry: its id, or the beginning of it
    id: String,
    /// The text of its only file, in place of an editor; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Write only where the text on offer has this SHA-256, as `mem inbox show --json` tells it
    #[arg(long, value_name = "SHA256", requires = "content")]
    if_match: Option<String>,
    /// Put the text into the entry, which waits on
    #[arg(long)]
    keep: bool,
}

/// Lets the person edit each note of the entry, and writes them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let mut found = memory_of(&place, context)?.inbox_entry(&args.id, context)?;
    let read = found.entry.clone();
    let mut texts = Vec::new();
    let outcome = match edit_entry(args, &mut found, &mut texts, &place, context) {
        Ok(outcome) => outcome,
        Err(error) => {
            keep_texts(texts, context);
            return Err(error);
        }
    };
    match outcome {
        EditOutcome::Emptied => {
            keep_texts(texts, context);
            context.say("the text is empty: nothing was written, and the entry stays");
            return print_waiting(&found, context);
        }
        EditOutcome::Unchanged => {
            match found.store.check_acceptance(&read, context.now) {
                Ok(()) => {
                    context
                        .say("nothing was changed: it still waits, `mem inbox accept` writes it");
                }
                Err(error) if error.kind() == ErrorKind::Conflict => {
                    let message = ErrorShape::from_error(&error.into()).message;
                    context.say(format_args!(
                        "nothing was changed: it still waits, and it still conflicts: {message}"
                    ));
                }
                Err(error) => return Err(error.into()),
            }
            return print_waiting(&found, context);
        }
        EditOutcome::Changed if args.keep => {
            if let Err(error) = found.store.amend(&read, &found.entry) {
                keep_texts(texts, context);
                return Err(error.into());
            }
            if !context.printer.json {
                context.line(format_args!("changed: {}", summary_line(&found)))?;
            }
            return print_waiting(&found, context);
        }
        EditOutcome::Changed => {}
    }
    let accepted = match accept_entry(&found, &place, context) {
        Ok(accepted) => accepted,
        Err(error) => {
            keep_texts(texts, context);
            return Err(error);
        }
    };
    if found.entry.remote.is_some() {
        let done = std::iter::once((&found.store, &found.entry));
        // It was carried out: what cannot be remembered of it is no reason to say that it failed.
        if let Err(error) = acceptance::note_accepted(done, &place, context) {
            context.print_warning(ErrorShape::from_error(&error.into()).message);
        }
    }
    if context.printer.json {
        context.print_json(&json!({ "accepted": [accepted] }))?;
    }
    Ok(Exit::Ok)
}

/// Says to a program that the entry stays.
fn print_waiting(found: &ScopedEntry, context: &Context) -> Result<Exit> {
    if context.printer.json {
        context.print_json(&json!({ "waiting": found.entry.id }))?;
    }
    Ok(Exit::Ok)
}

/// Keeps the texts of an entry that could not be written.
fn keep_texts(texts: Vec<EditedText>, context: &Context) {
    for text in texts {
        text.keep(context);
    }
}

/// Replaces what the entry wants by what the person makes of it. The texts that are new are added to `texts`.
fn edit_entry(
    args: &Args,
    found: &mut ScopedEntry,
    texts: &mut Vec<EditedText>,
    place: &ProjectContext,
    context: &Context,
) -> Result<EditOutcome> {
    if args.content.is_some() && found.entry.notes().count() != 1 {
        let hint = "leave --content out: your editor gets one after the other";
        return Err(UsageError::new("the entry has several files", hint).into());
    }
    let edit = |path: &MemoryPath, offered: &[u8]| -> Result<Vec<u8>> {
        let edited = match &args.content {
            None => editor::edit_copy(context, &place.config, path, offered)?,
            Some(content) => EditedText::new(path, body::read(Some(content))?.into_bytes()),
        };
        let bytes = edited.bytes.clone();
        if bytes != offered && !edited.is_blank() {
            texts.push(edited);
        }
        Ok(bytes)
    };
    match found.edit(args.if_match.as_deref(), edit)? {
        None => {
            let hint = "`mem inbox accept ID` carries it out, `mem inbox reject ID` drops it";
            Err(UsageError::new("the entry only removes: there is no text to edit", hint).into())
        }
        Some(EditOutcome::Unchanged) if args.content.is_some() => Ok(EditOutcome::Changed),
        Some(outcome) => Ok(outcome),
    }
}
