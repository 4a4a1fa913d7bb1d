//! The stable JSON of a scan.

use mem_scan::{LocatedFinding, ScanTotals};
use mem_secrets::{Confidence, LeakSeverity};
use serde_json::{Value, json};

/// `{"findings","scanned","suppressed","complete"}`.
pub(super) fn whole(totals: &ScanTotals) -> Value {
    let findings: Vec<Value> = totals.found.iter().map(finding).collect();
    let mut whole = json!({ "findings": findings });
    if let (Some(whole), Value::Object(summary)) = (whole.as_object_mut(), summary(totals)) {
        whole.extend(summary);
    }
    whole
}

/// Each finding, then what stands beside `findings` in [`whole`].
pub(super) fn lines(totals: &ScanTotals) -> Vec<Value> {
    let mut lines: Vec<Value> = totals.found.iter().map(finding).collect();
    lines.push(summary(totals));
    lines
}

fn summary(totals: &ScanTotals) -> Value {
    let mut summary = json!({
        "scanned": { "files": totals.files, "bytes": totals.bytes, "blobs": totals.blobs },
        "suppressed": totals.suppressed,
        "complete": totals.is_complete(),
    });
    if !totals.rejected.is_empty() {
        let rejected = totals.rejected.iter().map(|one| {
            json!({
                "rule": one.rule, "file": one.place.shown, "line": one.line,
                "filter": one.filter.to_string(),
            })
        });
        summary["rejected"] = rejected.collect();
    }
    if !totals.hidden.is_empty() {
        let hidden = totals.hidden.iter().map(|one| {
            json!({
                "rule": one.rule, "file": one.place.shown, "line": one.line, "by": one.by,
            })
        });
        summary["hidden"] = hidden.collect();
    }
    summary
}

fn finding(found: &LocatedFinding) -> Value {
    let finding = &found.finding;
    let mut value = json!({
        "rule": finding.rule,
        "severity": severity(finding.severity),
        "confidence": confidence(finding.confidence),
        "file": found.place.shown,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "commit": found.place.commit,
        "fingerprint": found.fingerprint.to_string(),
        "redacted": finding.redacted(),
    });
    if let Some(validity) = &found.validity {
        value["validity"] = json!(validity.word());
        value["validity_reason"] = json!(validity.reason);
    }
    value
}

/// The stable word for a severity.
pub(crate) const fn severity(severity: LeakSeverity) -> &'static str {
    match severity {
        LeakSeverity::Low => "low",
        LeakSeverity::Medium => "medium",
        LeakSeverity::High => "high",
        LeakSeverity::Critical => "critical",
    }
}

/// The stable word for a confidence.
pub(super) const fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
        Confidence::Certain => "certain",
    }
}
