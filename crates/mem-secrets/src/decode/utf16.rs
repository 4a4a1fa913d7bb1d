//! UTF-16, as Windows tools write it: recognised before a file is taken for
//! binary.

use std::ops::Range;

/// Bytes that are looked at where there is no byte order mark.
const SAMPLE_BYTES: usize = 256;

/// The text as UTF-8, and for each of its bytes the offset of the unit that it
/// came from.
pub(crate) struct Transcoded {
    pub(crate) text: Vec<u8>,
    pub(crate) offsets: Vec<usize>,
}

impl Transcoded {
    pub(crate) fn push(&mut self, byte: u8, offset: usize) {
        self.text.push(byte);
        self.offsets.push(offset);
    }

    /// The bytes that a span of the text came from.
    pub(crate) fn original(&self, span: &Range<u64>) -> Range<u64> {
        let last = self.offsets.last().copied().unwrap_or_default();
        let offset = |at: u64| self.offsets.get(at as usize).map_or(last, |at| *at) as u64;
        offset(span.start)..offset(span.end)
    }
}

/// Transcodes `bytes` when they are UTF-16.
pub(crate) fn transcode(bytes: &[u8]) -> Option<Transcoded> {
    let (start, little) = match bytes {
        [0xff, 0xfe, ..] => (2, true),
        [0xfe, 0xff, ..] => (2, false),
        _ => (0, guess(bytes)?),
    };
    let unit = |pair: &[u8]| match pair {
        [a, b] if little => u16::from_le_bytes([*a, *b]),
        [a, b] => u16::from_be_bytes([*a, *b]),
        _ => 0xfffd,
    };
    let mut out = Transcoded {
        text: Vec::with_capacity(bytes.len() / 2),
        offsets: Vec::new(),
    };
    let mut offset = start;
    for decoded in char::decode_utf16(bytes[start..].chunks(2).map(unit)) {
        let letter = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut buffer = [0; 4];
        for byte in letter.encode_utf8(&mut buffer).bytes() {
            out.push(byte, offset);
        }
        offset += 2 * letter.len_utf16();
    }
    out.offsets.push(bytes.len());
    Some(out)
}

/// The byte order of text without a mark: nearly every other byte is zero.
fn guess(bytes: &[u8]) -> Option<bool> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES) & !1];
    let zeros = |phase: usize| {
        sample
            .iter()
            .skip(phase)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let half = sample.len() / 2;
    if half < 8 {
        return None;
    }
    let most = |count: usize| count * 10 >= half * 8;
    match (zeros(0), zeros(1)) {
        (0, odd) if most(odd) => Some(true),
        (even, 0) if most(even) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_with_and_without_a_mark() {
        let text = "password = värde";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(little.iter().copied())
            .collect();
        for bytes in [&little, &big, &marked] {
            let found = transcode(bytes).unwrap();
            assert_eq!(found.text, text.as_bytes());
            assert_eq!(found.offsets.len(), found.text.len() + 1);
        }
        assert!(transcode(b"plain text, plain text").is_none());
    }
}
