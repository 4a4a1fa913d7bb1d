//! Who may ask a server without tokens: programs of this machine, not the pages in its browsers. Any server answers
//! messages at `/mcp` only where they come from no page, from one of this machine, or from one of its public address.
//!
//! A page of a foreign site can have its own name lead to 127.0.0.1, and then asks as if the server were its
//! own. Its name stands in `Host`, and where it comes from in `Origin`.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AsHeaderName, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use mem_core::memory_path::printable;
use reqwest::Url;

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
        if host.is_some_and(|host| self.is_here(host))
            && origin.is_none_or(|origin| self.is_from_here(origin))
        {
            return Ok(());
        }
        let message = "this server answers requests to a loopback address only";
        Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
    }

    /// Refuses requests of a page that is neither from here nor from the address that browsers find this server at.
    /// Programs have no origin, or one of a scheme of their own (`vscode-webview://`); `null` is any page's.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn check_origin(
        self,
        headers: &HeaderMap,
        public_url: Option<&str>,
    ) -> Result<(), HttpProblem> {
        let Some(origin) = text(headers, ORIGIN) else {
            return Ok(());
        };
        let public = public_url.and_then(|url| Url::parse(url).ok());
        let is_public = public.is_some_and(|url| url.origin().ascii_serialization() == origin);
        if is_public || self.is_from_here(origin) || is_program(origin) {
            return Ok(());
        }
        let message = match origin {
            "" => "the header `Origin` is empty, repeated or not ASCII: expected one origin"
                .to_owned(),
            _ => format!(
                "the origin `{}` is not allowed: expected this machine, or that of `identity.public_url`",
                printable(origin)
            ),
        };
        Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
    }

    fn is_from_here(self, origin: &str) -> bool {
        let host = origin.split_once("://");
        host.is_some_and(|(_, host)| self.is_here(host))
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

/// Whether an origin is that of a program that shows pages of its own: browsers have pages of `http` and `https`.
fn is_program(origin: &str) -> bool {
    let scheme = origin.split_once("://").map(|(scheme, _)| scheme);
    let is_page = |scheme: &str| {
        ["http", "https"]
            .iter()
            .any(|page| scheme.eq_ignore_ascii_case(page))
    };
    scheme.is_some_and(|scheme| !is_page(scheme))
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

    #[test]
    fn the_public_address_is_an_origin_too() {
        let from = |origin: &str, public_url: Option<&str>| {
            let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_str(origin).unwrap())]);
            LoopbackHosts::for_address(SocketAddr::from(([0, 0, 0, 0], 8787)))
                .check_origin(&headers, public_url)
                .is_ok()
        };
        let ours = "https://mem.example.org";
        assert!(from("http://127.0.0.1:3000", None) && !from(ours, None));
        for public_url in [ours, "https://mem.example.org:443/mem/"] {
            assert!(from(ours, Some(public_url)), "{public_url}");
            for other in ["http://mem.example.org", "https://evil.example", "null", ""] {
                assert!(!from(other, Some(public_url)), "{other}");
            }
        }
        for program in ["vscode-webview://1a2b", "app://obsidian.md"] {
            assert!(from(program, None), "{program}");
        }
        assert!(!from("HTTPS://evil.example", None));
    }

    #[test]
    fn two_origins_are_refused_with_the_reason() {
        let mut headers = HeaderMap::new();
        for _ in 0..2 {
            headers.append(ORIGIN, HeaderValue::from_static("http://localhost"));
        }
        let hosts = LoopbackHosts::for_address(SocketAddr::from(([0, 0, 0, 0], 8787)));
        let problem = hosts.check_origin(&headers, None).unwrap_err();
        assert!(problem.message().contains("repeated"), "{problem:?}");
    }
}
