//! Whom a client may be pointed at: the address that a person wrote.

use std::net::IpAddr;

use reqwest::Url;

/// What holds for `http://`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainHttp {
    /// It is taken where it is written.
    Anywhere,
    /// It is for this machine alone: what is sent elsewhere could be read on the way.
    OnThisMachine,
}

/// Why an address is none. It is not quoted: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// Nothing that could be taken apart.
    #[error("it is not a URL")]
    NoUrl,
    /// Another scheme.
    #[error("it begins neither with `https://` nor with `http://`")]
    Scheme,
    /// Nobody to ask.
    #[error("it has no host")]
    NoHost,
    /// `https://user:password@host`: an address is shown, and kept in files that others read.
    #[error("a user, a password or a key does not belong into it")]
    Credentials,
    /// `?` or `#`.
    #[error("it has a query or a fragment")]
    Query,
    /// Another machine, without TLS.
    #[error("what is sent there could be read on the way")]
    Readable,
}

/// The address of a server: `https://host[:port][/prefix]`, and with `http://` as far as that is allowed.
///
/// # Errors
/// See [`AddressFault`].
pub fn parse_address(base: &str, plain: PlainHttp) -> Result<Url, AddressFault> {
    let url = Url::parse(base.trim()).map_err(|_| AddressFault::NoUrl)?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(AddressFault::Scheme);
    }
    if !url.has_host() {
        return Err(AddressFault::NoHost);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressFault::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(AddressFault::Query);
    }
    let is_readable = url.scheme() == "http" && !is_loopback(&url);
    match (is_readable, plain) {
        (true, PlainHttp::OnThisMachine) => Err(AddressFault::Readable),
        _ => Ok(url),
    }
}

/// Whether what is sent there does not leave this machine.
pub fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    is_loopback || host == "localhost"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_with_a_port_and_a_path_if_need_be() {
        for good in [
            "https://h",
            "http://127.0.0.1:8080",
            "https://h:1/a/b/",
            " https://[::1]/x ",
        ] {
            assert!(parse_address(good, PlainHttp::Anywhere).is_ok(), "{good}");
        }
        let secret = ["https://me:hunter", "2@h"].concat();
        for (bad, why) in [
            ("", AddressFault::NoUrl),
            ("h", AddressFault::NoUrl),
            ("https://", AddressFault::NoUrl),
            ("h:80", AddressFault::Scheme),
            ("ftp://h", AddressFault::Scheme),
            ("file:///x", AddressFault::Scheme),
            ("https://h?x=1", AddressFault::Query),
            ("https://h#x", AddressFault::Query),
            ("https://me@h", AddressFault::Credentials),
            (&secret, AddressFault::Credentials),
        ] {
            let refused = parse_address(bad, PlainHttp::Anywhere).unwrap_err();
            assert_eq!(refused, why, "{bad}");
            assert!(!format!("{refused} {refused:?}").contains("hunter"));
        }
    }

    #[test]
    fn what_stays_on_the_machine_may_go_in_the_clear() {
        for (base, is_here) in [
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:1", true),
            ("http://localhost", true),
            ("http://example.org", false),
            ("http://127.0.0.1.example.org", false),
            ("http://localhost.example.org", false),
            ("http://0.0.0.0", false),
        ] {
            let judged = parse_address(base, PlainHttp::OnThisMachine);
            assert_eq!(judged.is_ok(), is_here, "{base}");
            let url = parse_address(base, PlainHttp::Anywhere).unwrap();
            assert_eq!(is_loopback(&url), is_here, "{base}");
        }
        assert!(parse_address("https://example.org", PlainHttp::OnThisMachine).is_ok());
    }
}
