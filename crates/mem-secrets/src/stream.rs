//! Scans inputs that do not fit into memory, in overlapping windows: a finding
//! across the border of two windows is neither lost nor reported twice.

use crate::finding::SecretFinding;
use crate::origin::{InputOrigin, is_binary};
use crate::scanner::Scanner;

/// How much is collected before it is scanned.
const WINDOW_BYTES: usize = 4 << 20;
/// What follows a finding is known this far before it is reported; no rule that
/// ships with the crate looks further.
pub const OVERLAP_BYTES: usize = 64 << 10;

/// A scan that is fed piece by piece.
///
/// Offsets and lines of its findings count from the beginning of the stream.
/// UTF-16 is recognised by the byte order mark of the first piece only.
pub struct Stream<'a> {
    scanner: &'a Scanner,
    origin: &'a InputOrigin,
    buffer: Vec<u8>,
    /// Told by the first window.
    is_binary: Option<bool>,
    /// Offset of the buffer in the stream.
    base: u64,
    /// Findings that begin before this offset have been reported.
    settled: u64,
    /// Newlines before the buffer, and bytes of an unfinished line.
    lines: u64,
    tail: u64,
    window: usize,
    hidden: u64,
}

impl<'a> Stream<'a> {
    /// A stream over bytes of one origin.
    #[must_use]
    pub fn new(scanner: &'a Scanner, origin: &'a InputOrigin) -> Self {
        Self::with_window(scanner, origin, WINDOW_BYTES)
    }

    /// A stream with windows of so many bytes, at least four times the overlap.
    #[must_use]
    pub fn with_window(scanner: &'a Scanner, origin: &'a InputOrigin, window_bytes: usize) -> Self {
        let window = window_bytes.max(4 * OVERLAP_BYTES);
        let buffer = Vec::new();
        Self {
            scanner,
            origin,
            buffer,
            is_binary: None,
            base: 0,
            settled: 0,
            lines: 0,
            hidden: 0,
            tail: 0,
            window,
        }
    }

    /// Takes the next bytes and returns the findings that are now certain.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SecretFinding> {
        let mut findings = Vec::new();
        let mut rest = bytes;
        while self.buffer.len() + rest.len() >= self.window {
            let (head, tail) = rest.split_at((self.window - self.buffer.len()).min(rest.len()));
            self.buffer.extend_from_slice(head);
            rest = tail;
            let until = self.base + (self.buffer.len() - OVERLAP_BYTES) as u64;
            findings.extend(self.take_findings(until));
            self.forget(self.buffer.len() - 2 * OVERLAP_BYTES);
        }
        self.buffer.extend_from_slice(rest);
        findings
    }

    /// The findings of what is left, and how many were hidden in all.
    #[must_use]
    pub fn finish_counted(mut self) -> (Vec<SecretFinding>, u64) {
        let findings = self.take_findings(u64::MAX);
        (findings, self.hidden)
    }

    /// The findings of what is left.
    #[must_use]
    pub fn finish(mut self) -> Vec<SecretFinding> {
        self.take_findings(u64::MAX)
    }

    /// The findings that begin between the last border and `until`.
    fn take_findings(&mut self, until: u64) -> Vec<SecretFinding> {
        let is_binary = *self
            .is_binary
            .get_or_insert_with(|| is_binary(&self.buffer));
        let report = self
            .scanner
            .report_window(&self.buffer, self.origin, is_binary);
        let new = |start: u64| (self.settled..until).contains(&(start + self.base));
        let hidden = report
            .suppressed
            .iter()
            .filter(|one| new(one.finding.span.start));
        self.hidden += hidden.count() as u64;
        let mut findings = report.findings;
        for finding in &mut findings {
            finding.span = finding.span.start + self.base..finding.span.end + self.base;
            for (line, column) in [
                (&mut finding.line, &mut finding.column),
                (&mut finding.end_line, &mut finding.end_column),
            ] {
                *column += if *line == 1 { self.tail } else { 0 };
                *line += self.lines;
            }
        }
        findings.retain(|f| (self.settled..until).contains(&f.span.start));
        self.settled = until;
        findings
    }

    /// Drops the first bytes of the buffer.
    fn forget(&mut self, count: usize) {
        let gone = &self.buffer[..count];
        self.lines += memchr::memchr_iter(b'\n', gone).count() as u64;
        self.tail = match memchr::memrchr(b'\n', gone) {
            Some(newline) => (count - newline - 1) as u64,
            None => self.tail + count as u64,
        };
        self.buffer.drain(..count);
        self.base += count as u64;
    }
}
