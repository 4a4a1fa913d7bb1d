//! Two versions of a file, line by line.

use git2::{DiffOptions, Patch};

/// What became of cited lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFate {
    /// They are as they were, where they were.
    Kept,
    /// They are as they were, and start at this line now.
    Shifted(u32),
    /// Some of them are not as they were.
    Changed,
}

/// A stretch of lines that was replaced: where it started, how many, by how many.
#[derive(Clone, Copy, Debug)]
struct LineHunk {
    start: u32,
    old: u32,
    new: u32,
}

/// What differs between two versions.
pub(super) struct Difference {
    hunks: Vec<LineHunk>,
    old_count: u32,
    new_count: u32,
}

impl Difference {
    /// Compares; `None` when one of them is not text.
    pub(super) fn between(old: &[u8], new: &[u8]) -> Option<Self> {
        let mut options = DiffOptions::new();
        options.context_lines(0).interhunk_lines(0);
        let patch = Patch::from_buffers(old, None, new, None, Some(&mut options)).ok()?;
        if patch.delta().flags().is_binary() {
            return None;
        }
        let mut hunks = Vec::new();
        for at in 0..patch.num_hunks() {
            let (hunk, _) = patch.hunk(at).ok()?;
            // Lines that were put in stand behind the line that the hunk names.
            let behind = u32::from(hunk.old_lines() == 0);
            hunks.push(LineHunk {
                start: hunk.old_start() + behind,
                old: hunk.old_lines(),
                new: hunk.new_lines(),
            });
        }
        Some(Self {
            hunks,
            old_count: u32::try_from(count(old)).ok()?,
            new_count: u32::try_from(count(new)).ok()?,
        })
    }

    /// The share of lines that changed: of the longer version, 0 to 100, at least 1 if any did.
    pub(super) fn percent(&self) -> u32 {
        let changed: u32 = self.hunks.iter().map(|hunk| hunk.old.max(hunk.new)).sum();
        let share = u64::from(changed) * 100 / u64::from(self.old_count.max(self.new_count).max(1));
        u32::try_from(share).unwrap_or(100).clamp(1, 100)
    }

    /// What became of some lines of the old version.
    pub(super) fn fate(&self, first: u32, last: u32) -> LineFate {
        if last > self.old_count {
            return LineFate::Changed;
        }
        let mut shifted = i64::from(first);
        for hunk in &self.hunks {
            let end = hunk.start + hunk.old;
            if hunk.start > last {
                break;
            }
            if end > first || (hunk.old == 0 && hunk.start > first) {
                return LineFate::Changed;
            }
            shifted += i64::from(hunk.new) - i64::from(hunk.old);
        }
        match u32::try_from(shifted) {
            Ok(now) if now == first => LineFate::Kept,
            Ok(now) => LineFate::Shifted(now),
            Err(_) => LineFate::Changed,
        }
    }
}

/// The lines of a text.
pub(super) fn count(text: &[u8]) -> usize {
    let ends = text.iter().filter(|&&byte| byte == b'\n').count();
    ends + usize::from(text.last().is_some_and(|&byte| byte != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_shifted_or_changed() {
        let old = b"a\nb\nc\nd\ne\n";
        let new = b"a\nx\nb\nc\nD\ne\n";
        let difference = Difference::between(old, new).unwrap();
        assert_eq!(difference.fate(1, 1), LineFate::Kept);
        assert_eq!(difference.fate(2, 3), LineFate::Shifted(3));
        assert_eq!(difference.fate(4, 4), LineFate::Changed);
        assert_eq!(difference.fate(5, 5), LineFate::Shifted(6));
        assert_eq!(difference.fate(1, 2), LineFate::Changed);
        assert_eq!(difference.fate(9, 9), LineFate::Changed);
        assert_eq!(difference.percent(), 33);
    }

    #[test]
    fn what_is_no_text_is_not_compared() {
        assert!(Difference::between(b"a\0b", b"a\0c").is_none());
        assert_eq!(count(b"a\nb"), 2);
        assert_eq!(count(b""), 0);
    }
}
