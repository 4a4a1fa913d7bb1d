//! Who may ask the console: one browser, by a token that counts once.
//!
//! ```text
//!   GET /enter?token=T   T is compared and forgotten  ->  cookie, HttpOnly, SameSite=Strict
//!   every other request  Host, then cookie, then for a POST Origin and the CSRF token of the form
//! ```
//!
//! All of it is random and of this run alone. Cookies do not know ports, so the name of ours has it. `Host` is compared
//! because a name of somebody's domain may be pointed at this machine; `Origin` and `Sec-Fetch-Site` because a page of
//! another port of this machine is the same site for a browser.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use subtle::ConstantTimeEq as _;

/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;
/// Set by browsers: how the page that asks relates to the one that is asked.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// A page of ours, and an address that a person typed or clicked outside of a browser.
const OWN_SITES: [&[u8]; 2] = [b"same-origin", b"none"];

/// Random text that nobody guesses. It is never printed by `Debug`.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Secret {
    /// From the system's random bytes, as hexadecimal digits.
    pub(crate) fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes)?;
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        Ok(Self(
            digits
                .filter_map(|digit| char::from_digit(u32::from(digit), 16))
                .collect(),
        ))
    }

    /// Whether `text` is the secret, in a time that does not tell how much of it is right.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// The text, for an address or a form.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// The secrets of one run, and the address that they go for.
#[derive(Debug)]
pub(crate) struct Access {
    address: SocketAddr,
    /// Gone once it was used.
    entry: Mutex<Option<Secret>>,
    cookie: Secret,
    csrf: Secret,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It names another host.
    Host,
    /// It comes without the cookie.
    Cookie,
    /// It comes from another page.
    Origin,
    /// Its form lacks the token.
    Csrf,
    /// The token of the address was used, or is none.
    Token,
}

impl Refused {
    /// The status of the answer.
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Cookie | Self::Token => StatusCode::UNAUTHORIZED,
            Self::Origin | Self::Csrf => StatusCode::FORBIDDEN,
        }
    }
}

impl Access {
    /// Secrets for a console that listens at `address`.
    ///
    /// # Errors
    /// The system has no random bytes.
    pub(crate) fn generate(address: SocketAddr) -> Result<Self, getrandom::Error> {
        Ok(Self {
            address,
            entry: Mutex::new(Some(Secret::generate()?)),
            cookie: Secret::generate()?,
            csrf: Secret::generate()?,
        })
    }

    /// The address that lets one browser in.
    pub(crate) fn entry_url(&self) -> String {
        let entry = self.entry.lock().unwrap_or_else(PoisonError::into_inner);
        let token = entry.as_ref().map_or("", Secret::expose);
        format!("http://{}/enter?token={token}", self.address)
    }

    /// What every form carries.
    pub(crate) const fn csrf(&self) -> &Secret {
        &self.csrf
    }

    /// Takes the token of an address: the first right one, and no other.
    ///
    /// # Errors
    /// It is not the token, or it was used.
    pub(crate) fn enter(&self, token: &str) -> Result<String, Refused> {
        let mut entry = self.entry.lock().unwrap_or_else(PoisonError::into_inner);
        match entry.as_ref() {
            Some(secret) if secret.is(token) => *entry = None,
            _ => return Err(Refused::Token),
        }
        let (name, value) = (self.cookie_name(), self.cookie.expose());
        Ok(format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict"))
    }

    fn cookie_name(&self) -> String {
        format!("mem-console-{}", self.address.port())
    }

    /// Whether a request goes to this console and to no other name of this machine.
    ///
    /// # Errors
    /// It names another host.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refused> {
        match only_host(headers).is_some_and(|host| host == self.address.to_string()) {
            true => Ok(()),
            false => Err(Refused::Host),
        }
    }

    /// Whether a request comes from the browser that was let in, and from a page of this console.
    ///
    /// # Errors
    /// It lacks the cookie or comes from another origin.
    pub(crate) fn check_browser(
        &self,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<(), Refused> {
        let name = self.cookie_name();
        let is_cookie = |(known, value)| known == name && self.cookie.is(value);
        if !cookies(headers).any(is_cookie) {
            return Err(Refused::Cookie);
        }
        let own = format!("http://{}", self.address);
        match comes_from_own_page(method, headers, |origin| origin == own.as_bytes()) {
            true => Ok(()),
            false => Err(Refused::Origin),
        }
    }

    /// Whether a form is one of this console.
    ///
    /// # Errors
    /// The token is missing or another.
    pub(crate) fn check_form(&self, token: &str) -> Result<(), Refused> {
        match self.csrf.is(token) {
            true => Ok(()),
            false => Err(Refused::Csrf),
        }
    }
}

/// Names and values of the cookies of a request.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let all = headers.get_all(header::COOKIE).iter();
    all.filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
}

