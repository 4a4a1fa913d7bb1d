//! What the daemon pruned last, in lines.

use mem_admin::status::PruningStatus;
use mem_core::Now;
use mem_core::plural::format_count;

use crate::age::age_text;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// The lines for people; none where nothing was ever pruned.
pub(super) fn status_lines(pruning: &PruningStatus, now: Now) -> Vec<String> {
    let Some(last) = &pruning.last else {
        return Vec::new();
    };
    let age = age_text(now, last.time);
    let ago = if age.contains(' ') { " ago" } else { "" };
    let what = format!(
        "{} ({})",
        format_count(last.count, "memory", "memories"),
        one_line(&last.reason)
    );
    match (&last.trouble, &last.change) {
        (Some(trouble), _) => vec![format!(
            "  {WARNING}not pruned{WARNING:#} {age}{ago}, {what}: {}",
            one_line(trouble)
        )],
        (None, Some(change)) if !pruning.is_undone => vec![
            format!("  pruned {age}{ago}: {what}"),
            format!(
                "    {HINT}hint{HINT:#}: `mem undo {}` brings them back, for good",
                one_line(change)
            ),
        ],
        _ => vec![format!(
            "  pruned {age}{ago}: {what}, and brought back since"
        )],
    }
}
