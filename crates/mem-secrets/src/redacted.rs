//! Secrets taken out of a text that is written down, or shown.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

use crate::origin::Origin;
use crate::scanner::Scanner;

/// How people tell each other a password. The scanner's rules are about files, and know none of this.
const TOLD: &str = r#"(?i-u)(?:password|passphrase|passcode|pwd|api key|secret|token|passwort|kennwort|contraseña|mot de passe|密码|密碼|パスワード|비밀번호)(?: [a-z]+){0,4}?(?: is| ist| es| est| was| are|:| ?=|是|は|는|은) ?["'`]?([!-~&&[^"'`,;\[]]{5,64})"#;
const TOLD_RULE: &str = "told-password";

/// A text with every secret in it replaced by `[redacted: RULE]`. Comments that allow a finding
/// count for nothing: a text of somebody else's cannot allow anything.
pub fn redacted(text: &str) -> String {
    let findings = Scanner::new()
        .scan(text.as_bytes(), &Origin::unknown())
        .into_iter();
    let mut spans: Vec<(Range<usize>, String)> = findings
        .map(|one| (place(text, &one.span), one.rule))
        .collect();
    spans.extend(told(text).map(|span| (span, TOLD_RULE.to_owned())));
    spans.sort_by_key(|(span, _)| span.start);
    let (mut clean, mut at) = (String::with_capacity(text.len()), 0);
    for (span, rule) in spans {
        // Two rules may find overlapping parts of one secret.
        if span.start >= at {
            clean.push_str(&text[at..span.start]);
            let _ = write!(clean, "[redacted: {rule}]");
        }
        at = at.max(span.end);
    }
    clean.push_str(&text[at..]);
    clean
}

/// Passwords that somebody tells. A word is none: "the token is expired".
fn told(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| Regex::new(TOLD).ok());
    let all = pattern.iter();
    all.flat_map(|pattern| pattern.captures_iter(text.as_bytes()))
        .filter_map(|found| found.get(1).map(|value| value.range()))
        .filter_map(|span| {
            let value = text.get(span.clone())?;
            let value = value.trim_end_matches(['.', '!', '?', ')', ':']);
            let has = |is: fn(char) -> bool| value.contains(is);
            let is_mixed = has(|c| c.is_ascii_alphabetic())
                && has(|c| c.is_ascii_digit() || "!@#$%^&*+".contains(c));
            is_mixed.then(|| span.start..span.start + value.len())
        })
}

/// The bytes of a finding, widened to whole characters.
fn place(text: &str, span: &Range<u64>) -> Range<usize> {
    let clamp = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let start = text.floor_char_boundary(clamp(span.start));
    start..text.ceil_char_boundary(clamp(span.end)).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_named_and_gone_and_the_rest_stays() {
        let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
        for allow in ["", " gitleaks:allow"] {
            let clean = redacted(&format!("é use {token}{allow}\nnext"));
            assert!(!clean.contains(&token[4..]), "{clean}");
            assert!(
                clean.starts_with("é use [redacted: ") && clean.ends_with("next"),
                "{clean}"
            );
        }
        assert_eq!(redacted("nothing here"), "nothing here");
    }

    #[test]
    fn a_password_that_somebody_tells_is_gone() {
        let word = ["hun", "ter", "2"].concat();
        for (before, after) in [
            ("The password is ", ". Always use it"),
            ("the password for the staging box is `", "`, ok?"),
            ("das Passwort ist ", " und sonst nichts"),
            ("密码是", "，别忘了"),
        ] {
            let clean = redacted(&format!("{before}{word}{after}"));
            assert_eq!(clean, format!("{before}[redacted: told-password]{after}"));
        }
        for text in [
            "the token is expired",
            "the password is stored in the vault",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
