//! What the HTTP remote has to be told.

use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use mem_core::Diagnose;
use mem_http::{AddressFault, is_loopback};
use reqwest::Url;
use secrecy::SecretString;

use crate::repository::Repository;

/// Where the server is, and who asks.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// `http(s)://host[:port][/prefix]`. Plain `http` is used where it is said.
    pub base: String,
    /// Whose store.
    pub repository: Repository,
    /// Sent with every request, to this address only.
    pub token: Option<SecretString>,
    /// Who changes; a server that knows its tokens does not believe it.
    pub actor: String,
    /// Such as `mem/0.1.0`.
    pub user_agent: String,
    /// How long to wait.
    pub limits: Timeouts,
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For the next bytes of an answer, and for each 16 KiB of it while there are more: a server that sends a byte now
    /// and then says nothing.
    pub stall: Duration,
    /// For a request and all of its answer, however well it goes on.
    pub request: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            // Whoever goes on is not cut off: a first pull of everything over a thin line takes its time.
            request: Duration::from_secs(3_600),
        }
    }
}

/// Options that no request can be made with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum HttpError {
    /// Not an address of a server.
    #[error("the address of the server cannot be used: {0}")]
    #[diagnose(
        Invalid,
        hint = "write it as `https://host`, with a port and a path if need be"
    )]
    Address(AddressFault),
    /// A token that does not belong into a header.
    #[error("the token contains characters that no token has")]
    #[diagnose(
        Invalid,
        hint = "give it with `mem team login`, without spaces or line ends"
    )]
    Token,
    /// The client could not be made.
    #[error("cannot speak HTTP: {0}")]
    #[diagnose(Io)]
    Client(String),
}

/// Whether nothing on the way speaks TLS: it goes by plain `http`, and through no proxy.
pub(super) fn is_plain(base: &Url) -> bool {
    let is_direct = || {
        let uri = base.as_str().parse().ok();
        uri.is_some_and(|uri| Matcher::from_system().intercept(&uri).is_none())
    };
    base.scheme() == "http" && (is_loopback(base) || is_direct())
}
