//! The escapes that Java's `Properties.store` writes before signs: `\:`, `\=`, `\#` and `\!`.

use super::utf16::Transcoded;

/// The text without its escapes, where it has any.
pub(crate) fn unescape(bytes: &[u8]) -> Option<Transcoded> {
    memchr::memchr(b'\\', bytes)?;
    let mut out = Transcoded {
        text: Vec::with_capacity(bytes.len()),
        offsets: Vec::with_capacity(bytes.len() + 1),
    };
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = bytes.get(at + 1).filter(|_| byte == b'\\');
        match escaped {
            Some(sign @ (b':' | b'=' | b'#' | b'!')) => out.push(*sign, at),
            Some(other) => {
                out.push(byte, at);
                out.push(*other, at + 1);
            }
            None => out.push(byte, at),
        }
        at += 1 + usize::from(escaped.is_some());
    }
    out.offsets.push(bytes.len());
    (out.text.len() < bytes.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_sign_has_the_place_of_its_backslash() {
        let plain = unescape(br"u=a\:b\=c\\:d").unwrap();
        assert_eq!(plain.text, br"u=a:b=c\\:d");
        assert_eq!(plain.original(&(3..5)), 3..6);
        assert!(unescape(br"C:\\x").is_none());
    }
}
