//! The stable JSON of a scan.

use mem_scan::{LocatedFinding, Tally};
use mem_secrets::{Confidence, LeakSeverity};
use serde_json::{Value, json};

/// `{"findings","scanned","suppressed","complete"}`.
pub(super) fn whole(tally: &Tally) -> Value {
    let findings: Vec<Value> = tally.found.iter().map(finding).collect();
    let mut whole = json!({ "findings": findings });
    if let (Some(whole), Value::Object(summary)) = (whole.as_object_mut(), summary(tally)) {
        whole.extend(summary);
    }
    whole
}

/// Each finding, then what stands beside `findings` in [`whole`].
pub(super) fn lines(tally: &Tally) -> Vec<Value> {
    let mut lines: Vec<Value> = tally.found.iter().map(finding).collect();
    lines.push(summary(tally));
    lines
}

fn summary(tally: &Tally) -> Value {
    let mut summary = json!({
        "scanned": { "files": tally.files, "bytes": tally.bytes, "blobs": tally.blobs },
        "suppressed": tally.suppressed,
        "complete": tally.is_complete(),
    });
    if !tally.rejected.is_empty() {
        let rejected = tally.rejected.iter().map(|one| {
            json!({
                "rule": one.rule, "file": one.place.shown, "line": one.line,
                "filter": one.filter.to_string(),
            })
        });
        summary["rejected"] = rejected.collect();
    }
    if !tally.hidden.is_empty() {
        let hidden = tally.hidden.iter().map(|one| {
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
