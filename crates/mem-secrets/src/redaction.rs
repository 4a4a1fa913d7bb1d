//! Secrets taken out of a text that is written down, or shown.

use crate::origin::InputOrigin;
use crate::scanner::Scanner;
use crate::{prose_password, userinfo};
use std::fmt::Write as _;
use std::ops::Range;

/// A text with every secret in it replaced by `[redacted: RULE]`. Comments that allow a finding
/// count for nothing: a text of somebody else's cannot allow anything.
pub fn redacted(text: &str) -> String {
    let findings = Scanner::new()
        .scan(text.as_bytes(), &InputOrigin::unknown())
        .into_iter();
    let mut spans: Vec<(Range<usize>, String)> = findings
        .map(|one| (place(text, &one.span), one.rule))
        .collect();
    spans.extend(prose_password::places(text).map(|span| (span, prose_password::RULE.to_owned())));
    spans.extend(userinfo::places(text).map(|span| (span, userinfo::RULE.to_owned())));
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
}
