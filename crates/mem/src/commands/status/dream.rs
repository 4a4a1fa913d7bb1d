//! How the last distillation went.

use mem_core::location::Place;
use mem_core::memory::Memory;
use mem_core::{Now, Scope};
use serde_json::{Value, json};

use crate::age::age;
use crate::dreaming::nightly;
use crate::dreaming::remembered::{Last, Remembered};
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// What a status tells of it.
#[derive(Debug, Default)]
pub(super) struct Dream {
    is_nightly: bool,
    last: Option<Last>,
}

impl Dream {
    /// Looks at what is remembered.
    pub(super) fn of(memory: &Memory, place: &Place) -> Self {
        let remembered = Remembered::of(memory.store(Scope::Private).places());
        Self {
            is_nightly: nightly::is_set(place),
            last: remembered.last,
        }
    }

    /// The lines for people; none where nothing was ever distilled.
    pub(super) fn lines(&self, now: Now) -> Vec<String> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        let age = age(now, last.time);
        let ago = if age.contains(' ') { " ago" } else { "" };
        let mut lines = Vec::new();
        match &last.trouble {
            Some(trouble) => lines.push(format!(
                "  {WARNING}not distilled{WARNING:#} {age}{ago}: {}",
                one_line(trouble)
            )),
            None => lines.push(format!(
                "  distilled {age}{ago}: {}",
                one_line(&last.summary)
            )),
        }
        if let Some(change) = &last.change {
            lines.push(format!(
                "    {HINT}hint{HINT:#}: `mem undo {}` takes it back",
                one_line(change)
            ));
        }
        lines
    }

    /// The stable shape; null where nothing was ever distilled, and nothing will be.
    pub(super) fn json(&self) -> Value {
        if self.last.is_none() && !self.is_nightly {
            return Value::Null;
        }
        let last = self.last.as_ref();
        json!({
            "nightly": self.is_nightly,
            "time": last.map(|last| last.time.to_string()),
            "summary": last.map(|last| &last.summary),
            "change": last.and_then(|last| last.change.as_ref()),
            "waiting": last.map_or(0, |last| last.waiting),
            "trouble": last.and_then(|last| last.trouble.as_ref()),
        })
    }
}
