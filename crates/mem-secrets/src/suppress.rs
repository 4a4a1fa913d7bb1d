//! Applies what a user allows to the findings of a scan, and keeps what was
//! hidden, so that it can be counted and shown.

use crate::config::{Allowlist, AllowlistSubject, Config, LineCursor};
use crate::finding::SecretFinding;
use crate::origin::InputOrigin;

/// A finding that a user's configuration hides.
#[derive(Debug, Clone, PartialEq)]
pub struct Suppressed {
    /// The finding.
    pub finding: SecretFinding,
    /// What hides it.
    pub by: Suppressor,
}

/// What hides a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suppressor {
    /// A `gitleaks:allow` or `mem:allow` comment.
    Comment,
    /// An allowlist of the configuration.
    Allowlist,
    /// `disabledRules`.
    Disabled,
}

/// What hides a finding, if anything does.
pub(crate) fn suppressor(
    config: Option<&Config>,
    comments: bool,
    finding: &SecretFinding,
    lines: &mut LineCursor<'_>,
    origin: &InputOrigin,
) -> Option<Suppressor> {
    if !comments && config.is_none() {
        return None;
    }
    let span = finding.span.start as usize..finding.span.end as usize;
    let line = lines.of(&span);
    if comments && line.is_allowed() {
        return Some(Suppressor::Comment);
    }
    let config = config?;
    // Every rule that matched must be disabled or allowed, not only the first.
    let disabled = |rule: &str| config.disabled.iter().any(|id| id == rule);
    let mut rules = std::iter::once(&finding.rule).chain(&finding.also);
    if rules.all(|rule| disabled(rule)) {
        return Some(Suppressor::Disabled);
    }
    let subject = |rule| AllowlistSubject {
        rule,
        secret: finding.secret.expose(),
        line,
        path: origin.as_path().unwrap_or_default(),
        commit: origin.commit().unwrap_or_default(),
    };
    let own = config.rules.iter().filter(|rule| rule.id == finding.rule);
    let lists = own
        .flat_map(|rule| &rule.allowlists)
        .chain(&config.allowlists);
    let allows = |list: &Allowlist| list.allows(&subject(&finding.rule));
    lists
        .into_iter()
        .any(allows)
        .then_some(Suppressor::Allowlist)
}
