//! What agents wrote since a person last looked, in lines.

use mem_admin::status::AgentActivity;
use mem_core::plural;

use crate::sanitize::clean;
use crate::style::{HINT, WARNING};

/// Files that are named.
const NAMED_MAX: usize = 5;

/// The lines for people.
pub(super) fn status_lines(agents: &AgentActivity) -> Vec<String> {
    let mut lines = Vec::new();
    if agents.changes > 0 {
        let since = agents.since.map_or_else(String::new, |time| {
            format!(" since you looked on {}", time.strftime("%Y-%m-%d %H:%M"))
        });
        let what = [("wrote", &agents.written), ("removed", &agents.removed)]
            .into_iter()
            .filter(|(_, files)| !files.is_empty())
            .map(|(verb, files)| format!("{verb} {}", first_files(files)));
        let what: Vec<String> = what.collect();
        lines.push(format!(
            "  agents {}{since}\n    {HINT}hint{HINT:#}: `mem history` tells more, `mem undo ID` takes a change back",
            what.join(" and ")
        ));
    }
    for (session, changes) in agents.by_session().iter().take(NAMED_MAX) {
        let files = changes.iter().map(|(_, files)| files).sum();
        let memories = plural::format_count(files, "memory", "memories");
        let undo: Vec<String> = changes
            .iter()
            .map(|(change, _)| format!("`mem undo {change}`"))
            .collect();
        let takes = if undo.len() == 1 { "takes" } else { "take" };
        lines.push(format!(
            "  taken from what was said in session {}: {memories}\n    {HINT}hint{HINT:#}: {} {takes} it back",
            clean(session),
            undo.join(", ")
        ));
    }
    if agents.waiting > 0 {
        let writes = plural::format_count(agents.waiting, "write", "writes");
        let untrusted = match agents.untrusted {
            0 => String::new(),
            count => format!(", {count} after text of others"),
        };
        lines.push(format!(
            "  {WARNING}waiting{WARNING:#}: {writes} of agents{untrusted}\n    {HINT}hint{HINT:#}: `mem inbox` shows them"
        ));
    }
    if agents.from_team > 0 {
        let files = plural::count_files(agents.from_team);
        lines.push(format!(
            "  {WARNING}waiting{WARNING:#}: {files} of colleagues\n    {HINT}hint{HINT:#}: `mem inbox` shows them"
        ));
    }
    lines
}

/// The first few files by name, and how many more.
fn first_files(files: &[String]) -> String {
    let shown: Vec<_> = files
        .iter()
        .take(NAMED_MAX)
        .map(|file| clean(file))
        .collect();
    match files.len().saturating_sub(NAMED_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
