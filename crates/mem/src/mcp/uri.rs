//! Addresses of resources: `memory://private/feedback_x.md`, `memory://attached/notes/a.md`.

use std::fmt::Write as _;

const SCHEME: &str = "memory://";

/// Whether a text is an address of ours.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(SCHEME)
}

/// The address of a path. What a URI's path may not hold is percent-encoded (RFC 3986).
pub(super) fn of(place: &str, path: &str) -> String {
    let mut uri = format!("{SCHEME}{place}/");
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string never fails.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

/// The place and the path of an address.
pub(super) fn parse(uri: &str) -> Option<(&str, String)> {
    let (place, path) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => byte,
        });
    }
    Some((place, String::from_utf8(bytes).ok()?))
}

/// How an address looks that is not on a list.
pub(super) fn template(rest: &str) -> String {
    format!("{SCHEME}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_path() {
        for path in ["feedback_x.md", "sub/a b.md", "한글 100%.md", "a#b?c.md"] {
            let uri = of("team", path);
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
            assert_eq!(parse(&uri), Some(("team", path.to_owned())));
        }
        for uri in [
            "memory://",
            "file:///a",
            "memory://team/%f",
            "memory://team/%ff",
        ] {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }
}
