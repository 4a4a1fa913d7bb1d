//! Turns byte offsets into lines and columns, in one walk over the input for
//! any number of findings.

/// Walks forward through `bytes`, starting over when an offset goes back.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    line: u64,
    start: usize,
    seen: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            line: 1,
            start: 0,
            seen: 0,
        }
    }

    /// Line and column (in bytes), both from 1, of an offset.
    pub(crate) fn locate(&mut self, offset: usize) -> (u64, u64) {
        let offset = offset.min(self.bytes.len());
        if offset < self.seen {
            *self = Self::new(self.bytes);
        }
        let from = self.seen;
        for newline in memchr::memchr_iter(b'\n', &self.bytes[from..offset]) {
            self.line += 1;
            self.start = from + newline + 1;
        }
        self.seen = offset;
        (self.line, (offset - self.start) as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_one() {
        let mut lines = Lines::new(b"ab\ncd\n\nef");
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
