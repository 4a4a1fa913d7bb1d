//! Whether bytes can be read as a text at all: what is no text is kept, and shown to nobody as what somebody said.

/// Of a text less than this part is control characters, or in another encoding than UTF-8: a text in Latin-1 is far
/// below it, what was never a text far above.
const PART_MAX: usize = 4;

/// What a file is that is no text, after its name.
pub const NOT_TEXT: &str = "is no text: control characters, or another encoding than UTF-8";

/// Whether a person can read it: an odd byte here and there is no hindrance, but for NUL, which no text has.
pub fn is_plain_text(bytes: &[u8]) -> bool {
    !bytes.contains(&0) && odd(bytes) * PART_MAX <= bytes.len()
}

/// The warning of a file that is no text.
pub fn not_text_warning(file: &str) -> String {
    format!("`{file}` {NOT_TEXT}")
}

/// How many of the bytes are of no character that is written.
fn odd(bytes: &[u8]) -> usize {
    let is_odd = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    let odd = bytes.utf8_chunks().map(|chunk| {
        let controls = chunk.valid().chars().filter(is_odd).count();
        controls + chunk.invalid().len()
    });
    odd.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_what_never_was_one() {
        for text in [
            &b""[..],
            b"plain\r\n\tand simple\n",
            "통과 — почти, presque".as_bytes(),
            b"Die Br\xfccke \xfcber den Flu\xdf ist gesperrt.",
            b"red: \x1b[31mred\x1b[0m, and so on",
        ] {
            assert!(is_plain_text(text), "{text:?}");
        }
        let noise: Vec<u8> = (0..=255).collect();
        let wide: Vec<u8> = "wide".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [
            &noise[..],
            &wide,
            b"\x7fELF\x02\x01\x01\0\0\0",
            b"\0",
            b"a long text with one \0 in it",
            b"\xff\xfe",
        ] {
            assert!(!is_plain_text(bytes), "{bytes:?}");
        }
    }
}
