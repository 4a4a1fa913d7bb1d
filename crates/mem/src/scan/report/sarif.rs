//! SARIF 2.1.0 (OASIS), as code scanning services read it.

use mem_scan::rules::SARIF_FINGERPRINT;
use mem_scan::{LocatedFinding, ScanTotals};
use mem_secrets::{LeakSeverity, rule_description};
use serde_json::{Value, json};

use super::json::{confidence, severity};
use super::next_step::next_step;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of one run.
pub(super) fn log(totals: &ScanTotals) -> Value {
    let mut ids: Vec<&str> = totals
        .found
        .iter()
        .map(|one| one.finding.rule.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id)).collect();
    let results: Vec<Value> = totals.found.iter().map(|one| result(one, &ids)).collect();
    let notices: Vec<Value> = super::shown_problems(totals)
        .map(|text| json!({ "level": "error", "message": { "text": text } }))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mem",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": totals.is_complete(),
                "toolExecutionNotifications": notices,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(id: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": rule_description(id) } })
}

fn result(found: &LocatedFinding, ids: &[&str]) -> Value {
    let finding = &found.finding;
    let index = ids.iter().position(|id| *id == finding.rule);
    let text = format!(
        "{}: {}; {}",
        rule_description(&finding.rule),
        finding.redacted(),
        next_step(found)
    );
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&found.place.shown) },
            "region": region(found),
        } }],
        "partialFingerprints": { SARIF_FINGERPRINT: found.fingerprint.to_string() },
        "properties": {
            "severity": severity(finding.severity),
            "confidence": confidence(finding.confidence),
        },
    });
    if let Some(commit) = &found.place.commit {
        result["properties"]["commit"] = json!(commit);
    }
    if let Some(validity) = &found.validity {
        result["properties"]["validity"] = json!(validity.word());
        result["properties"]["validityReason"] = json!(validity.reason);
    }
    result
}

/// Without columns a region is of whole lines.
fn region(found: &LocatedFinding) -> Value {
    let finding = &found.finding;
    let mut region = json!({ "startLine": finding.line, "endLine": finding.end_line });
    if let Some((start, end)) = found.code_point_columns {
        region["startColumn"] = json!(start);
        region["endColumn"] = json!(end);
    }
    region
}

const fn level(severity: LeakSeverity) -> &'static str {
    match severity {
        LeakSeverity::Critical | LeakSeverity::High => "error",
        LeakSeverity::Medium => "warning",
        LeakSeverity::Low => "note",
    }
}

/// A path as a URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a b/ä.txt"), "a%20b/%C3%A4.txt");
    }
}
