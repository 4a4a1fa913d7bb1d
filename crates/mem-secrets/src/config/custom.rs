//! A user's own rules, with gitleaks' meaning: a keyword anywhere in the input
//! wakes the rule, then its expression runs over all of it.

use std::ops::Range;

use regex::bytes::Regex;

use super::allowlist::{Allowlist, AllowlistSubject};
use crate::candidate::{Rank, RuleMatch};
use crate::entropy::shannon;
use crate::finding::{Confidence, LeakSeverity};
use crate::lines::LineStarts;
use crate::origin::InputOrigin;

/// A compiled rule of a user.
#[derive(Debug, Clone)]
pub(crate) struct CustomRule {
    /// Where it stands in the text, from line 1.
    pub(super) at_line: usize,
    pub(crate) id: String,
    pub(crate) regex: Option<Regex>,
    pub(crate) path: Option<Regex>,
    pub(crate) group: usize,
    pub(crate) entropy: f32,
    /// In lower case.
    pub(crate) keywords: Vec<String>,
    pub(crate) allowlists: Vec<Allowlist>,
    pub(crate) required: Vec<Required>,
    /// Found for the sake of other rules only.
    pub(crate) silent: bool,
    /// How sure its author is; as of a form that is used for nothing else where nothing is said.
    pub(crate) confidence: Option<Confidence>,
}

/// Another rule that must have found something nearby.
#[derive(Debug, Clone)]
pub(crate) struct Required {
    pub(crate) id: String,
    /// Where it stands in the text, from line 1.
    pub(super) at_line: usize,
    pub(crate) lines: Option<u64>,
    pub(crate) columns: Option<u64>,
}

impl CustomRule {
    /// Puts what this rule says over what the one it extends says.
    pub(super) fn onto(self, base: &mut Self) {
        if self.regex.is_some() {
            base.group = self.group;
        }
        base.regex = self.regex.or(base.regex.take());
        base.path = self.path.or(base.path.take());
        if self.entropy > 0.0 {
            base.entropy = self.entropy;
        }
        base.keywords.extend(self.keywords);
        base.allowlists.extend(self.allowlists);
        base.required.extend(self.required);
        base.silent |= self.silent;
        base.confidence = self.confidence.or(base.confidence);
        base.at_line = self.at_line;
    }

    /// Whether it has something to look for: an entry may only add allowlists
    /// to a rule that ships with the crate.
    pub(crate) fn finds(&self) -> bool {
        self.regex.is_some() || self.path.is_some()
    }

    /// What the rule matches, its allowlists applied.
    pub(crate) fn find<'a>(
        &'a self,
        bytes: &[u8],
        origin: &InputOrigin,
        commit: &str,
    ) -> Vec<RuleMatch<'a>> {
        let path = origin.as_path().unwrap_or_default();
        if self
            .path
            .as_ref()
            .is_some_and(|expression| !expression.is_match(path.as_bytes()))
        {
            return Vec::new();
        }
        let candidate = |span| {
            let mut found = RuleMatch::new(&self.id, LeakSeverity::High, Rank::Formed, span);
            found.confidence = self.confidence.unwrap_or(found.confidence);
            found.is_builtin = false;
            found
        };
        let Some(regex) = &self.regex else {
            return vec![candidate(0..0)];
        };
        let spans = regex.captures_iter(bytes).filter_map(|captures| {
            // Without `secretGroup` gitleaks takes the first group that matched.
            let first = captures
                .iter()
                .skip(1)
                .flatten()
                .find(|group| !group.is_empty());
            let secret = if self.group > 0 {
                captures.get(self.group)
            } else {
                first
            };
            secret.or(captures.get(0)).map(|found| found.range())
        });
        let mut rows = super::LineCursor::new(bytes);
        let kept = spans.filter(|span: &Range<usize>| {
            let secret = &bytes[span.clone()];
            if self.entropy > 0.0 && shannon(secret) <= self.entropy {
                return false;
            }
            if self.allowlists.is_empty() {
                return true;
            }
            let subject = AllowlistSubject {
                rule: &self.id,
                secret,
                line: rows.of(span),
                path,
                commit,
            };
            !self.allowlists.iter().any(|list| list.allows(&subject))
        });
        kept.map(candidate).collect()
    }
}

impl Required {
    /// Whether one of `others` is near enough to `span`.
    pub(crate) fn holds(
        &self,
        lines: &LineStarts,
        span: &Range<usize>,
        others: &[RuleMatch<'_>],
    ) -> bool {
        let mut near = others.iter().filter(|other| other.rule == self.id);
        let (line, column) = lines.locate(span.start);
        near.any(|other| {
            let (other_line, other_column) = lines.locate(other.span.start);
            self.lines
                .is_none_or(|most| line.abs_diff(other_line) <= most)
                && self
                    .columns
                    .is_none_or(|most| line == other_line && column.abs_diff(other_column) <= most)
        })
    }
}
