//! How the last distillation went, in lines.

use mem_admin::status::DistillationStatus;
use mem_core::Now;

use crate::age::age_text;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// Warnings of a night that a status shows; the shape has all of them.
const WARNINGS_SHOWN_MAX: usize = 3;

/// The lines for people; none where nothing was ever distilled, and nothing is to be.
pub(super) fn status_lines(dream: &DistillationStatus, now: Now) -> Vec<String> {
    let mut lines = Vec::new();
    if dream.is_of_host {
        lines.push(
            "  Claude Code distils this memory (`autoDreamEnabled` in its settings): `dream.nightly` does not run"
                .to_owned(),
        );
    }
    let Some(last) = &dream.last else {
        return lines;
    };
    let age = age_text(now, last.time);
    let ago = if age.contains(' ') { " ago" } else { "" };
    let undone = dream.undone.as_ref();
    let is_undone = undone.is_some_and(|made| last.change.as_ref() == Some(&made.change));
    let taken_back = if is_undone {
        ", and taken back since"
    } else {
        ""
    };
    match &last.trouble {
        Some(trouble) => lines.push(format!(
            "  {WARNING}not distilled{WARNING:#} {age}{ago}: {}",
            one_line(trouble)
        )),
        None => lines.push(format!(
            "  distilled {age}{ago}: {}{taken_back}",
            one_line(&last.summary)
        )),
    }
    let shown = last.warnings.iter().take(WARNINGS_SHOWN_MAX);
    lines.extend(shown.map(|one| format!("    {WARNING}warning{WARNING:#}: {}", one_line(one))));
    let more = last.warnings.len().saturating_sub(WARNINGS_SHOWN_MAX);
    if more > 0 {
        lines.push(format!("    and {more} more (`mem status --json`)"));
    }
    if let Some(made) = undone {
        let which = match is_undone {
            true => "",
            false => "what was distilled before that is taken back: ",
        };
        let again = made.rerun_hint();
        lines.push(format!("    {HINT}hint{HINT:#}: {which}{again}"));
    } else if let Some(change) = &last.change {
        lines.push(format!(
            "    {HINT}hint{HINT:#}: `mem undo {}` takes it back",
            one_line(change)
        ));
    }
    lines
}
