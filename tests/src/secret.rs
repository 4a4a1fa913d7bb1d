//! Made-up secrets, assembled at run time so that no scanner finds one in the sources.

/// A token in the form of GitHub's; another for each number.
pub fn github_token(number: u64) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    let mut next = || {
        // Knuth's MMIX generator: the high bits are random enough.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[(state >> 33) as usize % LETTERS.len()])
    };
    let body: String = (0..36).map(|_| next()).collect();
    format!("gh{}{body}", "p_")
}
