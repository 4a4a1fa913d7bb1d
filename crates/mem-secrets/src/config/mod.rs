//! What users write: gitleaks configurations as they are found in the wild,
//! ignore files, inline comments, baselines.
//!
//! A configuration adds rules and allows findings; it never takes the rules
//! that ship with the crate away unseen, because every finding that it hides
//! is reported as hidden.

mod allowlist;
mod baseline;
mod custom;
mod error;
mod expression;
mod ignore;
mod inline;
mod line;
mod read;

pub(crate) use self::allowlist::{Allowlist, AllowlistSubject};
pub use self::baseline::{Baseline, BaselineError};
pub(crate) use self::custom::CustomRule;
pub use self::error::{RuleProblem, RulesConfigError};
pub use self::ignore::{Ignore, IgnoreError};
pub use self::inline::allowed_by_comment;
pub(crate) use self::line::LineCursor;

use crate::fingerprint::Fingerprint;

/// A parsed `.betterleaks.toml`, `.gitleaks.toml`, `gitleaks.toml` or `.mem/secrets.toml`. What validates a finding
/// (`validate`) is left alone: whom a token is shown to is no matter of a repository.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub(crate) rules: Vec<CustomRule>,
    pub(crate) allowlists: Vec<Allowlist>,
    pub(crate) disabled: Vec<String>,
    /// `[extend] path`, for the caller to read: this crate reads no files.
    extends: Option<String>,
    /// Whether expressions of betterleaks would drop some of what is found.
    has_expressions: bool,
    /// `[[allow]]` entries of `.mem/secrets.toml`.
    allows: Vec<Fingerprint>,
}

impl Config {
    /// Parses a configuration.
    ///
    /// # Errors
    /// With the line and the rule, when the text is no TOML, an expression
    /// does not compile or a value has the wrong type.
    pub fn parse(text: &str) -> Result<Self, RulesConfigError> {
        read::config(text)
    }

    /// Looks for what would silently find nothing, once everything that is
    /// extended is there.
    ///
    /// # Errors
    /// With the line and the rule, when a rule looks for nothing and adjusts
    /// no other, or requires one that does not exist.
    pub fn check(&self) -> Result<(), RulesConfigError> {
        let ships = |id: &str| crate::builtin::RULES.iter().any(|rule| rule.id() == id);
        let known = |id: &str| ships(id) || self.rules.iter().any(|rule| rule.id == id);
        for rule in &self.rules {
            let error = |line, problem| RulesConfigError {
                line,
                rule: Some(rule.id.clone()),
                problem,
            };
            if !rule.finds() && !ships(&rule.id) {
                return Err(error(rule.at_line, RuleProblem::Empty));
            }
            if let Some(lost) = rule.required.iter().find(|one| !known(&one.id)) {
                let problem = RuleProblem::RequiredUnknown(lost.id.clone());
                return Err(error(lost.at_line, problem));
            }
        }
        Ok(())
    }

    /// The file that this one extends, relative to the repository's root.
    #[must_use]
    pub fn extends(&self) -> Option<&str> {
        self.extends.as_deref()
    }

    /// Whether there are expressions of betterleaks (`filter`, `prefilter`), which are not evaluated: what they would
    /// drop is reported.
    #[must_use]
    pub fn has_expressions(&self) -> bool {
        self.has_expressions
    }

    /// Fingerprints that are allowed, each with a reason beside it.
    #[must_use]
    pub fn allows(&self) -> &[Fingerprint] {
        &self.allows
    }

    /// This configuration on top of the one it extends: what a rule of the
    /// same id says goes before what the other says, lists add up.
    #[must_use]
    pub fn on(mut self, base: Self) -> Self {
        let mut rules = base.rules;
        for own in std::mem::take(&mut self.rules) {
            match rules.iter_mut().find(|rule| rule.id == own.id) {
                Some(rule) => own.onto(rule),
                None => rules.push(own),
            }
        }
        self.rules = rules;
        self.allowlists.extend(base.allowlists);
        self.disabled.extend(base.disabled);
        self.has_expressions |= base.has_expressions;
        self.allows.extend(base.allows);
        self
    }
}
