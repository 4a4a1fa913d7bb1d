//! What a user declares harmless, in both generations of gitleaks' notation.

use regex::bytes::Regex;

use super::line::LineContext;

/// One allowlist: criteria of which one, or all, must hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowlist {
    pub(crate) commits: Vec<String>,
    pub(crate) paths: Vec<Regex>,
    pub(crate) regexes: Vec<Regex>,
    pub(crate) target: AllowlistTarget,
    pub(crate) stopwords: Vec<String>,
    pub(crate) all: bool,
    /// Only findings of these rules; every rule when empty.
    pub(crate) rules: Vec<String>,
}

/// What an allowlist's expressions are matched against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum AllowlistTarget {
    /// The secret alone.
    #[default]
    Secret,
    /// Everything the rule matched; for rules without an expression the line.
    Match,
    /// The whole line.
    Line,
}

/// A finding, as far as an allowlist looks at it.
pub(crate) struct AllowlistSubject<'a> {
    pub(crate) rule: &'a str,
    pub(crate) secret: &'a [u8],
    pub(crate) line: &'a LineContext<'a>,
    pub(crate) path: &'a str,
    pub(crate) commit: &'a str,
}

impl Allowlist {
    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.commits.is_empty()
            && self.paths.is_empty()
            && self.regexes.is_empty()
            && self.stopwords.is_empty()
    }

    /// Whether the finding is allowed.
    pub(crate) fn allows(&self, subject: &AllowlistSubject<'_>) -> bool {
        if !self.rules.is_empty() && !self.rules.iter().any(|rule| rule == subject.rule) {
            return false;
        }
        let checks = self.checks(subject);
        let mut given = checks.iter().flatten();
        if self.all {
            given.clone().count() > 0 && given.all(|held| *held)
        } else {
            given.any(|held| *held)
        }
    }

    /// Whether each criterion holds, and nothing for those that are not given.
    fn checks(&self, subject: &AllowlistSubject<'_>) -> [Option<bool>; 4] {
        let matches = || match self.target {
            AllowlistTarget::Secret => self.regexes.iter().any(|one| one.is_match(subject.secret)),
            AllowlistTarget::Match | AllowlistTarget::Line => subject.line.matches(self),
        };
        let lower = String::from_utf8_lossy(subject.secret).to_lowercase();
        let given = |empty: bool, held: bool| (!empty).then_some(held);
        let commit = |known: &String| {
            !subject.commit.is_empty() && subject.commit.starts_with(known.as_str())
        };
        [
            given(self.commits.is_empty(), self.commits.iter().any(commit)),
            given(
                self.paths.is_empty(),
                self.paths
                    .iter()
                    .any(|path| path.is_match(subject.path.as_bytes())),
            ),
            (!self.regexes.is_empty()).then(matches),
            given(
                self.stopwords.is_empty(),
                self.stopwords.iter().any(|word| lower.contains(word)),
            ),
        ]
    }
}
