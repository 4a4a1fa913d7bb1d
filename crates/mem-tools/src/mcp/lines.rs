//! Lines of a stream, none of them kept beyond its limit.

use std::io::{self, BufRead};

/// What came of reading one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// A line is in the buffer, without its end. The last one need not have had any.
    Whole,
    /// It was longer than the limit: it is gone, up to its end.
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
    let (mut is_too_long, mut has_any) = (false, false);
    loop {
        let available = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok(match (is_too_long, has_any) {
                (true, _) => InputLine::TooLong,
                (false, true) => InputLine::Whole,
                (false, false) => InputLine::End,
            });
        }
        has_any = true;
        let end = memchr::memchr(b'\n', available);
        let piece = &available[..end.unwrap_or(available.len())];
        if line.len() + piece.len() > bytes_max {
            is_too_long = true;
            *line = Vec::new();
        } else if !is_too_long {
            line.extend_from_slice(piece);
        }
        let used = piece.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            return Ok(match is_too_long {
                true => InputLine::TooLong,
                false => InputLine::Whole,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_come_whole_and_long_ones_are_left_out() {
        let text = b"one\n\nmuch too long a line\ntwo\nlast";
        let mut stream = BufReader::with_capacity(4, &text[..]);
        let mut line = Vec::new();
        let mut seen = Vec::new();
        loop {
            match next_line(&mut stream, &mut line, 8).unwrap() {
                InputLine::End => break,
                what => seen.push((what, String::from_utf8(line.clone()).unwrap())),
            }
        }
        let whole = |text: &str| (InputLine::Whole, text.to_owned());
        let long = (InputLine::TooLong, String::new());
        assert_eq!(
            seen,
            [whole("one"), whole(""), long, whole("two"), whole("last")]
        );
    }
}