/// The one host of a request.
pub(crate) fn only_host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Whether a request comes from a page of an origin that `is_own`, or is an address that a person opened.
pub(crate) fn comes_from_own_page(
    method: &Method,
    headers: &HeaderMap,
    is_own: impl Fn(&[u8]) -> bool,
) -> bool {
    let site = headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    match headers.get(header::ORIGIN).map(HeaderValue::as_bytes) {
        // What a browser sends for a form of a page that says nothing of itself, as ours do.
        Some(b"null") => site == Some(b"same-origin"),
        Some(origin) => is_own(origin) && site.is_none_or(|site| site == b"same-origin"),
        None if method == Method::GET => site.is_none_or(|site| OWN_SITES.contains(&site)),
        None => site == Some(b"same-origin"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        Access::generate(SocketAddr::from(([127, 0, 0, 1], 4711))).unwrap()
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    #[test]
    fn a_token_counts_once_and_a_wrong_one_does_not_use_it_up() {
        let access = access();
        let url = access.entry_url();
        let token = url.split_once("token=").unwrap().1;
        assert_eq!(token.len(), 2 * SECRET_BYTES);
        assert_eq!(access.enter(""), Err(Refused::Token));
        assert_eq!(access.enter(&token[1..]), Err(Refused::Token));
        assert!(
            access
                .enter(token)
                .unwrap()
                .ends_with("HttpOnly; SameSite=Strict")
        );
        assert_eq!(access.enter(token), Err(Refused::Token));
        assert_eq!(access.enter(""), Err(Refused::Token));
        assert!(!format!("{access:?}").contains(token));
    }

    #[test]
    fn only_our_address_is_our_host() {
        let access = access();
        let check = |host: &str| access.check_host(&headers(&[(header::HOST, host)]));
        assert_eq!(check("127.0.0.1:4711"), Ok(()));
        for host in [
            "127.0.0.1",
            "localhost:4711",
            "127.0.0.1:4712",
            "evil.example:4711",
            "",
        ] {
            assert_eq!(check(host), Err(Refused::Host), "{host}");
        }
        assert_eq!(access.check_host(&HeaderMap::new()), Err(Refused::Host));
    }

    #[test]
    fn the_cookie_alone_does_not_let_another_page_in() {
        let access = access();
        let cookie = format!("a=b; mem-console-4711={}", access.cookie.expose());
        let check = |method: &Method, more: &[(HeaderName, &str)]| {
            let mut all = vec![(header::COOKIE, cookie.as_str())];
            all.extend_from_slice(more);
            access.check_browser(method, &headers(&all))
        };
        let own = (header::ORIGIN, "http://127.0.0.1:4711");
        assert_eq!(check(&Method::GET, &[]), Ok(()));
        assert_eq!(check(&Method::POST, std::slice::from_ref(&own)), Ok(()));
        assert_eq!(
            check(&Method::POST, &[own, (SEC_FETCH_SITE, "same-origin")]),
            Ok(())
        );
        let null = (header::ORIGIN, "null");
        assert_eq!(
            check(
                &Method::POST,
                &[null.clone(), (SEC_FETCH_SITE, "same-origin")]
            ),
            Ok(())
        );
        assert_eq!(
            check(&Method::POST, &[null, (SEC_FETCH_SITE, "cross-site")]),
            Err(Refused::Origin)
        );
        assert_eq!(check(&Method::POST, &[]), Err(Refused::Origin));
        for origin in [
            "null",
            "http://127.0.0.1:80",
            "http://localhost:4711",
            "https://127.0.0.1:4711",
        ] {
            assert_eq!(
                check(&Method::POST, &[(header::ORIGIN, origin)]),
                Err(Refused::Origin)
            );
            assert_eq!(
                check(&Method::GET, &[(header::ORIGIN, origin)]),
                Err(Refused::Origin)
            );
        }
        for site in ["same-site", "cross-site"] {
            assert_eq!(
                check(&Method::GET, &[(SEC_FETCH_SITE, site)]),
                Err(Refused::Origin)
            );
        }
        let other = headers(&[(header::COOKIE, "mem-console-4711=0")]);
        assert_eq!(
            access.check_browser(&Method::GET, &other),
            Err(Refused::Cookie)
        );
    }
}
