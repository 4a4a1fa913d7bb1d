//! JSON web tokens: three parts, of which the first is the base64 of a JSON
//! object that names an algorithm.

use super::CheckResult;
use crate::decode::base64;
use crate::filter::MatchFilter;

/// Valid when the header is JSON with an algorithm and the claims are JSON.
pub(crate) fn verify(token: &[u8]) -> CheckResult {
    let mut parts = token.split(|&byte| byte == b'.');
    let (Some(header), Some(claims)) = (parts.next(), parts.next()) else {
        return CheckResult::Invalid;
    };
    // Nobody signed it: what it says is worth nothing.
    if parts.next().is_none_or(<[u8]>::is_empty) {
        return CheckResult::Refused(MatchFilter::Public);
    }
    let header = base64::decode(header).unwrap_or_default();
    let claims = base64::decode(claims).unwrap_or_default();
    if is_object(&header) && names_algorithm(&header) && is_object(&claims) {
        CheckResult::Valid
    } else {
        CheckResult::Invalid
    }
}

/// Whether a value is a token without a signature: what it says anybody can say.
pub(crate) fn is_unsigned(value: &[u8]) -> bool {
    let value = value.strip_suffix(b".").unwrap_or(value);
    if !value.starts_with(b"ey") {
        return false;
    }
    let parts: Vec<&[u8]> = value.splitn(3, |&byte| byte == b'.').collect();
    let [header, claims] = parts[..] else {
        return false;
    };
    is_json(header)
        && (is_json(claims) || names_algorithm(&base64::decode(header).unwrap_or_default()))
}

/// Whether a value is no more than the header of a token, which manuals print of one, with words behind it at most.
pub(crate) fn is_header(value: &[u8]) -> bool {
    const WORD_BYTES_MAX: usize = 12;
    let mut parts = value.split(|&byte| byte == b'.');
    let is_header = |part: &[u8]| part.starts_with(b"ey") && is_json(part);
    parts.next().is_some_and(is_header)
        && parts.all(|part| part.len() <= WORD_BYTES_MAX && !part.starts_with(b"ey"))
}

/// Whether the header of a token names an algorithm.
fn names_algorithm(header: &[u8]) -> bool {
    memchr::memmem::find(header, b"\"alg\"").is_some()
        || memchr::memmem::find(header, b"\"enc\"").is_some()
}

fn is_json(part: &[u8]) -> bool {
    base64::decode(part).is_some_and(|text| is_object(&text))
}

fn is_object(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.starts_with(b"{") && text.ends_with(b"}") && std::str::from_utf8(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_decides() {
        let encode = |text: &str| String::from_utf8(base64::encode(text.as_bytes())).unwrap();
        let token = format!(
            "{}.{}.c2ln",
            encode("{\"alg\":\"HS256\"}"),
            encode("{\"sub\":1}")
        );
        assert_eq!(verify(token.as_bytes()), CheckResult::Valid);
        assert_eq!(verify(b"eyJhb.eyJzd.c2ln"), CheckResult::Invalid);
        let unsigned = token.trim_end_matches("c2ln");
        let refused = CheckResult::Refused(MatchFilter::Public);
        assert_eq!(verify(unsigned.as_bytes()), refused);
        assert!(is_unsigned(unsigned.as_bytes()));
        assert!(is_unsigned(unsigned.trim_end_matches('.').as_bytes()));
        let header = base64::encode(b"{\"alg\":\"HS256\"}");
        let cut = [header.as_slice(), b".test"].concat();
        assert!(is_unsigned(&cut));
        assert!(is_header(&header) && is_header(&[cut.as_slice(), b".token"].concat()));
        assert!(!is_header(token.as_bytes()));
        assert!(!is_unsigned(token.as_bytes()) && !is_unsigned(b"eyJhb.eyJzd"));
    }
}
