//! Unified diffs of files, as text and in colour.

use std::borrow::Cow;
use std::fmt::Write as _;

use git2::{DiffLineType, DiffOptions, Patch};
use mem_core::store::Planned;

use crate::sanitize::clean;
use crate::style;

/// Unchanged lines around a change.
const CONTEXT_LINES: u32 = 3;

/// The difference of two contents, `None` standing for no file; empty where there is none.
pub(crate) fn unified_diff(file: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let name = |bytes: Option<&[u8]>, side: &str| match bytes {
        Some(_) => format!("{side}/{file}"),
        None => "/dev/null".to_owned(),
    };
    let (before, after) = (old.unwrap_or_default(), new.unwrap_or_default());
    // libgit2 compares every two contents that fit into memory.
    match diff_hunks(before, after) {
        Ok(hunks) if hunks.is_empty() => hunks,
        Ok(hunks) => format!("--- {}\n+++ {}\n{hunks}", name(old, "a"), name(new, "b")),
        Err(error) => format!("{file} cannot be compared: {}\n", error.message()),
    }
}

/// The hunks between two contents; bytes that are no UTF-8 show as U+FFFD.
fn diff_hunks(old: &[u8], new: &[u8]) -> Result<String, git2::Error> {
    let mut options = DiffOptions::new();
    options.context_lines(CONTEXT_LINES).force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let mut text = String::new();
    for index in 0..patch.num_hunks() {
        let (hunk, lines) = patch.hunk(index)?;
        let old = hunk_range(hunk.old_start(), hunk.old_lines());
        let new = hunk_range(hunk.new_start(), hunk.new_lines());
        // Writing into a string cannot fail.
        let _ = writeln!(text, "@@ -{old} +{new} @@");
        for number in 0..lines {
            let line = patch.line_in_hunk(index, number)?;
            if let DiffLineType::Context | DiffLineType::Addition | DiffLineType::Deletion =
                line.origin_value()
            {
                text.push(line.origin());
            }
            text.push_str(&String::from_utf8_lossy(line.content()));
        }
    }
    Ok(text)
}

/// The lines of one side of a hunk, as in its header: `3,7`, or `3` for one line.
fn hunk_range(start: u32, lines: u32) -> String {
    match lines {
        1 => start.to_string(),
        lines => format!("{start},{lines}"),
    }
}

/// The difference that a plan would make to a file.
pub(crate) fn plan_diff(plan: &Planned) -> String {
    unified_diff(plan.path.as_str(), plan.old.as_deref(), plan.new.as_deref())
}

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
    use super::*;

    #[test]
    fn a_change_of_line_ends_is_seen() {
        let diff = unified_diff("x.md", Some(b"one\ntwo\n"), Some(b"one\r\ntwo\n"));
        assert!(paint_diff(&diff).contains("+one^M"), "{diff}");
        let diff = unified_diff("x.md", Some(b"one\r\n"), Some(b"two\r\n"));
        assert!(!paint_diff(&diff).contains("^M"), "{diff}");
    }

    #[test]
    fn a_new_file_comes_from_nowhere() {
        let diff = unified_diff("x.md", None, Some(b"one\n"));
        assert_eq!(diff, "--- /dev/null\n+++ b/x.md\n@@ -0,0 +1 @@\n+one\n");
        assert_eq!(unified_diff("x.md", Some(b"one\n"), Some(b"one\n")), "");
        let diff = unified_diff("x.md", Some(b"one\ntwo"), Some(b"one\n\xff\n"));
        let body = " one\n-two\n\\ No newline at end of file\n+\u{fffd}\n";
        assert_eq!(
            diff,
            format!("--- a/x.md\n+++ b/x.md\n@@ -1,2 +1,2 @@\n{body}")
        );
        let painted = paint_diff("+one\u{1b}[2J\n");
        assert!(painted.contains("+one[2J") && painted.contains("\u{1b}[32m"));
    }
}
