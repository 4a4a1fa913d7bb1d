//! Whole lines out of a stream, in constant memory.

use std::io::{self, Read};

use super::LINE_BYTES_MAX;

/// What is read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// A stream that is taken apart at line breaks.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// The part of the buffer that was read and not yet handed on.
    start: usize,
    end: usize,
    /// Bytes of a line that is too long and already thrown away.
    dropped: u64,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            buffer: vec![0; CHUNK_BYTES],
            start: 0,
            end: 0,
            dropped: 0,
        }
    }

    /// Hands on each line that has its line break, with the bytes it took in the stream; nothing
    /// in the place of a line that is too long.
    pub(super) fn each_line(&mut self, mut see: impl FnMut(Option<&[u8]>, u64)) -> io::Result<()> {
        let mut looked = 0;
        loop {
            let unseen = &self.buffer[self.start + looked..self.end];
            if let Some(at) = memchr::memchr(b'\n', unseen) {
                let end = self.start + looked + at;
                let line = &self.buffer[self.start..end];
                let bytes = line.len() as u64 + 1 + self.dropped;
                let fits = self.dropped == 0 && line.len() <= LINE_BYTES_MAX;
                see(fits.then_some(line), bytes);
                (self.start, self.dropped, looked) = (end + 1, 0, 0);
                continue;
            }
            looked = self.end - self.start;
            if looked > LINE_BYTES_MAX {
                self.dropped += looked as u64;
                (self.start, self.end, looked) = (0, 0, 0);
            }
            if self.fill_buffer()? == 0 {
                return Ok(());
            }
        }
    }

    /// The first line, where it has its line break and is not too long.
    pub(super) fn first_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let read = &self.buffer[self.start..self.end];
            if let Some(at) = memchr::memchr(b'\n', read) {
                return Ok(Some(read[..at].to_vec()));
            }
            if read.len() > LINE_BYTES_MAX || self.fill_buffer()? == 0 {
                return Ok(None);
            }
        }
    }

    fn fill_buffer(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> (Vec<Option<usize>>, u64) {
        let (mut lengths, mut offset) = (Vec::new(), 0);
        let see = |line: Option<&[u8]>, bytes| {
            lengths.push(line.map(<[u8]>::len));
            offset += bytes;
        };
        LineReader::new(text).each_line(see).unwrap();
        (lengths, offset)
    }

    #[test]
    fn a_last_line_without_its_break_is_left() {
        assert_eq!(lines(b"one\n\nthr"), (vec![Some(3), Some(0)], 5));
        assert_eq!(lines(b""), (vec![], 0));
    }

    #[test]
    fn long_lines_grow_the_buffer_and_too_long_ones_are_passed_over() {
        let mut text = vec![b'a'; 3 * CHUNK_BYTES];
        text.push(b'\n');
        text.extend(vec![b'b'; LINE_BYTES_MAX + CHUNK_BYTES * 3]);
        text.extend(b"\nend\n");
        let (lengths, offset) = lines(&text);
        assert_eq!(lengths, [Some(3 * CHUNK_BYTES), None, Some(3)]);
        assert_eq!(offset, text.len() as u64);
    }
}
