//! Addresses of resources: `memory://private/feedback_x.md`, `memory://attached/notes/a.md`.

use mem_core::percent::{percent_decoded, percent_encoded};

const SCHEME: &str = "memory://";

/// Whether a text is an address of ours.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(SCHEME)
}

/// The address of a path. What a URI's path may not hold is percent-encoded.
pub(super) fn resource_uri(place: &str, path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    format!("{SCHEME}{place}/{}", percent_encoded(path, is_plain))
}

/// The place and the path of an address.
pub(super) fn parse_uri(uri: &str) -> Option<(&str, String)> {
    let (place, path) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    Some((place, percent_decoded(path)?))
}

/// How an address looks that is not on a list.
pub(super) fn uri_template(rest: &str) -> String {
    format!("{SCHEME}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_path() {
        for path in ["feedback_x.md", "sub/a b.md", "한글 100%.md", "a#b?c.md"] {
            let uri = resource_uri("team", path);
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
            assert_eq!(parse_uri(&uri), Some(("team", path.to_owned())));
        }
        for uri in [
            "memory://",
            "file:///a",
            "memory://team/%f",
            "memory://team/%ff",
        ] {
            assert_eq!(parse_uri(uri), None, "{uri}");
        }
    }
}
