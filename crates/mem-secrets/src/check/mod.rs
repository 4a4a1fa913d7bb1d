//! Formats that prove themselves: checksums and inner structure. A right one
//! makes a finding certain, a wrong one lowers the confidence; neither
//! suppresses a finding, except where the vendor publishes the value.

mod base62;
pub(crate) mod checksummed;
mod crc32;
pub(crate) mod documented_values;
pub(crate) mod jwt;
pub(crate) mod private_key;
mod slack;
mod tokens;

use crate::filter::{MatchFilter, login};

/// Which check a rule asks for, by the name that rule files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleCheck {
    /// There is nothing to check.
    None,
    /// GitHub: the last six of base 62 are the CRC-32 of the random part.
    Github,
    /// npm: the same construction as GitHub's.
    Npm,
    /// Grafana: eight hexadecimal digits of CRC-32 after the last underscore.
    Grafana,
    /// GitLab routable tokens: a length and a base 36 CRC-32.
    Gitlab,
    /// Slack: every part of the token has its form.
    Slack,
    /// JSON web token: the header parses and names an algorithm.
    Jwt,
    /// AWS access key: base 32 alphabet, no documentation example.
    Aws,
    /// Google API key: not one of those printed in public documentation.
    Google,
    /// Discord: the first part is the base64 of a number.
    Discord,
    /// Two upper, lower and digit classes at least; words are not tokens.
    Mixed,
    /// A published value is no leak.
    Published,
    /// A password on a command line: not one that manuals print.
    Login,
    /// The same, and a word is one whose confidence is low.
    WeakLogin,
}

impl RuleCheck {
    /// Whether a valid token proves by a checksum of 32 bits that it is one, whatever stands around it.
    pub(crate) const fn has_checksum(self) -> bool {
        matches!(
            self,
            Self::Github | Self::Npm | Self::Grafana | Self::Gitlab
        )
    }
}

/// What a check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckResult {
    /// The checksum or structure is right.
    Valid,
    /// It ought to be right and is not.
    Invalid,
    /// There is nothing to say.
    Unknown,
    /// It is known not to be a secret.
    Refused(MatchFilter),
}

/// Runs `check` over a secret.
pub(crate) fn verify(check: RuleCheck, secret: &[u8]) -> CheckResult {
    match check {
        RuleCheck::None => CheckResult::Unknown,
        RuleCheck::Github | RuleCheck::Npm => tokens::github(secret),
        RuleCheck::Grafana => tokens::grafana(secret),
        RuleCheck::Gitlab => tokens::gitlab(secret),
        RuleCheck::Slack => slack::verify(secret),
        RuleCheck::Jwt => jwt::verify(secret),
        RuleCheck::Aws => tokens::aws(secret),
        RuleCheck::Discord => tokens::discord(secret),
        RuleCheck::Mixed => tokens::mixed(secret),
        RuleCheck::Login | RuleCheck::WeakLogin => match login::judge_login(b"", secret) {
            Some(filter) => CheckResult::Refused(filter),
            None => CheckResult::Unknown,
        },
        RuleCheck::Google | RuleCheck::Published => documented_values::verify(secret),
    }
}
