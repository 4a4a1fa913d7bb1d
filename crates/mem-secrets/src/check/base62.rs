//! Numbers in base 62 (digits, upper case, lower case) and base 36.

/// `number` in base 62, filled with zeros to `width`.
pub(crate) fn encode(mut number: u32, width: usize) -> Vec<u8> {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut digits = vec![b'0'; width];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(number % 62) as usize];
        number /= 62;
    }
    digits
}

/// The value of lower-case base 36 digits.
pub(crate) fn decode36(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    u32::from_str_radix(text, 36).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts() {
        assert_eq!(super::encode(61, 2), b"0z");
        assert_eq!(super::encode(62, 6), b"000010");
        assert_eq!(super::decode36(b"zz"), Some(1295));
    }
}
