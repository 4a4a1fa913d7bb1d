//! The storage against the real databases, and the server against the real clients: one binary.
#![expect(
    clippy::disallowed_methods,
    reason = "tests put plain files into place and read them"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod http;
mod identity;
mod storage;
