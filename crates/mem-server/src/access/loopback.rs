//! Who may ask a server without tokens: programs of this machine, not the pages in its browsers.
//!
//! A page of a foreign site can have its own name lead to 127.0.0.1, and then asks as if the server were its
//! own. Its name stands in `Host`, and where it comes from in `Origin`.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AsHeaderName, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};

use crate::http::problem::HttpProblem;
use crate::options::is_loopback;

/// The name of this machine for itself.
const LOCALHOST: &str = "localhost";

/// The names that a server without tokens answers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopbackHosts(IpAddr);

impl LoopbackHosts {
    /// Of a server that listens there.
    pub(crate) fn for_address(listen: SocketAddr) -> Self {
        Self(listen.ip())
    }

    /// Refuses requests that were made for another name, or by a page from elsewhere.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn check(self, headers: &HeaderMap) -> Result<(), HttpProblem> {
        let host = text(headers, HOST);
        let origin = text(headers, ORIGIN);
        let from_here = |origin: &str| match origin.split_once("://") {
            Some((_, host)) => self.is_here(host),
            None => false,
        };
        if host.is_some_and(|host| self.is_here(host)) && origin.is_none_or(from_here) {
            return Ok(());
        }
        let message = "this server answers requests to a loopback address only";
        Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
    }

    /// Whether this is a name of this machine, or the address that is listened on.
    fn is_here(self, host: &str) -> bool {
        let name = without_port(host);
        let address = name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>();
        match address {
            Ok(address) => is_loopback(address) || address == self.0,
            Err(_) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                name == LOCALHOST || name.ends_with(".localhost")
            }
        }
    }
}

/// The one value of a header; an empty text where there are several.
fn text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    let only = values.next().is_none();
    Some(first.to_str().ok().filter(|_| only).unwrap_or_default())
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => {
            name
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn may(host: Option<&str>, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in [(HOST, host), (ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, HeaderValue::from_str(value).unwrap());
            }
        }
        LoopbackHosts::for_address(SocketAddr::from(([127, 0, 0, 1], 8787)))
            .check(&headers)
            .is_ok()
    }

    #[test]
    fn names_of_this_machine_only() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:8787",
            "localhost:1",
            "LOCALHOST.",
            "[::1]:8787",
            "127.9.9.9",
            "a.localhost",
            "[::ffff:127.0.0.1]:1",
        ] {
            assert!(may(Some(host), None), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example:8787",
            "localhost.evil.example",
            "10.0.0.1",
            "127.0.0.1@evil.example",
            "[2001:db8::1]:8787",
        ] {
            assert!(!may(Some(host), None), "{host}");
        }
        assert!(!may(None, None));
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let here = Some("127.0.0.1:8787");
        assert!(may(here, Some("http://localhost:3000")));
        assert!(!may(here, Some("https://evil.example")));
        assert!(!may(here, Some("null")));
    }
}
