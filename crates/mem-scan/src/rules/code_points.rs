//! Columns of findings in code points.

use mem_secrets::{SecretEncoding, SecretFinding};

/// Counts the code points of a line on from the finding before: a line may be long and hold many.
#[derive(Clone, Copy, Default)]
pub(super) struct CodePointCounter {
    line_start: usize,
    /// Up to where they are counted.
    offset: usize,
    count: u64,
}

impl CodePointCounter {
    /// The columns of a finding in code points; its own count bytes.
    pub(super) fn columns(&mut self, finding: &SecretFinding, bytes: &[u8]) -> Option<(u64, u64)> {
        if finding.encodings.first() == Some(&SecretEncoding::Utf16) {
            return None;
        }
        let first = self.column(finding.span.start, finding.column, bytes)?;
        // The next finding may begin before this one ends.
        let mut ahead = *self;
        let last = ahead.column(finding.span.end, finding.end_column, bytes)?;
        Some((first, last))
    }

    fn column(&mut self, offset: u64, column: u64, bytes: &[u8]) -> Option<u64> {
        let line_start = usize::try_from(offset.checked_sub(column - 1)?).ok()?;
        let offset = usize::try_from(offset).ok()?;
        if line_start != self.line_start || offset < self.offset {
            *self = Self {
                line_start,
                offset: line_start,
                count: 0,
            };
        }
        let passed = bytes.get(self.offset..offset)?;
        self.count += String::from_utf8_lossy(passed).chars().count() as u64;
        self.offset = offset;
        Some(self.count + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_counted_once_for_all_its_columns() {
        let line = format!("b\n{}", "\u{e4}".repeat(2_000_000));
        let mut counter = CodePointCounter::default();
        for before in (0..4_000_000).step_by(40) {
            let column = counter.column(before + 2, before + 1, line.as_bytes());
            assert_eq!(column, Some(before / 2 + 1));
        }
        assert_eq!(counter.column(6, 5, line.as_bytes()), Some(3));
        assert_eq!(counter.column(1, 2, line.as_bytes()), Some(2));
    }
}
