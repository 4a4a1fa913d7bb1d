//! What a client has to be told.

use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;

use super::ClientError;

/// Where the server is, and who asks.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// `http(s)://host[:port][/prefix]`, as SDKs take it: without `/v1`.
    pub base: String,
    /// Sent with every request, to this address only.
    pub key: Option<SecretString>,
    /// Such as `mem/0.1.0`.
    pub user_agent: String,
    /// How long to wait, how often to try.
    pub patience: Patience,
}

/// How long to wait for what, and how often to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the next bytes of an answer.
    pub stall: Duration,
    /// For a request and all of its answer.
    pub request: Duration,
    /// A request is sent so often at most.
    pub attempts: u32,
    /// The longest pause between two attempts; a server that wants a longer one is not asked again.
    pub pause: Duration,
}

impl Default for Patience {
    /// What a person waits for.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            request: Duration::from_secs(120),
            attempts: 4,
            pause: Duration::from_secs(30),
        }
    }
}

impl Patience {
    /// What an agent in the middle of its work waits for.
    pub fn short() -> Self {
        Self {
            connect: Duration::from_millis(750),
            stall: Duration::from_secs(2),
            request: Duration::from_secs(3),
            attempts: 1,
            pause: Duration::ZERO,
        }
    }
}

/// The address without what does not belong into it.
pub(super) fn address(base: &str) -> Result<Url, ClientError> {
    let url = Url::parse(base.trim()).map_err(|_| ClientError::Address("it is not a URL"))?;
    let fault = match url.scheme() {
        "https" | "http" if !url.has_host() => "it has no host",
        "https" | "http" if !url.username().is_empty() || url.password().is_some() => {
            "a key does not belong into it"
        }
        "https" | "http" if url.query().is_some() || url.fragment().is_some() => {
            "it has a query or a fragment"
        }
        "https" | "http" => return Ok(url),
        _ => "it begins neither with `https://` nor with `http://`",
    };
    Err(ClientError::Address(fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_plain_ones() {
        for good in [
            "https://h",
            "http://127.0.0.1:8080/",
            " https://h:1/prefix ",
        ] {
            assert!(address(good).is_ok(), "{good}");
        }
        let secret = ["https://me:hunter", "2@h"].concat();
        for bad in [
            "",
            "h:80",
            "file:///x",
            "https://",
            "https://h?x",
            "https://h#x",
            &secret,
        ] {
            let said = address(bad).unwrap_err().to_string();
            assert!(!said.contains("hunter"), "{said}");
        }
    }
}
