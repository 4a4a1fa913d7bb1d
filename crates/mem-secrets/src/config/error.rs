//! Errors in a user's configuration, which say where they are.

use std::fmt;

use thiserror::Error;

/// What is wrong, in which line and rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct RulesConfigError {
    /// Line of the configuration, from 1; 0 when it is not known.
    pub line: usize,
    /// The rule it belongs to, if any.
    pub rule: Option<String>,
    /// What is wrong.
    pub problem: RuleProblem,
}

/// What can be wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// The text is no TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key has a value of another type.
    #[error("`{key}` is not {expected}")]
    Type {
        /// The key.
        key: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A rule has no id.
    #[error("a rule has no `id`")]
    NoId,
    /// A rule has neither an expression nor a path.
    #[error("a rule needs `regex` or `path`")]
    Empty,
    /// An expression does not compile.
    #[error("`{key}` does not compile: {reason}")]
    Expression {
        /// The key.
        key: String,
        /// Why not.
        reason: String,
    },
    /// A group that the expression does not have.
    #[error("`secretGroup` is {0}, but the expression has fewer groups")]
    Group(usize),
    /// An allowlist that allows nothing.
    #[error("an allowlist has none of `commits`, `paths`, `regexes`, `stopwords`")]
    AllowsNothing,
    /// A word that is none of those expected.
    #[error("`{key}` is `{value}`, expected {expected}")]
    Word {
        /// The key.
        key: String,
        /// What stands there.
        value: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A required rule without an id.
    #[error("`required` has no `id`")]
    RequiredId,
    /// A rule that is required and does not exist, so that nothing is found.
    #[error("`required` names the rule `{0}`, which does not exist")]
    RequiredUnknown(String),
    /// No fingerprint.
    #[error("{0}")]
    Fingerprint(String),
    /// Too large to be a configuration.
    #[error("larger than {0} bytes")]
    Size(usize),
}

impl fmt::Display for RulesConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if let Some(rule) = &self.rule {
            write!(f, "rule `{rule}`: ")?;
        }
        write!(f, "{}", self.problem)
    }
}
