//! From what was found to one word and a few lines.

use mem_core::Now;
use mem_core::compact_sort::CompactSort as _;

use crate::finding::CitationFinding;
use crate::limits::{REASONS_MAX, UNCITED_DAYS_MAX};
use crate::note::DriftInput;
use crate::report::{CitationStatus, NoteReport, Verdict};

/// Judges a note.
pub(crate) fn judge_note(
    note: &DriftInput,
    findings: Vec<CitationFinding>,
    now: Now,
) -> NoteReport {
    let mut verdict = findings
        .iter()
        .map(|found| found.weight)
        .max()
        .unwrap_or(Verdict::Fresh);
    let mut worst: Vec<&CitationFinding> = findings
        .iter()
        .filter(|found| found.weight > Verdict::Fresh)
        .collect();
    worst.compact_sort_by_key(|found| std::cmp::Reverse(found.weight));
    let mut reasons: Vec<String> = worst
        .into_iter()
        .take(REASONS_MAX)
        .map(finding_reason)
        .collect();
    let is_checked = findings.iter().any(CitationFinding::is_checked);
    let age = note.written.map(|written| now.days_since(written));
    if let Some(days) = age.filter(|&days| days > UNCITED_DAYS_MAX && !is_checked) {
        verdict = verdict.max(Verdict::Aging);
        reasons.push(format!(
            "{days} days old, and cites nothing that can be checked"
        ));
    }
    NoteReport {
        file: note.file.clone(),
        verdict,
        reasons,
        citations: findings
            .into_iter()
            .filter(|found| !found.is_as_said)
            .map(|found| found.report)
            .collect(),
    }
}

fn finding_reason(found: &CitationFinding) -> String {
    let report = &found.report;
    let what = match report.status {
        CitationStatus::Moved => "moved",
        CitationStatus::Changed => "changed",
        CitationStatus::Gone => "is gone",
        CitationStatus::Never => "was never there",
        CitationStatus::Present => "is there",
        CitationStatus::Unknown => "cannot be checked",
    };
    let text: String = report.text.chars().filter(|c| !c.is_control()).collect();
    match &report.detail {
        Some(detail) => format!("`{text}` {what}: {detail}"),
        None => format!("`{text}` {what}"),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn judged(seconds: i64) -> Verdict {
        let note = DriftInput {
            written: Timestamp::from_second(0).ok(),
            ..DriftInput::default()
        };
        judge_note(
            &note,
            Vec::new(),
            Now(Timestamp::from_second(seconds).unwrap()),
        )
        .verdict
    }

    #[test]
    fn a_note_that_cites_nothing_ages_after_a_day() {
        assert_eq!(judged(3_600), Verdict::Fresh);
        assert_eq!(judged(86_400), Verdict::Fresh);
        assert_eq!(judged(2 * 86_400), Verdict::Aging);
    }
}
