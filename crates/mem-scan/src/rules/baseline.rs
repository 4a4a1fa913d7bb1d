//! What an earlier report lists is not reported again.

use std::collections::HashSet;
use std::path::Path;

use mem_secrets::{Baseline, BaselineError, Fingerprint, SecretFinding};
use serde_json::Value;

use super::error::RulesError;
use super::sources::read;

/// What a fingerprint is called in SARIF.
pub const SARIF_FINGERPRINT: &str = "memSecret/v1";

/// The findings of an earlier report, of gitleaks or of `mem`.
#[derive(Debug, Default)]
pub struct KnownFindings {
    places: Baseline,
    fingerprints: HashSet<String>,
}

impl KnownFindings {
    /// Reads a report.
    ///
    /// # Errors
    /// It is not there, or no report.
    pub fn load_report(path: &Path) -> Result<Self, RulesError> {
        let text = read(path)?.ok_or_else(|| RulesError::missing_file(path))?;
        if let Some(fingerprints) = own_fingerprints(&text) {
            return Ok(Self {
                fingerprints,
                places: Baseline::default(),
            });
        }
        let fail = |cause: BaselineError| RulesError::Baseline {
            path: path.to_owned(),
            cause,
        };
        Ok(Self {
            places: Baseline::parse(text.as_bytes()).map_err(fail)?,
            fingerprints: HashSet::new(),
        })
    }

    /// Whether the report lists a finding under one of these names of its file.
    pub(crate) fn holds_finding(
        &self,
        finding: &SecretFinding,
        fingerprint: &Fingerprint,
        files: [&str; 2],
    ) -> bool {
        let secret = finding.secret.expose();
        (!self.fingerprints.is_empty() && self.fingerprints.contains(&fingerprint.to_string()))
            || files.iter().any(|file| {
                self.places
                    .contains(&finding.rule, file, finding.line, secret)
            })
    }
}

/// The fingerprints of a report of ours, JSON, SARIF or JSON lines; `None` for anything else.
fn own_fingerprints(text: &str) -> Option<HashSet<String>> {
    let print = |finding: &Value| Some(finding.get("fingerprint")?.as_str()?.to_owned());
    if let Ok(report) = serde_json::from_str::<Value>(text) {
        if let Some(findings) = report.get("findings") {
            return findings.as_array()?.iter().map(print).collect();
        }
        if let Some(runs) = report.get("runs") {
            return sarif_fingerprints(runs);
        }
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    // The summary comes last.
    let (summary, findings) = lines.as_deref()?.split_last()?;
    summary.get("complete")?;
    findings.iter().map(print).collect()
}

/// The fingerprints in the runs of a SARIF log.
fn sarif_fingerprints(runs: &Value) -> Option<HashSet<String>> {
    let runs = runs.as_array()?.iter();
    let results: Option<Vec<&Vec<Value>>> =
        runs.map(|run| run.get("results")?.as_array()).collect();
    let print = |result: &Value| {
        let prints = result.get("partialFingerprints")?;
        Some(prints.get(SARIF_FINGERPRINT)?.as_str()?.to_owned())
    };
    results?.into_iter().flatten().map(print).collect()
}
