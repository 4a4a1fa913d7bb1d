//! Values that stand where a secret will be.

/// Whether most of a value is one character again and again, as in a row of
/// `x`, `*`, `0` or dots.
pub(crate) fn is_filler(value: &[u8]) -> bool {
    let body = value.iter().rposition(|byte| matches!(byte, b'_' | b'.' | b'~'));
    let body = body.map_or(value, |at| &value[at + 1..]);
    longest_run(value) >= 8.max(value.len() / 4) || (body.len() >= 8 && longest_run(body) * 2 > body.len())
}

fn longest_run(value: &[u8]) -> usize {
    let mut best = 0;
    let mut run = 0;
    let mut last = None;
    for &byte in value {
        run = if last == Some(byte) { run + 1 } else { 1 };
        last = Some(byte);
        best = best.max(run);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_character() {
        assert!(is_filler(b"tok_xxxxxxxxxxxxxxxx"));
        assert!(is_filler(b"****************"));
        assert!(!is_filler(b"a8f3kq92kd83kf92"));
    }
}
