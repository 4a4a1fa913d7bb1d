//! What did not come along when a directory became memories or memories became files, as it is shown.

use mem_core::memory_path::escaped;
use mem_stores::folder::SkippedFile;
use serde_json::{Value, json};

use crate::printer::Printer;

/// All of them, as programs read them.
pub(crate) fn skipped_json(all: &[SkippedFile]) -> Vec<Value> {
    let each = all.iter().map(|one| {
        let mut shape = json!({ "path": one.path, "why": one.why });
        if let Some((rule, line)) = &one.secret {
            shape["rule"] = json!(rule);
            shape["line"] = json!(line);
        }
        shape
    });
    each.collect()
}

/// A line for each.
pub(crate) fn warn_of_skipped(all: &[SkippedFile], printer: &Printer) {
    for one in all {
        let path = one.path.as_deref().map(escaped);
        let path = path
            .as_deref()
            .unwrap_or("something with a secret in its name");
        printer.print_warning(format_args!("{path} is left out: {}", one.why));
    }
}
