//! How the last distillation went.

use mem_agent::distillation::nightly;
use mem_agent::distillation::state::{ChangingRun, DistillState, LastRun};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::{Now, Scope};
use serde_json::{Value, json};

use crate::age::age_text;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// Warnings of a night that a status shows; the shape has all of them.
const WARNINGS_SHOWN_MAX: usize = 3;

/// What a status tells of it.
#[derive(Debug, Default)]
pub(super) struct Dream {
    is_nightly: bool,
    /// Whether the host distils in the place of a nightly run that a person wants.
    is_of_host: bool,
    last: Option<LastRun>,
    /// The last one that changed something, where that was taken back.
    undone: Option<ChangingRun>,
}

impl Dream {
    /// Looks at what is remembered.
    pub(super) fn for_memory(memory: &ProjectMemory, place: &ProjectContext) -> Self {
        let store = memory.store(Scope::Private);
        let remembered = DistillState::for_paths(store.places()).with_settled_run(store);
        Self {
            is_nightly: place.distils_at_night(),
            is_of_host: nightly::is_wanted(place) && place.location.is_distilled_by_host,
            undone: remembered.undone_run(store).cloned(),
            last: remembered.last,
        }
    }

    /// The lines for people; none where nothing was ever distilled, and nothing is to be.
    pub(super) fn status_lines(&self, now: Now) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_of_host {
            lines.push(
                "  Claude Code distils this memory (`autoDreamEnabled` in its settings): `dream.nightly` does not run"
                    .to_owned(),
            );
        }
        let Some(last) = &self.last else {
            return lines;
        };
        let age = age_text(now, last.time);
        let ago = if age.contains(' ') { " ago" } else { "" };
        let undone = self.undone.as_ref();
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
        lines
            .extend(shown.map(|one| format!("    {WARNING}warning{WARNING:#}: {}", one_line(one))));
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

    /// The stable shape; null where nothing was ever distilled, and nothing will be.
    pub(super) fn to_json(&self) -> Value {
        if self.last.is_none() && !self.is_nightly && !self.is_of_host {
            return Value::Null;
        }
        let last = self.last.as_ref();
        json!({
            "nightly": self.is_nightly,
            "by_host": self.is_of_host,
            "time": last.map(|last| last.time.to_string()),
            "summary": last.map(|last| &last.summary),
            "change": last.and_then(|last| last.change.as_ref()),
            "waiting": last.map_or(0, |last| last.waiting),
            "undone": self.undone.is_some(),
            "trouble": last.and_then(|last| last.trouble.as_ref()),
            "warnings": last.map_or(&[][..], |last| &last.warnings),
        })
    }
}
