//! What an import did, as text or as JSON.

use mem_core::import::{Import, ImportOutcome, Imported, SourceContents};
use mem_core::store::Planned;
use mem_core::{MemoryPath, Scope};
use serde_json::{Value, json};

use crate::context::Context;
use crate::printer::OutputError;
use crate::sanitize::clean;
use crate::unified::paint_diff;
use mem_core::unified_diff::unified_diff;

/// Prints every item, what was left out, and for a dry run all that would be written.
pub(crate) fn print_import(
    gathered: &SourceContents,
    done: &Import,
    dry_run: bool,
    context: &Context,
) -> Result<(), OutputError> {
    let printer = &context.printer;
    let diffs: Vec<(String, String)> = match dry_run {
        true => import_diffs(done),
        false => Vec::new(),
    };
    if printer.json {
        let left_out = gathered.left_out.iter();
        return printer.print_json(&json!({
            "items": done.items.iter().map(item_json).collect::<Vec<Value>>(),
            "left_out": left_out
                .map(|one| json!({ "origin": one.origin, "reason": one.reason }))
                .collect::<Vec<Value>>(),
            "changes": done.changes.iter().map(|change| &change.id).collect::<Vec<_>>(),
            "dry_run": dry_run,
            "files": diffs
                .iter()
                .map(|(file, diff)| json!({ "file": file, "diff": diff }))
                .collect::<Vec<Value>>(),
        }));
    }
    for item in &done.items {
        if item.fate != ImportOutcome::Known {
            printer.line(clean(&item_line(item, dry_run)))?;
        }
    }
    for one in &gathered.left_out {
        let text = format!("left out {}: {}", one.origin, one.reason);
        printer.say(clean(&one_line(&text)));
    }
    let diff: String = diffs.into_iter().map(|(_, diff)| diff).collect();
    if !diff.is_empty() {
        printer.line(paint_diff(&diff))?;
    }
    let known = done
        .items
        .iter()
        .filter(|item| item.fate == ImportOutcome::Known)
        .count();
    if done.items.is_empty() && gathered.left_out.is_empty() {
        printer.say("nothing to import");
    } else if known > 0 {
        printer.say(format_args!(
            "{known} of {} are here already",
            done.items.len()
        ));
    }
    Ok(())
}

fn item_line(item: &Imported, dry_run: bool) -> String {
    let verb = match (item.fate, dry_run) {
        (ImportOutcome::United, false) => "united",
        (ImportOutcome::United, true) => "would unite",
        (_, false) => "imported",
        (_, true) => "would import",
    };
    let file = file_label(item.scope, &item.path);
    let note = match item.fate {
        ImportOutcome::Renamed => "  (another file has its name)",
        ImportOutcome::New | ImportOutcome::Known | ImportOutcome::United => "",
    };
    one_line(&format!("{verb} {file}{note}  from {}", item.origin))
}

/// A file as it is named: paths of the global tier say so.
fn file_label(scope: Scope, path: &MemoryPath) -> String {
    match scope {
        Scope::Global => format!("global:{path}"),
        Scope::Private | Scope::Team => path.to_string(),
    }
}

fn item_json(item: &Imported) -> Value {
    json!({
        "scope": item.scope.as_str(), "file": item.path, "outcome": item.fate.as_str(),
        "origin": item.origin,
    })
}

/// Every file that would change, with its diff.
fn import_diffs(done: &Import) -> Vec<(String, String)> {
    let [project, global] = &done.planned;
    let diff = |scope: Scope, plan: &Planned| {
        let file = file_label(scope, &plan.path);
        let diff = unified_diff(&file, plan.old.as_deref(), plan.new.as_deref());
        (file, diff)
    };
    let project = project.iter().map(|plan| diff(Scope::Private, plan));
    project
        .chain(global.iter().map(|plan| diff(Scope::Global, plan)))
        .collect()
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}
