//! `.gitleaksignore`: fingerprints that stand for places, `commit:file:rule:line`
//! or `file:rule:line`. They hide whatever comes to stand at that place, so our
//! own allows use keyed hashes instead; these are read for those who have them.

use thiserror::Error;

/// Largest ignore file that is read.
const IGNORE_BYTES_MAX: usize = 16 << 20;

/// A line that is no fingerprint of a place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: `{text}` is not `file:rule:line` or `commit:file:rule:line`")]
pub struct IgnoreError {
    /// Line of the ignore file, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

/// The places of an ignore file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignore {
    places: Vec<IgnoredPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct IgnoredPlace {
    commit: Option<String>,
    file: String,
    rule: String,
    line: u64,
}

impl Ignore {
    /// Parses an ignore file: one fingerprint a line, `#` begins a comment.
    /// Lines that cannot be read are given back beside the rest: one bad line
    /// must not switch the others off.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<IgnoreError>) {
        let mut ignore = Self::default();
        let mut errors = Vec::new();
        let text = text
            .get(..text.floor_char_boundary(IGNORE_BYTES_MAX))
            .unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match place(line) {
                Some(place) => ignore.places.push(place),
                None => errors.push(IgnoreError {
                    line: index + 1,
                    text: line.to_owned(),
                }),
            }
        }
        (ignore, errors)
    }

    /// Whether a finding of `rule` at this place is ignored. Without a commit
    /// in the fingerprint it is ignored in every commit.
    #[must_use]
    pub fn contains(&self, commit: Option<&str>, file: &str, rule: &str, line: u64) -> bool {
        self.places.iter().any(|place| {
            place.line == line
                && place.rule == rule
                && place.file == file
                && (place.commit.is_none() || place.commit.as_deref() == commit)
        })
    }
}

fn place(text: &str) -> Option<IgnoredPlace> {
    let (rest, line) = text.rsplit_once(':')?;
    let (rest, rule) = rest.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let commit = rest.split_once(':').filter(|(head, _)| {
        matches!(head.len(), 40 | 64) && head.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let (commit, file) = match commit {
        Some((commit, file)) => (Some(commit.to_owned()), file),
        None => (None, rest),
    };
    let complete = !file.is_empty() && !rule.is_empty();
    complete.then(|| IgnoredPlace {
        commit,
        file: file.to_owned(),
        rule: rule.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_and_bad_lines() {
        let commit = "ab".repeat(20);
        let text = format!("# old\n{commit}:a/b.py:jwt:7\nc:\\d.ts:generic-api-key:3\nnonsense\n");
        let (ignore, errors) = Ignore::parse(&text);
        assert!(ignore.contains(Some(&commit), "a/b.py", "jwt", 7));
        assert!(!ignore.contains(None, "a/b.py", "jwt", 7));
        assert!(ignore.contains(None, "c:\\d.ts", "generic-api-key", 3));
        assert_eq!(
            errors,
            [IgnoreError {
                line: 4,
                text: "nonsense".to_owned()
            }]
        );
    }
}
