//! `mem record delete`: the record goes, the history and the audit trail keep it and the reason.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::split_scope;
use mem_records::{RecordId, input};
use serde_json::json;

use super::{Whose, usage_error};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_tools::records::OpenRecords;

/// Delete a record
///
/// Takes the file and its line in MEMORY.md away as one change. `mem log-audit` tells the reason,
/// kept without secrets, and `mem undo` (with the same
/// `--user`) brings the record back. With --json: {"success":true,"memory_id","change"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    whose: Whose,
    /// The record's id
    id: String,
    /// Why, for the audit trail
    #[arg(long, allow_hyphen_values = true)]
    reason: String,
}

/// Deletes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let id = usage_error(RecordId::parse(&args.id))?;
    let reason = usage_error(input::parse_reason(&args.reason))?;
    let opened = OpenRecords::open_for(args.whose.user.as_ref(), &context.tools)?;
    opened.require_writable()?;
    let reason = context.stored_reason(Some(reason)).unwrap_or_default();
    let deleted = opened
        .records_for(None)?
        .delete(&id, &reason, context.now)?;
    let file = deleted.file.as_deref().unwrap_or_default();
    let scope = split_scope(file, None).0.unwrap_or(Scope::Private);
    opened.finish_write(scope);
    if context.printer.json {
        context.print_json(&json!({
            "success": true, "memory_id": id.as_str(), "change": deleted.change,
        }))?;
        return Ok(Exit::Ok);
    }
    context.warn_all(&deleted.warnings);
    context.line(format_args!("deleted {id}  {}", clean(file)))?;
    if opened.is_in_files() {
        let undo = args.whose.undo_command(scope);
        context.say(format_args!("{undo} brings it back"));
    }
    Ok(Exit::Ok)
}
