//! What a server is told when it starts. It reads no environment and no clock by itself.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use jiff::Timestamp;

use crate::settings::ServerSettings;
use crate::storage::{DatabaseAddress, OpenOptions, VersionRetention};

/// The present, as the caller tells it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Makes pages for people: given the server's own API, which has every check of a request over the network, routes
/// that ask it and nothing else.
pub type ServerPages = Box<dyn FnOnce(Router) -> Router + Send>;

/// Everything about one server.
pub struct ServeOptions {
    /// Where it listens; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Where it keeps what it is given.
    pub place: DatabaseAddress,
    /// How the database is opened.
    pub storage: OpenOptions,
    /// Who may ask.
    pub access: ServerAccess,
    /// How much, and for how long.
    pub limits: ServerLimits,
    /// How long versions are kept.
    pub retention: VersionRetention,
    /// What the administrator wrote for it.
    pub settings: ServerSettings,
    /// The present.
    pub now: Clock,
    /// Pages beside the API.
    pub pages: Option<ServerPages>,
    /// Called once, as soon as connections are taken.
    pub on_listening: Box<dyn FnOnce(&BoundServer) + Send>,
}

/// A server that takes connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundServer {
    /// Where, with the port that it got.
    pub address: SocketAddr,
    /// Whether nobody can use it yet: it asks for tokens, and there is none.
    pub is_locked: bool,
}

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerAccess {
    /// Whoever has a token that covers it.
    Tokens,
    /// Every program of this machine. For a loopback address alone.
    Open,
}

/// How much, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Connections at a time; where another client comes, the one that has been silent longest ends.
    pub connections: usize,
    /// Requests a second of one token, with bursts of five times that; `None`: any number.
    pub rate: Option<NonZeroU32>,
    /// For the head of a request, and for the next one on the same connection.
    pub head: Duration,
    /// For the body of a request.
    pub body: Duration,
    /// For all of a request.
    pub request: Duration,
    /// For a client that takes nothing of an answer.
    pub write: Duration,
    /// For what is under way when the server is to end.
    pub drain: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            connections: 1024,
            rate: NonZeroU32::new(100),
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            request: Duration::from_secs(60),
            write: Duration::from_secs(30),
            drain: Duration::from_secs(9),
        }
    }
}

/// An address of this machine alone, also where IPv4 is written as IPv6.
pub(crate) fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
