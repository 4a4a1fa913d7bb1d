//! `mem inbox edit`: change what waits, then write it, or let it wait on.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_core::inbox::{EntryContent, InboxError};
use mem_core::location::ProjectContext;
use mem_core::store::Snapshot;
use mem_team::acceptance;
use serde_json::json;

use super::accept::accept_entry;
use super::entries::{self, ScopedEntry};
use crate::body;
use crate::context::Context;
use crate::editor;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::unsaved;
use crate::usage::UsageError;

/// Change what waits in your editor, then write it
///
/// Opens what the agent wants to write in $VISUAL or $EDITOR; what you save is written. Where the
/// file was changed since, what stands there now is opened with it, between marks. An empty text,
/// and one that you left as it was, write nothing, and the entry stays. With --keep your text goes
/// into the entry, which waits on. With --content no editor is opened, and with --if-match nothing is written where
/// another text than the one that was read would be offered.
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

/// What a person made of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditedEntry {
    /// One of its texts is empty.
    Emptied,
    /// The editor changed nothing.
    Unchanged,
    /// It has another text, or one that was given in place of an editor.
    Changed,
}

/// Lets the person edit each note of the entry, and writes them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let mut found = entries::find_entry(&place, context, &args.id)?;
    let read = found.entry.clone();
    match edit_entry(args, &mut found, &place, context)? {
        EditedEntry::Emptied => {
            context.say("the text is empty: nothing was written, and the entry stays");
            return print_waiting(&found, context);
        }
        EditedEntry::Unchanged => {
            context.say("nothing was changed: it still waits, `mem inbox accept` writes it");
            return print_waiting(&found, context);
        }
        EditedEntry::Changed if args.keep => {
            if let Err(error) = found.store.amend(&read, &found.entry) {
                keep_texts(&found, context)?;
                return Err(error.into());
            }
            if !context.printer.json {
                context.line(format_args!("changed: {}", found.summary_line()))?;
            }
            return print_waiting(&found, context);
        }
        EditedEntry::Changed => {}
    }
    let accepted = accept_entry(&found, &place, context)?;
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
fn keep_texts(found: &ScopedEntry, context: &Context) -> Result<()> {
    for file in found.entry.notes() {
        if let Some(new) = &file.new {
            unsaved::keep_text(context, &file.path, &new.0)?;
        }
    }
    Ok(())
}

/// Replaces what the entry wants by what the person makes of it.
fn edit_entry(
    args: &Args,
    found: &mut ScopedEntry,
    place: &ProjectContext,
    context: &Context,
) -> Result<EditedEntry> {
    let store = found.store.clone();
    let snapshot = store.snapshot()?;
    let notes: Vec<_> = found.entry.notes().map(|file| file.path.clone()).collect();
    if args.content.is_some() && notes.len() != 1 {
        let hint = "leave --content out: your editor gets one after the other";
        return Err(UsageError::new("the entry has several files", hint).into());
    }
    let (mut edited, mut is_changed) = (0, args.content.is_some());
    for file in &mut found.entry.files {
        let Some(new) = file.new.as_ref().filter(|_| notes.contains(&file.path)) else {
            continue;
        };
        let now = read(&snapshot, &file.path)?;
        let old = file.old.as_ref().map(|old| old.0.clone());
        let offered = offered_text(old.as_deref(), now.as_deref(), &new.0);
        let text = match &args.content {
            None => editor::edit_copy(context, &place.config, file.path.file_name(), &offered)?,
            Some(content) => body::read(Some(content))?.into_bytes(),
        };
        let digest = Sha256::digest(&offered).to_string();
        if args.if_match.as_ref().is_some_and(|read| *read != digest) {
            let overtaken = InboxError::Overtaken {
                path: file.path.clone(),
                now: offered,
                wanted: text,
            };
            return Err(overtaken.into());
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            return Ok(EditedEntry::Emptied);
        }
        is_changed |= text != offered;
        // What the person saw is what their text is based on.
        file.old = now.map(EntryContent);
        file.new = Some(EntryContent(text));
        edited += 1;
    }
    if edited == 0 {
        let hint = "`mem inbox accept ID` carries it out, `mem inbox reject ID` drops it";
        return Err(
            UsageError::new("the entry only removes: there is no text to edit", hint).into(),
        );
    }
    Ok(match is_changed {
        true => EditedEntry::Changed,
        false => EditedEntry::Unchanged,
    })
}

fn read(snapshot: &Snapshot<'_>, path: &mem_core::MemoryPath) -> Result<Option<Vec<u8>>> {
    Ok(snapshot.read(path)?.map(|(bytes, _)| bytes))
}

/// What the editor is given for each memory of an entry, by its label.
pub(super) fn offered_texts(found: &ScopedEntry) -> Result<Vec<(String, Vec<u8>)>> {
    let snapshot = found.store.snapshot()?;
    let mut texts = Vec::new();
    for file in found.entry.notes() {
        if let Some(new) = &file.new {
            let (old, now) = (&file.old, read(&snapshot, &file.path)?);
            let old = old.as_ref().map(|old| old.0.as_slice());
            let text = offered_text(old, now.as_deref(), &new.0);
            texts.push((found.file_label(file), text));
        }
    }
    Ok(texts)
}

/// The text for the editor: the wanted one, merged with what stands there by now; both, between
/// marks, where that does not merge.
fn offered_text(old: Option<&[u8]>, now: Option<&[u8]>, new: &[u8]) -> Vec<u8> {
    match now {
        Some(now) if Some(now) != old && now != new => {
            let base = old.unwrap_or_default();
            mem_core::store::merge_text(base, now, new).unwrap_or_else(|| {
                let parts = [
                    b"<<<<<<< now\n",
                    now,
                    b"=======\n",
                    new,
                    b">>>>>>> wanted\n",
                ];
                parts.concat()
            })
        }
        _ => new.to_vec(),
    }
}
