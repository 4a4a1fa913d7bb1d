//! Lines of a stream, none of them kept beyond its limit.

use std::io::{self, BufRead, Read};

/// What came of reading one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// A line is in the buffer, without its end. The last one need not have had any.
    Whole,
    /// The buffer holds the start of a line over the limit; [`LineRest`] reads the rest.
    TooLong,
    /// There is nothing more.
    End,
}

/// Reads the next line into `line`, which is emptied first.
///
/// # Errors
/// Those of the stream.
pub(super) fn next_line(
    stream: &mut impl BufRead,
    line: &mut Vec<u8>,
    bytes_max: usize,
) -> io::Result<InputLine> {
    line.clear();
    stream.take(bytes_max as u64 + 1).read_until(b'\n', line)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        return Ok(InputLine::Whole);
    }
    Ok(match line.len() {
        0 => InputLine::End,
        length if length > bytes_max => InputLine::TooLong,
        _ => InputLine::Whole,
    })
}

/// Reads a line that has begun to its end, which it consumes and does not return.
pub(super) struct LineRest<'s, S> {
    stream: &'s mut S,
    has_ended: bool,
}

impl<'s, S: BufRead> LineRest<'s, S> {
    /// The rest of the line that the stream is in.
    pub(super) fn new(stream: &'s mut S) -> Self {
        let has_ended = false;
        Self { stream, has_ended }
    }
}

impl<S: BufRead> Read for LineRest<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let available = self.stream.fill_buf()?;
        let available = &available[..available.len().min(buffer.len())];
        let end = memchr::memchr(b'\n', available);
        let length = end.unwrap_or(available.len());
        buffer[..length].copy_from_slice(&available[..length]);
        self.has_ended = end.is_some();
        self.stream.consume(length + usize::from(end.is_some()));
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_come_whole_and_long_ones_in_two_parts() {
        let text = b"one\n\nmuch too long a line\ntwo\nlast";
        let mut stream = BufReader::with_capacity(4, &text[..]);
        let mut line = Vec::new();
        let mut seen = Vec::new();
        loop {
            match next_line(&mut stream, &mut line, 8).unwrap() {
                InputLine::End => break,
                what => seen.push((what, String::from_utf8(line.clone()).unwrap())),
            }
            if let Some((InputLine::TooLong, start)) = seen.last_mut() {
                LineRest::new(&mut stream).read_to_string(start).unwrap();
            }
        }
        let whole = |text: &str| (InputLine::Whole, text.to_owned());
        let long = (InputLine::TooLong, "much too long a line".to_owned());
        assert_eq!(
            seen,
            [whole("one"), whole(""), long, whole("two"), whole("last")]
        );
    }
}
