//! Reports of gitleaks that were accepted as they are: what they list is not
//! reported again.

use serde_json::Value;
use thiserror::Error;

/// Largest report that is parsed.
const BASELINE_BYTES_MAX: usize = 256 << 20;

/// A baseline that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It is no JSON.
    #[error("not JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// It is JSON of another kind.
    #[error("not a list of findings")]
    Shape,
    /// It is too large.
    #[error("larger than {BASELINE_BYTES_MAX} bytes")]
    Size,
}

/// The findings of an earlier report.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    entries: Vec<BaselineEntry>,
}

#[derive(Debug, Clone)]
struct BaselineEntry {
    rule: String,
    file: String,
    line: u64,
    secret: Vec<u8>,
}

impl Baseline {
    /// Parses a JSON report of gitleaks.
    ///
    /// # Errors
    /// When it is no list of findings.
    pub fn parse(json: &[u8]) -> Result<Self, BaselineError> {
        if json.len() > BASELINE_BYTES_MAX {
            return Err(BaselineError::Size);
        }
        let value: Value = serde_json::from_slice(json)?;
        let list = value.as_array().ok_or(BaselineError::Shape)?;
        let entry = |value: &Value| {
            let text = |key: &str| {
                value
                    .get(key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            value.is_object().then(|| BaselineEntry {
                rule: text("RuleID"),
                file: text("File"),
                line: value.get("StartLine").and_then(Value::as_u64).unwrap_or(0),
                secret: text("Secret").into_bytes(),
            })
        };
        let entries: Option<Vec<BaselineEntry>> = list.iter().map(entry).collect();
        Ok(Self {
            entries: entries.ok_or(BaselineError::Shape)?,
        })
    }

    /// Whether the report lists this secret of this rule in this file. A
    /// redacted report does not know the secret; then the line decides.
    #[must_use]
    pub fn contains(&self, rule: &str, file: &str, line: u64, secret: &[u8]) -> bool {
        self.entries.iter().any(|entry| {
            let redacted = entry.secret.is_empty()
                || entry.secret == b"REDACTED"
                || entry.secret.ends_with(b"...");
            let same = if redacted {
                entry.line == line
            } else {
                entry.secret == secret
            };
            same && entry.rule == rule && entry.file == file
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_reports_with_and_without_secrets() {
        let json = br#"[{"RuleID":"jwt","File":"a","StartLine":3,"Secret":"REDACTED"},
            {"RuleID":"jwt","File":"b","StartLine":3,"Secret":"s"}]"#;
        let baseline = Baseline::parse(json).unwrap();
        assert!(baseline.contains("jwt", "a", 3, b"x") && !baseline.contains("jwt", "a", 4, b"x"));
        assert!(baseline.contains("jwt", "b", 9, b"s") && !baseline.contains("jwt", "b", 3, b"x"));
        assert!(matches!(Baseline::parse(b"{}"), Err(BaselineError::Shape)));
    }
}
