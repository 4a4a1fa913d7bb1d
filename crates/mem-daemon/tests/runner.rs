//! Real sockets, real watches, real threads.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod daemon;
