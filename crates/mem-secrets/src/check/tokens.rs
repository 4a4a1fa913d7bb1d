//! The checks of single vendors' tokens, from the formats they publish.

use super::CheckResult;
use super::base62;
use super::crc32::crc32;
use crate::decode::base64;
use crate::filter::{MatchFilter, words};

/// Digits of base 62 that carry GitHub's and npm's checksum.
const CHECKSUM_DIGITS: usize = 6;

fn verdict(right: bool) -> CheckResult {
    if right {
        CheckResult::Valid
    } else {
        CheckResult::Invalid
    }
}

/// `PREFIX_` and 36 characters, of which the last six are the CRC-32 of the
/// thirty before them (GitHub, "Behind GitHub's new authentication token
/// formats", 2021; npm took it over).
pub(crate) fn github(token: &[u8]) -> CheckResult {
    let Some(underscore) = token.iter().position(|&byte| byte == b'_') else {
        return CheckResult::Unknown;
    };
    let body = &token[underscore + 1..];
    if body.len() != 36 {
        return CheckResult::Unknown;
    }
    let (random, sum) = body.split_at(body.len() - CHECKSUM_DIGITS);
    verdict(base62::encode(crc32(random), CHECKSUM_DIGITS) == sum)
}

/// `glsa_`, 32 characters, `_` and the CRC-32 in hexadecimal of what is before.
pub(crate) fn grafana(token: &[u8]) -> CheckResult {
    let Some(underscore) = token.iter().rposition(|&byte| byte == b'_') else {
        return CheckResult::Unknown;
    };
    let sum = std::str::from_utf8(&token[underscore + 1..]);
    let sum = sum.ok().and_then(|sum| u32::from_str_radix(sum, 16).ok());
    verdict(sum == Some(crc32(&token[..underscore])))
}

/// `glpat-PAYLOAD.VVLLSSSSSSS`: version, payload length and CRC-32, each in
/// base 36 (GitLab, "Routable tokens"). Seven digits of checksum cover all
/// that stands before them.
pub(crate) fn gitlab(token: &[u8]) -> CheckResult {
    if token.len() < 10 {
        return CheckResult::Unknown;
    }
    let (covered, sum) = token.split_at(token.len() - 7);
    verdict(base62::decode36(sum) == Some(crc32(covered)))
}

/// The key ids that Amazon's documentation prints end in `EXAMPLE`.
pub(crate) fn aws(token: &[u8]) -> CheckResult {
    if token.ends_with(b"EXAMPLE") || token.ends_with(b"EXAMPLEKEY") {
        return CheckResult::Refused(MatchFilter::Published);
    }
    CheckResult::Unknown
}

/// `ID.TIME.HMAC`: the first part is the base64 of the id of an account.
pub(crate) fn discord(token: &[u8]) -> CheckResult {
    let id = token.split(|byte| *byte == b'.').next().unwrap_or_default();
    let id = base64::decode(id).unwrap_or_default();
    match (17..=20).contains(&id.len()) && id.iter().all(u8::is_ascii_digit) {
        true => CheckResult::Unknown,
        false => CheckResult::Refused(MatchFilter::Identifier),
    }
}

/// Letters in both cases, and no words: `s.Ipv6CidrBlockAssociation` is a member, whatever its digit. The longest part
/// between dots and underscores is looked at, for these may stand anywhere in a token.
pub(crate) fn mixed(token: &[u8]) -> CheckResult {
    let parts = token.split(|&byte| matches!(byte, b'.' | b'_'));
    let body = parts.max_by_key(|part| part.len()).unwrap_or(token);
    let has = |class: fn(&u8) -> bool| body.iter().any(class);
    let cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    if cases && !words::reads(body) {
        return CheckResult::Unknown;
    }
    CheckResult::Refused(MatchFilter::Identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_checksum_is_valid_and_a_wrong_one_only_invalid() {
        let random = b"0123456789abcdefghijABCDEFGHIJ";
        let sum = base62::encode(crc32(random), CHECKSUM_DIGITS);
        let mut token = [b"gh", b"p_".as_slice(), random, &sum].concat();
        assert_eq!(github(&token), CheckResult::Valid);
        token[10] ^= 1;
        assert_eq!(github(&token), CheckResult::Invalid);
    }

    #[test]
    fn grafana_sums_all_before_the_underscore() {
        let body = [b"gl".as_slice(), b"sa_", &[b'q'; 32]].concat();
        let token = format!("{}_{:08x}", String::from_utf8_lossy(&body), crc32(&body));
        assert_eq!(grafana(token.as_bytes()), CheckResult::Valid);
    }
}
