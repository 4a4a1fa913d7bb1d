//! Unified diffs of files.

use std::fmt::Write as _;

use git2::{DiffLineType, DiffOptions, Patch};

use crate::store::Planned;

/// Unchanged lines around a change.
const CONTEXT_LINES: u32 = 3;

/// The difference of two contents, `None` standing for no file; empty where there is none.
pub fn unified_diff(file: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> String {
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
pub fn plan_diff(plan: &Planned) -> String {
    unified_diff(plan.path.as_str(), plan.old.as_deref(), plan.new.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
