//! Unified diffs of files in colour.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::sanitize::clean;
use crate::style;

/// A diff for people: harmless for a terminal, and coloured where the printer lets colours through.
pub(crate) fn paint_diff(diff: &str) -> String {
    let mut painted = String::with_capacity(diff.len() + diff.len() / 8);
    for line in clean(&with_line_ends(diff)).lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => style::STRONG,
            [b'@', b'@', ..] => style::HUNK,
            [b'+', ..] => style::ADDED,
            [b'-', ..] => style::REMOVED,
            _ => anstyle::Style::new(),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(painted, "{style}{line}{style:#}");
    }
    painted.truncate(painted.trim_end_matches('\n').len());
    painted
}

/// A diff that shows carriage returns as `^M` where changed lines differ in them: else both sides would look alike.
fn with_line_ends(diff: &str) -> Cow<'_, str> {
    let is_change = |line: &str| {
        let is_heading = line.starts_with("+++ ") || line.starts_with("--- ");
        line.starts_with(['+', '-']) && !is_heading
    };
    let changed = || diff.split_inclusive('\n').filter(|line| is_change(line));
    let has_return = |line: &&str| line.ends_with("\r\n");
    let is_mixed =
        changed().any(|line| has_return(&line)) && !changed().all(|line| has_return(&line));
    match is_mixed {
        true => diff.replace("\r\n", "^M\n").into(),
        false => diff.into(),
    }
}

#[cfg(test)]
mod tests {
    use mem_core::unified_diff::unified_diff;

    use super::*;

    #[test]
    fn a_change_of_line_ends_is_seen() {
        let diff = unified_diff("x.md", Some(b"one\ntwo\n"), Some(b"one\r\ntwo\n"));
        assert!(paint_diff(&diff).contains("+one^M"), "{diff}");
        let diff = unified_diff("x.md", Some(b"one\r\n"), Some(b"two\r\n"));
        assert!(!paint_diff(&diff).contains("^M"), "{diff}");
    }

    #[test]
    fn colours_are_ours_alone() {
        let painted = paint_diff("+one\u{1b}[2J\n");
        assert!(painted.contains("+one[2J") && painted.contains("\u{1b}[32m"));
    }
}
