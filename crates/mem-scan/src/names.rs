//! Secrets in the names of files: found like any other, and kept out of every path that is shown.

use super::rules::Ruleset;
use super::scan_origin::{ContentKind, ScanOrigin};
use super::scan_totals::ScanTotals;

/// A row of letters and digits shorter than this is no token.
const ROW_BYTES_MIN: usize = 16;
/// Joints of one word that are looked behind.
const JOINTS_MAX: usize = 8;

/// Scans the name of a file, if it could hold a token at all.
pub(crate) fn scan(place: &ScanOrigin, ruleset: &Ruleset, totals: &mut ScanTotals) {
    if !may_hold_token(&place.path) {
        return;
    }
    let place = ScanOrigin {
        kind: ContentKind::Name,
        ..place.clone()
    };
    // In a text, what a dot or a slash is joined to is part of something longer.
    let parts = place.path.replace(['/', '.'], " ");
    let tails = tails(&parts);
    for text in [place.path.as_bytes(), parts.as_bytes(), tails.as_bytes()] {
        let report = ruleset.examine_bytes(text, &place.origin());
        if !report.findings.is_empty() || !report.suppressed.is_empty() {
            ruleset.admit_report(report, text, &place, totals);
            return;
        }
    }
}

/// What follows each `_` and `-`: in a name they join words, as in `key_TOKEN`.
fn tails(parts: &str) -> String {
    let words = parts.split(' ').filter(|word| may_hold_token(word));
    let tails = words.flat_map(|word| {
        let after = word.match_indices(['_', '-']).take(JOINTS_MAX);
        after.map(|(at, _)| &word[at + 1..])
    });
    tails.collect::<Vec<_>>().join(" ")
}

/// Whether a path has a long row with letters and digits in it.
fn may_hold_token(path: &str) -> bool {
    path.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '+' | '='))
        .filter(|row| row.len() >= ROW_BYTES_MIN)
        .any(|row| {
            let digits = row.bytes().any(|byte| byte.is_ascii_digit());
            digits && row.bytes().any(|byte| byte.is_ascii_alphabetic())
        })
}

/// Replaces what was found in names wherever a path is shown.
pub(crate) fn redact(totals: &mut ScanTotals) {
    let named = totals
        .found
        .iter()
        .filter(|one| one.place.kind == ContentKind::Name);
    let secrets: Vec<(String, String)> = named
        .map(|one| {
            let secret = String::from_utf8_lossy(one.finding.secret.expose()).into_owned();
            (secret, one.finding.redacted())
        })
        .filter(|(secret, _)| !secret.is_empty())
        .collect();
    if secrets.is_empty() {
        return;
    }
    let clear = |text: &mut String| {
        for (secret, redacted) in &secrets {
            if text.contains(secret) {
                *text = text.replace(secret, redacted);
            }
        }
    };
    let places = totals.found.iter_mut().map(|one| &mut one.place);
    let rejected = totals.rejected.iter_mut().map(|one| &mut one.place);
    let hidden = totals.hidden.iter_mut().map(|one| &mut one.place);
    for place in places.chain(rejected).chain(hidden) {
        clear(&mut place.shown);
        clear(&mut place.path);
    }
    totals.problems.iter_mut().for_each(clear);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_paths_are_not_worth_a_scan() {
        assert!(!may_hold_token("src/commands/some_rather_long_name.rs"));
        assert!(may_hold_token(&format!(
            "keys/AKIA{}.txt",
            "Z7X2".repeat(4)
        )));
    }
}
