//! The storage against the real databases, and the server against the real clients: one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod http;
mod storage;
