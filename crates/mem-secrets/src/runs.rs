//! Long rows of letters and digits: where encoded text and tokens without a
//! telling prefix are. Found by looking at every sixteenth byte only.

use std::ops::Range;

/// Shortest row that is reported.
pub(crate) const RUN_BYTES_MIN: usize = 18;
/// Longest row that is joined over line ends.
const BLOCK_BYTES_MAX: usize = 1 << 20;

/// Letters, digits and the signs of both base64 alphabets.
const fn is_member(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

static MEMBERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_member(byte as u8);
        byte += 1;
    }
    table
};

/// Calls `visit` with each row of at least [`RUN_BYTES_MIN`] bytes.
pub(crate) fn each(bytes: &[u8], mut visit: impl FnMut(Range<usize>)) {
    let member = |at: usize| MEMBERS[usize::from(bytes[at])];
    let mut low = 0;
    let mut probe = RUN_BYTES_MIN - 1;
    while probe < bytes.len() {
        if !member(probe) {
            low = probe + 1;
            probe += RUN_BYTES_MIN;
            continue;
        }
        let mut start = probe;
        while start > low && member(start - 1) {
            start -= 1;
        }
        let mut end = probe + 1;
        // Far enough to be long, or to know that it is not.
        while end < bytes.len() && member(end) {
            end += 1;
        }
        if end - start >= RUN_BYTES_MIN {
            visit(start..end);
        }
        low = end;
        probe = end + RUN_BYTES_MIN;
    }
}

/// The row together with the rows that follow it line by line, as wrapped
/// base64 is written.
pub(crate) fn block(bytes: &[u8], run: Range<usize>) -> Range<usize> {
    let mut end = run.end;
    let width = run.len();
    while width >= 48 && end - run.start < BLOCK_BYTES_MAX {
        let rest = &bytes[end..bytes.len().min(end + 40)];
        let gap = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let lines = rest[..gap].iter().filter(|byte| **byte == b'\n').count();
        let next = end + gap;
        let length = bytes[next..]
            .iter()
            .take(width + 1)
            .take_while(|b| MEMBERS[usize::from(**b)])
            .count();
        if lines != 1 || length == 0 || length > width {
            break;
        }
        end = next + length;
        if length < width {
            break;
        }
    }
    run.start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slowly(bytes: &[u8]) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        for at in 0..=bytes.len() {
            if at == bytes.len() || !is_member(bytes[at]) {
                if at - start >= RUN_BYTES_MIN {
                    rows.push(start..at);
                }
                start = at + 1;
            }
        }
        rows
    }

    proptest! {
        #[test]
        fn skipping_finds_what_walking_finds(text in "[a-f ]{0,40}[a-f]{0,40}[ a-f\n]{0,90}") {
            let mut rows = Vec::new();
            each(text.as_bytes(), |row| rows.push(row));
            prop_assert_eq!(rows, slowly(text.as_bytes()));
        }
    }
}
