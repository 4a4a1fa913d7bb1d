//! Unified diffs of files, as text and in colour.

use std::fmt::Write as _;
use std::time::Duration;

use mem_core::store::Planned;
use similar::TextDiff;

use crate::sanitize::clean;
use crate::style;

/// After this a diff is taken as it is: correct, if not the shortest.
const DIFF_TIME_MAX: Duration = Duration::from_secs(2);
/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// The difference of two contents, `None` standing for no file; empty where there is none.
pub(crate) fn unified(file: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let name = |bytes: Option<&[u8]>, side: &str| match bytes {
        Some(_) => format!("{side}/{file}"),
        None => "/dev/null".to_owned(),
    };
    let (before, after) = (text(old), text(new));
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME_MAX)
        .diff_lines(&before, &after);
    diff.unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(&name(old, "a"), &name(new, "b"))
        .to_string()
}

/// The difference that a plan would make to a file.
pub(crate) fn planned(plan: &Planned) -> String {
    unified(plan.path.as_str(), plan.old.as_deref(), plan.new.as_deref())
}

/// A diff for people: harmless for a terminal, and coloured where the printer lets colours through.
pub(crate) fn painted(diff: &str) -> String {
    let mut painted = String::with_capacity(diff.len() + diff.len() / 8);
    for line in clean(diff).lines() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_comes_from_nowhere() {
        let diff = unified("x.md", None, Some(b"one\n"));
        assert_eq!(diff, "--- /dev/null\n+++ b/x.md\n@@ -0,0 +1 @@\n+one\n");
        assert_eq!(unified("x.md", Some(b"one\n"), Some(b"one\n")), "");
        let painted = painted("+one\u{1b}[2J\n");
        assert!(painted.contains("+one[2J") && painted.contains("\u{1b}[32m"));
    }
}
