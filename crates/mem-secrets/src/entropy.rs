//! Shannon entropy, the oldest measure of how random a value looks.

/// Bits for each byte of `bytes`, between 0 and 8.
#[must_use]
pub(crate) fn shannon(bytes: &[u8]) -> f32 {
    if bytes.is_empty() {
        return 0.0;
    }
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let total = bytes.len() as f32;
    let used = counts.iter().filter(|&&count| count > 0);
    used.map(|&count| {
        let share = count as f32 / total;
        -share * share.log2()
    })
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_from_nothing_to_log_of_the_alphabet() {
        assert_eq!(shannon(b""), 0.0);
        assert_eq!(shannon(b"aaaa"), 0.0);
        assert!((shannon(b"0123456789abcdef") - 4.0).abs() < 1e-6);
    }
}
