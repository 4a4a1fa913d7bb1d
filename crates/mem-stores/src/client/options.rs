//! What a client has to be told.

use std::time::Duration;

use secrecy::SecretString;

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
    /// For the next bytes of an answer, and for each 16 KiB of it while there are more: a server that sends a byte now
    /// and then says nothing.
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
