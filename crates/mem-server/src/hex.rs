//! Bytes as the hexadecimal digits of ids and names that people see.

/// A prefix and lower-case hexadecimal digits, two a byte.
pub(crate) fn of(prefix: &str, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(prefix.len() + 2 * bytes.len());
    text.push_str(prefix);
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(digit.into(), 16));
        }
    }
    text
}

/// Random bytes behind a prefix.
///
/// # Errors
/// The system has none to give.
pub(crate) fn random<const N: usize>(prefix: &str) -> Result<String, getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(of(prefix, &bytes))
}

/// The bytes that lower-case digits stand for.
pub(crate) fn read(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = digits.as_bytes().chunks(2).map(|pair| match *pair {
        [high, low] => Some(digit(high)? * 16 + digit(low)?),
        _ => None,
    });
    pairs.collect()
}
