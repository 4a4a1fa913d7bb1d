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
    let at = at
        + run(bytes, at, NAME_REST_BYTES, |byte| {
            is_word(byte) || matches!(byte, b' ' | b'\t' | b'.' | b'-')
        });
    let at = at
        + run(bytes, at, 4, |byte| {
            matches!(
                byte,
                b' ' | b'\t' | b'\n' | b'\r' | b'\'' | b'"' | b']' | b'`' | b'\\'
            )
        });
    let at = after_operator(bytes, at)?;
    let gap =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'\'' | b'"' | b'=' | b'\\');
    Some(at + run(bytes, at, GAP_BYTES, gap))
}

/// Whether a vendor's name stands in an identifier as a word of its own:
/// `oktaToken` and `MY_OKTA`, not `bookTable` or `sumOfParts`.
pub(crate) fn is_own_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let (first, last) = (bytes[start], bytes[end - 1]);
    let before = start.checked_sub(1).map_or(b' ', |at| bytes[at]);
    let after = bytes.get(end).copied().unwrap_or(b' ');
    let joined = before.is_ascii_lowercase() && first.is_ascii_lowercase()
        || before.is_ascii_uppercase() && first.is_ascii_alphabetic() && !last.is_ascii_uppercase();
    let split = last.is_ascii_uppercase()
        && after.is_ascii_lowercase()
        && bytes[start..end].iter().any(u8::is_ascii_lowercase);
    !joined && !split
}

/// The end of an assignment operator that begins at `at`.
fn after_operator(bytes: &[u8], at: usize) -> Option<usize> {
    let length = run(bytes, at, 4, |byte| {
        matches!(byte, b'=' | b':' | b'>' | b',' | b'?' | b'|')
    });
    match &bytes[at..at + length] {
        [] | [b'?' | b'|'] => None,
        _ => Some(at + length),
    }
}

fn run(bytes: &[u8], at: usize, most: usize, member: impl Fn(u8) -> bool) -> usize {
    bytes[at.min(bytes.len())..]
        .iter()
        .take(most)
        .take_while(|&&byte| member(byte))
        .count()
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
            assert_eq!(
                value,
                line.find('V').filter(|_| true).max(line.rfind('V')),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_inside_a_word_is_not_the_vendor() {
        let own = |text: &str, name: &str| {
            let start = text.to_lowercase().find(name).unwrap();
            is_own_word(text.as_bytes(), start, start + name.len())
        };
        assert!(own("oktaToken", "okta") && own("MY_OKTA_KEY", "okta") && own("myOktaKey", "okta"));
        assert!(!own("bookTable", "okta") && !own("sumOfParts", "sumo"));
        assert!(!own("SetSysctl", "etsy"));
    }

    #[test]
    fn no_operator_no_value() {
        assert_eq!(value_after(b"acme key V", 4), None);
    }
}
