//! What a scan gives back.

use std::ops::Range;

use crate::fingerprint::{Fingerprint, FingerprintKey};
use crate::secret::Secret;

/// How bad a leak of this kind is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeakSeverity {
    /// Not usable alone, as a client id.
    Low,
    /// Usable with something else, or of limited reach.
    Medium,
    /// Gives access to an account.
    High,
    /// Gives access to money, infrastructure or many accounts.
    Critical,
}

/// How sure the scanner is. A hook stops at [`Confidence::Medium`] and above; what is less sure is
/// reported to a person who asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// A word that a person may have chosen, under the name of a password: in most places it opens
    /// no more than a test.
    Low,
    /// A fitting name and a value that looks random; or a form whose checksum is wrong.
    Medium,
    /// A form that is used for nothing else.
    High,
    /// A checksum or an inner structure is right.
    Certain,
}

/// How the bytes had to be decoded before the secret could be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SecretEncoding {
    /// Base64 in its standard or URL-safe alphabet.
    Base64,
    /// Pairs of hexadecimal digits.
    Hex,
    /// `%XX`.
    Percent,
    /// UTF-16, either byte order.
    Utf16,
}

/// One secret at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct SecretFinding {
    /// The rule that knows it best.
    pub rule: String,
    /// Other rules that match the same bytes, in no order that matters.
    pub also: Vec<String>,
    /// How bad it is.
    pub severity: LeakSeverity,
    /// How sure it is.
    pub confidence: Confidence,
    /// Whether the rule ships with the crate. A user's rule may have the id of one that does.
    pub is_builtin: bool,
    /// Bytes of the secret in the input; for an encoded secret, the bytes of
    /// the whole encoded run.
    pub span: Range<u64>,
    /// Line of the first byte, from 1.
    pub line: u64,
    /// Column of the first byte, in bytes from 1.
    pub column: u64,
    /// Line of the last byte.
    pub end_line: u64,
    /// Column just after the last byte.
    pub end_column: u64,
    /// Shannon entropy of the secret, in bits for each byte.
    pub entropy: f32,
    /// What had to be undone to see it, outermost first.
    pub encodings: Vec<SecretEncoding>,
    /// The secret; it does not print itself.
    pub secret: Secret,
}

impl SecretFinding {
    /// The secret's first characters and its length, safe to show.
    #[must_use]
    pub fn redacted(&self) -> String {
        self.secret.redacted()
    }

    /// Identifies this secret under this rule, wherever it stands.
    #[must_use]
    pub fn fingerprint(&self, key: &FingerprintKey) -> Fingerprint {
        key.fingerprint(&self.rule, self.secret.expose())
    }

    /// Whether this rule is among those that match.
    #[must_use]
    pub fn is_by(&self, rule: &str) -> bool {
        self.rule == rule || self.also.iter().any(|also| also == rule)
    }
}
