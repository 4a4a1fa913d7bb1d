//! The indexes that the host does not load by itself, and what their memories' code has become.

use jiff::Timestamp;
use mem_core::index::{Index, loaded};
use mem_core::memory::{Note, Tier};
use mem_core::notes::INDEX_FILE;
use mem_core::{Now, Scope, regular_file};
use mem_drift::{NoteReport, Verdict};

use super::asked::Asked;
use super::page::Part;
use crate::recall::context_text::{age, attribute, caution, data};
use crate::recall::{background, settings};
use crate::sanitize::one_line;

/// An index of more bytes is cut long before its end.
const INDEX_BYTES_READ_MAX: u64 = 4 * 1024 * 1024;
/// Of why a memory drifted, so much is told.
const REASON_CHARS_MAX: usize = 200;

/// The index of a tier.
pub(super) struct TierIndex {
    pub(super) scope: Scope,
    path: std::path::PathBuf,
    bytes: Vec<u8>,
    changed: Option<Timestamp>,
}

impl TierIndex {
    /// Reads it; `None` where there is none.
    pub(super) fn read(asked: &Asked<'_>, scope: Scope) -> Option<Self> {
        let root = &asked.memory.store(scope).places().root;
        let path = root.join(Tier(scope).prefix()).join(INDEX_FILE);
        let bytes = regular_file::read(&path, INDEX_BYTES_READ_MAX).ok()?;
        let changed = std::fs::metadata(&path).and_then(|meta| meta.modified());
        Some(Self {
            scope,
            changed: changed.ok().and_then(|time| Timestamp::try_from(time).ok()),
            path,
            bytes,
        })
    }

    /// The index as a host would load it.
    pub(super) fn part(&self, now: Now) -> Part {
        let text = loaded(&self.bytes).text;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let days = self.changed.map_or(0, |changed| now.days_since(changed));
        let path = self.path.to_string_lossy();
        Part {
            label: format!("index:{}", self.scope),
            open: format!(
                "<memory-index scope=\"{}\" file=\"{}\" age=\"{}\">",
                self.scope,
                attribute(&path),
                age(days)
            ),
            lines: lines.map(data).collect(),
            remark: caution(days),
            close: "</memory-index>",
            whole: "the file has them".to_owned(),
            weight: 2,
        }
    }
}

/// One line for each memory in an index whose code moved or is gone. What is not known in a large
/// checkout is found out behind, for the next time.
pub(super) fn drift(asked: &Asked<'_>, indexes: &[TierIndex]) -> Option<Part> {
    let verdicts = asked.context.verdicts(&asked.place).ok()?;
    if !verdicts.has_repository() {
        return None;
    }
    let listing = asked.memory.list(&[Scope::Private, Scope::Team]).ok()?;
    let parsed = indexes
        .iter()
        .map(|index| (index.scope, Index::parse(&index.bytes)));
    let parsed: Vec<(Scope, Index<'_>)> = parsed.collect();
    let is_indexed = |note: &Note| {
        let mut of_tier = parsed.iter().filter(|(scope, _)| *scope == note.scope);
        of_tier.any(|(_, index)| index.entries().any(|(_, one)| one.points_to(&note.file)))
    };
    let notes: Vec<Note> = listing.notes.into_iter().filter(is_indexed).collect();
    let found = match verdicts.is_small() {
        true => verdicts.looked_up(&notes).ok(),
        false => None,
    };
    let reports: Vec<Option<NoteReport>> = match found {
        Some(reports) => reports.into_iter().map(Some).collect(),
        None => verdicts.remembered(&notes),
    };
    let is_behind = reports.iter().any(Option::is_none);
    if is_behind
        && settings::is_background_allowed(&asked.place.config)
        && let Ok(dirs) = asked.context.dirs()
    {
        background::send(dirs, &asked.context.cwd);
    }
    let drifted =
        |report: &NoteReport| matches!(report.verdict, Verdict::Broken | Verdict::Drifted);
    let lines: Vec<String> = reports
        .iter()
        .flatten()
        .filter(|one| drifted(one))
        .map(line)
        .collect();
    (!lines.is_empty()).then(|| Part {
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

fn line(report: &NoteReport) -> String {
    let reasons: String = one_line(&report.reasons.join("; "));
    let reasons: String = reasons.chars().take(REASON_CHARS_MAX).collect();
    let file = one_line(&report.file);
    data(&format!(
        "- {file} is {}: {reasons}",
        report.verdict.as_str()
    ))
}
