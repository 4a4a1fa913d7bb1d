//! Where a key may go: to an address that nobody on the way can read along with.

use std::net::IpAddr;

use reqwest::Url;

use super::ApiError;

/// The endpoint below a base address.
pub(super) fn messages(base: &str) -> Result<Url, ApiError> {
    let mut url = Url::parse(base.trim()).map_err(|_| ApiError::Address("it is not a URL"))?;
    let fault = match url.scheme() {
        "https" | "http" if !url.has_host() => "it has no host",
        "https" | "http" if !url.username().is_empty() || url.password().is_some() => {
            "a key does not belong into it"
        }
        "https" | "http" if url.query().is_some() || url.fragment().is_some() => {
            "it has a query or a fragment"
        }
        "http" if !is_loopback(&url) => "what is sent there could be read on the way",
        "https" | "http" => {
            let Ok(mut path) = url.path_segments_mut() else {
                return Err(ApiError::Address("it takes no path"));
            };
            path.pop_if_empty().extend(["v1", "messages"]);
            drop(path);
            return Ok(url);
        }
        _ => "it begins neither with `https://` nor with `http://`",
    };
    Err(ApiError::Address(fault))
}

/// Whether it is this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback || host == "localhost"
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
            ("http://localhost", "http://localhost/v1/messages"),
        ] {
            assert_eq!(messages(base).unwrap().as_str(), url);
        }
        let secret = ["https://me:hunter", "2@h"].concat();
        for bad in [
            "",
            "h:80",
            "file:///x",
            "https://",
            "https://h?x",
            "https://h#x",
            "http://example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org",
            &secret,
        ] {
            let said = messages(bad).unwrap_err().to_string();
            assert!(!said.contains("hunter"), "{said}");
        }
    }
}
