//! What a server answered, read to its end or to its limit.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, LOCATION};
use reqwest::{Response, StatusCode};
use secrecy::SecretString;

use crate::fault::LineFault;
use crate::mask::sanitize_reply;
use crate::retry::RetryHint;
use crate::stall_timeout::StallTimeout;

/// Of an answer that is none; nobody needs more of it.
const ERROR_BYTES_MAX: usize = 64 * 1024;

/// How answers are read.
#[derive(Clone, Debug)]
pub struct BodyReader {
    /// A longer answer is an error. Counted after it was unpacked.
    pub bytes_max: usize,
    /// For each piece of an answer, see [`StallTimeout`].
    pub stall: Duration,
    /// What goes along with requests, and is in nothing that is told of an answer.
    pub secret: Option<SecretString>,
}

/// A status, its headers, and the body as far as it counts.
#[derive(Debug)]
pub struct HttpReply {
    /// The status.
    pub status: StatusCode,
    headers: HeaderMap,
    /// Whole where the status is a success, else as much as somebody may need.
    pub body: Vec<u8>,
    secret: Option<SecretString>,
}

impl BodyReader {
    /// Reads an answer whose head is there.
    ///
    /// # Errors
    /// It is too long, it does not go on, or the line broke.
    pub async fn read(&self, mut response: Response) -> Result<HttpReply, LineFault> {
        let status = response.status();
        let headers = response.headers().clone();
        let too_long = LineFault::TooLong {
            bytes_max: self.bytes_max,
        };
        let max = match status.is_success() {
            true if response.content_length() > Some(self.bytes_max as u64) => {
                return Err(too_long);
            }
            true => self.bytes_max,
            false => ERROR_BYTES_MAX,
        };
        let (mut body, mut pace) = (Vec::new(), StallTimeout::new(self.stall));
        while let Some(bytes) = pace.next(&mut response).await? {
            let bytes = bytes.as_ref();
            if body.len() + bytes.len() > max {
                if status.is_success() {
                    return Err(too_long);
                }
                break;
            }
            body.extend_from_slice(bytes);
        }
        Ok(HttpReply {
            status,
            headers,
            body,
            secret: self.secret.clone(),
        })
    }
}

impl HttpReply {
    /// A header, if it is text.
    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// What it says about being asked again.
    pub fn retry_hint(&self) -> RetryHint {
        RetryHint::from_response(self.status.as_u16(), &self.headers)
    }

    /// Words of the server, short, on one line, harmless, and without the secret.
    pub fn sanitize_text(&self, text: &str) -> String {
        sanitize_reply(text, self.secret.as_ref())
    }

    /// Where a redirect leads, to be told and not followed: without a user and a query, where secrets stand.
    pub fn redirect_target(&self) -> String {
        let to = self.header(&LOCATION).unwrap_or("nowhere");
        let to = to.split(['?', '#']).next().unwrap_or_default();
        self.sanitize_text(&without_user(to))
    }
}

fn without_user(address: &str) -> String {
    let (scheme, rest) = address.split_once("//").unwrap_or(("", address));
    let host = rest.split('/').next().unwrap_or_default();
    match host.rfind('@') {
        Some(at) => format!("{scheme}//{}", &rest[at + 1..]),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use mem_tests::Dripping;
    use mem_tests::http::serve_once;
    use secrecy::ExposeSecret as _;

    use super::*;

    const STALL: Duration = Duration::from_millis(300);

    fn reader(bytes_max: usize) -> BodyReader {
        BodyReader {
            bytes_max,
            stall: STALL,
            secret: Some(SecretString::from(["key-of-", "nobody-0123"].concat())),
        }
    }

    fn get(url: &str, reader: &BodyReader) -> Result<HttpReply, LineFault> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let connect = Duration::from_secs(20);
        let base = url.parse().unwrap();
        let client = crate::client_builder(&base, HeaderMap::new(), connect).timeout(connect);
        let client = client.build().unwrap();
        runtime.block_on(async { reader.read(client.get(url).send().await?).await })
    }

    /// What is read of an answer with these bytes.
    fn read(answer: Vec<u8>, bytes_max: usize) -> Result<HttpReply, LineFault> {
        get(&serve_once(answer), &reader(bytes_max))
    }

    fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
        format!("HTTP/1.1 {status} X\r\n{headers}\r\n{body}").into_bytes()
    }

    #[test]
    fn a_body_over_its_limit_is_an_error_and_never_cut() {
        let bytes_max = 40_000;
        let whole = "x".repeat(bytes_max);
        let reply = read(answer(200, "", &whole), bytes_max).unwrap();
        assert_eq!(reply.body, whole.as_bytes());
        let over = format!("{whole}x");
        // Whether its length is told before, or it just goes on.
        let length = format!("Content-Length: {}\r\n", over.len());
        for headers in ["", length.as_str()] {
            let error = read(answer(200, headers, &over), bytes_max).unwrap_err();
            assert_eq!(error, LineFault::TooLong { bytes_max });
            assert_eq!(error.to_string(), "its answer is longer than 40000 bytes");
        }
        // What is no success counts by its status, whatever follows it.
        let reply = read(answer(500, "", &"x".repeat(100_000)), 1).unwrap();
        assert_eq!(reply.status, 500);
        assert!(reply.body.len() <= ERROR_BYTES_MAX);
    }

    #[test]
    fn a_server_that_sends_a_byte_now_and_then_is_given_up() {
        let dripping = Dripping::start();
        let error = get(dripping.url(), &reader(100_000)).unwrap_err();
        assert!(
            matches!(error, LineFault::Slow { bytes: 1.., .. }),
            "{error}"
        );
        let said = error.to_string();
        assert!(said.contains("bytes of its answer in 0 seconds"), "{said}");
        assert!((1..60_000).contains(&dripping.bytes()));
    }

    #[test]
    fn a_line_that_breaks_is_told_without_the_address() {
        let length = "Content-Length: 9\r\n";
        let error = read(answer(200, length, "half"), 100).unwrap_err();
        assert!(matches!(error, LineFault::Broken(_)), "{error}");
        // Nobody listens on a port that was just given back.
        let closed = TcpListener::bind("127.0.0.1:0").and_then(|bound| bound.local_addr());
        let closed = format!("http://{}/secret", closed.unwrap());
        let error = get(&closed, &reader(1)).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("refused") && !said.contains("secret"),
            "{said}"
        );
    }

    #[test]
    fn what_is_said_is_harmless_and_a_redirect_is_told_not_followed() {
        let secret = reader(1).secret.unwrap();
        let secret = secret.expose_secret();
        let location = format!("Location: https://me:{secret}@h/x/{secret}?q={secret}\r\n");
        let reply = read(answer(307, &location, ""), 1).unwrap();
        assert_eq!(reply.status, 307);
        assert_eq!(reply.redirect_target(), "https://h/x/[key]");
        let said = reply.sanitize_text(&format!("no\u{1b}[31m {secret}"));
        assert_eq!(said, "no\\u{1b}[31m [key]");
        assert_eq!(reply.sanitize_text(&"x".repeat(9_999)).len(), 500);
        for (told, shown) in [
            ("/mail/a@b", "/mail/a@b"),
            ("nowhere", "nowhere"),
            ("//me@h", "//h"),
        ] {
            assert_eq!(without_user(told), shown);
        }
    }
}
