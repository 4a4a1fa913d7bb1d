//! The indexes that the host does not load by itself, and what their memories' code has become.

use mem_find::verdicts::Verdicts;
use std::collections::BTreeSet;

use jiff::Timestamp;
use mem_core::index::{MemoryIndex, load_index};
use mem_core::memory::{Note, ScopeDir};
use mem_core::notes::INDEX_FILE;
use mem_core::{MemoryPath, Now, Scope};
use mem_drift::{NoteReport, Verdict};
use mem_find::context_text::{age_caution, age_words, escape_attribute, escape_data};

use crate::call::HookCall;
use crate::page::ContextPart;
use mem_core::foreign_text::one_line;
use mem_find::refresh_process;

/// Of why a memory drifted, so much is told.
const REASON_CHARS_MAX: usize = 200;

/// The index of a tier.
pub(crate) struct TierIndex {
    pub(crate) scope: Scope,
    path: std::path::PathBuf,
    bytes: Vec<u8>,
    changed: Option<Timestamp>,
}

impl TierIndex {
    /// Reads it; `None` where there is none.
    pub(crate) fn read(call: &HookCall<'_>, scope: Scope) -> Option<Self> {
        let store = call.memory.store(scope);
        let path = ScopeDir(scope).path(INDEX_FILE).ok()?;
        let bytes = store.read(&path).ok()??;
        let path = store.places().root.join(path.as_str());
        let changed = std::fs::metadata(&path).and_then(|meta| meta.modified());
        Some(Self {
            scope,
            changed: changed.ok().and_then(|time| Timestamp::try_from(time).ok()),
            path,
            bytes,
        })
    }

    /// The index as a host would load it.
    pub(crate) fn context_part(&self, now: Now) -> ContextPart {
        let text = load_index(&self.bytes).text;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let days = self.changed.map_or(0, |changed| now.days_since(changed));
        let path = self.path.to_string_lossy();
        ContextPart {
            label: format!("index:{}", self.scope),
            open: format!(
                "<memory-index scope=\"{}\" file=\"{}\" age=\"{}\">",
                self.scope,
                escape_attribute(&path),
                age_words(days)
            ),
            lines: lines.map(escape_data).collect(),
            remark: age_caution(days),
            close: "</memory-index>",
            whole: "the file has them".to_owned(),
            weight: 2,
        }
    }

    /// The memories that what is loaded of the index points to.
    fn listed_notes(&self, call: &HookCall<'_>) -> Vec<Note> {
        let Ok(snapshot) = call.memory.store(self.scope).snapshot() else {
            return Vec::new();
        };
        let text = load_index(&self.bytes).text;
        let index = MemoryIndex::parse(text.as_bytes());
        let paths = index
            .entries()
            .filter_map(|(_, entry)| ScopeDir(self.scope).path(entry.file()).ok());
        let paths: BTreeSet<MemoryPath> = paths.collect();
        let read = |path: &MemoryPath| Note::read(&snapshot, self.scope, path).ok().flatten();
        paths.iter().filter_map(read).collect()
    }
}

/// One line for each memory that is pointed to and whose code moved or is gone. What is not known in a large
/// checkout is found out behind, for the next time.
pub(crate) fn drift_part(call: &HookCall<'_>, indexes: &[TierIndex]) -> Option<ContextPart> {
    let verdicts = Verdicts::for_place(&call.place, call.run).ok()?;
    if !verdicts.has_repository() {
        return None;
    }
    let notes: Vec<Note> = indexes
        .iter()
        .filter(|index| index.scope != Scope::Global)
        .flat_map(|index| index.listed_notes(call))
        .collect();
    let found = match verdicts.is_small() {
        true => verdicts.looked_up(&notes).ok(),
        false => None,
    };
    let reports: Vec<Option<NoteReport>> = match found {
        Some(reports) => reports.into_iter().map(Some).collect(),
        None => verdicts.remembered_reports(&notes),
    };
    let is_behind = reports.iter().any(Option::is_none);
    if is_behind
        && call.place.config.values.recall.background
        && let Ok(dirs) = call.run.dirs()
    {
        refresh_process::send_refresh(dirs, &call.run.cwd);
    }
    let drifted =
        |report: &NoteReport| matches!(report.verdict, Verdict::Broken | Verdict::Drifted);
    let lines: Vec<String> = reports
        .iter()
        .flatten()
        .filter(|one| drifted(one))
        .map(drift_line)
        .collect();
    (!lines.is_empty()).then(|| ContextPart {
        label: "drift".to_owned(),
        open: "<memory-drift>\nMemories that the code has left behind since they were written:"
            .to_owned(),
        lines,
        remark: String::new(),
        close: "</memory-drift>",
        whole: "`mem verify` lists all".to_owned(),
        weight: 1,
    })
}

fn drift_line(report: &NoteReport) -> String {
    let reasons: String = one_line(&report.reasons.join("; "));
    let reasons: String = reasons.chars().take(REASON_CHARS_MAX).collect();
    let file = one_line(&report.file);
    escape_data(&format!(
        "- {file} is {}: {reasons}",
        report.verdict.as_str()
    ))
}
