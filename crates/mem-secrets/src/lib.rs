//! Secret scanning: bytes in, findings out. Knows nothing of files, git or
//! memories; whoever has bytes that are about to leave asks here first.
//!
//! # Layout
//! - [`Scanner`] holds the compiled rules and a user's own; [`Stream`] feeds
//!   it inputs that do not fit into memory.
//! - `keywords` finds candidates in one pass, `rule` matches token formats,
//!   `detect` holds what a row of bytes cannot express (assignments, headers,
//!   URLs, private keys, prose), `filter` says what is no secret and why,
//!   `check` verifies checksums and structure, `decode` looks inside
//!   encodings, `config` reads what users write.
//! - [`redacted()`] takes them out of a text, with the passwords that people tell
//!   each other (`prose_password`) and those of addresses (`userinfo`).
//! - [`TOKEN_ISSUERS`]: where a found token can be checked. Data only, too; who
//!   asks is elsewhere.
//! - The rules themselves are data, in `rules/`, compiled into tables by the
//!   build script.

mod builtin;
mod candidate;
mod check;
mod config;
mod decode;
mod detect;
mod entropy;
mod filter;
mod finding;
mod fingerprint;
mod issuer;
mod keywords;
mod lines;
mod origin;
mod pass;
mod prose_password;
mod prose_password_word;
mod redaction;
mod rule;
mod runs;
mod scanner;
mod secret;
mod stream;
mod suppress;
pub mod template;
mod userinfo;

pub use crate::config::{
    Baseline, BaselineError, Config, Ignore, IgnoreError, RuleProblem, RulesConfigError,
    allowed_by_comment,
};
pub use crate::filter::MatchFilter;
pub use crate::finding::{Confidence, LeakSeverity, SecretEncoding, SecretFinding};
pub use crate::fingerprint::{Fingerprint, FingerprintError, FingerprintKey};
pub use crate::issuer::{AnswerPattern, TOKEN_ISSUERS, TokenIssuer, TokenPlacement, TokenValidity};
pub use crate::origin::{InputOrigin, is_binary};
pub use crate::redaction::redacted;
pub use crate::rule::Rule;
pub use crate::scanner::{FilterRejection, ScanReport, Scanner, rule_description, rules};
pub use crate::secret::Secret;
pub use crate::stream::{OVERLAP_BYTES, Stream};
pub use crate::suppress::{Suppressed, Suppressor};

/// Names the rules and the code that judges by them: what one build found clean, another may not.
/// 16 hexadecimal digits.
pub const RULES_HASH: &str = env!("MEM_SECRETS_RULES_HASH");
