//! `mem inbox edit`: change what waits, then write it.

use std::fs;

use anyhow::{Context as _, Result};
use mem_core::inbox::EntryContent;
use mem_core::location::ProjectContext;
use mem_core::regular_file;
use mem_core::store::Snapshot;
use serde_json::json;

use super::accept::accept_entry;
use super::entries::{self, ScopedEntry};
use crate::context::Context;
use crate::editor;
use crate::exit::Exit;
use crate::team::accepted;
use crate::usage::UsageError;

/// Change what waits in your editor, then write it
///
/// Opens what the agent wants to write in $VISUAL or $EDITOR; what you save is written. Where the
/// file was changed since, what stands there now is opened with it, between marks. An empty text
/// writes nothing, and the entry stays.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entry: its id, or the beginning of it
    id: String,
}

/// Lets the person edit each note of the entry, and writes them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let mut found = entries::find_entry(&place, context, &args.id)?;
    if !edit_entry(&mut found, &place, context)? {
        context.say("the text is empty: nothing was written, and the entry stays");
        return Ok(Exit::Ok);
    }
    let accepted = accept_entry(&found, &place, context)?;
    if found.entry.remote.is_some() {
        let done = std::iter::once((&found.store, &found.entry));
        accepted::note_accepted(done, &place, context)?;
    }
    if context.printer.json {
        context.print_json(&json!({ "accepted": [accepted] }))?;
    }
    Ok(Exit::Ok)
}

/// Replaces what the entry wants by what the person makes of it; false for an empty text.
fn edit_entry(found: &mut ScopedEntry, place: &ProjectContext, context: &Context) -> Result<bool> {
    let store = found.store.clone();
    let snapshot = store.snapshot()?;
    let notes: Vec<_> = found.entry.notes().map(|file| file.path.clone()).collect();
    let mut edited = 0;
    for file in &mut found.entry.files {
        let Some(new) = file.new.as_ref().filter(|_| notes.contains(&file.path)) else {
            continue;
        };
        let now = read(&snapshot, &file.path)?;
        let old = file.old.as_ref().map(|old| old.0.clone());
        let text = offered_text(old.as_deref(), now.as_deref(), &new.0);
        let text = in_editor(&text, file.path.file_name(), place, context)?;
        if text.iter().all(u8::is_ascii_whitespace) {
            return Ok(false);
        }
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
    Ok(true)
}

fn read(snapshot: &Snapshot<'_>, path: &mem_core::MemoryPath) -> Result<Option<Vec<u8>>> {
    Ok(snapshot.read(path)?.map(|(bytes, _)| bytes))
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

#[expect(
    clippy::disallowed_methods,
    reason = "a scratch copy; nothing depends on it"
)]
fn in_editor(
    text: &[u8],
    name: &str,
    place: &ProjectContext,
    context: &Context,
) -> Result<Vec<u8>> {
    let scratch = tempfile::Builder::new().prefix("mem-inbox-").tempdir()?;
    let file = scratch.path().join(name);
    fs::write(&file, text).context("cannot write a scratch copy")?;
    editor::open_editor(context, Some(&place.config), &file)?;
    regular_file::read_whole(&file).context("cannot read the scratch copy")
}
