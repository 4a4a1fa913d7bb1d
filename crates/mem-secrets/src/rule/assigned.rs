//! Walks from a keyword inside a name to the value that the name is given,
//! whatever the language: `=`, `:`, `=>`, `:=`, `?=`, a closing XML tag, the
//! next argument of a call.

use super::boundary::is_word;

/// Bytes of a name, its type and spaces that may follow the keyword.
const NAME_REST_BYTES: usize = 28;
/// White space (a new line in XML) and quotes between operator and value.
const GAP_BYTES: usize = 16;

/// Where the value that is assigned to a name begins, when `at` is the end of
/// a keyword inside that name.
pub(crate) fn value_after(bytes: &[u8], at: usize) -> Option<usize> {
    let at = at + run(bytes, at, NAME_REST_BYTES, |byte| {
        is_word(byte) || matches!(byte, b' ' | b'\t' | b'.' | b'-')
    });
    let at = at + run(bytes, at, 4, |byte| {
        matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\'' | b'"' | b']' | b'`' | b'\\')
    });
    let at = after_operator(bytes, at)?;
    let gap = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'\'' | b'"' | b'=' | b'\\');
    Some(at + run(bytes, at, GAP_BYTES, gap))
}

/// The end of an assignment operator that begins at `at`.
fn after_operator(bytes: &[u8], at: usize) -> Option<usize> {
    let length = run(bytes, at, 4, |byte| matches!(byte, b'=' | b':' | b'>' | b',' | b'?' | b'|'));
    match &bytes[at..at + length] {
        [] | [b'?'] | [b'|'] => None,
        _ => Some(at + length),
    }
}

fn run(bytes: &[u8], at: usize, most: usize, member: impl Fn(u8) -> bool) -> usize {
    bytes[at.min(bytes.len())..].iter().take(most).take_while(|&&byte| member(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_value_in_many_languages() {
        for line in [
            "acme_key = V",
            "\"acmeKey\": \"V",
            "acmeKey := `V",
            "$acme .= \"V",
            "setProperty(\"ACME_KEY\", \"V",
            "<acmeKey>\n    V",
            "var acmeKey string = \"V",
            "ACME_KEY ?= V",
            "config['acme'] = 'V",
        ] {
            let at = line.to_lowercase().find("acme").unwrap() + 4;
            let value = value_after(line.as_bytes(), at);
            assert_eq!(value, line.find('V').filter(|_| true).max(line.rfind('V')), "{line}");
        }
    }

    #[test]
    fn no_operator_no_value() {
        assert_eq!(value_after(b"acme key V", 4), None);
    }
}
