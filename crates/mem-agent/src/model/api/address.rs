//! Where a key may go: to an address that nobody on the way can read along with.

use mem_http::{AddressFault, PlainHttp, parse_address};
use reqwest::Url;

/// The endpoint below a base address.
pub(super) fn messages_url(base: &str) -> Result<Url, AddressFault> {
    let mut url = parse_address(base, PlainHttp::OnThisMachine)?;
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(["v1", "messages"]);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_over_tls_or_stays_on_the_machine() {
        for (base, url) in [
            ("https://h", "https://h/v1/messages"),
            (" https://h:1/prefix/ ", "https://h:1/prefix/v1/messages"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/messages"),
            ("http://[::1]:1", "http://[::1]:1/v1/messages"),
        ] {
            assert_eq!(messages_url(base).unwrap().as_str(), url);
        }
        assert_eq!(messages_url("http://h"), Err(AddressFault::Readable));
        assert_eq!(messages_url("https://me@h"), Err(AddressFault::Credentials));
    }
}
