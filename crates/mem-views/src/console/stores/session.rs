//! Who is signed in: the token in a cookie, with random text that forms repeat.
//!
//! The text is the CSRF token. It changes with every sign-in, is known to the cookie and to pages, and the cookie goes to
//! no other site (`SameSite=Strict`) and to no script (`HttpOnly`).

use std::net::IpAddr;

use axum::http::Method;
use axum::http::header::HeaderMap;
use axum::http::uri::Authority;

use super::super::access::{Secret, comes_from_own_page, cookies, only_host};
use super::{CALLBACK, ROOT};

const COOKIE: &str = "mem-console";
const BINDING: &str = "mem-sign-in";
/// As long as the server remembers a sign-in.
const BINDING_SECONDS: u32 = 600;

/// A token, and what its forms carry.
#[derive(Debug)]
pub(super) struct Session {
    csrf: Secret,
    token: Secret,
}

impl Session {
    /// A session of a token; `None` for a text that cannot be one, or without random bytes. The text may be empty: a
    /// server without tokens asks for none.
    pub(super) fn begin(token: &str) -> Option<Self> {
        let csrf = Secret::generate().ok()?;
        Self::of_parts(csrf, token)
    }

    fn of_parts(csrf: Secret, token: &str) -> Option<Self> {
        let is_token = token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let token = Secret::from(token.to_owned());
        is_token.then_some(Self { csrf, token })
    }

    /// The session of a request.
    pub(super) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let (csrf, token) = only_cookie(headers, COOKIE)?.split_once('.')?;
        match csrf.is_empty() {
            true => None,
            false => Self::of_parts(Secret::from(csrf.to_owned()), token),
        }
    }

    /// What every form carries.
    pub(super) const fn csrf(&self) -> &Secret {
        &self.csrf
    }

    pub(super) fn token(&self) -> &str {
        self.token.expose()
    }

    /// The cookie, until the browser is closed.
    pub(super) fn cookie(&self, headers: &HeaderMap) -> String {
        let (csrf, token) = (self.csrf.expose(), self.token.expose());
        format!("{COOKIE}={csrf}.{token}{}", attributes(headers))
    }
}

/// Takes the cookie away.
pub(super) fn ended_cookie(headers: &HeaderMap) -> String {
    format!("{COOKIE}=; Max-Age=0{}", attributes(headers))
}

/// The cookie that binds a sign-in to this browser. It is sent when the provider leads back here, which a strict one is
/// not, and to that page alone.
pub(super) fn binding_cookie(binding: &str, headers: &HeaderMap) -> String {
    let secure = secure(headers);
    format!(
        "{BINDING}={binding}; Path={CALLBACK}; Max-Age={BINDING_SECONDS}; HttpOnly; SameSite=Lax{secure}"
    )
}

/// Takes it away.
pub(super) fn ended_binding_cookie(headers: &HeaderMap) -> String {
    let secure = secure(headers);
    format!("{BINDING}=; Path={CALLBACK}; Max-Age=0; HttpOnly; SameSite=Lax{secure}")
}

/// What binds the sign-in of a request to its browser.
pub(super) fn binding(headers: &HeaderMap) -> Option<&str> {
    only_cookie(headers, BINDING)
}

/// The cookie of a name. Two of them are none: one of them was planted.
fn only_cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut ours = cookies(headers).filter(|(known, _)| *known == name);
    let (_, value) = ours.next()?;
    ours.next().is_none().then_some(value)
}

/// Without HTTPS the cookie goes to this machine alone.
fn secure(headers: &HeaderMap) -> &'static str {
    match only_host(headers).is_some_and(is_loopback) {
        true => "",
        false => "; Secure",
    }
}

fn attributes(headers: &HeaderMap) -> String {
    let secure = secure(headers);
    format!("; Path={ROOT}; HttpOnly; SameSite=Strict{secure}")
}

/// Whether a request comes from a page of the host that it asks, over HTTPS where that is not this machine.
pub(super) fn is_own_page(method: &Method, headers: &HeaderMap) -> bool {
    comes_from_own_page(method, headers, |origin| {
        let Some((host, origin)) = only_host(headers).zip(std::str::from_utf8(origin).ok()) else {
            return false;
        };
        match origin.split_once("://") {
            Some(("https", name)) => name == host,
            Some(("http", name)) => name == host && is_loopback(host),
            _ => false,
        }
    })
}

/// Whether a text is an address of a page here.
pub(super) fn is_place(text: &str) -> bool {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let rest = text.strip_prefix(ROOT);
    is_plain && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

fn is_loopback(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority
        .host()
        .trim_start_matches('[')
        .trim_end_matches(']');
    name == "localhost"
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
