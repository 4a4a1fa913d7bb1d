//! `mem edit`: a memory in one's editor, merged with whatever happened meanwhile.

use anyhow::Result;
use mem_core::frontmatter::FrontmatterForm;
use mem_core::history::Sha256;
use mem_core::memory::{MemoryError, Note, ProjectMemory};
use mem_core::topic::TopicFile;
use mem_core::{MemoryPath, Scope};
use mem_find::session::note_read;
use mem_team::write_gates::ProjectGate;
use serde_json::{Value, json};

use crate::context::Context;
use crate::editor::{self, EditedText, EditorError};
use crate::exit::Exit;
use crate::field_edits::FieldEdits;
use crate::new_memory;
use crate::sanitize::clean;
use mem_core::unified_diff::unified_diff;

/// Edit a memory in your editor
///
/// Opens a copy in $VISUAL or $EDITOR (or the setting `editor`) and writes it back as one change.
/// What somebody else changed meanwhile is merged; where both changed the same lines, or the editor fails, nothing
/// is written, and your text is kept in a file that is named. An empty text changes nothing.
///
/// With --new the editor gets an empty memory: it is saved once it has a name, a description and a type.
///
/// With a flag that names a change no editor is opened, and with --if-match nothing is written where the file is
/// another than the one that was read. With --json: {"id","file","scope","change","merged","sha256"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory
    #[arg(required_unless_present = "new")]
    name: Option<String>,
    /// Write a new memory in your editor
    #[arg(long, conflicts_with_all = ["name", "if_match", "content", "title", "description", "kind", "tags", "when", "importance", "expires", "pin", "body"])]
    new: bool,
    /// Look in one tier only
    #[arg(long)]
    scope: Option<Scope>,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
    /// Write only where the file has this SHA-256, as `mem show --json` tells it
    #[arg(long, value_name = "SHA256")]
    if_match: Option<String>,
    #[command(flatten)]
    fields: FieldEdits,
}

/// Lets the person edit, and writes back.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let Some(name) = &args.name else {
        return new_memory::write_in_editor(args.scope, args.reason.clone(), &place, context);
    };
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let note = memory.find(name, args.scope)?;
    note_read(context, &memory, &note);
    let edited = match args.fields.apply(&note)? {
        Some(new) => EditedText::new(&note.path, new),
        None => editor::edit_copy(context, &place.config, &note.path, &note.bytes)?,
    };
    let digest = Sha256::digest(&note.bytes).to_string();
    if args
        .if_match
        .as_ref()
        .is_some_and(|wanted| *wanted != digest)
    {
        show_both(context, &note.path, &note.bytes, &edited.bytes);
        edited.keep(context);
        return Err(MemoryError::Unmatched(note.path).into());
    }
    if edited.bytes == note.bytes {
        if context.printer.json {
            context.print_json(&edited_json(&note, None, false, &digest))?;
        }
        context.say("nothing was changed");
        return Ok(Exit::Ok);
    }
    if edited.is_blank() {
        return Err(EditorError::Emptied(note.label()).into());
    }
    let order = context
        .change_metadata("edit")
        .because(context.stored_reason(args.reason.clone()));
    let replaced = match memory.replace(
        &note,
        &edited.bytes,
        &order,
        &ProjectGate::for_place(&place, context),
    ) {
        Ok(replaced) => replaced,
        Err(error) => {
            show_overtaken(context, &error);
            edited.keep(context);
            return Err(error.into());
        }
    };
    context.clean_up_when_due(&place, memory.store(note.scope));
    context.warn_all(&replaced.warnings);
    if note.topic.form != FrontmatterForm::None
        && TopicFile::parse(&edited.bytes).form == FrontmatterForm::None
    {
        context.print_warning(
            "its frontmatter is gone, and with it its type, name and description: `mem undo` brings it back",
        );
    }
    if context.printer.json {
        let change = replaced.change.as_ref().map(|change| change.id.as_str());
        let after = memory.find(note.id.as_str(), Some(note.scope));
        let digest = after.map_or(digest, |note| Sha256::digest(&note.bytes).to_string());
        context.print_json(&edited_json(&note, change, replaced.merged, &digest))?;
        return Ok(Exit::Ok);
    }
    let merged = if replaced.merged {
        ", merged with another edit"
    } else {
        ""
    };
    context.line(format_args!("edited {}{merged}", clean(&note.label())))?;
    Ok(Exit::Ok)
}

fn edited_json(note: &Note, change: Option<&str>, merged: bool, sha256: &str) -> Value {
    json!({
        "id": note.id.as_str(), "file": note.file, "scope": note.scope.as_str(), "change": change,
        "merged": merged, "sha256": sha256,
    })
}

/// Shows both sides of a conflict.
fn show_overtaken(context: &Context, error: &MemoryError) {
    if let MemoryError::Overtaken { path, now, wanted } = error {
        show_both(context, path, now, wanted);
    }
}

fn show_both(context: &Context, path: &MemoryPath, now: &[u8], wanted: &[u8]) {
    let diff = unified_diff(path.as_str(), Some(now), Some(wanted));
    context.say(clean(&diff));
}
