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

pub(crate) use self::allowlist::{Allowlist, Subject};
pub use self::baseline::{Baseline, BaselineError};
pub(crate) use self::custom::CustomRule;
pub use self::error::{ConfigError, Problem};
pub use self::ignore::{Ignore, IgnoreError};
pub(crate) use self::line::Lines;

use crate::fingerprint::Fingerprint;

/// A parsed `gitleaks.toml`, `.gitleaks.toml` or `.mem/secrets.toml`.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub(crate) rules: Vec<CustomRule>,
    pub(crate) allowlists: Vec<Allowlist>,
    pub(crate) disabled: Vec<String>,
    /// `[extend] path`, for the caller to read: this crate reads no files.
    extends: Option<String>,
    /// `[[allow]]` entries of `.mem/secrets.toml`.
    allows: Vec<Fingerprint>,
}

impl Config {
    /// Parses a configuration.
    ///
    /// # Errors
    /// With the line and the rule, when the text is no TOML, an expression
    /// does not compile or a value has the wrong type.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        read::config(text)
    }

    /// The file that this one extends, relative to the repository's root.
    #[must_use]
    pub fn extends(&self) -> Option<&str> {
        self.extends.as_deref()
    }

    /// Fingerprints that are allowed, each with a reason beside it.
    #[must_use]
    pub fn allows(&self) -> &[Fingerprint] {
        &self.allows
    }

    /// This configuration on top of the one it extends: a rule of the same id
    /// replaces the other, lists add up.
    #[must_use]
    pub fn on(mut self, base: Self) -> Self {
        let mut rules = base.rules;
        rules.retain(|rule| !self.rules.iter().any(|own| own.id == rule.id));
        rules.append(&mut self.rules);
        self.rules = rules;
        self.allowlists.extend(base.allowlists);
        self.disabled.extend(base.disabled);
        self.allows.extend(base.allows);
        self
    }
}
