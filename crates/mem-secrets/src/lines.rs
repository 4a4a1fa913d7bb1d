//! Turns byte offsets into lines and columns. The newlines are only looked for
//! when there is something to locate.

/// The places of the newlines of an input.
pub(crate) struct LineStarts {
    newlines: Vec<usize>,
}

impl LineStarts {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self {
            newlines: memchr::memchr_iter(b'\n', bytes).collect(),
        }
    }

    /// Line and column (in bytes), both from 1, of an offset.
    pub(crate) fn locate(&self, offset: usize) -> (u64, u64) {
        let before = self.newlines.partition_point(|&newline| newline < offset);
        let start = before
            .checked_sub(1)
            .map_or(0, |last| self.newlines[last] + 1);
        (before as u64 + 1, (offset - start) as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_one() {
        let lines = LineStarts::new(b"ab\ncd\n\nef");
        let places: Vec<_> = [0, 1, 3, 5, 6, 7, 8, 1].map(|at| lines.locate(at)).into();
        assert_eq!(
            places,
            [
                (1, 1),
                (1, 2),
                (2, 1),
                (2, 3),
                (3, 1),
                (4, 1),
                (4, 2),
                (1, 2)
            ]
        );
    }
}
