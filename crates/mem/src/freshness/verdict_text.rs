//! Verdicts as people read them.

use anstyle::Style;
use mem_drift::{CitationReport, CitationStatus, NoteReport, Verdict};

use crate::sanitize::clean;
use crate::style;
use mem_core::plural::format_count;

/// The width of the longest verdict.
const VERDICT_WIDTH: usize = 7;

/// A verdict in its colour, for terminals.
fn painted_verdict(verdict: Verdict) -> String {
    let style = match verdict {
        Verdict::Fresh => style::SUCCESS,
        Verdict::Aging => Style::new(),
        Verdict::Drifted => style::WARNING,
        Verdict::Broken => style::ERROR,
    };
    format!("{style}{}{style:#}", verdict.as_str())
}

/// A verdict, or as much room without one.
pub(crate) fn verdict_mark(verdict: Option<Verdict>) -> String {
    let length = verdict.map_or(0, |verdict| verdict.as_str().len());
    let word = verdict.map(painted_verdict).unwrap_or_default();
    word + &" ".repeat(VERDICT_WIDTH.saturating_sub(length))
}

/// Why a memory is not fresh, in one line; `None` where it is.
pub(crate) fn stale_reason(report: &NoteReport) -> Option<String> {
    let is_fresh = report.verdict == Verdict::Fresh;
    let reasons = one_line(&report.reasons.join("; "));
    (!is_fresh).then(|| format!("{}: {reasons}", painted_verdict(report.verdict)))
}

/// A memory with what its verdict rests on, one line each.
pub(crate) fn brief_line(report: &NoteReport) -> String {
    let reasons = report.reasons.iter().map(|reason| one_line(reason));
    with_lines(report, reasons)
}

/// A memory with all that it cites, one line each.
pub(crate) fn report_lines(report: &NoteReport) -> String {
    let by_age = report
        .reasons
        .iter()
        .filter(|_| report.citations.is_empty());
    let citations = report.citations.iter().map(citation_line);
    with_lines(
        report,
        by_age.map(|reason| one_line(reason)).chain(citations),
    )
}

fn with_lines(report: &NoteReport, lines: impl Iterator<Item = String>) -> String {
    let mut text = format!(
        "{}  {}",
        verdict_mark(Some(report.verdict)),
        clean(&report.file)
    );
    for line in lines {
        text.push_str("\n  ");
        text.push_str(&line);
    }
    text
}

fn citation_line(one: &CitationReport) -> String {
    let status = match one.status {
        CitationStatus::Present => style::FAINT,
        CitationStatus::Gone => style::ERROR,
        CitationStatus::Moved => style::WARNING,
        CitationStatus::Changed | CitationStatus::Never | CitationStatus::Unknown => Style::new(),
    };
    let detail = one.detail.as_deref().map(|detail| format!(": {detail}"));
    let text = one_line(&format!("`{}`", one.text));
    let rest = one_line(&detail.unwrap_or_default());
    format!(
        "{:>4}  {text} {status}{}{status:#}{rest}",
        one.line,
        one.status.as_str()
    )
}

/// How many memories have which verdict.
pub(crate) fn verdict_summary(reports: &[NoteReport]) -> String {
    let all = format_count(reports.len(), "memory", "memories");
    let worst_first = [
        Verdict::Broken,
        Verdict::Drifted,
        Verdict::Aging,
        Verdict::Fresh,
    ];
    let counts = worst_first.into_iter().filter_map(|verdict| {
        let count = reports.iter().filter(|one| one.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict.as_str()))
    });
    format!("{all}: {}", counts.collect::<Vec<_>>().join(", "))
}

/// Foreign text in one line.
fn one_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}
